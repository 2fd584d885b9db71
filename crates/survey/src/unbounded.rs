//! Nets whose places are not bounded.
//!
//! A marking that strictly covers one on its own path, up to who is who, can be left by the same steps
//! again, and again: the number of tokens has no bound (Karp and Miller 1969). That holds where more
//! tokens never disable anything, so in nets without inhibitors, and, since ours reads nothing else into
//! a marking, without pids.
//!
//! Two kinds of paths are looked at each time the number of states has doubled ([`trail`]). States are
//! found in the order of their depth, so in an unbounded net there are paths in which tokens become ever
//! more, and by Dickson's lemma every long enough one has such a pair: so the paths to the states with the
//! most tokens in some place. And, where growing takes long runs, walks that go on and on ([`walk`]). A
//! net that is bounded pays little for it, and one whose states are soon all known nothing at all.
//! Markings are compared as they are represented: that may miss a pair, never invent one.

mod trail;
mod walk;

use std::collections::BTreeMap;

use budget::{Budget, Exhausted};
use explore::distributed::Portion;
use explore::{Exploration, Space, StateId, Successors};
use fold::{ConcreteSpace, Folded, Working};
use net::interpret::Plainly;
use net::{Compiled, Net, PlaceId};
use state::{Relations, State, Value};
use symbolic::{Census, Component, SymbolicSpace};
use trace::Run;

use crate::census;
use crate::reader::{Markings, Observer};
use trail::Trail;
pub(super) use walk::Walks;

/// With fewer states, it is sooner seen that there are no more.
pub(super) const FEWEST: u32 = 1 << 10;
/// States looked at, at most, to find the ones with most tokens, in each half of those found.
const SAMPLES: u32 = 1000;
/// The states whose paths are looked at, at most.
const CANDIDATES: usize = 20;

/// That a net is not bounded, and why.
#[derive(Clone, Debug)]
pub struct Unbounded {
    /// A place that can hold any number of tokens.
    pub place: PlaceId,
    /// A run after which the tokens are those of an earlier state of it, and more; or why the interpreter did
    /// not come to its end.
    pub run: Result<Run, Exhausted>,
    /// That state, by the number of steps before it. What follows can be repeated for ever.
    pub from: usize,
}

/// A marking as far as covering is concerned.
pub(super) struct Marking {
    /// What has to be the same.
    frame: Vec<u32>,
    /// How often each kind of token is there: its place first. Places that never change are left out.
    tokens: BTreeMap<Vec<u32>, u32>,
}

impl Observer for Markings {
    fn marking(&mut self, state: &[u8]) -> Marking {
        Marking::of_symbolic(&mut self.space, state)
    }

    fn most_tokens(&mut self, portion: &Portion, budget: &Budget) -> (Vec<u64>, bool) {
        let mut states = portion.found().store.iter();
        let (mut most, mut counts) = (Vec::new(), Vec::new());
        let is_cut = states.any(|(_, bytes)| {
            self.space.count_tokens_in_places(bytes, &mut counts);
            most.resize(counts.len().max(most.len()), 0);
            most.iter_mut().zip(&counts).for_each(|(most, &seen)| *most = seen.max(*most));
            budget.is_exhausted()
        });
        (most, !is_cut)
    }

    fn census(
        &mut self,
        _: &Net,
        _: Relations,
        found: &Exploration,
        budget: &Budget,
    ) -> Result<Option<Census>, Exhausted> {
        Census::of(&mut self.space, found, budget).map(Some)
    }

    fn first(&mut self, found: &mut Successors) -> bool {
        self.initial(found).is_ok()
    }

    fn next(&mut self, state: &[u8], found: &mut Successors) -> bool {
        self.expand(state, found).is_ok()
    }
}

impl Observer for Folded<Compiled> {
    fn marking(&mut self, state: &[u8]) -> Marking {
        Marking::of_working(&self.decode(state))
    }

    fn most_tokens(&mut self, portion: &Portion, budget: &Budget) -> (Vec<u64>, bool) {
        let mut waiting = unseen(portion);
        let found = portion.found();
        let is_cut = waiting.any(|id| {
            self.observe(found.store.get(id));
            budget.is_exhausted()
        });
        (Folded::most_tokens(self).to_vec(), !is_cut)
    }

