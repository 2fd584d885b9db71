//! The order of places in markings.
//!
//! The size of a diagram depends on it: what is looked at together should lie together, so that
//! transitions span few places, and what many have in common should come last. Orders are made from
//! how the net is written (as it is, and with all places of one element together) and by going
//! along its transitions ([`walk`]), and improved ([`force`]). The two that are best by the sum of
//! spans are candidates, and so are two that are not improved: short spans are not all that
//! matters, and where they mislead, these often do well. Which is best is found by trying
//! ([`race`](super::race)).

use budget::Budget;

use super::{force, walk};
use crate::UnfoldedNet;

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

    /// Some orders from the structure of a net, that which looks best first. There are at least
    /// one and at most four. Costs a few hundred visits to all arcs, fewer if the budget is used up.
    #[must_use]
    pub fn candidates(net: &UnfoldedNet, budget: &Budget) -> Vec<Self> {
        let edges = edges(net);
        let as_written: Vec<u32> = (0..net.places.len() as u32).collect();
        let mut by_element = as_written.clone();
        by_element.sort_by_key(|place| net.places[*place as usize].tuple.first().copied());
        let mut by_last_element = as_written.clone();
        by_last_element.sort_by_key(|place| net.places[*place as usize].tuple.last().copied());
        let deep = walk::deep(net.places.len(), &edges);
        let tight = walk::tight(net.places.len(), &edges);
        let starts = [&as_written, &by_element, &by_last_element, &deep, &tight];
        let mut improved: Vec<(Vec<u32>, u64)> =
            starts.map(|start| force::improved(start.clone(), &edges, budget)).into();
        improved.sort_by(|(a, x), (b, y)| (x, a).cmp(&(y, b)));
        improved.dedup();
        let mut chosen: Vec<Vec<u32>> = Vec::new();
        let improved = improved.into_iter().map(|(order, _)| order);
        for order in improved.take(2).chain([deep, by_element]) {
            let order = force::turned(order, &edges);
            if !chosen.contains(&order) {
                chosen.push(order);
            }
        }
        chosen.into_iter().map(|places| Self::new(places).expect("each place once")).collect()
    }
}

/// The places of each transition, in ascending order.
pub(super) fn edges(net: &UnfoldedNet) -> Vec<Vec<u32>> {
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
