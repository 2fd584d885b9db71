//! Random predicates and formulas.

use symbolic::{Predicate, SymmetricNet};

use crate::naive::Graph;
use crate::random::Random;

/// Places with factors.
pub fn terms(random: &mut Random, net: &SymmetricNet) -> Vec<(u32, i64)> {
    let term = |random: &mut Random| {
        (random.below(net.places.len()) as u32, random.pick(&[1, 1, 1, 2, -1, -1, -3]))
    };
    (0..random.pick(&[0, 1, 1, 1, 2, 2, 3])).map(|_| term(random)).collect()
}

pub fn predicate(
    random: &mut Random,
    net: &SymmetricNet,
    graph: &Graph,
    depth: usize,
) -> Predicate {
    let kinds = if depth == 0 { 7 } else { 13 };
    let parts = |random: &mut Random| {
        (0..random.pick(&[0, 1, 2, 2, 3]))
            .map(|_| predicate(random, net, graph, depth - 1))
            .collect()
    };
    match random.below(kinds) {
        0 if random.percent(30) => Predicate::True,
        0..=3 => {
            // Near what it is somewhere, so that not all are decided.
            let terms = terms(random, net);
            let sum = graph.sum(random.below(graph.states().len()), &terms);
            Predicate::AtMost { terms, bound: sum + random.pick(&[-1, 0, 0, 0, 1]) }
        }
        4 | 5 => Predicate::Enabled(random.below(net.transitions.len()) as u32),
        6 => Predicate::Dead,
        7 | 8 => Predicate::Not(Box::new(predicate(random, net, graph, depth - 1))),
        9 | 10 => Predicate::And(parts(random)),
        _ => Predicate::Or(parts(random)),
    }
}
