//! Typed expressions, with what is constant computed.
//!
//! One tree serves transitions ([`net::Expr`]) and properties ([`net::Term`]). Whatever is constant is
//! a literal in it. Arithmetic is that of `net`: `i64`, Euclidean division, `and`, `or`, `implies` and
//! `if` from left to right and only as far as needed.

use net::{
    BinaryOp, EnumId, Expr, FaultKind, Kind, Literal, Net, PlaceId, Term, TransitionId, UnaryOp,
    Var,
};

/// A typed expression.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Literal(Literal),
    Var(Var),
    Unary(UnaryOp, Box<Value>),
    Binary(BinaryOp, Box<Value>, Box<Value>),
    If(Box<Value>, Box<Value>, Box<Value>),
    Relation(&'static str, Var, Var),
    /// The member a number of steps after another.
    Shift(Box<Value>, EnumId, i32),
    /// Whether a member is in a part.
    Within(Box<Value>, EnumId, u32),
    Field(Var, PlaceId, usize),
    Count(PlaceId, Vec<Option<Value>>),
    At(Var, PlaceId),
    Ended(Var),
    Enabled(TransitionId),
    /// A mistake, reported; no net is built with it.
    Wrong,
}

/// A value and its type; `None` after a mistake.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) value: Value,
    pub(crate) kind: Option<Kind>,
}

impl Typed {
    pub(crate) fn wrong() -> Typed {
        Typed { value: Value::Wrong, kind: None }
    }

    /// After a mistake that leaves no doubt about the type.
    pub(crate) fn wrong_of(kind: Kind) -> Typed {
        Typed::new(Value::Wrong, kind)
    }

    pub(crate) fn new(value: Value, kind: Kind) -> Typed {
        Typed { value, kind: Some(kind) }
    }

    pub(crate) fn is_wrong(&self) -> bool {
        matches!(self.value, Value::Wrong)
    }

    pub(crate) fn literal(literal: Literal) -> Typed {
        Typed::new(Value::Literal(literal), literal.kind())
    }
}

impl Value {
    pub(crate) fn as_literal(&self) -> Option<Literal> {
        match self {
            Value::Literal(literal) => Some(*literal),
            _ => None,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self.as_literal() {
            Some(Literal::Bool(truth)) => Some(truth),
            _ => None,
        }
    }

    /// As an expression of a transition. What has none there was reported before.
    pub(crate) fn into_expr(self) -> Expr {
        let boxed = |value: Box<Value>| Box::new(value.into_expr());
        match self {
            Value::Literal(literal) => Expr::Literal(literal),
            Value::Var(v) => Expr::Var(v),
            Value::Unary(op, a) => Expr::Unary(op, boxed(a)),
            Value::Binary(op, a, b) => Expr::Binary(op, boxed(a), boxed(b)),
            Value::If(c, a, b) => Expr::If(boxed(c), boxed(a), boxed(b)),
            Value::Relation(name, a, b) => match name.parse() {
                Ok(relation) => Expr::Relation(relation, a, b),
                Err(_) => Expr::Literal(Literal::Bool(false)),
            },
            Value::Shift(a, id, steps) => Expr::Shift(boxed(a), id, steps),
            Value::Within(a, id, part) => Expr::Within(boxed(a), id, part),
            _ => Expr::Literal(Literal::Bool(false)),
        }
    }

    /// As a term of a property; or what it has that terms have not, and what to write instead.
    pub(crate) fn into_term(self) -> Result<Term, (&'static str, &'static str)> {
        let boxed = |value: Box<Value>| value.into_term().map(Box::new);
        Ok(match self {
            Value::Literal(literal) => Term::Literal(literal),
            Value::Var(v) => Term::Var(v),
            Value::Unary(op, a) => Term::Unary(op, boxed(a)?),
            Value::Binary(op, a, b) => Term::Binary(op, boxed(a)?, boxed(b)?),
            Value::Relation(name, a, b) => match name.parse() {
                Ok(relation) => Term::Relation(relation, a, b),
                Err(_) => Term::Literal(Literal::Bool(false)),
            },
            Value::Field(v, place, column) => Term::Field(v, place, column),
            Value::Count(place, pattern) => {
                let terms =
                    pattern.into_iter().map(|value| value.map(Value::into_term).transpose());
                Term::Count(place, terms.collect::<Result<_, _>>()?)
            }
            Value::At(v, place) => Term::At(v, place),
            Value::Ended(v) => Term::Ended(v),
            Value::Enabled(transition) => Term::Enabled(transition),
            Value::If(..) => return Err(("`if`", "write `(c and a) or (not c and b)`")),
            Value::Shift(..) => {
                let help = "let a transition put what is asked for into a token";
                return Err(("`succ` or `pred`", help));
            }
            Value::Within(..) => {
                let help = "compare with a part of one member: `x == leader`";
                return Err(("`in` for a part of several members", help));
            }
            Value::Wrong => Term::Literal(Literal::Bool(false)),
        })
    }
}

/// The integer or truth value of an operator, if its operands are literals.
pub(crate) fn computed(net: &Net, value: &Value) -> Option<Result<i64, FaultKind>> {
    let is_literal = |value: &Value| value.as_literal().is_some();
    let is_constant = match value {
        Value::Unary(_, a) | Value::Within(a, ..) => is_literal(a),
        Value::Binary(_, a, b) => is_literal(a) && is_literal(b),
        _ => false,
    };
    is_constant.then(|| value.clone().into_expr().value(&net.enumerations, &|_| 0))
}

/// Whether a condition holds for these members of classes.
pub(crate) fn holds(net: &Net, condition: &Expr, members: &[u32]) -> Result<bool, FaultKind> {
    let value = condition.value(&net.enumerations, &|var| members[var.index()]);
    value.map(|number| number != 0)
}
