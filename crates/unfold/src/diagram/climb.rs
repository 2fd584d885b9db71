//! The reachable markings under one order of places, from the last place up.
//!
//! Saturation closes the end of the initial marking under the transitions that have to do with
//! nothing before it, then with one place more, and so on. Here each such stage is asked for by
//! itself: that costs nothing, since a closed set is known to be closed, and it can be seen how far
//! it has got, left for a while, and taken up again.

use budget::Exhausted;
use ddd::{Ddd, Error, Forest, Hom, Limits, Result, Value, Variable};

use super::{PlaceOrder, step};
use crate::UnfoldedNet;

/// The markings of the last places, closed under the transitions among them.
#[derive(Debug)]
pub(super) struct Climb {
    pub(super) order: PlaceOrder,
    pub(super) forest: Forest,
    pub(super) markings: Ddd,
    /// For each place that is still to come, its tokens at first, and the transitions of which it is
    /// the first.
    open: Vec<(Value, Vec<Hom>)>,
    /// All transitions below.
    steps: Hom,
    places: usize,
}

impl Climb {
    pub(super) fn new(net: &UnfoldedNet, order: PlaceOrder, limits: Limits) -> Result<Self> {
        let mut forest = Forest::with_limits(limits);
        let places = order.places().iter();
        let mut open: Vec<(Value, Vec<Hom>)> =
            places.map(|place| (net.places[*place as usize].initial, Vec::new())).collect();
        for transition in net.transitions.iter().filter(|t| t.has_effect()) {
            let first = step::first(transition, &order);
            open[first as usize].1.push(step::fired(&mut forest, transition, &order)?);
        }
        let (markings, steps) = (forest.one(), forest.sum([]));
        let places = open.len();
        Ok(Self { order, forest, markings, open, steps, places })
    }

    /// The part of the places that is still to come.
    pub(super) fn ahead(&self) -> f64 {
        self.open.len() as f64 / self.places.max(1) as f64
    }

    /// Goes on within these limits; whether it has come to an end.
    pub(super) fn go_on(&mut self, limits: Limits) -> Result<bool> {
        self.forest.set_limits(limits);
        while let Some((initial, steps)) = self.open.last() {
            let variable = self.open.len() as Variable - 1;
            let steps = self.forest.sum([&self.steps].into_iter().chain(steps));
            let all = self.forest.star(&steps);
            let start = self.forest.arc(variable, *initial, &self.markings)?;
            match self.forest.apply(&all, &start) {
                Ok(markings) => self.markings = markings,
                Err(Error::Exhausted(Exhausted::Steps)) => return Ok(false),
                Err(error) => return Err(error),
            }
            self.steps = steps;
            self.open.pop();
        }
        Ok(true)
    }
}
