//! Time, memory, interruption and steps: one budget for every phase of a run. And how far the run has come.
//!
//! Whatever may take long is given a [`Budget`] and checks, as often as it likes, whether to go on
//! ([`Budget::check`]: one relaxed load). Clones share everything. A child ([`Budget::child`],
//! [`Budget::within`], [`Budget::share`]) has less: it ends with its parent, but its end does not end
//! the parent. What shows results goes on a little longer ([`Budget::grace`]).
//!
//! ```
//! use budget::{Budget, Exhausted, Limits};
//!
//! fn sum(numbers: &[u64], budget: &Budget) -> Result<u64, Exhausted> {
//!     let mut sum = 0;
//!     for number in numbers {
//!         budget.check()?;
//!         sum += number;
//!     }
//!     Ok(sum)
//! }
//!
//! let budget = Budget::unlimited();
//! assert_eq!(sum(&[1, 2, 3], &budget), Ok(6));
//!
//! let moment = budget.within(std::time::Duration::ZERO);
//! assert_eq!(sum(&[1, 2, 3], &moment), Err(Exhausted::Time));
//! assert_eq!(budget.check(), Ok(()));
//!
//! budget.interrupt();
//! assert_eq!(sum(&[1, 2, 3], &budget), Err(Exhausted::Interrupted));
//! ```
//!
//! # Memory
//!
//! A limit on memory is a limit on the resident memory of the whole process, as it is seen from
//! outside, and on what is counted by [`Account`]s. Where resident memory cannot be measured (now
//! anywhere but on Linux), the accounts are all there is.
//!
//! A thread looks at the clock and at the resident memory every few milliseconds, so a limit may be
//! exceeded by what is allocated in that time. Before a large block is allocated, [`Budget::allows`] or
//! [`Budget::require`] measures at once.
//!
//! # What is where
//!
//! - [`Budget`], [`Limits`], [`Exhausted`]: the budget.
//! - [`Account`]: bytes that a data structure says it holds.
//! - [`Progress`], [`Known`], [`Phase`]: how far the run has come, for whoever shows it.
//! - [`Gauge`]: clock and meter; tests have their own. [`Instant`]: the clock itself, also in a browser.
//! - [`available_memory`]: what the system could give, control groups heeded. Nothing here asks for it
//!   by itself.

mod account;
mod available;
mod clock;
mod gauge;
mod limits;
mod node;
mod progress;
mod watcher;

use std::sync::Arc;
use std::time::Duration;

pub use account::Account;
pub use available::available_memory;
pub use clock::Instant;
pub use gauge::{Gauge, System, Unmeasured, resident_memory};
pub use limits::{Exhausted, Limits};
use node::Node;
pub use progress::{Known, Phase, Process, Progress, Under};

/// What a run may use, and whether it has been used up. Cheap to clone; clones share everything.
#[derive(Clone, Debug)]
pub struct Budget {
    node: Arc<Node>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Budget {
    /// A budget that ends only by [`interrupt`](Self::interrupt).
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(Limits::default())
    }

