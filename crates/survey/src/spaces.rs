//! The three ways to explore a net: its concrete states, its states folded one by one, and, where there
//! are no threads, its symbolic markings. What is asked of a survey is asked of them alike.

use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Exhausted, Phase};
use explore::checkpoint::Facts;
use explore::{
    Checkpoint, CheckpointError, Control, Exploration, Failed, Options, Space, StateId, Stop,
};
use fold::{ConcreteSpace, Folded};
use net::interpret::Plainly;
use net::{Compiled, Fault, FaultKind, Net, Observed, PlaceId, TransitionId};
use state::Relations;
use symbolic::{Census, Translation, Untranslatable};

use crate::reader::{Markings, Observer};
use crate::{Form, Plan};

/// A space for each worker; there is at least one.
pub(super) enum Spaces {
    /// And why there are no symbolic markings, and what is observed of each column, if states are folded by that.
    Folded(Vec<Folded<Compiled>>, Option<Untranslatable>, Option<Arc<Observed>>),
    Full(Vec<ConcreteSpace<Plainly>>),
    Symbolic(Vec<Markings>),
}

/// A fault has a transition, unless too many tokens are the fault, and is described.
pub(super) type Explored = Result<Exploration, Failed<(Option<TransitionId>, String)>>;

/// How long states are looked at again, and runs are looked for, where the budget is used up.
pub(super) const GRACE: Duration = Duration::from_millis(100);

impl Spaces {
    /// The spaces of a plan, for this many workers.
    pub(super) fn of(net: &Arc<Net>, relations: Relations, workers: usize, plan: &Plan) -> Self {
        match (plan.full, plan.one_by_one) {
            (true, _) => Spaces::full(net, workers),
            (false, true) => Spaces::one_by_one(net, relations, workers, plan, None),
            (false, false) => Spaces::folded(net, relations, workers, plan),
        }
    }

    pub(super) fn full(net: &Arc<Net>, workers: usize) -> Self {
        Spaces::Full((0..workers).map(|_| ConcreteSpace::new(Plainly(net.clone()))).collect())
    }

    /// Symbolic markings, if the net can be translated; otherwise states folded one by one.
    pub(super) fn folded(
        net: &Arc<Net>,
        relations: Relations,
        workers: usize,
        plan: &Plan,
    ) -> Self {
        let translated = || Translation::of(net, &plan.budget).map(Arc::new);
        match plan.translation.clone().map_or_else(translated, Ok) {
            Ok(translation) => {
                Spaces::Symbolic((0..workers).map(|_| Markings::of(&translation)).collect())
            }
            Err(why) => Spaces::one_by_one(net, relations, workers, plan, Some(why)),
        }
    }

    pub(super) fn one_by_one(
        net: &Arc<Net>,
        relations: Relations,
        workers: usize,
        plan: &Plan,
        why: Option<Untranslatable>,
    ) -> Self {
        let observed = plan.observed_of(net);
        let mut rules = match &observed {
            Some(observed) => Compiled::observing(net.clone(), observed),
            None => Compiled::new(net.clone(), relations),
        };
        if let Some(keep) = &plan.stubborn {
            rules = rules.reduced(keep);
        }
        let mut spaces = vec![Folded::new(rules, relations)];
        spaces.extend((1..workers).map(|_| spaces[0].worker()).collect::<Vec<_>>());
        Spaces::Folded(spaces, why, observed)
    }

    /// What is observed of each column, if states are folded by that.
    pub(super) fn observed(&self) -> Option<Arc<Observed>> {
        match self {
            Spaces::Folded(_, _, observed) => observed.clone(),
            Spaces::Full(_) | Spaces::Symbolic(_) => None,
        }
    }

    /// What states are stored as.
    pub(super) fn form(&self) -> Form {
        match self {
            Spaces::Full(_) => Form::Full,
            Spaces::Folded(..) => Form::Folded,
            Spaces::Symbolic(_) => Form::Symbolic,
        }
    }

    /// Explores, and says whether it went on from what was kept. `review` is also given what looks at states.
    pub(super) fn explore(
        &mut self,
        net: &Net,
        options: &Options,
        kept: Option<(&Checkpoint, &Facts)>,
        watch: &mut dyn FnMut(&Exploration) -> Control,
        review: &mut dyn FnMut(&Exploration, &mut dyn Observer) -> Control,
    ) -> Result<(Explored, bool), CheckpointError> {
        let described = |fault: Fault| (Some(fault.transition), fault.kind.describe(net));
        match self {
            Spaces::Folded(spaces, ..) => {
                let mut observer = spaces[0].worker();
                explored(spaces, &mut observer, options, kept, watch, review, described)
            }
            Spaces::Full(spaces) => {
                let mut observer = ConcreteSpace::new(spaces[0].system().clone());
                explored(spaces, &mut observer, options, kept, watch, review, described)
            }
            Spaces::Symbolic(spaces) => {
                let mut observer = Markings::of(&spaces[0].translation);
                let described = |fault| match fault {
                    symbolic::Fault::TooManyTokens(place) => {
                        let place = PlaceId(place.0);
                        (None, FaultKind::TooManyTokens { place }.describe(net))
                    }
                    other @ symbolic::Fault::TooManySubclasses => (None, other.to_string()),
                };
                explored(spaces, &mut observer, options, kept, watch, review, described)
            }
        }
    }

