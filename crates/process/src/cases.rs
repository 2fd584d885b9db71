//! How many cases are told apart at once.
//!
//! The paths from a stop, or through what a claim says, are worked out one by one, and each may be split again. So
//! the cases are counted, together for all paths of one statement or claim. Beyond a limit paths are dropped, and that
//! never goes unnoticed: [`Runner::limited`](crate::run::Runner::limited) looks in the end, and refuses the whole.

use std::cell::Cell;

/// Something with more cases than this is refused.
const MOST_CASES: usize = 100_000;
/// And so is something in which more conditions than this are looked at, even if each can go one way only.
const MOST_CONDITIONS: usize = 1_000_000;

/// The cases of a statement or a claim, as far as they are told apart.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    told_apart: Cell<usize>,
    conditions: Cell<usize>,
    /// How many conditions were looked at before.
    before: Cell<usize>,
}

impl Cases {
    /// Begins anew.
    pub(crate) fn clear(&self) {
        self.before.set(self.all_conditions());
        self.told_apart.set(0);
        self.conditions.set(0);
    }

    /// How many conditions were looked at in all.
    pub(crate) fn all_conditions(&self) -> usize {
        self.before.get() + self.conditions.get()
    }

    /// Counts a condition that is looked at. Says `false` if it is one too many.
    pub(crate) fn look(&self) -> bool {
        self.conditions.set(self.conditions.get() + 1);
        self.excess().is_none()
    }

    /// Counts the cases that one becomes. Says `false` if they are too many.
    pub(crate) fn split(&self, into: usize) -> bool {
        let told_apart = self.told_apart.get().saturating_add(into.saturating_sub(1));
        self.told_apart.set(told_apart);
        self.excess().is_none()
    }

    /// What there is too much of.
    pub(crate) fn excess(&self) -> Option<&'static str> {
        if self.told_apart.get() > MOST_CASES {
            return Some("there are more than 100,000 cases to tell apart at once");
        }
        (self.conditions.get() > MOST_CONDITIONS)
            .then_some("there are more than 1,000,000 conditions to look at at once")
    }
}
