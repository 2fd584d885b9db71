//! Object types, functions, steps and processes, each made for the types it is asked for with.

use std::collections::HashMap;
use std::rc::Rc;

use process::program::{
    Action, Expr as Value, Field, FieldId, Form, FunctionId, LocalId, Named, ObjectId, ObjectType,
    ProcessId, Routine, Step, StepId, Target, Type,
};

use super::body::{Binding, Body, Kind};
use super::predicate::Lambda;
use super::types::NESTING;
use super::{INSTANCES, Lowering, address, origin};
use crate::syntax::Name;
use crate::syntax::process::{
    Block, FunctionDecl, MeetSide, MemberKind, ObjectDecl, TypeKind, TypeSyntax,
};
use diagnostics::Span;

/// What is known of an object type besides what the program has.
pub(super) struct ObjectInfo<'a> {
    pub decl: &'a ObjectDecl<'a>,
    /// Its name, with the types it was made for.
    pub name: String,
    pub types: Rc<HashMap<&'a str, Type>>,
    pub used: Span,
    /// Whether parameters and fields are known; nothing is known after a mistake.
    pub state: State,
    /// Fields by name.
    pub fields: HashMap<&'a str, FieldId>,
    /// The fields that keep what the object was made with, where that is asked for.
    pub parameter_fields: Vec<Option<FieldId>>,
    /// The steps without parameters of special types that were asked for.
    pub steps: HashMap<&'a str, StepId>,
    /// The meetings that were made, by their place among the members.
    pub met: Vec<usize>,
    /// Objects that are made with it: the hidden parameters, after those declared.
    pub inner: Vec<Inner>,
}

/// An object that is made for a field of another.
#[derive(Clone)]
pub(super) struct Inner {
    pub of: ObjectId,
    /// Over the parameters of the outer one.
    pub arguments: Vec<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    New,
    /// Its types are known.
    Open,
    /// First values are being computed.
    Half,
    Whole,
}

/// What a parameter is, in an instance.
#[derive(Clone)]
pub(super) enum Special<'a> {
    Type(Type),
    Predicate(Rc<Lambda<'a>>),
}

/// A body that is to be made.
pub(super) struct Work<'a> {
    pub kind: Kind,
    pub decl: &'a FunctionDecl<'a>,
    pub this: Option<ObjectId>,
    pub parameters: Vec<(Name<'a>, Special<'a>)>,
    pub used: Span,
}

impl<'a> Lowering<'a, '_, '_> {
    /// Counts what is made, up to a limit.
    fn is_too_much(&mut self, span: Span) -> bool {
        self.instances += 1;
        if self.instances <= INSTANCES {
            return false;
        }
        if !self.is_overfull {
            self.is_overfull = true;
            let message =
                format!("more than {INSTANCES} types, steps and functions are made of this");
            self.error("E1013", message, span, "one too many is asked for here")
                .help("a type that contains itself with other type arguments has no end")
                .report(self.resolver.diagnostics);
        }
        true
    }

    /// An object type with its type arguments.
    pub(super) fn object(
        &mut self,
        decl: &'a ObjectDecl<'a>,
        arguments: Vec<Type>,
        span: Span,
    ) -> Option<ObjectId> {
        let key = (address(decl), arguments);
        if let Some(id) = self.object_ids.get(&key) {
            return Some(*id);
        }
        if self.is_too_much(span) {
            return None;
        }
        let id = ObjectId(u32::try_from(self.objects.len()).expect("fewer than bytes"));
        let shown: Vec<String> = key.1.iter().map(|of| self.shown(of)).collect();
        let name = match shown.is_empty() {
            true => decl.name.text.to_owned(),
            // Names within names grow.
            false if shown.iter().map(String::len).sum::<usize>() > 200 => {
                format!("{}[… {}]", decl.name.text, id.0)
            }
            false => format!("{}[{}]", decl.name.text, shown.join(", ")),
        };
        let types = decl.types.iter().map(|name| name.text).zip(key.1.iter().cloned()).collect();
        self.program.objects.push(ObjectType {
            name: name.clone(),
            parameters: Vec::new(),
            fields: Vec::new(),
            steps: Vec::new(),
            meetings: Vec::new(),
        });
        self.objects.push(ObjectInfo {
            decl,
            name,
            types: Rc::new(types),
            used: self.place(span),
            state: State::New,
            fields: HashMap::new(),
            parameter_fields: vec![None; decl.parameters.len()],
            steps: HashMap::new(),
            met: Vec::new(),
            inner: Vec::new(),
        });
        self.object_ids.insert(key, id);
        Some(id)
    }

