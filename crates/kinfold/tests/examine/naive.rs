//! The meaning of nets and formulas, as written down in the definitions.
//!
//! Branching time: the set of markings in which a formula holds, by fixpoints that are iterated until nothing
//! changes, for `A` and for `E` each by its own. Linear time: a run is an infinite path through pairs of a
//! marking and a guess of which formulas will hold in the next marking; guesses have to come true, and what is
//! promised by `until` has to come (a tableau with nothing clever about it).

use crate::formula::Formula;
use crate::random_net::RandomNet;

use Formula as F;

const MOST: usize = 40;

/// All markings, the initial one first, with transition and target of each step.
pub struct Graph {
    markings: Vec<Vec<u64>>,
    steps: Vec<Vec<(usize, usize)>>,
}

impl Graph {
    /// `None` if there are too many markings.
    pub fn of(net: &RandomNet) -> Option<Graph> {
        let mut markings = vec![net.initial.clone()];
        let mut steps = Vec::new();
        while steps.len() < markings.len() {
            let marking = markings[steps.len()].clone();
            let mut from = Vec::new();
            for (t, (takes, puts)) in net.transitions.iter().enumerate() {
                if marking.iter().zip(takes).any(|(tokens, taken)| tokens < taken) {
                    continue;
                }
                let changed = marking.iter().zip(takes).zip(puts);
                let next: Vec<u64> = changed.map(|((m, taken), put)| m - taken + put).collect();
                let target = markings.iter().position(|other| *other == next);
                let target = target.unwrap_or_else(|| {
                    markings.push(next);
                    markings.len() - 1
                });
                from.push((t, target));
            }
            steps.push(from);
            if markings.len() > MOST {
                return None;
            }
        }
        Some(Graph { markings, steps })
    }

    fn tokens(&self, state: usize, places: &[usize]) -> u64 {
        places.iter().map(|place| self.markings[state][*place]).sum()
    }

    pub fn greatest(&self, places: &[usize]) -> u64 {
        (0..self.markings.len()).map(|state| self.tokens(state, places)).max().expect("one")
    }

    fn satisfies_atom(&self, state: usize, formula: &F) -> bool {
        match formula {
            F::True => true,
            F::False => false,
            F::Deadlock => self.steps[state].is_empty(),
            F::Fireable(transitions) => {
                self.steps[state].iter().any(|(t, _)| transitions.contains(t))
            }
            F::Compare(comparison, places, number) => {
                let tokens = self.tokens(state, places) as i64;
                match *comparison {
                    "integer-eq" => tokens == *number,
                    "integer-ne" => tokens != *number,
                    "integer-lt" => tokens < *number,
                    "integer-le" => tokens <= *number,
                    "integer-gt" => tokens > *number,
                    _ => tokens >= *number,
                }
            }
            F::AtMost(a, b) => self.tokens(state, a) <= self.tokens(state, b),
            other => panic!("no atom: {other:?}"),
        }
    }

    fn all_states(&self, mut holds: impl FnMut(usize) -> bool) -> Vec<bool> {
        (0..self.markings.len()).map(&mut holds).collect()
    }

    /// Applies until nothing changes.
    fn iterated(&self, mut set: Vec<bool>, next: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
        loop {
            let changed = self.all_states(|state| next(&set, state));
            if changed == set {
                return set;
            }
            set = changed;
        }
    }

    /// Where a formula of branching time holds.
    pub fn satisfying(&self, formula: &F) -> Vec<bool> {
        let of: Vec<Vec<bool>> = match formula {
            F::All(_) | F::Some(_) => Vec::new(),
            _ => formula.parts().into_iter().map(|part| self.satisfying(part)).collect(),
        };
        match formula {
            F::All(path) => self.on_paths(path, true),
            F::Some(path) => self.on_paths(path, false),
            F::Not(_) => self.all_states(|s| !of[0][s]),
            F::And(_) => self.all_states(|s| of.iter().all(|part| part[s])),
            F::Or(_) => self.all_states(|s| of.iter().any(|part| part[s])),
            F::Implies(_) => self.all_states(|s| !of[0][s] || of[1][s]),
            F::Equivalent(_) => self.all_states(|s| of[0][s] == of[1][s]),
            F::Differ(_) => self.all_states(|s| of[0][s] != of[1][s]),
            atom => self.all_states(|s| self.satisfies_atom(s, atom)),
        }
    }

