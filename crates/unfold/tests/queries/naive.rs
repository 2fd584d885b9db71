//! What predicates and formulas mean, on a graph of markings that is written out.

use std::collections::BTreeSet;

use check::{Automaton, Ctl};
use symbolic::SymmetricNet;
use unfold::Predicate;

use crate::oracle::{self, Unfolded};

/// Markings by number, the first of them initial, with what can be said of them.
pub struct Graph {
    /// Tokens in each place of the symmetric net.
    pub tokens: Vec<Vec<u64>>,
    /// Where each leads.
    pub next: Vec<Vec<usize>>,
    /// The transitions that are enabled in each.
    enabled: Vec<Vec<usize>>,
}

impl Graph {
    pub fn of(net: &SymmetricNet, unfolded: &Unfolded) -> Self {
        let states = unfolded.states.iter();
        let tokens: Vec<Vec<u64>> =
            states.map(|state| oracle::tokens_in_places(net, state)).collect();
        let mut next = vec![Vec::new(); tokens.len()];
        let mut enabled = vec![Vec::new(); tokens.len()];
        for &(source, transition, target) in &unfolded.steps {
            next[source].push(target);
            enabled[source].push(transition);
        }
        Self { tokens, next, enabled }
    }

    pub fn sum(&self, state: usize, terms: &[(u32, i64)]) -> i64 {
        let tokens = |place: u32| self.tokens[state][place as usize] as i64;
        terms.iter().map(|(place, factor)| factor * tokens(*place)).sum()
    }

    pub fn holds(&self, state: usize, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::True => true,
            Predicate::AtMost { terms, bound } => self.sum(state, terms) <= *bound,
            Predicate::Enabled(t) => self.enabled[state].contains(&(t.0 as usize)),
            Predicate::Dead => self.next[state].is_empty(),
            Predicate::Not(inner) => !self.holds(state, inner),
            Predicate::And(parts) => parts.iter().all(|part| self.holds(state, part)),
            Predicate::Or(parts) => parts.iter().any(|part| self.holds(state, part)),
        }
    }

    pub fn states(&self) -> std::ops::Range<usize> {
        0..self.next.len()
    }

    /// Where a formula holds, by the definition of its operators as fixpoints.
    pub fn satisfying(&self, formula: &Ctl, atoms: &[Predicate]) -> Vec<bool> {
        let of = |formula: &Ctl| self.satisfying(formula, atoms);
        let some_next = |set: &[bool], state: usize| self.next[state].iter().any(|&next| set[next]);
        let mut set: Vec<bool> = match formula {
            Ctl::True => vec![true; self.next.len()],
            Ctl::Atom(atom) => {
                self.states().map(|state| self.holds(state, &atoms[*atom as usize])).collect()
            }
            Ctl::Not(a) => of(a).iter().map(|holds| !holds).collect(),
            Ctl::And(a, b) => of(a).iter().zip(of(b)).map(|(a, b)| *a && b).collect(),
            Ctl::SomeNext(a) => {
                let a = of(a);
                self.states().map(|state| some_next(&a, state)).collect()
            }
            Ctl::SomeUntil(_, b) => of(b),
            Ctl::SomeGlobally(a) => of(a),
        };
        let first = if let Ctl::SomeUntil(a, _) = formula { of(a) } else { Vec::new() };
        loop {
            let mut changed = false;
            for state in self.states() {
                let now = match formula {
                    Ctl::SomeUntil(..) => set[state] || first[state] && some_next(&set, state),
                    Ctl::SomeGlobally(_) => {
                        set[state] && (self.next[state].is_empty() || some_next(&set, state))
                    }
                    _ => set[state],
                };
                changed |= now != set[state];
                set[state] = now;
            }
            if !changed {
                return set;
            }
        }
    }

    /// Whether an automaton accepts a run from the first marking: whether in the product, written out, some
    /// pair is reached from which it is reached again, with transitions of all sets among those on the way.
    pub fn accepts(&self, automaton: &Automaton, atoms: &[Predicate]) -> bool {
        let states = automaton.states.len();
        let mut steps: Vec<Vec<(usize, u64)>> = vec![Vec::new(); states * self.next.len()];
        for marking in self.states() {
            let holds: Vec<bool> = atoms.iter().map(|atom| self.holds(marking, atom)).collect();
            let own = [marking];
            let next = if self.next[marking].is_empty() { &own } else { &self.next[marking][..] };
            for (state, edges) in automaton.states.iter().enumerate() {
                for edge in edges.iter().filter(|e| e.label.holds_where(|a| holds[a as usize])) {
                    let targets: BTreeSet<usize> = next.iter().copied().collect();
                    let to = targets.into_iter().map(|n| n * states + edge.to as usize);
                    steps[marking * states + state].extend(to.map(|to| (to, edge.accepting)));
                }
            }
        }
        let reached = |from: usize| {
            let mut reached = vec![false; steps.len()];
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                for (to, _) in &steps[at] {
                    if !std::mem::replace(&mut reached[*to], true) {
                        open.push(*to);
                    }
                }
            }
            reached
        };
        let mut from_start = reached(0);
        from_start[0] = true;
        let mut known: Vec<Option<Vec<bool>>> = vec![None; steps.len()];
        for pair in (0..steps.len()).filter(|pair| from_start[*pair]) {
            known[pair] = Some(reached(pair));
        }
        let reaches = |a: usize, b: usize| known[a].as_ref().is_some_and(|reached| reached[b]);
        (0..steps.len()).any(|pair| {
            let around = |other: usize| reaches(pair, other) && reaches(other, pair);
            let mut met = 0;
            for at in (0..steps.len()).filter(|at| around(*at)) {
                let inside = steps[at].iter().filter(|(to, _)| around(*to));
                met = inside.fold(met, |met, (_, sets)| met | sets);
            }
            around(pair) && met == automaton.all_sets()
        })
    }
}