    /// Another body for a while.
    fn apart<T>(&mut self, body: Body<'a>, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.body, body);
        let reported = std::mem::take(&mut self.reported);
        let found = act(self);
        self.body = outer;
        self.reported = reported;
        found
    }

    /// Finds out the types of the parameters and the fields of an object type.
    pub(super) fn open(&mut self, id: ObjectId) {
        let info = &mut self.objects[id.index()];
        if info.state != State::New {
            return;
        }
        info.state = State::Open;
        let (decl, used, types) = (info.decl, info.used, Rc::clone(&info.types));
        let mut body = Body::new(Kind::Initials(id), used);
        body.types = types;
        body.refuse("the first value of a field");
        self.apart(body, |lowering| {
            lowering.open_parameters(id, decl);
            lowering.open_fields(id, decl);
        });
    }

    fn open_parameters(&mut self, id: ObjectId, decl: &'a ObjectDecl<'a>) {
        for (number, parameter) in decl.parameters.iter().enumerate() {
            let is_int = matches!(&parameter.of.kind,
                TypeKind::Named(name, arguments) if name.text == "int" && arguments.is_empty());
            let of = if is_int {
                let key = (address(decl), self.objects[id.index()].name.clone(), number);
                let (min, max) = self.ranges.get(&key).copied().unwrap_or((0, 0));
                Type::Int { min, max }
            } else {
                self.type_of(&parameter.of).unwrap_or(Type::Bool)
            };
            let named = self.named_variable(parameter.name, of.clone());
            self.program.objects[id.index()].parameters.push(named.clone());
            self.body.routine.locals.push(named);
            let local = LocalId(u32::try_from(number).expect("fewer than bytes"));
            self.bind(parameter.name, Binding::Local(local));
        }
    }

    fn open_fields(&mut self, id: ObjectId, decl: &'a ObjectDecl<'a>) {
        for member in &decl.members {
            let MemberKind::Field { atomic, name, of, initial } = &member.kind else { continue };
            let declared = match of {
                Some(of) => self.type_of(of),
                // Without a type, it is that of the first value, which makes an object.
                None => match &initial.bare().kind {
                    crate::syntax::ExprKind::New(of, _) => self.type_of(of),
                    crate::syntax::ExprKind::Bool(_) => Some(Type::Bool),
                    _ => {
                        let message = format!("the type of the field `{}` is not known", name.text);
                        self.error("E1011", message, name.span, "no type")
                            .help(format!("write `{}: TYPE = VALUE`", name.text))
                            .report(self.resolver.diagnostics);
                        None
                    }
                },
            };
            let variable = self.named_variable(*name, declared.unwrap_or(Type::Bool));
            let initial = Value { form: Form::None, of: variable.of.clone() };
            let fields = &mut self.program.objects[id.index()].fields;
            let number = FieldId(u32::try_from(fields.len()).expect("fewer than bytes"));
            fields.push(Field { variable, initial, atomic: *atomic });
            if self.objects[id.index()].fields.insert(name.text, number).is_some() {
                self.report_second_member(*name, "the field");
            }
        }
    }

    pub(super) fn report_second_member(&mut self, name: Name<'a>, what: &str) {
        let message = format!("{what} `{}` is declared twice", name.text);
        self.error("E0204", message, name.span, "a second time")
            .help("choose another name for one of them")
            .report(self.resolver.diagnostics);
    }

    /// Computes the first values of the fields of an object type.
    pub(super) fn complete(&mut self, id: ObjectId, span: Span) -> Option<()> {
        self.open(id);
        match self.objects[id.index()].state {
            State::Whole => return Some(()),
            State::Half => {
                let name = self.objects[id.index()].name.clone();
                let message = format!("to make a `{name}`, another one has to be made first");
                self.error("E1014", message, span, "this goes on for ever")
                    .help("let the field be optional, and start with `none`")
                    .report(self.resolver.diagnostics);
                return None;
            }
            _ => {}
        }
        if self.nesting >= NESTING {
            let message = format!("more than {NESTING} objects are made for one another");
            self.error("E0002", message, span, "too deep").report(self.resolver.diagnostics);
            return None;
        }
        self.nesting += 1;
        let info = &mut self.objects[id.index()];
        info.state = State::Half;
        let (decl, used, types) = (info.decl, info.used, Rc::clone(&info.types));
        let mut body = Body::new(Kind::Initials(id), used);
        body.types = types;
        body.routine.locals = self.program.objects[id.index()].parameters.clone();
        body.refuse("the first value of a field");
        self.apart(body, |lowering| {
            for (number, parameter) in (0..).zip(&decl.parameters) {
                lowering.bind(parameter.name, Binding::Local(LocalId(number)));
            }
            let mut number = 0;
            for member in &decl.members {
                let MemberKind::Field { initial, .. } = &member.kind else { continue };
                let of = lowering.program.objects[id.index()].fields[number].variable.of.clone();
                if let Some(value) = lowering.fitting(initial, &of, "the first value") {
                    lowering.program.objects[id.index()].fields[number].initial = value;
                }
                number += 1;
            }
        });
        self.nesting -= 1;
        self.objects[id.index()].state = State::Whole;
        Some(())
    }

