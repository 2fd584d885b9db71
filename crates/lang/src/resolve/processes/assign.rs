//! Assignments, and what is assigned to.

use net::BinaryOp;
use program::{
    Action, CollectionOp, Expr as Value, Form, GlobalId, LocalId, Root, Selector, Target, Type,
};

use super::Lowering;
use super::body::Binding;
use super::call::Place;
use super::declared::Decl;
use super::member::object_of;
use crate::syntax::{Expr, ExprKind, Name};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// What is assigned to, and its type.
    pub(super) fn target(&mut self, expr: &'a Expr<'a>) -> Option<(Target, Type)> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.target(inner),
            ExprKind::Name(text) => self.target_named(Name { text, span: expr.span }),
            ExprKind::Member(inner, name) => self.target_member(inner, *name),
            ExprKind::Index(inner, index) => {
                let (mut target, of) = self.target(inner)?;
                let (of, index) = match &of {
                    Type::Sequence(of, _) => {
                        let found = self.expr(index, None)?;
                        self.number(&found, index.span, "an index")?;
                        (Type::clone(of), found)
                    }
                    Type::Map(key, of, _) => {
                        let index = self.fitting(index, key, "a key")?;
                        (Type::clone(of), index)
                    }
                    _ => {
                        self.report_mismatch(&of, "a sequence or a map", inner.span, "before `[`");
                        return None;
                    }
                };
                target.path.push(Selector::Element(index));
                Some((target, of))
            }
            _ => {
                self.report_no_target(expr.span, "nothing can be assigned to this");
                None
            }
        }
    }

    fn report_no_target(&mut self, span: Span, message: &str) {
        self.error("E1010", message, span, "not a variable")
            .help("assign to variables, fields, components and elements")
            .report(self.resolver.diagnostics);
    }

    fn target_named(&mut self, name: Name<'a>) -> Option<(Target, Type)> {
        if let Some(entry) = self.body.names.get(name.text) {
            if let Some(why) = entry.fixed {
                let message = format!("`{}` is not assigned to", name.text);
                self.error("E1010", message, name.span, why)
                    .help("give the value to another variable")
                    .report(self.resolver.diagnostics);
                return None;
            }
            match entry.binding {
                Binding::Local(id) => {
                    let of = self.body.routine.locals[id.index()].of.clone();
                    return Some((Target::local(id, of.clone()), of));
                }
                Binding::Wrong => return None,
                _ => {
                    self.report_no_target(name.span, "this cannot be assigned to");
                    return None;
                }
            }
        }
        if let Some(id) = self.body.this {
            self.open(id);
            if self.own_field(name).is_some() {
                let this = Value::local(LocalId(0), Type::Object(id));
                return self.target_field(this, name);
            }
        }
        match self.decl(name) {
            Some(Decl::Shared) => {
                let number = *self.globals.get(name.text)?;
                let of = self.program.globals[number as usize].variable.of.clone();
                let root = Root::Global(GlobalId(number));
                Some((Target { root, path: Vec::new(), of: of.clone() }, of))
            }
            Some(other) => {
                let message = format!("`{}` is {}", name.text, other.word());
                self.report_no_target(name.span, &message);
                None
            }
            None => {
                match self.resolver.meaning(name.text) {
                    Some((meaning, _)) => {
                        let word = self.resolver.word(meaning);
                        let message = format!("`{}` is {word}", name.text);
                        self.report_no_target(name.span, &message);
                    }
                    None => self.report_unknown_name(name, None),
                }
                None
            }
        }
    }

    fn target_field(&mut self, object: Value, name: Name<'a>) -> Option<(Target, Type)> {
        let id = object_of(&object.of)?;
        let Some(field) = self.objects[id.index()].fields.get(name.text).copied() else {
            // What an object is made with does not change.
            let message = format!("`{}` does not change", name.text);
            self.error("E1010", message, name.span, "the object is made with it")
                .help("let a field start with its value")
                .report(self.resolver.diagnostics);
            return None;
        };
        let of = self.program.objects[id.index()].fields[field.index()].variable.of.clone();
        Some((Target { root: Root::Field(object, field), path: Vec::new(), of: of.clone() }, of))
    }

    fn target_member(&mut self, inner: &'a Expr<'a>, name: Name<'a>) -> Option<(Target, Type)> {
        let value = self.expr(inner, None)?;
        if let Some(id) = object_of(&value.of) {
            if self.field_of(value.clone(), id, name.text).is_none() {
                // It is reported.
                self.member(inner, name);
                return None;
            }
            return self.target_field(value, name);
        }
        let Type::Record(_) = value.of else {
            self.member(inner, name);
            return None;
        };
        let component = self.member(inner, name)?;
        let Form::Component(_, index) = component.form else { return None };
        let (mut target, _) = self.target(inner)?;
        target.path.push(Selector::Component(index));
        Some((target, component.of))
    }

    /// `x = e`, `x += e`.
    pub(super) fn assignment(
        &mut self,
        target: &'a Expr<'a>,
        op: Option<BinaryOp>,
        value: &'a Expr<'a>,
    ) {
        let found = self.target(target);
        let Some((to, of)) = found else {
            if !super::call::needs_type(value) {
                self.expr(value, None);
            }
            return;
        };
        let value_span = value.span;
        let value = match op {
            None => self.value_for(value, &to, &of),
            Some(op) => self.binary(op, target.span, target, value),
        };
        let Some(value) = value else { return };
        let Some(value) = self.fit(value, &of, value_span, "the value") else { return };
        // The call has put it there.
        if let (Root::Local(id), Form::Local(from)) = (&to.root, &value.form)
            && to.path.is_empty()
            && id == from
        {
            return;
        }
        self.assign(to, value);
    }

    /// The value of the right side. A call may put its result where it belongs.
    fn value_for(&mut self, value: &'a Expr<'a>, to: &Target, of: &Type) -> Option<Value> {
        let place = match &to.root {
            Root::Local(id) if to.path.is_empty() => Place::Local(*id),
            _ => Place::Temp,
        };
        match self.called(value, Some(of), place)? {
            Some(value) => Some(value),
            None => {
                self.error("E1007", "this gives no value", value.span, "nothing is returned")
                    .help("call it as a statement of its own")
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    /// Assigns. A new key of a map is added.
    pub(super) fn assign(&mut self, mut to: Target, value: Value) {
        if let Some(Selector::Element(_)) = to.path.last() {
            let mut around = to.of.clone();
            for way in &to.path[..to.path.len() - 1] {
                around = self.program.inside(&around, way);
            }
            if let Type::Map(_, element, _) = &around {
                let Some(Selector::Element(key)) = to.path.pop() else { unreachable!("it is") };
                let element = Type::clone(element);
                let span = self.body.span;
                let Some(value) = self.exact(value, &element, span) else { return };
                let map = self.read(&to, &around);
                let form = Form::On(CollectionOp::With, vec![map, key, value]);
                self.body.emit(Action::Assign(to, Value { form, of: around }));
                return;
            }
        }
        self.body.emit(Action::Assign(to, value));
    }

    /// What is at a target now.
    pub(super) fn read(&self, target: &Target, of: &Type) -> Value {
        let form = match &target.root {
            Root::Local(id) => Form::Local(*id),
            Root::Global(id) => Form::Global(*id),
            Root::Field(object, field) => Form::Field(Box::new(object.clone()), *field),
        };
        let mut value = Value { form, of: target.of.clone() };
        for way in &target.path {
            let inside = self.program.inside(&value.of, way);
            let form = match way {
                Selector::Component(index) => Form::Component(Box::new(value), *index),
                Selector::Payload(case, index) => Form::Payload(Box::new(value), *case, *index),
                Selector::Element(index) => Form::On(CollectionOp::At, vec![value, index.clone()]),
            };
            value = Value { form, of: inside };
        }
        debug_assert!(of.includes(&value.of), "it is of this type");
        value
    }
}
