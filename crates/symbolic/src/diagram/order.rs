//! The order of places in markings.
//!
//! The size of a diagram depends on it: places that are seldom looked at together should lie apart,
//! those of one process together, and transitions should span few places. Several orders are made
//! from how the net is written, each is improved ([`force`]), and that which is best by the sum of
//! spans is taken.

use super::force;
use crate::Unfolded;

/// An order of the places of an unfolded net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceOrder {
    places: Vec<u32>,
    positions: Vec<u32>,
}

impl PlaceOrder {
    /// An order as it is given: each place by its index, the first first. `None` if a place is
    /// missing or comes twice.
    #[must_use]
    pub fn new(places: Vec<u32>) -> Option<Self> {
        let mut positions = vec![u32::MAX; places.len()];
        for (place, position) in places.iter().zip(0..) {
            let slot = positions.get_mut(*place as usize)?;
            if std::mem::replace(slot, position) != u32::MAX {
                return None;
            }
        }
        Some(Self { places, positions })
    }

    /// The places in their order.
    #[must_use]
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// Where a place comes.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    #[must_use]
    pub fn position(&self, place: u32) -> u32 {
        self.positions[place as usize]
    }

    /// An order from the structure of a net. Costs a few hundred visits to all arcs.
    #[must_use]
    pub fn of(net: &Unfolded) -> Self {
        let edges = edges(net);
        let candidates = candidates(net, &edges);
        let improved = candidates.into_iter().map(|places| force::improved(places, &edges));
        let best = improved.min_by_key(|(_, cost)| *cost);
        Self::new(best.map_or(Vec::new(), |(places, _)| places)).expect("each place once")
    }
}

/// The places of each transition, in ascending order.
pub(super) fn edges(net: &Unfolded) -> Vec<Vec<u32>> {
    let transitions = net.transitions.iter();
    let places = transitions.map(|transition| {
        let arcs = transition.arcs.iter().map(|arc| arc.place);
        let sums = transition.sums.iter().flat_map(|(places, _)| places.iter().copied());
        let mut places: Vec<u32> = arcs.chain(sums).collect();
        places.sort_unstable();
        places.dedup();
        places
    });
    let mut edges: Vec<Vec<u32>> = places.filter(|places| places.len() > 1).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Orders to begin with.
fn candidates(net: &Unfolded, edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let as_written: Vec<u32> = (0..net.places.len() as u32).collect();
    let mut candidates = vec![as_written.clone()];
    // All places of one element together, by the first and by the last component of tuples.
    let tuple = |place: &u32| &net.places[*place as usize].tuple;
    let mut by_first = as_written.clone();
    by_first.sort_by_key(|place| tuple(place).first().copied());
    let mut by_last = as_written.clone();
    by_last.sort_by_key(|place| tuple(place).last().copied());
    candidates.extend([by_first, by_last, force::walked(net.places.len(), edges)]);
    candidates
}
