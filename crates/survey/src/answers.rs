//! What an exploration has found, asked for.

use std::cell::RefCell;
use std::sync::Arc;

use budget::{Budget, Exhausted, Phase};
use explore::distributed::{Destination, Lost, Path};
use explore::{Exploration, StateId, Stop};
use net::{Net, Observed, PlaceId, TransitionId};
use state::{Relations, State};
use symbolic::{Census, Untranslatable};
use trace::Run;

use crate::graph::{Graph, state_text};
use crate::growth::{self, Growth};
use crate::reader::Reader;
use crate::shared::{self, Shards, SharedSurvey};
use crate::spaces::{GRACE, Spaces};
use crate::unbounded::{self, Covering, Unbounded};
use crate::{Form, Survey, Tally};

impl Survey<'_> {
    /// The model.
    #[must_use]
    pub fn net(&self) -> &Net {
        self.net
    }

    /// Ω.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// What is observed of each column, if states were folded by that and it could make a difference.
    #[must_use]
    pub fn observed(&self) -> Option<&Arc<Observed>> {
        self.observed.as_ref()
    }

    /// What states were stored as.
    #[must_use]
    pub fn form(&self) -> Form {
        self.spaces.form()
    }

    /// Whether states were not folded.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.form() == Form::Full
    }

    /// Why states were folded one by one, if symbolic markings would have been better.
    #[must_use]
    pub fn why_one_by_one(&self) -> Option<&Untranslatable> {
        match &self.spaces {
            Spaces::Folded(_, why, _) => why.as_ref(),
            _ => None,
        }
    }

    /// What was counted.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let found = &self.exploration;
        self.shared.as_ref().map_or_else(
            || Tally {
                states: found.states(),
                edges: found.edges,
                deadlocks: found.deadlocks.len() as u64,
                terminated: found.terminated.len() as u64,
                depth: found.depth(),
            },
            SharedSurvey::tally,
        )
    }

    /// What this process holds, if several have explored together.
    #[must_use]
    pub fn shards(&self) -> Option<Shards<'_>> {
        self.shared.as_ref().map(|shared| Shards::of(&*shared.search))
    }

    /// Whether the graph is here: where several processes have explored together, only the first may have it.
    #[must_use]
    pub fn has_graph(&self) -> bool {
        self.shared
            .as_ref()
            .is_none_or(|shared| shared.is_gathered && shared.search.network().process() == 0)
    }

    /// Forgets the states of this process that are in the graph which the first process has gathered. Nothing can be
    /// asked of the shards after that.
    pub fn forget_shards(&self) {
        if let Some(SharedSurvey { search, is_gathered: true, .. }) = &self.shared {
            search.forget();
        }
    }

    /// Why the graph that several processes have explored is not gathered, if it was to be.
    #[must_use]
    pub fn given_up(&self) -> Option<Exhausted> {
        self.shared.as_ref().and_then(|shared| shared.given_up)
    }

    /// The graph, and counts. If several processes have explored together, and the graph is not
    /// [here](Self::has_graph), there are no states in it: see [`tally`](Self::tally).
    #[must_use]
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    /// The largest number of tokens seen in each place; at most `u64::MAX`.
    #[must_use]
    pub fn most_tokens(&self) -> &[u64] {
        &self.most_tokens
    }

    /// The memory that holds the states, in bytes, as allocated.
    #[must_use]
    pub fn store_bytes(&self) -> u64 {
        match &self.shared {
            Some(shared) => shared.store_bytes,
            None => self.exploration.store.allocated_bytes() + self.spaces.part_bytes(),
        }
    }

    /// The number of modes of one state of each class, added up; at most `u64::MAX`.
    #[must_use]
    pub fn modes(&self) -> u64 {
        match (&self.census, self.form()) {
            (Some(census), Form::Symbolic) => u64::try_from(&census.modes).unwrap_or(u64::MAX),
            _ => self.exploration.modes,
        }
    }

    /// What was folded, counted; `None` unless the survey is complete, and without threads or not folded. If the
    /// budget does not suffice to count, the survey is no longer complete.
    #[must_use]
    pub fn census(&mut self) -> Option<&Census> {
        if self.census.is_none() && self.exploration.complete {
            let Survey { net, relations, spaces, exploration, budget, shared, .. } = self;
            let _under = budget.progress().during(Phase::Counting);
            let census = match shared {
                None => spaces.census(net, *relations, exploration, budget),
                Some(SharedSurvey { search, is_gathered: true, .. }) => {
                    match search.network().process() {
                        0 => spaces.census(net, *relations, exploration, budget),
                        _ => Ok(None),
                    }
                }
                Some(SharedSurvey { search, .. }) => {
                    shared::census(&**search, net, *relations, budget)
                        .unwrap_or(Err(Exhausted::Interrupted))
                }
            };
            match census {
                Ok(census) => self.census = census,
                Err(spent) => self.cut(spent),
            }
        }
        self.census.as_ref()
    }

    /// Not everything was counted.
    fn cut(&mut self, spent: Exhausted) {
        self.exploration.complete = false;
        self.exploration.reason = Some(Stop::Exhausted(spent));
    }

    /// A place that can hold any number of tokens, if one was found.
    #[must_use]
    pub fn unbounded_place(&self) -> Option<PlaceId> {
        self.covering.as_ref().map(|covering| covering.place)
    }

    /// Whether it was found that the net is not bounded.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.covering.is_some()
    }

    /// That the net is not bounded, if that was found, with the run that the interpreter finds within the budget.
    #[must_use]
    pub fn unbounded(&mut self, budget: &Budget) -> Option<Unbounded> {
        let Survey { net, spaces, covering, .. } = self;
        let Covering { place, path, from } = covering.as_ref()?;
        let path = path.iter().map(|(label, target)| (TransitionId(*label), target));
        let observer = spaces.observer();
        let leads_to = |state: &State, target: &&Vec<u8>| observer.stored(state) == **target;
        let run = Run::along(net, path, budget, leads_to);
        Some(Unbounded { place: *place, from: *from, run })
    }

    /// The transitions that were never fired, but for probes, which never are.
    pub fn never_fired(&self) -> impl Iterator<Item = TransitionId> {
        let all = 0..self.net.transitions.len() as u32;
        let never = all.filter(|&t| self.exploration.fired.of(t) == 0).map(TransitionId);
        never.filter(|&t| !self.net.transition(t).probe)
    }

    /// The places in which no token was seen; none where there was no time to look at all states.
    pub fn never_marked(&self) -> impl Iterator<Item = PlaceId> {
        let places = (0..).map(PlaceId).zip(&self.most_tokens);
        places.filter(|(_, most)| self.all_looked_at && **most == 0).map(|(place, _)| place)
    }

    /// A state; of a folded survey, one of the class.
    #[must_use]
    pub fn state(&self, id: StateId) -> State {
        self.spaces.new_observer().state(self.exploration.store.get(id))
    }

    /// Looks at what was found, as it would have been reviewed.
    pub fn review<T>(&mut self, review: impl FnOnce(&Exploration, &mut dyn Reader) -> T) -> T {
        review(&self.exploration, self.spaces.observer())
    }

    /// The graph that was explored; without edges unless the plan was to keep them.
    #[must_use]
    pub fn graph(&self) -> Graph<'_> {
        let places = || self.net.places.iter().map(|place| &place.name);
        let observer = RefCell::new(self.spaces.new_observer());
        let state = move |id| observer.borrow_mut().state(self.exploration.store.get(id));
        let name = |label: u32| self.net.transitions[label as usize].name.as_str().into();
        Graph {
            title: &self.net.name,
            relations: self.relations,
            full: self.is_full(),
            exploration: &self.exploration,
            state: Box::new(state),
            action: Box::new(name),
            action_text: Box::new(move |label| {
                let told = trace::told_transition(self.net, TransitionId(label));
                told.map_or_else(|| name(label), Into::into)
            }),
            text: Box::new(move |state| match trace::told_state(self.net, state) {
                Some(lines) => lines.join("\n"),
                None => state_text(places(), state),
            }),
        }
    }

    /// A shortest run to a state.
    ///
    /// # Errors
    /// If the budget is used up before it is found.
    pub fn run_to(&mut self, id: StateId, budget: &Budget) -> Result<Run, Exhausted> {
        let path = self.exploration.path_to(id);
        self.run_along(path, budget)
    }

    /// A shortest run that ends with the transition looked for, if it was fired.
    ///
    /// # Errors
    /// If the budget is used up before it is found.
    pub fn run_to_transition(&mut self, budget: &Budget) -> Result<Option<Run>, Exhausted> {
        if let Some(SharedSurvey { search, totals, .. }) = &self.shared {
            let label = totals.label_reached();
            let Some(label) = label else { return Ok(None) };
            let path =
                search.path_to_label(label, budget).unwrap_or(Err(Exhausted::Interrupted))?;
            return path.map(|path| self.run_along_far(path, budget)).transpose();
        }
        let path = self.exploration.path_to_label();
        path.map(|path| self.run_along(path, budget)).transpose()
    }

    /// Shortest paths to states of several processes, all of which ask for the same.
    ///
    /// # Errors
    /// If the budget is used up before they are found, or a process is gone.
    ///
    /// # Panics
    /// If one process has explored alone.
    pub fn paths_to_far(
        &mut self,
        states: &[Destination],
        budget: &Budget,
    ) -> Result<Vec<Path>, Exhausted> {
        let shared = self.shared.as_ref().expect("several have explored");
        shared.search.paths_to(states, budget).unwrap_or(Err(Exhausted::Interrupted))
    }

    /// The run that a path stands for which several processes have found.
    ///
    /// # Errors
    /// If the budget is used up before it is found.
    pub fn run_along_far(&mut self, path: Path, budget: &Budget) -> Result<Run, Exhausted> {
        let Survey { net, spaces, .. } = self;
        let observer = spaces.observer();
        let steps = path.steps.into_iter();
        let steps: Vec<(TransitionId, Vec<u8>)> = steps
            .map(|step| (TransitionId(step.label), observer.adopted_state(&step.state)))
            .collect();
        Run::along(net, steps, budget, |state, target| observer.stored(state) == *target)
    }

    /// What was still rising when the run ended; nothing if it is complete.
    #[must_use]
    pub fn growth(&mut self) -> Vec<Growth> {
        let Survey { net, spaces, exploration, shared, .. } = self;
        if exploration.complete {
            return Vec::new();
        }
        if let Some(SharedSurvey { growth, .. }) = shared {
            return growth.clone();
        }
        growth::growth(exploration, net, spaces.observer())
    }

    fn run_along(&mut self, path: Vec<(u32, StateId)>, budget: &Budget) -> Result<Run, Exhausted> {
        let Survey { net, spaces, exploration, .. } = self;
        let path = path.into_iter().map(|(label, target)| (TransitionId(label), target));
        let observer = spaces.observer();
        Run::along(net, path, budget, |state, target| {
            observer.stored(state) == exploration.store.get(*target)
        })
    }

    /// Looks at what was found before a limit came, not for long.
    pub(crate) fn look_for_covering(&mut self) {
        let Survey { spaces, exploration, covering, budget, .. } = self;
        *covering = unbounded::covering(exploration, spaces.observer(), &budget.grace(GRACE));
    }

    /// Counts tokens where several processes hold the states.
    pub(crate) fn count_shared(&mut self) -> Result<(), Lost> {
        let SharedSurvey { search, .. } = self.shared.as_ref().expect("several have explored");
        let _under = self.budget.progress().during(Phase::Counting);
        let budget = self.budget.grace(GRACE);
        (self.most_tokens, self.all_looked_at) = shared::most_tokens(&**search, &budget)?;
        if !self.all_looked_at && self.exploration.complete {
            self.cut(self.budget.exhausted().unwrap_or(Exhausted::Time));
        }
        self.most_tokens.resize(self.net.places.len(), 0);
        Ok(())
    }

    /// Counts tokens, and of symbolic markings whatever there is to count if they are all there.
    pub(crate) fn count(&mut self) {
        let _under = self.budget.progress().during(Phase::Counting);
        let has_census = match &self.spaces {
            Spaces::Symbolic(spaces) => spaces[0].space.most_tokens_found().is_none(),
            _ => false,
        };
        if has_census && let Some(census) = self.census() {
            let most = census.most_in_places.iter();
            self.most_tokens = most.map(|m| u64::try_from(m).unwrap_or(u64::MAX)).collect();
            self.all_looked_at = true;
        } else {
            (self.most_tokens, self.all_looked_at) =
                self.spaces.most_tokens(&self.exploration, self.resumed, &self.budget);
        }
        if !self.all_looked_at && self.exploration.complete {
            self.cut(self.budget.exhausted().unwrap_or(Exhausted::Time));
        }
        self.most_tokens.resize(self.net.places.len(), 0);
    }
}
