//! Values that are made: records, cases of variants, objects.

use net::Literal;
use program::{
    Action, Expr as Value, Form, InitialObject, LocalId, Named, ObjectId, RecordId, Target, Type,
};

use super::body::Kind;
use super::call::Place;
use super::declared::Decl;
use super::member::object_of;
use super::object::Inner;
use super::{Lowering, address, interval};
use crate::syntax::process::{Argument, RecordDecl, TypeKind, TypeSyntax, VariantDecl};
use crate::syntax::{Expr, Name};
use diagnostics::Span;

/// How deep objects may be made for one another.
const DEPTH: usize = 50;

impl<'a> Lowering<'a, '_, '_> {
    /// `Job(id: 1, owner: h)`.
    pub(super) fn record_value(
        &mut self,
        decl: &'a RecordDecl<'a>,
        arguments: &'a [Argument<'a>],
        callee: Name<'a>,
    ) -> Option<Value> {
        let id: RecordId = self.record(decl)?;
        let types = self.program.records[id.index()].components.iter().map(|c| c.of.clone());
        let names = decl.components.iter().map(|component| component.name.text);
        let parameters: Vec<(&'a str, Type)> = names.zip(types).collect();
        let values = self.parts(&parameters, arguments, callee)?;
        Some(Value { form: Form::Record(values), of: Type::Record(id) })
    }

    /// `added(p)`.
    pub(super) fn case(
        &mut self,
        decl: &'a VariantDecl<'a>,
        case: usize,
        arguments: &'a [Argument<'a>],
        span: Span,
    ) -> Option<Value> {
        let id = self.variant(decl)?;
        let types = self.program.variants[id.index()].cases[case].components.iter();
        let types = types.map(|component| component.of.clone());
        let names = decl.cases[case].components.iter().map(|component| component.name.text);
        let parameters: Vec<(&'a str, Type)> = names.zip(types).collect();
        let callee = Name { text: decl.cases[case].name.text, span };
        let values = self.parts(&parameters, arguments, callee)?;
        Some(Value { form: Form::Case(case, values), of: Type::Variant(id) })
    }

    fn parts(
        &mut self,
        parameters: &[(&'a str, Type)],
        arguments: &'a [Argument<'a>],
        callee: Name<'a>,
    ) -> Option<Vec<Value>> {
        let values = self.arguments(parameters, arguments, callee)?;
        let values = values.into_iter().zip(parameters);
        values.map(|(value, (_, of))| self.exact(value, of, callee.span)).collect()
    }

    /// `m is added`.
    pub(super) fn is_case(&mut self, value: &'a Expr<'a>, case: Name<'a>) -> Option<Value> {
        let found = self.expr(value, None)?;
        match (&found.of, self.decl(case)) {
            (Type::Variant(id), Some(Decl::Case(decl, number)))
                if self.variant_ids.get(&address(decl)) == Some(id) =>
            {
                Some(Value { form: Form::Is(Box::new(found), number), of: Type::Bool })
            }
            (Type::Variant(id), _) => {
                self.report_no_case(*id, case);
                None
            }
            (of, _) => {
                let of = of.clone();
                let wanted = "an enumeration with data";
                self.report_mismatch(&of, wanted, value.span, "before `is`");
                None
            }
        }
    }

    pub(super) fn report_no_case(&mut self, id: program::VariantId, case: Name<'a>) {
        let variant = &self.program.variants[id.index()];
        let cases: Vec<String> = variant.cases.iter().map(|case| case.name.clone()).collect();
        let message = format!("`{}` has no member `{}`", variant.name, case.text);
        let otherwise = format!("its members are `{}`", cases.join("`, `"));
        self.error("E1003", message, case.span, "no such member")
            .help_nearest(case.text, cases.iter().map(String::as_str), &otherwise)
            .report(self.resolver.diagnostics);
    }

    /// `new channel[bool](capacity: 1)`.
    pub(super) fn new_object(
        &mut self,
        of: &'a TypeSyntax<'a>,
        arguments: &'a [Argument<'a>],
        hint: Option<&Type>,
        span: Span,
        place: Place<'a>,
    ) -> Option<Value> {
        let TypeKind::Named(name, types) = &of.kind else { unreachable!("it is parsed as one") };
        if self.body.kind == Kind::Default {
            self.error("E1010", "a default is constant", span, "this makes an object")
                .help("make it in a field: `lock: mutex = new mutex`")
                .report(self.resolver.diagnostics);
            return None;
        }
        let hinted = hint.and_then(object_of).filter(|id| {
            let Some(Decl::Object(decl)) = self.decl(*name) else { return false };
            types.is_empty() && address(self.objects[id.index()].decl) == address(decl)
        });
        let found = match hinted {
            Some(id) => Some(Type::Object(id)),
            None => self.type_of(of),
        };
        let Some(Type::Object(id)) = found else {
            if let Some(other) = found {
                let shown = self.shown(&other);
                let message = format!("`{shown}` is no type of objects");
                self.error("E1007", message, of.span, "only objects are made by `new`")
                    .help(match other {
                        Type::Record(_) => format!("a record is a value: write `{shown}(…)`"),
                        Type::Handle(_) => {
                            format!("a process is started: write `spawn {shown}(…)`")
                        }
                        _ => "declare `object NAME { … }` for what is shared".into(),
                    })
                    .report(self.resolver.diagnostics);
            }
            self.look_at(arguments);
            return None;
        };
        self.complete(id, span)?;
        let decl = self.objects[id.index()].decl;
        let declared = self.program.objects[id.index()].parameters.iter();
        let types: Vec<Type> = declared.take(decl.parameters.len()).map(|p| p.of.clone()).collect();
        let names: Vec<&'a str> = decl.parameters.iter().map(|p| p.name.text).collect();
        let given = self.assigned_arguments(&names, arguments, *name)?;
        let mut values = Vec::new();
        for (number, (given, of)) in given.into_iter().zip(types).enumerate() {
            let value = match (given, &decl.parameters[number].default) {
                (None, Some(_)) => self.objects[id.index()].defaults[number].clone(),
                (Some(expr), _) if decl.parameters[number].of.is_int() => self.expr(expr, None),
                _ => self.argument(given, &of, names[number], *name),
            };
            let given = given.map_or(span, |expr| expr.span);
            values.push(value.filter(|value| self.is_counted(id, number, value, given)));
        }
        let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
        self.make(id, values, place, span, 0)
    }

    /// Notes the range of a number that an object is made with, if it may be any; false if it is no number.
    fn is_counted(&mut self, id: ObjectId, number: usize, value: &Value, span: Span) -> bool {
        let info = &self.objects[id.index()];
        if !info.decl.parameters[number].of.is_int() {
            return true;
        }
        let key = (address(info.decl), info.name.clone(), number);
        let Some(range) = self.number(value, span, "this") else { return false };
        let known = self.found.get(&key).copied();
        self.found.insert(key, known.map_or(range, |known| interval::joined(known, range)));
        true
    }

    /// Makes an object, and before it those that it is made with.
    fn make(
        &mut self,
        id: ObjectId,
        mut arguments: Vec<Value>,
        place: Place<'a>,
        span: Span,
        depth: usize,
    ) -> Option<Value> {
        let of = Type::Object(id);
        if let Kind::Initials(outer) = self.body.kind {
            return self.made_before(outer, id, arguments, span);
        }
        let inner = self.objects[id.index()].inner.clone();
        if depth > DEPTH {
            self.error("E1013", "too many objects are made for this one", span, "with all of them")
                .help("let a field be optional, and start with `none`")
                .report(self.resolver.diagnostics);
            return None;
        }
        if !inner.is_empty() && self.body.kind != Kind::Constant {
            arguments = arguments.into_iter().map(|value| self.simple(value)).collect();
        }
        let mut hidden = Vec::new();
        for Inner { of, arguments: inside } in inner {
            let inside = inside.iter().map(|value| substituted(value, &arguments)).collect();
            hidden.push(self.make(of, inside, Place::Temp, span, depth + 1)?);
        }
        arguments.extend(hidden);
        if self.body.kind == Kind::Constant {
            let number = u32::try_from(self.program.initial.len()).expect("fewer than bytes");
            self.program.initial.push(InitialObject { of: id, arguments });
            return Some(Value { form: Form::Initial(number), of });
        }
        if !self.body.can_hoist() {
            self.error("E1004", "no object can be made here", span, "this is evaluated at once")
                .help("make it before: `let x = new …`")
                .report(self.resolver.diagnostics);
            return None;
        }
        let local = self.store(place, &of).unwrap_or_else(|| self.body.hidden(of.clone()));
        self.body.emit(Action::New(Target::local(local, of.clone()), id, arguments));
        Some(Value::local(local, of))
    }

    /// A value that can be used twice.
    fn simple(&mut self, value: Value) -> Value {
        match value.form {
            Form::Literal(_) | Form::Local(_) | Form::None | Form::This => value,
            _ => {
                let of = value.of.clone();
                self.kept(value, of)
            }
        }
    }

    /// An object that is made for a field is made before, and given as a hidden argument.
    fn made_before(
        &mut self,
        outer: ObjectId,
        id: ObjectId,
        arguments: Vec<Value>,
        span: Span,
    ) -> Option<Value> {
        if !arguments.iter().all(is_substitutable) {
            let message = "what is made for a field is made of constants and parameters";
            self.error("E1017", message, span, "there is something else in this")
                .help("let it be a parameter: `object NAME(x: TYPE) { … }`")
                .report(self.resolver.diagnostics);
            return None;
        }
        let object = &mut self.program.objects[outer.index()];
        let number = object.parameters.len();
        let name = format!("${number}");
        let named = Named { name, of: Type::Object(id), origin: super::origin(span) };
        object.parameters.push(named.clone());
        self.body.routine.locals.push(named);
        self.objects[outer.index()].inner.push(Inner { of: id, arguments });
        let local = LocalId(u32::try_from(number).expect("fewer than bytes"));
        Some(Value::local(local, Type::Object(id)))
    }
}

fn is_substitutable(value: &Value) -> bool {
    let is_own = matches!(
        value.form,
        Form::Literal(_) | Form::Local(_) | Form::None | Form::Some(_) | Form::Binary(..)
    );
    is_own && value.children().into_iter().all(is_substitutable)
}

/// An expression over parameters, with values in their place.
fn substituted(value: &Value, arguments: &[Value]) -> Value {
    let form = match &value.form {
        Form::Local(id) => return arguments[id.index()].clone(),
        Form::Some(inner) => Form::Some(Box::new(substituted(inner, arguments))),
        Form::Binary(op, a, b) => {
            let (a, b) = (substituted(a, arguments), substituted(b, arguments));
            if let (Form::Literal(Literal::Int(x)), Form::Literal(Literal::Int(y))) =
                (&a.form, &b.form)
            {
                let (min, max) = interval::of(*op, (*x, *x), (*y, *y));
                if min == max {
                    return super::expression::int(min);
                }
            }
            Form::Binary(*op, Box::new(a), Box::new(b))
        }
        other => other.clone(),
    };
    Value { form, of: value.of.clone() }
}
