//! Properties of nets as the contest's files say them.
//!
//! The other direction of [`claims`](super::claims()). The files count the tokens of whole places and ask
//! whether transitions can fire; threads, patterns and quantifiers have no words in them. A formula of
//! linear time is one about all paths.

use net::{BinaryOp, Formula as Claimed, Literal, PathOp, Term, UnaryOp};

use super::{Comparison, Formula, FormulaShape as F, Property, Quantity, QuantityShape, Question};
use crate::document::Id;
use crate::from_net::Unsayable;
use diagnostics::Span;

/// A property of a net, as a file says it.
///
/// # Errors
///
/// What in it the files have no words for.
pub fn from_net(property: &net::Property, net: &net::Net) -> Result<Property, Unsayable> {
    let is_linear = is_linear(&property.formula);
    let writer = Writer { net, is_linear };
    let formula = writer.formula(&property.formula).map_err(|what| Unsayable {
        place: format!("property `{}`", property.name),
        what: format!("{what}, which property files cannot say"),
    })?;
    let formula = if is_linear { of(F::AllPaths(Box::new(formula))) } else { formula };
    Ok(Property {
        id: id(&property.name),
        description: Some(property.text.clone()),
        question: Question::Holds(formula),
        span: Span::default(),
    })
}

/// Whether an operator of linear time occurs.
fn is_linear(formula: &Claimed) -> bool {
    match formula {
        Claimed::Until(..) | Claimed::LeadsTo(..) => true,
        Claimed::Path(PathOp::Always | PathOp::Eventually | PathOp::Next, _) => true,
        Claimed::Path(_, a) | Claimed::Not(a) | Claimed::Quantified { body: a, .. } => is_linear(a),
        Claimed::Binary(_, a, b) | Claimed::AllUntil(a, b) | Claimed::SomeUntil(a, b) => {
            is_linear(a) || is_linear(b)
        }
        Claimed::DeadlockFree | Claimed::Deadlock | Claimed::Term(_) => false,
    }
}

type Said<T> = Result<T, &'static str>;

struct Writer<'n> {
    net: &'n net::Net,
    /// Whether operators on the future are those of linear time.
    is_linear: bool,
}

fn id(name: &str) -> Id {
    Id { text: name.to_owned(), span: Span::default() }
}

fn of(shape: F) -> Formula {
    Formula { shape, span: Span::default() }
}

fn not(formula: Formula) -> Formula {
    of(F::Not(Box::new(formula)))
}

