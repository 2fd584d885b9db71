//! Watching a search.

use crate::{Exploration, Journal};

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop, and return what is known.
    Interrupt,
}

/// What is called with what was found so far, while a search is under way.
pub(crate) struct Watch<'w> {
    /// Now and then.
    pub(crate) progress: &'w mut dyn FnMut(&Exploration) -> Control,
    /// Each time the number of states has doubled.
    pub(crate) review: &'w mut dyn FnMut(&Exploration) -> Control,
    /// Where what is found is kept.
    pub(crate) journal: Option<&'w mut Journal>,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(
        progress: &'w mut dyn FnMut(&Exploration) -> Control,
        review: &'w mut dyn FnMut(&Exploration) -> Control,
        journal: Option<&'w mut Journal>,
    ) -> Self {
        Self { progress, review, journal }
    }
}
