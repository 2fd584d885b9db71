//! What a formula says of one run that is given, position by position.
//!
//! The run has finitely many positions; after the last it goes on at an earlier one, for ever. A formula is true at a set
//! of positions, by the fixpoints that define its operators: `until` is the least and `release` the greatest solution
//! of what it says of a position and the next one. Looked at from the last position to the first, twice, nothing
//! changes any more: the second time what comes after the last position is known.
//!
//! Cost: two looks at each position for each part of the formula.

use std::collections::HashMap;

use super::{Formula, Ltl, Shape};

impl Ltl {
    /// Whether a formula holds on a run of so many positions, which goes on at `back` after the last of them. `holds` says
    /// whether an atom does at a position.
    ///
    /// # Panics
    ///
    /// If `back` is not one of the positions.
    pub fn holds_on(
        &self,
        formula: Formula,
        positions: usize,
        back: usize,
        holds: &dyn Fn(u32, usize) -> bool,
    ) -> bool {
        assert!(back < positions, "a run goes on at one of its positions");
        let run = Run { ltl: self, positions, back, holds };
        run.truths(formula, &mut HashMap::new())[0]
    }
}

struct Run<'r> {
    ltl: &'r Ltl,
    positions: usize,
    back: usize,
    holds: &'r dyn Fn(u32, usize) -> bool,
}

impl Run<'_> {
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.positions { at + 1 } else { self.back }
    }

    /// For each position whether a formula holds there.
    fn truths(&self, formula: Formula, known: &mut HashMap<Formula, Vec<bool>>) -> Vec<bool> {
        if let Some(truths) = known.get(&formula) {
            return truths.clone();
        }
        let mut both = |a, b| (self.truths(a, known), self.truths(b, known));
        let truths = match self.ltl.shape(formula) {
            Shape::True => vec![true; self.positions],
            Shape::False => vec![false; self.positions],
            Shape::Atom(atom, value) => {
                (0..self.positions).map(|at| (self.holds)(atom, at) == value).collect()
            }
            Shape::Next(a) => {
                let a = self.truths(a, known);
                (0..self.positions).map(|at| a[self.next(at)]).collect()
            }
            Shape::And(a, b) => {
                let (a, b) = both(a, b);
                (0..self.positions).map(|at| a[at] && b[at]).collect()
            }
            Shape::Or(a, b) => {
                let (a, b) = both(a, b);
                (0..self.positions).map(|at| a[at] || b[at]).collect()
            }
            Shape::Until(a, b) => {
                let (a, b) = both(a, b);
                self.fixpoint(false, |at, later| b[at] || a[at] && later)
            }
            Shape::Release(a, b) => {
                let (a, b) = both(a, b);
                self.fixpoint(true, |at, later| b[at] && (a[at] || later))
            }
        };
        known.insert(formula, truths.clone());
        truths
    }

    /// The solution of an equation between what holds at a position and later, from what it is first taken to be.
    fn fixpoint(&self, first: bool, holds: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut truths = vec![first; self.positions];
        for _ in 0..2 {
            for at in (0..self.positions).rev() {
                truths[at] = holds(at, truths[self.next(at)]);
            }
        }
        truths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a formula holds on a run in which atom 0 is true where there is an `x`, and that goes on at `back`.
    fn on(text: &str, back: usize, make: impl Fn(&mut Ltl, Formula) -> Formula) -> bool {
        let mut ltl = Ltl::new();
        let atom = ltl.atom(0);
        let formula = make(&mut ltl, atom);
        let holds = |_: u32, at: usize| text.as_bytes()[at] == b'x';
        ltl.holds_on(formula, text.len(), back, &holds)
    }

    #[test]
    fn what_is_repeated_decides_what_holds_for_ever() {
        assert!(on("..x", 2, |ltl, x| ltl.eventually(x)));
        assert!(!on("x..", 1, |ltl, x| ltl.always(x)));
        let infinitely_often = |ltl: &mut Ltl, x| {
            let later = ltl.eventually(x);
            ltl.always(later)
        };
        assert!(on(".x.", 1, infinitely_often));
        assert!(!on(".x.", 2, infinitely_often));
        let from_some_time_on = |ltl: &mut Ltl, x| {
            let always = ltl.always(x);
            ltl.eventually(always)
        };
        assert!(on("..xx", 2, from_some_time_on));
        assert!(!on("..xx", 1, from_some_time_on));
        assert!(on("x.", 0, |ltl, x| {
            let next = ltl.next(x);
            ltl.next(next)
        }));
        let not_until = |ltl: &mut Ltl, x| {
            let not = ltl.not(x);
            ltl.until(not, x)
        };
        assert!(on("..x.", 3, not_until) && !on("....", 0, not_until));
        assert!(on("..xx", 2, |ltl, x| {
            let not = ltl.not(x);
            let next = ltl.next(x);
            let either = ltl.or(not, next);
            let truth = ltl.truth();
            let ever = ltl.release(x, truth);
            ltl.and(either, ever)
        }));
    }
}
