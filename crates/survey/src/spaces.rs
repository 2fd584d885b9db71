//! The three ways to explore a net: its concrete states, its states folded one by one, and, where there
//! are no threads, its symbolic markings. What is asked of a survey is asked of them alike.

use std::sync::Arc;

use explore::{Control, Exploration, Failed, Options, StateId, Stop};
use fold::{ConcreteSpace, Folded};
use net::{Compiled, Net, TransitionId};
use state::{Relations, State};
use symbolic::{SymbolicSpace, Translation, Untranslatable};

use super::census::{self, Census};
use super::reader::{Looking, Markings};
use crate::growth;

/// A space for each worker; there is at least one.
pub(super) enum Spaces<'n> {
    Folded(Vec<Folded<Compiled>>, Option<Untranslatable>),
    Full(Vec<ConcreteSpace<&'n Net>>),
    Symbolic(Arc<Translation>, Vec<SymbolicSpace>),
}

/// A fault has a transition, unless too many tokens are the fault.
pub(super) type Explored = Result<Exploration, Failed<Option<TransitionId>>>;

impl<'n> Spaces<'n> {
    pub(super) fn full(net: &'n Net, workers: usize) -> Self {
        Spaces::Full((0..workers).map(|_| ConcreteSpace::new(net)).collect())
    }

    /// Symbolic markings, if the net can be translated; otherwise states folded one by one.
    pub(super) fn folded(
        net: &Arc<Net>,
        relations: Relations,
        workers: usize,
        translation: Option<Arc<Translation>>,
    ) -> Self {
        match translation.map_or_else(|| Translation::of(net).map(Arc::new), Ok) {
            Ok(translation) => {
                let spaces = (0..workers).map(|_| translation.symbolic().space()).collect();
                Spaces::Symbolic(translation, spaces)
            }
            Err(why) => Spaces::one_by_one(net, relations, workers, Some(why)),
        }
    }

    pub(super) fn one_by_one(
        net: &Arc<Net>,
        relations: Relations,
        workers: usize,
        why: Option<Untranslatable>,
    ) -> Self {
        let mut spaces = vec![Folded::new(Compiled::new(net.clone(), relations), relations)];
        spaces.extend((1..workers).map(|_| spaces[0].worker()).collect::<Vec<_>>());
        Spaces::Folded(spaces, why)
    }

    /// Explores. `review` is also given what looks at states.
    pub(super) fn explore(
        &mut self,
        options: &Options,
        watch: &mut dyn FnMut(&Exploration) -> Control,
        review: &mut dyn FnMut(&Exploration, &mut dyn Looking) -> Control,
    ) -> Explored {
        match self {
            Spaces::Folded(spaces, _) => {
                let mut looking = spaces[0].worker();
                let review = &mut |so_far: &Exploration| review(so_far, &mut looking);
                let explored = explore::explore_on(spaces, options, watch, review);
                explored.map_err(|failed| told(failed, |fault| Some(fault.transition)))
            }
            Spaces::Full(spaces) => {
                let mut looking = ConcreteSpace::new(*spaces[0].system());
                let review = &mut |so_far: &Exploration| review(so_far, &mut looking);
                let explored = explore::explore_on(spaces, options, watch, review);
                explored.map_err(|failed| told(failed, |fault| Some(fault.transition)))
            }
            Spaces::Symbolic(translation, spaces) => {
                let mut looking = Markings::of(translation);
                let review = &mut |so_far: &Exploration| review(so_far, &mut looking);
                let explored = explore::explore_on(spaces, options, watch, review);
                explored.map_err(|failed| told(failed, |_| None))
            }
        }
    }

