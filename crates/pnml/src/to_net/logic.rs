//! Conditions, put together so that what is known beforehand is computed.
//!
//! A literal never stands within a conjunction, a disjunction or a comparison of literals; negations
//! stand before conjunctions, implications and variables only. Long chains are balanced, since whatever
//! walks over an expression takes stack for its depth. Linear in what is put together.

use net::{BinaryOp, EnumId, Expr, Literal, UnaryOp, Var};

/// Chains up to this length group to the left, as people write them.
const LONGEST_CHAIN: usize = 16;
/// Doubles are looked for in lists up to this length.
const FEW: usize = 64;

pub(super) fn truth(holds: bool) -> Expr {
    Expr::Literal(Literal::Bool(holds))
}

/// The truth value that an expression has, whatever its variables are.
pub(super) fn known(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Literal(Literal::Bool(holds)) => Some(*holds),
        _ => None,
    }
}

pub(super) fn member(id: EnumId, index: u32) -> Expr {
    Expr::Literal(Literal::Enum(id, index))
}

pub(super) fn not(expr: Expr) -> Expr {
    use BinaryOp::*;
    match expr {
        Expr::Literal(Literal::Bool(holds)) => truth(!holds),
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        Expr::Binary(op @ (Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual), a, b) => {
            let opposite = match op {
                Equal => NotEqual,
                NotEqual => Equal,
                Less => GreaterEqual,
                LessEqual => Greater,
                Greater => LessEqual,
                _ => Less,
            };
            Expr::Binary(opposite, a, b)
        }
        Expr::Binary(Or, ..) => all_of(operands(expr, Or).into_iter().map(not).collect::<Vec<_>>()),
        _ => Expr::Unary(UnaryOp::Not, Box::new(expr)),
    }
}

/// `a and b and c`.
pub(super) fn all_of(list: impl IntoIterator<Item = Expr>) -> Expr {
    join(list, BinaryOp::And, true)
}

/// `a or b or c`.
pub(super) fn any_of(list: impl IntoIterator<Item = Expr>) -> Expr {
    join(list, BinaryOp::Or, false)
}

pub(super) fn implies(a: Expr, b: Expr) -> Expr {
    match (known(&a), known(&b)) {
        (Some(false), _) | (_, Some(true)) => truth(true),
        (Some(true), _) => b,
        (_, Some(false)) => not(a),
        _ => Expr::binary(BinaryOp::Implies, a, b),
    }
}

/// What must hold together for the expression to hold.
pub(super) fn conjuncts(expr: Expr) -> Vec<Expr> {
    match known(&expr) {
        Some(true) => Vec::new(),
        _ => operands(expr, BinaryOp::And),
    }
}

/// `neutral` is the truth value that can be left out; the other one decides.
fn join(list: impl IntoIterator<Item = Expr>, op: BinaryOp, neutral: bool) -> Expr {
    let mut parts: Vec<Expr> = Vec::new();
    for expr in list {
        match known(&expr) {
            Some(holds) if holds == neutral => {}
            Some(holds) => return truth(holds),
            None => {
                for part in operands(expr, op) {
                    if parts.len() > FEW || !parts.contains(&part) {
                        parts.push(part);
                    }
                }
            }
        }
    }
    chain(parts, op).unwrap_or_else(|| truth(neutral))
}

/// The operands of a chain of one operator, in their order.
fn operands(expr: Expr, op: BinaryOp) -> Vec<Expr> {
    let mut left = vec![expr];
    let mut list = Vec::new();
    while let Some(expr) = left.pop() {
        match expr {
            Expr::Binary(found, a, b) if found == op => {
                left.push(*b);
                left.push(*a);
            }
            other => list.push(other),
        }
    }
    list
}

/// The operands joined again; none if there are none.
fn chain(mut parts: Vec<Expr>, op: BinaryOp) -> Option<Expr> {
    if parts.len() > LONGEST_CHAIN {
        let right = parts.split_off(parts.len().div_ceil(2));
        return Some(Expr::binary(op, chain(parts, op)?, chain(right, op)?));
    }
    parts.into_iter().reduce(|a, b| Expr::binary(op, a, b))
}

