//! Generalised Büchi automata with acceptance on transitions.
//!
//! A run is accepting when it takes transitions of every acceptance set again and again. A transition
//! has a label, a conjunction of atoms and negated atoms, and can be taken where the label holds.

use std::convert::Infallible;

use crate::components::{self, Event};

/// A conjunction of atoms and of negated atoms, each list ascending. No atom is in both.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The atoms that must hold.
    pub holds: Vec<u32>,
    /// The atoms that must not.
    pub fails: Vec<u32>,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Where it leads.
    pub to: u32,
    /// Where it can be taken.
    pub label: Label,
    /// The acceptance sets it is in, as bits.
    pub accepting: u64,
}

/// An automaton. The state 0 is the initial one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// The transitions from each state.
    pub states: Vec<Vec<Edge>>,
    /// The number of acceptance sets, at most 64.
    pub sets: u32,
}

impl Label {
    /// Whether it holds, given whether atoms do.
    #[must_use]
    pub fn holds_where(&self, atom: impl Fn(u32) -> bool) -> bool {
        self.holds.iter().all(|&a| atom(a)) && self.fails.iter().all(|&a| !atom(a))
    }

    /// That an atom holds, or fails.
    pub(crate) fn of(atom: u32, holds: bool) -> Label {
        let (holds, fails) = if holds { (vec![atom], vec![]) } else { (vec![], vec![atom]) };
        Label { holds, fails }
    }

    /// Both labels, unless they contradict each other.
    pub(crate) fn and(&self, other: &Label) -> Option<Label> {
        let union = |a: &[u32], b: &[u32]| {
            let mut all = [a, b].concat();
            all.sort_unstable();
            all.dedup();
            all
        };
        let holds = union(&self.holds, &other.holds);
        let fails = union(&self.fails, &other.fails);
        let contradicts = holds.iter().any(|atom| fails.binary_search(atom).is_ok());
        (!contradicts).then_some(Label { holds, fails })
    }

    /// Whether it holds wherever the other does.
    pub(crate) fn is_implied_by(&self, other: &Label) -> bool {
        let within = |few: &[u32], many: &[u32]| few.iter().all(|a| many.binary_search(a).is_ok());
        within(&self.holds, &other.holds) && within(&self.fails, &other.fails)
    }
}

impl Automaton {
    /// All acceptance sets, as bits.
    #[must_use]
    pub fn all_sets(&self) -> u64 {
        u64::MAX.checked_shr(u64::BITS - self.sets).unwrap_or(0)
    }

    /// The largest number of an atom that occurs, and one more.
    #[must_use]
    pub fn atoms(&self) -> u32 {
        let labels = self.states.iter().flatten().map(|edge| &edge.label);
        let atoms = labels.flat_map(|label| label.holds.iter().chain(&label.fails));
        atoms.max().map_or(0, |most| most + 1)
    }

    /// The strongly connected components of what is reached from some states, each after those that are
    /// reached from it, with whether transitions of all acceptance sets stay in it.
    #[must_use]
    pub fn components(&self, from: impl IntoIterator<Item = u32>) -> Vec<(Vec<u32>, bool)> {
        let mut found = Vec::new();
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
        found
    }

    /// Makes it smaller without changing which words it accepts: transitions that others make
    /// superfluous, states that do the same, states that lead to no accepting run. Cost: a few times the
    /// square of the transitions from a state, for each round in which something is found.
    pub(crate) fn simplify(&mut self) {
        loop {
            let before = (self.states.len(), self.states.iter().map(Vec::len).sum::<usize>());
            self.drop_superfluous();
            self.merge_alike();
            self.drop_hopeless();
            let after = (self.states.len(), self.states.iter().map(Vec::len).sum::<usize>());
            if after == before {
                return;
            }
        }
    }

    /// Drops transitions that another with the same target and a wider label, in at least the same
    /// sets, makes superfluous.
    fn drop_superfluous(&mut self) {
        let covers = |a: &Edge, b: &Edge| {
            a.to == b.to
                && a.accepting & b.accepting == b.accepting
                && a.label.is_implied_by(&b.label)
        };
        self.states.iter_mut().for_each(|edges| weed(edges, covers));
    }

    /// Makes one state of those with the same transitions.
    fn merge_alike(&mut self) {
        let mut becomes: Vec<u32> = (0..self.states.len() as u32).collect();
        for state in 0..self.states.len() {
            let same = (0..state).find(|&other| self.states[other] == self.states[state]);
            becomes[state] = same.map_or(state as u32, |other| becomes[other]);
        }
        for edge in self.states.iter_mut().flatten() {
            edge.to = becomes[edge.to as usize];
        }
        self.keep_reachable();
    }

    /// Drops transitions to states from which no accepting run goes.
    fn drop_hopeless(&mut self) {
        let mut hopeful = vec![false; self.states.len()];
        let components = self.components(0..self.states.len() as u32);
        let accepting = components.iter().filter(|(_, accepts)| *accepts);
        for state in accepting.flat_map(|(states, _)| states) {
            hopeful[*state as usize] = true;
        }
        loop {
            let mut changed = false;
            for state in 0..self.states.len() {
                let leads_on = self.states[state].iter().any(|edge| hopeful[edge.to as usize]);
                changed |= leads_on && !hopeful[state];
                hopeful[state] |= leads_on;
            }
            if !changed {
                break;
            }
        }
        for edges in &mut self.states {
            edges.retain(|edge| hopeful[edge.to as usize]);
        }
        self.keep_reachable();
    }

    /// Keeps what can be reached from the initial state, in the order in which it is found.
    fn keep_reachable(&mut self) {
        let mut numbers = vec![u32::MAX; self.states.len()];
        let mut order = Vec::new();
        if !self.states.is_empty() {
            numbers[0] = 0;
            order.push(0_usize);
        }
        let mut at = 0;
        while at < order.len() {
            for edge in &self.states[order[at]] {
                if numbers[edge.to as usize] == u32::MAX {
                    numbers[edge.to as usize] = order.len() as u32;
                    order.push(edge.to as usize);
                }
            }
            at += 1;
        }
        let mut states = Vec::with_capacity(order.len());
        for state in order {
            let mut edges = std::mem::take(&mut self.states[state]);
            edges.iter_mut().for_each(|edge| edge.to = numbers[edge.to as usize]);
            edges.sort_unstable();
            states.push(edges);
        }
        self.states = states;
    }
}

/// Sorts, and drops what another covers. Two that cover each other are equal.
pub(crate) fn weed<T: Ord + Clone>(all: &mut Vec<T>, covers: impl Fn(&T, &T) -> bool) {
    all.sort_unstable();
    all.dedup();
    let is_covered = |i: usize| (0..all.len()).any(|j| j != i && covers(&all[j], &all[i]));
    let kept = (0..all.len()).filter(|&i| !is_covered(i));
    *all = kept.map(|i| all[i].clone()).collect();
}
