//! Types of objects: what they are made with, their fields and first values, their steps by name, and who meets.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use program::{Expr as Value, Field, FieldId, Form, LocalId, ObjectId, ObjectType, StepId, Type};

use super::body::{Binding, Body, Kind};
use super::types::NESTING;
use super::{Lowering, address};
use crate::syntax::Expr;
use crate::syntax::process::{Block, Component, MeetSide, MemberKind, ObjectDecl};
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
    /// What can be done to it.
    pub members: Rc<Members<'a>>,
    /// The fields whose types are not known, after a mistake.
    pub wrong: HashSet<&'a str>,
    /// Fields by name.
    pub fields: HashMap<&'a str, FieldId>,
    /// The fields that keep what the object was made with, where that is asked for.
    pub parameter_fields: Vec<Option<FieldId>>,
    /// The steps without parameters of special types that were asked for.
    pub steps: HashMap<&'a str, StepId>,
    /// The meetings that were made, by their place among the members.
    pub met: Vec<usize>,
    /// What it is made with where nothing is given, by parameter.
    pub defaults: Vec<Option<Value>>,
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

/// The steps and functions of an object type.
pub(super) struct Members<'a> {
    /// By name.
    pub named: HashMap<&'a str, &'a MemberKind<'a>>,
    /// The names of those that undo others.
    pub undoing: HashSet<&'a str>,
}

impl<'a> Members<'a> {
    fn of(decl: &'a ObjectDecl<'a>) -> Members<'a> {
        let mut members = Members { named: HashMap::new(), undoing: HashSet::new() };
        for member in &decl.members {
            if let MemberKind::Step(function) | MemberKind::Function(function) = &member.kind {
                members.named.entry(function.name.text).or_insert(&member.kind);
                members.undoing.extend(function.undo.map(|undo| undo.text));
            }
        }
        members
    }
}

impl<'a> Lowering<'a, '_, '_> {
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
        let members = self.members.entry(address(decl));
        let members = Rc::clone(members.or_insert_with(|| Rc::new(Members::of(decl))));
        self.objects.push(ObjectInfo {
            decl,
            members,
            name,
            types: Rc::new(types),
            used: self.place(span),
            state: State::New,
            wrong: HashSet::new(),
            fields: HashMap::new(),
            parameter_fields: vec![None; decl.parameters.len()],
            steps: HashMap::new(),
            met: Vec::new(),
            defaults: Vec::new(),
            inner: Vec::new(),
        });
        self.object_ids.insert(key, id);
        Some(id)
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
            let declared = if parameter.of.is_int() {
                let key = (address(decl), self.objects[id.index()].name.clone(), number);
                let (min, max) = self.ranges.get(&key).copied().unwrap_or((0, 0));
                Some(Type::Int { min, max })
            } else {
                self.type_of(&parameter.of)
            };
            let default = parameter.default.as_ref().zip(declared.as_ref());
            let default = default.and_then(|(default, of)| self.default_of(parameter, default, of));
            self.objects[id.index()].defaults.push(default);
            let of = declared.unwrap_or(Type::Bool);
            let named = self.named_variable(parameter.name, of.clone());
            self.program.objects[id.index()].parameters.push(named.clone());
            self.body.routine.locals.push(named);
            let local = LocalId(u32::try_from(number).expect("fewer than bytes"));
            self.bind(parameter.name, Binding::Local(local));
        }
    }

    /// What a parameter of construction is where nothing is given. It sees nothing of where it is used.
    fn default_of(
        &mut self,
        parameter: &'a Component<'a>,
        default: &'a Expr<'a>,
        of: &Type,
    ) -> Option<Value> {
        let mut body = Body::new(Kind::Default, self.body.used);
        body.types = Rc::clone(&self.body.types);
        body.refuse("a default");
        self.apart(body, |lowering| match parameter.of.is_int() {
            true => {
                let value = lowering.expr(default, None)?;
                lowering.number(&value, default.span, "a default")?;
                Some(value)
            }
            false => lowering.fitting(default, of, "a default"),
        })
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
            if declared.is_none() {
                self.objects[id.index()].wrong.insert(name.text);
            }
            let variable = self.named_variable(*name, declared.unwrap_or(Type::Bool));
            let initial = Value { form: Form::None, of: variable.of.clone() };
            let fields = &mut self.program.objects[id.index()].fields;
            let number = FieldId(u32::try_from(fields.len()).expect("fewer than bytes"));
            fields.push(Field { variable, initial, atomic: *atomic });
            self.objects[id.index()].fields.insert(name.text, number);
        }
    }

    /// Reports members of an object type that have the name of another.
    pub(super) fn check_members(&mut self, decl: &'a ObjectDecl<'a>) {
        let mut names: HashMap<&str, Span> = HashMap::new();
        for member in &decl.members {
            let (name, what) = match &member.kind {
                MemberKind::Field { name, .. } => (*name, "the field"),
                MemberKind::Step(function) => (function.name, "the step"),
                MemberKind::Function(function) => (function.name, "the function"),
                MemberKind::Meet { .. } => continue,
            };
            match names.get(name.text) {
                Some(first) => self.resolver.report_duplicate(what, name, *first),
                None => _ = names.insert(name.text, name.span),
            }
        }
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
            self.error("E0002", message, span, "too deep")
                .help("let a field be optional, and start with `none`")
                .report(self.resolver.diagnostics);
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
                let MemberKind::Field { name, initial, .. } = &member.kind else { continue };
                if lowering.objects[id.index()].wrong.contains(name.text) {
                    number += 1;
                    continue;
                }
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
        for member in &decl.members {
            let (MemberKind::Step(function) | MemberKind::Function(function)) = &member.kind else {
                continue;
            };
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

    /// A step or a function of an object type.
    pub(super) fn member_named(&self, id: ObjectId, name: &str) -> Option<&'a MemberKind<'a>> {
        self.objects[id.index()].members.named.get(name).copied()
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
                    .help_nearest(side.step.text, names, "declare it: `step NAME(…) { … }`")
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
}
