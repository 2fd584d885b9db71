//! Steps between reachable markings, forward and backward, and what is reached by them within a set.
//!
//! A step backward undoes a firing; what it leads to may be a marking that is never reached, so that it is
//! only taken within a set of reachable ones ([`Forest::apply_within`](ddd::Forest::apply_within)). Closures
//! are by saturation, and leave out transitions that change nothing.

use ddd::{Ddd, Hom, Result};

use super::{Diagram, step};

/// The steps of a net as homomorphisms.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    forward: Hom,
    backward: Hom,
    forward_closure: Hom,
    backward_closure: Hom,
    /// The markings with a step that leads nowhere else.
    idle: Hom,
}

impl Diagram {
    fn relation(&mut self) -> Result<Relation> {
        if let Some(relation) = &self.relation {
            return Ok(relation.clone());
        }
        let Self { net, order, forest, .. } = self;
        let (mut forward, mut backward, mut idle) = (Vec::new(), Vec::new(), Vec::new());
        for transition in &net.transitions {
            if transition.has_effect() {
                forward.push(step::fired(forest, transition, order)?);
                backward.push(step::unfired(forest, transition, order)?);
            } else {
                idle.push(step::enabled(forest, transition, order)?);
            }
        }
        let (effect, undone, idle) =
            (forest.sum(&forward), forest.sum(&backward), forest.sum(&idle));
        let relation = Relation {
            forward_closure: forest.star(&effect),
            backward_closure: forest.star(&undone),
            forward: forest.sum([&effect, &idle]),
            backward: forest.sum([&undone, &idle]),
            idle,
        };
        self.relation = Some(relation.clone());
        Ok(relation)
    }

    /// The markings of `within` that come next after one of a set.
    pub(super) fn after(&mut self, set: &Ddd, within: &Ddd) -> Result<Ddd> {
        let relation = self.relation()?;
        self.forest.apply_within(&relation.forward, set, within)
    }

    /// The markings of `within` after which one of a set may come next.
    pub(super) fn before(&mut self, set: &Ddd, within: &Ddd) -> Result<Ddd> {
        let relation = self.relation()?;
        self.forest.apply_within(&relation.backward, set, within)
    }

    /// The markings that are reached from those of a set, through markings of `within` alone.
    pub(super) fn reached_from(&mut self, set: &Ddd, within: &Ddd) -> Result<Ddd> {
        let initial = self.initial()?;
        if *within == self.markings && self.forest.intersection(&initial, set)? == initial {
            return Ok(within.clone());
        }
        let relation = self.relation()?;
        self.forest.apply_within(&relation.forward_closure, set, within)
    }

    /// The markings from which one of a set is reached, through markings of `within` alone.
    pub(super) fn leading_to(&mut self, set: &Ddd, within: &Ddd) -> Result<Ddd> {
        let relation = self.relation()?;
        self.forest.apply_within(&relation.backward_closure, set, within)
    }

    /// The markings of a set from which a step leads to themselves, because it changes nothing.
    pub(super) fn idle_of(&mut self, set: &Ddd) -> Result<Ddd> {
        let relation = self.relation()?;
        self.forest.apply(&relation.idle, set)
    }
}
