//! What unfolding may cost.

use ::budget::Budget;

use super::NotUnfolded;

/// How large an unfolded net may be, and how long unfolding may take.
#[derive(Clone, Debug)]
pub struct UnfoldLimits {
    /// Possible tokens.
    pub places: usize,
    /// Possible bindings.
    pub transitions: usize,
    /// Tokens that all possible bindings have to do with.
    pub arcs: usize,
    /// Steps of joins, and tokens looked at.
    pub tries: u64,
    /// The time and memory it may take.
    pub budget: Budget,
}

impl Default for UnfoldLimits {
    /// A million places, a million transitions, ten million arcs, a thousand million tries.
    fn default() -> Self {
        Self {
            places: 1_000_000,
            transitions: 1_000_000,
            arcs: 10_000_000,
            tries: 1_000_000_000,
            budget: Budget::unlimited(),
        }
    }
}

/// What was done so far, and how much it may be.
pub(super) struct Effort<'l> {
    limits: &'l UnfoldLimits,
    tries: u64,
    arcs: usize,
}

impl<'l> Effort<'l> {
    pub(super) fn new(limits: &'l UnfoldLimits) -> Self {
        Self { limits, tries: 0, arcs: 0 }
    }

    /// Counts a try.
    #[inline]
    pub(super) fn spend(&mut self) -> Result<(), NotUnfolded> {
        self.tries += 1;
        if self.tries > self.limits.tries {
            return Err(NotUnfolded::Tries(self.limits.tries));
        }
        Ok(self.limits.budget.check()?)
    }

    /// That there may be this many places.
    pub(super) fn allow_places(&self, count: usize) -> Result<(), NotUnfolded> {
        allow(count, self.limits.places, "places")
    }

    /// That there may be this many transitions.
    pub(super) fn allow_transitions(&self, count: usize) -> Result<(), NotUnfolded> {
        allow(count, self.limits.transitions, "transitions")
    }

    /// Counts an arc.
    pub(super) fn spend_arc(&mut self) -> Result<(), NotUnfolded> {
        self.spend()?;
        self.arcs += 1;
        allow(self.arcs, self.limits.arcs, "arcs")
    }
}

fn allow(count: usize, most: usize, what: &'static str) -> Result<(), NotUnfolded> {
    if count > most { Err(NotUnfolded::TooMany(most, what)) } else { Ok(()) }
}
