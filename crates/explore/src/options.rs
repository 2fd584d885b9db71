//! What to explore, and when to stop.

use budget::Budget;

/// How to explore. By default everything, keeping no edges.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The time and memory the run may take, and who may end it. What store, search and space hold
    /// counts into it.
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
}

impl Options {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stores at most `states` states.
    #[must_use]
    pub fn states(mut self, states: u64) -> Self {
        self.states = Some(states);
        self
    }

    /// Ends when this budget is used up.
    #[must_use]
    pub fn budget(mut self, budget: &Budget) -> Self {
        self.budget = budget.clone();
        self
    }

    /// Keeps the edges, or not.
    #[must_use]
    pub fn keep_edges(mut self, keep: bool) -> Self {
        self.keep_edges = keep;
        self
    }

    /// Stops as soon as a step with this label has been fired.
    #[must_use]
    pub fn until_label(mut self, label: u32) -> Self {
        self.until_label = Some(label);
        self
    }

    /// Uses only this many bits of the hash. The results are the same, which is what tests want to
    /// show.
    #[must_use]
    pub fn hash_bits(mut self, bits: u32) -> Self {
        self.hash_bits = Some(bits);
        self
    }

    /// Shares the work among threads when at least this many states wait. The results are the same,
    /// which is what tests want to show.
    #[must_use]
    pub fn share_from(mut self, states: u64) -> Self {
        self.share_from = Some(states);
        self
    }
}
