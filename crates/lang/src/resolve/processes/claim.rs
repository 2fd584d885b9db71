//! Properties that speak of processes: what they mention, and what they say of it.

mod labels;

use net::{BinaryOp, Formula, PathOp, UnaryOp};
use program::Source;
use program::claim::{Claim, Labels, Meaning, Mention, Over, Proposition};
use program::{CollectionOp, Expr as Value, Form, LocalId, ProcessId, Type};

use super::body::{Binding, Body, Kind};
use super::declared::{Decl, Declared};
use super::expression::int;
use super::operator::compared;
use super::{Lowering, origin};
use crate::format;
use crate::syntax::{
    Atom, DeclarationKind, Expr, ExprKind, Infix, Name, Prefix, RangeOver, Ranged,
};
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
            let Some(mut proposition) = self.proposition(formula) else { continue };
            if let ExprKind::AtMost(..) = formula.bare().kind {
                // Alone, a bound is meant of every state.
                proposition = Proposition::Path(PathOp::Always, Box::new(proposition));
            }
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
        let ExprKind::Quantified { quantifier, binders, range, place, of, body } = &expr.kind
        else {
            unreachable!("it was matched")
        };
        let [Some(name)] = binders[..] else {
            self.error("E1010", "one process or object is named", place.span, "")
                .help("write `forall w in worker: …`")
                .report(self.resolver.diagnostics);
            return None;
        };
        if *range == RangeOver::In && self.is_value(*place) {
            let label = of.as_deref().and_then(|of| of.label);
            return self.over_elements(*quantifier, name, (*place, label), body);
        }
        let (of, over, at) = self.ranged_over(*place, of.as_deref(), *range)?;
        self.body.scopes.push(Vec::new());
        let bound = self.mention(name.text, of, Meaning::Bound);
        self.bind(name, Binding::Local(bound));
        let inside = self.proposition(body);
        for name in self.body.scopes.pop().expect("it was pushed") {
            self.body.names.remove(name);
        }
        let mut body = inside?;
        if let Some(labels) = at {
            let at = self.mention("", Type::Bool, Meaning::At(bound, labels));
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

    /// Whether a name stands for values: a variable that is bound, or a shared one, or the members of a type.
    fn is_value(&mut self, name: Name<'a>) -> bool {
        self.body.names.contains_key(name.text)
            || matches!(self.decl(name), Some(Decl::Shared))
            || self.decl(name).is_none() && self.members_named(name).is_some()
            || self.means_all_of_bool(name)
    }

    /// `forall x in w.seen: P`: a statement about the elements of a collection.
    fn over_elements(
        &mut self,
        quantifier: net::Quantifier,
        name: Name<'a>,
        (of, member): (Name<'a>, Option<Name<'a>>),
        body: &'a Expr<'a>,
    ) -> Option<Proposition> {
        let over = match member {
            Some(member) => self.claimed_member(of, member),
            None => self.named_collection(of, false),
        };
        let condition = self.each_of(quantifier, name, over, of.span, body)?;
        Some(Proposition::Holds(condition))
    }

    /// What a quantifier ranges over, and the label at which the processes are.
    fn ranged_over(
        &mut self,
        place: Name<'a>,
        of: Option<&'a Ranged<'a>>,
        range: RangeOver,
    ) -> Option<(Type, Over, Option<Labels>)> {
        let types = of.map_or(&[][..], |of| &of.types);
        let label = of.and_then(|of| of.label);
        match self.decl(place) {
            Some(Decl::Process(decl)) => {
                let id = self.process(decl, place.span)?;
                let label = match label {
                    Some(label) => Some(self.label_named(id, &[label])?),
                    None => None,
                };
                let of = Type::Handle(Some(id));
                Some(match range {
                    RangeOver::Entering => {
                        let labels = label.unwrap_or_else(|| self.start_of(id));
                        (of, Over::Entering(id, labels), None)
                    }
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

    /// The process whose instances are counted: all of them, whatever they were started with.
    fn counted_process(&mut self, atom: &'a Atom<'a>) -> Option<ProcessId> {
        let process = self.process_named(atom.place)?;
        if atom.arguments.is_none() {
            return Some(process);
        }
        let name = atom.place.text;
        let message =
            format!("all processes `{name}` are counted, whatever they were started with");
        let others = Span { start: atom.place.span.end, ..atom.span };
        let variable = self.program.processes[process.index()].locals.first();
        let variable = variable.map_or("x", |local| &local.name);
        let help = format!(
            "remove the parentheses; what a variable is can be asked: `exists w in {name}: w.{variable} == …`"
        );
        self.error("E1010", message, others, "no arguments here")
            .help(help)
            .report(self.resolver.diagnostics);
        None
    }

    /// What only properties say.
    pub(super) fn claimed(&mut self, expr: &'a Expr<'a>, hint: Option<&Type>) -> Option<Value> {
        let count = Type::Int { min: 0, max: i64::from(u32::MAX) };
        match &expr.kind {
            ExprKind::Count(atom) => {
                let process = self.counted_process(atom)?;
                Some(self.mentioned(count, Meaning::Count(process, None)))
            }
            ExprKind::CountAt(name, labels) => {
                let process = self.process_named(*name)?;
                let label = self.label_named(process, labels)?;
                Some(self.mentioned(count, Meaning::Count(process, Some(label))))
            }
            ExprKind::AtMost(number, is_at, atom, label) => {
                let process = self.counted_process(atom)?;
                if !is_at {
                    let message = "processes are `at` a point, only tokens are `in` a place";
                    let after = label.map_or_else(String::new, |label| format!(".{}", label.text));
                    self.error("E1010", message, expr.span, "these are processes")
                        .help(format!("write `at most … at {}{after}`", atom.place.text))
                        .report(self.resolver.diagnostics);
                    return None;
                }
                let labels = match label {
                    Some(label) => Some(self.label_named(process, &[*label])?),
                    None => None,
                };
                self.at_most(number, process, labels)
            }
            ExprKind::EnabledArm(routine, label) => {
                let labels = self.arm_named(*routine, *label)?;
                Some(self.mentioned(Type::Bool, Meaning::Enabled(labels)))
            }
            ExprKind::Relation(name, arguments) => self.kin(name, arguments, expr.span),
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
        let bound = self.as_bound(&value);
        if bound.is_none() {
            self.error("E1010", "this is asked of a process that is bound", expr.span, "")
                .help("bind it: `forall w in worker: …`")
                .report(self.resolver.diagnostics);
        }
        bound
    }

    fn at(&mut self, inner: &'a Expr<'a>, labels: &[Name<'a>]) -> Option<Value> {
        let (bound, process) = self.bound_process(inner)?;
        let labels = self.label_named(process, labels)?;
        Some(self.mentioned(Type::Bool, Meaning::At(bound, labels)))
    }

    /// `at most 2 at worker.critical`.
    fn at_most(
        &mut self,
        number: &'a Expr<'a>,
        process: ProcessId,
        labels: Option<Labels>,
    ) -> Option<Value> {
        let most = self.expr(number, None)?;
        self.number(&most, number.span, "after `at most`")?;
        let of = Type::Int { min: 0, max: i64::from(u32::MAX) };
        let count = self.mentioned(of, Meaning::Count(process, labels));
        Some(compared(BinaryOp::LessEqual, count, most))
    }

    /// `parent(a, b)`, of processes that are bound.
    fn kin(&mut self, name: &str, arguments: &'a [Expr<'a>], span: Span) -> Option<Value> {
        let [a, b] = arguments else {
            let message = format!("`{name}` is said of two processes");
            self.error("E1006", message, span, format!("{} given", arguments.len()))
                .help(format!("write `{name}(p, w)`"))
                .report(self.resolver.diagnostics);
            return None;
        };
        let (a, b) = (self.bound_process(a), self.bound_process(b));
        let meaning = Meaning::Kin(name.parse().ok()?, a?.0, b?.0);
        Some(self.mentioned(Type::Bool, meaning))
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
        self.member_of(value, member)
    }

    /// The process that a quantifier has bound, if a value is one.
    pub(super) fn as_bound(&self, value: &Value) -> Option<(LocalId, ProcessId)> {
        match (&value.form, &value.of) {
            (Form::Local(id), Type::Handle(Some(process)))
                if matches!(self.body.meanings.get(id.index()), Some(Meaning::Bound)) =>
            {
                Some((*id, *process))
            }
            _ => None,
        }
    }

    /// A variable of a process that is bound.
    pub(super) fn variable_of(
        &mut self,
        bound: LocalId,
        process: ProcessId,
        member: Name<'a>,
    ) -> Option<Value> {
        let routine = &self.program.processes[process.index()];
        let Some(at) = routine.locals.iter().position(|local| local.name == member.text) else {
            let names: Vec<String> =
                routine.locals.iter().map(|local| local.name.clone()).collect();
            let names = names.iter().map(String::as_str).filter(|name| !name.starts_with('$'));
            let names: Vec<&str> = names.collect();
            let message = format!("`{}` has no variable `{}`", routine.name, member.text);
            let otherwise = match names.is_empty() {
                true => "it has none".to_owned(),
                false => format!("there are `{}`", names.join("`, `")),
            };
            self.error("E1003", message, member.span, "no such variable")
                .help_nearest(member.text, names, &otherwise)
                .report(self.resolver.diagnostics);
            return None;
        };
        let of = routine.locals[at].of.clone();
        let local = LocalId(u32::try_from(at).expect("fewer than bytes"));
        let meaning = Meaning::Variable(bound, Source::Process(process), local);
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
                let text = name.text;
                let message = format!("`{text}` is not called in a property");
                let help = match self.decl(name) {
                    Some(Decl::Process(_)) => {
                        format!("write `count({text})`, or bind one: `forall w in {text}: …`")
                    }
                    _ => "a property asks for variables and fields: keep the value in one".into(),
                };
                self.error("E1010", message, name.span, "not here")
                    .help(help)
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
        ExprKind::AtMost(_, _, atom, label) => label.is_some() || has(&atom.place),
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
        | ExprKind::Has(..)
        | ExprKind::Over { .. }
        | ExprKind::List(_)
        | ExprKind::Pairs(_)
        | ExprKind::EnabledArm(..) => true,
        _ => false,
    }
}
