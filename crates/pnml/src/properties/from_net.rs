//! Properties of nets as the contest's files say them.
//!
//! The other direction of [`claims`](super::claims()). The files count the tokens of whole places and ask
//! whether transitions can fire; they cannot speak of threads, patterns and quantifiers. A formula of
//! linear time is one about all paths.

use net::{BinaryOp, Expr, Formula as Claimed, Literal, PathOp, UnaryOp};

use super::{Formula, Operator, Property};
use crate::from_net::{Unsayable, id};
use diagnostics::Span;

/// A property of a net, as a file says it.
///
/// # Errors
///
/// What in it the files cannot say.
pub fn from_net(property: &net::Property, net: &net::Net) -> Result<Property, Unsayable> {
    // Whether an operator of linear time occurs.
    let is_linear = property.formula.any(&|formula| match formula {
        Claimed::Until(..) | Claimed::LeadsTo(..) => true,
        Claimed::Path(op, _) => matches!(op, PathOp::Always | PathOp::Eventually | PathOp::Next),
        _ => false,
    });
    let writer = Writer { net, is_linear };
    let formula = writer.formula(&property.formula).map_err(|what| Unsayable {
        place: format!("property `{}`", property.name),
        what: format!("{what}, which property files cannot say"),
    })?;
    let formula = if is_linear { of(Operator::AllPaths, [formula]) } else { formula };
    let (id, description) = (id(&property.name), Some(property.text.clone()));
    Ok(Property { id, description, formula, span: Span::default() })
}

type Said<T> = Result<T, &'static str>;

struct Writer<'n> {
    net: &'n net::Net,
    /// Whether operators on the future are those of linear time.
    is_linear: bool,
}

fn of(operator: Operator, operands: impl Into<Vec<Formula>>) -> Formula {
    Formula { operator, operands: operands.into(), span: Span::default() }
}

impl Writer<'_> {
    fn formula(&self, formula: &Claimed) -> Said<Formula> {
        let pair = |a: &Claimed, b: &Claimed| Ok([self.formula(a)?, self.formula(b)?]);
        Ok(match formula {
            Claimed::DeadlockFree => {
                self.branching()?;
                let free = of(Operator::Not, [of(Operator::Deadlock, [])]);
                of(Operator::AllPaths, [of(Operator::Globally, [free])])
            }
            Claimed::NoOneStuck | Claimed::EveryoneCanEnd => {
                return Err("it speaks of single threads");
            }
            Claimed::Deadlock => of(Operator::Deadlock, []),
            Claimed::Term(term) => self.truth(term)?,
            Claimed::Not(a) => of(Operator::Not, [self.formula(a)?]),
            Claimed::Binary(op, a, b) => of(Operator::Binary(*op), pair(a, b)?),
            Claimed::Path(op, a) => self.path(*op, self.formula(a)?)?,
            Claimed::Until(a, b) => of(Operator::Until, pair(a, b)?),
            Claimed::LeadsTo(a, b) => {
                let then = of(Operator::Finally, [self.formula(b)?]);
                let implies = Operator::Binary(BinaryOp::Implies);
                of(Operator::Globally, [of(implies, [self.formula(a)?, then])])
            }
            Claimed::AllUntil(a, b) => {
                self.branching()?;
                of(Operator::AllPaths, [of(Operator::Until, pair(a, b)?)])
            }
            Claimed::SomeUntil(a, b) => {
                self.branching()?;
                of(Operator::ExistsPath, [of(Operator::Until, pair(a, b)?)])
            }
            Claimed::Quantified { .. } => return Err("it speaks of single threads or tokens"),
        })
    }

    /// Operators with a quantifier of paths do not go together with those of linear time.
    fn branching(&self) -> Said<()> {
        if self.is_linear { Err("it mixes branching and linear time") } else { Ok(()) }
    }

    fn path(&self, op: PathOp, a: Formula) -> Said<Formula> {
        use Operator::{AllPaths, ExistsPath, Finally, Globally, Next};
        let (quantifier, operator) = match op {
            PathOp::Always => return Ok(of(Globally, [a])),
            PathOp::Eventually => return Ok(of(Finally, [a])),
            PathOp::Next => return Ok(of(Next, [a])),
            PathOp::Never | PathOp::AllGlobally => (AllPaths, Globally),
            PathOp::AllFinally => (AllPaths, Finally),
            PathOp::AllNext => (AllPaths, Next),
            PathOp::Reachable | PathOp::SomeFinally => (ExistsPath, Finally),
            PathOp::SomeGlobally => (ExistsPath, Globally),
            PathOp::SomeNext => (ExistsPath, Next),
        };
        self.branching()?;
        let a = if op == PathOp::Never { of(Operator::Not, [a]) } else { a };
        Ok(of(quantifier, [of(operator, [a])]))
    }

    fn truth(&self, term: &Expr) -> Said<Formula> {
        use BinaryOp::{And, Equal, Implies, NotEqual, Or};
        Ok(match term {
            Expr::Literal(Literal::Bool(true)) => of(Operator::True, []),
            Expr::Literal(Literal::Bool(false)) => of(Operator::False, []),
            Expr::Enabled(transition) => {
                let transition = id(&self.net.transition(*transition).name);
                of(Operator::Fireable(vec![transition]), [])
            }
            Expr::Unary(UnaryOp::Not, a) => of(Operator::Not, [self.truth(a)?]),
            Expr::Binary(op @ (And | Or | Implies), a, b) => {
                of(Operator::Binary(*op), [self.truth(a)?, self.truth(b)?])
            }
            Expr::Binary(op, a, b) if op.is_order() || matches!(op, Equal | NotEqual) => {
                of(Operator::Binary(*op), [self.integer(a)?, self.integer(b)?])
            }
            Expr::Binary(..) => return Err(COMPUTES),
            _ => return Err("it speaks of single threads or tokens"),
        })
    }

    fn integer(&self, term: &Expr) -> Said<Formula> {
        use BinaryOp::{Add, Multiply, Subtract};
        Ok(match term {
            Expr::Literal(Literal::Int(number)) => of(Operator::Constant(*number), []),
            Expr::Count(place, pattern) if pattern.iter().all(Option::is_none) => {
                of(Operator::Tokens(vec![id(&self.net.place(*place).name)]), [])
            }
            Expr::Count(..) => return Err("it counts only some of the tokens of a place"),
            Expr::Binary(op @ (Add | Multiply | Subtract), a, b) => {
                of(Operator::Binary(*op), [self.integer(a)?, self.integer(b)?])
            }
            _ => return Err(COMPUTES),
        })
    }
}

const COMPUTES: &str = "it computes with something else than numbers of tokens";
