//! The states of one worker.

use std::ops::Range;

use super::steps::Steps;
use crate::{Exploration, StateId};

/// The states that one worker owns, level by level, and what is known of them.
///
/// It is an [`Exploration`] without tree and edges: numbers of states are those of this portion. Where steps are kept,
/// they are those that lead into its states.
#[derive(Default, Debug)]
pub struct Portion {
    pub(super) found: Exploration,
    /// Where each level ends.
    pub(super) ends: Vec<u32>,
    pub(super) is_restored: bool,
    pub(super) steps: Steps,
}

impl Portion {
    /// What was found: states, counts, and states without successor.
    #[must_use]
    pub fn found(&self) -> &Exploration {
        &self.found
    }

    /// Whether some of the states were found before, by a process that is gone.
    #[must_use]
    pub fn is_restored(&self) -> bool {
        self.is_restored
    }

    /// The states of a level.
    #[must_use]
    pub fn level(&self, depth: u32) -> Range<u32> {
        let end = |at: usize| self.ends.get(at).copied().unwrap_or(self.found.store.len());
        let start = (depth as usize).checked_sub(1).map_or(0, end);
        start..end(depth as usize)
    }

    /// The depth of a state.
    #[must_use]
    pub fn depth_of(&self, id: StateId) -> u32 {
        self.ends.partition_point(|&end| end <= id.0) as u32
    }

    /// The memory held, in bytes, as allocated.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        self.found.store.allocated_bytes()
            + self.found.search_bytes()
            + self.steps.allocated_bytes()
    }
}