    /// Makes all steps and functions of an object type, so that mistakes in them are found.
    pub(super) fn whole_object(&mut self, id: ObjectId) {
        self.complete(id, self.objects[id.index()].used);
        let decl = self.objects[id.index()].decl;
        let mut seen = HashMap::new();
        for member in &decl.members {
            let (MemberKind::Step(function) | MemberKind::Function(function)) = &member.kind else {
                continue;
            };
            if seen.insert(function.name.text, ()).is_some()
                || self.objects[id.index()].fields.contains_key(function.name.text)
            {
                self.report_second_member(function.name, "the step or function");
            }
            if !self.is_plain(function) {
                continue;
            }
            match &member.kind {
                MemberKind::Step(step) => _ = self.step(id, step, Vec::new(), step.name.span),
                _ => {
                    self.check_recursion(function);
                    self.function(function, Some(id), Vec::new(), function.name.span);
                }
            }
        }
    }

    /// The field that keeps what an object was made with.
    pub(super) fn parameter_field(&mut self, id: ObjectId, number: usize) -> FieldId {
        if let Some(field) = self.objects[id.index()].parameter_fields[number] {
            return field;
        }
        let object = &mut self.program.objects[id.index()];
        let parameter = object.parameters[number].clone();
        let local = LocalId(u32::try_from(number).expect("fewer than bytes"));
        let initial = Value::local(local, parameter.of.clone());
        let field = FieldId(u32::try_from(object.fields.len()).expect("fewer than bytes"));
        object.fields.push(Field { variable: parameter, initial, atomic: true });
        self.objects[id.index()].parameter_fields[number] = Some(field);
        field
    }

    /// Whether all parameters have types of their own.
    pub(super) fn is_plain(&self, decl: &FunctionDecl<'a>) -> bool {
        decl.parameters.iter().all(|parameter| !is_special(&parameter.of))
    }

    /// The parameters of a routine, with what the special ones are in this instance.
    fn parameters(
        &mut self,
        decl: &'a FunctionDecl<'a>,
        special: Vec<Special<'a>>,
        this: Option<ObjectId>,
        span: Span,
    ) -> Option<Vec<(Name<'a>, Special<'a>)>> {
        let mut special = special.into_iter();
        let mut body = Body::new(self.body.kind, self.place(span));
        if let Some(id) = this {
            body.types = Rc::clone(&self.objects[id.index()].types);
            body.this = this;
        }
        body.refuse("a type");
        self.apart(body, |lowering| {
            let mut list = Vec::new();
            for parameter in &decl.parameters {
                let what = match is_special(&parameter.of) {
                    true => special.next()?,
                    false => Special::Type(lowering.type_of(&parameter.of)?),
                };
                list.push((parameter.name, what));
            }
            Some(list)
        })
    }

    /// The result of a routine.
    fn result(
        &mut self,
        decl: &'a FunctionDecl<'a>,
        this: Option<ObjectId>,
        span: Span,
    ) -> Option<Option<Type>> {
        let Some(result) = &decl.result else { return Some(None) };
        let mut body = Body::new(self.body.kind, self.place(span));
        if let Some(id) = this {
            body.types = Rc::clone(&self.objects[id.index()].types);
            body.this = this;
        }
        body.refuse("a type");
        self.apart(body, |lowering| lowering.type_of(result)).map(Some)
    }

    /// A routine without a body: its parameters and its result. What predicates have captured are parameters, too.
    fn routine(
        &mut self,
        decl: &'a FunctionDecl<'a>,
        name: String,
        parameters: &[(Name<'a>, Special<'a>)],
        this: Option<ObjectId>,
        result: Option<Type>,
    ) -> Routine {
        let mut locals = Vec::new();
        let named = |name: &str, of: Type, span: Span| Named {
            name: name.to_owned(),
            of,
            origin: origin(span),
        };
        if let Some(id) = this {
            locals.push(named("this", Type::Object(id), Span::default()));
        }
        for (name, what) in parameters {
            if let Special::Type(of) = what {
                locals.push(named(name.text, of.clone(), name.span));
            }
        }
        for (_, what) in parameters {
            if let Special::Predicate(lambda) = what {
                for captured in &lambda.captured {
                    locals.push(named(captured.name, captured.of.clone(), Span::default()));
                }
            }
        }
        let span = decl.name.span.to(decl.body.open);
        let (parameters, origin) = (locals.len(), origin(span));
        Routine { name, parameters, locals, result, origin, ..Routine::default() }
    }

