//! Random predicates and formulas.

use check::{Automaton, Ctl, Cube, Edge, Formula, Label, Ltl};
use net::TransitionId;
use random::Random;
use symbolic::SymmetricNet;
use unfold::Predicate;

use crate::naive::Graph;

/// Places with factors.
pub fn terms(random: &mut Random, net: &SymmetricNet) -> Vec<(u32, i64)> {
    let term = |random: &mut Random| {
        (random.below(net.places.len()) as u32, *random.pick(&[1, 1, 1, 2, -1, -1, -3]))
    };
    (0..*random.pick(&[0, 1, 1, 1, 2, 2, 3])).map(|_| term(random)).collect()
}

pub fn predicate(
    random: &mut Random,
    net: &SymmetricNet,
    graph: &Graph,
    depth: usize,
) -> Predicate {
    let kinds = if depth == 0 { 7 } else { 13 };
    let parts = |random: &mut Random| {
        (0..*random.pick(&[0, 1, 2, 2, 3]))
            .map(|_| predicate(random, net, graph, depth - 1))
            .collect()
    };
    match random.below(kinds) {
        0 if random.percent(30) => Predicate::True,
        0..=3 => {
            // Near what it is somewhere, so that not all are decided.
            let terms = terms(random, net);
            let sum = graph.sum(random.below(graph.states().len()), &terms);
            Predicate::AtMost { terms, bound: sum + *random.pick(&[-1, 0, 0, 0, 1]) }
        }
        4 | 5 => Predicate::Enabled(TransitionId(random.below(net.transitions.len() + 1) as u32)),
        6 => Predicate::Dead,
        7 | 8 => Predicate::Not(Box::new(predicate(random, net, graph, depth - 1))),
        9 | 10 => Predicate::And(parts(random)),
        _ => Predicate::Or(parts(random)),
    }
}

/// A formula of branching time, over this number of atoms.
pub fn ctl(random: &mut Random, atoms: usize, depth: usize) -> Ctl {
    if depth == 0 || random.percent(10) {
        return if random.percent(8) { Ctl::True } else { Ctl::Atom(random.below(atoms) as u32) };
    }
    let mut part = || ctl(random, atoms, depth - 1);
    let (a, b) = (part(), part());
    match random.below(12) {
        0 => a.not(),
        1 => a.and(b),
        2 => a.or(b),
        3 => a.some_next(),
        4 => a.all_next(),
        5 => a.some_finally(),
        6 => a.all_globally(),
        7 => a.some_globally(),
        8 => a.all_finally(),
        9 | 10 => a.some_until(b),
        _ => a.all_until(b),
    }
}

/// A formula of linear time, over this number of atoms.
pub fn ltl(random: &mut Random, ltl: &mut Ltl, atoms: usize, depth: usize) -> Formula {
    if depth == 0 || random.percent(10) {
        let atom = ltl.atom(random.below(atoms) as u32);
        return if random.percent(30) { ltl.not(atom) } else { atom };
    }
    let a = self::ltl(random, ltl, atoms, depth - 1);
    let b = self::ltl(random, ltl, atoms, depth - 1);
    match random.below(9) {
        0 => ltl.and(a, b),
        1 => ltl.or(a, b),
        2 => ltl.next(a),
        3 | 4 => ltl.eventually(a),
        5 | 6 => ltl.always(a),
        7 => ltl.until(a, b),
        _ => ltl.release(a, b),
    }
}

/// An automaton, over this number of atoms.
pub fn automaton(random: &mut Random, atoms: usize) -> Automaton {
    let (states, sets) = (1 + random.below(4), random.below(4) as u32);
    let cube = |random: &mut Random| {
        let mut cube = Cube::default();
        for atom in 0..atoms as u32 {
            match random.below(6) {
                0 => cube.holds.push(atom),
                1 => cube.fails.push(atom),
                _ => {}
            }
        }
        cube
    };
    let edge = |random: &mut Random| {
        let label = Label { cubes: (0..=random.below(2)).map(|_| cube(random)).collect() };
        let accepting = random.word() & ((1 << sets) - 1) & random.word();
        Edge { to: random.below(states) as u32, label, accepting }
    };
    let edges = |random: &mut Random| (0..random.below(4)).map(|_| edge(random)).collect();
    Automaton { states: (0..states).map(|_| edges(random)).collect(), sets }
}
