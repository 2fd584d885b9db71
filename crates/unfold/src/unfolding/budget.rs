//! What unfolding may cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
    /// It is given up at this time.
    pub deadline: Option<Instant>,
    /// It is given up when this is raised.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for UnfoldLimits {
    /// A million places, a million transitions, ten million arcs, a thousand million tries.
    fn default() -> Self {
        Self {
            places: 1_000_000,
            transitions: 1_000_000,
            arcs: 10_000_000,
            tries: 1_000_000_000,
            deadline: None,
            interrupt: None,
        }
    }
}

/// What is left of the limits.
pub(super) struct Budget<'l> {
    limits: &'l UnfoldLimits,
    tries: u64,
    arcs: usize,
}

/// Tries after which the time is looked at.
const PERIOD: u64 = 1 << 12;

impl<'l> Budget<'l> {
    pub(super) fn new(limits: &'l UnfoldLimits) -> Self {
        Self { limits, tries: 0, arcs: 0 }
    }

    /// Counts a try.
    #[inline]
    pub(super) fn spend(&mut self) -> Result<(), NotUnfolded> {
        self.tries += 1;
        if self.tries.is_multiple_of(PERIOD) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), NotUnfolded> {
        let UnfoldLimits { tries, deadline, interrupt, .. } = self.limits;
        if self.tries > *tries {
            return Err(NotUnfolded::Tries(*tries));
        }
        if interrupt.as_ref().is_some_and(|raised| raised.load(Ordering::Relaxed)) {
            return Err(NotUnfolded::Interrupted);
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(NotUnfolded::Deadline);
        }
        Ok(())
    }

    /// That there may be so many places.
    pub(super) fn allow_places(&self, count: usize) -> Result<(), NotUnfolded> {
        let most = self.limits.places;
        if count > most { Err(NotUnfolded::Places(most)) } else { Ok(()) }
    }

    /// That there may be so many transitions.
    pub(super) fn allow_transitions(&self, count: usize) -> Result<(), NotUnfolded> {
        let most = self.limits.transitions;
        if count > most { Err(NotUnfolded::Transitions(most)) } else { Ok(()) }
    }

    /// Counts an arc.
    pub(super) fn spend_arc(&mut self) -> Result<(), NotUnfolded> {
        self.spend()?;
        self.arcs += 1;
        let most = self.limits.arcs;
        if self.arcs > most { Err(NotUnfolded::Arcs(most)) } else { Ok(()) }
    }
}