    /// A kind of process.
    pub(super) fn process(&mut self, decl: &'a FunctionDecl<'a>, span: Span) -> Option<ProcessId> {
        if let Some(id) = self.process_ids.get(&address(decl)) {
            return Some(*id);
        }
        let number = self.program.processes.len();
        let id = ProcessId(u32::try_from(number).expect("fewer than bytes"));
        self.process_ids.insert(address(decl), id);
        let name = decl.name.text.to_owned();
        self.program.processes.push(Routine { name: name.clone(), ..Routine::default() });
        for parameter in decl.parameters.iter().filter(|parameter| is_special(&parameter.of)) {
            self.error("E1010", "a process takes values only", parameter.of.span, "not this")
                .report(self.resolver.diagnostics);
        }
        let wrong = decl.parameters.iter().map(|_| Special::Type(Type::Bool)).collect();
        let parameters = self.parameters(decl, wrong, None, span);
        let result = self.result(decl, None, span);
        let parameters = parameters?;
        let routine = self.routine(decl, name, &parameters, None, result?);
        self.program.processes[number] = routine;
        let used = self.place(span);
        let kind = Kind::Process(id);
        self.queue.push_back(Work { kind, decl, this: None, parameters, used });
        Some(id)
    }

    /// A function, for the special parameters that it is called with.
    pub(super) fn function(
        &mut self,
        decl: &'a FunctionDecl<'a>,
        this: Option<ObjectId>,
        special: Vec<Special<'a>>,
        span: Span,
    ) -> Option<FunctionId> {
        let types = special.iter().map(|what| match what {
            Special::Type(of) => Some(of.clone()),
            Special::Predicate(_) => None,
        });
        let key = types.collect::<Option<Vec<Type>>>().map(|types| (address(decl), this, types));
        if let Some(id) = key.as_ref().and_then(|key| self.function_ids.get(key)) {
            return Some(*id);
        }
        if self.is_too_much(span) {
            return None;
        }
        let parameters = self.parameters(decl, special, this, span)?;
        let result = self.result(decl, this, span)?;
        let name = match this {
            Some(id) => format!("{}.{}", self.objects[id.index()].name, decl.name.text),
            None => decl.name.text.to_owned(),
        };
        let routine = self.routine(decl, name, &parameters, this, result);
        let number = self.program.functions.len();
        let id = FunctionId(u32::try_from(number).expect("fewer than bytes"));
        self.program.functions.push(routine);
        if let Some(key) = key {
            self.function_ids.insert(key, id);
        }
        let (kind, used) = (Kind::Function(id), self.place(span));
        self.queue.push_back(Work { kind, decl, this, parameters, used });
        Some(id)
    }

    /// A step of an object, for the special parameters that it is called with.
    pub(super) fn step(
        &mut self,
        object: ObjectId,
        decl: &'a FunctionDecl<'a>,
        special: Vec<Special<'a>>,
        span: Span,
    ) -> Option<StepId> {
        self.open(object);
        let is_plain = special.is_empty();
        if let Some(id) =
            self.objects[object.index()].steps.get(decl.name.text).filter(|_| is_plain)
        {
            return Some(*id);
        }
        if self.is_too_much(span) {
            return None;
        }
        let parameters = self.parameters(decl, special, Some(object), span)?;
        let result = self.result(decl, Some(object), span)?;
        let name = decl.name.text.to_owned();
        let routine = self.routine(decl, name, &parameters, Some(object), result);
        let steps = &mut self.program.objects[object.index()].steps;
        let id = StepId(u32::try_from(steps.len()).expect("fewer than bytes"));
        steps.push(Step { routine, undo: None });
        if is_plain {
            self.objects[object.index()].steps.insert(decl.name.text, id);
        }
        let (kind, used) = (Kind::Step(object, id), self.place(span));
        self.queue.push_back(Work { kind, decl, this: Some(object), parameters, used });
        if let Some(undo) = decl.undo
            && let Some(MemberKind::Step(undone)) = self.member_named(object, undo.text)
            && self.is_plain(undone)
        {
            let undone = self.step(object, undone, Vec::new(), span);
            self.program.objects[object.index()].steps[id.index()].undo = undone;
        }
        Some(id)
    }

