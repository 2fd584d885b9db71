//! Properties: formulas, and the terms that only they have.

use net::{
    BinaryOp, Expr as Value, Formula, Kind, Origin, PathOp, PlaceId, PlaceKind, Property,
    Quantifier, Subject, UnaryOp,
};

use super::Resolver;
use super::binding::Bound;
use super::names::Unknown;
use super::scope::{Role, Scope, Usage};
use super::value::{Typed, WRONG};
use crate::format;
use crate::syntax::{Atom, DeclarationKind, Expr, ExprKind, Infix, Name, Prefix, RangeOver};
use diagnostics::{Diagnostic, Span, nearest};

impl<'a> Resolver<'a, '_> {
    pub(super) fn properties(&mut self, is_meant: impl Fn(&'a Expr<'a>) -> bool) {
        let model = self.model;
        let mut names: std::collections::HashMap<&str, Span> = std::collections::HashMap::new();
        for declaration in &model.declarations {
            let DeclarationKind::Property { name, formula } = &declaration.kind else { continue };
            if let Some(&first) = names.get(name.text) {
                self.report_duplicate("the property", *name, first);
            }
            names.entry(name.text).or_insert(name.span);
            if !is_meant(formula) {
                continue;
            }
            let mut scope = Scope::new(Usage::Property);
            let mut lowered = self.formula(formula, &mut scope);
            if is_bound(formula) {
                // Alone, a bound is meant of every state.
                lowered = Formula::Path(PathOp::Always, Box::new(lowered));
            }
            self.net.properties.push(Property {
                name: name.text.into(),
                text: format::on_one_line(self.model.text, &self.model.tokens, formula.span),
                variables: scope.variables,
                formula: lowered,
                origin: Origin::new(name.span.to(formula.span).range()),
            });
        }
    }

    fn formula(&mut self, expr: &Expr<'a>, scope: &mut Scope<'a>) -> Formula {
        match &expr.kind {
            ExprKind::Paren(inner) => self.formula(inner, scope),
            ExprKind::DeadlockFree => Formula::DeadlockFree,
            ExprKind::Name(text)
                if scope.get(text).is_none()
                    && self.meaning(text).is_none()
                    && let Some(formula) = about_all_threads(text) =>
            {
                formula
            }
            ExprKind::Unary(Prefix::Path(op), a) => {
                Formula::Path(*op, Box::new(self.formula(a, scope)))
            }
            ExprKind::Unary(Prefix::Data(UnaryOp::Not), a) => {
                Formula::Not(Box::new(self.formula(a, scope)))
            }
            ExprKind::Binary(op, _, a, b) if connects(*op) => {
                let a = Box::new(self.formula(a, scope));
                let b = Box::new(self.formula(b, scope));
                match op {
                    Infix::Until => Formula::Until(a, b),
                    Infix::LeadsTo => Formula::LeadsTo(a, b),
                    Infix::AllUntil => Formula::AllUntil(a, b),
                    Infix::SomeUntil => Formula::SomeUntil(a, b),
                    Infix::Data(op) => Formula::Binary(*op, a, b),
                }
            }
            ExprKind::Quantified { quantifier, binders, range, place, body, .. } => {
                self.quantified(*quantifier, binders, *range, *place, body, scope)
            }
            _ => {
                let typed = self.typed(expr, scope);
                self.demand(&typed, expr.span, Kind::Bool, "a formula");
                self.check_something(&typed, expr.span, scope);
                let value = typed.into_expr();
                self.check_of_property(&value, expr.span);
                Formula::Term(value)
            }
        }
    }

    /// Reports what is not for properties, unless it is constant.
    fn check_of_property(&mut self, value: &Value, span: Span) {
        let mut found = None;
        value.walk(&mut |value| {
            let (what, help) = match value {
                Value::If(..) => ("`if`", "write `(c and a) or (not c and b)`"),
                Value::Shift(..) => {
                    let help = "let a transition put what is asked for into a token";
                    ("`succ` or `pred`", help)
                }
                Value::Within(..) => {
                    let help = "compare with a part of one member: `x == leader`";
                    ("`in` for a part of several members", help)
                }
                _ => return,
            };
            found.get_or_insert((what, help));
        });
        if let Some((what, help)) = found {
            let message = format!("a property has no {what} that depends on the state");
            Diagnostic::error("E0310", message)
                .at(span, "in this")
                .help(help)
                .report(self.diagnostics);
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[Option<Name<'a>>],
        range: RangeOver,
        place: Name<'a>,
        body: &Expr<'a>,
        scope: &mut Scope<'a>,
    ) -> Formula {
        let atom = Atom { place, arguments: None, span: place.span };
        let kind = if range == RangeOver::In { PlaceKind::Ordinary } else { PlaceKind::Flow };
        let id = self.place_of_kind(&atom, kind, |name| match range {
            RangeOver::In => format!("`in` is for tokens, `at` for threads: write `at {name}`"),
            _ => format!("`at` and `entering` are for threads: write `in {name}`"),
        });
        let kinds: Vec<Bound> = match (id, range) {
            (Some(id), RangeOver::In) if self.places[id.index()].is_known => {
                let columns = &self.places[id.index()].columns;
                columns.iter().map(|column| (column.kind(), column.optional)).collect()
            }
            (None, _) | (_, RangeOver::In) => vec![(None, false); binders.len()],
            _ => vec![(Some(Kind::Pid), false)],
        };
        if kinds.len() != binders.len() {
            self.report_binders(place, kinds.len(), binders.len(), range);
        }
        let mut vars = Vec::new();
        let mut bound = Vec::new();
        for (index, binder) in binders.iter().enumerate() {
            let Some(name) = binder else {
                vars.push(None);
                continue;
            };
            let (kind, optional) = kinds.get(index).copied().unwrap_or_default();
            let role = match id {
                Some(id) if range != RangeOver::In => Role::At(id),
                _ => Role::Bound,
            };
            if let Some(entry) = scope.get(name.text) {
                self.report_duplicate("the variable", *name, entry.span);
                vars.push(Some(entry.var));
                continue;
            }
            let var = self.new_variable(*name, kind, role, scope);
            scope.variables[var.index()].optional = optional;
            vars.push(Some(var));
            bound.push(name.text);
        }
        let body = Box::new(self.formula(body, scope));
        for name in bound {
            scope.entries.remove(name);
        }
        let id = id.unwrap_or(PlaceId(0));
        let (thread, subject) = match range {
            RangeOver::At => (vars[0], Subject::At(id)),
            RangeOver::Entering => (vars[0], Subject::Entering(vec![id])),
            RangeOver::In => return self.in_any_order(quantifier, place, (id, vars), *body),
        };
        if thread.is_none() && range != RangeOver::In && binders.len() == 1 {
            Diagnostic::error("E0306", "the thread of a quantifier has a name")
                .at(place.span, "threads here are not named")
                .help("write a variable instead of `_`; to count threads use `count`")
                .report(self.diagnostics);
        }
        Formula::Quantified { quantifier, thread, subject, body }
    }

    fn report_binders(&mut self, place: Name<'a>, wanted: usize, given: usize, range: RangeOver) {
        let span = match self.place_names.get(place.text) {
            Some(id) => self.places[id.index()].span,
            None => place.span,
        };
        let (message, help) = match range {
            RangeOver::In if wanted == 0 => (
                format!("the tokens in `{}` have no components", place.text),
                format!("count them: `count({}) > 0`, say", place.text),
            ),
            RangeOver::In => (
                format!("the tokens in `{}` have {wanted} components, not {given}", place.text),
                "write one variable, or `_`, for each: `forall (x, _) in PLACE: …`".into(),
            ),
            _ => (
                "a thread is one variable".into(),
                "write `forall p at PLACE: …`, and `p.column` for its data".into(),
            ),
        };
        Diagnostic::error("E0303", message)
            .at(place.span, "")
            .also(span, "declared here")
            .help(help)
            .report(self.diagnostics);
    }

    /// A term that only properties have.
    pub(super) fn property_term(&mut self, expr: &Expr<'a>, scope: &mut Scope<'a>) -> Typed {
        let truth = |value: Option<Value>| Typed { value, kind: Some(Kind::Bool) };
        match &expr.kind {
            ExprKind::Field(thread, column) => self.field(*thread, *column, scope),
            ExprKind::At(thread, place) => {
                let thread = self.pid_variable(thread, scope);
                let atom = Atom { place: *place, arguments: None, span: place.span };
                let place = self.place_of_kind(&atom, PlaceKind::Flow, |name| {
                    format!("`at` is for threads; count tokens with `count({name}(…))`")
                });
                truth(thread.zip(place).map(|(thread, place)| Value::At(thread, place)))
            }
            ExprKind::Ended(thread) => truth(self.pid_variable(thread, scope).map(Value::Ended)),
            ExprKind::Enabled(name) => {
                let id = self.transition_names.get(name.text).map(|&(id, _)| id);
                if id.is_none() {
                    self.report_unknown(Unknown::Transition, *name);
                }
                let or = |a, b| Value::binary(BinaryOp::Or, a, b);
                let any = |id| self.net.copies(id).into_iter().map(Value::Enabled).reduce(or);
                truth(id.and_then(any))
            }
            ExprKind::Count(atom) => self.tokens_matching(atom, scope),
            ExprKind::AtMost(number, threads, atom, _) => {
                let kind = if *threads { PlaceKind::Flow } else { PlaceKind::Ordinary };
                let most = self.typed(number, scope);
                let fits = self.demand(&most, number.span, Kind::Int, "what follows `at most`");
                self.place_of_kind(atom, kind, |name| match threads {
                    true => format!("`at` is for threads, `in` for tokens: write `in {name}`"),
                    false => format!("`in` is for tokens, `at` for threads: write `at {name}`"),
                });
                let count = self.tokens_matching(atom, scope);
                let (count, most) = (count.into_expr(), most.into_expr());
                truth(fits.then(|| Value::binary(BinaryOp::LessEqual, count, most)))
            }
            _ => {
                Diagnostic::error("E0305", "a formula is no operand")
                    .at(expr.span, "this is a statement, not a value")
                    .help("connect formulas with `not`, `and`, `or` and `implies` only")
                    .report(self.diagnostics);
                Typed::wrong()
            }
        }
    }

    fn tokens_matching(&mut self, atom: &Atom<'a>, scope: &mut Scope<'a>) -> Typed {
        let wrong = Typed::wrong_of(Kind::Int);
        let Some(id) = self.place_named(atom.place) else { return wrong };
        let place = &self.places[id.index()];
        let thread = usize::from(place.kind == PlaceKind::Flow);
        let mut pattern = vec![None; thread];
        if atom.arguments.is_none() {
            pattern.resize_with(thread + place.columns.len(), || None);
            return Typed::new(Value::Count(id, pattern), Kind::Int);
        }
        let Some(columns) = self.columns_of(atom, id) else { return wrong };
        for (argument, column) in atom.arguments().iter().zip(columns) {
            pattern.push(match argument.kind {
                ExprKind::Wildcard => None,
                _ => Some(self.fitting(argument, column, scope).unwrap_or(WRONG)),
            });
        }
        self.check_count(atom.place, id, &pattern);
        Typed::new(Value::Count(id, pattern), Kind::Int)
    }

    fn field(&mut self, thread: Name<'a>, column: Name<'a>, scope: &mut Scope<'a>) -> Typed {
        let Some(entry) = scope.get(thread.text) else {
            match self.meaning(thread.text) {
                Some(_) => drop(self.report_shadowing(thread)),
                None => self.report_unbound(thread, scope),
            }
            return Typed::wrong();
        };
        let Role::At(id) = entry.role else {
            if entry.kind.is_some() {
                Diagnostic::error("E0210", format!("`{}` has no columns", thread.text))
                    .at(column.span, "")
                    .also(entry.span, "not known to be a thread at a place")
                    .help("only a thread bound by `at` or `entering` has columns")
                    .report(self.diagnostics);
            }
            return Typed::wrong();
        };
        let place = &self.places[id.index()];
        let found = place.columns.iter().position(|other| other.name == Some(column.text));
        let Some(index) = found else {
            let names: Vec<&str> = place.columns.iter().filter_map(|c| c.name).collect();
            let (name, span) = (place.name, place.span);
            let diagnostic = Diagnostic::error(
                "E0210",
                format!("the place `{name}` has no column `{}`", column.text),
            );
            let help = match nearest(column.text, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => {
                    format!("give its columns names: `flow {name}({}: …)`", column.text)
                }
                None => format!("its columns are: {}", names.join(", ")),
            };
            self.diagnostics
                .push(diagnostic.at(column.span, "").also(span, "declared here").help(help));
            return Typed::wrong();
        };
        match place.columns[index].sort {
            // The thread itself is the first column.
            Some(sort) => Typed::new(Value::Field(entry.var, id, index + 1), Kind::from(sort)),
            None => Typed::wrong(),
        }
    }

    /// Reports what only properties may say, in a place that is none.
    pub(super) fn not_a_property(&mut self, expr: &Expr<'a>, usage: Usage) -> Typed {
        let (what, help) = match &expr.kind {
            ExprKind::Count(_) | ExprKind::AtMost(..) => (
                "the number of tokens",
                "`read 2 PLACE` needs two tokens, `unless 3 PLACE` is disabled by three; \
                 to compare their number with a variable, keep it in a place of its own",
            ),
            ExprKind::Field(..) => (
                "the column of a thread",
                "bind it in a pattern: `stay p: PLACE(c)`, and write `c`",
            ),
            ExprKind::At(..) | ExprKind::Ended(_) => (
                "where a thread is",
                "use `read h: PLACE` to need it there, `unless h: PLACE` to need it not there",
            ),
            ExprKind::Enabled(_) => ("whether a transition can fire", "say what it depends on"),
            ExprKind::DeadlockFree => ("whether there are deadlocks", "write it as a `property`"),
            ExprKind::Quantified { .. } => (
                "a statement about all threads or tokens",
                "use `read` for some token, `unless PLACE(…) with …` for none",
            ),
            _ => ("a statement about the future", "write it as a `property`"),
        };
        let kind = match &expr.kind {
            ExprKind::Count(_) => Some(Kind::Int),
            ExprKind::Field(..) => None,
            _ => Some(Kind::Bool),
        };
        Diagnostic::error("E0304", format!("{what} can only be asked for in a property"))
            .at(expr.span, "not here")
            .help(match usage {
                Usage::Constant(_) => "a constant does not depend on the state",
                _ => help,
            })
            .report(self.diagnostics);
        Typed { value: None, kind }
    }
}

/// What is said of all threads by one word. Such words are reserved only where nothing else has the name.
fn about_all_threads(word: &str) -> Option<Formula> {
    match word {
        "no_one_stuck" => Some(Formula::NoOneStuck),
        "everyone_can_end" => Some(Formula::EveryoneCanEnd),
        _ => None,
    }
}

/// Whether it is `at most …` and nothing else.
fn is_bound(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_bound(inner),
        kind => matches!(kind, ExprKind::AtMost(..)),
    }
}

/// Whether the operator connects formulas.
fn connects(op: Infix) -> bool {
    !matches!(op, Infix::Data(op) if !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies))
}
