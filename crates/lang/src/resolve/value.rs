//! Typed expressions, with what is constant computed.
//!
//! Whatever is constant is a literal. Arithmetic is that of `net`: `i64`, Euclidean division, `and`, `or`,
//! `implies` and `if` from left to right and only as far as needed.

use net::{Expr, FaultKind, Kind, Literal, Net};

/// Stands where a mistake was reported; no net is built with it.
pub(crate) const WRONG: Expr = Expr::Literal(Literal::Bool(false));

/// An expression and its type; either is `None` after a mistake.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) value: Option<Expr>,
    pub(crate) kind: Option<Kind>,
}

impl Typed {
    pub(crate) fn wrong() -> Typed {
        Typed { value: None, kind: None }
    }

    /// After a mistake that leaves no doubt about the type.
    pub(crate) fn wrong_of(kind: Kind) -> Typed {
        Typed { value: None, kind: Some(kind) }
    }

    pub(crate) fn new(value: Expr, kind: Kind) -> Typed {
        Typed { value: Some(value), kind: Some(kind) }
    }

    pub(crate) fn literal(literal: Literal) -> Typed {
        Typed::new(Expr::Literal(literal), literal.kind())
    }

    /// `none`, of which it is not known yet what is not there.
    pub(crate) fn nothing() -> Typed {
        Typed { value: Some(Expr::Literal(Literal::None(Kind::Bool))), kind: None }
    }

    /// Whether it is `none`, and not known what is not there.
    pub(crate) fn is_nothing(&self) -> bool {
        self.kind.is_none() && matches!(self.as_literal(), Some(Literal::None(_)))
    }

    /// What `none` is where something of a type is expected.
    pub(crate) fn settled(self, kind: Option<Kind>) -> Typed {
        match kind {
            Some(kind) if self.is_nothing() => Typed::literal(Literal::None(kind)),
            _ => self,
        }
    }

    pub(crate) fn as_literal(&self) -> Option<Literal> {
        self.value.as_ref().and_then(as_literal)
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self.as_literal() {
            Some(Literal::Bool(truth)) => Some(truth),
            _ => None,
        }
    }

    pub(crate) fn into_expr(self) -> Expr {
        self.value.unwrap_or(WRONG)
    }
}

fn as_literal(expr: &Expr) -> Option<Literal> {
    match expr {
        Expr::Literal(literal) => Some(*literal),
        _ => None,
    }
}

/// The integer or truth value of an operator, if its operands are literals.
pub(crate) fn computed(net: &Net, value: &Expr) -> Option<Result<i64, FaultKind>> {
    let is_operator = matches!(value, Expr::Unary(..) | Expr::Binary(..) | Expr::Within(..));
    let is_constant = is_operator && value.children().all(|child| as_literal(child).is_some());
    is_constant.then(|| value.value(&net.enumerations, &|_| 0))
}
