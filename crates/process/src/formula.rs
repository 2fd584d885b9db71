//! Expressions of nets, made small: constants are folded, and what cannot be otherwise is left out.

use net::{BinaryOp, Expr, Literal, UnaryOp};

pub(crate) const TRUE: Expr = Expr::Literal(Literal::Bool(true));
pub(crate) const FALSE: Expr = Expr::Literal(Literal::Bool(false));

fn literal(expr: &Expr) -> Option<Literal> {
    match expr {
        Expr::Literal(literal) => Some(*literal),
        _ => None,
    }
}

fn truth(truth: bool) -> Expr {
    Expr::Literal(Literal::Bool(truth))
}

pub(crate) fn not(a: Expr) -> Expr {
    match a {
        Expr::Literal(Literal::Bool(holds)) => truth(!holds),
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        Expr::Binary(BinaryOp::Equal, a, b) => Expr::Binary(BinaryOp::NotEqual, a, b),
        Expr::Binary(BinaryOp::NotEqual, a, b) => Expr::Binary(BinaryOp::Equal, a, b),
        other => Expr::Unary(UnaryOp::Not, Box::new(other)),
    }
}

pub(crate) fn and(a: Expr, b: Expr) -> Expr {
    match (literal(&a), literal(&b)) {
        (Some(Literal::Bool(true)), _) | (_, Some(Literal::Bool(false))) => b,
        (_, Some(Literal::Bool(true))) | (Some(Literal::Bool(false)), _) => a,
        _ if a == b => a,
        _ => Expr::binary(BinaryOp::And, a, b),
    }
}

pub(crate) fn or(a: Expr, b: Expr) -> Expr {
    not(and(not(a), not(b)))
}

pub(crate) fn all(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    conditions.into_iter().fold(TRUE, and)
}

pub(crate) fn any(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    conditions.into_iter().fold(FALSE, or)
}

/// `if condition then a else b`.
pub(crate) fn either(condition: &Expr, a: Expr, b: Expr) -> Expr {
    match (literal(condition), a, b) {
        (Some(Literal::Bool(true)), a, _) => a,
        (Some(Literal::Bool(false)), _, b) => b,
        (_, a, b) if a == b => a,
        (_, a, b) if a == TRUE && b == FALSE => condition.clone(),
        (_, a, b) if a == FALSE && b == TRUE => not(condition.clone()),
        // Whether it is there is asked once.
        (_, Expr::Unary(UnaryOp::Value, a), Expr::Unary(UnaryOp::Value, b)) => {
            value(either(condition, *a, *b))
        }
        (_, a, b) => Expr::If(Box::new(condition.clone()), Box::new(a), Box::new(b)),
    }
}

pub(crate) fn equal(a: Expr, b: Expr) -> Expr {
    match (literal(&a), literal(&b)) {
        (Some(a), Some(b)) => truth(a == b),
        _ if a == b => TRUE,
        _ => Expr::binary(BinaryOp::Equal, a, b),
    }
}

/// An operator on numbers.
pub(crate) fn compute(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    if let (Some(x), Some(y)) = (literal(&a), literal(&b))
        && let Ok(number) = op.apply(x.number(), y.number())
    {
        return match op {
            _ if op.is_order() => truth(number != 0),
            _ => Expr::int(number),
        };
    }
    match (op, literal(&b)) {
        (BinaryOp::Add | BinaryOp::Subtract, Some(Literal::Int(0))) => a,
        _ => Expr::binary(op, a, b),
    }
}

/// What is there, of what is known to be there.
pub(crate) fn value(a: Expr) -> Expr {
    match a {
        Expr::Literal(_) => a,
        other => Expr::Unary(UnaryOp::Value, Box::new(other)),
    }
}

/// The same without asking whether it is there, where that is known: in a comparison, or to find a token.
pub(crate) fn bare(a: Expr) -> Expr {
    match a {
        Expr::Unary(UnaryOp::Value, inner) => *inner,
        other => other,
    }
}

/// Whether it is plain to see that two conditions do not hold together: one is the opposite of the other, or one says
/// that something is above a number, and the other that it is not above a smaller one.
pub(crate) fn contradict(a: &Expr, b: &Expr) -> bool {
    fn above(expr: &Expr) -> Option<(i64, &Expr)> {
        match expr {
            Expr::Binary(BinaryOp::Less, number, of) => match **number {
                Expr::Literal(Literal::Int(number)) => Some((number, of)),
                _ => None,
            },
            _ => None,
        }
    }
    let excludes = |a: &Expr, b: &Expr| match a {
        Expr::Unary(UnaryOp::Not, a) => match (above(a), above(b)) {
            (Some((least, a)), Some((number, b))) => least <= number && a == b,
            _ => false,
        },
        _ => false,
    };
    not(a.clone()) == *b || excludes(a, b) || excludes(b, a)
}
