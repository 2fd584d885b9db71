//! `select` and `with`.

use diagnostics::Span;
use net::listing::LineKind;
use program::{Action, Arm, Expr as Value, LabelId, Operation, Select as Lowered, Statement, Type};

use super::Lowering;
use super::body::Calls;
use super::call::Place;
use super::member::object_of;
use crate::syntax::process::{ArmResult, Block, MemberKind, Select, SelectArm, SelectOperation};
use crate::syntax::{Expr, ExprKind, Name};

impl<'a> Lowering<'a, '_, '_> {
    /// Waits for one of several things.
    pub(super) fn select(&mut self, select: &'a Select<'a>) -> bool {
        let span = self.body.span;
        let idle = std::mem::take(&mut self.body.idle);
        let held = self.body.held.clone();
        let (mut arms, mut outcomes) = (Vec::new(), Vec::new());
        let mut all_end = true;
        for arm in &select.arms {
            self.body.held = held.clone();
            self.body.span = arm.span.to(arm.body.open);
            self.body.span.end = arm.body.open.start;
            let (lowered, ends) = self.arm(arm);
            arms.extend(lowered);
            outcomes.push((self.body.held.clone(), ends));
            all_end &= ends;
        }
        self.body.held = held;
        self.body.span = span;
        let otherwise = select.otherwise.as_ref().map(|(_, block)| self.block(block));
        let ends = otherwise.as_ref().is_none_or(|(_, ends)| *ends);
        self.merge_held(outcomes, ends);
        self.body.span = span;
        if select.is_whole && select.arms.is_empty() && otherwise.is_none() {
            self.error("E1010", "a `select` without arms waits for ever", span, "for nothing")
                .help("write `await false` where that is meant")
                .report(self.resolver.diagnostics);
        }
        let otherwise = otherwise.map(|(block, _)| block);
        self.program.kinds.insert(span.start as usize, LineKind::Select);
        self.body.emit(Action::Select(Lowered { arms, otherwise, idle }));
        all_end && ends
    }

    fn arm(&mut self, arm: &'a SelectArm<'a>) -> (Option<Arm>, bool) {
        let span = self.body.span;
        let when = arm.when.as_ref().map(|when| self.pure_condition(when, "`when`"));
        let label = arm.label.map(|name| self.arm_label(name));
        self.body.calls = Calls::Free;
        self.body.scopes.push(Vec::new());
        let operation = self.arm_operation(&arm.operation);
        let (first, operation) = match operation {
            Some((operation, first)) => (first, Some(operation)),
            None => {
                self.bind_results(&arm.operation);
                (Vec::new(), None)
            }
        };
        let (body, ends) = self.block(&arm.body);
        for name in self.body.scopes.pop().expect("it was pushed") {
            self.body.names.remove(name);
        }
        let body = first.into_iter().chain(body).collect();
        let arm = operation.zip(when.map_or(Some(None), |when| when.map(Some)));
        let origin = super::origin(span);
        let arm = arm.map(|(operation, when)| Arm { label, when, operation, body, origin });
        (arm, ends)
    }

    /// The label of an arm, of which fairness may be assumed.
    fn arm_label(&mut self, name: Name<'a>) -> LabelId {
        if let (Some(decl), 0) = (self.body.decl, self.body.atomic) {
            self.arms.insert(format!("{}.{}", decl.name.text, name.text));
        }
        self.label(name)
    }

    fn bind_results(&mut self, operation: &SelectOperation<'a>) {
        match operation {
            SelectOperation::Call { result: ArmResult::Let(name), .. } => self.bind_wrong(*name),
            SelectOperation::JoinAny { result, name, .. } => {
                self.bind_wrong(*name);
                if let ArmResult::Let(name) = result {
                    self.bind_wrong(*name);
                }
            }
            _ => {}
        }
    }

