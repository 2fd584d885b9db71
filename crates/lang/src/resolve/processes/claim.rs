//! Properties that speak of processes: what they mention, and what they say of it.

use net::{BinaryOp, Formula, UnaryOp};
use process::Source;
use process::claim::{Claim, Meaning, Mention, Over, Proposition};
use process::program::{
    CollectionOp, Expr as Value, Form, FunctionId, LabelId, LocalId, ProcessId, Routine, Type,
};

use super::body::{Binding, Body, Kind};
use super::declared::{Decl, Declared};
use super::expression::int;
use super::operator::compared;
use super::{Lowering, origin};
use crate::format;
use crate::syntax::process::TypeSyntax;
use crate::syntax::{DeclarationKind, Expr, ExprKind, Infix, Name, Prefix, RangeOver};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// All properties that speak of processes.
    pub(super) fn claims(&mut self) -> Vec<Claim> {
        let model = self.resolver.model;
        let mut claims = Vec::new();
        for declaration in &model.declarations {
            let DeclarationKind::Property { name, formula } = &declaration.kind else { continue };
            if !speaks_of_processes(formula, self.names) {
                continue;
            }
            self.body = Body::new(Kind::Claim, name.span);
            self.body.refuse("a property");
            self.reported.clear();
            let Some(proposition) = self.proposition(formula) else { continue };
            let locals = std::mem::take(&mut self.body.routine.locals);
            let meanings = std::mem::take(&mut self.body.meanings);
            let mentions = locals.into_iter().zip(meanings);
            claims.push(Claim {
                name: name.text.into(),
                text: format::on_one_line(model.text, &model.tokens, formula.span),
                mentions: mentions
                    .map(|(variable, meaning)| Mention { variable, meaning })
                    .collect(),
                proposition,
                origin: origin(name.span.to(formula.span)),
            });
        }
        claims
    }

    fn proposition(&mut self, expr: &'a Expr<'a>) -> Option<Proposition> {
        let both =
            |a: Option<Proposition>, b: Option<Proposition>| Some((Box::new(a?), Box::new(b?)));
        match &expr.kind {
            ExprKind::Paren(inner) => self.proposition(inner),
            ExprKind::DeadlockFree => Some(Proposition::Net(Formula::DeadlockFree)),
            ExprKind::Name("no_one_stuck") => Some(Proposition::Net(Formula::NoOneStuck)),
            ExprKind::Name("everyone_can_end") => Some(Proposition::Net(Formula::EveryoneCanEnd)),
            ExprKind::Name("race_free") => Some(Proposition::RaceFree),
            ExprKind::Unary(Prefix::Path(op), a) => {
                Some(Proposition::Path(*op, Box::new(self.proposition(a)?)))
            }
            ExprKind::Unary(Prefix::Data(UnaryOp::Not), a) => {
                Some(Proposition::Not(Box::new(self.proposition(a)?)))
            }
            ExprKind::Binary(Infix::Data(op), _, a, b)
                if matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies) =>
            {
                let (a, b) = both(self.proposition(a), self.proposition(b))?;
                Some(Proposition::Binary(*op, a, b))
            }
            ExprKind::Binary(Infix::Data(_), ..) => self.holds(expr),
            ExprKind::Binary(op, _, a, b) => {
                let (a, b) = both(self.proposition(a), self.proposition(b))?;
                Some(match op {
                    Infix::Until => Proposition::Until(a, b),
                    Infix::LeadsTo => Proposition::LeadsTo(a, b),
                    Infix::AllUntil => Proposition::AllUntil(a, b),
                    _ => Proposition::SomeUntil(a, b),
                })
            }
            ExprKind::Quantified { .. } => self.quantified(expr),
            _ => self.holds(expr),
        }
    }

    fn holds(&mut self, expr: &'a Expr<'a>) -> Option<Proposition> {
        self.condition(expr, "a property").map(Proposition::Holds)
    }

    fn quantified(&mut self, expr: &'a Expr<'a>) -> Option<Proposition> {
        let ExprKind::Quantified { quantifier, binders, range, place, types, label, body } =
            &expr.kind
        else {
            unreachable!("it was matched")
        };
        let [Some(name)] = binders[..] else {
            self.error("E1010", "one process or object is named", place.span, "")
                .help("write `forall w in worker: …`")
                .report(self.resolver.diagnostics);
            return None;
        };
        let (of, over, at) = self.ranged_over(*place, types, *label, *range)?;
        self.body.scopes.push(Vec::new());
        let bound = self.mention(name.text, of, Meaning::Bound);
        self.bind(name, Binding::Local(bound));
        let inside = self.proposition(body);
        for name in self.body.scopes.pop().expect("it was pushed") {
            self.body.names.remove(name);
        }
        let mut body = inside?;
        if let Some((source, label)) = at {
            let at = self.mention("", Type::Bool, Meaning::At(bound, source, label));
            let at = Box::new(Proposition::Holds(Value::local(at, Type::Bool)));
            let op = match quantifier {
                net::Quantifier::Forall => BinaryOp::Implies,
                net::Quantifier::Exists => BinaryOp::And,
            };
            body = Proposition::Binary(op, at, Box::new(body));
        }
        let (quantifier, body) = (*quantifier, Box::new(body));
        Some(Proposition::Quantified { quantifier, bound, over, body })
    }

    /// What a quantifier ranges over, and the label at which the processes are.
    #[allow(clippy::type_complexity)]
    fn ranged_over(
        &mut self,
        place: Name<'a>,
        types: &'a [TypeSyntax<'a>],
        label: Option<Name<'a>>,
        range: RangeOver,
    ) -> Option<(Type, Over, Option<(Source, LabelId)>)> {
        match self.decl(place) {
            Some(Decl::Process(decl)) => {
                let id = self.process(decl, place.span)?;
                let label = match label {
                    Some(label) => Some(self.label_named(id, &[label])?),
                    None => None,
                };
                let of = Type::Handle(Some(id));
                Some(match range {
                    RangeOver::Entering => (of, Over::Entering(id, label), None),
                    _ => (of, Over::Processes(id), label),
                })
            }
            Some(Decl::Object(decl)) => {
                let given: Option<Vec<Type>> = types.iter().map(|of| self.type_of(of)).collect();
                let given = given?;
                if given.len() != decl.types.len() {
                    let message =
                        format!("`{}` has {} type arguments", place.text, decl.types.len());
                    self.error("E1006", message, place.span, format!("{} given", given.len()))
                        .help(format!("write `{}[…]`", place.text))
                        .report(self.resolver.diagnostics);
                    return None;
                }
                let id = self.object(decl, given, place.span)?;
                self.complete(id, place.span)?;
                Some((Type::Object(id), Over::Objects(id), None))
            }
            _ => {
                let is_meant = |decl| matches!(decl, Decl::Process(_) | Decl::Object(_));
                let known = self.names.all(is_meant);
                self.report_unknown_callee(place, known, "process or type of objects");
                None
            }
        }
    }

    /// Something that is mentioned.
    fn mention(&mut self, name: &str, of: Type, meaning: Meaning) -> LocalId {
        let id = self.body.hidden(of);
        if !name.is_empty() {
            self.body.routine.locals[id.index()].name = name.to_owned();
        }
        self.body.meanings.push(meaning);
        id
    }

    fn mentioned(&mut self, of: Type, meaning: Meaning) -> Value {
        let id = self.mention("", of.clone(), meaning);
        Value::local(id, of)
    }

    /// A label of a process, or of a function that it calls.
    fn label_named(&mut self, process: ProcessId, names: &[Name<'a>]) -> Option<(Source, LabelId)> {
        let find = |routine: &Routine, name: Name<'a>| {
            let at = routine.labels.iter().position(|label| label.name == name.text)?;
            Some(LabelId(u32::try_from(at).expect("fewer than bytes")))
        };
        let (within, name) = match names {
            [within, name] => (Some(*within), *name),
            [name] => (None, *name),
            _ => unreachable!("one name or two"),
        };
        let own = &self.program.processes[process.index()];
        if within.is_none_or(|within| within.text == own.name)
            && let Some(label) = find(own, name)
        {
            return Some((Source::Process(process), label));
        }
        let functions = (0..).map(FunctionId).zip(&self.program.functions);
        for (id, function) in functions {
            let is_meant = |name: Name<'a>| {
                function.name == name.text || function.name.ends_with(&format!(".{}", name.text))
            };
            if within.is_none_or(is_meant)
                && let Some(label) = find(function, name)
            {
                return Some((Source::Function(id), label));
            }
        }
        let own = &self.program.processes[process.index()];
        let labels: Vec<String> = own.labels.iter().map(|label| label.name.clone()).collect();
        let message = format!("`{}` has no label `{}`", own.name, name.text);
        self.error("E1003", message, name.span, "no such label")
            .help_nearest(name.text, labels.iter().map(String::as_str), "set one: `NAME:`")
            .report(self.resolver.diagnostics);
        None
    }

    fn process_named(&mut self, name: Name<'a>) -> Option<ProcessId> {
        match self.decl(name) {
            Some(Decl::Process(decl)) => self.process(decl, name.span),
            _ => {
                let known = self.names.all(|decl| matches!(decl, Decl::Process(_)));
                self.report_unknown_callee(name, known, "process");
                None
            }
        }
    }

    /// What only properties say.
    pub(super) fn claimed(&mut self, expr: &'a Expr<'a>, hint: Option<&Type>) -> Option<Value> {
        let count = Type::Int { min: 0, max: i64::from(u32::MAX) };
        match &expr.kind {
            ExprKind::Count(atom) => {
                let process = self.process_named(atom.place)?;
                Some(self.mentioned(count, Meaning::Count(process, None)))
            }
            ExprKind::CountAt(name, labels) => {
                let process = self.process_named(*name)?;
                let label = self.label_named(process, labels)?;
                Some(self.mentioned(count, Meaning::Count(process, Some(label))))
            }
            ExprKind::At(inner, label) => self.at(inner, &[*label]),
            ExprKind::AtLabel(inner, routine, label) => self.at(inner, &[*routine, *label]),
            ExprKind::Ended(inner) => self.has_ended(inner),
            ExprKind::Field(name, member) => self.claimed_member(*name, *member),
            ExprKind::Nth(name, arguments) => self.claimed_call(*name, arguments),
            ExprKind::Within(value, part) => {
                let over = self.named(*part, None)?;
                let Some(of) = super::element::element_of(&over.of) else {
                    self.report_mismatch(&over.of.clone(), "a collection", part.span, "after `in`");
                    return None;
                };
                let value = self.fitting(value, &of, "before `in`")?;
                Some(Value { form: Form::On(CollectionOp::Has, vec![over, value]), of: Type::Bool })
            }
            _ => {
                let _ = hint;
                self.error("E1010", "this is not said of processes", expr.span, "not here")
                    .help("write a property of its own for what the net does")
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    /// The process that a quantifier has bound.
    fn bound_process(&mut self, expr: &'a Expr<'a>) -> Option<(LocalId, ProcessId)> {
        let value = self.expr(expr, None)?;
        match (&value.form, &value.of) {
            (Form::Local(id), Type::Handle(Some(process)))
                if matches!(self.body.meanings.get(id.index()), Some(Meaning::Bound)) =>
            {
                Some((*id, *process))
            }
            _ => {
                self.error(
                    "E1010",
                    "where a process is is asked of one that is bound",
                    expr.span,
                    "",
                )
                .help("bind it: `forall w in worker: …`")
                .report(self.resolver.diagnostics);
                None
            }
        }
    }

    fn at(&mut self, inner: &'a Expr<'a>, labels: &[Name<'a>]) -> Option<Value> {
        let (bound, process) = self.bound_process(inner)?;
        let (source, label) = self.label_named(process, labels)?;
        Some(self.mentioned(Type::Bool, Meaning::At(bound, source, label)))
    }

    fn has_ended(&mut self, inner: &'a Expr<'a>) -> Option<Value> {
        if let Some(name) = inner.as_name()
            && !self.body.names.contains_key(name.text)
            && let Some(Decl::Process(decl)) = self.decl(name)
        {
            // None is left.
            let process = self.process(decl, name.span)?;
            let of = Type::Int { min: 0, max: i64::from(u32::MAX) };
            let count = self.mentioned(of, Meaning::Count(process, None));
            return Some(compared(BinaryOp::Equal, count, int(0)));
        }
        let value = self.expr(inner, None)?;
        if let Form::Local(id) = value.form
            && matches!(self.body.meanings.get(id.index()), Some(Meaning::Bound))
        {
            return Some(self.mentioned(Type::Bool, Meaning::Ended(id)));
        }
        self.joined_type(&value.of.clone(), inner.span)?;
        let value = match &value.of {
            Type::Optional(of) => {
                let of = Type::clone(of);
                Value { form: Form::Unwrap(Box::new(value)), of }
            }
            _ => value,
        };
        Some(Value { form: Form::Ended(Box::new(value)), of: Type::Bool })
    }

    /// `w.seen`, `lock.holder`.
    fn claimed_member(&mut self, name: Name<'a>, member: Name<'a>) -> Option<Value> {
        let value = self.named(name, None)?;
        let (Form::Local(bound), Type::Handle(Some(process))) = (&value.form, &value.of) else {
            return self.member_of(value, member);
        };
        let routine = &self.program.processes[process.index()];
        let Some(at) = routine.locals.iter().position(|local| local.name == member.text) else {
            let names: Vec<String> =
                routine.locals.iter().map(|local| local.name.clone()).collect();
            let names = names.iter().map(String::as_str).filter(|name| !name.starts_with('$'));
            let message = format!("`{}` has no variable `{}`", routine.name, member.text);
            self.error("E1003", message, member.span, "no such variable")
                .help_nearest(member.text, names.collect::<Vec<_>>(), "")
                .report(self.resolver.diagnostics);
            return None;
        };
        let of = routine.locals[at].of.clone();
        let local = LocalId(u32::try_from(at).expect("fewer than bytes"));
        let meaning = Meaning::Variable(*bound, Source::Process(*process), local);
        Some(self.mentioned(of, meaning))
    }

    /// `len(c.items)`.
    fn claimed_call(&mut self, name: Name<'a>, arguments: &'a [Expr<'a>]) -> Option<Value> {
        match (self.decl(name), name.text, arguments) {
            (None, "len", [one]) => {
                let value = self.expr(one, None)?;
                self.length(value, one.span)
            }
            _ => {
                let message = format!("`{}` is not called in a property", name.text);
                self.error("E1010", message, name.span, "not here")
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    fn length(&mut self, value: Value, span: Span) -> Option<Value> {
        let (Type::Sequence(_, room) | Type::Set(_, room) | Type::Map(_, _, room)) = value.of
        else {
            self.report_mismatch(&value.of.clone(), "a collection", span, "in `len`");
            return None;
        };
        let of = Type::Int { min: 0, max: room.into() };
        Some(Value { form: Form::On(CollectionOp::Len, vec![value]), of })
    }
}

/// Whether a property says something that only processes have.
pub(super) fn speaks_of_processes<'a>(expr: &'a Expr<'a>, names: &Declared<'a>) -> bool {
    let has = |name: &Name<'a>| names.find(*name).is_some();
    let inner = |inner: &'a Expr<'a>| speaks_of_processes(inner, names);
    match &expr.kind {
        ExprKind::Name("race_free") => true,
        ExprKind::Name(text) => has(&Name { text, span: expr.span }),
        ExprKind::Field(name, _) => has(name),
        ExprKind::Count(atom) => has(&atom.place),
        ExprKind::AtMost(_, _, atom) => has(&atom.place),
        ExprKind::Nth(name, arguments) => has(name) || arguments.iter().any(inner),
        ExprKind::Quantified { place, body, .. } => has(place) || inner(body),
        ExprKind::Paren(a) | ExprKind::Unary(_, a) | ExprKind::Ended(a) => inner(a),
        ExprKind::At(a, name) => has(name) || inner(a),
        ExprKind::Within(a, name) => has(name) || inner(a),
        ExprKind::Binary(_, _, a, b) => inner(a) || inner(b),
        ExprKind::If(a, b, c) => inner(a) || inner(b) || inner(c),
        ExprKind::AtLabel(..)
        | ExprKind::CountAt(..)
        | ExprKind::Member(..)
        | ExprKind::Call(..)
        | ExprKind::Index(..)
        | ExprKind::Value(_)
        | ExprKind::Is(..)
        | ExprKind::Has(..) => true,
        _ => false,
    }
}
