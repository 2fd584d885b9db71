//! What the contest's properties claim of a net, as properties of the net.
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

use net::{BinaryOp, Expr, Formula as Claimed, Literal, Origin, PathOp, PlaceId, TransitionId};

use super::{Formula, Operator, Property};
use crate::document::Id;
use diagnostics::{Diagnostic, Report, Span};

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
    Greatest(Expr),
}

/// What properties, read from this text, say of the net that a document means.
///
/// # Errors
///
/// For each by itself: the net lacks a place or a transition, or cannot express the formula.
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
    let mut translation = Translation { places, transitions, parts: 0 };
    let claim = |property: &Property| {
        translation.parts = 0;
        translation.claim(property, reading).map_err(|error| Report::of(*error, text))
    };
    properties.iter().map(claim).collect()
}

struct Translation<'n> {
    /// By name, with the number of columns.
    places: HashMap<&'n str, (PlaceId, usize)>,
    transitions: HashMap<&'n str, TransitionId>,
    /// How much was written out.
    parts: usize,
}

type Said<T> = Result<T, Box<Diagnostic>>;

impl Translation<'_> {
    fn claim(&mut self, property: &Property, reading: Reading) -> Said<Claim> {
        let asked = &property.formula;
        if asked.is_integer() {
            return Ok(Claim::Greatest(match &asked.operator {
                Operator::Bound(places) => self.tokens(places)?,
                _ => self.integer(asked)?,
            }));
        }
        let formula = match (reading, &asked.operator, &asked.operands[..]) {
            (Reading::Branching, ..) => self.branching(asked)?,
            (Reading::Linear, Operator::AllPaths, [path]) => self.linear(path)?,
            (Reading::Linear, ..) => self.linear(asked)?,
        };
        let name = property.id.text.clone();
        let text = property.description.clone().unwrap_or_else(|| name.clone());
        // It is not read from the text of the net.
        let (variables, origin) = (Vec::new(), Origin::default());
        Ok(Claim::Holds(net::Property { name, text, variables, formula, origin }))
    }

    /// A formula of branching time about a state.
    fn branching(&mut self, formula: &Formula) -> Said<Claimed> {
        use Operator::{AllPaths, ExistsPath, Finally, Globally, Next, Until};
        match (&formula.operator, &formula.operands[..]) {
            (AllPaths, [path]) => self.paths(path, true),
            (ExistsPath, [path]) => self.paths(path, false),
            (Next | Globally | Finally | Until, _) => Err(unsayable(
                formula.span,
                "the operator is not right under a quantifier of paths",
                "CTL has `all-paths` or `exists-path` right before each of these operators",
            )),
            _ => self.connective(formula, Self::branching),
        }
    }

    /// What holds of all paths from a state, or of some.
    fn paths(&mut self, path: &Formula, all: bool) -> Said<Claimed> {
        let mut later = |all_op, some_op, a| -> Said<Claimed> {
            let op = if all { all_op } else { some_op };
            Ok(Claimed::Path(op, Box::new(self.branching(a)?)))
        };
        Ok(match (&path.operator, &path.operands[..]) {
            (Operator::Next, [a]) => later(PathOp::AllNext, PathOp::SomeNext, a)?,
            (Operator::Globally, [a]) => later(PathOp::AllGlobally, PathOp::SomeGlobally, a)?,
            (Operator::Finally, [a]) => later(PathOp::AllFinally, PathOp::SomeFinally, a)?,
            (Operator::Until, [a, b]) => {
                let (a, b) = (Box::new(self.branching(a)?), Box::new(self.branching(b)?));
                if all { Claimed::AllUntil(a, b) } else { Claimed::SomeUntil(a, b) }
            }
            (Operator::Not, [a]) => Claimed::Not(Box::new(self.paths(a, !all)?)),
            (Operator::Binary(op @ (BinaryOp::And | BinaryOp::Or)), parts)
                if all == (*op == BinaryOp::And) =>
            {
                let parts = parts.iter().map(|part| self.paths(part, all));
                joined(*op, parts.collect::<Said<Vec<_>>>()?)
            }
            // It says nothing about paths, or is refused.
            _ => self.branching(path)?,
        })
    }

    /// A formula of linear time.
    fn linear(&mut self, formula: &Formula) -> Said<Claimed> {
        let mut later =
            |op, a| -> Said<Claimed> { Ok(Claimed::Path(op, Box::new(self.linear(a)?))) };
        match (&formula.operator, &formula.operands[..]) {
            (Operator::Next, [a]) => later(PathOp::Next, a),
            (Operator::Globally, [a]) => later(PathOp::Always, a),
            (Operator::Finally, [a]) => later(PathOp::Eventually, a),
            (Operator::Until, [a, b]) => {
                Ok(Claimed::Until(Box::new(self.linear(a)?), Box::new(self.linear(b)?)))
            }
            (Operator::AllPaths | Operator::ExistsPath, _) => Err(unsayable(
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
        use BinaryOp::{And, Implies, Or};
        Ok(match (&formula.operator, &formula.operands[..]) {
            (Operator::True, _) => truth(true),
            (Operator::False, _) => truth(false),
            (Operator::Deadlock, _) => Claimed::Deadlock,
            (Operator::Fireable(ids), _) => {
                let enabled = |id| self.transition(id).map(|id| Claimed::Term(Expr::Enabled(id)));
                joined(Or, ids.iter().map(enabled).collect::<Said<Vec<_>>>()?)
            }
            (Operator::Not, [a]) => Claimed::Not(Box::new(of(self, a)?)),
            (Operator::Binary(op @ (And | Or)), parts) => {
                let parts: Said<Vec<_>> = parts.iter().map(|part| of(self, part)).collect();
                joined(*op, parts?)
            }
            (Operator::Binary(Implies), [a, b]) => binary(Implies, of(self, a)?, of(self, b)?),
            (Operator::Binary(op), [a, b]) if !formula.is_integer() => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                Claimed::Term(Expr::Binary(*op, Box::new(a), Box::new(b)))
            }
            (Operator::Equivalent | Operator::Differ, [a, b]) => {
                let (a, b) = (of(self, a)?, of(self, b)?);
                let same = self.equivalent(a, b, formula.span)?;
                let is_same = formula.operator == Operator::Equivalent;
                if is_same { same } else { Claimed::Not(Box::new(same)) }
            }
            _ => return Err(misapplied(formula.span)),
        })
    }

    /// Both hold, or neither.
    fn equivalent(&mut self, a: Claimed, b: Claimed, span: Span) -> Said<Claimed> {
        let (a, b) = match (a, b) {
            (Claimed::Term(a), Claimed::Term(b)) => {
                return Ok(Claimed::Term(Expr::Binary(BinaryOp::Equal, Box::new(a), Box::new(b))));
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

    fn integer(&self, formula: &Formula) -> Said<Expr> {
        Ok(match (&formula.operator, &formula.operands[..]) {
            (Operator::Constant(number), _) => Expr::Literal(Literal::Int(*number)),
            (Operator::Tokens(places), _) => self.tokens(places)?,
            (Operator::Bound(_), _) => {
                return Err(unsayable(
                    formula.span,
                    "a bound on all markings is asked for within a formula",
                    "`place-bound` stands alone; `tokens-count` counts in one marking",
                ));
            }
            (Operator::Binary(op), parts @ [_, ..]) if formula.is_integer() => {
                let parts: Said<Vec<_>> = parts.iter().map(|part| self.integer(part)).collect();
                folded(*op, parts?)
            }
            _ => return Err(misapplied(formula.span)),
        })
    }

    fn tokens(&self, ids: &[Id]) -> Said<Expr> {
        let count = |id: &Id| match self.places.get(&*id.text) {
            Some((place, columns)) => Ok(Expr::Count(*place, vec![None; *columns])),
            None => Err(unknown("place", id, self.places.keys())),
        };
        Ok(folded(BinaryOp::Add, ids.iter().map(count).collect::<Said<Vec<Expr>>>()?))
    }

    fn transition(&self, id: &Id) -> Said<TransitionId> {
        let found = self.transitions.get(&*id.text).copied();
        found.ok_or_else(|| unknown("transition", id, self.transitions.keys()))
    }
}

fn unsayable(span: Span, message: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("P0403", message).at(span, "").help(help))
}

/// Reports what cannot be read from a file: a formula with other operands than its operator takes.
fn misapplied(span: Span) -> Box<Diagnostic> {
    unsayable(span, "these operands do not go with the operator", "see what the element takes")
}

fn unknown<'n>(kind: &str, id: &Id, known: impl Iterator<Item = &'n &'n str>) -> Box<Diagnostic> {
    let otherwise = "places and transitions are named by their identifiers";
    let error = Diagnostic::error("P0401", format!("the net has no {kind} `{id}`")).at(id.span, "");
    Box::new(error.help_nearest(&id.text, known.copied(), otherwise))
}

fn truth(value: bool) -> Claimed {
    Claimed::Term(Expr::Literal(Literal::Bool(value)))
}

fn binary(op: BinaryOp, a: Claimed, b: Claimed) -> Claimed {
    Claimed::Binary(op, Box::new(a), Box::new(b))
}

/// All of them, or one of them, as a balanced tree.
fn joined(op: BinaryOp, parts: Vec<Claimed>) -> Claimed {
    balanced(parts, &|a, b| binary(op, a, b)).unwrap_or(truth(op == BinaryOp::And))
}

fn folded(op: BinaryOp, parts: Vec<Expr>) -> Expr {
    let joined = balanced(parts, &|a, b| Expr::Binary(op, Box::new(a), Box::new(b)));
    joined.unwrap_or(Expr::Literal(Literal::Int(0)))
}

fn balanced<T>(mut parts: Vec<T>, join: &dyn Fn(T, T) -> T) -> Option<T> {
    if parts.len() > 1 {
        let right = parts.split_off(parts.len().div_ceil(2));
        return Some(join(balanced(parts, join)?, balanced(right, join)?));
    }
    parts.pop()
}

/// The number of formulas in a formula; terms count once.
fn size(formula: &Claimed) -> usize {
    1 + formula.children().map(size).sum::<usize>()
}
