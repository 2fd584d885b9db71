//! Firing sequences, fired again on the unfolded net by the definition: every test of every arc, and then every change.
//! Nothing is shared with those who look for runs, nor with those who map them back.

use unfold::{UnfoldedArc, UnfoldedNet, UnfoldedTransition};

/// An unfolded net and the marking that a run has come to.
#[derive(Clone, Debug)]
pub struct Replay<'n> {
    net: &'n UnfoldedNet,
    marking: Vec<i32>,
}

impl<'n> Replay<'n> {
    /// A run that has not begun.
    #[must_use]
    pub fn new(net: &'n UnfoldedNet) -> Self {
        Replay { net, marking: net.places.iter().map(|place| place.initial).collect() }
    }

    /// The tokens in each place.
    #[must_use]
    pub fn marking(&self) -> &[i32] {
        &self.marking
    }

    /// Whether nothing can fire.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        !self.net.transitions.iter().any(|transition| self.can_fire(transition))
    }

    /// Fires a transition, by number; `None` if there is no such, if it cannot fire, or if there are too many tokens to
    /// count.
    #[must_use]
    pub fn fire(&mut self, transition: u32) -> Option<()> {
        let transition = self.net.transitions.get(transition as usize)?;
        if !self.can_fire(transition) {
            return None;
        }
        for UnfoldedArc { place, change, .. } in &transition.arcs {
            let tokens = &mut self.marking[*place as usize];
            *tokens = tokens.checked_add(*change).filter(|tokens| *tokens >= 0)?;
        }
        Some(())
    }

    fn can_fire(&self, transition: &UnfoldedTransition) -> bool {
        let tokens = |place: u32| self.marking[place as usize];
        let allows = |arc: &UnfoldedArc| (arc.least..=arc.most).contains(&tokens(arc.place));
        let is_few = |(places, bound): &(Vec<u32>, i32)| {
            let sum: i64 = places.iter().map(|&place| i64::from(tokens(place))).sum();
            sum < i64::from(*bound)
        };
        transition.arcs.iter().all(allows) && transition.sums.iter().all(is_few)
    }
}
