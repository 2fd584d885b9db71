//! Which expressions are in doubt: those whose evaluation may fault.
//!
//! Only the form of an expression decides, so that people can see it. In doubt is
//!
//! - a division or remainder by anything but a number other than zero;
//! - a step to a neighbour in an enumeration whose first member does not follow the last;
//! - a sum, difference, product or quotient that may lie beyond 64 bits, when each variable may be as
//!   large as 2⁵⁴ (ranges and literals are within ±2⁵³, and narrower than 2³²);
//! - the value of what may be nothing;
//! - the use of a definition that is in doubt, and whatever has a part that is.
//!
//! The compiled engine decides the same for itself, and is tested against this.

use crate::{BinaryOp, Expr, Literal, Net, Transition, UnaryOp, Var};

/// The largest absolute value of a variable.
const VARIABLE: u128 = 1 << 54;

/// What is known of the definitions of a transition.
pub(super) struct Doubt<'a> {
    net: &'a Net,
    /// The largest absolute value of each definition; `None` if it is in doubt.
    definitions: Vec<(Var, Option<u128>)>,
}

impl<'a> Doubt<'a> {
    pub(super) fn new(net: &'a Net, rule: &Transition) -> Self {
        let mut doubt = Doubt { net, definitions: Vec::new() };
        for (var, expr) in &rule.definitions {
            let largest = doubt.largest(expr);
            doubt.definitions.push((*var, largest));
        }
        doubt
    }

    /// Whether one of some expressions is in doubt.
    pub(super) fn is_any<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> bool {
        exprs.into_iter().any(|expr| self.largest(expr).is_none())
    }

    /// The largest absolute value that an expression may have, truth being 1 and members being variables;
    /// `None` if it is in doubt.
    fn largest(&self, expr: &Expr) -> Option<u128> {
        match expr {
            Expr::Literal(Literal::Int(number)) => in_64_bits(number.unsigned_abs().into()),
            Expr::Literal(Literal::Bool(_) | Literal::Enum(..) | Literal::None(_)) => Some(1),
            Expr::Var(var) => self.largest_of(*var),
            // There may be nothing.
            Expr::Unary(UnaryOp::Value, _) => None,
            Expr::Unary(UnaryOp::Not | UnaryOp::Negate, a) | Expr::Within(a, ..) => self.largest(a),
            Expr::Relation(_, a, b) => self.largest_of(*a).and(self.largest_of(*b)).and(Some(1)),
            Expr::If(condition, a, b) => {
                let (_, a, b) = (self.largest(condition)?, self.largest(a)?, self.largest(b)?);
                Some(a.max(b))
            }
            Expr::Shift(_, id, steps)
                if *steps != 0 && !self.net.enumerations[id.index()].goes_round() =>
            {
                None
            }
            Expr::Shift(a, ..) => self.largest(a),
            Expr::Binary(op, a, b) => self.largest_of_operation(*op, a, b),
            _ => unreachable!("the net was checked, yet a transition asks for the state"),
        }
    }

    fn largest_of(&self, var: Var) -> Option<u128> {
        let definition = self.definitions.iter().find(|(defined, _)| *defined == var);
        definition.map_or(Some(VARIABLE), |(_, largest)| *largest)
    }

    fn largest_of_operation(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<u128> {
        let (x, y) = (self.largest(a)?, self.largest(b)?);
        match op {
            BinaryOp::Add | BinaryOp::Subtract => in_64_bits(x + y),
            BinaryOp::Multiply => in_64_bits(x.checked_mul(y)?),
            BinaryOp::Divide | BinaryOp::Remainder => match b {
                Expr::Literal(Literal::Int(0)) => None,
                // A remainder may be as large as the divisor, where the dividend is negative.
                Expr::Literal(Literal::Int(_)) => Some(x.max(y)),
                _ => None,
            },
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Implies
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => Some(1),
        }
    }
}

fn in_64_bits(value: u128) -> Option<u128> {
    (value <= i64::MAX as u128).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fallible::Fallibility;

    /// Both engines decide for themselves what can fault, and must not differ, or a model would be faulty in
    /// one of them alone.
    #[test]
    fn both_engines_doubt_the_same() {
        let operands = [
            Expr::int(0),
            Expr::int(1),
            Expr::int(-1),
            Expr::int(i64::MAX),
            Expr::int(i64::MIN),
            Expr::int(1 << 53),
            Expr::Var(Var(0)),
            Expr::Var(Var(1)),
            Expr::Var(Var(2)),
        ];
        let ops = [BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply];
        let ops = ops.into_iter().chain([BinaryOp::Divide, BinaryOp::Remainder, BinaryOp::Less]);
        let mut exprs: Vec<Expr> = operands.to_vec();
        for op in ops {
            for a in &operands {
                exprs.extend(operands.iter().map(|b| Expr::binary(op, a.clone(), b.clone())));
            }
        }
        let definition = Expr::binary(BinaryOp::Multiply, Expr::Var(Var(0)), Expr::int(3));
        let faulty = Expr::binary(BinaryOp::Divide, Expr::int(1), Expr::Var(Var(1)));
        let definitions = vec![(Var(1), definition), (Var(2), faulty)];
        let rule = Transition { definitions, ..Transition::default() };
        let net = Net::default();
        let (doubt, other) = (Doubt::new(&net, &rule), Fallibility::of(&net, &rule));
        let mut doubtful = 0;
        for a in &exprs {
            for b in exprs.iter().step_by(7) {
                let nested = Expr::binary(BinaryOp::Add, a.clone(), b.clone());
                let negated = Expr::Unary(UnaryOp::Negate, nested.clone().into());
                for expr in [nested, negated] {
                    assert_eq!(doubt.is_any([&expr]), other.can_fault(&expr), "{expr:?}");
                    doubtful += usize::from(other.can_fault(&expr));
                }
            }
        }
        let all = 2 * exprs.len() * exprs.len().div_ceil(7);
        assert!((all / 10..all * 9 / 10).contains(&doubtful), "{doubtful} of {all}");
    }
}