pub(super) fn equal(a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        _ if a == b => truth(true),
        (Expr::Literal(Literal::Bool(true)), _) => b,
        (_, Expr::Literal(Literal::Bool(true))) => a,
        (Expr::Literal(Literal::Bool(false)), _) => not(b),
        (_, Expr::Literal(Literal::Bool(false))) => not(a),
        (Expr::Literal(_), Expr::Literal(_)) => truth(false),
        _ => Expr::binary(BinaryOp::Equal, a, b),
    }
}

/// `<`, `<=`, `>` or `>=` on members of one enumeration, or on integers.
pub(super) fn compare(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    use BinaryOp::*;
    let ordering = match (&a, &b) {
        _ if a == b => Some(std::cmp::Ordering::Equal),
        (Expr::Literal(Literal::Enum(_, x)), Expr::Literal(Literal::Enum(_, y))) => Some(x.cmp(y)),
        (Expr::Literal(Literal::Int(x)), Expr::Literal(Literal::Int(y))) => Some(x.cmp(y)),
        _ => None,
    };
    match ordering {
        None => Expr::binary(op, a, b),
        Some(ordering) => truth(match op {
            Less => ordering.is_lt(),
            LessEqual => ordering.is_le(),
            Greater => ordering.is_gt(),
            _ => ordering.is_ge(),
        }),
    }
}

/// `if condition then a else b`.
pub(super) fn choose(condition: Expr, a: Expr, b: Expr) -> Expr {
    match known(&condition) {
        Some(true) => a,
        Some(false) => b,
        None if a == b => a,
        None => Expr::If(Box::new(condition), Box::new(a), Box::new(b)),
    }
}

/// The sum of two numbers, unless that is too large.
pub(super) fn plus(a: Expr, b: Expr) -> Option<Expr> {
    Some(match (&a, &b) {
        (Expr::Literal(Literal::Int(x)), Expr::Literal(Literal::Int(y))) => {
            Expr::int(x.checked_add(*y)?)
        }
        (Expr::Literal(Literal::Int(0)), _) => b,
        (_, Expr::Literal(Literal::Int(0))) => a,
        _ => Expr::binary(BinaryOp::Add, a, b),
    })
}

/// The expression with others in place of variables, computed again.
pub(super) fn substitute(expr: &Expr, by: &dyn Fn(Var) -> Option<Expr>) -> Expr {
    let of = |expr: &Expr| substitute(expr, by);
    match expr {
        Expr::Var(var) => by(*var).unwrap_or_else(|| expr.clone()),
        Expr::Unary(UnaryOp::Not, a) => not(of(a)),
        Expr::Unary(op, a) => Expr::Unary(*op, Box::new(of(a))),
        Expr::Binary(op, a, b) => match op {
            BinaryOp::And => all_of(operands(expr.clone(), *op).iter().map(of)),
            BinaryOp::Or => any_of(operands(expr.clone(), *op).iter().map(of)),
            BinaryOp::Implies => implies(of(a), of(b)),
            BinaryOp::Equal => equal(of(a), of(b)),
            BinaryOp::NotEqual => not(equal(of(a), of(b))),
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                compare(*op, of(a), of(b))
            }
            _ => Expr::binary(*op, of(a), of(b)),
        },
        Expr::If(condition, a, b) => choose(of(condition), of(a), of(b)),
        // No variable that is replaced stands in a successor: `all` has none.
        Expr::Shift(a, id, steps) => Expr::Shift(Box::new(of(a)), *id, *steps),
        Expr::Within(a, id, part) => Expr::Within(Box::new(of(a)), *id, *part),
        _ => expr.clone(),
    }
}

/// The number of operations in an expression.
pub(super) fn size(expr: &Expr) -> usize {
    let mut count = 0;
    expr.walk(&mut |_| count += 1);
    count
}
