//! What one run shows of a formula of branching time.
//!
//! A run is one path of many. It shows that something holds on some path where it holds on this one, and that nothing
//! does only where there is no other: in a state that is the last. So a formula holds at a position, or does not, or it
//! is not known, and the three are worked out part by part. Both may be shown of nested formulas: a run to a last state
//! shows that from there nothing else is reached.
//!
//! Cost: two looks at each position for each part of the formula.

use super::Ctl;

/// How a run goes on after its last position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At an earlier position, for ever.
    Back(usize),
    /// Nothing follows.
    Last,
    /// Somehow.
    Open,
}

/// For each position whether a formula is shown to hold there, and not to hold.
struct Shown {
    yes: Vec<bool>,
    no: Vec<bool>,
}

struct Run<'r> {
    positions: usize,
    ending: Ending,
    holds: &'r dyn Fn(u32, usize) -> bool,
}

impl Ctl {
    /// Whether the formula holds in the first state of a run of so many positions, if the run shows it. `holds` says
    /// whether an atom does at a position.
    ///
    /// # Panics
    ///
    /// If there are no positions, or the run goes on at none of them.
    #[must_use]
    pub fn shown_by(
        &self,
        positions: usize,
        ending: Ending,
        holds: &dyn Fn(u32, usize) -> bool,
    ) -> Option<bool> {
        assert!(positions > 0, "a run begins somewhere");
        assert!(!matches!(ending, Ending::Back(to) if to >= positions), "it goes on at a position");
        let Shown { yes, no } = Run { positions, ending, holds }.shown(self);
        match (yes[0], no[0]) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }
}

impl Run<'_> {
    fn next(&self, at: usize) -> Option<usize> {
        match self.ending {
            _ if at + 1 < self.positions => Some(at + 1),
            Ending::Back(to) => Some(to),
            Ending::Last | Ending::Open => None,
        }
    }

    fn is_last(&self, at: usize) -> bool {
        at + 1 == self.positions && self.ending == Ending::Last
    }

    fn shown(&self, formula: &Ctl) -> Shown {
        let each = |is_true: &dyn Fn(usize) -> bool| (0..self.positions).map(is_true).collect();
        match formula {
            Ctl::True => Shown { yes: each(&|_| true), no: each(&|_| false) },
            Ctl::Atom(atom) => {
                let yes: Vec<bool> = each(&|at| (self.holds)(*atom, at));
                Shown { no: yes.iter().map(|holds| !holds).collect(), yes }
            }
            Ctl::Not(a) => {
                let Shown { yes, no } = self.shown(a);
                Shown { yes: no, no: yes }
            }
            Ctl::And(a, b) => {
                let (a, b) = (self.shown(a), self.shown(b));
                Shown {
                    yes: each(&|at| a.yes[at] && b.yes[at]),
                    no: each(&|at| a.no[at] || b.no[at]),
                }
            }
            Ctl::SomeNext(a) => {
                let a = self.shown(a);
                let yes = each(&|at| self.next(at).is_some_and(|next| a.yes[next]));
                Shown { yes, no: each(&|at| self.is_last(at)) }
            }
            Ctl::SomeUntil(a, b) => {
                let (a, b) = (self.shown(a), self.shown(b));
                let yes = self
                    .fixpoint(false, |at, later| b.yes[at] || a.yes[at] && later.unwrap_or(false));
                Shown { yes, no: each(&|at| b.no[at] && (a.no[at] || self.is_last(at))) }
            }
            Ctl::SomeGlobally(a) => {
                let a = self.shown(a);
                let yes = self.fixpoint(true, |at, later| {
                    a.yes[at] && later.unwrap_or_else(|| self.is_last(at))
                });
                Shown { yes, no: a.no }
            }
        }
    }

    /// The solution of an equation between what is shown at a position and at the next, from what it is first taken to be.
    fn fixpoint(&self, first: bool, holds: impl Fn(usize, Option<bool>) -> bool) -> Vec<bool> {
        let mut truths = vec![first; self.positions];
        for _ in 0..2 {
            for at in (0..self.positions).rev() {
                truths[at] = holds(at, self.next(at).map(|next| truths[next]));
            }
        }
        truths
    }
}
