//! What the contest's properties claim of a net, in the net's own words.
//!
//! Formulas are of CTL* in the files; a net has CTL and LTL. Branching time: every operator on paths stands
//! right under its quantifier, or can be brought there, since `A` goes through conjunctions, `E` through
//! disjunctions, and both through negation. Linear time: one `A` in front of everything. What is neither is
//! refused. Which of the two is meant has to be said, for where a path ends they differ: nothing comes
//! next in branching time, the last state comes again in linear time.
//!
//! Lists of places and of transitions become balanced trees. Linear in the file, but for equivalences of
//! formulas about the future, which are written out, up to a limit.

use std::collections::HashMap;

use net::{BinaryOp, Formula as Claimed, Literal, Origin, PathOp, PlaceId, Term, TransitionId};

use super::{Comparison, Formula, FormulaShape, Property, Quantity, QuantityShape, Question};
use crate::document::Id;
use diagnostics::Span;
use diagnostics::nearest;
use diagnostics::{Diagnostic, Diagnostics, Report};

/// The parts of formulas that are written out, at most, in one property.
const PARTS: usize = 1 << 20;

/// How formulas about paths are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// CTL.
    Branching,
    /// LTL, over all paths.
    Linear,
}

/// What a property says of a net.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// That this holds.
    Holds(net::Property),
    /// Nothing; it asks how great this can become.
    Greatest(Term),
}

/// What properties, read from this text, say of the net that a document means.
///
/// # Errors
///
/// For each by itself: the net lacks a place or a transition, or has no words for the formula.
pub fn claims(
    properties: &[Property],
    net: &net::Net,
    reading: Reading,
    text: &str,
) -> Vec<Result<Claim, Report>> {
    let places = (0..).map(PlaceId).zip(&net.places);
    let transitions = (0..).map(TransitionId).zip(&net.transitions);
    let places = places.map(|(id, place)| (&*place.name, (id, place.columns.len()))).collect();
    let transitions = transitions.map(|(id, transition)| (&*transition.name, id)).collect();
    let mut words = Words { places, transitions, parts: 0 };
    let claim = |property: &Property| {
        words.parts = 0;
        words.claim(property, reading).map_err(|error| {
            let mut sink = Diagnostics::default();
            sink.report(|| *error);
            sink.finish(text)
        })
    };
    properties.iter().map(claim).collect()
}

struct Words<'n> {
    /// By name, with the number of columns.
    places: HashMap<&'n str, (PlaceId, usize)>,
    transitions: HashMap<&'n str, TransitionId>,
    /// How much was written out.
    parts: usize,
}

type Said<T> = Result<T, Box<Diagnostic>>;