    /// What an arm waits for, and what is done first then.
    fn arm_operation(
        &mut self,
        operation: &'a SelectOperation<'a>,
    ) -> Option<(Operation, Vec<Statement>)> {
        match operation {
            SelectOperation::Timeout => {
                Some((Operation::Await(super::expression::boolean(true)), Vec::new()))
            }
            SelectOperation::Await(condition) => {
                let condition = self.pure_condition(condition, "`await`")?;
                Some((Operation::Await(condition), Vec::new()))
            }
            SelectOperation::Call { result, call } => {
                let (operation, value) = self.offered(call, place_of(result))?;
                Some((operation, self.taken(result, value, call)?))
            }
            SelectOperation::JoinAny { result, name, handles } => {
                let value = self.expr(handles, None)?;
                let Some(of) = super::element::element_of(&value.of) else {
                    self.report_mismatch(
                        &value.of.clone(),
                        "a collection of handles",
                        handles.span,
                        "after `in`",
                    );
                    return None;
                };
                let joined = self.joined_type(&of, handles.span)?;
                let which = self.declare(*name, of);
                let local = self.store(place_of(result), &joined);
                let given = local.map(|local| Value::local(local, joined));
                let first = self.taken(result, given, handles)?;
                Some((Operation::JoinAny(value, Some(which), local), first))
            }
        }
    }

    /// A step or a `join` that an arm waits for.
    fn offered(
        &mut self,
        call: &'a Expr<'a>,
        place: Place<'a>,
    ) -> Option<(Operation, Option<Value>)> {
        match &call.bare().kind {
            ExprKind::Join(handle) => return self.join(handle, place),
            ExprKind::Call(callee, arguments) => {
                let found = match &callee.bare().kind {
                    ExprKind::Member(inner, name) => {
                        let value = self.expr(inner, None)?;
                        object_of(&value.of).map(|id| (value, id, *name))
                    }
                    ExprKind::Name(text) => self.body.this.map(|id| {
                        let this = Value::local(program::LocalId(0), Type::Object(id));
                        (this, id, Name { text, span: callee.span })
                    }),
                    _ => None,
                };
                if let Some((object, id, name)) = found {
                    if let Some(MemberKind::Function(_)) = self.member_named(id, name.text) {
                        let message = format!("`{}` is a function, of several steps", name.text);
                        self.error("E1010", message, name.span, "an arm waits for one step")
                            .help("wait for its first step, and do the rest in the arm")
                            .report(self.resolver.diagnostics);
                        return None;
                    }
                    return self.step_operation(object, id, name, arguments, place);
                }
            }
            _ => {}
        }
        self.error(
            "E1010",
            "an arm waits for a step, a `join` or an `await`",
            call.span,
            "not for this",
        )
        .help("write `c.receive() { … }`, `join h { … }` or `await c { … }`; what is done then stands in the block").report(self.resolver.diagnostics);
        None
    }

    /// Gives the result of an arm to where it belongs.
    fn taken(
        &mut self,
        result: &'a ArmResult<'a>,
        value: Option<Value>,
        call: &'a Expr<'a>,
    ) -> Option<Vec<Statement>> {
        if matches!(result, ArmResult::None) {
            return Some(Vec::new());
        }
        let Some(value) = value else {
            self.error("E1007", "this gives no value", call.span, "nothing is returned")
                .help("leave out what stands before it, and `=`")
                .report(self.resolver.diagnostics);
            return None;
        };
        let ArmResult::Assign(target) = result else { return Some(Vec::new()) };
        let mut first = None;
        let block = self.scoped(|lowering| {
            let Some((to, of)) = lowering.target(target) else { return };
            let Some(value) = lowering.fit(value, &of, call.span, "the value") else { return };
            lowering.assign(to, value);
            first = Some(());
        });
        first.map(|()| block)
    }

