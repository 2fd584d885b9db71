//! Mistakes that a reduction might make, planted into automata and formulas.

use std::collections::BTreeSet;

use check::{Automaton, Edge};

use crate::linear::Plain;

/// A mistake in reducing an automaton, and what it is.
type InAutomaton = (&'static str, fn(&mut Automaton));
/// A mistake in rewriting a formula, where there is something to rewrite, and what it is.
type InFormula = (&'static str, fn(&Plain) -> Option<Plain>);

/// Mistakes in reducing automata.
pub const IN_AUTOMATA: [InAutomaton; 5] = [
    ("simulation that does not look at acceptance", merge_without_sets),
    ("transitions dropped for better ones that are in fewer sets", drop_for_the_worst),
    ("acceptance where no run is accepted", accept_all_that_stays),
    ("sets taken for one", one_set),
    ("minimised without colours", merge_by_targets),
];

/// Mistakes in rewriting formulas.
pub const IN_FORMULAS: [InFormula; 4] = [
    ("F (a & b) = F a & F b", eventually_both),
    ("G (a | b) = G a | G b", always_either),
    ("a U b = F b", until_is_eventually),
    ("a R b = G b", release_is_always),
];

/// Makes one state of those that are bisimilar but for the sets of transitions.
fn merge_without_sets(automaton: &mut Automaton) {
    let key = |edge: &Edge, classes: &[usize]| (classes[edge.to as usize], edge.label.clone());
    merge(automaton, |edges, classes| edges.iter().map(|edge| key(edge, classes)).collect());
}

/// Makes one state of those from which the same states are reached.
fn merge_by_targets(automaton: &mut Automaton) {
    merge(automaton, |edges, classes| edges.iter().map(|e| classes[e.to as usize]).collect());
}

fn merge<K: Ord>(automaton: &mut Automaton, keys: impl Fn(&[Edge], &[usize]) -> BTreeSet<K>) {
    let mut classes = vec![0; automaton.states.len()];
    loop {
        let all: Vec<(usize, BTreeSet<K>)> = automaton
            .states
            .iter()
            .zip(&classes)
            .map(|(edges, &class)| (class, keys(edges, &classes)))
            .collect();
        let first = |key| all.iter().position(|other| other == key).expect("it is there itself");
        let refined: Vec<usize> = all.iter().map(first).collect();
        if refined == classes {
            break;
        }
        classes = refined;
    }
    for edge in automaton.states.iter_mut().flatten() {
        edge.to = classes[edge.to as usize] as u32;
    }
}

/// Of the transitions from one state to another only that in fewest sets is kept.
fn drop_for_the_worst(automaton: &mut Automaton) {
    for edges in &mut automaton.states {
        edges.sort_by_key(|edge| edge.accepting.count_ones());
        let mut kept: Vec<Edge> = Vec::new();
        for edge in edges.drain(..) {
            if !kept.iter().any(|other| other.to == edge.to) {
                kept.push(edge);
            }
        }
        *edges = kept;
    }
}

/// Transitions from a state to itself are put into all sets.
fn accept_all_that_stays(automaton: &mut Automaton) {
    let all = automaton.all_sets();
    for (state, edges) in (0..).zip(&mut automaton.states) {
        edges.iter_mut().filter(|edge| edge.to == state).for_each(|edge| edge.accepting = all);
    }
}

/// Only the first set is kept.
fn one_set(automaton: &mut Automaton) {
    automaton.sets = automaton.sets.min(1);
    automaton.states.iter_mut().flatten().for_each(|edge| edge.accepting &= 1);
}

fn eventually_both(plain: &Plain) -> Option<Plain> {
    let eventually = |a: &Plain| Box::new(Plain::Eventually(Box::new(a.clone())));
    match plain {
        Plain::Eventually(inner) => match &**inner {
            Plain::And(a, b) => Some(Plain::And(eventually(a), eventually(b))),
            _ => None,
        },
        _ => None,
    }
}

fn always_either(plain: &Plain) -> Option<Plain> {
    let always = |a: &Plain| Box::new(Plain::Always(Box::new(a.clone())));
    match plain {
        Plain::Always(inner) => match &**inner {
            Plain::Or(a, b) => Some(Plain::Or(always(a), always(b))),
            _ => None,
        },
        _ => None,
    }
}

fn until_is_eventually(plain: &Plain) -> Option<Plain> {
    match plain {
        Plain::Until(_, b) => Some(Plain::Eventually(b.clone())),
        _ => None,
    }
}

fn release_is_always(plain: &Plain) -> Option<Plain> {
    match plain {
        Plain::Release(_, b) => Some(Plain::Always(b.clone())),
        _ => None,
    }
}
