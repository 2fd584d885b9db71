//! Watching a search.

use std::time::Duration;

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

/// What is called now and then while a search is under way.
pub(crate) type Watch<'w> = dyn FnMut(&Progress) -> Control + 'w;