    fn census(
        &mut self,
        net: &Net,
        relations: Relations,
        found: &Exploration,
        budget: &Budget,
    ) -> Result<Option<Census>, Exhausted> {
        census::of_folded(net, relations, self, found, budget)
    }

    fn first(&mut self, found: &mut Successors) -> bool {
        self.initial(found).is_ok()
    }

    fn next(&mut self, state: &[u8], found: &mut Successors) -> bool {
        self.expand(state, found).is_ok()
    }
}

impl Observer for ConcreteSpace<Plainly> {
    fn marking(&mut self, state: &[u8]) -> Marking {
        Marking::of_state(&self.system().0, &self.decode(state))
    }

    fn most_tokens(&mut self, portion: &Portion, budget: &Budget) -> (Vec<u64>, bool) {
        let mut waiting = unseen(portion);
        let found = portion.found();
        let is_cut = waiting.any(|id| {
            self.observe(found.store.get(id));
            budget.is_exhausted()
        });
        (ConcreteSpace::most_tokens(self).to_vec(), !is_cut)
    }

    fn census(
        &mut self,
        net: &Net,
        _: Relations,
        found: &Exploration,
        budget: &Budget,
    ) -> Result<Option<Census>, Exhausted> {
        census::of_full(self, net, found, budget).map(Some)
    }

    fn first(&mut self, found: &mut Successors) -> bool {
        self.initial(found).is_ok()
    }

    fn next(&mut self, state: &[u8], found: &mut Successors) -> bool {
        self.expand(state, found).is_ok()
    }
}

/// The states that the space of a portion has not expanded.
fn unseen(portion: &Portion) -> impl Iterator<Item = StateId> + use<> {
    let found = portion.found();
    let first = if portion.is_restored() { 0 } else { found.expanded as u32 };
    (first..found.store.len()).map(StateId)
}

impl Marking {
    fn of_working(working: &Working) -> Self {
        let mut marking = Marking { frame: Vec::new(), tokens: BTreeMap::new() };
        for place in 0..working.places() {
            for entry in working.entries(place) {
                let token = std::iter::once(place as u32).chain(entry[1..].iter().copied());
                marking.tokens.insert(token.collect(), entry[0]);
            }
        }
        marking
    }

    fn of_state(net: &Net, state: &State) -> Self {
        let mut tokens = BTreeMap::new();
        for (id, place) in (0..).zip(&net.places) {
            for (values, count) in state.tokens(&place.name) {
                let mut token = vec![id];
                for text in values.iter().map(Value::to_string) {
                    // Names may hold any character, so none ends them.
                    token.push(text.len() as u32);
                    token.extend(text.bytes().map(u32::from));
                }
                tokens.insert(token, count);
            }
        }
        Marking { frame: Vec::new(), tokens }
    }

    fn of_symbolic(space: &mut SymbolicSpace, bytes: &[u8]) -> Self {
        let symbolic = space.decode(bytes);
        let frame = symbolic.dynamic_subclasses().flat_map(|(of, size)| [of, size]).collect();
        let mut tokens = BTreeMap::new();
        for place in space.changing_places() {
            space.for_each_entry(&symbolic, place, |count, components| {
                let mut token = vec![place.0];
                for component in components {
                    match *component {
                        Component::Element(element) => token.push(element),
                        Component::Some { of, nth } => token.extend([of, nth]),
                    }
                }
                tokens.insert(token, count);
            });
        }
        Marking { frame, tokens }
    }

    /// Whether there are nowhere fewer tokens of any kind than in `other`.
    fn covers(&self, other: &Marking) -> bool {
        let at_least = |(token, count): (&Vec<u32>, &u32)| {
            self.tokens.get(token).is_some_and(|here| here >= count)
        };
        self.frame == other.frame
            && self.tokens.len() >= other.tokens.len()
            && other.tokens.iter().all(at_least)
    }
}

