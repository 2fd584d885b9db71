//! How far a run has come.
//!
//! Whatever may take long has a budget, and says through it what it does ([`Progress::during`]) and what it knows
//! of its progress ([`Progress::tell`]). All budgets that come from one root say it in the same place, so that who
//! shows progress need not know which engine is at work. Saying costs a lock that hardly ever waits: do it some
//! hundred times a second at most.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a run is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Reads a model.
    Reading,
    /// Goes back to where a kept run was.
    Restoring,
    /// Makes a symmetric net of the model.
    Translating,
    /// Makes a net without colours of the model.
    Unfolding,
    /// Explores states one by one.
    Exploring,
    /// Gathers what several processes have explored.
    Gathering,
    /// Walks at random.
    Walking,
    /// Makes a decision diagram of all states.
    Diagram,
    /// Counts what was explored.
    Counting,
    /// Decides properties on what was explored.
    Deciding,
    /// Looks for the run that shows what was found.
    Showing,
    /// Keeps what was found in a checkpoint.
    Keeping,
    /// Writes results.
    Writing,
}

impl Phase {
    /// Its name, in one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Reading => "reading",
            Phase::Restoring => "restoring",
            Phase::Translating => "translating",
            Phase::Unfolding => "unfolding",
            Phase::Exploring => "exploring",
            Phase::Gathering => "gathering",
            Phase::Walking => "walking",
            Phase::Diagram => "diagram",
            Phase::Counting => "counting",
            Phase::Deciding => "deciding",
            Phase::Showing => "showing",
            Phase::Keeping => "keeping",
            Phase::Writing => "writing",
        }
    }
}

/// What is known of the progress of a run. Engines fill in what they know; the rest stays as it is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Known {
    /// The explorations that were begun. What follows, up to `nodes`, is about the last one, and does not decrease
    /// before the next one begins.
    pub explorations: u32,
    /// The states, or classes of them, that were found.
    pub states: u64,
    /// Those of them that were expanded.
    pub expanded: u64,
    /// The edges that were found.
    pub edges: u64,
    /// The largest depth of a state.
    pub depth: u32,
    /// How many states the last levels have, the deepest last. That one is not complete before the level above it is
    /// expanded.
    pub levels: Vec<u64>,
    /// What grows among the states that were found, in words, the fastest first.
    pub growing: Vec<String>,
    /// The nodes of a decision diagram, which come and go.
    pub nodes: Option<u64>,
    /// The number of elements of the set in a decision diagram, once it is complete: a decimal number, which may be
    /// large.
    pub elements: Option<String>,
    /// The bytes that the run holds on disk.
    pub disk_bytes: Option<u64>,
    /// Where several processes explore: each of them.
    pub processes: Vec<Process>,
}

impl Known {
    /// The number of the last levels that are of interest.
    pub const LEVELS: usize = 8;

    /// The states that were found and not expanded.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.states.saturating_sub(self.expanded)
    }

    /// The bytes that processes have sent to each other.
    #[must_use]
    pub fn bytes_exchanged(&self) -> Option<u64> {
        let sum = self.processes.iter().map(|process| process.bytes_sent).sum();
        (!self.processes.is_empty()).then_some(sum)
    }

    /// How many times as many states the fullest process has as processes have on average; at least 1.
    #[must_use]
    pub fn skew(&self) -> Option<f64> {
        let sum: u64 = self.processes.iter().map(|process| process.states).sum();
        let most = self.processes.iter().map(|process| process.states).max()?;
        let average = sum as f64 / self.processes.len() as f64;
        Some(if sum == 0 { 1.0 } else { most as f64 / average })
    }
}

/// What one of several processes has done.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Process {
    /// The states that it owns.
    pub states: u64,
    /// Those of them that were expanded.
    pub expanded: u64,
    /// The bytes that it has sent to others.
    pub bytes_sent: u64,
    /// The bytes that it has received from others.
    pub bytes_received: u64,
    /// Its resident memory, if it can be measured.
    pub memory_bytes: Option<u64>,
    /// The bytes that it holds on disk.
    pub disk_bytes: Option<u64>,
}

/// Where a run says how far it has come. Clones are the same place.
#[derive(Clone, Default, Debug)]
pub struct Progress {
    told: Arc<Mutex<Told>>,
}

#[derive(Default, Debug)]
struct Told {
    known: Known,
    /// What is under way, the last begun last, each with its number.
    phases: Vec<(u64, Phase)>,
}

impl Progress {
    /// Says that something is under way, until what is returned is dropped. It may be a part of something else, or go
    /// on beside it.
    #[must_use]
    pub fn during(&self, phase: Phase) -> Under {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        self.told().phases.push((number, phase));
        Under { progress: self.clone(), number }
    }

    /// Says what is known now.
    pub fn tell(&self, tell: impl FnOnce(&mut Known)) {
        tell(&mut self.told().known);
    }

    /// Says that an exploration begins, of which nothing is known.
    pub fn begin_exploration(&self) {
        self.tell(|known| {
            *known = Known {
                explorations: known.explorations.saturating_add(1),
                disk_bytes: known.disk_bytes,
                ..Known::default()
            };
        });
    }

    /// What is known now.
    #[must_use]
    pub fn known(&self) -> Known {
        self.told().known.clone()
    }

    /// What is under way: first what was begun first.
    #[must_use]
    pub fn phases(&self) -> Vec<Phase> {
        self.told().phases.iter().map(|(_, phase)| *phase).collect()
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something is under way as long as this lives.
#[derive(Debug)]
pub struct Under {
    progress: Progress,
    number: u64,
}

impl Drop for Under {
    fn drop(&mut self) {
        let number = self.number;
        self.progress.told().phases.retain(|(other, _)| *other != number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Limits};

    #[test]
    fn all_budgets_of_a_run_say_it_in_one_place() {
        let budget = Budget::unlimited();
        let child = budget.child(Limits::default()).grace(std::time::Duration::ZERO);
        let exploring = budget.progress().during(Phase::Exploring);
        let diagram = child.progress().during(Phase::Diagram);
        child.progress().tell(|known| known.nodes = Some(7));
        assert_eq!(budget.progress().phases(), [Phase::Exploring, Phase::Diagram]);
        assert_eq!(budget.progress().known().nodes, Some(7));
        drop(exploring);
        assert_eq!(budget.progress().phases(), [Phase::Diagram]);
        drop(diagram);
        assert!(Budget::unlimited().progress().phases().is_empty());
        assert!(budget.progress().phases().is_empty());
    }

    #[test]
    fn an_exploration_begins_with_nothing_but_what_is_on_disk() {
        let progress = Progress::default();
        progress.tell(|known| (known.states, known.disk_bytes) = (5, Some(9)));
        progress.begin_exploration();
        let known = progress.known();
        assert_eq!((known.explorations, known.states, known.disk_bytes), (1, 0, Some(9)));
    }

    #[test]
    fn skew_is_the_fullest_against_the_average() {
        let mut known = Known::default();
        assert_eq!((known.skew(), known.bytes_exchanged()), (None, None));
        let process = |states, bytes_sent| Process { states, bytes_sent, ..Process::default() };
        known.processes = vec![process(0, 0), process(0, 1)];
        assert_eq!((known.skew(), known.bytes_exchanged()), (Some(1.0), Some(1)));
        known.processes = vec![process(30, 5), process(10, 6)];
        assert_eq!((known.skew(), known.bytes_exchanged()), (Some(1.5), Some(11)));
    }
}
