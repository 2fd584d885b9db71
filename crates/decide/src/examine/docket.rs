//! What is asked, taken apart into what engines decide; and what they have decided.
//!
//! A question is a connection of *matters*: whether some reachable state satisfies a predicate, whether a
//! formula of branching time holds at the start, whether one of linear time holds of all runs. What is said
//! of the present state alone is known at once. Equal matters are one. Engines settle matters in whatever
//! order they can; a question is answered when what is settled decides it.

use std::collections::HashMap;

use check::{Ctl, Formula as Linear, Ltl};
use net::{BinaryOp, Formula, PathOp, Term};
use num_bigint::BigInt;
use unfold::Predicate;

use super::predicate::{Refusal, Sum, View, falsehood, not, predicate};

/// What is asked of a net.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Whether this holds: of the initial state, and if it is of linear time, of all runs from there.
    Holds(Formula),
    /// The greatest value of a number in a reachable state.
    Greatest(Term),
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Whether it holds.
    Holds(bool),
    /// The greatest value.
    Greatest(BigInt),
    /// There is no greatest value.
    Unbounded,
}

/// Something that engines decide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Matter {
    /// Some reachable state satisfies the predicate.
    Somewhere(Predicate),
    /// The formula holds at the start; its atoms are those of the docket.
    Branching(Ctl),
    /// All runs from the start satisfy the formula.
    Linear(Linear),
    /// The greatest value of a sum of tokens, each place times a factor.
    Greatest(Vec<(u32, i64)>),
}

/// A question in terms of matters, by number.
#[derive(Clone, Debug)]
enum Claim {
    Known(bool),
    Matter(usize),
    Not(Box<Claim>),
    All(Vec<Claim>),
    Any(Vec<Claim>),
    /// The matter's value and a constant.
    Greatest(usize, i64),
}

/// All questions, all matters.
#[derive(Debug)]
pub struct Docket {
    /// The predicates that formulas about paths speak of, by number.
    pub atoms: Vec<Predicate>,
    /// The formulas of linear time.
    pub ltl: Ltl,
    /// Each with what was found, if anything was.
    pub matters: Vec<(Matter, Option<Answer>)>,
    atom_numbers: HashMap<Predicate, u32>,
    matter_numbers: HashMap<Matter, usize>,
    /// Questions without answer, by their number.
    open: Vec<(usize, Claim)>,
    start: View,
}

impl Docket {
    /// Takes questions apart. Told is also the first state. What is refused stays without an answer.
    pub fn new(questions: &[Question], start: View) -> (Docket, Vec<(usize, Refusal)>) {
        let mut docket = Docket {
            atoms: Vec::new(),
            ltl: Ltl::new(),
            matters: Vec::new(),
            atom_numbers: HashMap::new(),
            matter_numbers: HashMap::new(),
            open: Vec::new(),
            start,
        };
        let mut refused = Vec::new();
        for (number, question) in questions.iter().enumerate() {
            let claim = match question {
                Question::Holds(formula) => docket.claim(formula),
                Question::Greatest(term) => Sum::of(term).map(|sum| {
                    let matter = Matter::Greatest(sum.terms.into_iter().collect());
                    Claim::Greatest(docket.matter(matter), sum.constant)
                }),
            };
            match claim {
                Ok(claim) => docket.open.push((number, claim)),
                Err(refusal) => refused.push((number, refusal)),
            }
        }
        (docket, refused)
    }

    /// Whether everything is answered.
    pub fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Notes what was found. What was found before is not changed.
    pub fn settle(&mut self, matter: usize, answer: Answer) {
        self.matters[matter].1.get_or_insert(answer);
    }

    /// Takes out the questions that can be answered now.
    pub fn answered(&mut self) -> Vec<(usize, Answer)> {
        let mut answered = Vec::new();
        let Docket { open, matters, .. } = self;
        open.retain(|(number, claim)| match claim.answer(matters) {
            Some(answer) => {
                answered.push((*number, answer));
                false
            }
            None => true,
        });
        answered
    }

    /// The matters that some question without answer depends on and that are not settled.
    pub fn pending(&self) -> Vec<usize> {
        let mut pending = Vec::new();
        self.open.iter().for_each(|(_, claim)| claim.pending(&self.matters, &mut pending));
        pending.sort_unstable();
        pending.dedup();
        pending
    }

    fn matter(&mut self, matter: Matter) -> usize {
        let next = self.matters.len();
        let number = *self.matter_numbers.entry(matter.clone()).or_insert(next);
        if number == next {
            self.matters.push((matter, None));
        }
        number
    }

    fn somewhere(&mut self, predicate: Predicate) -> Claim {
        if predicate == falsehood() || self.start.satisfies(&predicate) {
            return Claim::Known(predicate != falsehood());
        }
        Claim::Matter(self.matter(Matter::Somewhere(predicate)))
    }

    fn everywhere(&mut self, predicate: Predicate) -> Claim {
        Claim::Not(Box::new(self.somewhere(not(predicate))))
    }