    /// `with m.lock() { … }`: what undoes it is deferred.
    pub(super) fn with(&mut self, call: &'a Expr<'a>, block: &'a Block<'a>) -> bool {
        let span = self.body.span;
        let found = match &call.bare().kind {
            ExprKind::Call(callee, arguments) => match &callee.bare().kind {
                ExprKind::Member(inner, name) => Some((inner, *name, arguments)),
                _ => None,
            },
            _ => None,
        };
        let Some((inner, name, arguments)) = found else {
            self.error(
                "E1016",
                "`with` is followed by a step of an object",
                call.span,
                "this is none",
            )
            .help("write `with m.lock() { … }`")
            .report(self.resolver.diagnostics);
            self.block(block);
            return false;
        };
        let mut ends = false;
        let lowered = self.scoped(|lowering| {
            let done = lowering.with_undo(inner, name, arguments, call);
            lowering.body.span = span;
            if done.is_some() || lowering.resolver.diagnostics.has_errors() {
                ends = lowering.block_here(block);
            }
        });
        self.body.span = span;
        self.body.emit(Action::Block(lowered));
        ends
    }

    /// The statements of a block within the one that is open.
    fn block_here(&mut self, block: &'a Block<'a>) -> bool {
        let (lowered, ends) = self.block(block);
        let into = self.body.blocks.last_mut().expect("there is a block");
        into.extend(lowered);
        ends
    }

    fn with_undo(
        &mut self,
        inner: &'a Expr<'a>,
        name: Name<'a>,
        arguments: &'a [crate::syntax::process::Argument<'a>],
        call: &'a Expr<'a>,
    ) -> Option<()> {
        let object = self.expr(inner, None)?;
        let Some(id) = object_of(&object.of) else {
            self.report_mismatch(&object.of.clone(), "an object", inner.span, "after `with`");
            return None;
        };
        let member = self.member_named(id, name.text);
        let (Some(MemberKind::Step(decl)) | Some(MemberKind::Function(decl))) = member else {
            self.report_no_step(id, name);
            return None;
        };
        let Some(undo) = decl.undo else {
            let message = format!("it is not said what undoes `{}`", name.text);
            let others = self.objects[id.index()].decl.members.iter().filter_map(|member| {
                match &member.kind {
                    MemberKind::Step(decl) | MemberKind::Function(decl) if decl.undo.is_some() => {
                        Some(decl.name.text)
                    }
                    _ => None,
                }
            });
            let others: Vec<&str> = others.collect();
            let help = match others.is_empty() {
                true => format!("declare it: `step {} undo … {{ … }}`", name.text),
                false => format!("of `{}` it is said", others.join("`, `")),
            };
            self.error("E1016", message, name.span, "no `undo`")
                .help(help)
                .report(self.resolver.diagnostics);
            return None;
        };
        // Both are done to the same object.
        let object = match self.is_constant(&object) {
            true => object,
            false => self.looked_at(object),
        };
        let held = self.body.held.clone();
        self.body.calls = Calls::Free;
        self.done_to(object.clone(), id, name, arguments, call)?;
        let span = self.body.span;
        let last = Span { start: span.end.saturating_sub(1), ..span };
        self.program.closings.insert(last.start as usize, span.start as usize);
        let undone = self.scoped(|lowering| {
            lowering.body.calls = Calls::Free;
            lowering.body.span = last;
            let name = Name { text: undo.text, span: name.span };
            let count = match lowering.member_named(id, undo.text) {
                Some(MemberKind::Step(decl) | MemberKind::Function(decl)) => decl.parameters.len(),
                _ => 0,
            };
            let again = if count == 0 { &[] } else { arguments };
            lowering.done_to(object, id, name, again, call);
        });
        self.body.held = held;
        self.body.span = span;
        self.body.emit(Action::Defer(undone));
        Some(())
    }

    fn done_to(
        &mut self,
        object: Value,
        id: program::ObjectId,
        name: Name<'a>,
        arguments: &'a [crate::syntax::process::Argument<'a>],
        call: &'a Expr<'a>,
    ) -> Option<()> {
        self.called_on_object(object, id, name, arguments, call.span, Place::Nowhere).map(|_| ())
    }
}

fn place_of<'a>(result: &ArmResult<'a>) -> Place<'a> {
    match result {
        ArmResult::None => Place::Nowhere,
        ArmResult::Let(name) => Place::Fresh(*name),
        ArmResult::Assign(_) => Place::Temp,
    }
}
