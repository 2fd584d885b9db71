//! What a property comes to: a formula of one logic over numbered statements about single states.
//!
//! `always`, `never`, `eventually`, `next`, `until` and `leads_to` are of linear time and hold of a model when
//! they hold on all its runs; `reachable`, `deadlock_free` and the operators with A and E are of branching
//! time. One of a kind inside one of the other would be a formula of CTL*, and is refused. What is neither
//! is said of the initial state.

use check::{Ctl, Ltl};
use net::{BinaryOp, Formula, PathOp, PlaceId, Property, Quantifier, Subject, Term, Var};

/// A statement about a single state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// What a formula says of it.
    Says(Formula),
    /// It is a deadlock.
    Deadlock,
}

/// What is claimed of the graph of states.
#[derive(Debug)]
pub(super) enum Shape {
    /// The statement holds in every state.
    Everywhere(u32),
    /// The statement fails in every state.
    Nowhere(u32),
    /// The statement holds in some state.
    Somewhere(u32),
    /// A formula of branching time.
    Branching(Ctl),
    /// A formula of linear time.
    Linear(Box<Ltl>, check::Formula),
}

/// A property in the form in which it is decided.
#[derive(Debug)]
pub(super) struct Claim {
    /// What is claimed: of the model, or of runs that begin when a thread enters a place.
    pub(super) shape: Shape,
    /// The thread followed, and the place it enters.
    pub(super) followed: Option<(Var, PlaceId)>,
    /// If this never holds, the property holds only vacuously.
    pub(super) premise: Option<u32>,
}

/// The statements that claims are made of.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    pub(super) all: Vec<Atom>,
    variables: usize,
}

impl Atoms {
    /// How many variables the properties have, at most.
    pub(super) fn variables(&self) -> usize {
        self.variables
    }

    fn number(&mut self, atom: Atom) -> u32 {
        let known = self.all.iter().position(|other| *other == atom);
        known.unwrap_or_else(|| {
            self.all.push(atom);
            self.all.len() - 1
        }) as u32
    }

    fn says(&mut self, formula: &Formula) -> u32 {
        self.number(Atom::Says(formula.clone()))
    }
}

impl Claim {
    /// What a property comes to, or why it cannot be decided.
    pub(super) fn of(property: &Property, atoms: &mut Atoms) -> Result<Claim, String> {
        atoms.variables = atoms.variables.max(property.variables.len());
        let (followed, formula) = match &property.formula {
            Formula::Quantified { quantifier, thread, subject: Subject::Entering(at), body } => {
                if *quantifier == Quantifier::Exists {
                    return Err(
                        "it says of some thread what can only be asked of all that enter a \
                         place; write `forall`, or ask for the opposite"
                            .into(),
                    );
                }
                (thread.map(|thread| (thread, *at)), &**body)
            }
            formula => (None, formula),
        };
        let premise = premise(formula).map(|premise| atoms.says(&premise));
        let shape = match formula {
            // Of a followed thread only runs that begin when it enters are meant, not all states.
            _ if followed.is_some() => in_general(formula, atoms)?,
            Formula::DeadlockFree => Shape::Nowhere(atoms.number(Atom::Deadlock)),
            Formula::Path(op, inner) if inner.is_of_state() => match op {
                PathOp::Always | PathOp::AllGlobally => Shape::Everywhere(atoms.says(inner)),
                PathOp::Never => Shape::Nowhere(atoms.says(inner)),
                PathOp::Reachable | PathOp::SomeFinally => Shape::Somewhere(atoms.says(inner)),
                _ => in_general(formula, atoms)?,
            },
            _ => in_general(formula, atoms)?,
        };
        Ok(Claim { shape, followed, premise })
    }
}

