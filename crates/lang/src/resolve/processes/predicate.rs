//! Predicates that are given to steps: `m => m != n`.
//!
//! What such an expression uses of the variables around it is evaluated when the call is come to, and passed to the
//! step as further arguments. The step is made for each call; where it calls the predicate, the expression stands.

use std::rc::Rc;

use program::{Expr as Value, LocalId, Type};

use super::Lowering;
use super::body::{Binding, Calls, Entry};
use super::declared::Decl;
use super::instance::Special;
use crate::syntax::process::Argument;
use crate::syntax::{Expr, ExprKind, Name};
use diagnostics::Span;

/// A predicate, and what it has captured.
#[derive(Clone)]
pub(super) struct Lambda<'a> {
    pub variable: Name<'a>,
    pub body: &'a Expr<'a>,
    pub captured: Vec<Captured<'a>>,
}

/// A variable around a predicate, and where its value is.
#[derive(Clone)]
pub(super) struct Captured<'a> {
    pub name: &'a str,
    pub of: Type,
    pub local: LocalId,
}

impl<'a> Lowering<'a, '_, '_> {
    /// A predicate that is given to a step, and the values that it has captured.
    pub(super) fn predicate(&mut self, expr: &'a Expr<'a>) -> Option<(Special<'a>, Vec<Value>)> {
        if let Some(name) = expr.as_name()
            && let Some(Entry { binding: Binding::Predicate(lambda), .. }) =
                self.body.names.get(name.text)
        {
            // One that was given to this step is passed on.
            let lambda = Rc::clone(lambda);
            let values = lambda.captured.iter();
            let values = values.map(|one| Value::local(one.local, one.of.clone())).collect();
            return Some((Special::Predicate(lambda), values));
        }
        let ExprKind::Predicate(variable, body) = &expr.bare().kind else {
            self.error("E1007", "expected a predicate", expr.span, "this is none")
                .help("write `m => m != 0`, say")
                .report(self.resolver.diagnostics);
            return None;
        };
        let mut names = Vec::new();
        free_names(body, &mut vec![variable.text], &mut names);
        let (mut captured, mut values) = (Vec::new(), Vec::new());
        for name in names {
            let Some(value) = self.captured(name)? else { continue };
            captured.push(Captured { name: name.text, of: value.of.clone(), local: LocalId(0) });
            values.push(value);
        }
        let lambda = Lambda { variable: *variable, body, captured };
        Some((Special::Predicate(Rc::new(lambda)), values))
    }

    /// The value of a variable that a predicate uses, if it is one.
    fn captured(&mut self, name: Name<'a>) -> Option<Option<Value>> {
        match self.body.names.get(name.text).map(|entry| entry.binding.clone()) {
            Some(Binding::Local(id)) => return Some(Some(self.body.local(id))),
            Some(Binding::Value(value)) => return Some(Some(value)),
            Some(Binding::Wrong) => return None,
            Some(Binding::Predicate(_)) => {
                self.error("E1010", "a predicate does not call another", name.span, "not here")
                    .help("write out what the other says")
                    .report(self.resolver.diagnostics);
                return None;
            }
            None => {}
        }
        if let Some(value) = self.own_field(name) {
            return Some(Some(value));
        }
        let is_this = name.text == "this" && self.body.this.is_some();
        let is_shared = matches!(self.decl(name), Some(Decl::Shared));
        if is_this || (is_shared && self.names.is_assigned(name.text)) {
            return Some(self.named(name, None));
        }
        Some(None)
    }

    /// What a predicate says of a value.
    pub(super) fn applied(
        &mut self,
        lambda: &Lambda<'a>,
        arguments: &'a [Argument<'a>],
        callee: Name<'a>,
    ) -> Option<Value> {
        let given = self.assigned_arguments(&[lambda.variable.text], arguments, callee)?;
        let Some(argument) = given[0] else {
            self.error("E1006", "a predicate is about a value", callee.span, "none is given")
                .help(format!("write `{}(x)`", callee.text))
                .report(self.resolver.diagnostics);
            return None;
        };
        let value = self.expr(argument, None)?;
        self.with_names(lambda, value)
    }

    fn with_names(&mut self, lambda: &Lambda<'a>, value: Value) -> Option<Value> {
        let entry = |binding, span: Span| Entry { binding, span, fixed: None };
        let span = lambda.variable.span;
        let captured = lambda.captured.iter();
        let mut names: std::collections::HashMap<&'a str, Entry<'a>> =
            captured.map(|one| (one.name, entry(Binding::Local(one.local), span))).collect();
        names.insert(lambda.variable.text, entry(Binding::Value(value), span));
        let outer = std::mem::replace(&mut self.body.names, names);
        let this = self.body.this.take();
        let calls = std::mem::replace(&mut self.body.calls, Calls::Refused("a predicate"));
        let condition = self.condition(lambda.body, "a predicate");
        self.body.names = outer;
        self.body.this = this;
        self.body.calls = calls;
        condition
    }
}

/// The names in an expression that are not bound in it, each once.
fn free_names<'a>(expr: &'a Expr<'a>, bound: &mut Vec<&'a str>, found: &mut Vec<Name<'a>>) {
    if let ExprKind::Name(text) = expr.kind
        && !bound.contains(&text)
        && found.iter().all(|name| name.text != text)
    {
        found.push(Name { text, span: expr.span });
    }
    let mut walk = |list: &[&'a Expr<'a>], bound: &mut Vec<&'a str>| {
        list.iter().for_each(|inner| free_names(inner, bound, found));
    };
    match &expr.kind {
        ExprKind::Paren(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::Value(a)
        | ExprKind::Join(a)
        | ExprKind::Is(a, _) => walk(&[a], bound),
        ExprKind::Binary(_, _, a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Has(a, b)
        | ExprKind::Repeated(a, b) => walk(&[a, b], bound),
        ExprKind::If(a, b, c) => walk(&[a, b, c], bound),
        ExprKind::List(list) | ExprKind::Pairs(list) => {
            walk(&list.iter().collect::<Vec<_>>(), bound);
        }
        ExprKind::Call(callee, arguments) => {
            let mut list: Vec<&'a Expr<'a>> = arguments.iter().map(|one| &one.value).collect();
            list.push(callee);
            walk(&list, bound);
        }
        ExprKind::Over { name, range, body, .. } => {
            walk(&range.parts(), bound);
            bound.push(name.text);
            walk(&[body], bound);
            bound.pop();
        }
        _ => {}
    }
}
