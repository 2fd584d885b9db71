//! Random states: consistent thread configurations of a given size, share of pids and variety of data.
//!
//! A history of threads that create and end each other is played first; some of the pids it has brought
//! forth are then put into vectors, together with data. So every state is consistent, and pids whose
//! parents or siblings are gone occur as often as others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use random::Random;
use state::{Pid, State, Token, Value};

/// What the states of one cell of the grid have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The number of vectors.
    pub vectors: usize,
    /// How many of a hundred components are pids, on average.
    pub share: usize,
    /// The number of distinct data values.
    pub data: usize,
}

const VECTORS: [usize; 9] = [2, 3, 4, 6, 8, 12, 16, 24, 32];
const SHARES: [usize; 4] = [25, 50, 75, 100];
const DATA: [usize; 4] = [1, 2, 4, 16];

impl Cell {
    /// The cell of the `number`-th random state. Consecutive states run through the whole grid.
    #[must_use]
    pub fn numbered(number: u64) -> Cell {
        let at = (number % Cell::count() as u64) as usize;
        Cell {
            vectors: VECTORS[at % VECTORS.len()],
            share: SHARES[at / VECTORS.len() % SHARES.len()],
            data: DATA[at / (VECTORS.len() * SHARES.len())],
        }
    }

    /// How many cells the grid has.
    #[must_use]
    pub const fn count() -> usize {
        VECTORS.len() * SHARES.len() * DATA.len()
    }
}

/// A state taken apart, to be changed freely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub vectors: Vec<(Arc<str>, Token)>,
    pub eta: BTreeMap<Pid, u32>,
}

impl Draft {
    /// The state, if it is a consistent thread configuration: every active pid stands in a vector, and
    /// no pid comes from the future (Klaudel et al. 2009, §3, conditions i and ii).
    pub fn state(&self) -> Option<State> {
        let mut state = State::new();
        for (place, token) in &self.vectors {
            if !state.put(place, token.clone(), 1) {
                return None;
            }
        }
        let present = state.pids();
        if !self.eta.keys().all(|pid| present.contains(pid)) {
            return None;
        }
        self.eta.iter().for_each(|(pid, &children)| state.activate(pid.clone(), children));
        state.check().is_ok().then_some(state)
    }

    /// Where the components are for which `wanted` holds: vector and position.
    pub fn components(&self, wanted: impl Fn(&Value) -> bool) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (nth, (_, token)) in self.vectors.iter().enumerate() {
            let positions = token.iter().enumerate().filter(|(_, value)| wanted(value));
            found.extend(positions.map(|(position, _)| (nth, position)));
        }
        found
    }

    /// The pids in vectors.
    pub fn pids(&self) -> BTreeSet<Pid> {
        let values = self.vectors.iter().flat_map(|(_, token)| token);
        values.filter_map(Value::as_pid).cloned().collect()
    }
}

/// A random state of a cell.
pub(super) fn random_draft(cell: Cell, random: &mut Random) -> Draft {
    let places: Vec<Arc<str>> =
        ["A", "B", "C", "D"][..1 + random.below(4)].iter().map(|&name| name.into()).collect();
    let mut vectors: Vec<(Arc<str>, Token)> = Vec::new();
    let mut slots = Vec::new();
    for nth in 0..cell.vectors {
        let length = 1 + random.below(3);
        let token = (0..length).map(|_| Value::Int(random.below(cell.data) as i64)).collect();
        vectors.push((random.pick(&places).clone(), token));
        slots.extend((0..length).filter(|_| random.below(100) < cell.share).map(|at| (nth, at)));
    }
    let wanted = if slots.is_empty() { 0 } else { 1 + random.below(slots.len()) };
    let (pids, eta) = history(wanted, random);
    // Every pid once, then any of them.
    random.shuffle(&mut slots);
    for (nth, (vector, position)) in slots.into_iter().enumerate() {
        let pid = pids.get(nth).unwrap_or_else(|| random.pick(&pids));
        vectors[vector].1[position] = Value::Pid(pid.clone());
    }
    Draft { vectors, eta }
}

/// This many pids that threads have had, and the numbers of children of those still active.
fn history(wanted: usize, random: &mut Random) -> (Vec<Pid>, BTreeMap<Pid, u32>) {
    let mut eta: BTreeMap<Pid, u32> =
        (1..=1 + random.below(3) as u32).map(|n| (Pid::initial(n), 0)).collect();
    let mut pids: Vec<Pid> = eta.keys().cloned().collect();
    let mut active = pids.clone();
    let all = wanted + random.below(wanted + 1);
    while pids.len() < all {
        let nth = random.below(active.len());
        let creator = active[nth].clone();
        let children = eta.entry(creator.clone()).or_default();
        *children += 1;
        let child = creator.child(*children);
        eta.insert(child.clone(), 0);
        pids.push(child.clone());
        if random.below(4) == 0 {
            eta.remove(&creator);
            active[nth] = child;
        } else {
            active.push(child);
        }
    }
    random.shuffle(&mut pids);
    pids.truncate(wanted);
    eta.retain(|pid, _| pids.contains(pid));
    (pids, eta)
}
