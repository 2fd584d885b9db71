//! What workers tell each other at the end of a level.

use budget::{Exhausted, Known};
use serde::{Deserialize, Serialize};

use crate::Stop;

/// What a worker tells all others.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(super) struct Report {
    pub(super) states: u64,
    pub(super) expanded: u64,
    /// The states of the new level.
    pub(super) level: u64,
    pub(super) edges: u64,
    pub(super) modes: u64,
    pub(super) deadlocks: u64,
    pub(super) terminated: u64,
    /// The bytes it has sent.
    pub(super) sent: u64,
    /// The bytes that it holds.
    pub(super) held: u64,
    /// Why it has stopped.
    pub(super) stop: Option<u8>,
    pub(super) fault: Option<FaultFound>,
    pub(super) reached: Option<ReachedFound>,
    /// Whether it wants the search to pause.
    pub(super) pause: bool,
}

/// A fault that was found in the last level, in a state nearest to the start.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FaultFound {
    /// The depth of the state.
    pub depth: u32,
    /// The state, [portable](super::portable); nothing if it is in the initial states.
    pub state: Option<Vec<u8>>,
    /// The label of the step that faults, if it is known.
    pub label: Option<u32>,
    /// What is wrong.
    pub what: String,
}

/// A step with the label looked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(super) struct ReachedFound {
    /// The depth of the source.
    pub(super) depth: u32,
    pub(super) label: u32,
    pub(super) source: Vec<u8>,
    pub(super) target: Vec<u8>,
}

/// What all workers together have found, known to all of them.
#[derive(Clone, Default, Debug)]
pub struct Totals {
    /// The states.
    pub states: u64,
    /// The expanded states.
    pub expanded: u64,
    /// The distinct (state, label, state).
    pub edges: u64,
    /// The modes fired.
    pub modes: u64,
    /// The expanded states without successor in which something is alive.
    pub deadlocks: u64,
    /// Those in which everything has ended.
    pub terminated: u64,
    /// The number of states of each level; the last was not expanded, or not all of it.
    pub levels: Vec<u64>,
    /// The bytes sent, between processes and between the workers of one.
    pub sent: u64,
    /// The states of each worker.
    pub portions: Vec<u64>,
    /// The bytes sent by each worker.
    pub sent_by: Vec<u64>,
    /// Whether every reachable state is stored and expanded.
    pub complete: bool,
    /// Why not, if the search is over.
    pub reason: Option<Stop>,
    /// The fault that has ended the search.
    pub fault: Option<FaultFound>,
    /// Where the label looked for was fired.
    pub(super) reached: Option<ReachedFound>,
    /// Whether somebody wants the search to pause.
    pub(super) pause: bool,
    /// Whether somebody has stopped before the end of the last level, or a state of it faults.
    pub(super) is_cut: bool,
}

impl Totals {
    /// The label looked for, if it was fired.
    #[must_use]
    pub fn label_reached(&self) -> Option<u32> {
        self.reached.as_ref().map(|reached| reached.label)
    }

    /// The largest depth of a state.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.levels.len().saturating_sub(1) as u32
    }

    /// The number of states in each of the last levels that are of interest.
    #[must_use]
    pub fn last_levels(&self) -> Vec<u64> {
        self.levels[self.levels.len().saturating_sub(Known::LEVELS)..].to_vec()
    }

    /// The states of the worker that has most, as a multiple of the mean.
    #[must_use]
    pub fn skew(&self) -> f64 {
        let most = self.portions.iter().max().copied().unwrap_or(0) as f64;
        let mean = self.states as f64 / self.portions.len().max(1) as f64;
        if mean > 0.0 { most / mean } else { 1.0 }
    }

    /// Whether some process has something else to do before the search goes on.
    #[must_use]
    pub fn wants_pause(&self) -> bool {
        self.pause
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.complete || self.reason.is_some() || self.fault.is_some()
    }

    /// What follows from the reports of all workers, after a level or, with the initial states, before the first.
    pub(super) fn take(&mut self, reports: &[Report], most_states: u64) {
        let sum = |of: fn(&Report) -> u64| reports.iter().map(of).sum::<u64>();
        let sum_modes = reports.iter().fold(0, |sum: u64, r| sum.saturating_add(r.modes));
        self.states = sum(|r| r.states);
        self.expanded = sum(|r| r.expanded);
        self.edges = sum(|r| r.edges);
        self.modes = sum_modes;
        self.deadlocks = sum(|r| r.deadlocks);
        self.terminated = sum(|r| r.terminated);
        self.sent = sum(|r| r.sent);
        self.portions = reports.iter().map(|r| r.states).collect();
        self.sent_by = reports.iter().map(|r| r.sent).collect();
        self.fault = reports.iter().filter_map(|r| r.fault.clone()).min();
        self.reached = reports.iter().filter_map(|r| r.reached.clone()).min();
        self.pause = reports.iter().any(|r| r.pause);
        let level = sum(|r| r.level);
        if level > 0 {
            self.levels.push(level);
        }
        let is_done = self.states == self.expanded;
        let stop = reports.iter().filter_map(|r| r.stop).min().map(decoded);
        self.is_cut = stop.is_some() || self.fault.is_some();
        let too_many = (self.states > most_states).then_some(Stop::States);
        let label = self.reached.as_ref().filter(|_| !is_done).map(|_| Stop::Label);
        self.reason = match is_done && self.fault.is_none() {
            // A stop that leaves nothing to do does not count.
            true => too_many,
            false => label.or(stop).or(too_many),
        };
        self.complete = is_done && self.fault.is_none() && self.reason.is_none();
    }
}

/// A reason as a number.
pub(super) fn encoded(stop: Stop) -> u8 {
    match stop {
        Stop::Exhausted(Exhausted::Interrupted) => 1,
        Stop::Exhausted(Exhausted::Memory) => 2,
        Stop::Exhausted(Exhausted::Time) => 3,
        Stop::Exhausted(Exhausted::Steps) => 4,
        Stop::States => 5,
        Stop::Label => 6,
        Stop::Exhausted(Exhausted::DefaultTime) => 7,
    }
}

/// The reason of a number.
pub(super) fn decoded(code: u8) -> Stop {
    match code {
        2 => Stop::Exhausted(Exhausted::Memory),
        3 => Stop::Exhausted(Exhausted::Time),
        4 => Stop::Exhausted(Exhausted::Steps),
        5 => Stop::States,
        6 => Stop::Label,
        7 => Stop::Exhausted(Exhausted::DefaultTime),
        _ => Stop::Exhausted(Exhausted::Interrupted),
    }
}