impl Writer<'_> {
    fn formula(&self, formula: &Claimed) -> Said<Formula> {
        let boxed = |a: &Claimed| Ok(Box::new(self.formula(a)?));
        let pair = |a: &Claimed, b: &Claimed| Ok(Box::new([self.formula(a)?, self.formula(b)?]));
        Ok(of(match formula {
            Claimed::DeadlockFree => {
                self.branching()?;
                F::AllPaths(Box::new(of(F::Globally(Box::new(not(of(F::Deadlock)))))))
            }
            Claimed::Deadlock => F::Deadlock,
            Claimed::Term(term) => return self.truth(term),
            Claimed::Not(a) => F::Not(boxed(a)?),
            Claimed::Binary(op, a, b) => match op {
                BinaryOp::And => F::And(Vec::from(*pair(a, b)?)),
                BinaryOp::Or => F::Or(Vec::from(*pair(a, b)?)),
                _ => F::Implies(pair(a, b)?),
            },
            Claimed::Path(op, a) => return self.path(*op, self.formula(a)?),
            Claimed::Until(a, b) => F::Until(pair(a, b)?),
            Claimed::LeadsTo(a, b) => {
                let then = of(F::Finally(boxed(b)?));
                F::Globally(Box::new(of(F::Implies(Box::new([self.formula(a)?, then])))))
            }
            Claimed::AllUntil(a, b) => {
                self.branching()?;
                F::AllPaths(Box::new(of(F::Until(pair(a, b)?))))
            }
            Claimed::SomeUntil(a, b) => {
                self.branching()?;
                F::ExistsPath(Box::new(of(F::Until(pair(a, b)?))))
            }
            Claimed::Quantified { .. } => return Err("it speaks of single threads or tokens"),
        }))
    }

    /// Operators with a quantifier of paths do not go together with those of linear time.
    fn branching(&self) -> Said<()> {
        if self.is_linear { Err("it mixes branching and linear time") } else { Ok(()) }
    }

    fn path(&self, op: PathOp, a: Formula) -> Said<Formula> {
        let a = Box::new(a);
        let linear = match op {
            PathOp::Always => F::Globally(a),
            PathOp::Eventually => F::Finally(a),
            PathOp::Next => F::Next(a),
            _ => {
                self.branching()?;
                let (all, path) = match op {
                    PathOp::Never => (true, F::Globally(Box::new(not(*a)))),
                    PathOp::Reachable | PathOp::SomeFinally => (false, F::Finally(a)),
                    PathOp::AllGlobally => (true, F::Globally(a)),
                    PathOp::AllFinally => (true, F::Finally(a)),
                    PathOp::AllNext => (true, F::Next(a)),
                    PathOp::SomeGlobally => (false, F::Globally(a)),
                    _ => (false, F::Next(a)),
                };
                let path = Box::new(of(path));
                return Ok(of(if all { F::AllPaths(path) } else { F::ExistsPath(path) }));
            }
        };
        Ok(of(linear))
    }

    fn truth(&self, term: &Term) -> Said<Formula> {
        Ok(of(match term {
            Term::Literal(Literal::Bool(true)) => F::True,
            Term::Literal(Literal::Bool(false)) => F::False,
            Term::Enabled(transition) => {
                F::Fireable(vec![id(&self.net.transition(*transition).name)])
            }
            Term::Unary(UnaryOp::Not, a) => F::Not(Box::new(self.truth(a)?)),
            Term::Binary(op, a, b) => {
                let comparison = match op {
                    BinaryOp::And => return Ok(of(F::And(vec![self.truth(a)?, self.truth(b)?]))),
                    BinaryOp::Or => return Ok(of(F::Or(vec![self.truth(a)?, self.truth(b)?]))),
                    BinaryOp::Implies => {
                        return Ok(of(F::Implies(Box::new([self.truth(a)?, self.truth(b)?]))));
                    }
                    BinaryOp::Equal => Comparison::Equal,
                    BinaryOp::NotEqual => Comparison::NotEqual,
                    BinaryOp::Less => Comparison::Less,
                    BinaryOp::LessEqual => Comparison::LessOrEqual,
                    BinaryOp::Greater => Comparison::Greater,
                    BinaryOp::GreaterEqual => Comparison::GreaterOrEqual,
                    _ => return Err("it computes with something else than numbers of tokens"),
                };
                F::Compare(comparison, self.quantity(a)?, self.quantity(b)?)
            }
            _ => return Err("it speaks of single threads or tokens"),
        }))
    }

    fn quantity(&self, term: &Term) -> Said<Quantity> {
        let several = |a: &Term, b: &Term| Ok([self.quantity(a)?, self.quantity(b)?]);
        let shape = match term {
            Term::Literal(Literal::Int(number)) => QuantityShape::Constant(*number),
            Term::Count(place, pattern) if pattern.iter().all(Option::is_none) => {
                QuantityShape::Tokens(vec![id(&self.net.place(*place).name)])
            }
            Term::Count(..) => return Err("it counts only some of the tokens of a place"),
            Term::Binary(BinaryOp::Add, a, b) => QuantityShape::Sum(several(a, b)?.into()),
            Term::Binary(BinaryOp::Multiply, a, b) => QuantityShape::Product(several(a, b)?.into()),
            Term::Binary(BinaryOp::Subtract, a, b) => {
                QuantityShape::Difference(Box::new(several(a, b)?))
            }
            _ => return Err("it computes with something else than numbers of tokens"),
        };
        Ok(Quantity { shape, span: Span::default() })
    }
}
