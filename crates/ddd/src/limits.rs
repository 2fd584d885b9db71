//! What a forest may use, and when it has to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::{Error, Result};

/// What a [`Forest`](crate::Forest) may use.
#[derive(Clone, Debug)]
pub struct Limits {
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
    /// Steps after which an operation is given up, to within a few thousand. What it had found
    /// out by then is cached, so trying again goes on from there, more or less. Unlike a deadline
    /// this is the same whenever and wherever it is tried.
    pub steps: Option<u64>,
    /// Operations are given up at this time.
    pub deadline: Option<Instant>,
    /// Operations are given up when this is raised.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    /// As much memory as there is, half a gibibyte of cache, 256 MiB of stack, no deadline.
    fn default() -> Self {
        Self {
            memory: usize::MAX,
            cache: 1 << 29,
            collect_at: 1 << 22,
            stack: 1 << 28,
            steps: None,
            deadline: None,
            interrupt: None,
        }
    }
}

impl Limits {
    /// Whether an operation has to stop, other than for want of memory.
    ///
    /// # Errors
    ///
    /// Why it has to.
    pub fn check(&self) -> Result<()> {
        if self.interrupt.as_ref().is_some_and(|raised| raised.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::Deadline);
        }
        Ok(())
    }
}