/// Whether covering proves anything of a net.
pub(super) fn can_be_proved(net: &Net) -> bool {
    !net.has_pids()
        && !net.has_objects()
        && net.transitions.iter().all(|transition| transition.inhibitors.is_empty())
}

/// A path whose last state strictly covers an earlier one.
pub(super) struct Covering {
    /// A place in which there are more tokens.
    pub(super) place: PlaceId,
    /// From the initial state: the label of each step, and the state it leads to.
    pub(super) path: Vec<(u32, Vec<u8>)>,
    /// The earlier state, by the number of steps before it.
    pub(super) from: usize,
}

/// Looks for a covering on the paths to the states with the most tokens, within a budget.
pub(super) fn covering(
    so_far: &Exploration,
    observer: &mut dyn Observer,
    budget: &Budget,
) -> Option<Covering> {
    let states = so_far.store.len();
    let half = states / 2;
    let mut most: Vec<(u64, StateId)> = Vec::new();
    let mut before: Vec<u64> = Vec::new();
    let mut counts = Vec::new();
    for (range, later) in [(0..half, false), (half..states, true)] {
        let step = (range.len() as u32 / SAMPLES).max(1);
        for id in range.step_by(step as usize).map(StateId) {
            budget.check().ok()?;
            observer.count_tokens_in_places(so_far.store.get(id), &mut counts);
            counts.push(counts.iter().fold(0, |sum: u64, &more| sum.saturating_add(more)));
            for (i, &tokens) in counts.iter().enumerate() {
                if !later {
                    before.resize(before.len().max(i + 1), 0);
                    before[i] = before[i].max(tokens);
                } else {
                    most.resize(most.len().max(i + 1), (0, id));
                    if tokens > most[i].0 {
                        most[i] = (tokens, id);
                    }
                }
            }
        }
    }
    // Where nothing has become more than it was in the first half, nothing grows.
    let rising = most.into_iter().zip(before).filter(|((after, _), before)| after > before);
    let mut candidates: Vec<StateId> = rising.map(|((_, id), _)| id).collect();
    candidates.sort_unstable();
    candidates.dedup();
    let candidates = candidates.into_iter().rev().take(CANDIDATES);
    candidates.into_iter().find_map(|id| covering_on_path_to(so_far, id, observer, budget))
}

fn covering_on_path_to(
    so_far: &Exploration,
    id: StateId,
    observer: &mut dyn Observer,
    budget: &Budget,
) -> Option<Covering> {
    // The path begins in the only initial state.
    let path: Vec<(u32, StateId)> =
        std::iter::once((0, StateId(0))).chain(so_far.path_to(id)).collect();
    let mut trail = Trail::default();
    let skipped = path.len().saturating_sub(trail.longest(so_far.store.get(id), observer));
    let mut looked_at = path[skipped..].iter().take_while(|_| !budget.is_exhausted());
    let mut covering =
        looked_at.find_map(|&(label, id)| trail.push(label, so_far.store.get(id), observer))?;
    if skipped > 0 {
        // The trail begins with the last state that was skipped.
        let before = path[1..=skipped].iter();
        let before = before.map(|&(label, id)| (label, so_far.store.get(id).to_vec()));
        covering.path = before.chain(covering.path).collect();
        covering.from += skipped;
    }
    Some(covering)
}

#[cfg(test)]
mod tests {
    use net::{Net, Place, PlaceKind};
    use state::{State, Value};

    use super::Marking;

    #[test]
    fn tokens_with_commas_in_their_names_are_told_apart() {
        let place = Place::new("p", PlaceKind::Ordinary, Vec::new());
        let net = Net { places: vec![place], ..Net::default() };
        let marking = |first: &str, second: &str| {
            let mut state = State::new();
            let fits = state.put(
                &"p".into(),
                vec![Value::Enum(first.into()), Value::Enum(second.into())],
                1,
            );
            assert!(fits);
            Marking::of_state(&net, &state)
        };
        assert!(marking("a,b", "c").covers(&marking("a,b", "c")));
        assert!(!marking("a,b", "c").covers(&marking("a", "b,c")));
    }
}
