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
//! Where the graph has forgotten choices ([`Graph::is_forgotten_choice`]), a formula holds *for certain* in some states and
//! *possibly* in more. That something is possible counts for certain only if it is so whichever outcome is the real one:
//! a forgotten choice is then an AND-node of EX, EU and EG (Godefroid, Huth and Jagadeesan 2001). Negation exchanges
//! the two: φ is false for certain where it does not possibly hold.
//!
//! Cost: linear in the steps for each operator, and one bit for each state and part; with forgotten choices twice that, and
//! the square of their numbers of outcomes. The steps are kept backwards.

use std::collections::HashMap;

use budget::{Budget, Exhausted};

use crate::bits::Bits;
use crate::ctl::Ctl;
use crate::graph::Graph;
use crate::reverse::Reverse;

mod evidence;

pub use evidence::Evidence;

/// How sure it is that a formula holds, where the graph has forgotten choices. Elsewhere both are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It holds whichever outcomes are real.
    Must,
    /// It may hold.
    May,
}

impl std::ops::Not for Certainty {
    type Output = Certainty;

    fn not(self) -> Certainty {
        match self {
            Certainty::Must => Certainty::May,
            Certainty::May => Certainty::Must,
        }
    }
}

/// A graph of which formulas of branching time are asked. What is found of one is kept for the next.
pub struct Branching<'g, G> {
    graph: &'g G,
    atoms: &'g [Bits],
    reverse: Reverse,
    /// The states that nothing follows.
    last: Bits,
    /// The states that are forgotten choices.
    forgotten: Bits,
    /// Where formulas hold that have been decided, and how sure that is.
    holds: [HashMap<Ctl, Bits>; 2],
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
        let forgotten = Bits::where_true(states, |state| graph.is_forgotten_choice(state));
        Ok(Self { graph, atoms, reverse, last, forgotten, holds: Default::default() })
    }

    /// The states where a formula must hold, or may.
    ///
    /// # Errors
    ///
    /// If the budget is used up.
    ///
    /// # Panics
    ///
    /// If the formula speaks of an atom that was not given.
    pub fn satisfying(
        &mut self,
        formula: &Ctl,
        certainty: Certainty,
        budget: &Budget,
    ) -> Result<&Bits, Exhausted> {
        self.decide(formula, certainty, budget)?;
        Ok(self.holds(formula, certainty))
    }

    /// Where a formula holds that has been decided.
    fn holds(&self, formula: &Ctl, certainty: Certainty) -> &Bits {
        &self.holds[self.of(certainty)][formula]
    }

    /// Where it is kept what holds: without forgotten choices, once.
    fn of(&self, certainty: Certainty) -> usize {
        usize::from(certainty == Certainty::Must && !self.forgotten.is_empty())
    }

    /// Decides a formula and its parts, as far as they have not been.
    fn decide(
        &mut self,
        formula: &Ctl,
        certainty: Certainty,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        if self.holds[self.of(certainty)].contains_key(formula) {
            return Ok(());
        }
        let inner = if let Ctl::Not(_) = formula { !certainty } else { certainty };
        formula.parts().try_for_each(|part| self.decide(part, inner, budget))?;
        let of = |part: &Ctl| self.holds(part, inner);
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
            Ctl::SomeNext(a) => self.some_next(of(a), certainty, budget)?,
            Ctl::SomeUntil(a, b) => {
                let mut until = of(b).clone();
                let is_way = |set: &Bits, state| {
                    of(a).get(state)
                        && (!self.needs_all(state, certainty) || self.stays_in(set, state))
                };
                self.reverse.spread(&mut until, is_way, budget)?;
                until
            }
            Ctl::SomeGlobally(a) => self.some_globally(of(a), certainty, budget)?,
        };
        let of = self.of(certainty);
        self.holds[of].insert(formula.clone(), holds);
        Ok(())
    }

    /// Whether all outcomes of a state count, since any of them may be the real one.
    fn needs_all(&self, state: u32, certainty: Certainty) -> bool {
        certainty == Certainty::Must && self.forgotten.get(state)
    }

    /// Whether all that follows a state is in a set.
    fn stays_in(&self, set: &Bits, state: u32) -> bool {
        self.graph.successors(state).all(|(_, to)| set.get(to))
    }

    fn some_next(
        &self,
        inner: &Bits,
        certainty: Certainty,
        budget: &Budget,
    ) -> Result<Bits, Exhausted> {
        let mut next = Bits::new(self.graph.states());
        for state in inner.iter() {
            let sources = self.reverse.sources(state);
            budget.check()?;
            let counts = |source: &&u32| {
                !self.needs_all(**source, certainty) || self.stays_in(inner, **source)
            };
            sources.iter().filter(counts).for_each(|&source| next.set(source));
        }
        Ok(next)
    }

    fn some_globally(
        &self,
        inner: &Bits,
        certainty: Certainty,
        budget: &Budget,
    ) -> Result<Bits, Exhausted> {
        let mut stays = inner.clone();
        // How many steps from each state may still leave the set before it has to be taken out.
        let mut steps = vec![0_u32; self.graph.states() as usize];
        for state in inner.iter() {
            let sources = self.reverse.sources(state);
            budget.check()?;
            for &source in sources {
                let all = self.needs_all(source, certainty);
                steps[source as usize] = if all { 1 } else { steps[source as usize] + 1 };
            }
        }
        let leaves = |&state: &u32| {
            let is_out = match self.needs_all(state, certainty) {
                true => !self.stays_in(inner, state),
                false => steps[state as usize] == 0,
            };
            is_out && !self.last.get(state)
        };
        let mut open: Vec<u32> = inner.iter().filter(leaves).collect();
        open.iter().for_each(|&state| stays.clear(state));
        while let Some(state) = open.pop() {
            let sources = self.reverse.sources(state);
            budget.check()?;
            for &source in sources {
                let left = &mut steps[source as usize];
                *left = left.saturating_sub(1);
                if *left == 0 && stays.get(source) {
                    stays.clear(source);
                    open.push(source);
                }
            }
        }
        Ok(stays)
    }
}
