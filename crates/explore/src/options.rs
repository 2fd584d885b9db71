//! What to explore, and when to stop.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Where a run ends even though there is more to see.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The number of states that may be stored. Without a limit it is [`Store::CAPACITY`].
    ///
    /// [`Store::CAPACITY`]: crate::Store::CAPACITY
    pub states: Option<u64>,
    /// The time a run may take. The clock is looked at every few hundred successors.
    pub time: Option<Duration>,
    /// The bytes that store and search may allocate. Looked at after each expansion, so it may be
    /// passed by one growth of an array (by a quarter of it) and by the successors of one state. On
    /// several threads it is looked at less often, and may be passed by another sixteenth.
    pub memory: Option<u64>,
}

/// How to explore. By default everything, keeping no edges.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Where to end.
    pub limits: Limits,
    /// Whether to keep the edges, for [`Exploration::quotient`](crate::Exploration::quotient).
    pub keep_edges: bool,
    /// Stop after the first expansion in which a step with this label is fired.
    pub until_label: Option<u32>,
    /// Stop soon after this becomes true, even while a single state is being expanded.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// See [`Store::with_hash_bits`](crate::Store::with_hash_bits); all when not given.
    pub hash_bits: Option<u32>,
    /// Several threads share the work when so many states wait to be expanded; when not given, when
    /// it is expected to pay.
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
        self.limits.states = Some(states);
        self
    }

    /// Takes at most `time`.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Allocates at most about `bytes`; see [`Limits::memory`].
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Ends under these limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
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

    /// Stops soon after `flag` becomes true.
    #[must_use]
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = Some(flag);
        self
    }

    /// Uses only so many bits of the hash. The results are the same, which is what tests want to
    /// show.
    #[must_use]
    pub fn hash_bits(mut self, bits: u32) -> Self {
        self.hash_bits = Some(bits);
        self
    }

    /// Shares the work among threads when so many states wait. The results are the same, which is
    /// what tests want to show.
    #[must_use]
    pub fn share_from(mut self, states: u64) -> Self {
        self.share_from = Some(states);
        self
    }
}
