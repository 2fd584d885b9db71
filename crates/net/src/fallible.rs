//! Which expressions can fault.
//!
//! Whether a binding is a mode does not depend on the order in which conditions are looked at, as long
//! as none faults. So the meaning is fixed thus: first all conditions that cannot fault, then, if they
//! hold, those that can, from left to right, then the arcs for each member that can, then the inhibitors
//! that can. Of an inhibitor's patterns the variables are matched first. Then come the other expressions and its
//! condition, again those first that cannot fault, and all choices of tokens are looked at. A definition is a
//! fault only where it is used.

use crate::{Arc, BinaryOp, Expr, Inhibitor, Literal, Net, Transition, UnaryOp, Var};

/// No variable is larger than this: ranges and literals are bounded by ±2⁵³, and are narrower than 2³².
const LARGEST_VARIABLE: u128 = 1 << 54;
const LARGEST: u128 = i64::MAX as u128;

/// Which expressions of a transition can fault: what is known of its definitions is a bound on the
/// absolute value of each, if it cannot fault.
pub struct Fallibility<'a> {
    net: &'a Net,
    bounds: Vec<(Var, Option<u128>)>,
}

impl<'a> Fallibility<'a> {
    /// What is known of a transition's expressions.
    #[must_use]
    pub fn of(net: &'a Net, transition: &Transition) -> Self {
        let mut known = Fallibility { net, bounds: Vec::new() };
        for (var, expr) in &transition.definitions {
            let bound = known.bound(expr);
            known.bounds.push((*var, bound));
        }
        known
    }

    /// Whether evaluating `expr` can fault.
    #[must_use]
    pub fn can_fault(&self, expr: &Expr) -> bool {
        self.bound(expr).is_none()
    }

    /// Whether working out the tokens of an arc can fault.
    pub(crate) fn arc_can_fault(&self, arc: &Arc) -> bool {
        arc.expressions().any(|expr| self.can_fault(expr))
    }

    /// Whether matching the tokens that inhibit can fault.
    pub(crate) fn inhibitor_can_fault(&self, inhibitor: &Inhibitor) -> bool {
        inhibitor.expressions().any(|expr| self.can_fault(expr))
    }

    fn bound(&self, expr: &Expr) -> Option<u128> {
        let bound = match expr {
            Expr::Literal(Literal::Int(number)) => number.unsigned_abs().into(),
            Expr::Literal(_) => 1,
            Expr::Var(var) => self.variable(*var)?,
            Expr::Relation(_, a, b) => {
                self.variable(*a)?;
                self.variable(*b)?;
                1
            }
            Expr::Unary(UnaryOp::Not | UnaryOp::Negate, a) => self.bound(a)?,
            // There may be nothing.
            Expr::Unary(UnaryOp::Value, _) => return None,
            Expr::Binary(op, a, b) => {
                let (x, y) = (self.bound(a)?, self.bound(b)?);
                match op {
                    BinaryOp::Add | BinaryOp::Subtract => x + y,
                    BinaryOp::Multiply => x.saturating_mul(y),
                    BinaryOp::Divide | BinaryOp::Remainder => match **b {
                        Expr::Literal(Literal::Int(n)) if n != 0 => x.max(y),
                        _ => return None,
                    },
                    _ => 1,
                }
            }
            Expr::If(condition, a, b) => {
                self.bound(condition)?;
                self.bound(a)?.max(self.bound(b)?)
            }
            Expr::Shift(a, id, steps) => {
                let leads_somewhere = *steps == 0 || self.net.enumerations[id.index()].goes_round();
                leads_somewhere.then_some(self.bound(a)?)?
            }
            Expr::Within(a, ..) => self.bound(a)?,
            // The thread may be elsewhere.
            Expr::Field(..) => return None,
            Expr::Count(_, pattern) => {
                pattern.iter().flatten().try_for_each(|expr| self.bound(expr).map(drop))?;
                LARGEST_VARIABLE
            }
            Expr::At(..) | Expr::Ended(_) | Expr::Enabled(_) => 1,
        };
        (bound <= LARGEST).then_some(bound)
    }

    fn variable(&self, var: Var) -> Option<u128> {
        match self.bounds.iter().find(|(defined, _)| *defined == var) {
            Some((_, bound)) => *bound,
            None => Some(LARGEST_VARIABLE),
        }
    }
}

#[cfg(test)]
mod tests {
    use state::Relation;

    use super::*;

    #[test]
    fn a_relation_of_a_definition_that_can_fault_can_fault() {
        let thread = Var(0);
        let number = Var(1);
        let inverse = Expr::binary(BinaryOp::Divide, Expr::int(1), Expr::Var(number));
        let is_one = Expr::binary(BinaryOp::Equal, inverse, Expr::int(1));
        let itself = || Box::new(Expr::Var(thread));
        let sure = |number: u32| (Var(number), Expr::Var(thread));
        let transition = Transition {
            definitions: vec![sure(2), (Var(3), Expr::If(is_one.into(), itself(), itself()))],
            ..Transition::default()
        };
        let net = Net::default();
        let known = Fallibility::of(&net, &transition);
        let can_fault = |a, b| known.can_fault(&Expr::Relation(Relation::Parent, Var(a), Var(b)));
        assert!(!can_fault(0, 2) && !can_fault(2, 0));
        assert!(can_fault(0, 3) && can_fault(3, 0));
    }
}
