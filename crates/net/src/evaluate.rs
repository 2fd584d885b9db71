//! The values of expressions, as numbers.

use crate::expr::something;
use crate::{BinaryOp, EnumId, Enumeration, Expr, FaultKind, UnaryOp, Var};

/// What is known of the members of classes.
pub trait Members {
    /// The member this many steps on, if there is one.
    fn shifted(&self, id: EnumId, member: u32, steps: i32) -> Option<u32>;
    /// Whether a member is in a part.
    fn is_within(&self, id: EnumId, part: u32, member: u32) -> bool;
}

impl Members for Vec<Enumeration> {
    fn shifted(&self, id: EnumId, member: u32, steps: i32) -> Option<u32> {
        self[id.index()].shifted(member, steps)
    }

    fn is_within(&self, id: EnumId, part: u32, member: u32) -> bool {
        self[id.index()].part(part as usize).contains(&member)
    }
}

impl Expr {
    /// The value for these members in place of the variables, as a number: members by their indices,
    /// truth values as 0 and 1. Pids are not related.
    ///
    /// # Errors
    /// If there is no such value.
    pub fn value(
        &self,
        classes: &dyn Members,
        given: &dyn Fn(Var) -> u32,
    ) -> Result<i64, FaultKind> {
        self.evaluate(classes, &|leaf| match leaf {
            Expr::Var(var) => Ok(given(*var).into()),
            _ => Ok(0),
        })
    }

    /// The value as a number, where `leaf` gives that of variables and of all else that is not made of
    /// literals and operators.
    pub(crate) fn evaluate<E: From<FaultKind>>(
        &self,
        classes: &dyn Members,
        leaf: &impl Fn(&Expr) -> Result<i64, E>,
    ) -> Result<i64, E> {
        let of = |expr: &Expr| expr.evaluate(classes, leaf);
        Ok(match self {
            Expr::Literal(literal) => literal.number(),
            Expr::Unary(UnaryOp::Not, a) => 1 - of(a)?,
            Expr::Unary(UnaryOp::Negate, a) => of(a)?.checked_neg().ok_or(FaultKind::Overflow)?,
            Expr::Unary(UnaryOp::Value, a) => something(of(a)?)?,
            Expr::Binary(op, a, b) => {
                let first = of(a)?;
                match op.decided(first != 0) {
                    Some(holds) => holds.into(),
                    None => op.apply(first, of(b)?)?,
                }
            }
            Expr::If(condition, a, b) => of(if of(condition)? != 0 { a } else { b })?,
            Expr::Shift(a, id, steps) => {
                let shifted = classes.shifted(*id, of(a)? as u32, *steps);
                shifted.ok_or(FaultKind::NoMember { enumeration: *id })?.into()
            }
            Expr::Within(a, id, part) => classes.is_within(*id, *part, of(a)? as u32).into(),
            _ => leaf(self)?,
        })
    }
}

impl BinaryOp {
    /// What the first operand alone makes of `and`, `or` and `implies`, if it decides their value.
    #[must_use]
    pub fn decided(self, first: bool) -> Option<bool> {
        match (self, first) {
            (BinaryOp::And, false) => Some(false),
            (BinaryOp::Or, true) | (BinaryOp::Implies, false) => Some(true),
            _ => None,
        }
    }
}
