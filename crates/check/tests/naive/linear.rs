//! Formulas of linear time and what they mean, on words that go round for ever.
//!
//! The meaning is worked out naively from the definition, position by position; an automaton accepts if
//! its product with the word has a cycle in all acceptance sets, found by trying.

use check::{Automaton, Formula, Ltl};
use random::Random;

pub const ATOMS: u64 = 3;

/// A formula as written, before rules make it smaller.
#[derive(Clone, Debug)]
pub enum Plain {
    Atom(u32),
    Not(Box<Plain>),
    And(Box<Plain>, Box<Plain>),
    Or(Box<Plain>, Box<Plain>),
    Next(Box<Plain>),
    Until(Box<Plain>, Box<Plain>),
    Release(Box<Plain>, Box<Plain>),
    Eventually(Box<Plain>),
    Always(Box<Plain>),
}

pub fn random_formula(random: &mut Random, size: u64) -> Plain {
    if size <= 1 {
        return Plain::Atom(random.below(ATOMS) as u32);
    }
    let kind = random.below(8);
    if kind < 4 {
        let inner = Box::new(random_formula(random, size - 1));
        return match kind {
            0 => Plain::Not(inner),
            1 => Plain::Next(inner),
            2 => Plain::Eventually(inner),
            _ => Plain::Always(inner),
        };
    }
    let left = 1 + random.below(size - 1);
    let a = Box::new(random_formula(random, left));
    let b = Box::new(random_formula(random, size - left));
    match kind {
        4 => Plain::And(a, b),
        5 => Plain::Or(a, b),
        6 => Plain::Until(a, b),
        _ => Plain::Release(a, b),
    }
}

pub fn formula(ltl: &mut Ltl, plain: &Plain) -> Formula {
    match plain {
        Plain::Atom(atom) => ltl.atom(*atom),
        Plain::Not(a) => {
            let a = formula(ltl, a);
            ltl.not(a)
        }
        Plain::Next(a) => {
            let a = formula(ltl, a);
            ltl.next(a)
        }
        Plain::Eventually(a) => {
            let a = formula(ltl, a);
            ltl.eventually(a)
        }
        Plain::Always(a) => {
            let a = formula(ltl, a);
            ltl.always(a)
        }
        Plain::And(a, b) | Plain::Or(a, b) | Plain::Until(a, b) | Plain::Release(a, b) => {
            let (x, y) = (formula(ltl, a), formula(ltl, b));
            match plain {
                Plain::And(..) => ltl.and(x, y),
                Plain::Or(..) => ltl.or(x, y),
                Plain::Until(..) => ltl.until(x, y),
                _ => ltl.release(x, y),
            }
        }
    }
}

/// A word: letters as bits of atoms; after the last comes the one with this number.
#[derive(Debug)]
pub struct Word {
    pub letters: Vec<u32>,
    pub back: usize,
}

impl Word {
    pub fn random(random: &mut Random) -> Word {
        let length = 1 + random.below(6) as usize;
        let letters = (0..length).map(|_| random.below(1 << ATOMS) as u32).collect();
        Word { letters, back: random.below(length as u64) as usize }
    }

    pub fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.back }
    }

    /// Where a formula holds, by the definition: what will be is seen within twice the word's length.
    pub fn meaning(&self, plain: &Plain) -> Vec<bool> {
        let n = self.letters.len();
        let positions = |start: usize| {
            std::iter::successors(Some(start), |&at| Some(self.after(at))).take(2 * n)
        };
        match plain {
            Plain::Atom(atom) => {
                self.letters.iter().map(|letter| letter >> atom & 1 == 1).collect()
            }
            Plain::Not(a) => self.meaning(a).iter().map(|holds| !holds).collect(),
            Plain::Next(a) => {
                let a = self.meaning(a);
                (0..n).map(|at| a[self.after(at)]).collect()
            }
            Plain::Eventually(a) => {
                let a = self.meaning(a);
                (0..n).map(|at| positions(at).any(|at| a[at])).collect()
            }
            Plain::Always(a) => {
                let a = self.meaning(a);
                (0..n).map(|at| positions(at).all(|at| a[at])).collect()
            }
            Plain::And(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                (0..n).map(|at| a[at] && b[at]).collect()
            }
            Plain::Or(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                (0..n).map(|at| a[at] || b[at]).collect()
            }
            Plain::Until(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                let holds = |at: usize| {
                    let when = positions(at).position(|at| b[at]);
                    when.is_some_and(|when| positions(at).take(when).all(|at| a[at]))
                };
                (0..n).map(holds).collect()
            }
            Plain::Release(a, b) => {
                let (a, b) = (self.meaning(a), self.meaning(b));
                let holds = |at: usize| match positions(at).position(|at| a[at]) {
                    Some(when) => positions(at).take(when + 1).all(|at| b[at]),
                    None => positions(at).all(|at| b[at]),
                };
                (0..n).map(holds).collect()
            }
        }
    }

    /// Whether an automaton accepts the word: some node of the product is on a closed walk that takes
    /// transitions of all sets.
    pub fn is_accepted_by(&self, automaton: &Automaton) -> bool {
        let n = self.letters.len();
        let steps = |(state, at): (usize, usize)| {
            let letter = self.letters[at];
            let edges = automaton.states.get(state).into_iter().flatten();
            let enabled = edges.filter(move |e| e.label.holds_where(|a| letter >> a & 1 == 1));
            enabled.map(move |e| ((e.to as usize, self.after(at)), e.accepting))
        };
        let reach = |start: (usize, usize)| {
            let mut seen = vec![start];
            let mut i = 0;
            while i < seen.len() {
                for (to, _) in steps(seen[i]) {
                    if !seen.contains(&to) {
                        seen.push(to);
                    }
                }
                i += 1;
            }
            seen
        };
        reach((0, 0)).into_iter().filter(|&(_, at)| at + 1 == n).any(|node| {
            // The component of the node: what it reaches and what reaches it.
            let component: Vec<_> =
                reach(node).into_iter().filter(|&other| reach(other).contains(&node)).collect();
            let inside = component.iter().flat_map(|&from| {
                steps(from).filter(|(to, _)| component.contains(to)).map(|(_, sets)| sets)
            });
            let (mut any, mut sets) = (false, 0);
            inside.for_each(|more| (any, sets) = (true, sets | more));
            any && sets == automaton.all_sets()
        })
    }
}