    /// What looks at states.
    pub(super) fn observer(&mut self) -> &mut dyn Observer {
        match self {
            Spaces::Folded(spaces, ..) => &mut spaces[0],
            Spaces::Full(spaces) => &mut spaces[0],
            Spaces::Symbolic(spaces) => &mut spaces[0],
        }
    }

    /// Another that looks at states.
    pub(super) fn new_observer(&self) -> Box<dyn Observer + '_> {
        match self {
            Spaces::Folded(spaces, ..) => Box::new(spaces[0].worker()),
            Spaces::Full(spaces) => Box::new(ConcreteSpace::new(spaces[0].system().clone())),
            Spaces::Symbolic(spaces) => Box::new(Markings::of(&spaces[0].translation)),
        }
    }

    /// The memory that holds parts of states, in bytes.
    pub(super) fn part_bytes(&self) -> u64 {
        match self {
            Spaces::Folded(spaces, ..) => spaces[0].family_bytes(),
            Spaces::Full(_) | Spaces::Symbolic(_) => 0,
        }
    }

    /// Counts what was explored; `None` if there are threads.
    pub(super) fn census(
        &mut self,
        net: &Net,
        relations: Relations,
        exploration: &Exploration,
        budget: &Budget,
    ) -> Result<Option<Census>, Exhausted> {
        self.observer().census(net, relations, exploration, budget)
    }

    /// The largest number of tokens in each place, at most `u64::MAX`, and whether all states have been looked
    /// at. States that a limit kept from being expanded count, too.
    pub(super) fn most_tokens(
        &mut self,
        exploration: &Exploration,
        resumed: bool,
        budget: &Budget,
    ) -> (Vec<u64>, bool) {
        let budget = budget.grace(GRACE);
        let was_exhausted = matches!(exploration.reason, Some(Stop::Exhausted(_)));
        let mut most = Vec::new();
        let mut see = |seen: &[u64]| {
            most.resize(seen.len().max(most.len()), 0);
            most.iter_mut().zip(seen).for_each(|(most, &seen)| *most = seen.max(*most));
        };
        let first = match self {
            // What several workers found last and did not store has been seen all the same.
            Spaces::Symbolic(spaces)
                if (was_exhausted || exploration.complete)
                    && !resumed
                    && spaces.iter().all(|worker| worker.space.most_tokens_found().is_some()) =>
            {
                let found = spaces.iter().filter_map(|worker| worker.space.most_tokens_found());
                found.for_each(see);
                return (most, true);
            }
            Spaces::Symbolic(_) => 0,
            // What was expanded before was seen by spaces that are gone.
            _ if resumed => 0,
            Spaces::Folded(..) | Spaces::Full(_) => exploration.expanded,
        };
        let waiting = (first..exploration.states()).map(|id| StateId(id as u32));
        let mut waiting = waiting.map(|id| exploration.store.get(id));
        let mut counts = Vec::new();
        let is_cut = waiting.any(|bytes| {
            match self {
                Spaces::Folded(spaces, ..) => spaces[0].observe(bytes),
                Spaces::Full(spaces) => spaces[0].observe(bytes),
                Spaces::Symbolic(spaces) => {
                    spaces[0].space.count_tokens_in_places(bytes, &mut counts);
                    see(&counts);
                }
            }
            budget.is_exhausted()
        });
        match self {
            Spaces::Folded(spaces, ..) => spaces.iter().for_each(|space| see(space.most_tokens())),
            Spaces::Full(spaces) => spaces.iter().for_each(|space| see(space.most_tokens())),
            Spaces::Symbolic(_) => {}
        }
        (most, !is_cut)
    }
}

fn explored<S: Space<Fault: Send> + Observer + Send>(
    spaces: &mut [S],
    observer: &mut S,
    options: &Options,
    kept: Option<(&Checkpoint, &Facts)>,
    watch: &mut dyn FnMut(&Exploration) -> Control,
    review: &mut dyn FnMut(&Exploration, &mut dyn Observer) -> Control,
    described: impl Fn(S::Fault) -> (Option<TransitionId>, String),
) -> Result<(Explored, bool), CheckpointError> {
    let review = &mut |so_far: &Exploration| review(so_far, observer);
    let (explored, resumed) = match kept {
        None => (explore::explore_on(spaces, options, watch, review), false),
        Some((checkpoint, facts)) => {
            let restoring = options.budget.progress().during(Phase::Restoring);
            let mut journal = checkpoint.journal(facts, spaces, options)?;
            drop(restoring);
            let resumed = journal.restored().is_some();
            let explored = explore::explore_kept_on(spaces, options, &mut journal, watch, review);
            (explored, resumed)
        }
    };
    let explored = explored.map_err(|Failed { fault, at, exploration }| Failed {
        fault: described(fault),
        at,
        exploration,
    });
    Ok((explored, resumed))
}
