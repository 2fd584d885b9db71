//! Automata while they are made: labels are functions of a [`Bdd`], whose first levels are the atoms.

use std::convert::Infallible;

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Cube, Edge, Label};
use crate::bdd::{Bdd, FALSE, Node};
use crate::components::{self, Event};

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arc {
    pub(crate) to: u32,
    /// The acceptance sets it is in, as bits.
    pub(crate) sets: u64,
    pub(crate) label: Node,
}

/// An automaton. The state 0 is the initial one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) states: Vec<Vec<Arc>>,
    /// The number of acceptance sets.
    pub(crate) sets: u32,
}

/// A strongly connected component.
pub(crate) struct Part {
    pub(crate) states: Vec<u32>,
    /// Whether a transition stays in it.
    pub(crate) is_cyclic: bool,
    /// Whether transitions of all acceptance sets do.
    pub(crate) is_accepting: bool,
}

impl Draft {
    pub(crate) fn all_sets(&self) -> u64 {
        u64::MAX.checked_shr(u64::BITS - self.sets).unwrap_or(0)
    }

    /// States and transitions, for comparing.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.states.len(), self.states.iter().map(Vec::len).sum())
    }

    /// The strongly connected components, each after those that are reached from it.
    pub(crate) fn components(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let all = 0..self.states.len() as u32;
        let Ok(()) = components::search(all, |event| -> Result<(), Infallible> {
            match event {
                Event::Expand(state, steps) => {
                    steps.extend(self.states[state as usize].iter().map(|arc| (arc.to, arc.sets)));
                }
                Event::Component(component) => parts.push(Part {
                    states: component.nodes.to_vec(),
                    is_cyclic: component.cyclic,
                    is_accepting: component.is_accepting(self.all_sets()),
                }),
                Event::Connected(..) => {}
            }
            Ok(())
        });
        parts
    }

    /// Makes one transition of those with the same ends and sets.
    pub(crate) fn unite_labels(&mut self, bdd: &mut Bdd) {
        for arcs in &mut self.states {
            let mut places: FxHashMap<(u32, u64), usize> = FxHashMap::default();
            let mut united: Vec<Arc> = Vec::with_capacity(arcs.len());
            for arc in arcs.iter().filter(|arc| arc.label != FALSE) {
                match places.get(&(arc.to, arc.sets)) {
                    Some(&at) => united[at].label = bdd.or(united[at].label, arc.label),
                    None => {
                        places.insert((arc.to, arc.sets), united.len());
                        united.push(*arc);
                    }
                }
            }
            *arcs = united;
        }
    }

    /// Keeps what can be reached from the initial state, in the order in which it is found.
    pub(crate) fn keep_reachable(&mut self) {
        let mut numbers = vec![u32::MAX; self.states.len()];
        let mut order = Vec::new();
        if !self.states.is_empty() {
            numbers[0] = 0;
            order.push(0_usize);
        }
        let mut at = 0;
        while at < order.len() {
            for arc in &self.states[order[at]] {
                if numbers[arc.to as usize] == u32::MAX {
                    numbers[arc.to as usize] = order.len() as u32;
                    order.push(arc.to as usize);
                }
            }
            at += 1;
        }
        let mut states = Vec::with_capacity(order.len());
        for state in order {
            let mut arcs = std::mem::take(&mut self.states[state]);
            arcs.iter_mut().for_each(|arc| arc.to = numbers[arc.to as usize]);
            states.push(arcs);
        }
        self.states = states;
    }

    /// The automaton, given the atom of each level.
    pub(crate) fn finished(mut self, bdd: &mut Bdd, atoms: &[u32]) -> Automaton {
        let mut known: FxHashMap<Node, Label> = FxHashMap::default();
        let mut label = |node: Node| {
            let label = known.entry(node).or_insert_with(|| {
                let cube = |literals: Vec<(u32, bool)>| {
                    let of = |value: bool| {
                        let own = literals.iter().filter(move |literal| literal.1 == value);
                        let mut all: Vec<u32> = own.map(|&(l, _)| atoms[l as usize]).collect();
                        all.sort_unstable();
                        all
                    };
                    Cube { holds: of(true), fails: of(false) }
                };
                let mut cubes: Vec<Cube> = bdd.cubes(node).into_iter().map(cube).collect();
                cubes.sort_unstable();
                Label { cubes }
            });
            label.clone()
        };
        self.states.iter_mut().for_each(|arcs| arcs.sort_unstable());
        let mut edge = |arc: Arc| Edge { to: arc.to, label: label(arc.label), accepting: arc.sets };
        let mut states = Vec::with_capacity(self.states.len());
        for arcs in self.states {
            states.push(arcs.into_iter().map(&mut edge).collect());
        }
        Automaton { states, sets: self.sets }
    }
}