    /// A budget with these limits. Its time begins now.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { node: Node::root(limits, Arc::new(System), true) }
    }

    /// A budget with these limits whose clock and memory are read off `gauge`, at each question: for
    /// tests, and where no thread is wanted.
    #[must_use]
    pub fn with_gauge(limits: Limits, gauge: impl Gauge + 'static) -> Self {
        Self { node: Node::root(limits, Arc::new(gauge), false) }
    }

    /// A part of this budget, with limits of its own as well. It ends with this one, but its end does
    /// not end this one.
    #[must_use]
    pub fn child(&self, limits: Limits) -> Self {
        Self { node: Node::child(&self.node, limits, Exhausted::Time) }
    }

    /// A child that may take this long from now on.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        self.child(Limits { time: Some(time), ..Limits::default() })
    }

    /// A child that may take this long from now on, where no other time is given: it says so when it ends.
    #[must_use]
    pub fn within_default(&self, time: Duration) -> Self {
        let limits = Limits { time: Some(time), ..Limits::default() };
        Self { node: Node::child(&self.node, limits, Exhausted::DefaultTime) }
    }

    /// A child that may take this number of steps ([`spend`](Self::spend)).
    #[must_use]
    pub fn with_steps(&self, steps: u64) -> Self {
        self.child(Limits { steps: Some(steps), ..Limits::default() })
    }

    /// A child that may use `part` of the memory that is left now, between 0 and 1. Without a limit on
    /// memory it has none either.
    ///
    /// It is for one thing after the other: what anything else takes in the meantime is taken from the
    /// child as well.
    #[must_use]
    pub fn share(&self, part: f64) -> Self {
        let share = |left: u64| self.node.in_use().saturating_add((left as f64 * part) as u64);
        let memory = self.memory_left().map(share);
        self.child(Limits { memory, ..Limits::default() })
    }

    /// A budget of its own that ends this long after it has seen this one end, for the same reason: to show what
    /// was found.
    #[must_use]
    pub fn grace(&self, time: Duration) -> Self {
        Self { node: Node::grace(&self.node, time) }
    }

    /// Whether to go on; to be asked as often as one likes.
    ///
    /// # Errors
    ///
    /// If the budget is used up, with the reason.
    #[inline]
    pub fn check(&self) -> Result<(), Exhausted> {
        match self.exhausted() {
            None => Ok(()),
            Some(reason) => Err(reason),
        }
    }

    /// Why the budget is used up, if it is.
    #[inline]
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.node.exhausted()
    }

    /// Whether the budget is used up.
    #[inline]
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.exhausted().is_some()
    }

    /// Counts steps, where steps are limited; then as [`check`](Self::check).
    ///
    /// # Errors
    ///
    /// If the budget is used up, with the reason.
    pub fn spend(&self, steps: u64) -> Result<(), Exhausted> {
        self.node.spend(steps);
        self.check()
    }

    /// Ends this budget and its children at once. May be called from any thread.
    pub fn interrupt(&self) {
        self.node.end(Exhausted::Interrupted);
    }

    /// Whether this many bytes more would be within the limits. Measures memory now, so it takes a few
    /// microseconds: to be asked before a large allocation that one could do without.
    #[must_use]
    pub fn allows(&self, bytes: u64) -> bool {
        self.memory_left().is_none_or(|left| bytes <= left)
    }

    /// Like [`allows`](Self::allows), for an allocation that one cannot do without: if it does not fit,
    /// the budget is used up.
    ///
    /// # Errors
    ///
    /// If the budget is used up, with the reason.
    pub fn require(&self, bytes: u64) -> Result<(), Exhausted> {
        self.node.require(bytes);
        self.check()
    }

    /// The bytes that may still be taken, measured now. `None` without a limit on memory.
    #[must_use]
    pub fn memory_left(&self) -> Option<u64> {
        self.node.memory_left()
    }

    /// The most bytes that may be in use at once, if that is limited.
    #[must_use]
    pub fn memory_limit(&self) -> Option<u64> {
        self.node.chain().filter_map(|node| node.memory).min()
    }

    /// The time at which the budget ends, if there is one.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.node.chain().filter_map(|node| node.deadline).min()
    }

    /// Why the budget ends when its time is up, if that is limited.
    #[must_use]
    pub fn ends_by_time(&self) -> Option<Exhausted> {
        let limited = self.node.chain().filter_map(|node| Some((node.deadline?, node.of_time)));
        limited.min_by_key(|(deadline, _)| *deadline).map(|(_, why)| why)
    }

    /// The time that is left, if it is limited.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let now = self.node.gauge.now();
        self.deadline().map(|deadline| deadline.saturating_duration_since(now))
    }

    /// Where the run says how far it has come: one place for all budgets that come from the same one.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.node.progress
    }

    /// An empty account of bytes that count into the limit on memory.
    #[must_use]
    pub fn account(&self) -> Account {
        Account::new(Arc::clone(&self.node))
    }
}

#[cfg(test)]
mod tests;
