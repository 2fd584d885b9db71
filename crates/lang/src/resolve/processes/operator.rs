//! Operators, and what they say about ranges.

use net::{BinaryOp, Literal, UnaryOp};
use program::{Action, Block, Expr as Value, Form, Statement, Target, Type};

use super::body::Calls;
use super::expression::{boolean, int};
use super::{Lowering, interval, origin};
use crate::syntax::{Expr, ExprKind};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    pub(super) fn unary(
        &mut self,
        op: UnaryOp,
        operand: &'a Expr<'a>,
        span: Span,
    ) -> Option<Value> {
        let value = self.expr(operand, None)?;
        match (op, &value.of) {
            (UnaryOp::Not, Type::Bool) => Some(match value.form {
                Form::Literal(Literal::Bool(truth)) => boolean(!truth),
                _ => Value { form: Form::Unary(op, Box::new(value)), of: Type::Bool },
            }),
            (UnaryOp::Negate, Type::Int { min, max }) => {
                let (min, max) = interval::negated((*min, *max));
                if let Form::Literal(Literal::Int(number)) = value.form {
                    return Some(int(number.saturating_neg()));
                }
                Some(Value { form: Form::Unary(op, Box::new(value)), of: Type::Int { min, max } })
            }
            (UnaryOp::Not, of) => {
                let of = of.clone();
                self.report_mismatch(&of, "`bool`", operand.span, "the operand of `not`");
                None
            }
            (_, of) => {
                let of = of.clone();
                self.report_mismatch(&of, "a number", span, "the operand of `-`");
                None
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        span: Span,
        a: &'a Expr<'a>,
        b: &'a Expr<'a>,
    ) -> Option<Value> {
        use BinaryOp::*;
        let word = format!("the operand of `{op}`");
        match op {
            And | Or | Implies => {
                let first = self.condition(a, &word);
                let is_free = matches!(self.body.calls, Calls::Free);
                let mut second = None;
                let called = self.scoped(|lowering| second = lowering.condition(b, &word));
                let (first, second) = (first?, second?);
                match is_free && matches!(self.body.calls, Calls::Made(_)) {
                    true => Some(self.called_if_needed(op, first, second, called)),
                    false => {
                        self.body.blocks.last_mut().expect("there is a block").extend(called);
                        Some(connected(op, first, second))
                    }
                }
            }
            Equal | NotEqual => self.comparison(op, a, b),
            Less | LessEqual | Greater | GreaterEqual => {
                let (first, second) = (self.expr(a, None), self.expr(b, None));
                let (first, second) = (first?, second?);
                if let (Type::Member(x), Type::Member(y)) = (&first.of, &second.of)
                    && x == y
                {
                    if self.resolver.report_no_order(*x, span) {
                        return None;
                    }
                } else {
                    self.number(&first, a.span, &word)?;
                    self.number(&second, b.span, &word)?;
                }
                Some(compared(op, first, second))
            }
            Add | Subtract | Multiply | Divide | Remainder => {
                let (first, second) = (self.expr(a, None), self.expr(b, None));
                let (first, second) = (first?, second?);
                let x = self.number(&first, a.span, &word);
                let y = self.number(&second, b.span, &word);
                let (x, y) = (x?, y?);
                if matches!(op, Divide | Remainder) && y == (0, 0) {
                    self.error("E0404", "division by zero", b.span, "the divisor is zero")
                        .report(self.resolver.diagnostics);
                    return None;
                }
                let (min, max) = interval::of(op, x, y);
                if min == max && is_literal(&first) && is_literal(&second) {
                    return Some(int(min));
                }
                let form = Form::Binary(op, Box::new(first), Box::new(second));
                Some(Value { form, of: Type::Int { min, max } })
            }
        }
    }

    /// `and`, `or` or `implies` with a call in its second operand, which is done only if the first does not decide.
    fn called_if_needed(
        &mut self,
        op: BinaryOp,
        first: Value,
        second: Value,
        mut called: Block,
    ) -> Value {
        let decided = boolean(op != BinaryOp::And);
        let result = self.body.hidden(Type::Bool);
        let target = Target::local(result, Type::Bool);
        let assigned = |value: Value| Action::Assign(target.clone(), value);
        let origin = origin(self.body.span);
        called.push(Statement { action: assigned(second), origin });
        let otherwise = vec![Statement { action: assigned(decided), origin }];
        let (yes, no) = if op == BinaryOp::Or { (otherwise, called) } else { (called, otherwise) };
        self.body.emit(Action::If(first, yes, no));
        self.body.local(result)
    }

    /// The range of a value that must be a number.
    pub(super) fn number(&mut self, value: &Value, span: Span, what: &str) -> Option<(i64, i64)> {
        match &value.of {
            Type::Int { min, max } => Some((*min, *max)),
            of => {
                let of = of.clone();
                self.report_mismatch(&of, "a number", span, what);
                None
            }
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &'a Expr<'a>, b: &'a Expr<'a>) -> Option<Value> {
        let (first, second) = if needs_hint(a) && !needs_hint(b) {
            let second = self.expr(b, None)?;
            let hint = optional(&second.of);
            (self.expr(a, Some(&hint))?, second)
        } else {
            let first = self.expr(a, None)?;
            let hint = if is_none(b) { optional(&first.of) } else { first.of.clone() };
            let second = self.expr(b, Some(&hint))?;
            (first, second)
        };
        let (first, second) = self.unified(first, second, b.span)?;
        Some(compared(op, first, second))
    }

    /// Two values of one type, or alike.
    pub(super) fn unified(&mut self, a: Value, b: Value, span: Span) -> Option<(Value, Value)> {
        let (a, b) = match (a.of.is_optional(), b.of.is_optional()) {
            (true, false) => (a, some(b)),
            (false, true) => (some(a), b),
            _ => (a, b),
        };
        if self.is_alike(&a.of, &b.of) || self.is_alike(&b.of, &a.of) {
            return Some((a, b));
        }
        let of = a.of.clone();
        self.report_unfit(&b.of, &of, span, "this");
        None
    }
}

/// A value as one that may be missing.
pub(super) fn some(value: Value) -> Value {
    let of = Type::Optional(Box::new(value.of.clone()));
    Value { form: Form::Some(Box::new(value)), of }
}

fn optional(of: &Type) -> Type {
    match of {
        Type::Optional(_) => of.clone(),
        _ => Type::Optional(Box::new(of.clone())),
    }
}

fn is_none(expr: &Expr<'_>) -> bool {
    matches!(expr.bare().kind, ExprKind::Name("none"))
}

fn needs_hint(expr: &Expr<'_>) -> bool {
    is_none(expr) || matches!(expr.bare().kind, ExprKind::List(_) | ExprKind::Pairs(_))
}

fn is_literal(value: &Value) -> bool {
    matches!(value.form, Form::Literal(_))
}

/// `and`, `or`, `implies`; with constants it is what is left.
fn connected(op: BinaryOp, a: Value, b: Value) -> Value {
    if let Form::Literal(Literal::Bool(first)) = a.form {
        return match op.decided(first) {
            Some(truth) => boolean(truth),
            None => b,
        };
    }
    Value { form: Form::Binary(op, Box::new(a), Box::new(b)), of: Type::Bool }
}

/// A comparison; of constants it is known.
pub(super) fn compared(op: BinaryOp, a: Value, b: Value) -> Value {
    if let (Form::Literal(Literal::Int(x)), Form::Literal(Literal::Int(y))) = (&a.form, &b.form) {
        return boolean(match op {
            BinaryOp::Equal => x == y,
            BinaryOp::NotEqual => x != y,
            BinaryOp::Less => x < y,
            BinaryOp::LessEqual => x <= y,
            BinaryOp::Greater => x > y,
            _ => x >= y,
        });
    }
    Value { form: Form::Binary(op, Box::new(a), Box::new(b)), of: Type::Bool }
}
