//! Formulas of branching time, decided by fixpoints.
//!
//! For each part of a formula the set of states where it holds is computed, from the leaves up, each
//! different part once (Clarke, Emerson and Sistla 1986). With paths that are maximal:
//!
//! - EX φ: what leads to φ.
//! - E φ U ψ: the least set with ψ and with all of φ that leads to it; backwards, by a worklist.
//! - EG φ: the greatest set of states of φ from each of which a step stays inside or nothing follows.
//!   States with no step left that stays inside are taken out, and counted off from what leads to them.
//!
//! Cost: linear in the steps for each operator, and one bit for each state and part. The steps are kept
//! backwards.

use std::collections::HashMap;

use budget::{Budget, Exhausted};

use crate::bits::Bits;
use crate::ctl::Ctl;
use crate::graph::Graph;
use crate::reverse::Reverse;

mod evidence;

pub use evidence::Evidence;

/// A graph of which formulas of branching time are asked. What is found of one is kept for the next.
pub struct Branching<'g, G> {
    graph: &'g G,
    atoms: &'g [Bits],
    reverse: Reverse,
    /// The states that nothing follows.
    last: Bits,
    /// Where formulas hold that have been decided.
    holds: HashMap<Ctl, Bits>,
}

impl<'g, G: Graph> Branching<'g, G> {
    /// A graph, and where each atom holds.
    ///
    /// # Errors
    ///
    /// If the budget is used up.
    ///
    /// # Panics
    ///
    /// If the graph is not known completely.
    pub fn new(graph: &'g G, atoms: &'g [Bits], budget: &Budget) -> Result<Self, Exhausted> {
        let states = graph.states();
        assert!((0..states).all(|state| graph.is_expanded(state)), "a graph known in part");
        let steps =
            || (0..states).flat_map(|from| graph.successors(from).map(move |(_, to)| (from, to)));
        let reverse = Reverse::new(states, steps, budget)?;
        let last = Bits::where_true(states, |state| graph.successors(state).next().is_none());
        Ok(Self { graph, atoms, reverse, last, holds: HashMap::new() })
    }

    /// The states where a formula holds.
    ///
    /// # Errors
    ///
    /// If the budget is used up.
    ///
    /// # Panics
    ///
    /// If the formula speaks of an atom that was not given.
    pub fn satisfying(&mut self, formula: &Ctl, budget: &Budget) -> Result<&Bits, Exhausted> {
        self.decide(formula, budget)?;
        Ok(&self.holds[formula])
    }

    /// Decides a formula and its parts, as far as they have not been.
    fn decide(&mut self, formula: &Ctl, budget: &Budget) -> Result<(), Exhausted> {
        if self.holds.contains_key(formula) {
            return Ok(());
        }
        formula.parts().try_for_each(|part| self.decide(part, budget))?;
        let of = |part: &Ctl| &self.holds[part];
        let holds = match formula {
            Ctl::True => Bits::where_true(self.graph.states(), |_| true),
            Ctl::Atom(atom) => self.atoms[*atom as usize].clone(),
            Ctl::Not(a) => {
                let mut not = of(a).clone();
                not.not();
                not
            }
            Ctl::And(a, b) => {
                let mut both = of(a).clone();
                both.and(of(b));
                both
            }
            Ctl::SomeNext(a) => self.some_next(of(a), budget)?,
            Ctl::SomeUntil(a, b) => {
                let mut until = of(b).clone();
                self.reverse.spread(&mut until, |state| of(a).get(state), budget)?;
                until
            }
            Ctl::SomeGlobally(a) => self.some_globally(of(a), budget)?,
        };
        self.holds.insert(formula.clone(), holds);
        Ok(())
    }

    fn some_next(&self, inner: &Bits, budget: &Budget) -> Result<Bits, Exhausted> {
        let mut next = Bits::new(self.graph.states());
        for state in inner.iter() {
            let sources = self.reverse.sources(state);
            budget.check()?;
            sources.iter().for_each(|&source| next.set(source));
        }
        Ok(next)
    }

    fn some_globally(&self, inner: &Bits, budget: &Budget) -> Result<Bits, Exhausted> {
        let mut stays = inner.clone();
        // How many steps from each state stay inside.
        let mut steps = vec![0_u32; self.graph.states() as usize];
        for state in inner.iter() {
            let sources = self.reverse.sources(state);
            budget.check()?;
            sources.iter().for_each(|&source| steps[source as usize] += 1);
        }
        let leaves = |&state: &u32| steps[state as usize] == 0 && !self.last.get(state);
        let mut open: Vec<u32> = inner.iter().filter(leaves).collect();
        open.iter().for_each(|&state| stays.clear(state));
        while let Some(state) = open.pop() {
            let sources = self.reverse.sources(state);
            budget.check()?;
            for &source in sources {
                steps[source as usize] -= 1;
                if steps[source as usize] == 0 && stays.get(source) {
                    stays.clear(source);
                    open.push(source);
                }
            }
        }
        Ok(stays)
    }
}
