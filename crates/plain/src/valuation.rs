//! What holds in a marking, of which searches for runs and paths ask.
//!
//! That a transition of a coloured net can fire is a condition with an alternative for each of its bindings. Where these
//! are many, it is cheaper to look at what is enabled than at the condition; so the atoms of a formula may be
//! conditions, or whatever else can tell.

use crate::Condition;

/// The atoms of a formula.
pub trait Valuation {
    /// How many there are.
    fn count(&self) -> usize;

    /// Sets the bits of those that hold in a marking, given all that is enabled there.
    fn note(&self, marking: &[i32], enabled: &[u32], truths: &mut [u64]);

    /// The same as conditions, if they are.
    fn conditions(&self) -> Option<&[Condition]>;
}

impl Valuation for Vec<Condition> {
    fn count(&self) -> usize {
        self.len()
    }

    fn note(&self, marking: &[i32], enabled: &[u32], truths: &mut [u64]) {
        for (number, condition) in self.iter().enumerate() {
            let holds = condition.holds(marking, enabled.is_empty());
            truths[number / 64] |= u64::from(holds) << (number % 64);
        }
    }

    fn conditions(&self) -> Option<&[Condition]> {
        Some(self)
    }
}
