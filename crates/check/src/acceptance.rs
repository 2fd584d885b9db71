//! How the runs that stay in a component of an automaton are accepted.
//!
//! Where every cycle of a component takes transitions of all acceptance sets (the component is *weak*), or none does, a
//! search need not tell the sets apart: a cycle is enough. Where moreover the automaton can always stay whatever it reads
//! (the component is *terminal*), it is enough to come there (Bloem, Ravi and Somenzi, *Efficient decision procedures for
//! model checking of linear time logic properties*, CAV 1999).
//!
//! Cost: linear in the transitions for each acceptance set; for staying, the decision diagrams of the labels.

use std::convert::Infallible;

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Edge};
use crate::bdd::{Bdd, FALSE, TRUE};
use crate::components::{self, Event};
use crate::reduce::has_cycle;

/// Which runs are accepted that stay in a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Acceptance {
    /// None.
    Never,
    /// Those that take transitions of all acceptance sets again and again.
    Recurring,
    /// All.
    Staying,
    /// All; and the automaton can stay whatever it reads.
    Always,
}

/// A strongly connected component of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its states.
    pub states: Vec<u32>,
    /// Which runs are accepted that stay in it.
    pub acceptance: Acceptance,
}

impl Automaton {
    /// The strongly connected components of what is reached from some states, each after those that are
    /// reached from it.
    #[must_use]
    pub fn components(&self, from: impl IntoIterator<Item = u32>) -> Vec<Component> {
        let mut found: Vec<(Vec<u32>, bool)> = Vec::new();
        let Ok(()) = components::search(from, |event| -> Result<(), Infallible> {
            match event {
                Event::Expand(state, steps) => {
                    let edges = &self.states[state as usize];
                    steps.extend(edges.iter().map(|edge| (edge.to, edge.accepting)));
                }
                Event::Component(component) => {
                    let is_accepting = component.is_accepting(self.all_sets());
                    found.push((component.nodes.to_vec(), is_accepting));
                }
                Event::Connected(..) => {}
            }
            Ok(())
        });
        let mut numbers = vec![usize::MAX; self.states.len()];
        for (number, (states, _)) in found.iter().enumerate() {
            states.iter().for_each(|&state| numbers[state as usize] = number);
        }
        let component = |(states, is_accepting): (Vec<u32>, bool)| {
            let acceptance = self.acceptance(&states, is_accepting, &numbers);
            Component { states, acceptance }
        };
        found.into_iter().map(component).collect()
    }

    /// For each state that is reached from the initial one the acceptance of its component, which is given by its number.
    pub(crate) fn acceptance_of_states(&self) -> Vec<Option<(usize, Acceptance)>> {
        let mut all = vec![None; self.states.len()];
        let first = (0..self.states.len() as u32).take(1);
        for (number, component) in self.components(first).iter().enumerate() {
            for &state in &component.states {
                all[state as usize] = Some((number, component.acceptance));
            }
        }
        all
    }

    fn acceptance(&self, states: &[u32], is_accepting: bool, numbers: &[usize]) -> Acceptance {
        if !is_accepting {
            return Acceptance::Never;
        }
        let inner = |state: u32| {
            let edges = self.states[state as usize].iter();
            edges.filter(move |edge| numbers[edge.to as usize] == numbers[state as usize])
        };
        let is_needed = |set: u32| {
            let without = |state| {
                let edges = inner(state).filter(move |edge| edge.accepting >> set & 1 == 0);
                edges.map(|edge| edge.to)
            };
            has_cycle(states, without)
        };
        if (0..self.sets).any(is_needed) {
            return Acceptance::Recurring;
        }
        match states.iter().all(|&state| hold_everywhere(inner(state))) {
            true => Acceptance::Always,
            false => Acceptance::Staying,
        }
    }
}

/// Whether one of the labels holds whatever is read.
fn hold_everywhere<'e>(edges: impl Iterator<Item = &'e Edge>) -> bool {
    let mut bdd = Bdd::new();
    let mut levels: FxHashMap<u32, u32> = FxHashMap::default();
    let mut any = FALSE;
    for cube in edges.flat_map(|edge| &edge.label.cubes) {
        let mut all = TRUE;
        for (atoms, value) in [(&cube.holds, true), (&cube.fails, false)] {
            for &atom in atoms {
                let next = levels.len() as u32;
                let literal = bdd.literal(*levels.entry(atom).or_insert(next), value);
                all = bdd.and(all, literal);
            }
        }
        any = bdd.or(any, all);
    }
    any == TRUE
}
