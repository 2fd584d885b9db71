//! The breadth-first tree: how each state was first reached, and how far away it is.
//!
//! Cost: 8 bytes per state for predecessor and label (at most a quarter more as allocated), 4 per
//! level. States are numbered level by level, so the depth of a state is found by bisection. The steps can be put on
//! disk.

use std::io;
use std::path::Path;

use crate::disk::Column;
use crate::{StateId, growth};

/// The predecessor of an initial state; no state has this number.
const NONE: StateId = StateId::NONE;

#[derive(Default, Debug)]
pub(crate) struct Tree {
    /// Predecessor and label, per state.
    steps: Column<(StateId, u32)>,
    /// The first state of each level.
    levels: Vec<u32>,
}

impl Tree {
    /// Adds the next state, which is initial. All initial states come first.
    pub(crate) fn push_initial(&mut self) {
        if self.levels.is_empty() {
            self.levels.push(0);
        }
        self.steps.push((NONE, 0));
    }

    /// Adds the next state, first reached from `source`. Sources never decrease.
    pub(crate) fn push(&mut self, source: StateId, label: u32) {
        if self.levels.last().is_some_and(|&first| source.0 >= first) {
            self.levels.push(self.steps.len() as u32);
        }
        self.steps.push((source, label));
    }

    /// Adds the next states, with their sources and labels.
    pub(crate) fn extend(&mut self, steps: &[(StateId, u32)]) {
        let mut at = 0;
        while let Some(&first) = self.levels.last() {
            at += steps[at..].partition_point(|(source, _)| source.0 < first);
            if at == steps.len() {
                break;
            }
            self.levels.push((self.steps.len() + at) as u32);
        }
        self.steps.extend(steps);
    }

    /// The step by which a state was first reached; none for an initial state.
    pub(crate) fn predecessor(&self, id: StateId) -> Option<(StateId, u32)> {
        let (source, label) = self.steps.get(id.index());
        (source != NONE).then_some((source, label))
    }

    /// A shortest path to a state from an initial one: labels, and the states they lead to.
    pub(crate) fn path_to(&self, id: StateId) -> Vec<(u32, StateId)> {
        let mut path = Vec::with_capacity(self.depth(id) as usize);
        let mut at = id;
        while let Some((source, label)) = self.predecessor(at) {
            path.push((label, at));
            at = source;
        }
        path.reverse();
        path
    }

    /// The length of the shortest paths to a state.
    pub(crate) fn depth(&self, id: StateId) -> u32 {
        debug_assert!(id.index() < self.steps.len());
        self.levels.partition_point(|&first| first <= id.0) as u32 - 1
    }

    /// The first state of the level after that of a state, if there is one. Then the level is complete.
    pub(crate) fn level_end(&self, id: StateId) -> Option<u32> {
        self.levels.get(self.levels.partition_point(|&first| first <= id.0)).copied()
    }

    /// The number of levels.
    pub(crate) fn levels(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The number of states in each of the last levels, at most this many, the deepest last.
    pub(crate) fn last_levels(&self, most: usize) -> Vec<u64> {
        let ends = self.levels.iter().skip(1).copied().chain([self.steps.len() as u32]);
        let sizes = self.levels.iter().zip(ends).map(|(first, end)| u64::from(end - first));
        sizes.skip(self.levels.len().saturating_sub(most)).collect()
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        self.steps.allocated_bytes() + growth::allocated(&self.levels)
    }

    /// Puts the steps on disk; in case of an error they stay in memory.
    pub(crate) fn spill(&mut self, directory: &Path, most_mapped: u64) -> io::Result<()> {
        self.steps.spill(directory, most_mapped)
    }

    /// The bytes on disk.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.steps.disk_bytes()
    }
}