impl Words<'_> {
    fn claim(&mut self, property: &Property, reading: Reading) -> Said<Claim> {
        let formula = match (&property.question, reading) {
            (Question::Value(quantity), _) => return Ok(Claim::Greatest(self.asked(quantity)?)),
            (Question::Holds(formula), Reading::Branching) => self.branching(formula)?,
            (Question::Holds(formula), Reading::Linear) => match &formula.shape {
                FormulaShape::AllPaths(path) => self.linear(path)?,
                _ => self.linear(formula)?,
            },
        };
        let name = property.id.text.clone();
        let text = property.description.clone().unwrap_or_else(|| name.clone());
        let (variables, origin) = (Vec::new(), Origin::default());
        Ok(Claim::Holds(net::Property { name, text, variables, formula, origin }))
    }

    /// A formula of branching time about a state.
    fn branching(&mut self, formula: &Formula) -> Said<Claimed> {
        use FormulaShape as F;
        match &formula.shape {
            F::AllPaths(path) => self.paths(path, true),
            F::ExistsPath(path) => self.paths(path, false),
            F::Next(_) | F::Globally(_) | F::Finally(_) | F::Until(_) => Err(unsayable(
                formula.span,
                "the operator is not right under a quantifier of paths",
                "CTL has `all-paths` or `exists-path` right before each of these operators",
            )),
            _ => self.connective(formula, Self::branching),
        }
    }

    /// What holds of all paths from a state, or of some.
    fn paths(&mut self, path: &Formula, all: bool) -> Said<Claimed> {
        use FormulaShape as F;
        let mut later = |all_op, some_op, a| -> Said<Claimed> {
            let op = if all { all_op } else { some_op };
            Ok(Claimed::Path(op, Box::new(self.branching(a)?)))
        };
        Ok(match &path.shape {
            F::Next(a) => later(PathOp::AllNext, PathOp::SomeNext, a)?,
            F::Globally(a) => later(PathOp::AllGlobally, PathOp::SomeGlobally, a)?,
            F::Finally(a) => later(PathOp::AllFinally, PathOp::SomeFinally, a)?,
            F::Until(parts) => {
                let [a, b] = &**parts;
                let (a, b) = (Box::new(self.branching(a)?), Box::new(self.branching(b)?));
                if all { Claimed::AllUntil(a, b) } else { Claimed::SomeUntil(a, b) }
            }
            F::Not(a) => Claimed::Not(Box::new(self.paths(a, !all)?)),
            F::And(parts) if all => {
                let parts: Said<Vec<_>> = parts.iter().map(|part| self.paths(part, true)).collect();
                joined(BinaryOp::And, parts?)
            }
            F::Or(parts) if !all => {
                let parts: Said<Vec<_>> =
                    parts.iter().map(|part| self.paths(part, false)).collect();
                joined(BinaryOp::Or, parts?)
            }
            // It says nothing about paths, or is refused.
            _ => self.branching(path)?,
        })
    }

    /// A formula of linear time.
    fn linear(&mut self, formula: &Formula) -> Said<Claimed> {
        use FormulaShape as F;
        let mut later =
            |op, a| -> Said<Claimed> { Ok(Claimed::Path(op, Box::new(self.linear(a)?))) };
        match &formula.shape {
            F::Next(a) => later(PathOp::Next, a),
            F::Globally(a) => later(PathOp::Always, a),
            F::Finally(a) => later(PathOp::Eventually, a),
            F::Until(parts) => {
                let [a, b] = &**parts;
                Ok(Claimed::Until(Box::new(self.linear(a)?), Box::new(self.linear(b)?)))
            }
            F::AllPaths(_) | F::ExistsPath(_) => Err(unsayable(
                formula.span,
                "there is a quantifier of paths where linear time has none",
                "LTL has one `all-paths`, in front of everything",
            )),
            _ => self.connective(formula, Self::linear),
        }
    }

    /// What says nothing about paths itself.
    fn connective(
        &mut self,
        formula: &Formula,
        of: fn(&mut Self, &Formula) -> Said<Claimed>,
    ) -> Said<Claimed> {
        use FormulaShape as F;
        Ok(match &formula.shape {
            F::True => truth(true),
            F::False => truth(false),
            F::Deadlock => Claimed::Deadlock,
            F::Fireable(ids) => {
                let enabled = |id| self.transition(id).map(|id| Claimed::Term(Term::Enabled(id)));
                let enabled: Said<Vec<_>> = ids.iter().map(enabled).collect();
                joined(BinaryOp::Or, enabled?)
            }
            F::Compare(comparison, a, b) => {
                let (a, b) = (self.quantity(a)?, self.quantity(b)?);
                Claimed::Term(Term::Binary(operator(*comparison), Box::new(a), Box::new(b)))
            }
            F::Not(a) => Claimed::Not(Box::new(of(self, a)?)),
            F::And(parts) | F::Or(parts) => {
                let is_and = matches!(formula.shape, F::And(_));
                let parts: Said<Vec<_>> = parts.iter().map(|part| of(self, part)).collect();
                joined(if is_and { BinaryOp::And } else { BinaryOp::Or }, parts?)
            }
            F::Implies(parts) => {
                let [a, b] = &**parts;
                binary(BinaryOp::Implies, of(self, a)?, of(self, b)?)
            }
            F::Equivalent(parts) | F::Differ(parts) => {
                let [a, b] = &**parts;
                let (a, b) = (of(self, a)?, of(self, b)?);
                let same = self.equivalent(a, b, formula.span)?;
                let is_same = matches!(formula.shape, F::Equivalent(_));
                if is_same { same } else { Claimed::Not(Box::new(same)) }
            }
            F::AllPaths(_)
            | F::ExistsPath(_)
            | F::Next(_)
            | F::Globally(_)
            | F::Finally(_)
            | F::Until(_) => unreachable!("these are about paths"),
        })
    }

    /// Both hold, or neither.
    fn equivalent(&mut self, a: Claimed, b: Claimed, span: Span) -> Said<Claimed> {
        let (a, b) = match (a, b) {
            (Claimed::Term(a), Claimed::Term(b)) => {
                return Ok(Claimed::Term(Term::Binary(BinaryOp::Equal, Box::new(a), Box::new(b))));
            }
            others => others,
        };
        self.parts += size(&a) + size(&b);
        if self.parts > PARTS {
            let message = "written out, the formula is too large";
            return Err(unsayable(span, message, "use fewer equivalences within equivalences"));
        }
        let forth = binary(BinaryOp::Implies, a.clone(), b.clone());
        let back = binary(BinaryOp::Implies, b, a);
        Ok(binary(BinaryOp::And, forth, back))
    }

    /// What is asked for the greatest value of.
    fn asked(&self, quantity: &Quantity) -> Said<Term> {
        match &quantity.shape {
            QuantityShape::Bound(places) => self.tokens(places),
            _ => self.quantity(quantity),
        }
    }

    fn quantity(&self, quantity: &Quantity) -> Said<Term> {
        let all = |parts: &[Quantity]| -> Said<Vec<Term>> {
            parts.iter().map(|part| self.quantity(part)).collect()
        };
        Ok(match &quantity.shape {
            QuantityShape::Constant(number) => Term::Literal(Literal::Int(*number)),
            QuantityShape::Tokens(places) => self.tokens(places)?,
            QuantityShape::Bound(_) => {
                return Err(unsayable(
                    quantity.span,
                    "a bound on all markings is asked for within a formula",
                    "`place-bound` stands alone; `tokens-count` counts in one marking",
                ));
            }
            QuantityShape::Sum(parts) => folded(BinaryOp::Add, all(parts)?, 0),
            QuantityShape::Product(parts) => folded(BinaryOp::Multiply, all(parts)?, 1),
            QuantityShape::Difference(parts) => {
                let [a, b] = &**parts;
                let (a, b) = (self.quantity(a)?, self.quantity(b)?);
                Term::Binary(BinaryOp::Subtract, Box::new(a), Box::new(b))
            }
        })
    }

    fn tokens(&self, ids: &[Id]) -> Said<Term> {
        let count = |id: &Id| match self.places.get(&*id.text) {
            Some((place, columns)) => Ok(Term::Count(*place, vec![None; *columns])),
            None => Err(stranger("place", id, self.places.keys())),
        };
        let counts: Said<Vec<Term>> = ids.iter().map(count).collect();
        Ok(folded(BinaryOp::Add, counts?, 0))
    }

    fn transition(&self, id: &Id) -> Said<TransitionId> {
        let found = self.transitions.get(&*id.text).copied();
        found.ok_or_else(|| stranger("transition", id, self.transitions.keys()))
    }
}

