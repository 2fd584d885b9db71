//! Calls: of steps and functions, `spawn`, `join`, and what only looks like a call.

use net::BinaryOp;
use program::{
    Action, Arm, CollectionOp, Expr as Value, Form, LocalId, ObjectId, Operation, Select, Target,
    Type,
};

use super::body::{Binding, Kind};
use super::declared::{CHANGES, Decl};
use super::instance::{Special, is_special};
use super::member::object_of;
use super::{Lowering, origin};
use crate::syntax::process::{Argument, Component, FunctionDecl, MemberKind, TypeKind, TypeSyntax};
use crate::syntax::{Expr, ExprKind, Name};
use diagnostics::Span;

/// Where the result of a call goes.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// It is not asked for.
    Nowhere,
    /// A hidden variable.
    Temp,
    /// This variable, if its type is just that of the result; otherwise a hidden one.
    Local(LocalId),
    /// A variable that is declared by this.
    Fresh(Name<'a>),
}

/// Whether it depends on its surroundings what an expression is.
pub(super) fn needs_type(expr: &Expr<'_>) -> bool {
    match &expr.bare().kind {
        ExprKind::Name("none") | ExprKind::Pairs(_) => true,
        ExprKind::List(list) => list.is_empty(),
        _ => false,
    }
}

impl<'a> Lowering<'a, '_, '_> {
    /// The variable for a result.
    pub(super) fn store(&mut self, place: Place<'a>, of: &Type) -> Option<LocalId> {
        match place {
            Place::Nowhere => None,
            Place::Local(id) if self.body.routine.locals[id.index()].of == *of => Some(id),
            Place::Temp | Place::Local(_) => Some(self.body.hidden(of.clone())),
            Place::Fresh(name) => Some(self.declare(name, of.clone())),
        }
    }

