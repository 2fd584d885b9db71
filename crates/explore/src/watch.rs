//! Watching a search.

use crate::Exploration;

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop, and return what is known.
    Interrupt,
}

/// The number of states at the first review.
const FIRST_REVIEW: u32 = 1 << 6;

/// What is called with what was found so far, while a search is under way.
pub(crate) struct Watch<'w> {
    /// Now and then.
    pub(crate) progress: &'w mut dyn FnMut(&Exploration) -> Control,
    /// Each time the number of states has doubled.
    pub(crate) review: &'w mut dyn FnMut(&Exploration) -> Control,
    /// The number of states at the next review.
    pub(crate) due: u32,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(
        progress: &'w mut dyn FnMut(&Exploration) -> Control,
        review: &'w mut dyn FnMut(&Exploration) -> Control,
    ) -> Self {
        Self { progress, review, due: FIRST_REVIEW }
    }
}
