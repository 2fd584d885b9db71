//! Functions, steps and processes, each made for the types it is asked for with.

use std::rc::Rc;

use program::{
    Action, Expr as Value, FunctionId, LocalId, Named, ObjectId, ProcessId, Routine, Step, StepId,
    Target, Type,
};

use super::body::{Binding, Body, Kind};
use super::predicate::Lambda;
use super::{INSTANCES, Lowering, address, origin};
use crate::syntax::Name;
use crate::syntax::process::{FunctionDecl, MemberKind, TypeKind, TypeSyntax};
use diagnostics::Span;

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
    pub(super) fn is_too_much(&mut self, span: Span) -> bool {
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

    /// Another body for a while.
    pub(super) fn apart<T>(&mut self, body: Body<'a>, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.body, body);
        let reported = std::mem::take(&mut self.reported);
        let found = act(self);
        self.body = outer;
        self.reported = reported;
        found
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
                .help("name the type of the object: `l: mutex`; `any { … }` and `fn(T): bool` are for functions and steps").report(self.resolver.diagnostics);
        }
        if decl.parameters.iter().any(|parameter| is_special(&parameter.of)) {
            return None;
        }
        let parameters = self.parameters(decl, Vec::new(), None, span);
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