    /// Calls something, with what it gives, if it gives anything. `None` after a mistake.
    pub(super) fn called(
        &mut self,
        expr: &'a Expr<'a>,
        hint: Option<&Type>,
        place: Place<'a>,
    ) -> Option<Option<Value>> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.called(inner, hint, place),
            ExprKind::New(of, arguments) => {
                self.new_object(of, arguments, hint, expr.span, place).map(Some)
            }
            ExprKind::Spawn(name, arguments) => self.spawn(*name, arguments, expr.span, place),
            ExprKind::Join(handle) => {
                self.note_call(expr.span)?;
                let (operation, value) = self.join(handle, place)?;
                self.wait_for(operation);
                Some(value)
            }
            ExprKind::Call(callee, arguments) => match &callee.bare().kind {
                ExprKind::Name(text) => {
                    let name = Name { text, span: callee.span };
                    self.called_by_name(name, arguments, expr.span, hint, place)
                }
                ExprKind::Member(inner, name) => {
                    self.called_member(inner, *name, arguments, expr.span, place)
                }
                callee_kind => {
                    let made = match callee_kind {
                        ExprKind::Index(of, _) => of.as_name(),
                        _ => None,
                    };
                    let help = match made.and_then(|name| Some((name, self.decl(name)?))) {
                        Some((name, Decl::Object(_))) => {
                            format!("an object is made by `new`: `new {}[…](…)`", name.text)
                        }
                        _ => "a call is `NAME(…)` or `OBJECT.STEP(…)`".to_owned(),
                    };
                    self.report_wrong_call(callee.span, "this is nothing to call".into(), help);
                    None
                }
            },
            _ => self.expr(expr, hint).map(Some),
        }
    }

    /// Waits for one thing.
    pub(super) fn wait_for(&mut self, operation: Operation) {
        let origin = origin(self.body.span);
        let arm = Arm { label: None, when: None, operation, body: Vec::new(), origin };
        let idle = std::mem::take(&mut self.body.idle);
        self.body.emit(Action::Select(Select { arms: vec![arm], otherwise: None, idle }));
    }

    fn spawn(
        &mut self,
        name: Name<'a>,
        arguments: &'a [Argument<'a>],
        span: Span,
        place: Place<'a>,
    ) -> Option<Option<Value>> {
        let Some(Decl::Process(decl)) = self.decl(name) else {
            match self.decl(name) {
                Some(other) => {
                    let message = format!("`{}` is {}", name.text, other.word());
                    let help = match other {
                        Decl::Function(_) => format!(
                            "declare it as `process {}(…)`, or call it without `spawn`",
                            name.text
                        ),
                        Decl::Object(_) => format!("an object is made: `new {}(…)`", name.text),
                        _ => "declare `process NAME(…) { … }`".to_owned(),
                    };
                    self.error("E1010", message, name.span, "only processes are spawned")
                        .help(help)
                        .report(self.resolver.diagnostics);
                }
                None if self.body.names.contains_key(name.text) => {
                    let message = format!("`{}` is a variable", name.text);
                    let help = format!(
                        "declare a process that calls what is to be done, `process NAME({0}: …) {{ {0}.… }}`, \
                         and `spawn NAME({0})`",
                        name.text
                    );
                    self.error("E1010", message, name.span, "only processes are spawned")
                        .help(help)
                        .report(self.resolver.diagnostics);
                }
                None => {
                    let known = self.names.all(|decl| matches!(decl, Decl::Process(_)));
                    self.report_unknown_callee(name, known, "process");
                }
            }
            self.look_at(arguments);
            return None;
        };
        self.note_call(span)?;
        let id = self.process(decl, span)?;
        let routine = &self.program.processes[id.index()];
        if routine.parameters != decl.parameters.len() {
            // What is wrong with them has been reported.
            self.look_at(arguments);
            return None;
        }
        let types = routine.locals[..routine.parameters].iter().map(|local| local.of.clone());
        let names = decl.parameters.iter().map(|parameter| parameter.name.text);
        let parameters: Vec<(&'a str, Type)> = names.zip(types).collect();
        let values = self.arguments(&parameters, arguments, name)?;
        let of = Type::Handle(Some(id));
        let local = self.store(place, &of);
        let target = local.map(|local| Target::local(local, of.clone()));
        self.body.emit(Action::Spawn(target, id, values));
        Some(local.map(|local| Value::local(local, of)))
    }

    /// The end of a process, and its result.
    pub(super) fn join(
        &mut self,
        handle: &'a Expr<'a>,
        place: Place<'a>,
    ) -> Option<(Operation, Option<Value>)> {
        let value = self.expr(handle, None)?;
        let of = self.joined_type(&value.of, handle.span)?;
        let local = self.store(place, &of);
        let result = local.map(|local| Value::local(local, of));
        Some((Operation::Join(value, local), result))
    }

    /// What joining a process gives.
    pub(super) fn joined_type(&mut self, of: &Type, span: Span) -> Option<Type> {
        let kind = match of {
            Type::Handle(kind) => Some(*kind),
            Type::Optional(inner) => match **inner {
                Type::Handle(kind) => Some(kind),
                _ => None,
            },
            _ => None,
        };
        let Some(kind) = kind else {
            self.report_mismatch(&of.clone(), "a handle of a process", span, "this");
            return None;
        };
        let result = kind.and_then(|id| self.program.processes[id.index()].result.clone());
        let result = result.unwrap_or_else(|| Type::Record(self.unit()));
        Some(Type::Optional(Box::new(result)))
    }

    fn called_by_name(
        &mut self,
        name: Name<'a>,
        arguments: &'a [Argument<'a>],
        span: Span,
        hint: Option<&Type>,
        place: Place<'a>,
    ) -> Option<Option<Value>> {
        if let Some(entry) = self.body.names.get(name.text)
            && let Binding::Predicate(lambda) = entry.binding.clone()
        {
            return self.applied(&lambda, arguments, name).map(Some);
        }
        if let Some(id) = self.body.this
            && self.member_named(id, name.text).is_some()
        {
            let this = Value::local(LocalId(0), Type::Object(id));
            return self.called_on_object(this, id, name, arguments, span, place);
        }
        match self.decl(name) {
            Some(Decl::Function(decl)) => {
                self.note_call(span)?;
                self.called_function(decl, None, arguments, name, place)
            }
            Some(Decl::Record(decl)) => self.record_value(decl, arguments, name).map(Some),
            Some(Decl::Case(decl, case)) => self.case(decl, case, arguments, name.span).map(Some),
            Some(Decl::Object(_)) => {
                let message = format!("`{}` is a type of objects", name.text);
                let help = format!("write `new {}(…)`", name.text);
                self.report_wrong_call(name.span, message, help);
                None
            }
            Some(Decl::Process(_)) => {
                let message = format!("`{}` is a process", name.text);
                let help = format!("write `spawn {}(…)`", name.text);
                self.report_wrong_call(name.span, message, help);
                None
            }
            Some(other) => {
                let message = format!("`{}` is {}", name.text, other.word());
                self.report_wrong_call(
                    name.span,
                    message,
                    "it has a value, and is not called".into(),
                );
                None
            }
            None => self.built_in(name, arguments, hint).map(Some),
        }
    }

    /// How a function is said that only other languages have, or that is a step of its first argument.
    fn said_otherwise(&self, name: Name<'a>, arguments: &'a [Argument<'a>]) -> Option<String> {
        let help = match name.text {
            "print" | "println" | "printf" | "log" => {
                "leave it out: runs are shown with all that changes in them"
            }
            "sleep" => "there is no time: a process may take its next step at any moment",
            "panic" => "write `assert false`, or `kill self` where somebody recovers",
            "append" => "write `s.push_back(x)`",
            "delete" => "write `m.remove(k)`",
            "max" | "min" => "write `if a > b then a else b`",
            _ => {
                let is_step = |decl| match decl {
                    Decl::Object(decl) => decl.members.iter().any(|member| match &member.kind {
                        MemberKind::Step(decl) | MemberKind::Function(decl) => {
                            decl.name.text.eq_ignore_ascii_case(name.text)
                        }
                        _ => false,
                    }),
                    _ => false,
                };
                let first = arguments.first()?.value.bare().as_name()?;
                let has_it = !self.names.all(is_step).is_empty();
                let step = name.text.to_ascii_lowercase();
                let rest = if arguments.len() > 1 { "…" } else { "" };
                return has_it.then(|| format!("write `{}.{step}({rest})`", first.text));
            }
        };
        Some(help.to_owned())
    }

    /// `len`, `ended`, `succ`, `pred`, or a member of a class by its number.
    fn built_in(
        &mut self,
        name: Name<'a>,
        arguments: &'a [Argument<'a>],
        _hint: Option<&Type>,
    ) -> Option<Value> {
        if self.resolver.meaning(name.text).is_some() {
            let given: Vec<Expr<'a>> = arguments.iter().map(|one| one.value.clone()).collect();
            let mut scope = crate::resolve::scope::Scope::new(crate::resolve::scope::Usage::Guard);
            let typed = self.resolver.nth(name, &given, name.span, &mut scope);
            return typed.as_literal().map(super::expression::literal);
        }
        match (name.text, arguments) {
            ("len", [one]) => {
                let value = self.expr(&one.value, None)?;
                let (Type::Sequence(_, room) | Type::Set(_, room) | Type::Map(_, _, room)) =
                    value.of
                else {
                    self.report_mismatch(
                        &value.of.clone(),
                        "a collection",
                        one.value.span,
                        "in `len`",
                    );
                    return None;
                };
                let of = Type::Int { min: 0, max: room.into() };
                Some(Value { form: Form::On(CollectionOp::Len, vec![value]), of })
            }
            ("ended", [one]) => {
                let value = self.expr(&one.value, None)?;
                self.joined_type(&value.of.clone(), one.value.span)?;
                let value = match &value.of {
                    Type::Optional(of) => {
                        let of = Type::clone(of);
                        Value { form: Form::Unwrap(Box::new(value)), of }
                    }
                    _ => value,
                };
                Some(Value { form: Form::Ended(Box::new(value)), of: Type::Bool })
            }
            ("succ" | "pred", [one]) => {
                let value = self.expr(&one.value, None)?;
                let Type::Member(_) = value.of else {
                    let wanted = "a member of a class";
                    self.report_mismatch(&value.of.clone(), wanted, one.value.span, "this");
                    return None;
                };
                let of = value.of.clone();
                let steps = if name.text == "succ" { 1 } else { -1 };
                Some(Value { form: Form::Shift(Box::new(value), steps), of })
            }
            ("len" | "ended" | "succ" | "pred", _) => {
                let message = format!("`{}` takes 1 argument, not {}", name.text, arguments.len());
                self.error("E1006", message, name.span, format!("{} given", arguments.len()))
                    .help(format!("write `{}(x)`", name.text))
                    .report(self.resolver.diagnostics);
                None
            }
            _ => {
                let is_called =
                    |decl| matches!(decl, Decl::Function(_) | Decl::Record(_) | Decl::Case(..));
                let mut known = self.names.all(is_called);
                known.extend(["len", "ended"]);
                if let Some(id) = self.body.this {
                    known.extend(self.step_names(id));
                }
                match self.said_otherwise(name, arguments) {
                    Some(help) => {
                        let message = format!("there is no function named `{}`", name.text);
                        self.error("E1008", message, name.span, "not declared")
                            .help(help)
                            .report(self.resolver.diagnostics);
                    }
                    None => self.report_unknown_callee(name, known, "function"),
                }
                self.look_at(arguments);
                None
            }
        }
    }

    fn called_member(
        &mut self,
        inner: &'a Expr<'a>,
        name: Name<'a>,
        arguments: &'a [Argument<'a>],
        span: Span,
        place: Place<'a>,
    ) -> Option<Option<Value>> {
        let value = self.expr(inner, None)?;
        if let Some(id) = object_of(&value.of) {
            return self.called_on_object(value, id, name, arguments, span, place);
        }
        let is_collection = matches!(value.of, Type::Sequence(..) | Type::Set(..) | Type::Map(..));
        if is_collection && CHANGES.contains(&name.text) {
            self.note_call(span)?;
            return self.change(inner, name, arguments, place);
        }
        let shown = self.shown(&value.of);
        let message = format!("nothing named `{}` can be done to `{shown}`", name.text);
        let error = self.error("E1003", message, name.span, "no such method");
        let error = match is_collection {
            true => match name.text {
                "len" | "size" | "length" | "count" => error.help("write `len(s)`"),
                "is_empty" | "isEmpty" | "empty" => error.help("write `len(s) == 0`"),
                "contains" | "has" | "includes" => error.help("write `x in s`"),
                "get" | "at" => error.help("write `s[i]`"),
                "push" | "append" | "add" | "enqueue" => {
                    error.help("write `s.push_back(x)`; of a set, `s.insert(x)`")
                }
                "pop" | "dequeue" | "shift" => {
                    error.help("write `s.pop_front()`, or `s.pop_back()`")
                }
                "delete" | "erase" => {
                    error.help("write `s.remove(x)`; of a sequence, `s.remove_at(i)`")
                }
                _ => {
                    error.help_nearest(name.text, CHANGES, "elements are read with `[…]` and `len`")
                }
            },
            false => match value.of {
                Type::Optional(_) => error.help("take the value out first: `if let v = … { … }`"),
                Type::Handle(_) => error.help("a process is joined, killed or crashed: `join h`"),
                _ => error.help("only objects have steps, and collections can be changed"),
            },
        };
        self.resolver.diagnostics.push(error);
        self.look_at(arguments);
        None
    }

    pub(super) fn called_on_object(
        &mut self,
        object: Value,
        id: ObjectId,
        name: Name<'a>,
        arguments: &'a [Argument<'a>],
        span: Span,
        place: Place<'a>,
    ) -> Option<Option<Value>> {
        self.note_call(span)?;
        match self.member_named(id, name.text) {
            Some(MemberKind::Step(_)) => {
                self.note_lock(&object, id, name, span);
                let (operation, value) = self.step_operation(object, id, name, arguments, place)?;
                self.wait_for(operation);
                Some(value)
            }
            Some(MemberKind::Function(decl)) => {
                self.note_lock(&object, id, name, span);
                // A function is given its object, which must be there.
                let object = match &object.of {
                    Type::Optional(of) => {
                        let of = Type::clone(of);
                        Value { form: Form::Unwrap(Box::new(object)), of }
                    }
                    _ => object,
                };
                self.called_function(decl, Some((object, id)), arguments, name, place)
            }
            _ => {
                self.report_no_step(id, name);
                self.look_at(arguments);
                None
            }
        }
    }

    pub(super) fn report_no_step(&mut self, id: ObjectId, name: Name<'a>) {
        let names = self.step_names(id);
        let object = self.objects[id.index()].name.clone();
        let otherwise = match names.is_empty() {
            true => String::new(),
            false => format!("it has `{}`", names.join("`, `")),
        };
        let message = format!("`{object}` has no step `{}`", name.text);
        let error = self.error("E1003", message, name.span, "no such step");
        // What the locks of other languages call reading.
        let read = name.text.strip_prefix('r').map(|step| format!("read_{step}"));
        match read.filter(|step| names.contains(&step.as_str())) {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error.help_nearest(name.text, names, &otherwise),
        }
        .report(self.resolver.diagnostics);
    }

    /// A step of an object, and where its result goes.
    pub(super) fn step_operation(
        &mut self,
        object: Value,
        id: ObjectId,
        name: Name<'a>,
        arguments: &'a [Argument<'a>],
        place: Place<'a>,
    ) -> Option<(Operation, Option<Value>)> {
        let Some(MemberKind::Step(decl)) = self.member_named(id, name.text) else {
            self.report_no_step(id, name);
            return None;
        };
        let (given, special, more) = self.special_arguments(decl, arguments, name)?;
        let step = self.step(id, decl, special, name.span)?;
        if let Kind::Step(own, caller) = self.body.kind {
            self.step_calls.push(((own, caller), (id, step), name.span));
        }
        let routine = &self.program.objects[id.index()].steps[step.index()].routine;
        let types = routine.locals[1..routine.parameters].iter().map(|local| local.of.clone());
        let (types, result): (Vec<Type>, _) = (types.collect(), routine.result.clone());
        let arguments = self.plain_arguments(decl, given, &types, more, name)?;
        let local = result.as_ref().and_then(|of| self.store(place, of));
        let value = local.zip(result).map(|(local, of)| Value::local(local, of));
        Some((Operation::Step { object, step, arguments, result: local }, value))
    }

    fn called_function(
        &mut self,
        decl: &'a FunctionDecl<'a>,
        this: Option<(Value, ObjectId)>,
        arguments: &'a [Argument<'a>],
        name: Name<'a>,
        place: Place<'a>,
    ) -> Option<Option<Value>> {
        let (given, special, more) = self.special_arguments(decl, arguments, name)?;
        let object = this.as_ref().map(|(_, id)| *id);
        let function = self.function(decl, object, special, name.span)?;
        let routine = &self.program.functions[function.index()];
        let first = usize::from(this.is_some());
        let types = routine.locals[first..routine.parameters].iter().map(|local| local.of.clone());
        let (types, result): (Vec<Type>, _) = (types.collect(), routine.result.clone());
        let arguments = self.plain_arguments(decl, given, &types, more, name)?;
        let arguments = this.into_iter().map(|(value, _)| value).chain(arguments).collect();
        let local = result.as_ref().and_then(|of| self.store(place, of));
        let value = local.zip(result).map(|(local, of)| Value::local(local, of));
        let target = value.as_ref().and_then(|value| match value.form {
            Form::Local(id) => Some(Target::local(id, value.of.clone())),
            _ => None,
        });
        self.body.emit(Action::Call(target, function, arguments));
        Some(value)
    }

    /// The arguments by parameter, what the special ones are, and the values that predicates have captured.
    #[allow(clippy::type_complexity)]
    fn special_arguments(
        &mut self,
        decl: &'a FunctionDecl<'a>,
        arguments: &'a [Argument<'a>],
        name: Name<'a>,
    ) -> Option<(Vec<Given<'a>>, Vec<Special<'a>>, Vec<Value>)> {
        let names: Vec<&'a str> = decl.parameters.iter().map(|p| p.name.text).collect();
        let Some(found) = self.assigned_arguments(&names, arguments, name) else {
            self.look_at(arguments);
            return None;
        };
        let (mut given, mut special, mut more) = (Vec::new(), Vec::new(), Vec::new());
        for (parameter, expr) in decl.parameters.iter().zip(found) {
            if !is_special(&parameter.of) {
                given.push(Given::Plain(expr));
                continue;
            }
            let Some(expr) = expr else {
                self.argument(None, &Type::Bool, parameter.name.text, name);
                return None;
            };
            if let TypeKind::AnyWith(steps) = &parameter.of.kind {
                let value = self.any_object(expr, steps)?;
                special.push(Special::Type(value.of.clone()));
                given.push(Given::Value(value));
            } else {
                self.check_predicate(&parameter.of)?;
                let (predicate, captured) = self.predicate(expr)?;
                special.push(predicate);
                more.extend(captured);
            }
        }
        Some((given, special, more))
    }

    /// Reports a parameter that is a function of another kind than a predicate.
    fn check_predicate(&mut self, of: &'a TypeSyntax<'a>) -> Option<()> {
        let TypeKind::Predicate(parameters, result) = &of.kind else { return Some(()) };
        if parameters.len() == 1 && matches!(result.kind, TypeKind::Bool) {
            return Some(());
        }
        self.error("E1010", "a predicate is about one value", of.span, "this is another function")
            .help("write `fn(T): bool`")
            .report(self.resolver.diagnostics);
        None
    }

    /// Any object that has these steps.
    fn any_object(&mut self, expr: &'a Expr<'a>, steps: &'a [Name<'a>]) -> Option<Value> {
        let value = self.expr(expr, None)?;
        let Some(id) = object_of(&value.of) else {
            self.report_mismatch(&value.of.clone(), "an object", expr.span, "this argument");
            return None;
        };
        for step in steps {
            if self.member_named(id, step.text).is_none() {
                let object = self.objects[id.index()].name.clone();
                let message = format!("`{object}` has no step `{}`", step.text);
                let known = self.step_names(id);
                let otherwise =
                    format!("declare `step {}` in it, or give another object", step.text);
                self.error("E1003", message, expr.span, "it is asked for here")
                    .help_nearest(step.text, known, &otherwise)
                    .report(self.resolver.diagnostics);
                return None;
            }
        }
        Some(value)
    }

    fn plain_arguments(
        &mut self,
        decl: &'a FunctionDecl<'a>,
        given: Vec<Given<'a>>,
        types: &[Type],
        more: Vec<Value>,
        name: Name<'a>,
    ) -> Option<Vec<Value>> {
        let plain = |p: &&Component<'a>| !matches!(p.of.kind, TypeKind::Predicate(..));
        let names = decl.parameters.iter().filter(plain).map(|p| p.name.text);
        let mut values = Vec::new();
        for ((given, of), parameter) in given.into_iter().zip(types).zip(names) {
            values.push(match given {
                Given::Plain(expr) => self.argument(expr, of, parameter, name),
                Given::Value(value) => Some(value),
            });
        }
        let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
        Some(values.into_iter().chain(more).collect())
    }
}

/// An argument that is given.
enum Given<'a> {
    Plain(Option<&'a Expr<'a>>),
    Value(Value),
}

/// `a == b` of two values.
pub(super) fn equal(a: Value, b: Value) -> Value {
    super::operator::compared(BinaryOp::Equal, a, b)
}
