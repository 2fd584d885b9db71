//! Watching a search, and looking into what it has found.

use std::time::Duration;

use crate::tree::Tree;
use crate::{Quotient, StateId, Store};

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop, and return what is known.
    Interrupt,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The states found.
    pub states: u64,
    /// The states expanded.
    pub expanded: u64,
    /// The states found but not expanded.
    pub queue: u64,
    /// The depth of the state that is next to be expanded.
    pub depth: u32,
    /// The distinct (state, label, state).
    pub edges: u64,
    /// The modes fired.
    pub modes: u64,
    /// The memory of the store, in bytes.
    pub store_bytes: u64,
    /// The memory of the search beside the store, in bytes.
    pub search_bytes: u64,
    /// The time since the start.
    pub elapsed: Duration,
}

/// What a search has found so far.
#[derive(Clone, Copy, Debug)]
pub struct SoFar<'s> {
    pub(crate) store: &'s Store,
    pub(crate) tree: &'s Tree,
    pub(crate) expanded: u32,
    pub(crate) quotient: Option<&'s Quotient>,
    pub(crate) deadlocks: &'s [StateId],
    pub(crate) terminated: &'s [StateId],
}

impl<'s> SoFar<'s> {
    /// The states, numbered in the order in which they were found.
    #[must_use]
    pub fn store(&self) -> &'s Store {
        self.store
    }

    /// The number of expanded states: those with numbers below it.
    #[must_use]
    pub fn expanded(&self) -> u32 {
        self.expanded
    }

    /// The edges, if they are kept. States that are not expanded may have no row, or one that lacks edges.
    #[must_use]
    pub fn quotient(&self) -> Option<&'s Quotient> {
        self.quotient
    }

    /// Whether an expanded state has no successor, and something is alive in it.
    #[must_use]
    pub fn is_deadlock(&self, id: StateId) -> bool {
        self.deadlocks.binary_search(&id).is_ok()
    }

    /// Whether an expanded state has no successor, and everything has ended.
    #[must_use]
    pub fn is_terminated(&self, id: StateId) -> bool {
        self.terminated.binary_search(&id).is_ok()
    }

    /// A shortest path to a state: each step's label and the state it leads to.
    #[must_use]
    pub fn path_to(&self, id: StateId) -> Vec<(u32, StateId)> {
        self.tree.path_to(id)
    }
}

/// What is called while a search is under way.
pub(crate) struct Watch<'w> {
    /// Now and then.
    pub(crate) progress: &'w mut dyn FnMut(&Progress) -> Control,
    /// Each time the number of states has doubled.
    pub(crate) review: &'w mut dyn FnMut(&SoFar) -> Control,
    /// The number of states at the next review.
    pub(crate) due: u32,
}

impl<'w> Watch<'w> {
    pub(crate) fn new(
        progress: &'w mut dyn FnMut(&Progress) -> Control,
        review: &'w mut dyn FnMut(&SoFar) -> Control,
    ) -> Self {
        Self { progress, review, due: FIRST_REVIEW }
    }
}

/// The number of states at the first review.
const FIRST_REVIEW: u32 = 1 << 6;
