//! Steps that are kept with the states they lead to.
//!
//! Who owns a state gets it with the number of its source and the label, from whoever has expanded the source. So both
//! ends of a step are known where it is kept, and nobody has to answer. Cost: 16 bytes a step.

use std::ops::Range;

use crate::growth;

/// A step into a state of a portion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KeptStep {
    /// The worker that owns the source.
    pub(super) worker: u32,
    /// The number of the source there.
    pub(super) source: u32,
    pub(super) label: u32,
    /// The number of the target in this portion.
    pub(super) target: u32,
}

/// The steps into the states of a portion, level by level of their sources. Those out of the first levels may be gone.
#[derive(Default, Debug)]
pub(super) struct Steps {
    all: Vec<KeptStep>,
    /// Where the steps out of each level end, from level `first` on.
    ends: Vec<usize>,
    first: u32,
}

impl Steps {
    #[inline]
    pub(super) fn push(&mut self, step: KeptStep) {
        growth::push(&mut self.all, step);
    }

    /// Notes that all steps out of a level are there.
    pub(super) fn end_level(&mut self) {
        self.ends.push(self.all.len());
    }

    /// Those that will be kept are out of levels from this one on.
    pub(super) fn begin_at(&mut self, level: u32) {
        *self = Steps { first: level, ..Steps::default() };
    }

    /// Whether the steps out of a level are there.
    pub(super) fn has(&self, level: u32) -> bool {
        level >= self.first && ((level - self.first) as usize) < self.ends.len()
    }

    /// The steps out of a level.
    pub(super) fn out_of(&self, level: u32) -> &[KeptStep] {
        let at = (level - self.first) as usize;
        let range: Range<usize> = at.checked_sub(1).map_or(0, |at| self.ends[at])..self.ends[at];
        &self.all[range]
    }

    /// Forgets the steps out of levels before this one.
    pub(super) fn forget_before(&mut self, level: u32) {
        let count = (level.saturating_sub(self.first) as usize).min(self.ends.len());
        if count == 0 {
            return;
        }
        let steps = self.ends[count - 1];
        self.all.drain(..steps);
        self.all.shrink_to(self.all.len() * 2);
        self.ends.drain(..count);
        self.ends.iter_mut().for_each(|end| *end -= steps);
        self.first += count as u32;
    }

    /// The memory held, in bytes, as allocated.
    pub(super) fn allocated_bytes(&self) -> u64 {
        growth::allocated(&self.all)
    }
}