    fn atom(&mut self, predicate: Predicate) -> u32 {
        let next = self.atoms.len() as u32;
        let number = *self.atom_numbers.entry(predicate.clone()).or_insert(next);
        if number == next {
            self.atoms.push(predicate);
        }
        number
    }

    fn claim(&mut self, formula: &Formula) -> Result<Claim, Refusal> {
        let of_state = match predicate(formula) {
            Ok(predicate) => return Ok(Claim::Known(self.start.satisfies(&predicate))),
            Err(Refusal::Path) => |formula: &Formula| predicate(formula).ok(),
            Err(refusal) => return Err(refusal),
        };
        match formula {
            Formula::DeadlockFree => return Ok(self.everywhere(not(Predicate::Dead))),
            Formula::Binary(BinaryOp::And, a, b) => {
                return Ok(Claim::All(vec![self.claim(a)?, self.claim(b)?]));
            }
            Formula::Path(PathOp::Reachable | PathOp::SomeFinally, a) => {
                if let Some(predicate) = of_state(a) {
                    return Ok(self.somewhere(predicate));
                }
            }
            Formula::Path(PathOp::AllGlobally | PathOp::Always, a) => {
                if let Some(predicate) = of_state(a) {
                    return Ok(self.everywhere(predicate));
                }
            }
            Formula::Path(PathOp::Never, a) => {
                if let Some(predicate) = of_state(a) {
                    return Ok(self.everywhere(not(predicate)));
                }
            }
            _ => {}
        }
        if is_linear(formula) {
            let formula = self.linear(formula)?;
            return Ok(match formula {
                _ if formula == self.ltl.truth() => Claim::Known(true),
                // There is always a run.
                _ if formula == self.ltl.falsehood() => Claim::Known(false),
                _ => Claim::Matter(self.matter(Matter::Linear(formula))),
            });
        }
        Ok(match formula {
            Formula::Not(a) => Claim::Not(Box::new(self.claim(a)?)),
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.claim(a)?, self.claim(b)?);
                let a = if *op == BinaryOp::Implies { Claim::Not(Box::new(a)) } else { a };
                Claim::Any(vec![a, b])
            }
            _ => match self.branching(formula)? {
                Ctl::True => Claim::Known(true),
                Ctl::Not(inner) if *inner == Ctl::True => Claim::Known(false),
                Ctl::Not(inner) => {
                    Claim::Not(Box::new(Claim::Matter(self.matter(Matter::Branching(*inner)))))
                }
                formula => Claim::Matter(self.matter(Matter::Branching(formula))),
            },
        })
    }

    /// A formula of branching time, small where constants allow it.
    fn branching(&mut self, formula: &Formula) -> Result<Ctl, Refusal> {
        match predicate(formula) {
            Ok(Predicate::True) => return Ok(Ctl::True),
            Ok(predicate) if not(predicate.clone()) == Predicate::True => {
                return Ok(Ctl::True.not());
            }
            Ok(Predicate::Not(inner)) => return Ok(Ctl::Atom(self.atom(*inner)).not()),
            Ok(predicate) => return Ok(Ctl::Atom(self.atom(predicate))),
            Err(Refusal::Path) => {}
            Err(refusal) => return Err(refusal),
        }
        let falsehood = || Ctl::True.not();
        let next = |a: Ctl| if a == falsehood() { a } else { a.some_next() };
        let globally = |a: Ctl| match a {
            Ctl::True => a,
            _ if a == falsehood() => a,
            _ => a.some_globally(),
        };
        let until = |a: Ctl, b: Ctl| match (&a, &b) {
            (_, Ctl::True) => b,
            _ if a == falsehood() || b == falsehood() => b,
            (Ctl::True, Ctl::SomeUntil(x, _)) if **x == Ctl::True => b,
            _ => a.some_until(b),
        };
        Ok(match formula {
            Formula::DeadlockFree => {
                let dead = Ctl::Atom(self.atom(Predicate::Dead));
                until(Ctl::True, dead).not()
            }
            Formula::Not(a) => self.branching(a)?.not(),
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.branching(a)?, self.branching(b)?);
                match op {
                    BinaryOp::And => both(a, b),
                    BinaryOp::Implies => both(a, b.not()).not(),
                    _ => both(a.not(), b.not()).not(),
                }
            }
            Formula::Path(op, a) => {
                let a = self.branching(a)?;
                match op {
                    PathOp::Reachable | PathOp::SomeFinally => until(Ctl::True, a),
                    PathOp::AllGlobally => until(Ctl::True, a.not()).not(),
                    PathOp::SomeGlobally => globally(a),
                    PathOp::AllFinally => globally(a.not()).not(),
                    PathOp::SomeNext => next(a),
                    PathOp::AllNext => next(a.not()).not(),
                    PathOp::Always | PathOp::Never | PathOp::Eventually | PathOp::Next => {
                        return Err(Refusal::Mixed);
                    }
                }
            }
            Formula::SomeUntil(a, b) => until(self.branching(a)?, self.branching(b)?),
            Formula::AllUntil(a, b) => {
                let (a, b) = (self.branching(a)?, self.branching(b)?);
                let without = b.not();
                let too_early = until(without.clone(), both(a.not(), without.clone()));
                both(too_early.not(), globally(without).not())
            }
            Formula::Until(..) | Formula::LeadsTo(..) => return Err(Refusal::Mixed),
            Formula::Deadlock | Formula::Term(_) | Formula::Quantified { .. } => {
                unreachable!("these are about the present state")
            }
        })
    }

    /// A formula of linear time.
    fn linear(&mut self, formula: &Formula) -> Result<Linear, Refusal> {
        match predicate(formula) {
            Ok(Predicate::True) => return Ok(self.ltl.truth()),
            Ok(Predicate::Not(inner)) if *inner == Predicate::True => {
                return Ok(self.ltl.falsehood());
            }
            Ok(Predicate::Not(inner)) => {
                let atom = self.atom(*inner);
                let atom = self.ltl.atom(atom);
                return Ok(self.ltl.not(atom));
            }
            Ok(predicate) => {
                let atom = self.atom(predicate);
                return Ok(self.ltl.atom(atom));
            }
            Err(Refusal::Path) => {}
            Err(refusal) => return Err(refusal),
        }
        Ok(match formula {
            Formula::Not(a) => {
                let a = self.linear(a)?;
                self.ltl.not(a)
            }
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                match op {
                    BinaryOp::And => self.ltl.and(a, b),
                    BinaryOp::Implies => self.ltl.implies(a, b),
                    _ => self.ltl.or(a, b),
                }
            }
            Formula::Path(op, a) => {
                let a = self.linear(a)?;
                match op {
                    PathOp::Always => self.ltl.always(a),
                    PathOp::Never => {
                        let never = self.ltl.not(a);
                        self.ltl.always(never)
                    }
                    PathOp::Eventually => self.ltl.eventually(a),
                    PathOp::Next => self.ltl.next(a),
                    _ => return Err(Refusal::Mixed),
                }
            }
            Formula::Until(a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                self.ltl.until(a, b)
            }
            Formula::LeadsTo(a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                let later = self.ltl.eventually(b);
                let leads = self.ltl.implies(a, later);
                self.ltl.always(leads)
            }
            _ => return Err(Refusal::Mixed),
        })
    }
}

