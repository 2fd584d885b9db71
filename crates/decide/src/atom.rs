//! Statements about a single state, by number.
//!
//! What can be said by sums of tokens and by what is enabled, is: every engine can evaluate that. Anything
//! else stays a formula about one state, which only those can evaluate that look at states one by one.

use std::cell::RefCell;
use std::collections::HashMap;

use net::{Expr, Formula, Net, TransitionId};
use unfold::Predicate;

use crate::predicate::{is_any, not, predicate};
use crate::table::shortest;

/// A statement about a single state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Atom {
    /// About numbers of tokens, and what is enabled.
    Counting(Predicate),
    /// What a formula says.
    Formula(Formula),
    /// Nothing can fire, and a thread is active.
    Deadlock,
}

impl Atom {
    /// Whether it asks what is enabled, other than of probes: then the steps out of a state have to be known.
    pub(crate) fn asks_what_is_enabled(&self, net: &Net) -> bool {
        let asks_whether_any = match self {
            Atom::Counting(predicate) => is_any(predicate, &|part| *part == Predicate::Dead),
            Atom::Formula(formula) => formula.any(&|part| *part == Formula::Deadlock),
            Atom::Deadlock => false,
        };
        asks_whether_any || self.transitions().iter().any(|asked| !net.transition(*asked).probe)
    }

    /// The transitions of which it asks whether they are enabled.
    pub(crate) fn transitions(&self) -> Vec<TransitionId> {
        let found = RefCell::new(Vec::new());
        match self {
            Atom::Counting(predicate) => {
                is_any(predicate, &|part| {
                    if let Predicate::Enabled(transition) = part {
                        found.borrow_mut().push(TransitionId(transition.0));
                    }
                    false
                });
            }
            Atom::Formula(formula) => formula.for_each_term(&mut |term| {
                if let Expr::Enabled(transition) = term {
                    found.borrow_mut().push(*transition);
                }
            }),
            Atom::Deadlock => {}
        }
        found.into_inner()
    }

    /// Whether it compares numbers of tokens.
    pub(crate) fn counts_tokens(&self) -> bool {
        match self {
            Atom::Counting(predicate) => {
                is_any(predicate, &|part| matches!(part, Predicate::AtMost { .. }))
            }
            Atom::Formula(_) | Atom::Deadlock => false,
        }
    }
}

/// What a formula says of the present state alone.
pub(crate) enum Statement {
    /// The same in every state.
    Constant(bool),
    /// What an atom says, or its opposite.
    Atom(u32, bool),
}

/// All atoms.
#[derive(Debug, Default)]
pub(crate) struct Atoms {
    all: Vec<Atom>,
    counting: HashMap<Predicate, u32>,
    /// The variables that the formulas have, at most.
    variables: usize,
}

impl Atoms {
    pub(crate) fn all(&self) -> &[Atom] {
        &self.all
    }

    pub(crate) fn variables(&self) -> usize {
        self.variables
    }

    /// Makes room for the variables of a property.
    pub(crate) fn allow_variables(&mut self, count: usize) {
        self.variables = self.variables.max(count);
    }

    /// What a formula says that speaks of one state ([`Formula::is_of_state`]).
    pub(crate) fn statement(&mut self, formula: &Formula) -> Statement {
        match predicate(formula) {
            Some(predicate) => self.stated(predicate),
            None => match formula {
                Formula::Not(inner) => match self.statement(inner) {
                    Statement::Constant(truth) => Statement::Constant(!truth),
                    Statement::Atom(atom, positive) => Statement::Atom(atom, !positive),
                },
                formula => Statement::Atom(self.number(Atom::Formula(formula.clone())), true),
            },
        }
    }

    /// What a predicate says.
    pub(crate) fn stated(&mut self, predicate: Predicate) -> Statement {
        match shortest(predicate) {
            Predicate::True => Statement::Constant(true),
            Predicate::Not(inner) if *inner == Predicate::True => Statement::Constant(false),
            Predicate::Not(inner) => Statement::Atom(self.counting(*inner), false),
            predicate => Statement::Atom(self.counting(predicate), true),
        }
    }

    /// That a state is a deadlock. Where there are no threads, nothing else need be asked than
    /// whether anything can fire.
    pub(crate) fn deadlock(&mut self, has_threads: bool) -> u32 {
        if has_threads { self.number(Atom::Deadlock) } else { self.counting(Predicate::Dead) }
    }

    /// What always holds.
    pub(crate) fn truth(&mut self) -> u32 {
        self.counting(Predicate::True)
    }

    /// The predicate of an atom, or of its opposite, if it has one.
    pub(crate) fn predicate(&self, atom: u32, positive: bool) -> Option<Predicate> {
        match &self.all[atom as usize] {
            Atom::Counting(predicate) if positive => Some(predicate.clone()),
            Atom::Counting(predicate) => Some(not(predicate.clone())),
            Atom::Formula(_) | Atom::Deadlock => None,
        }
    }

    fn counting(&mut self, predicate: Predicate) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.counting.entry(predicate.clone()).or_insert(next);
        if number == next {
            self.all.push(Atom::Counting(predicate));
        }
        number
    }

    fn number(&mut self, atom: Atom) -> u32 {
        let known = self.all.iter().position(|other| *other == atom);
        known.unwrap_or_else(|| {
            self.all.push(atom);
            self.all.len() - 1
        }) as u32
    }
}
