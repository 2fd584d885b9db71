//! Transitions as homomorphisms.
//!
//! A transition is a chain of guarded shifts, one for each of its places in the order of places.
//! Where it asks that several places together have fewer than some number of tokens, these are added up
//! first, on the way down.
//!
//! The markings in which none of some transitions is enabled are what is left when those that enable one
//! are taken away; if none of all transitions is, they are deadlocks. That is done from below: at a node,
//! first what the transitions further down enable is taken away from its children, and then what begins
//! with the node's own place. So the sets in between are not larger than they have to be, and each
//! transition visits its own places only.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ddd::{Ddd, Forest, Hom, Inductive, Result, Shift, Value, Variable};

use super::PlaceOrder;
use crate::{UnfoldedArc, UnfoldedTransition};

/// The values with which a transition is enabled, by ascending position.
pub(super) fn guards(
    transition: &UnfoldedTransition,
    order: &PlaceOrder,
) -> Vec<(Variable, RangeInclusive<Value>)> {
    let arcs = transition.arcs.iter();
    let mut guards: Vec<_> =
        arcs.map(|arc| (order.position(arc.place), arc.least..=arc.most)).collect();
    guards.sort_unstable_by_key(|(position, _)| *position);
    guards
}

/// The first position of a transition that has any.
pub(super) fn first(transition: &UnfoldedTransition, order: &PlaceOrder) -> Variable {
    let sums = transition.sums.iter().flat_map(|(places, _)| places);
    let places = transition.arcs.iter().map(|arc| &arc.place).chain(sums);
    places.map(|place| order.position(*place)).min().unwrap_or(0)
}

/// What a transition makes of the markings in which it is enabled.
pub(super) fn fired(
    forest: &mut Forest,
    transition: &UnfoldedTransition,
    order: &PlaceOrder,
) -> Result<Hom> {
    let few = few(forest, transition, order);
    let fired = chain(forest, transition, order, |arc| (arc.least, arc.most.into(), arc.change))?;
    Ok(forest.compose(&fired, &few))
}

/// The markings in which a transition is enabled.
pub(super) fn enabled(
    forest: &mut Forest,
    transition: &UnfoldedTransition,
    order: &PlaceOrder,
) -> Result<Hom> {
    let few = few(forest, transition, order);
    let enabled = chain(forest, transition, order, |arc| (arc.least, arc.most.into(), 0))?;
    Ok(forest.compose(&enabled, &few))
}

/// The markings in which a transition is enabled and from which it leads to given ones.
pub(super) fn unfired(
    forest: &mut Forest,
    transition: &UnfoldedTransition,
    order: &PlaceOrder,
) -> Result<Hom> {
    let too_many = |arc: &UnfoldedArc| arc.least.checked_add(arc.change).is_none();
    if transition.arcs.iter().any(too_many) {
        return Ok(forest.sum([]));
    }
    let few = few(forest, transition, order);
    let before = chain(forest, transition, order, |arc| {
        let most = i64::from(arc.most) + i64::from(arc.change);
        (arc.least + arc.change, most, -arc.change)
    })?;
    Ok(forest.compose(&few, &before))
}

/// A shift for each arc, given the least and the most tokens, and what is added.
fn chain(
    forest: &mut Forest,
    transition: &UnfoldedTransition,
    order: &PlaceOrder,
    shift: impl Fn(&UnfoldedArc) -> (Value, i64, Value),
) -> Result<Hom> {
    let shifts = transition.arcs.iter().map(|arc| {
        let (least, most, by) = shift(arc);
        let most = Value::try_from(most).unwrap_or(Value::MAX);
        Shift { variable: order.position(arc.place), within: least..=most, by }
    });
    let mut shifts: Vec<Shift> = shifts.collect();
    shifts.sort_unstable_by_key(|shift| shift.variable);
    forest.chain(&shifts)
}

/// The markings in which the places that a transition adds up have few enough tokens.
fn few(forest: &mut Forest, transition: &UnfoldedTransition, order: &PlaceOrder) -> Hom {
    let mut all = forest.identity();
    for (places, less_than) in &transition.sums {
        let mut places: Vec<Variable> = places.iter().map(|p| order.position(*p)).collect();
        places.sort_unstable();
        let few = forest.inductive(Few { places: places.into(), from: 0, left: less_than - 1 });
        all = forest.compose(&all, &few);
    }
    all
}

/// Sequences in which some variables, from one of them on, are together at most `left`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Few {
    places: Arc<[Variable]>,
    from: usize,
    left: Value,
}

impl Inductive for Few {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.one())
    }

    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
        if value > self.left {
            return Ok(forest.sum([]));
        }
        let (from, left) = (self.from + 1, self.left - value);
        let rest = if from == self.places.len() {
            forest.identity()
        } else {
            forest.inductive(Self { places: self.places.clone(), from, left })
        };
        forest.prefix(variable, value, &rest)
    }

    fn skips(&self, variable: Variable) -> bool {
        self.places[self.from] != variable
    }
}

/// The markings in which none of some transitions is enabled, but for those that ask for sums.
pub(super) fn none<'t>(
    forest: &mut Forest,
    transitions: impl Iterator<Item = &'t UnfoldedTransition>,
    order: &PlaceOrder,
) -> Result<Hom> {
    // By the first position; transitions without places are enabled in all markings.
    let mut begun = vec![Vec::new(); order.places().len()];
    for transition in transitions.filter(|t| t.sums.is_empty()) {
        let guards = guards(transition, order);
        match guards.first() {
            Some((first, _)) => begun[*first as usize].push(guards),
            None => return Ok(forest.sum([])),
        }
    }
    let mut none = forest.identity();
    let identity = none.clone();
    for (variable, begun) in begun.iter().enumerate().rev() {
        if none != identity {
            let whatever = Shift { variable: variable as Variable, within: 0..=Value::MAX, by: 0 };
            none = forest.shift(whatever, &none)?;
        }
        for guards in begun {
            let mut rest = forest.sum([]);
            for (variable, within) in guards.iter().rev() {
                let (variable, within) = (*variable, within.clone());
                rest = forest.inductive(Unless { variable, within, rest });
            }
            none = forest.compose(&rest, &none);
        }
    }
    Ok(none)
}

/// Sequences in which a variable is out of bounds; of the others, what `rest` leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Unless {
    variable: Variable,
    within: RangeInclusive<Value>,
    rest: Hom,
}

impl Inductive for Unless {
    fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
        Ok(forest.one())
    }

    fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
        if self.within.contains(&value) {
            forest.prefix(variable, value, &self.rest)
        } else {
            let identity = forest.identity();
            forest.prefix(variable, value, &identity)
        }
    }

    fn skips(&self, variable: Variable) -> bool {
        self.variable != variable
    }
}
