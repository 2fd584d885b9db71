//! What is wrong, or odd, beyond types: results, steps that call themselves, locks left behind, recursion.

use std::collections::HashMap;

use net::BinaryOp;
use program::{Expr as Value, ObjectId, StepId, Type};

use super::Lowering;
use super::body::Kind;
use crate::syntax::process::{
    ArmResult, Block, Condition, FunctionDecl, Match, MemberKind, SelectOperation, StatementKind,
};
use crate::syntax::{Expr, ExprKind, Infix, Name};
use diagnostics::{Diagnostic, Span};

/// A step of an object type.
pub(super) type StepKey = (ObjectId, StepId);

/// No more locks than this are followed.
const LOCKS: usize = 16;

/// No more cases than this are told that are not covered.
const SHOWN: usize = 5;

/// The case of an optional value that is not there.
pub(super) const NONE: &str = "none";

impl<'a> Lowering<'a, '_, '_> {
    /// Reports a routine with a result whose end can be reached.
    pub(super) fn check_result(&mut self, decl: &'a FunctionDecl<'a>, ends: bool) {
        let Some(of) = self.body.routine.result.clone() else { return };
        if ends || self.is_unit(&of) {
            return;
        }
        let shown = self.shown(&of);
        let message = format!("`{}` can end without a result", decl.name.text);
        self.error("E1012", message, decl.name.span, format!("it is to return `{shown}`"))
            .help("end every way through it with `return`")
            .report(self.resolver.diagnostics);
    }

    /// Reports an `undo` that names no step.
    pub(super) fn check_undo(&mut self, decl: &'a FunctionDecl<'a>, this: Option<ObjectId>) {
        let Some(undo) = decl.undo else { return };
        match (self.body.kind, this) {
            (Kind::Step(..) | Kind::Function(_), Some(id)) => {
                if self.member_named(id, undo.text).is_none() {
                    self.report_no_step(id, undo);
                }
            }
            _ => {
                self.error(
                    "E1010",
                    "only steps and functions of objects are undone",
                    undo.span,
                    "this is of no object",
                )
                .help("write it in an object: `step lock undo unlock { … }`")
                .report(self.resolver.diagnostics);
            }
        }
    }

    /// Reports steps that come to themselves: a step is done at once.
    pub(super) fn check_step_calls(&mut self) {
        let mut calls: HashMap<StepKey, Vec<(StepKey, Span)>> = HashMap::new();
        for (from, to, span) in std::mem::take(&mut self.step_calls) {
            calls.entry(from).or_default().push((to, span));
        }
        let mut done: HashMap<StepKey, bool> = HashMap::new();
        let mut starts: Vec<StepKey> = calls.keys().copied().collect();
        starts.sort_unstable();
        for start in starts {
            if done.contains_key(&start) {
                continue;
            }
            // Each with how many of its calls have been followed.
            let mut stack = vec![(start, 0)];
            done.insert(start, false);
            while let Some((at, next)) = stack.last_mut() {
                let Some((to, span)) = calls.get(at).and_then(|list| list.get(*next)).copied()
                else {
                    done.insert(*at, true);
                    stack.pop();
                    continue;
                };
                *next += 1;
                match done.get(&to) {
                    None => {
                        done.insert(to, false);
                        stack.push((to, 0));
                    }
                    Some(true) => {}
                    Some(false) => {
                        self.report_endless_step(to, span);
                        return;
                    }
                }
            }
        }
    }

    fn report_endless_step(&mut self, (object, step): StepKey, span: Span) {
        self.body.used = self.objects[object.index()].used;
        let routine = &self.program.objects[object.index()].steps[step.index()].routine;
        let message = format!("the step `{}` calls itself", routine.name);
        self.error("E1014", message, span, "a step is done at once, so it has an end")
            .help("write a `fn`, of several steps")
            .report(self.resolver.diagnostics);
    }

    /// Whether all cases of a `match` are covered; if not, there should be an `else`.
    pub(super) fn check_cases(
        &mut self,
        of: &Type,
        covered: &[String],
        found: &'a Match<'a>,
    ) -> bool {
        let missing = self.missing_cases(of, covered);
        if !missing.is_empty() && found.otherwise.is_none() && !found.arms.is_empty() {
            let warning = Diagnostic::warning("W0007", "some cases are not covered")
                .at(self.place(found.value.span), format!("what about `{}`?", missing.join("`, `")))
                .help("nothing is done then: say so with `else {}`");
            self.warn(warning, found.value.span);
        }
        missing.is_empty()
    }

