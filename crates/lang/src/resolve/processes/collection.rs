//! Collections in variables, and how they are changed.

use program::{Action, CollectionOp, Expr as Value, Form, Root, Target, Type};

use super::Lowering;
use super::call::Place;
use crate::syntax::process::Argument;
use crate::syntax::{Expr, Name};

impl<'a> Lowering<'a, '_, '_> {
    /// Changes a collection in a variable, and gives the element that was taken out of it.
    pub(super) fn change(
        &mut self,
        collection: &'a Expr<'a>,
        name: Name<'a>,
        arguments: &'a [Argument<'a>],
        place: Place<'a>,
    ) -> Option<Option<Value>> {
        use CollectionOp::*;
        let (to, of) = self.target(collection)?;
        let index = Type::Int { min: 0, max: i64::from(u32::MAX) };
        let (op, parameters): (Option<CollectionOp>, Vec<(&'a str, Type)>) = match (&of, name.text)
        {
            (_, "clear") => (None, Vec::new()),
            (Type::Sequence(..), "pop_front") => {
                return self.take(to, &of, First, WithoutFirst, (name, arguments, place));
            }
            (Type::Sequence(..), "pop_back") => {
                return self.take(to, &of, Last, WithoutLast, (name, arguments, place));
            }
            (Type::Sequence(of, _), "push_back") => (Some(Append), vec![("x", Type::clone(of))]),
            (Type::Sequence(of, _), "push_front") => (Some(Prepend), vec![("x", Type::clone(of))]),
            (Type::Sequence(..), "remove_at") => (Some(WithoutAt), vec![("i", index)]),
            (Type::Set(of, _), "insert") => (Some(With), vec![("x", Type::clone(of))]),
            (Type::Set(of, _), "remove") => (Some(Without), vec![("x", Type::clone(of))]),
            (Type::Map(key, of, _), "insert") => {
                (Some(With), vec![("key", Type::clone(key)), ("value", Type::clone(of))])
            }
            (Type::Map(key, ..), "remove") => (Some(Without), vec![("key", Type::clone(key))]),
            _ => {
                self.report_no_method(&of, name);
                return None;
            }
        };
        let values = self.arguments(&parameters, arguments, name)?;
        let mut operands = vec![self.read(&to, &of)];
        for (value, (_, of)) in values.into_iter().zip(&parameters) {
            let is_index = name.text == "remove_at";
            operands.push(if is_index { value } else { self.exact(value, of, name.span)? });
        }
        let form = match op {
            None => Form::Collection(Vec::new()),
            Some(op) => Form::On(op, operands),
        };
        self.body.emit(Action::Assign(to, Value { form, of }));
        Some(None)
    }

    fn report_no_method(&mut self, of: &Type, name: Name<'a>) {
        let shown = self.shown(of);
        let message = format!("`{}` is not for `{shown}`", name.text);
        let help = match of {
            Type::Sequence(..) => {
                "a sequence has `push_back`, `push_front`, `pop_front`, `pop_back`, `remove_at`, `clear`"
            }
            Type::Set(..) => "a set has `insert(x)`, `remove(x)`, `clear()`",
            _ => "a map has `insert(k, v)`, `remove(k)`, `clear()`",
        };
        self.error("E1003", message, name.span, "no such method")
            .help(help)
            .report(self.resolver.diagnostics);
    }

    /// Takes an element out of a sequence.
    fn take(
        &mut self,
        to: Target,
        of: &Type,
        which: CollectionOp,
        rest: CollectionOp,
        (name, arguments, place): (Name<'a>, &'a [Argument<'a>], Place<'a>),
    ) -> Option<Option<Value>> {
        self.arguments(&[], arguments, name)?;
        let mut sequence = self.read(&to, of);
        // Outside of steps what is shared is read once.
        if !matches!(to.root, Root::Local(_)) && self.body.atomic == 0 {
            sequence = self.kept(sequence, of.clone());
        }
        let Type::Sequence(element, _) = of else { unreachable!("it was matched") };
        let element = Type::clone(element);
        let local = self.store(place, &element);
        if let Some(local) = local {
            let form = Form::On(which, vec![sequence.clone()]);
            let value = Value { form, of: element.clone() };
            self.body.emit(Action::Assign(Target::local(local, element.clone()), value));
        }
        let form = Form::On(rest, vec![sequence]);
        self.body.emit(Action::Assign(to, Value { form, of: of.clone() }));
        Some(local.map(|local| Value::local(local, element)))
    }
}
