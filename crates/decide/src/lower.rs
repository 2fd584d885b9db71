//! From questions to goals.
//!
//! `always`, `never`, `eventually`, `next`, `until` and `leads_to` are of linear time and hold of a model when
//! they hold on all its runs; `reachable`, `deadlock_free` and the operators with A and E are of branching
//! time. One of a kind inside one of the other would be a formula of CTL*, and is refused; where they stand
//! beside each other, each is decided by itself. What is neither is said of the initial state.
//!
//! Where only answers matter, constants are worked out and conjunctions taken apart. Where runs are shown, a
//! formula of one logic stays whole, so that a run shows all of it, and what holds for trivial reasons is
//! decided like anything else, so that it is known whether it does so vacuously.

use check::{Ctl, Formula as Linear, Prospect};
use net::{BinaryOp, Formula, PathOp, Quantifier, Subject};

use crate::Refusal;
use crate::atom::Statement;
use crate::goal::{Claim, Goal, Goals};
use crate::predicate::Sum;
use crate::question::Question;

/// Whether there is an operator of linear time in a formula.
fn is_linear(formula: &Formula) -> bool {
    formula.any(&|part| match part {
        Formula::Path(op, _) => is_of_linear_time(*op),
        part => matches!(part, Formula::Until(..) | Formula::LeadsTo(..)),
    })
}

/// Whether there is an operator of branching time in a formula.
fn is_branching(formula: &Formula) -> bool {
    formula.any(&|part| match part {
        Formula::Path(op, _) => !is_of_linear_time(*op),
        part => {
            matches!(part, Formula::DeadlockFree | Formula::AllUntil(..) | Formula::SomeUntil(..))
                || prospect(part).is_some()
        }
    })
}

/// What a formula says that each thread can come to, if it says that.
pub(crate) fn prospect(formula: &Formula) -> Option<Prospect> {
    match formula {
        Formula::NoOneStuck => Some(Prospect::Acting),
        Formula::EveryoneCanEnd => Some(Prospect::Ending),
        _ => None,
    }
}

/// Whether it says somewhere what each thread can come to.
fn is_about_everyone(formula: &Formula) -> bool {
    formula.any(&|part| prospect(part).is_some())
}

fn is_of_linear_time(op: PathOp) -> bool {
    matches!(op, PathOp::Always | PathOp::Never | PathOp::Eventually | PathOp::Next)
}

/// Whether a formula of branching time says that a path goes on for ever: only then fairness could make a
/// difference.
pub(crate) fn asks_for_ever(formula: &Formula) -> bool {
    formula.any(&|part| {
        matches!(
            part,
            Formula::Path(PathOp::SomeGlobally | PathOp::AllFinally, _) | Formula::AllUntil(..)
        )
    })
}

/// Why a formula with quantifiers is neither about one state nor about paths.
fn quantified(subject: &Subject) -> Refusal {
    match subject {
        Subject::Entering(_) => Refusal::FollowedInside,
        Subject::At(_) | Subject::In(..) => Refusal::QuantifiedPath,
    }
}

/// Turns formulas about a model into claims.
pub(crate) struct Lowering<'a> {
    /// Whether there are threads.
    pub(crate) has_threads: bool,
    pub(crate) goals: &'a mut Goals,
    /// Whether runs are to be shown.
    pub(crate) shows_runs: bool,
}