    /// The first cases that are not covered, as they are written; `…` where they cannot be told one by one.
    fn missing_cases(&self, of: &Type, covered: &[String]) -> Vec<String> {
        let is_covered = |literal: net::Literal| covered.contains(&format!("{literal:?}"));
        match of {
            Type::Variant(id) => {
                let names = self.program.variants[id.index()].cases.iter().map(|case| &case.name);
                names.filter(|name| !covered.contains(name)).take(SHOWN).cloned().collect()
            }
            Type::Member(id) => {
                let members = (0..).zip(self.resolver.net.enumerations[id.index()].members.iter());
                let missing =
                    members.filter(|(number, _)| !is_covered(net::Literal::Enum(*id, *number)));
                missing.take(SHOWN).map(|(_, name)| name.to_string()).collect()
            }
            Type::Bool => {
                let missing = [true, false].into_iter();
                let missing = missing.filter(|truth| !is_covered(net::Literal::Bool(*truth)));
                missing.map(|truth| truth.to_string()).collect()
            }
            Type::Int { min, max } => {
                let missing = *min..=*max;
                let missing = missing.filter(|number| !is_covered(net::Literal::Int(*number)));
                missing.take(SHOWN).map(|number| number.to_string()).collect()
            }
            Type::Optional(of) => {
                let none = Some(NONE.to_owned()).filter(|none| !covered.contains(none));
                none.into_iter().chain(self.missing_cases(of, covered)).collect()
            }
            _ => vec!["…".into()],
        }
    }

    /// Notes a lock that is taken, or given back.
    pub(super) fn note_lock(&mut self, object: &Value, id: ObjectId, name: Name<'a>, span: Span) {
        let members = &self.objects[id.index()].members;
        let undoes = members.undoing.contains(name.text);
        let undo = match members.named.get(name.text) {
            Some(MemberKind::Step(decl) | MemberKind::Function(decl)) => decl.undo,
            _ => None,
        };
        let key = |by: &str| format!("{by} {:?}", object.form);
        if undoes {
            let key = key(name.text);
            self.body.held.retain(|(other, _)| *other != key);
            if self.body.is_deferred && self.body.deferred.len() < LOCKS {
                self.body.deferred.push(key.clone());
            }
            if self.body.undone.len() < LOCKS && !self.body.undone.contains(&key) {
                self.body.undone.push(key);
            }
        }
        // What is deferred undoes it, also if it was undone and is taken again.
        if let Some(by) = undo
            && self.body.held.len() < LOCKS
            && !self.body.deferred.contains(&key(by.text))
        {
            self.body.held.push((key(by.text), span));
        }
    }

    /// Notes the locks with which a routine or a round of a loop is left, beside those that were held where it began.
    pub(super) fn note_left(&mut self, before: &[(String, Span)], word: &'static str, span: Span) {
        let held = self.body.held.iter().filter(|one| !before.contains(one));
        let held = held.map(|(key, taken)| (key.clone(), *taken, span, word));
        let held: Vec<_> = held.collect();
        if self.body.left.len() < LOCKS {
            self.body.left.extend(held);
        }
    }

    /// Warns of locks that a `return` or `continue` leaves behind, if other ways give them back.
    pub(super) fn warn_of_locks(&mut self) {
        for (key, taken, span, word) in std::mem::take(&mut self.body.left) {
            if self.body.undone.contains(&key) {
                let by = key.split(' ').next().unwrap_or_default().to_owned();
                let warning =
                    Diagnostic::warning("W0005", format!("a `{word}` leaves a lock behind"))
                        .at(self.place(span), format!("`{by}` is not called on this way"))
                        .also(self.place(taken), "taken here")
                        .help("use `with … { … }`, or `defer` what undoes it");
                self.warn(warning, span);
            }
        }
    }

    /// What is held after ways that part and meet again. The present way is the last of them.
    pub(super) fn merge_held(&mut self, ways: Vec<(Vec<(String, Span)>, bool)>, ends: bool) {
        let mut common = (!ends).then(|| self.body.held.clone());
        for (held, ends) in ways {
            if ends {
                continue;
            }
            common = Some(match common {
                None => held,
                Some(common) => {
                    let is_held = |key: &str| held.iter().any(|(other, _)| other == key);
                    common.into_iter().filter(|(key, _)| is_held(key)).collect()
                }
            });
        }
        self.body.held = common.unwrap_or_default();
    }

