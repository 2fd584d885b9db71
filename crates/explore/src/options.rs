//! What to explore, and when to stop.

use budget::Budget;

use crate::Spill;

/// How to explore. By default everything, keeping no edges.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The time and memory the run may take; it can also be interrupted. What store, search and space
    /// hold counts towards it.
    pub budget: Budget,
    /// The number of states that may be stored. Without a limit it is [`Store::CAPACITY`].
    ///
    /// [`Store::CAPACITY`]: crate::Store::CAPACITY
    pub states: Option<u64>,
    /// Whether to keep the edges, for [`Exploration::quotient`](crate::Exploration::quotient).
    pub keep_edges: bool,
    /// Stop after the first expansion in which a step with this label is fired.
    pub until_label: Option<u32>,
    /// See [`Store::with_hash_bits`](crate::Store::with_hash_bits); all when not given.
    pub hash_bits: Option<u32>,
    /// Several threads share the work when at least this many states wait to be expanded; when not
    /// given, when it is expected to pay.
    pub share_from: Option<u64>,
    /// Where to put what memory is too small for. When not given, a search ends when memory does.
    pub spill: Option<Spill>,
}