    /// A step or a function of an object type.
    pub(super) fn member_named(&self, id: ObjectId, name: &str) -> Option<&'a MemberKind<'a>> {
        let members = self.objects[id.index()].decl.members.iter();
        members.map(|member| &member.kind).find(|kind| match kind {
            MemberKind::Step(decl) | MemberKind::Function(decl) => decl.name.text == name,
            _ => false,
        })
    }

    /// Makes a body.
    pub(super) fn work(&mut self, work: Work<'a>) {
        let mut body = Body::new(work.kind, work.used);
        body.decl = Some(work.decl);
        body.this = work.this;
        if let Some(id) = work.this {
            body.types = Rc::clone(&self.objects[id.index()].types);
        }
        body.routine = self.routine_of(work.kind).clone();
        self.body = body;
        self.reported.clear();
        self.bind_parameters(&work.parameters, usize::from(work.this.is_some()));
        self.check_undo(work.decl, work.this);
        let (block, ends) = self.block(&work.decl.body);
        self.check_result(work.decl, ends);
        self.warn_of_locks();
        let mut routine = std::mem::take(&mut self.body.routine);
        routine.body = block;
        *self.routine_of(work.kind) = routine;
    }

    pub(super) fn routine_of(&mut self, kind: Kind) -> &mut Routine {
        match kind {
            Kind::Process(id) => &mut self.program.processes[id.index()],
            Kind::Function(id) => &mut self.program.functions[id.index()],
            Kind::Step(object, id) => {
                &mut self.program.objects[object.index()].steps[id.index()].routine
            }
            _ => unreachable!("only these have routines of their own"),
        }
    }

    fn bind_parameters(&mut self, parameters: &[(Name<'a>, Special<'a>)], first: usize) {
        let mut number = u32::try_from(first).expect("none or one");
        for (name, what) in parameters {
            if let Special::Type(_) = what {
                self.bind(*name, Binding::Local(LocalId(number)));
                number += 1;
            }
        }
        for (name, what) in parameters {
            if let Special::Predicate(lambda) = what {
                let mut inside = Lambda::clone(lambda);
                for captured in &mut inside.captured {
                    captured.local = LocalId(number);
                    number += 1;
                }
                self.bind(*name, Binding::Predicate(Rc::new(inside)));
            }
        }
    }

    /// Makes the meetings of steps that were asked for; tells whether there was anything to do.
    pub(super) fn meetings(&mut self) -> bool {
        let mut is_any = false;
        for number in 0..self.objects.len() {
            let id = ObjectId(u32::try_from(number).expect("fewer than bytes"));
            let decl = self.objects[number].decl;
            for (at, member) in decl.members.iter().enumerate() {
                let MemberKind::Meet { sides, body } = &member.kind else { continue };
                if self.objects[number].met.contains(&at) {
                    continue;
                }
                let [first, second] = &sides[..] else { continue };
                let is_asked = self.steps_of(id, first, second, body);
                if is_asked {
                    self.objects[number].met.push(at);
                    is_any = true;
                }
            }
        }
        is_any
    }

    /// Makes a meeting, if both steps were asked for.
    fn steps_of(
        &mut self,
        id: ObjectId,
        first: &'a MeetSide<'a>,
        second: &'a MeetSide<'a>,
        body: &'a Block<'a>,
    ) -> bool {
        let sides = [first, second];
        for side in sides {
            if !matches!(self.member_named(id, side.step.text), Some(MemberKind::Step(_))) {
                let names = self.step_names(id);
                let name = self.objects[id.index()].name.clone();
                let message = format!("`{name}` has no step `{}`", side.step.text);
                self.body.used = self.objects[id.index()].used;
                self.error("E1003", message, side.step.span, "no such step")
                    .help_nearest(side.step.text, names, "")
                    .report(self.resolver.diagnostics);
                return true;
            }
        }
        let steps = &self.objects[id.index()].steps;
        let (Some(a), Some(b)) =
            (steps.get(first.step.text).copied(), steps.get(second.step.text).copied())
        else {
            return false;
        };
        self.meeting(id, [(a, first), (b, second)], body);
        true
    }

    /// Keeps a value in a variable of its own.
    pub(super) fn kept(&mut self, value: Value, of: Type) -> Value {
        let local = self.body.hidden(of.clone());
        self.body.emit(Action::Assign(Target::local(local, of.clone()), value));
        Value::local(local, of)
    }
}

/// Whether a parameter stands for different things in different calls.
pub(super) fn is_special(of: &TypeSyntax<'_>) -> bool {
    matches!(of.kind, TypeKind::AnyWith(_) | TypeKind::Predicate(..))
}