fn in_general(formula: &Formula, atoms: &mut Atoms) -> Result<Shape, String> {
    match kind(formula)? {
        Kind::Branching => Ok(Shape::Branching(branching(formula, atoms))),
        Kind::State | Kind::Linear => {
            let mut ltl = Ltl::new();
            let formula = linear(formula, &mut ltl, atoms);
            Ok(Shape::Linear(Box::new(ltl), formula))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    State,
    Linear,
    Branching,
}

/// The logic of a formula.
fn kind(formula: &Formula) -> Result<Kind, String> {
    let both = |a: &Formula, b: &Formula| joined(kind(a)?, kind(b)?);
    match formula {
        Formula::DeadlockFree => Ok(Kind::Branching),
        _ if formula.is_of_state() => Ok(Kind::State),
        Formula::Not(a) => kind(a),
        Formula::Binary(_, a, b) => both(a, b),
        Formula::Path(op, a) => joined(kind_of(*op), kind(a)?),
        Formula::Until(a, b) | Formula::LeadsTo(a, b) => joined(Kind::Linear, both(a, b)?),
        Formula::AllUntil(a, b) | Formula::SomeUntil(a, b) => joined(Kind::Branching, both(a, b)?),
        Formula::Quantified { subject: Subject::Entering(_), .. } => {
            Err("a thread is followed inside of something else, or beside another: `entering` can \
                 only come first, and once; make it a property of its own"
                .into())
        }
        Formula::Quantified { .. } => Err(
            "it says of the threads or tokens of one state what becomes of them later; to follow \
                 a thread, write `forall p entering PLACE: …`"
                .into(),
        ),
        Formula::Term(_) | Formula::Deadlock => Ok(Kind::State),
    }
}

fn kind_of(op: PathOp) -> Kind {
    match op {
        PathOp::Always | PathOp::Never | PathOp::Eventually | PathOp::Next => Kind::Linear,
        _ => Kind::Branching,
    }
}

fn joined(a: Kind, b: Kind) -> Result<Kind, String> {
    match (a, b) {
        (Kind::State, other) | (other, Kind::State) => Ok(other),
        (a, b) if a == b => Ok(a),
        _ => Err("it mixes linear time (`always`, `eventually`, `until`, …) with branching time \
             (`reachable`, `deadlock_free`, AG, EF, …); make it several properties, or say all of it \
             in one of the two"
            .into()),
    }
}

fn branching(formula: &Formula, atoms: &mut Atoms) -> Ctl {
    if formula.is_of_state() {
        return Ctl::Atom(atoms.says(formula));
    }
    let mut inner = |formula: &Formula| branching(formula, atoms);
    match formula {
        Formula::DeadlockFree => Ctl::Atom(atoms.number(Atom::Deadlock)).not().all_globally(),
        Formula::Not(a) => inner(a).not(),
        Formula::Binary(op, a, b) => {
            let (a, b) = (inner(a), inner(b));
            match op {
                BinaryOp::And => a.and(b),
                BinaryOp::Or => a.or(b),
                _ => a.not().or(b),
            }
        }
        Formula::Path(op, a) => {
            let a = inner(a);
            match op {
                PathOp::AllGlobally => a.all_globally(),
                PathOp::AllFinally => a.all_finally(),
                PathOp::AllNext => a.all_next(),
                PathOp::SomeGlobally => a.some_globally(),
                PathOp::SomeNext => a.some_next(),
                _ => a.some_finally(),
            }
        }
        Formula::AllUntil(a, b) => inner(a).all_until(inner(b)),
        Formula::SomeUntil(a, b) => inner(a).some_until(inner(b)),
        _ => unreachable!("it is of branching time"),
    }
}

fn linear(formula: &Formula, ltl: &mut Ltl, atoms: &mut Atoms) -> check::Formula {
    if formula.is_of_state() {
        return ltl.atom(atoms.says(formula));
    }
    match formula {
        Formula::Not(a) => {
            let a = linear(a, ltl, atoms);
            ltl.not(a)
        }
        Formula::Path(op, a) => {
            let a = linear(a, ltl, atoms);
            match op {
                PathOp::Always => ltl.always(a),
                PathOp::Eventually => ltl.eventually(a),
                PathOp::Next => ltl.next(a),
                _ => {
                    let none = ltl.not(a);
                    ltl.always(none)
                }
            }
        }
        Formula::Binary(_, a, b) | Formula::Until(a, b) | Formula::LeadsTo(a, b) => {
            let (a, b) = (linear(a, ltl, atoms), linear(b, ltl, atoms));
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
        _ => unreachable!("it is of linear time"),
    }
}

/// What must hold some time if a formula is not to hold vacuously.
fn premise(formula: &Formula) -> Option<Formula> {
    match formula {
        Formula::Path(PathOp::Always | PathOp::AllGlobally, inner) if inner.is_of_state() => {
            premise_of_state(inner)
        }
        Formula::Path(PathOp::Always | PathOp::AllGlobally, inner) => match &**inner {
            Formula::Binary(BinaryOp::Implies, a, _) if a.is_of_state() => Some((**a).clone()),
            _ => None,
        },
        Formula::LeadsTo(a, _) if a.is_of_state() => Some((**a).clone()),
        _ => None,
    }
}

/// The premise of `P implies Q`; of `forall x …: F` that there is such an x, with the premise of F.
fn premise_of_state(formula: &Formula) -> Option<Formula> {
    match formula {
        Formula::Binary(BinaryOp::Implies, a, _) => Some((**a).clone()),
        Formula::Quantified { quantifier: Quantifier::Forall, thread, subject, body } => {
            let truth = || Formula::Term(Term::Literal(net::Literal::Bool(true)));
            Some(Formula::Quantified {
                quantifier: Quantifier::Exists,
                thread: *thread,
                subject: subject.clone(),
                body: Box::new(premise_of_state(body).unwrap_or_else(truth)),
            })
        }
        _ => None,
    }
}
