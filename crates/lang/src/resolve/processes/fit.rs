//! Values where a type is expected: a value stands for one that may be missing, and what does not fit is reported.

use net::Literal;
use program::{Expr as Value, Form, Type};

use super::Lowering;
use super::body::Kind;
use crate::syntax::Expr;
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// An expression where a type is expected.
    pub(super) fn fitting(&mut self, expr: &'a Expr<'a>, of: &Type, what: &str) -> Option<Value> {
        let value = self.expr(expr, Some(of))?;
        self.fit(value, of, expr.span, what)
    }

    /// A value where a type is expected. Of a number, the range may be another one.
    pub(super) fn fit(&mut self, value: Value, of: &Type, span: Span, what: &str) -> Option<Value> {
        if let (Type::Optional(inner), false) = (of, value.of.is_optional()) {
            let value = self.fit(value, inner, span, what)?;
            let value = self.exact(value, inner, span)?;
            let of = Type::Optional(Box::new(value.of.clone()));
            return Some(Value { form: Form::Some(Box::new(value)), of });
        }
        if !self.is_alike(of, &value.of) {
            self.report_unfit(&value.of, of, span, what);
            return None;
        }
        if let (Form::Literal(Literal::Int(number)), Type::Int { min, max }) = (&value.form, of)
            && !(*min..=*max).contains(number)
        {
            let message = format!("{number} is not in {}", self.shown(of));
            let error = self.error("E1018", message, span, format!("{what} is out of range"));
            self.resolver.diagnostics.push(match min == max {
                true => {
                    error.help("there is only one number in its range: declare it as `0..=3`, say")
                }
                false => error,
            });
            return None;
        }
        if let (Type::Int { min: least, max: most }, Type::Int { min, max }) = (&value.of, of)
            && (most < min || max < least)
        {
            let shown = self.shown(&value.of);
            let message = match min == max {
                true => format!("{shown} is never {min}, which is all that fits here"),
                false => format!("{shown} is never in {}", self.shown(of)),
            };
            self.error("E1018", message, span, format!("{what} is always out of range"))
                .help("give the variable a type: `let x: 0..=3 = 0`, say")
                .report(self.resolver.diagnostics);
            return None;
        }
        Some(value)
    }

    /// Whether values of a type can be where another is expected, perhaps not all of them.
    pub(super) fn is_alike(&self, of: &Type, found: &Type) -> bool {
        match (of, found) {
            (Type::Int { .. }, Type::Int { .. }) => true,
            (Type::Handle(None), Type::Handle(_)) => true,
            (Type::Optional(a), Type::Optional(b)) => self.is_alike(a, b),
            (Type::Sequence(a, _), Type::Sequence(b, _)) => self.is_alike(a, b),
            (Type::Set(..), Type::Set(..)) | (Type::Map(..), Type::Map(..)) => of.includes(found),
            _ => of == found,
        }
    }

    /// A value as a part of another: it must be of just this type, as nobody looks at its range later.
    pub(super) fn exact(&mut self, value: Value, of: &Type, span: Span) -> Option<Value> {
        if of.includes(&value.of) && has_same_form(of, &value.of) {
            return Some(value);
        }
        if !self.body.can_hoist() {
            if matches!(self.body.kind, Kind::Constant | Kind::Default | Kind::Initials(_))
                && of.includes(&value.of)
            {
                return Some(value);
            }
            let found = self.shown(&value.of);
            let message = format!("{found} may not be in {}", self.shown(of));
            self.error("E1018", message, span, "there is no step of its own for it to fail in")
                .help("give it to a variable before: `let x: TYPE = …`")
                .report(self.resolver.diagnostics);
            return None;
        }
        Some(self.kept(value, of.clone()))
    }

    /// Reports a value of one type where another is expected.
    pub(super) fn report_unfit(&mut self, found: &Type, of: &Type, span: Span, what: &str) {
        let handle = |of: &Type| match of {
            Type::Handle(kind) => Some(*kind),
            Type::Optional(inner) => match **inner {
                Type::Handle(kind) => Some(kind),
                _ => None,
            },
            _ => None,
        };
        if let (Some(found), Some(Some(_))) = (handle(found), handle(of)) {
            let of = self.shown(of);
            let found = self.shown(&Type::Handle(found));
            let message = format!("expected a handle of `{of}`, found one of `{found}`");
            self.error("E1002", message, span, format!("this is a handle of `{found}`"))
                .help("handles are of one kind of process, or of `any process`")
                .report(self.resolver.diagnostics);
            return;
        }
        if let Type::Optional(inner) = found
            && self.is_unit(inner)
        {
            let shown = self.shown(of);
            self.error("E1005", "the process returns nothing", span, format!("expected `{shown}`"))
                .help("declare its result: `process worker(): bool { … return true }`, say")
                .report(self.resolver.diagnostics);
            return;
        }
        let wanted = format!("`{}`", self.shown(of));
        if let (Type::Member(_), Some(values)) = (of, self.values_of(of)) {
            let message = format!("expected {wanted}, found `{}`", self.shown(found));
            self.error("E1007", message, span, format!("{what} must be {wanted}"))
                .help(values)
                .report(self.resolver.diagnostics);
            return;
        }
        self.report_mismatch(found, &wanted, span, what);
    }

    /// Reports a value that is not what is wanted.
    pub(super) fn report_mismatch(&mut self, found: &Type, wanted: &str, span: Span, what: &str) {
        let shown = self.shown(found);
        let message = format!("expected {wanted}, found `{shown}`");
        let error = self.error("E1007", message, span, format!("{what} must be {wanted}"));
        let error = match found {
            Type::Optional(_) => {
                error.help("it may be `none`: ask with `if let v = …`, or take the value with `!`")
            }
            Type::Int { .. } if wanted == "`bool`" => error.help("compare it: `x != 0`, say"),
            Type::Bool if wanted == "a number" => {
                error.help("make a number of it: `if b then 1 else 0`")
            }
            _ if wanted == "what may be `none`" => {
                error.help("it is always there: take it as it is")
            }
            Type::Int { .. } if wanted.starts_with("a collection") => {
                error.help("numbers are gone through by `0..n`, or `0..=n`")
            }
            Type::Member(_) if wanted == "a number" => {
                error.help("the member after `x` is `succ(x)`, the one before it `pred(x)`")
            }
            _ => error,
        };
        self.resolver.diagnostics.push(error);
    }

    /// An expression that is a truth value.
    pub(super) fn condition(&mut self, expr: &'a Expr<'a>, what: &str) -> Option<Value> {
        self.fitting(expr, &Type::Bool, what)
    }

    /// A condition in which nothing is called.
    pub(super) fn pure_condition(
        &mut self,
        expr: &'a Expr<'a>,
        what: &'static str,
    ) -> Option<Value> {
        let calls = std::mem::replace(&mut self.body.calls, super::body::Calls::Refused(what));
        let value = self.condition(expr, "the condition");
        self.body.calls = calls;
        value
    }
}

/// Whether values of two types take the same room.
fn has_same_form(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Int { .. }, Type::Int { .. }) | (Type::Handle(_), Type::Handle(_)) => true,
        (Type::Optional(a), Type::Optional(b)) => has_same_form(a, b),
        (Type::Sequence(a, n), Type::Sequence(b, m)) | (Type::Set(a, n), Type::Set(b, m)) => {
            n == m && has_same_form(a, b)
        }
        (Type::Map(a, b, n), Type::Map(c, d, m)) => {
            n == m && has_same_form(a, c) && has_same_form(b, d)
        }
        _ => a == b,
    }
}
