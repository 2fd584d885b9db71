//! Formulas of branching time on the reachable markings.
//!
//! The question is whether the initial marking satisfies a formula. It is asked forward as long as that is
//! possible: some marking of a set S satisfies `EX φ` if some successor of S satisfies φ, `E φ U ψ` if some marking
//! satisfies ψ that is in S or comes after one reached from S within φ, `EG φ` if a maximal path stays within what
//! is reached from S within φ. (Iwashita, Nakata, Hirose, *CTL Model Checking Based on Forward State Traversal*,
//! ICCAD 1996.) Of a single marking, negations and conjunctions may be asked too; for those of several the set
//! of markings that satisfy a part is computed backward: `EX` is a step, `EU` a closure by constrained
//! saturation, `EG` in [`lasso`](super::lasso).
//!
//! Cost: each part of the formula is evaluated once. A closure visits what saturation does; `EG` may take many
//! steps.

use std::collections::HashMap;

use check::Ctl;
use ddd::{Ddd, Result};

use super::simplify::with_opposites;
use super::{Diagram, Predicate};

/// The sets found for parts of a formula.
struct Asking<'a> {
    diagram: &'a mut Diagram,
    /// Each with its opposite.
    atoms: Vec<[Predicate; 2]>,
    all: Ddd,
    initial: Ddd,
    known: HashMap<Ctl, Ddd>,
}

impl Diagram {
    /// Whether the initial marking satisfies a formula, whose atoms are given.
    pub fn ctl(&mut self, formula: &Ctl, atoms: &[Predicate]) -> Result<bool> {
        let (all, initial) = (self.markings.clone(), self.initial()?);
        let start = initial.clone();
        let atoms = with_opposites(atoms);
        let mut asking = Asking { diagram: self, atoms, all, initial, known: HashMap::new() };
        asking.holds_in(&start, formula, true)
    }
}

impl Asking<'_> {
    fn is_empty(&self, set: &Ddd) -> bool {
        self.diagram.forest.is_empty(set)
    }

    /// Whether there is no more than one marking in a set.
    fn is_single(&self, set: &Ddd) -> bool {
        self.diagram.forest.paths(set).nth(1).is_none()
    }

    /// Whether a formula holds, or does not, in some marking of a set.
    fn holds_in(&mut self, set: &Ddd, formula: &Ctl, holds: bool) -> Result<bool> {
        if self.is_empty(set) {
            return Ok(false);
        }
        match (formula, holds) {
            (Ctl::True, _) => Ok(holds),
            (Ctl::Atom(atom), _) => {
                self.diagram.any(set, &self.atoms[*atom as usize][usize::from(!holds)])
            }
            (Ctl::Not(inner), _) => self.holds_in(set, inner, !holds),
            (Ctl::And(a, b), false) => {
                // What takes no steps first.
                let (a, b) = if depth(a) <= depth(b) { (a, b) } else { (b, a) };
                Ok(self.holds_in(set, a, holds)? || self.holds_in(set, b, holds)?)
            }
            (Ctl::And(a, b), true) => {
                let (a, b) = if depth(a) <= depth(b) { (a, b) } else { (b, a) };
                if self.is_single(set) {
                    return Ok(self.holds_in(set, a, holds)? && self.holds_in(set, b, holds)?);
                }
                let those = self.those(set, a, holds)?;
                self.holds_in(&those, b, holds)
            }
            (Ctl::SomeNext(inner), true) => {
                let all = self.all.clone();
                let after = self.diagram.after(set, &all)?;
                self.holds_in(&after, inner, true)
            }
            (Ctl::SomeUntil(first, second), true) => {
                if **first == Ctl::True && *set == self.initial {
                    let all = self.all.clone();
                    return self.holds_in(&all, second, true);
                }
                if self.holds_in(set, second, true)? {
                    return Ok(true);
                }
                let passed = self.reached_in(set, first)?;
                let all = self.all.clone();
                let after = self.diagram.after(&passed, &all)?;
                self.holds_in(&after, second, true)
            }
            (Ctl::SomeGlobally(inner), true) => {
                let passed = self.reached_in(set, inner)?;
                let start = self.diagram.forest.intersection(set, &passed)?;
                self.diagram.has_path_in(&passed, &start)
            }
            // Of one marking the opposite may be asked; of several it says something else.
            (Ctl::SomeNext(_) | Ctl::SomeUntil(..) | Ctl::SomeGlobally(_), false) => {
                if self.is_single(set) {
                    return Ok(!self.holds_in(set, formula, true)?);
                }
                let those = self.those(set, formula, false)?;
                Ok(!self.is_empty(&those))
            }
        }
    }

    /// What is reached from a set within the markings that satisfy a formula.
    fn reached_in(&mut self, set: &Ddd, formula: &Ctl) -> Result<Ddd> {
        let within = self.satisfying(formula)?;
        self.diagram.reached_from(set, &within)
    }

    /// The markings of a set that satisfy a formula, or that do not.
    fn those(&mut self, set: &Ddd, formula: &Ctl, holds: bool) -> Result<Ddd> {
        match (formula, holds) {
            (Ctl::True, true) => Ok(set.clone()),
            (Ctl::True, false) => Ok(self.diagram.forest.zero()),
            (Ctl::Atom(atom), _) => {
                self.diagram.those(set, &self.atoms[*atom as usize][usize::from(!holds)])
            }
            (Ctl::Not(inner), _) => self.those(set, inner, !holds),
            (Ctl::And(a, b), true) => {
                let those = self.those(set, a, holds)?;
                self.those(&those, b, holds)
            }
            (Ctl::And(a, b), false) => {
                let (a, b) = (self.those(set, a, holds)?, self.those(set, b, holds)?);
                self.diagram.forest.union(&a, &b)
            }
            (Ctl::SomeNext(_) | Ctl::SomeUntil(..) | Ctl::SomeGlobally(_), _) => {
                let those = self.satisfying(formula)?;
                let forest = &mut self.diagram.forest;
                if holds {
                    forest.intersection(set, &those)
                } else {
                    forest.difference(set, &those)
                }
            }
        }
    }

    /// The reachable markings that satisfy a formula.
    fn satisfying(&mut self, formula: &Ctl) -> Result<Ddd> {
        if let Some(known) = self.known.get(formula) {
            return Ok(known.clone());
        }
        let all = self.all.clone();
        let satisfying = match formula {
            Ctl::SomeNext(inner) => {
                let those = self.satisfying(inner)?;
                self.diagram.before(&those, &all)?
            }
            Ctl::SomeUntil(first, second) => {
                let (first, second) = (self.satisfying(first)?, self.satisfying(second)?);
                let within = self.diagram.forest.union(&first, &second)?;
                self.diagram.leading_to(&second, &within)?
            }
            Ctl::SomeGlobally(inner) => {
                let those = self.satisfying(inner)?;
                self.diagram.with_path_in(&those)?
            }
            _ => self.those(&all, formula, true)?,
        };
        self.known.insert(formula.clone(), satisfying.clone());
        Ok(satisfying)
    }
}

/// How deeply operators that take steps are nested.
fn depth(formula: &Ctl) -> usize {
    match formula {
        Ctl::True | Ctl::Atom(_) => 0,
        Ctl::Not(inner) => depth(inner),
        Ctl::And(a, b) => depth(a).max(depth(b)),
        Ctl::SomeNext(inner) | Ctl::SomeGlobally(inner) => 1 + depth(inner),
        Ctl::SomeUntil(a, b) => 1 + depth(a).max(depth(b)),
    }
}
