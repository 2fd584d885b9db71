//! Branching time, on the graph of a program: the states in which a formula holds, by what each operator says. The last
//! state of a path that ends is repeated.

use net::PathOp;

use crate::graph::Graph;
use crate::temporal::Temporal;

/// Whether a formula holds in all first states. `says` tells what is said of the states.
pub fn holds(formula: &Temporal, graph: &Graph, says: &[Vec<bool>]) -> bool {
    let next = graph.states.iter().take(says.len()).enumerate().map(|(number, node)| {
        let next: Vec<usize> = node.edges.iter().map(|(_, to)| *to).collect();
        if next.is_empty() { vec![number] } else { next }
    });
    let space = Space { next: next.collect(), says };
    let truths = space.truths(formula);
    graph.initial.iter().all(|first| truths[*first])
}

struct Space<'s> {
    next: Vec<Vec<usize>>,
    says: &'s [Vec<bool>],
}

impl Space<'_> {
    fn truths(&self, formula: &Temporal) -> Vec<bool> {
        let not = |truths: Vec<bool>| truths.into_iter().map(|truth| !truth).collect::<Vec<_>>();
        let always = || vec![true; self.says.len()];
        match formula {
            Temporal::Atom(index) => self.says.iter().map(|says| says[*index]).collect(),
            Temporal::Not(a) => not(self.truths(a)),
            Temporal::And(a, b) => zip(&self.truths(a), &self.truths(b), |a, b| a && b),
            Temporal::Or(a, b) => zip(&self.truths(a), &self.truths(b), |a, b| a || b),
            Temporal::Path(PathOp::SomeFinally, a) => self.some_until(&always(), self.truths(a)),
            Temporal::Path(PathOp::AllFinally, a) => self.all_until(&always(), self.truths(a)),
            Temporal::Path(PathOp::AllGlobally, a) => {
                not(self.some_until(&always(), not(self.truths(a))))
            }
            Temporal::Path(PathOp::SomeGlobally, a) => {
                not(self.all_until(&always(), not(self.truths(a))))
            }
            Temporal::SomeUntil(a, b) => self.some_until(&self.truths(a), self.truths(b)),
            Temporal::AllUntil(a, b) => self.all_until(&self.truths(a), self.truths(b)),
            other => panic!("{other:?} is not of branching time"),
        }
    }

    fn some_until(&self, first: &[bool], truths: Vec<bool>) -> Vec<bool> {
        self.grown(first, truths, |next, truths| next.iter().any(|to| truths[*to]))
    }

    fn all_until(&self, first: &[bool], truths: Vec<bool>) -> Vec<bool> {
        self.grown(first, truths, |next, truths| next.iter().all(|to| truths[*to]))
    }

    /// Adds states, of those where something holds, until there are no more to add.
    fn grown(
        &self,
        first: &[bool],
        mut truths: Vec<bool>,
        is_added: fn(&[usize], &[bool]) -> bool,
    ) -> Vec<bool> {
        loop {
            let mut is_changed = false;
            for state in (0..truths.len()).rev() {
                if !truths[state] && first[state] && is_added(&self.next[state], &truths) {
                    truths[state] = true;
                    is_changed = true;
                }
            }
            if !is_changed {
                return truths;
            }
        }
    }
}

fn zip(a: &[bool], b: &[bool], op: fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
}