    /// What looks at states.
    pub(super) fn looking(&mut self) -> Box<dyn Looking + '_> {
        match self {
            Spaces::Folded(spaces, _) => Box::new(spaces[0].worker()),
            Spaces::Full(spaces) => Box::new(ConcreteSpace::new(*spaces[0].system())),
            Spaces::Symbolic(translation, _) => Box::new(Markings::of(translation)),
        }
    }

    /// A state as stored; of a class, one of its states.
    pub(super) fn state(&self, bytes: &[u8]) -> State {
        match self {
            Spaces::Folded(spaces, _) => spaces[0].rules().state(&spaces[0].decode(bytes)),
            Spaces::Full(spaces) => spaces[0].decode(bytes),
            Spaces::Symbolic(translation, _) => {
                translation.state(&translation.symbolic().space().representative(bytes))
            }
        }
    }

    /// Whether a state is stored as these bytes.
    pub(super) fn is_stored_as(&mut self, state: &State, bytes: &[u8]) -> bool {
        match self {
            Spaces::Folded(spaces, _) => {
                let (working, _) = spaces[0].rules().working(state);
                spaces[0].fold(working) == bytes
            }
            Spaces::Full(spaces) => spaces[0].encode(state) == bytes,
            Spaces::Symbolic(translation, spaces) => {
                let folded = spaces[0].fold(&translation.tokens(state));
                folded.is_ok_and(|folded| folded == bytes)
            }
        }
    }

    /// The memory that holds parts of states, in bytes.
    pub(super) fn part_bytes(&self) -> u64 {
        match self {
            Spaces::Folded(spaces, _) => spaces[0].family_bytes(),
            Spaces::Full(_) | Spaces::Symbolic(..) => 0,
        }
    }

    /// Counts what was explored, unless it is symbolic.
    pub(super) fn census(
        &mut self,
        net: &Net,
        relations: Relations,
        exploration: &Exploration,
    ) -> Option<Census> {
        match self {
            Spaces::Folded(spaces, _) => {
                census::of_folded(net, relations, &mut spaces[0], exploration)
            }
            Spaces::Full(spaces) => Some(census::of_full(&spaces[0], net, exploration)),
            Spaces::Symbolic(..) => None,
        }
    }

    /// The largest number of tokens in each place; at most `u64::MAX`. States that a limit kept from being
    /// expanded count, too.
    pub(super) fn most_tokens(&mut self, exploration: &Exploration) -> Vec<u64> {
        let waiting = exploration.expanded..exploration.states();
        let waiting = waiting.map(|id| exploration.store.get(StateId(id as u32)));
        let mut most = Vec::new();
        let mut see = |seen: &[u64]| {
            most.resize(seen.len().max(most.len()), 0);
            most.iter_mut().zip(seen).for_each(|(most, &seen)| *most = seen.max(*most));
        };
        match self {
            Spaces::Folded(spaces, _) => {
                waiting.for_each(|bytes| spaces[0].observe(bytes));
                spaces.iter().for_each(|space| see(space.most_tokens()));
            }
            Spaces::Full(spaces) => {
                waiting.for_each(|bytes| spaces[0].observe(bytes));
                spaces.iter().for_each(|space| see(space.most_tokens()));
            }
            // Where the budget is used up, it is no time to look at everything again. What several
            // workers found last and did not store has been seen all the same.
            Spaces::Symbolic(_, spaces)
                if matches!(exploration.reason, Some(Stop::Exhausted(_)))
                    && spaces.iter().all(|space| space.most_tokens_found().is_some()) =>
            {
                spaces.iter().for_each(|space| see(space.most_tokens_found().unwrap_or(&[])));
            }
            Spaces::Symbolic(_, spaces) => {
                for (_, bytes) in exploration.store.iter() {
                    spaces[0].raise_most_tokens(bytes, &mut most);
                }
            }
        }
        most
    }

    /// What can grow, counted in a state.
    pub(super) fn quantities(&mut self, net: &Net, bytes: &[u8]) -> Vec<(String, u64)> {
        let tokens = |place: &net::Place| {
            let what = if place.is_flow() { "threads at" } else { "tokens in" };
            format!("{what} `{}`", place.name)
        };
        match self {
            Spaces::Folded(spaces, _) => {
                let working = spaces[0].decode(bytes);
                let places = net.places.iter().enumerate();
                let mut quantities = growth::of_threads(&working);
                quantities.extend(places.map(|(i, place)| (tokens(place), working.tokens(i))));
                quantities
            }
            Spaces::Full(_) => Vec::new(),
            Spaces::Symbolic(_, spaces) => {
                let mut counts = Vec::new();
                spaces[0].count_tokens_in_places(bytes, &mut counts);
                net.places.iter().map(tokens).zip(counts).collect()
            }
        }
    }
}

fn told<F>(
    failed: Failed<F>,
    transition: impl Fn(F) -> Option<TransitionId>,
) -> Failed<Option<TransitionId>> {
    let Failed { fault, at, exploration } = failed;
    Failed { fault: transition(fault), at, exploration }
}