    /// Where a formula about paths holds of all maximal paths, or of some.
    fn on_paths(&self, path: &F, all: bool) -> Vec<bool> {
        let nobody = || vec![false; self.markings.len()];
        let everybody = || vec![true; self.markings.len()];
        // Whether steps lead into a set: all of them, or some.
        let leads = |set: &[bool], s: usize| {
            let mut targets = self.steps[s].iter().map(|(_, target)| set[*target]);
            if all { targets.all(|holds| holds) } else { targets.any(|holds| holds) }
        };
        let is_last = |s: usize| self.steps[s].is_empty();
        match path {
            F::Next(a) => {
                let a = self.satisfying(a);
                self.all_states(|s| leads(&a, s))
            }
            F::Globally(a) => {
                let a = self.satisfying(a);
                self.iterated(everybody(), |set, s| a[s] && (is_last(s) || leads(set, s)))
            }
            F::Finally(a) => {
                let a = self.satisfying(a);
                self.iterated(nobody(), |set, s| a[s] || (!is_last(s) && leads(set, s)))
            }
            F::Until(parts) => {
                let [a, b] = &**parts;
                let (a, b) = (self.satisfying(a), self.satisfying(b));
                self.iterated(nobody(), |set, s| b[s] || (a[s] && !is_last(s) && leads(set, s)))
            }
            F::Not(inner) => {
                let opposite = self.on_paths(inner, !all);
                self.all_states(|s| !opposite[s])
            }
            F::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.on_paths(part, all)).collect();
                self.all_states(|s| parts.iter().all(|part| part[s]))
            }
            F::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.on_paths(part, all)).collect();
                self.all_states(|s| parts.iter().any(|part| part[s]))
            }
            other => panic!("no path: {other:?}"),
        }
    }

    /// Whether a formula of linear time, with `A` before it, holds of all runs from the first marking.
    pub fn all_runs_satisfy(&self, formula: &F) -> bool {
        let F::All(formula) = formula else { panic!("`A` is missing") };
        // What is guessed: whether each of these holds in the next marking.
        let mut guesses = Vec::new();
        guessed(formula, &mut guesses);
        let count = 1 << guesses.len();
        let nodes = self.markings.len() * count;
        let holds =
            |formula: &F, node: usize| self.holds(formula, node / count, node % count, &guesses);
        // Whether the guesses of one node come true in the other.
        let follows = |node: usize, next: usize| {
            (0..guesses.len()).all(|i| ((node % count) >> i & 1 == 1) == holds(&guesses[i], next))
        };
        let mut reaches = vec![vec![false; nodes]; nodes];
        for (node, row) in reaches.iter_mut().enumerate() {
            let state = node / count;
            let targets: Vec<usize> = match self.steps[state].is_empty() {
                true => vec![state],
                false => self.steps[state].iter().map(|(_, target)| *target).collect(),
            };
            for (next, there) in row.iter_mut().enumerate() {
                *there = targets.contains(&(next / count)) && follows(node, next);
            }
        }
        for middle in 0..nodes {
            let through = reaches[middle].clone();
            for row in reaches.iter_mut().filter(|row| row[middle]) {
                row.iter_mut().zip(&through).for_each(|(there, more)| *there |= more);
            }
        }
        // What is promised for later must not be put off for ever.
        let is_kept = |formula: &F, node: usize| match formula {
            F::Until(parts) => !holds(formula, node) || holds(&parts[1], node),
            F::Finally(a) => !holds(formula, node) || holds(a, node),
            F::Globally(a) => holds(formula, node) || !holds(a, node),
            _ => true,
        };
        let goes_round_well = |node: usize| {
            reaches[node][node]
                && guesses.iter().all(|guess| {
                    (0..nodes).any(|other| {
                        reaches[node][other] && reaches[other][node] && is_kept(guess, other)
                    })
                })
        };
        let violates = |node: usize| {
            !holds(formula, node)
                && (0..nodes)
                    .any(|other| (other == node || reaches[node][other]) && goes_round_well(other))
        };
        !(0..count).any(violates)
    }

    fn holds(&self, formula: &F, state: usize, guess: usize, guesses: &[F]) -> bool {
        let of = |part: &F| self.holds(part, state, guess, guesses);
        let next = |formula: &F| {
            let index = guesses.iter().position(|other| other == formula).expect("it is guessed");
            guess >> index & 1 == 1
        };
        match formula {
            F::Not(a) => !of(a),
            F::And(parts) => parts.iter().all(of),
            F::Or(parts) => parts.iter().any(of),
            F::Implies(parts) => !of(&parts[0]) || of(&parts[1]),
            F::Equivalent(parts) => of(&parts[0]) == of(&parts[1]),
            F::Differ(parts) => of(&parts[0]) != of(&parts[1]),
            F::Next(a) => next(a),
            F::Until(parts) => of(&parts[1]) || (of(&parts[0]) && next(formula)),
            F::Finally(a) => of(a) || next(formula),
            F::Globally(a) => of(a) && next(formula),
            atom => self.satisfies_atom(state, atom),
        }
    }
}

/// What has to be guessed of the next marking.
fn guessed(formula: &F, guesses: &mut Vec<F>) {
    let own = match formula {
        F::Next(a) => Some(&**a),
        F::Until(_) | F::Finally(_) | F::Globally(_) => Some(formula),
        _ => None,
    };
    if let Some(own) = own
        && !guesses.contains(own)
    {
        guesses.push(own.clone());
    }
    formula.parts().into_iter().for_each(|part| guessed(part, guesses));
}
