//! In which order the variables of a transition find their values.
//!
//! What a transition needs at a place is matched with the entries there, like a join: each match
//! binds the variables it meets first and tests the others. Parts of the guard are tested as soon
//! as their variables are bound, and an equation with one unbound variable gives it its value. Only
//! variables that nothing binds range over their class.

use std::ops::Range;

use crate::explicit::fixed::Table;
use crate::explicit::rules::{Domain, Kind, Place, Term};
use crate::operand::{Operand, Test};

/// What a component of an entry says about a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pattern {
    /// In a symmetric class: the variable gets its value here.
    Meet(u32),
    /// In a symmetric class: the variable must be this element.
    Same(u32),
    /// In another class: the variable gets the value with which the operand is the component.
    Solve(u32, Operand),
    /// In another class: the component must be this.
    Is(Operand),
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Match an entry that has at least this many tokens.
    Entry { place: u32, count: u32, patterns: Vec<Pattern> },
    /// There must be an entry of this tuple with at least this many tokens; all of it is known.
    Known { place: u32, count: u32, tuple: Vec<Operand> },
    /// Match a row of a fixed place, which has enough tokens: `known` is looked up, the others are
    /// matched.
    Row { table: Table, known: Vec<Operand>, patterns: Vec<Pattern> },
    /// The variable has the value with which the first operand is the second.
    Let(u32, Operand, Operand),
    /// The variable is some element of its class.
    Any { var: u32, class: u32, symmetric: bool, size: u32 },
    /// The condition must hold.
    Test(Test),
}

/// The steps, to be followed with backtracking.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
}

impl Plan {
    /// Makes a plan that binds these variables, the others being bound before, so that entries for all
    /// terms are there, each for itself, and all tests hold. The terms have no locals but those among
    /// `vars`.
    pub(crate) fn new(
        vars: &[Domain],
        unbound: Range<usize>,
        places: &[Place],
        needs: &[(u32, u32, &Term)],
        tests: Vec<Test>,
    ) -> Self {
        let bound = (0..vars.len()).map(|var| !unbound.contains(&var)).collect();
        let needs = needs.to_vec();
        let mut making = Making { vars, bound, tests, needs, places, steps: Vec::new() };
        loop {
            making.tests();
            if making.equation() {
                continue;
            }
            if !making.entry() && !making.any() {
                return Self { steps: making.steps };
            }
        }
    }

    /// The places that are not fixed where an entry is needed.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> {
        self.steps.iter().filter_map(|step| match step {
            Step::Entry { place, .. } | Step::Known { place, .. } => Some(*place),
            _ => None,
        })
    }
}

struct Making<'a> {
    vars: &'a [Domain],
    bound: Vec<bool>,
    tests: Vec<Test>,
    /// Place, count, term.
    needs: Vec<(u32, u32, &'a Term)>,
    places: &'a [Place],
    steps: Vec<Step>,
}

impl Making<'_> {
    fn is_bound(&self, var: u32) -> bool {
        self.bound[var as usize]
    }

    /// Tests all that can be tested.
    fn tests(&mut self) {
        for test in std::mem::take(&mut self.tests) {
            let mut ready = true;
            test.for_each_var(&mut |var| ready &= self.is_bound(var));
            if ready {
                self.steps.push(Step::Test(test));
            } else {
                self.tests.push(test);
            }
        }
    }

    /// Binds a variable by an equation, if there is one with a single unbound variable.
    fn equation(&mut self) -> bool {
        let unbound = |operand: Operand| operand.var().filter(|&var| !self.is_bound(var));
        let solvable = self.tests.iter().enumerate().find_map(|(i, test)| {
            let Test::Equal(a, b) = *test else { return None };
            match (unbound(a), unbound(b)) {
                (Some(var), None) => Some((i, var, a, b)),
                (None, Some(var)) => Some((i, var, b, a)),
                _ => None,
            }
        });
        let Some((i, var, left, from)) = solvable else { return false };
        self.tests.remove(i);
        self.steps.push(Step::Let(var, left, from));
        self.bound[var as usize] = true;
        true
    }

    /// Matches the term of which most is known; of equals one at a place that is not fixed, and the one
    /// that binds most.
    fn entry(&mut self) -> bool {
        let known = |&(place, _, term): &(u32, u32, &Term)| {
            let vars = term.tuple.iter().filter_map(|operand| operand.var());
            let unbound = vars.clone().filter(|&var| !self.is_bound(var)).count();
            let bound = vars.count() - unbound;
            let is_moving = self.places[place as usize].fixed.is_none();
            (unbound == 0, bound, is_moving, unbound)
        };
        let best = (0..self.needs.len()).rev().max_by_key(|&i| known(&self.needs[i]));
        let Some(best) = best else { return false };
        let (place, count, term) = self.needs.remove(best);
        let is_known = |operand: &Operand| operand.var().is_none_or(|var| self.is_bound(var));
        let known: Vec<bool> = term.tuple.iter().map(is_known).collect();
        let table = self.places[place as usize].fixed.as_ref();
        let table = table.map(|fixed| Table::new(fixed, &known, count));
        if table.is_none() && !known.contains(&false) {
            self.steps.push(Step::Known { place, count, tuple: term.tuple.clone() });
            return true;
        }
        let columns = &self.places[place as usize].columns;
        let mut patterns = Vec::new();
        for (&operand, column) in term.tuple.iter().zip(columns) {
            let unbound = operand.var().filter(|&var| !self.is_bound(var));
            patterns.push(match (operand, unbound, column.kind) {
                (Operand::Var(var), Some(_), Kind::Symmetric) => Pattern::Meet(var),
                (Operand::Var(var), None, Kind::Symmetric) => Pattern::Same(var),
                (_, Some(var), _) => Pattern::Solve(var, operand),
                (_, None, _) => Pattern::Is(operand),
            });
            if let Some(var) = unbound {
                self.bound[var as usize] = true;
            }
        }
        self.steps.push(match table {
            None => Step::Entry { place, count, patterns },
            Some(table) => {
                let mut known = known.into_iter();
                let operands = term.tuple.iter().zip(known.clone());
                let operands = operands.filter_map(|(&operand, known)| known.then_some(operand));
                patterns.retain(|_| known.next() == Some(false));
                Step::Row { table, known: operands.collect(), patterns }
            }
        });
        true
    }

    /// Lets the first unbound variable range over its class.
    fn any(&mut self) -> bool {
        let Some(var) = self.bound.iter().position(|bound| !bound) else { return false };
        let Domain { class, kind, size } = self.vars[var];
        let symmetric = kind == Kind::Symmetric;
        self.steps.push(Step::Any { var: var as u32, class, symmetric, size });
        self.bound[var] = true;
        true
    }
}
