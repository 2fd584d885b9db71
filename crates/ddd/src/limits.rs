//! What a forest may use.

use budget::Budget;

/// What a [`Forest`](crate::Forest) may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The time and memory that operations may take, and who may end them. Of the memory that is left
    /// when the limits are set, the forest plans to use seven eighths: it collects garbage in time to
    /// stay below that, and a collection needs some bytes itself.
    pub budget: Budget,
    /// Bytes for nodes, their table, the cache and the homomorphisms together. The stack, what
    /// a collection needs while it runs (some bytes for each node at worst), and what
    /// user-defined homomorphisms own themselves, come on top.
    pub memory: usize,
    /// Bytes for the cache of results, at most. It starts small and grows with its use.
    pub cache: usize,
    /// Nodes and homomorphisms from which on garbage is collected. After a collection the next
    /// one waits until what was left has doubled, if that is more. Results that name garbage are
    /// forgotten with it and may have to be computed again, so collecting early costs time. Half
    /// of the memory that is free is never exceeded without a collection. Zero is for tests: it
    /// lets every step of an application collect.
    pub collect_at: usize,
    /// Bytes of stack for the recursion into deep diagrams (see [`Forest`](crate::Forest)).
    pub stack: usize,
    /// Steps after which a single operation is given up, to within a few thousand; the steps of the
    /// budget are for all of them. What it had found out by then is cached, so trying again goes on
    /// from there, more or less.
    pub steps: Option<u64>,
}

impl Default for Limits {
    /// No limit on time and memory, half a gibibyte of cache, 256 MiB of stack.
    fn default() -> Self {
        Self::within(&Budget::unlimited())
    }
}

impl Limits {
    /// The usual limits, within a budget.
    #[must_use]
    pub fn within(budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            memory: usize::MAX,
            cache: 1 << 29,
            collect_at: 1 << 22,
            stack: 1 << 28,
            steps: None,
        }
    }
}
