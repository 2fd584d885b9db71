//! Arguments, by position or by name.

use program::{Expr as Value, Type};

use super::body::Calls;
use super::{Decl, Lowering};
use crate::syntax::process::{Argument, MemberKind};
use crate::syntax::{Expr, Name};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// Which argument is for which parameter.
    pub(super) fn assigned_arguments(
        &mut self,
        parameters: &[&'a str],
        arguments: &'a [Argument<'a>],
        callee: Name<'a>,
    ) -> Option<Vec<Option<&'a Expr<'a>>>> {
        let mut found = vec![None; parameters.len()];
        let mut is_right = true;
        for (number, argument) in arguments.iter().enumerate() {
            let at = match argument.name {
                None => number,
                Some(name) => {
                    let at = parameters.iter().position(|other| *other == name.text);
                    let Some(at) = at else {
                        let message = format!("`{}` has no parameter `{}`", callee.text, name.text);
                        let otherwise = match parameters.is_empty() {
                            true => format!("write `{}()`", callee.text),
                            false => format!("there are `{}`", parameters.join("`, `")),
                        };
                        self.error("E1006", message, name.span, "no such parameter")
                            .help_nearest(name.text, parameters.iter().copied(), &otherwise)
                            .report(self.resolver.diagnostics);
                        is_right = false;
                        continue;
                    };
                    at
                }
            };
            match found.get_mut(at) {
                Some(empty @ None) => *empty = Some(&argument.value),
                Some(Some(_)) => {
                    let message = format!("the parameter `{}` is given twice", parameters[at]);
                    self.error("E1006", message, argument.value.span, "a second time")
                        .help("give each parameter one value")
                        .report(self.resolver.diagnostics);
                    is_right = false;
                }
                None => {
                    self.report_number(callee, parameters, arguments.len());
                    return None;
                }
            }
        }
        is_right.then_some(found)
    }

    fn report_number(&mut self, callee: Name<'a>, parameters: &[&str], given: usize) {
        let (text, wanted) = (callee.text, parameters.len());
        let message = format!("`{text}` takes {}, not {given}", counted(wanted));
        let many = format!("{text}_many");
        let has_many = |decl| match decl {
            Decl::Object(decl) => decl.members.iter().any(|member| match &member.kind {
                MemberKind::Step(decl) | MemberKind::Function(decl) => decl.name.text == many,
                _ => false,
            }),
            _ => false,
        };
        let help = match wanted == 0 && given == 1 && !self.names.all(has_many).is_empty() {
            true => format!("write `{many}(…)`"),
            false => format!("write `{text}({})`", parameters.join(", ")),
        };
        self.error("E1006", message, callee.span, format!("{} given", counted(given)))
            .help(help)
            .report(self.resolver.diagnostics);
    }

    /// The value of an argument. One of type `unit` may be left out.
    pub(super) fn argument(
        &mut self,
        given: Option<&'a Expr<'a>>,
        of: &Type,
        parameter: &str,
        callee: Name<'a>,
    ) -> Option<Value> {
        match given {
            Some(expr) => self.fitting(expr, of, &format!("the argument `{parameter}`")),
            None if self.is_unit(of) => Some(self.nothing()),
            None => {
                let message = format!("`{}` is given no `{parameter}`", callee.text);
                self.error("E1006", message, callee.span, "an argument is missing")
                    .help(format!("add `{parameter}: …`"))
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    /// Values of arguments, of these types.
    pub(super) fn arguments(
        &mut self,
        parameters: &[(&'a str, Type)],
        arguments: &'a [Argument<'a>],
        callee: Name<'a>,
    ) -> Option<Vec<Value>> {
        let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        let given = self.assigned_arguments(&names, arguments, callee);
        let Some(given) = given else {
            self.look_at(arguments);
            return None;
        };
        let values = given.into_iter().zip(parameters);
        let values: Vec<Option<Value>> =
            values.map(|(given, (name, of))| self.argument(given, of, name, callee)).collect();
        values.into_iter().collect()
    }

    /// Looks for mistakes in arguments that belong to nothing.
    pub(super) fn look_at(&mut self, arguments: &'a [Argument<'a>]) {
        let calls = std::mem::replace(&mut self.body.calls, Calls::Free);
        for argument in arguments {
            if !matches!(argument.value.kind, crate::syntax::ExprKind::Predicate(..))
                && !super::call::needs_type(&argument.value)
            {
                self.expr(&argument.value, None);
            }
        }
        self.body.calls = calls;
    }

    /// Reports a name that nothing is called by.
    pub(super) fn report_unknown_callee(
        &mut self,
        name: Name<'a>,
        known: Vec<&'a str>,
        what: &str,
    ) {
        if self.resolver.model.skipped.contains(name.text) || self.is_plainly_reported(name) {
            return;
        }
        let message = format!("there is no {what} named `{}`", name.text);
        self.error("E1008", message, name.span, "not declared")
            .help_nearest(name.text, known, "")
            .report(self.resolver.diagnostics);
    }

    pub(super) fn report_wrong_call(&mut self, span: Span, message: String, help: String) {
        self.error("E1010", message, span, "this cannot be called")
            .help(help)
            .report(self.resolver.diagnostics);
    }
}

fn counted(number: usize) -> String {
    match number {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        _ => format!("{number} arguments"),
    }
}
