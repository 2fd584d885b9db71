//! Conditions on members of classes and nothing else: their values, and which members they leave out.
//!
//! A condition on one member alone is said as a difference, `all` without these members, whatever it is made of; so it has
//! one form in nets that come from documents.

use net::{BinaryOp, EnumId, Expr, Literal, UnaryOp, Var};

/// Conditions on classes with more members are left as they are.
pub(crate) const MOST_MEMBERS: u64 = 1024;

/// What is known of classes.
pub(crate) trait Members {
    /// The member this many steps on.
    fn shifted(&self, id: EnumId, member: u32, steps: i32) -> Option<u32>;
    /// Whether a member is in a part.
    fn is_within(&self, id: EnumId, part: u32, member: u32) -> bool;
}

/// The only variable of a condition, if it has only one.
pub(crate) fn only_variable(condition: &Expr) -> Option<Var> {
    let mut found: Option<Var> = None;
    let mut only = true;
    condition.variables(&mut |var| {
        only &= found.is_none_or(|other| other == var);
        found = Some(var);
    });
    found.filter(|_| only)
}

/// The members of a class of this size for which a condition on its only variable does not hold; none if
/// it cannot be told.
pub(crate) fn left_out(
    condition: &Expr,
    id: EnumId,
    size: u64,
    members: &dyn Members,
) -> Option<Vec<u32>> {
    if size > MOST_MEMBERS {
        return None;
    }
    let mut list = Vec::new();
    for member in 0..size as u32 {
        let given = |_| Some(Literal::Enum(id, member));
        match value(condition, &given, members)? {
            Literal::Bool(true) => {}
            Literal::Bool(false) => list.push(member),
            _ => return None,
        }
    }
    Some(list)
}

/// The value of an expression for values of its variables; none if it has others, or computes with pids or
/// integers.
pub(crate) fn value(
    expr: &Expr,
    given: &dyn Fn(Var) -> Option<Literal>,
    members: &dyn Members,
) -> Option<Literal> {
    let of = |expr: &Expr| value(expr, given, members);
    let holds = |expr: &Expr| match of(expr)? {
        Literal::Bool(holds) => Some(holds),
        _ => None,
    };
    let truth = |holds: bool| Some(Literal::Bool(holds));
    match expr {
        Expr::Literal(literal) => Some(*literal),
        Expr::Var(var) => given(*var),
        Expr::Unary(UnaryOp::Not, a) => truth(!holds(a)?),
        Expr::If(condition, a, b) => of(if holds(condition)? { a } else { b }),
        Expr::Shift(a, id, steps) => match of(a)? {
            Literal::Enum(_, member) => {
                Some(Literal::Enum(*id, members.shifted(*id, member, *steps)?))
            }
            _ => None,
        },
        Expr::Within(a, id, part) => match of(a)? {
            Literal::Enum(_, member) => truth(members.is_within(*id, *part, member)),
            _ => None,
        },
        Expr::Binary(op, a, b) => match op {
            BinaryOp::And => truth(holds(a)? && holds(b)?),
            BinaryOp::Or => truth(holds(a)? || holds(b)?),
            BinaryOp::Implies => truth(!holds(a)? || holds(b)?),
            BinaryOp::Equal => truth(of(a)? == of(b)?),
            BinaryOp::NotEqual => truth(of(a)? != of(b)?),
            op => match (of(a)?, of(b)?) {
                (Literal::Enum(_, a), Literal::Enum(_, b)) => match op {
                    BinaryOp::Less => truth(a < b),
                    BinaryOp::LessEqual => truth(a <= b),
                    BinaryOp::Greater => truth(a > b),
                    BinaryOp::GreaterEqual => truth(a >= b),
                    _ => None,
                },
                _ => None,
            },
        },
        Expr::Unary(UnaryOp::Negate, _) | Expr::Relation(..) => None,
    }
}