fn both(a: Ctl, b: Ctl) -> Ctl {
    match (&a, &b) {
        (Ctl::True, _) => b,
        (_, Ctl::True) => a,
        _ if a == b => a,
        _ if a == Ctl::True.not() || b == Ctl::True.not() || a == b.clone().not() => {
            Ctl::True.not()
        }
        _ => a.and(b),
    }
}

/// Whether there is an operator of linear time in a formula.
fn is_linear(formula: &Formula) -> bool {
    match formula {
        Formula::DeadlockFree | Formula::Deadlock | Formula::Term(_) => false,
        Formula::Path(PathOp::Always | PathOp::Never | PathOp::Eventually | PathOp::Next, _)
        | Formula::Until(..)
        | Formula::LeadsTo(..) => true,
        Formula::Not(a) | Formula::Path(_, a) | Formula::Quantified { body: a, .. } => is_linear(a),
        Formula::Binary(_, a, b) | Formula::AllUntil(a, b) | Formula::SomeUntil(a, b) => {
            is_linear(a) || is_linear(b)
        }
    }
}

impl Claim {
    fn answer(&self, matters: &[(Matter, Option<Answer>)]) -> Option<Answer> {
        match self {
            Claim::Greatest(matter, constant) => match &matters[*matter].1 {
                Some(Answer::Greatest(value)) => Some(Answer::Greatest(value + *constant)),
                other => other.clone(),
            },
            _ => self.holds(matters).map(Answer::Holds),
        }
    }

    /// Whether it holds, if that is known.
    fn holds(&self, matters: &[(Matter, Option<Answer>)]) -> Option<bool> {
        // One part may decide a connection whose others are not known.
        let decided = |parts: &[Claim], by: bool| {
            let mut all_known = true;
            for part in parts {
                match part.holds(matters) {
                    Some(value) if value == by => return Some(by),
                    Some(_) => {}
                    None => all_known = false,
                }
            }
            all_known.then_some(!by)
        };
        match self {
            Claim::Known(value) => Some(*value),
            Claim::Matter(matter) | Claim::Greatest(matter, _) => match matters[*matter].1 {
                Some(Answer::Holds(value)) => Some(value),
                _ => None,
            },
            Claim::Not(inner) => inner.holds(matters).map(|value| !value),
            Claim::All(parts) => decided(parts, false),
            Claim::Any(parts) => decided(parts, true),
        }
    }

    fn pending(&self, matters: &[(Matter, Option<Answer>)], pending: &mut Vec<usize>) {
        match self {
            Claim::Known(_) => {}
            Claim::Matter(matter) | Claim::Greatest(matter, _) => {
                if matters[*matter].1.is_none() {
                    pending.push(*matter);
                }
            }
            Claim::Not(inner) => inner.pending(matters, pending),
            Claim::All(parts) | Claim::Any(parts) => {
                if self.holds(matters).is_none() {
                    parts.iter().for_each(|part| part.pending(matters, pending));
                }
            }
        }
    }
}
