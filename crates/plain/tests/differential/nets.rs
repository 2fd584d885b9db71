//! Random nets, conditions and formulas.

use check::{Ctl, Formula, Ltl};
use plain::{Comparison, Condition, PlainArc, PlainNet, PlainTransition};
use random::Random;

use crate::naive::Graph;

/// A net in which tokens mostly move, so that many of its kind are finite and have much to reduce.
pub fn net(random: &mut Random) -> PlainNet {
    let places = 3 + random.below(6_usize);
    let initial = (0..places).map(|_| *random.pick(&[0, 0, 0, 1, 1, 2])).collect();
    let transitions = (0..2 + random.below(7)).map(|_| transition(random, places)).collect();
    PlainNet { initial, transitions }
}

fn transition(random: &mut Random, places: usize) -> PlainTransition {
    let mut arcs: Vec<PlainArc> = Vec::new();
    let mut arc = |random: &mut Random, least: i32, most: i32, change: i32| {
        let place = random.below(places) as u32;
        if arcs.iter().all(|other| other.place != place) {
            arcs.push(PlainArc { place, least, most, change });
        }
    };
    let weight = |random: &mut Random| *random.pick(&[1, 1, 1, 1, 2]);
    for _ in 0..*random.pick(&[0, 1, 1, 1, 1, 2, 2]) {
        let taken = weight(random);
        arc(random, taken, i32::MAX, -taken);
    }
    for _ in 0..*random.pick(&[0, 1, 1, 1, 1, 2]) {
        let put = weight(random);
        arc(random, 0, i32::MAX, put);
    }
    if random.percent(15) {
        arc(random, 1, i32::MAX, 0);
    }
    if random.percent(12) {
        let most = random.below(2);
        let change = *random.pick(&[0, 0, 1]);
        arc(random, 0, most, change);
    }
    let mut sums = Vec::new();
    if random.percent(8) {
        let first = random.below(places - 1) as u32;
        sums.push((vec![first, first + 1], 2 + random.below(2)));
    }
    PlainTransition::new(arcs, sums)
}

/// Places with weights, ascending.
pub fn terms(random: &mut Random, places: usize) -> Vec<(u32, i64)> {
    let mut terms: Vec<(u32, i64)> = (0..1 + random.below(2))
        .map(|_| (random.below(places) as u32, *random.pick(&[1, 1, 1, 2, -1, -1])))
        .collect();
    terms.sort_unstable();
    terms.dedup_by_key(|(place, _)| *place);
    terms
}

/// A condition; `dead` says how many in a hundred comparisons ask for deadlocks instead.
pub fn condition(random: &mut Random, graph: &Graph, depth: usize, dead: u32) -> Condition {
    let part = |random: &mut Random| condition(random, graph, depth - 1, dead);
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0..=3 if random.percent(dead) => Condition::Dead(random.percent(80)),
        0..=3 => {
            // Near what it is somewhere, so that not all are decided.
            let terms = terms(random, graph.markings[0].len());
            let sum = graph.sum(random.below(graph.states().len()), &terms);
            let comparison = Comparison { terms, bound: sum + *random.pick(&[-1, -1, 0, 0, 0, 1]) };
            Condition::AtMost(if random.percent(50) { comparison.opposite() } else { comparison })
        }
        4 | 5 => Condition::all([part(random), part(random)]),
        _ => Condition::any([part(random), part(random)]),
    }
}

/// A formula of branching time, over this number of atoms.
pub fn ctl(random: &mut Random, atoms: usize, depth: usize, next: bool) -> Ctl {
    if depth == 0 || random.percent(10) {
        let atom = Ctl::Atom(random.below(atoms) as u32);
        return if random.percent(30) { atom.not() } else { atom };
    }
    let mut part = || ctl(random, atoms, depth - 1, next);
    let (a, b) = (part(), part());
    match random.below(if next { 11 } else { 9 }) {
        0 => a.and(b),
        1 => a.or(b),
        2 => a.some_finally(),
        3 => a.all_globally(),
        4 => a.some_globally(),
        5 => a.all_finally(),
        6 | 7 => a.some_until(b),
        8 => a.all_until(b),
        9 => a.some_next(),
        _ => a.all_next(),
    }
}

/// A formula of linear time, over this number of atoms.
pub fn ltl(random: &mut Random, ltl: &mut Ltl, atoms: usize, depth: usize, next: bool) -> Formula {
    if depth == 0 || random.percent(10) {
        let atom = ltl.atom(random.below(atoms) as u32);
        return if random.percent(30) { ltl.not(atom) } else { atom };
    }
    let a = self::ltl(random, ltl, atoms, depth - 1, next);
    let b = self::ltl(random, ltl, atoms, depth - 1, next);
    match random.below(if next { 10 } else { 8 }) {
        0 => ltl.and(a, b),
        1 => ltl.or(a, b),
        2 | 3 => ltl.eventually(a),
        4 | 5 => ltl.always(a),
        6 => ltl.until(a, b),
        7 => ltl.release(a, b),
        _ => ltl.next(a),
    }
}
