//! What stands after a dot: fields of objects, components of records, the ends of sequences.

use program::{CollectionOp, Expr as Value, Form, ObjectId, Type};

use super::Lowering;
use super::body::Kind;
use crate::syntax::process::MemberKind;
use crate::syntax::{Expr, Name};

impl<'a> Lowering<'a, '_, '_> {
    /// `e.x`.
    pub(super) fn member(&mut self, inner: &'a Expr<'a>, name: Name<'a>) -> Option<Value> {
        let value = self.expr(inner, None)?;
        self.member_of(value, name)
    }

    pub(super) fn member_of(&mut self, value: Value, name: Name<'a>) -> Option<Value> {
        if let Some((bound, process)) = self.as_bound(&value) {
            return self.variable_of(bound, process, name);
        }
        if let Some(id) = object_of(&value.of) {
            return match self.field_of(value, id, name.text) {
                Some(field) => Some(field),
                None => {
                    self.report_no_field(id, name);
                    None
                }
            };
        }
        match (&value.of, name.text) {
            (Type::Record(id), _) => {
                let components = &self.program.records[id.index()].components;
                let Some(index) = components.iter().position(|other| other.name == name.text)
                else {
                    let names: Vec<String> = components.iter().map(|c| c.name.clone()).collect();
                    self.report_no_component(&value.of.clone(), name, &names);
                    return None;
                };
                let of = components[index].of.clone();
                Some(Value { form: Form::Component(Box::new(value), index), of })
            }
            (Type::Sequence(of, _), "first" | "last") => {
                let of = Type::clone(of);
                let op = match name.text {
                    "first" => CollectionOp::First,
                    _ => CollectionOp::Last,
                };
                Some(Value { form: Form::On(op, vec![value]), of })
            }
            (of, _) => {
                let of = of.clone();
                let shown = self.shown(&of);
                let message = format!("`{shown}` has no `{}`", name.text);
                let error = self.error("E1003", message, name.span, "no such thing");
                let error = match (&of, name.text) {
                    (Type::Optional(_), _) => error.help("take its value first: `e!`"),
                    (Type::Handle(_), _) if self.body.kind == Kind::Claim => {
                        error.help("only of a process that a quantifier binds variables are seen")
                    }
                    (Type::Handle(_), _) => error.help(
                        "variables of other processes are not seen: use `shared`, or an object",
                    ),
                    (_, "length" | "len" | "size") => error.help("write `len(s)`"),
                    (Type::Sequence(..), _) => error.help("a sequence has `first` and `last`"),
                    _ => error,
                };
                self.resolver.diagnostics.push(error);
                None
            }
        }
    }

    fn report_no_component(&mut self, of: &Type, name: Name<'a>, names: &[String]) {
        let message = format!("`{}` has no component `{}`", self.shown(of), name.text);
        let all = names.join("`, `");
        let otherwise = if all.is_empty() { String::new() } else { format!("it has `{all}`") };
        self.error("E1003", message, name.span, "no such component")
            .help_nearest(name.text, names.iter().map(String::as_str), &otherwise)
            .report(self.resolver.diagnostics);
    }

    fn report_no_field(&mut self, id: ObjectId, name: Name<'a>) {
        let info = &self.objects[id.index()];
        let (object, text) = (info.name.clone(), name.text);
        if self.member_named(id, text).is_some() {
            let message = format!("`{text}` is something that is done to a `{object}`");
            self.error("E1003", message, name.span, "it is not called")
                .help(format!("write `{text}(…)`"))
                .report(self.resolver.diagnostics);
            return;
        }
        let mut fields: Vec<&str> = info.fields.keys().copied().collect();
        fields.sort_unstable();
        let message = format!("`{object}` has no field `{text}`");
        let otherwise = match fields.is_empty() {
            true => format!("declare it in `{object}`: `{text}: TYPE = VALUE`"),
            false => format!("there are `{}`", fields.join("`, `")),
        };
        self.error("E1003", message, name.span, "no such field")
            .help_nearest(text, fields, &otherwise)
            .report(self.resolver.diagnostics);
    }

    /// The names of the steps and functions of an object type.
    pub(super) fn step_names(&self, id: ObjectId) -> Vec<&'a str> {
        let members = self.objects[id.index()].decl.members.iter();
        let name = |kind: &'a MemberKind<'a>| match kind {
            MemberKind::Step(decl) | MemberKind::Function(decl) => Some(decl.name.text),
            _ => None,
        };
        members.filter_map(|member| name(&member.kind)).collect()
    }
}

/// The type of the object that a value refers to, perhaps to none.
pub(super) fn object_of(of: &Type) -> Option<ObjectId> {
    match of {
        Type::Object(id) => Some(*id),
        Type::Optional(inner) => object_of(inner),
        _ => None,
    }
}
