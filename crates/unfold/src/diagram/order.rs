//! The order of places in markings.
//!
//! The size of a diagram depends on it: what is looked at together should lie together, so that
//! transitions span few places, and what many have in common should come last. Orders are made from
//! how the net is written (as it is, and with all places of one element together, where tuples or [`names`]
//! tell them) and by going
//! along its transitions ([`walk`]), and improved ([`force`]).
//!
//! Short spans are not all that matters. Places among which one token moves ([`machines`]) say much of each
//! other, and a diagram that has them together need not remember it for long. So they pull as transitions
//! do, which gives one candidate, and are laid out one after the other, which gives another (compare
//! Amparore, Donatelli, Ciardo, *Variable order metrics for decision diagrams in system verification*, STTT
//! 2020, where place invariants make the best metrics). The best without them is a third, and all
//! places of one element together a fourth. Where there are no machines, the two best by spans and two that are not
//! improved are candidates. Which is best is found by trying ([`race`](super::race)).

use budget::Budget;

use super::{force, machines, names, walk};
use crate::{UnfoldedNet, UnfoldedPlace};

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
        let tuple = |place: &UnfoldedPlace| place.tuple.iter().copied().map(u64::from).collect();
        Self::candidates_by(net, &net.places.iter().map(tuple).collect::<Vec<_>>(), budget)
    }

    /// The same with what the names of the places of the symmetric net say, if none of these has tuples.
    ///
    /// # Panics
    ///
    /// If a place has no name.
    #[must_use]
    pub fn candidates_named(net: &UnfoldedNet, names: &[&str], budget: &Budget) -> Vec<Self> {
        if net.places.iter().any(|place| !place.tuple.is_empty()) {
            return Self::candidates(net, budget);
        }
        let name = |place: &UnfoldedPlace| names[place.place.0 as usize];
        let elements = names::elements(&net.places.iter().map(name).collect::<Vec<_>>());
        Self::candidates_by(net, &elements, budget)
    }

    /// `elements` is the tuple of each place.
    fn candidates_by(net: &UnfoldedNet, elements: &[Vec<u64>], budget: &Budget) -> Vec<Self> {
        let edges = edges(net);
        let as_written: Vec<u32> = (0..net.places.len() as u32).collect();
        let mut by_element = as_written.clone();
        by_element.sort_by_key(|place| elements[*place as usize].first().copied());
        let mut by_last_element = as_written.clone();
        by_last_element.sort_by_key(|place| elements[*place as usize].last().copied());
        let deep = walk::deep(net.places.len(), &edges);
        let tight = walk::tight(net.places.len(), &edges);
        let starts = [&as_written, &by_element, &by_last_element, &deep, &tight];
        let improved = improved(&starts, &edges, budget).into_iter().take(2);
        let machines = machines::machines(net, budget);
        let mut chosen: Vec<Vec<u32>> = Vec::new();
        let found = if machines.is_empty() {
            improved.chain([deep, by_element]).collect::<Vec<_>>()
        } else {
            let both = [&*edges, &*machines].concat();
            let near = self::improved(&starts, &both, budget).swap_remove(0);
            let apart = by_machine(&near, machines);
            [apart, near].into_iter().chain(improved.take(1)).chain([by_element]).collect()
        };
        for order in found {
            let order = force::turned(order, &edges);
            if !chosen.contains(&order) {
                chosen.push(order);
            }
        }
        chosen.into_iter().map(|places| Self::new(places).expect("each place once")).collect()
    }
}

/// Orders improved, the best first.
fn improved(starts: &[&Vec<u32>], edges: &[Vec<u32>], budget: &Budget) -> Vec<Vec<u32>> {
    let improved = starts.iter().map(|start| force::improved((*start).clone(), edges, budget));
    let mut improved: Vec<(Vec<u32>, u64)> = improved.collect();
    improved.sort_by(|(a, x), (b, y)| (x, a).cmp(&(y, b)));
    improved.dedup();
    improved.into_iter().map(|(order, _)| order).collect()
}

/// The machines one after the other, by where their places are on average in a given order; places that are
/// in several come with the first. Within a machine, and for places that are in none, the order is kept.
fn by_machine(order: &[u32], mut machines: Vec<Vec<u32>>) -> Vec<u32> {
    let mut positions = vec![0; order.len()];
    for (place, position) in order.iter().zip(0_u64..) {
        positions[*place as usize] = position;
    }
    let position = |place: &u32| positions[*place as usize];
    // Whole numbers are compared by multiplying with the other one's length.
    let sum = |machine: &[u32]| machine.iter().map(position).sum::<u64>();
    machines.sort_by(|a, b| (sum(a) * b.len() as u64).cmp(&(sum(b) * a.len() as u64)));
    let mut came = vec![false; order.len()];
    let mut by_machine = Vec::with_capacity(order.len());
    for mut machine in machines.into_iter().chain([order.to_vec()]) {
        machine.sort_unstable_by_key(position);
        for place in machine {
            if !std::mem::replace(&mut came[place as usize], true) {
                by_machine.push(place);
            }
        }
    }
    by_machine
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