fn unsayable(span: Span, message: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("P0403", message).at(span, "").help(help))
}

fn stranger<'n>(kind: &str, id: &Id, known: impl Iterator<Item = &'n &'n str>) -> Box<Diagnostic> {
    let error = Diagnostic::error("P0401", format!("the net has no {kind} `{id}`")).at(id.span, "");
    let mut known: Vec<&str> = known.copied().collect();
    known.sort_unstable();
    Box::new(match nearest(&id.text, known) {
        Some(meant) => error.help(format!("did you mean `{meant}`?")),
        None => error.help("places and transitions are meant by their identifiers"),
    })
}

fn truth(value: bool) -> Claimed {
    Claimed::Term(Term::Literal(Literal::Bool(value)))
}

fn binary(op: BinaryOp, a: Claimed, b: Claimed) -> Claimed {
    Claimed::Binary(op, Box::new(a), Box::new(b))
}

/// All of them, or one of them, as a balanced tree.
fn joined(op: BinaryOp, parts: Vec<Claimed>) -> Claimed {
    balanced(parts, &|a, b| binary(op, a, b)).unwrap_or(truth(op == BinaryOp::And))
}

fn folded(op: BinaryOp, parts: Vec<Term>, neutral: i64) -> Term {
    let joined = balanced(parts, &|a, b| Term::Binary(op, Box::new(a), Box::new(b)));
    joined.unwrap_or(Term::Literal(Literal::Int(neutral)))
}

/// Joins neighbours until one is left.
fn balanced<T>(mut parts: Vec<T>, join: &dyn Fn(T, T) -> T) -> Option<T> {
    while parts.len() > 1 {
        let mut rest = parts.into_iter();
        let mut next = Vec::with_capacity(rest.len().div_ceil(2));
        while let Some(a) = rest.next() {
            next.push(match rest.next() {
                Some(b) => join(a, b),
                None => a,
            });
        }
        parts = next;
    }
    parts.pop()
}

/// The number of formulas in a formula; terms count once.
fn size(formula: &Claimed) -> usize {
    1 + match formula {
        Claimed::DeadlockFree | Claimed::Deadlock | Claimed::Term(_) => 0,
        Claimed::Not(a) | Claimed::Path(_, a) | Claimed::Quantified { body: a, .. } => size(a),
        Claimed::Binary(_, a, b)
        | Claimed::Until(a, b)
        | Claimed::LeadsTo(a, b)
        | Claimed::AllUntil(a, b)
        | Claimed::SomeUntil(a, b) => size(a) + size(b),
    }
}

fn operator(comparison: Comparison) -> BinaryOp {
    match comparison {
        Comparison::Equal => BinaryOp::Equal,
        Comparison::NotEqual => BinaryOp::NotEqual,
        Comparison::Less => BinaryOp::Less,
        Comparison::LessOrEqual => BinaryOp::LessEqual,
        Comparison::Greater => BinaryOp::Greater,
        Comparison::GreaterOrEqual => BinaryOp::GreaterEqual,
    }
}