    /// Warns of a function that calls itself with nothing getting smaller.
    pub(super) fn check_recursion(&mut self, decl: &'a FunctionDecl<'a>) {
        let mut calls = Vec::new();
        calls_in(&decl.body, decl.name.text, &mut calls);
        let Some(first) = calls.first() else { return };
        let shrinks = decl.parameters.iter().enumerate().any(|(number, parameter)| {
            calls.iter().all(|call| {
                let ExprKind::Call(_, arguments) = &call.kind else { return false };
                let by_name = |one: &&crate::syntax::process::Argument<'a>| {
                    one.name.is_some_and(|name| name.text == parameter.name.text)
                };
                let argument = arguments.iter().find(by_name).or_else(|| arguments.get(number));
                argument.is_some_and(|one| is_smaller(&one.value, parameter.name.text))
            })
        });
        if !shrinks {
            let name = decl.name.text;
            let message = format!("`{name}` calls itself, and no argument gets smaller");
            let warning = Diagnostic::warning("W0006", message)
                .at(self.place(first.span), "this may go on for ever")
                .help("count down: pass `n - 1` for a parameter `n`, and stop at 0");
            self.warn(warning, first.span);
        }
    }
}

/// Whether an argument is a parameter made smaller: less, or a part of it.
fn is_smaller(argument: &Expr<'_>, parameter: &str) -> bool {
    let is_it = |expr: &Expr<'_>| expr.as_name().is_some_and(|name| name.text == parameter);
    match &argument.bare().kind {
        ExprKind::Binary(Infix::Data(BinaryOp::Subtract | BinaryOp::Divide), _, a, _) => is_it(a),
        ExprKind::Member(inner, _) | ExprKind::Index(inner, _) | ExprKind::Value(inner) => {
            is_it(inner) || is_smaller(inner, parameter)
        }
        _ => false,
    }
}

/// The calls of a function by its name.
fn calls_in<'a>(block: &'a Block<'a>, name: &str, found: &mut Vec<&'a Expr<'a>>) {
    for statement in &block.statements {
        let mut exprs: Vec<&'a Expr<'a>> = Vec::new();
        expressions(&statement.kind, &mut exprs);
        for expr in exprs {
            if let ExprKind::Call(callee, _) = &expr.bare().kind
                && callee.as_name().is_some_and(|callee| callee.text == name)
            {
                found.push(expr.bare());
            }
        }
        statement.blocks().into_iter().for_each(|block| calls_in(block, name, found));
    }
}

/// The expressions in which a statement may call something.
fn expressions<'a>(kind: &'a StatementKind<'a>, found: &mut Vec<&'a Expr<'a>>) {
    match kind {
        StatementKind::Let { value, .. } | StatementKind::Assign { value, .. } => found.push(value),
        StatementKind::Do(value) => found.push(value),
        StatementKind::Return(values) => found.extend(values),
        StatementKind::DeferOne(inner) | StatementKind::Idle(inner) => {
            expressions(&inner.kind, found);
        }
        _ => {}
    }
}

/// Where a variable of this name is declared in a block, or in one inside of it.
pub(super) fn declared_in(block: &Block<'_>, name: &str) -> Option<Span> {
    let is_it = |other: &Name<'_>| (other.text == name).then_some(other.span);
    block.statements.iter().find_map(|statement| {
        let own = match &statement.kind {
            StatementKind::Let { name, .. }
            | StatementKind::For { name, .. }
            | StatementKind::Choose { name, .. }
            | StatementKind::While(Condition::Let(name, _), _) => is_it(name),
            StatementKind::If { arms, .. } => {
                arms.iter().find_map(|(condition, _)| match condition {
                    Condition::Let(name, _) => is_it(name),
                    Condition::Plain(_) => None,
                })
            }
            StatementKind::Select(select) => {
                select.arms.iter().find_map(|arm| match &arm.operation {
                    SelectOperation::Call { result: ArmResult::Let(name), .. } => is_it(name),
                    SelectOperation::JoinAny { name, .. } => is_it(name),
                    _ => None,
                })
            }
            _ => None,
        };
        own.or_else(|| statement.blocks().into_iter().find_map(|block| declared_in(block, name)))
    })
}
