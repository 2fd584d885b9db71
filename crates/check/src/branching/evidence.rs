//! Why a formula of branching time holds in a state, or does not.
//!
//! What says that some path exists is shown by a path, as short as can be: to the state that comes to
//! satisfy what is sought, and on from there if that is shown by a path too; or to where it is possible
//! to stay for ever, and round. What says that no path exists is shown by nothing. Of two that both
//! have to hold the first that is shown by more than the state itself is shown.

use budget::{Budget, Exhausted};

use super::{Branching, Certainty};
use crate::bits::Bits;
use crate::breadth::shortest;
use crate::components::{self, Event};
use crate::ctl::Ctl;
use crate::graph::Graph;

/// A path that shows why a formula holds in the state where it starts, or why it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Labels and targets of its steps.
    pub path: Vec<(u32, u32)>,
    /// The path ends in the state in which it was after this many steps, and goes round from there for ever.
    /// If none, it ends: nothing follows its last state, or nothing that follows matters.
    pub back: Option<usize>,
}

impl<G: Graph> Branching<'_, G> {
    /// Why a formula must or may hold in a state, or why it does not: of negated formulas it is the same. The path is
    /// empty where there is nothing to show but the state. Cost: linear in the steps for each operator
    /// that is followed.
    ///
    /// # Errors
    ///
    /// If the budget is used up.
    ///
    /// # Panics
    ///
    /// If there is no such state, or if the formula speaks of an atom that was not given.
    pub fn evidence(
        &mut self,
        formula: &Ctl,
        certainty: Certainty,
        state: u32,
        budget: &Budget,
    ) -> Result<Evidence, Exhausted> {
        assert!(state < self.graph.states(), "there is no state {state}");
        self.decide(formula, certainty, budget)?;
        self.explain(formula, certainty, state, budget)
    }

    fn explain(
        &self,
        mut part: &Ctl,
        mut certainty: Certainty,
        mut state: u32,
        budget: &Budget,
    ) -> Result<Evidence, Exhausted> {
        let mut evidence = Evidence::default();
        loop {
            let holds = self.holds(part, certainty).get(state);
            match part {
                Ctl::Not(inner) => (part, certainty) = (inner, !certainty),
                Ctl::And(a, b) => {
                    let differs = |side: &Ctl| self.holds(side, certainty).get(state) != holds;
                    if differs(a) {
                        part = b;
                    } else if differs(b) {
                        part = a;
                    } else if holds {
                        // Both are needed.
                        let first = self.explain(a, certainty, state, budget)?;
                        if first == Evidence::default() {
                            part = b;
                            continue;
                        }
                        evidence.append(first);
                        return Ok(evidence);
                    } else {
                        part = a;
                    }
                }
                Ctl::SomeNext(inner) if holds => {
                    let mut next = self.graph.successors(state);
                    let step = next.find(|&(_, to)| self.holds(inner, certainty).get(to));
                    let (label, to) = step.expect("a next state satisfies it");
                    evidence.path.push((label, to));
                    (part, state) = (inner, to);
                }
                Ctl::SomeUntil(first, second) if holds => {
                    let [goal, way] = [second, first].map(|part| self.holds(part, certainty));
                    let path = self.path(state, way, |_, at| goal.get(at), budget)?;
                    state = path.last().map_or(state, |&(_, to)| to);
                    part = second;
                    evidence.path.extend(path);
                }
                Ctl::SomeGlobally(_) if holds => {
                    let rest = self.stay(state, self.holds(part, certainty), budget)?;
                    evidence.append(rest);
                    return Ok(evidence);
                }
                _ => return Ok(evidence),
            }
        }
    }

    /// A shortest path from a state, along states of `way`, to where `is_end` says so.
    fn path(
        &self,
        from: u32,
        way: &Bits,
        is_end: impl Fn(Option<u32>, u32) -> bool,
        budget: &Budget,
    ) -> Result<Vec<(u32, u32)>, Exhausted> {
        let steps = |state: u32, steps: &mut Vec<(u32, u32)>| {
            if way.get(state) {
                steps.extend(self.graph.successors(state));
            }
            Ok(())
        };
        let path = shortest([from], steps, is_end, budget)?;
        Ok(path.expect("the fixpoint holds the start").1)
    }

    /// A path that stays in a set of states from each of which that is possible: to the nearest state
    /// that nothing follows or that lies on a cycle.
    fn stay(&self, from: u32, set: &Bits, budget: &Budget) -> Result<Evidence, Exhausted> {
        // The states of the set that lie on cycles inside it.
        let mut found = Bits::new(set.bound());
        components::search([from], |event| {
            match event {
                Event::Expand(state, steps) => {
                    let inside = self.graph.successors(state).filter(|&(_, to)| set.get(to));
                    steps.extend(inside.map(|(_, to)| (to, 0)));
                    budget.check()?;
                }
                Event::Component(component) if component.cyclic => {
                    component.nodes.iter().for_each(|&state| found.set(state));
                }
                _ => {}
            }
            Ok(())
        })?;
        let mut path = self.path(
            from,
            set,
            |_, at| set.get(at) && (found.get(at) || self.last.get(at)),
            budget,
        )?;
        let at = path.last().map_or(from, |&(_, to)| to);
        if self.last.get(at) {
            return Ok(Evidence { path, back: None });
        }
        let back = path.len();
        path.extend(self.path(at, set, |step, to| step.is_some() && to == at, budget)?);
        Ok(Evidence { path, back: Some(back) })
    }
}

impl Evidence {
    /// Goes on with another that starts where this ends.
    fn append(&mut self, rest: Evidence) {
        self.back = rest.back.map(|back| self.path.len() + back);
        self.path.extend(rest.path);
    }
}
