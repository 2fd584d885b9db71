//! Nets in which a failure is not the end of what is said, but an end of the system.
//!
//! Where something happens that must not happen, an exploration stops: what comes after it means nothing. But what others
//! could have done instead is as true as before. So that it can be looked at, a failure becomes a transition that *ends
//! everything*: it leads back to its state, which so has no successor by it, and whoever asks who waits for ever takes
//! everybody there to be ended by it. A run that goes through such a transition is none of the model; shortest ones to
//! states never do.

use crate::{Fate, Net, Transition};

impl Net {
    /// The net with failures of some kind as transitions that end everything; nothing if it has none.
    #[must_use]
    pub fn ended_by_failures(&self, is_meant: impl Fn(&Transition) -> bool) -> Option<Net> {
        let mut net = self.clone();
        let mut is_changed = false;
        for transition in &mut net.transitions {
            if transition.failure.is_some() && is_meant(transition) && only_looks(transition) {
                transition.failure = None;
                transition.ends_all = true;
                is_changed = true;
            }
        }
        is_changed.then_some(net)
    }

    /// Whether some transition ends everything.
    #[must_use]
    pub fn has_ends_of_all(&self) -> bool {
        self.transitions.iter().any(|transition| transition.ends_all)
    }
}

/// Whether somebody takes part in a transition that would change nothing if it fired.
fn only_looks(transition: &Transition) -> bool {
    let Transition { participants, takes, spawns, news, puts, .. } = transition;
    let mut stay = participants.iter().map(|participant| participant.fate == Fate::Stay);
    !participants.is_empty()
        && stay.all(|stays| stays)
        && takes.is_empty()
        && spawns.is_empty()
        && news.is_empty()
        && puts.is_empty()
}
