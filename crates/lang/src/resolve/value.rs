//! Typed expressions, with what is constant computed.
//!
//! One tree serves transitions ([`net::Expr`]) and properties ([`net::Term`]). Whatever is constant is
//! a literal in it. Arithmetic is that of `net`: `i64`, Euclidean division, `and`, `or`, `implies` and
//! `if` from left to right and only as far as needed.

use net::{BinaryOp, EnumId, Expr, Kind, Literal, Net, PlaceId, Term, TransitionId, UnaryOp, Var};

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

    pub(crate) fn new(value: Value, kind: Kind) -> Typed {
        Typed { value, kind: Some(kind) }
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

    /// As a term of a property. What has none there was reported before.
    pub(crate) fn into_term(self) -> Term {
        let boxed = |value: Box<Value>| Box::new(value.into_term());
        match self {
            Value::Literal(literal) => Term::Literal(literal),
            Value::Var(v) => Term::Var(v),
            Value::Unary(op, a) => Term::Unary(op, boxed(a)),
            Value::Binary(op, a, b) => Term::Binary(op, boxed(a), boxed(b)),
            Value::Relation(name, a, b) => match name.parse() {
                Ok(relation) => Term::Relation(relation, a, b),
                Err(_) => Term::Literal(Literal::Bool(false)),
            },
            Value::Field(v, place, column) => Term::Field(v, place, column),
            Value::Count(place, pattern) => {
                let terms = pattern.into_iter().map(|value| value.map(Value::into_term));
                Term::Count(place, terms.collect())
            }
            Value::At(v, place) => Term::At(v, place),
            Value::Ended(v) => Term::Ended(v),
            Value::Enabled(transition) => Term::Enabled(transition),
            Value::If(..) | Value::Shift(..) | Value::Within(..) | Value::Wrong => {
                Term::Literal(Literal::Bool(false))
            }
        }
    }
}

/// Why a constant has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    DivisionByZero,
    Overflow,
    /// A member beyond the ends of a class.
    NoMember(EnumId),
}

/// `op a`, of the right type.
pub(crate) fn unary(op: UnaryOp, a: Literal) -> Result<Option<Literal>, Fault> {
    Ok(match (op, a) {
        (UnaryOp::Not, Literal::Bool(a)) => Some(Literal::Bool(!a)),
        (UnaryOp::Negate, Literal::Int(a)) => {
            Some(Literal::Int(a.checked_neg().ok_or(Fault::Overflow)?))
        }
        _ => None,
    })
}

/// `a op b`, of the right types; `None` if they are not.
pub(crate) fn binary(op: BinaryOp, a: Literal, b: Literal) -> Result<Option<Literal>, Fault> {
    use BinaryOp::*;
    Ok(Some(match (op, a, b) {
        (Equal, a, b) => Literal::Bool(a == b),
        (NotEqual, a, b) => Literal::Bool(a != b),
        (And, Literal::Bool(a), Literal::Bool(b)) => Literal::Bool(a && b),
        (Or, Literal::Bool(a), Literal::Bool(b)) => Literal::Bool(a || b),
        (Implies, Literal::Bool(a), Literal::Bool(b)) => Literal::Bool(!a || b),
        (op, Literal::Enum(a, i), Literal::Enum(b, j)) if a == b => match op {
            Less => Literal::Bool(i < j),
            LessEqual => Literal::Bool(i <= j),
            Greater => Literal::Bool(i > j),
            GreaterEqual => Literal::Bool(i >= j),
            _ => return Ok(None),
        },
        (op, Literal::Int(a), Literal::Int(b)) => match op {
            Less => Literal::Bool(a < b),
            LessEqual => Literal::Bool(a <= b),
            Greater => Literal::Bool(a > b),
            GreaterEqual => Literal::Bool(a >= b),
            Divide | Remainder if b == 0 => return Err(Fault::DivisionByZero),
            _ => {
                let number = match op {
                    Add => a.checked_add(b),
                    Subtract => a.checked_sub(b),
                    Multiply => a.checked_mul(b),
                    Divide => a.checked_div_euclid(b),
                    Remainder => a.checked_rem_euclid(b),
                    _ => return Ok(None),
                };
                Literal::Int(number.ok_or(Fault::Overflow)?)
            }
        },
        _ => return Ok(None),
    }))
}

/// The value of a condition on members of these enumerations; `None` if its types are wrong.
pub(crate) fn evaluate(
    net: &Net,
    expr: &Expr,
    each: &[EnumId],
    members: &[u32],
) -> Result<Option<Literal>, Fault> {
    let of = |expr: &Expr| evaluate(net, expr, each, members);
    Ok(match expr {
        Expr::Literal(literal) => Some(*literal),
        Expr::Var(var) => Some(Literal::Enum(each[var.index()], members[var.index()])),
        Expr::Unary(op, a) => match of(a)? {
            Some(a) => unary(*op, a)?,
            None => None,
        },
        Expr::Binary(op, a, b) => match (op, of(a)?) {
            (BinaryOp::And, Some(Literal::Bool(false))) => Some(Literal::Bool(false)),
            (BinaryOp::Or, Some(Literal::Bool(true)))
            | (BinaryOp::Implies, Some(Literal::Bool(false))) => Some(Literal::Bool(true)),
            (op, Some(a)) => match of(b)? {
                Some(b) => binary(*op, a, b)?,
                None => None,
            },
            (_, None) => None,
        },
        Expr::If(condition, a, b) => match of(condition)? {
            Some(Literal::Bool(true)) => of(a)?,
            Some(Literal::Bool(false)) => of(b)?,
            _ => None,
        },
        Expr::Shift(a, id, steps) => match of(a)? {
            Some(Literal::Enum(_, member)) => {
                let shifted = net.enumerations[id.index()].shifted(member, *steps);
                Some(Literal::Enum(*id, shifted.ok_or(Fault::NoMember(*id))?))
            }
            _ => None,
        },
        Expr::Within(a, id, part) => match of(a)? {
            Some(Literal::Enum(_, member)) => {
                let part = net.enumerations[id.index()].part(*part as usize);
                Some(Literal::Bool(part.contains(&member)))
            }
            _ => None,
        },
        Expr::Relation(..) => None,
    })
}
