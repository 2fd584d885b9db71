//! Everything that is reachable, found by the plain interpreter alone. States are compared pairwise, as the definition
//! of equivalence has it: each one that is equivalent to none before stands for those that are.

use std::collections::{HashSet, VecDeque};

use fold::equivalent;
use net::interpret::{self, fire, modes};
use net::{Net, TransitionId};
use state::{Relations, State};

/// A state, and how far away it is.
pub struct Found {
    pub state: State,
    pub depth: usize,
}

/// Reachable states in the order of depth, one of each class, and which transitions fired. There must be fewer than
/// 2,000.
pub fn states(net: &Net, relations: Relations) -> (Vec<Found>, Vec<bool>) {
    let initial = interpret::initial(net);
    let mut seen = HashSet::from([initial.clone()]);
    let mut found = vec![Found { state: initial, depth: 0 }];
    let mut fired = vec![false; net.transitions.len()];
    let mut queue = VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        let Found { state, depth } = &found[at];
        let (state, depth) = (state.clone(), *depth);
        for id in (0..net.transitions.len() as u32).map(TransitionId) {
            for mode in modes(net, &state, id).expect("no fault") {
                fired[id.index()] = true;
                let next = fire(net, &state, &mode).expect("no fault").state;
                // Without pids, equivalent states are equal.
                let is_alike = |one: &Found| {
                    net.has_pids() && equivalent(&next, &one.state, relations).is_some()
                };
                let is_new = seen.insert(next.clone()) && !found.iter().any(is_alike);
                if is_new {
                    queue.push_back(found.len());
                    found.push(Found { state: next, depth: depth + 1 });
                    assert!(found.len() < 2000, "too many states");
                }
            }
        }
    }
    (found, fired)
}

/// The number of states at each depth.
pub fn depths(states: &[Found]) -> Vec<u64> {
    let deepest = states.iter().map(|found| found.depth).max().unwrap_or(0);
    let mut depths = vec![0; deepest + 1];
    states.iter().for_each(|found| depths[found.depth] += 1);
    depths
}
