//! How far a search of several processes has come.

use std::sync::atomic::{AtomicU64, Ordering};

/// How far a search has come: in all, as of the end of the last level, and this process now.
#[derive(Clone, Default, Debug)]
pub struct Progress {
    /// The number of levels.
    pub levels: u64,
    /// The states found, up to the end of the last level.
    pub states: u64,
    /// Those of them that are not expanded.
    pub frontier: u64,
    /// The edges that were found.
    pub edges: u64,
    /// How many states the last levels have, the deepest last.
    pub last_levels: Vec<u64>,
    /// The bytes sent up to then.
    pub sent: u64,
    /// The states of the worker that has most, as a multiple of the mean.
    pub skew: f64,
    /// Of each process: its share.
    pub shares: Vec<Share>,
    /// What this process has found by now.
    pub states_here: u64,
    /// What this process has expanded by now.
    pub expanded_here: u64,
    /// How long it has taken so far, in seconds.
    pub seconds: f64,
}

/// The share of a process, as of the end of the last level.
#[derive(Clone, Copy, Default, Debug)]
pub struct Share {
    /// The states that it owns.
    pub states: u64,
    /// The bytes that it has sent.
    pub sent: u64,
}

/// What the workers of a process have done by now.
#[derive(Default, Debug)]
pub(super) struct Live {
    pub(super) states: AtomicU64,
    pub(super) expanded: AtomicU64,
}

impl Live {
    /// Adds what a worker has done since the last time; `told` is what it had told then.
    pub(super) fn tell(&self, states: u64, expanded: u64, told: &mut (u64, u64)) {
        self.states.fetch_add(states - told.0, Ordering::Relaxed);
        self.expanded.fetch_add(expanded - told.1, Ordering::Relaxed);
        *told = (states, expanded);
    }
}
