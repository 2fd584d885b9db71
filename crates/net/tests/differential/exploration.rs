//! The concrete states of a net, by the plain interpreter.

use std::collections::HashMap;

use net::interpret::{fire, initial, modes};
use net::{Fault, Net, TransitionId};
use state::State;

/// What has been seen of the full graph, breadth first.
pub struct Explored {
    /// The states, in the order of discovery.
    pub states: Vec<State>,
    /// The number of steps it takes to each.
    pub depth: Vec<u32>,
    /// What follows each of the first states: transition and state, once for each mode.
    pub steps: Vec<Result<Vec<(u32, usize)>, Fault>>,
}

impl Explored {
    /// Whether every reachable state is there and expanded.
    pub fn is_complete(&self) -> bool {
        self.steps.len() == self.states.len()
    }

    /// All states up to this depth have been found.
    pub fn full_depth(&self) -> u32 {
        // What is not expanded yet may have successors one step further.
        self.depth.get(self.steps.len()).copied().unwrap_or(u32::MAX)
    }
}

/// The successors of a state.
pub fn successors(net: &Net, state: &State) -> Result<Vec<(u32, State)>, Fault> {
    let mut found = Vec::new();
    for transition in 0..net.transitions.len() as u32 {
        for mode in modes(net, state, TransitionId(transition))? {
            found.push((transition, fire(net, state, &mode)?.state));
        }
    }
    Ok(found)
}

/// How far to explore: to a depth, further while there are few states, not so far when there are too
/// many, or one is too large.
pub struct Bounds {
    pub depth: u32,
    pub few: usize,
    pub most: usize,
    pub pids: usize,
    pub tokens: u32,
}

impl Bounds {
    fn exceeds(&self, state: &State) -> bool {
        let tokens = state.marked().flat_map(|place| state.tokens(place));
        state.pids().len() > self.pids || tokens.map(|(_, count)| count).sum::<u32>() > self.tokens
    }
}

/// Explores breadth first, up to the first state that is out of bounds.
pub fn explored(net: &Net, bounds: &Bounds) -> Explored {
    let start = initial(net);
    let mut index = HashMap::from([(start.clone(), 0)]);
    let mut found = Explored { states: vec![start], depth: vec![0], steps: Vec::new() };
    while let Some(state) = found.states.get(found.steps.len()) {
        let (at, seen) = (found.depth[found.steps.len()], found.states.len());
        let enough = at >= bounds.depth && seen >= bounds.few;
        if enough || seen >= bounds.most || bounds.exceeds(state) {
            break;
        }
        let next = successors(net, &state.clone()).map(|next| {
            let place = |(transition, state): (u32, State)| {
                let target = *index.entry(state).or_insert_with_key(|state| {
                    found.states.push(state.clone());
                    found.depth.push(at + 1);
                    found.states.len() - 1
                });
                (transition, target)
            };
            next.into_iter().map(place).collect()
        });
        found.steps.push(next);
    }
    found
}