impl Lowering<'_> {
    /// What is claimed if the answer to a question is yes, or what number is asked for.
    pub(crate) fn question(&mut self, question: &Question) -> Result<Claim, Refusal> {
        let property = match question {
            Question::Holds(property) => property,
            Question::Greatest(term) => {
                let sum = Sum::of(term)?;
                let goal = self.goals.number(Goal::Greatest(sum.terms.into_iter().collect()));
                return Ok(Claim::Greatest(goal, sum.constant));
            }
        };
        self.goals.atoms.allow_variables(property.variables.len());
        match &property.formula {
            Formula::Quantified { quantifier, subject: Subject::Entering(_), body, .. } => {
                match quantifier {
                    Quantifier::Exists => Err(Refusal::SomeThreadFollowed),
                    Quantifier::Forall => self.of_runs(body),
                }
            }
            formula => self.claim(formula),
        }
    }

    /// That what a formula says of one state holds in some reachable state.
    pub(crate) fn reachable(&mut self, formula: &Formula) -> Claim {
        match self.goals.atoms.statement(formula) {
            Statement::Constant(truth) => Claim::Known(truth),
            Statement::Atom(atom, value) => self.somewhere(atom, value),
        }
    }

    /// What a formula claims of the initial state, and of all runs from there.
    fn claim(&mut self, formula: &Formula) -> Result<Claim, Refusal> {
        if formula.is_of_state() {
            return Ok(self.initially(formula));
        }
        if let Some(prospect) = prospect(formula) {
            return Ok(match self.has_threads {
                true => Claim::Goal(self.goals.number(Goal::Everyone(prospect))),
                false => Claim::Known(true),
            });
        }
        match formula {
            Formula::DeadlockFree => {
                let deadlock = self.goals.atoms.deadlock(self.has_threads);
                return Ok(self.somewhere(deadlock, true).not());
            }
            Formula::Path(op, a) if a.is_of_state() => {
                let (of, is_somewhere) = match op {
                    PathOp::Reachable | PathOp::SomeFinally => (true, true),
                    PathOp::AllGlobally | PathOp::Always => (false, false),
                    PathOp::Never => (true, false),
                    _ => return self.in_general(formula),
                };
                let found = match self.goals.atoms.statement(a) {
                    Statement::Constant(truth) if self.shows_runs => {
                        let constant = self.goals.atoms.truth();
                        self.somewhere(constant, truth == of)
                    }
                    Statement::Constant(truth) => Claim::Known(truth == of),
                    Statement::Atom(atom, positive) => self.somewhere(atom, positive == of),
                };
                return Ok(if is_somewhere { found } else { found.not() });
            }
            Formula::Binary(op, a, b) => {
                // All runs satisfy a disjunction if one part is not about runs and holds, or all satisfy the
                // other; a conjunction of anything is decided by parts.
                let has_parts = *op == BinaryOp::And || !is_linear(a) || !is_linear(b);
                let is_mixed = is_linear(formula) && is_branching(formula);
                let is_mixed = is_mixed || is_about_everyone(formula);
                if has_parts && (is_mixed || !self.shows_runs) {
                    return self.by_parts(*op, a, b);
                }
            }
            _ => {}
        }
        self.in_general(formula)
    }

    /// What a formula claims of all runs that begin in certain states: one goal, since a connection may hold
    /// for one reason here and for another there.
    fn of_runs(&mut self, formula: &Formula) -> Result<Claim, Refusal> {
        let goal = if is_linear(formula) || formula.is_of_state() {
            Goal::Linear(self.linear(formula)?)
        } else {
            Goal::Branching(self.branching(formula)?)
        };
        Ok(Claim::Goal(self.goals.number(goal)))
    }

    fn by_parts(&mut self, op: BinaryOp, a: &Formula, b: &Formula) -> Result<Claim, Refusal> {
        let first = match op {
            BinaryOp::Implies => self.claim(&Formula::Not(Box::new(a.clone())))?,
            _ => self.claim(a)?,
        };
        let parts = vec![first, self.claim(b)?];
        Ok(if op == BinaryOp::And { Claim::All(parts) } else { Claim::Any(parts) })
    }

    fn in_general(&mut self, formula: &Formula) -> Result<Claim, Refusal> {
        if is_linear(formula) {
            let formula = self.linear(formula)?;
            let ltl = &self.goals.ltl;
            return Ok(match formula {
                _ if formula == ltl.truth() && !self.shows_runs => Claim::Known(true),
                // There is always a run.
                _ if formula == ltl.falsehood() && !self.shows_runs => Claim::Known(false),
                _ => Claim::Goal(self.goals.number(Goal::Linear(formula))),
            });
        }
        Ok(match formula {
            Formula::Not(a) => self.claim(a)?.not(),
            _ => match self.branching(formula)? {
                Ctl::True if !self.shows_runs => Claim::Known(true),
                Ctl::Not(inner) if *inner == Ctl::True && !self.shows_runs => Claim::Known(false),
                Ctl::Not(inner) => Claim::Goal(self.goals.number(Goal::Branching(*inner))).not(),
                formula => Claim::Goal(self.goals.number(Goal::Branching(formula))),
            },
        })
    }

    /// That a formula about one state holds at the start.
    fn initially(&mut self, formula: &Formula) -> Claim {
        match self.goals.atoms.statement(formula) {
            Statement::Constant(truth) => Claim::Known(truth),
            Statement::Atom(atom, positive) => {
                let claim = match self.at_start(atom) {
                    Some(truth) => Claim::Known(truth),
                    None => Claim::Goal(self.goals.number(Goal::Initially(atom))),
                };
                if positive { claim } else { claim.not() }
            }
        }
    }

    /// That an atom holds, or fails, in some reachable state.
    fn somewhere(&mut self, atom: u32, value: bool) -> Claim {
        if self.at_start(atom) == Some(value) {
            return Claim::Known(true);
        }
        Claim::Goal(self.goals.number(Goal::Somewhere(atom, value)))
    }

    fn at_start(&self, atom: u32) -> Option<bool> {
        let start = self.goals.start.as_ref()?;
        let predicate = self.goals.atoms.predicate(atom, true)?;
        Some(start.satisfies(&predicate))
    }

    /// A formula of branching time.
    fn branching(&mut self, formula: &Formula) -> Result<Ctl, Refusal> {
        if formula.is_of_state() {
            return Ok(match self.goals.atoms.statement(formula) {
                Statement::Constant(true) => Ctl::True,
                Statement::Constant(false) => Ctl::falsehood(),
                Statement::Atom(atom, true) => Ctl::Atom(atom),
                Statement::Atom(atom, false) => Ctl::Atom(atom).not(),
            });
        }
        Ok(match formula {
            Formula::NoOneStuck | Formula::EveryoneCanEnd => return Err(Refusal::EveryoneInside),
            Formula::DeadlockFree => {
                let deadlock = Ctl::Atom(self.goals.atoms.deadlock(self.has_threads));
                deadlock.not().all_globally()
            }
            Formula::Not(a) => self.branching(a)?.not(),
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.branching(a)?, self.branching(b)?);
                match op {
                    BinaryOp::And => a.and(b),
                    BinaryOp::Implies => a.not().or(b),
                    _ => a.or(b),
                }
            }
            Formula::Path(op, a) => {
                let a = self.branching(a)?;
                match op {
                    PathOp::Reachable | PathOp::SomeFinally => a.some_finally(),
                    PathOp::AllGlobally => a.all_globally(),
                    PathOp::SomeGlobally => a.some_globally(),
                    PathOp::AllFinally => a.all_finally(),
                    PathOp::SomeNext => a.some_next(),
                    PathOp::AllNext => a.all_next(),
                    PathOp::Always | PathOp::Never | PathOp::Eventually | PathOp::Next => {
                        return Err(Refusal::Mixed);
                    }
                }
            }
            Formula::SomeUntil(a, b) => self.branching(a)?.some_until(self.branching(b)?),
            Formula::AllUntil(a, b) => self.branching(a)?.all_until(self.branching(b)?),
            Formula::Until(..) | Formula::LeadsTo(..) => return Err(Refusal::Mixed),
            Formula::Quantified { subject, .. } => return Err(quantified(subject)),
            Formula::Deadlock | Formula::Term(_) => unreachable!("these are about one state"),
        })
    }

    /// A formula of linear time.
    fn linear(&mut self, formula: &Formula) -> Result<Linear, Refusal> {
        let goals = &mut *self.goals;
        if formula.is_of_state() {
            return Ok(match goals.atoms.statement(formula) {
                Statement::Constant(true) => goals.ltl.truth(),
                Statement::Constant(false) => goals.ltl.falsehood(),
                Statement::Atom(atom, positive) => {
                    let atom = goals.ltl.atom(atom);
                    if positive { atom } else { goals.ltl.not(atom) }
                }
            });
        }
        Ok(match formula {
            Formula::Not(a) => {
                let a = self.linear(a)?;
                self.goals.ltl.not(a)
            }
            Formula::Path(op, a) => {
                let a = self.linear(a)?;
                let ltl = &mut self.goals.ltl;
                match op {
                    PathOp::Always => ltl.always(a),
                    PathOp::Never => {
                        let never = ltl.not(a);
                        ltl.always(never)
                    }
                    PathOp::Eventually => ltl.eventually(a),
                    PathOp::Next => ltl.next(a),
                    _ => return Err(Refusal::Mixed),
                }
            }
            Formula::Binary(_, a, b) | Formula::Until(a, b) | Formula::LeadsTo(a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                let ltl = &mut self.goals.ltl;
                match formula {
                    Formula::Binary(BinaryOp::And, ..) => ltl.and(a, b),
                    Formula::Binary(BinaryOp::Or, ..) => ltl.or(a, b),
                    Formula::Binary(..) => ltl.implies(a, b),
                    Formula::Until(..) => ltl.until(a, b),
                    _ => {
                        let later = ltl.eventually(b);
                        let answered = ltl.implies(a, later);
                        ltl.always(answered)
                    }
                }
            }
            Formula::Quantified { subject, .. } => return Err(quantified(subject)),
            _ => return Err(Refusal::Mixed),
        })
    }
}
