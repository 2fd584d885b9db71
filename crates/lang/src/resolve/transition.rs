//! Transitions as a whole, and what they do with tokens.

use std::collections::HashSet;

use net::{
    Arc, BinaryOp, Expr as Value, Inhibitor, Kind, Literal, Origin, PlaceKind, Transition,
    TransitionId,
};

use super::Resolver;
use super::scope::{Entry, Role, Scope, Usage};
use crate::keyword::Keyword;
use crate::syntax::{DeclarationKind, ItemKind, Name, Tokens, TransitionDecl};
use diagnostics::Diagnostic;

/// No transition has more inputs, definitions or inhibitors than this: the limit of `net`.
pub(super) const PARTS: usize = 256;
/// What to do about `with` where one token is taken, read or put.
const WITHOUT_ALL: &str = "say in `when` what one token must fulfil";

impl<'a> Resolver<'a, '_> {
    pub(super) fn transitions(&mut self) {
        let model = self.model;
        let has_groups = self.net.places.iter().any(|place| !place.groups.is_empty());
        let names = model.declarations.iter().filter_map(|declaration| match &declaration.kind {
            DeclarationKind::Transition(transition) if has_groups => Some(transition.name.text),
            _ => None,
        });
        let names: HashSet<&'a str> = names.collect();
        for declaration in &model.declarations {
            let DeclarationKind::Transition(transition) = &declaration.kind else { continue };
            self.declare_transition(transition.name);
            let before = self.diagnostics.len();
            let lowered = self.transition(transition);
            match has_groups && self.diagnostics.len() == before {
                true => self.add_copies(transition, lowered, &names),
                false => self.net.transitions.push(lowered),
            }
        }
    }

    /// Gives the next transition its name, which is reported if there is one of this name.
    pub(super) fn declare_transition(&mut self, name: Name<'a>) -> TransitionId {
        let id = TransitionId(u32::try_from(self.net.transitions.len()).expect("fewer than bytes"));
        match self.transition_names.get(name.text) {
            Some(&(_, first)) => self.report_duplicate("the transition", name, first),
            None => {
                self.transition_names.insert(name.text, (id, name.span));
            }
        }
        id
    }

    fn transition(&mut self, decl: &'a TransitionDecl<'a>) -> Transition {
        let before = self.diagnostics.len();
        let mut counts = Vec::with_capacity(decl.items.len());
        for item in &decl.items {
            let (list, least): (&[Tokens<'a>], u32) = match &item.kind {
                ItemKind::Take(list) | ItemKind::Read(list) | ItemKind::Put(list) => (list, 0),
                ItemKind::Unless(list) => (list.as_slice(), 1),
                _ => (&[], 0),
            };
            let numbers = list.iter().map(|tokens| self.count(tokens.count.as_ref(), least));
            counts.push(numbers.collect::<Vec<_>>());
        }
        let mut bindings = self.bindings(decl, &counts);
        let mut transition = Transition {
            name: decl.name.text.into(),
            origin: Origin::new(decl.name.span.to(decl.close).range()),
            failure: decl.failure.map(|what| what.text.to_owned()),
            parameters: std::mem::take(&mut bindings.parameters),
            ..Transition::default()
        };
        let mut scope = bindings.scope;
        self.definitions(decl, &mut scope, &mut transition);
        self.threads(decl, &mut scope, &mut transition);
        for (item, counts) in decl.items.iter().zip(&counts) {
            self.item(&item.kind, counts, &mut scope, &mut transition);
        }
        transition.variables = scope.variables;
        self.check_size(decl, &transition);
        // After a mistake it is not known what is missing.
        if self.diagnostics.len() == before {
            self.check_owners(decl.name, &transition);
        }
        transition.number_variables();
        transition
    }

    /// Reports a transition that is larger than a net may have.
    fn check_size(&mut self, decl: &TransitionDecl<'a>, transition: &Transition) {
        let inputs = transition.participants.len()
            + transition.takes.len()
            + transition.reads.len()
            + transition.parameters.len();
        let inhibiting = transition.inhibitors.iter().map(|one| one.arcs.len()).sum();
        let parts = [
            (inputs, "threads, tokens taken or read, and parameters"),
            (transition.definitions.len(), "definitions"),
            (inhibiting, "`unless`"),
        ];
        for (number, what) in parts.into_iter().filter(|(number, _)| *number > PARTS) {
            Diagnostic::error("E0411", format!("the transition has {number} {what}"))
                .at(decl.name.span, format!("at most {PARTS} are allowed"))
                .help("split the transition, or use multiplicities")
                .report(self.diagnostics);
        }
    }

    fn definitions(
        &mut self,
        decl: &'a TransitionDecl<'a>,
        scope: &mut Scope<'a>,
        transition: &mut Transition,
    ) {
        let mut number = 0;
        for item in &decl.items {
            let ItemKind::Let { name, value } = &item.kind else { continue };
            scope.usage = Usage::Definition(number);
            let typed = self.typed(value, scope);
            // A second variable of that name was reported, and is not this one.
            if let Some(entry) = scope.entries.get_mut(name.text)
                && entry.role == Role::Definition(number)
            {
                entry.kind = typed.kind;
                let var = entry.var;
                scope.variables[var.index()].kind = typed.kind.unwrap_or(Kind::Bool);
                let may_be_nothing = self.may_be_nothing(&typed, value.span, scope);
                scope.variables[var.index()].optional = may_be_nothing;
                transition.definitions.push((var, typed.into_expr()));
            }
            number += 1;
        }
        scope.usage = Usage::Guard;
    }

    fn item(
        &mut self,
        item: &'a ItemKind<'a>,
        counts: &[Option<u32>],
        scope: &mut Scope<'a>,
        transition: &mut Transition,
    ) {
        match item {
            ItemKind::Take(list) | ItemKind::Read(list) | ItemKind::Put(list) => {
                let (word, arcs) = match item {
                    ItemKind::Take(_) => (Keyword::Take, &mut transition.takes),
                    ItemKind::Read(_) => (Keyword::Read, &mut transition.reads),
                    _ => (Keyword::Put, &mut transition.puts),
                };
                for (tokens, count) in list.iter().zip(counts) {
                    let before = scope.variables.len();
                    // What is taken no times binds nothing: its variables stand for any value.
                    if *count == Some(0) && word != Keyword::Put {
                        self.bind_locals(tokens, scope);
                    }
                    let arc = self.arc(tokens, *count, word, scope);
                    arcs.extend(arc.filter(|arc| arc.count > 0));
                    self.forget_locals(scope, "what is taken or read 0 times binds nothing");
                    // Of tokens that are not there no variables remain.
                    if *count == Some(0) {
                        scope.variables.truncate(before);
                    }
                }
            }
            ItemKind::Unless(list) => {
                let inhibitor = self.unless(list, counts, scope);
                transition.inhibitors.extend(inhibitor);
            }
            ItemKind::New(objects) => {
                for object in objects {
                    let entry = scope.get(object.name.text);
                    if let Some(Entry { var, kind: Some(Kind::Object(class)), .. }) = entry {
                        transition.news.push((var, class));
                    }
                }
            }
            ItemKind::When(condition) => {
                scope.usage = Usage::Guard;
                let typed = self.typed(condition, scope);
                self.demand(&typed, condition.span, Kind::Bool, "what follows `when`");
                self.check_something(&typed, condition.span, scope);
                conjuncts(typed.into_expr(), &mut transition.guard);
            }
            _ => {}
        }
    }

    /// What is taken, read, put, or looked for by `unless`. Threads are only looked at; then the first column
    /// is the thread.
    fn arc(
        &mut self,
        tokens: &Tokens<'a>,
        count: Option<u32>,
        item: Keyword,
        scope: &mut Scope<'a>,
    ) -> Option<Arc> {
        let Tokens { thread, atom, condition, .. } = tokens;
        let word = item.text();
        let looks = matches!(item, Keyword::Read | Keyword::Unless);
        let is_thread = looks && thread.is_some();
        let goes_through_all = item != Keyword::Unless && !is_thread && atom.goes_through_all();
        if item != Keyword::Unless && !goes_through_all {
            self.report_with(condition.as_ref(), WITHOUT_ALL);
        }
        let kind = if is_thread { PlaceKind::Flow } else { PlaceKind::Ordinary };
        let shown = shape(tokens);
        let place = self.place_of_kind(atom, kind, |name| match item {
            Keyword::Take => format!("write `end {shown}` for a thread that ends, `move {shown} -> …` for one that goes on"),
            Keyword::Put => format!("write `spawn h from p: {name}` for a new thread, `move p: … -> {name}` for one that comes"),
            _ if is_thread => format!("write `{word} {name}`, without a thread"),
            _ => format!("name the thread: `{word} h: {name}`, or `{word} _: {name}`"),
        })?;
        if !looks && self.report_thread(tokens, word) {
            return None;
        }
        let usage = if item == Keyword::Put { Usage::Output } else { Usage::Pattern };
        if goes_through_all {
            return self.for_all(tokens, place, count, usage, scope);
        }
        let mut pattern = self.components(atom, place, usage, scope)?;
        if let Some(thread) = thread {
            pattern.insert(0, self.thread_pattern(*thread, scope));
        }
        Some(Arc::new(place, pattern, count?))
    }

    fn unless(
        &mut self,
        list: &'a [Tokens<'a>],
        counts: &[Option<u32>],
        scope: &mut Scope<'a>,
    ) -> Option<Inhibitor> {
        list.iter().for_each(|tokens| self.bind_locals(tokens, scope));
        let mut arcs = Vec::new();
        for (tokens, count) in list.iter().zip(counts) {
            if let (Some(written), Some(2..), true) = (&tokens.count, count, list.len() > 1) {
                Diagnostic::error("E0406", "tokens that disable together are named one by one")
                    .at(written.span, "how many there are cannot be said here")
                    .help(
                        "write each of them, with variables of its own: `unless a(x), a(y), b(x)`",
                    )
                    .report(self.diagnostics);
            }
            arcs.push(self.arc(tokens, *count, Keyword::Unless, scope));
        }
        scope.usage = Usage::Guard;
        let condition = list.last().and_then(|tokens| tokens.condition.as_ref()).map(|condition| {
            let typed = self.typed(condition, scope);
            self.demand(&typed, condition.span, Kind::Bool, "what follows `with`");
            self.check_something(&typed, condition.span, scope);
            typed.into_expr()
        });
        self.forget_locals(scope, "a variable of an `unless` is known only within it");
        Some(Inhibitor { arcs: arcs.into_iter().collect::<Option<Vec<Arc>>>()?, condition })
    }

    pub(super) fn forget_locals(&mut self, scope: &mut Scope<'a>, help: &'static str) {
        let locals = std::mem::take(&mut scope.locals);
        scope.elsewhere.extend(locals.into_keys().map(|name| (name, help)));
    }

    /// The variables that an `unless` binds: those that nothing else in the transition does.
    fn bind_locals(&mut self, tokens: &'a Tokens<'a>, scope: &mut Scope<'a>) {
        let mut names = self.free_names(&tokens.atom, &HashSet::new());
        if let Some(Some(thread)) = tokens.thread {
            let shadowing =
                !scope.entries.contains_key(thread.text) && self.report_shadowing(thread);
            names.insert(0, (thread, ((!shadowing).then_some(Kind::Pid), false)));
        }
        for (name, (kind, optional)) in names {
            if let Some(entry) = scope.locals.get(name.text) {
                scope.variables[entry.var.index()].optional &= optional;
            }
            match (scope.get(name.text), kind) {
                (None, _) => {
                    let var = scope.variable(name.text, kind);
                    scope.variables[var.index()].optional = optional;
                    let entry = Entry { var, kind, role: Role::Bound, span: name.span };
                    scope.locals.insert(name.text, entry);
                }
                (Some(entry), Some(kind))
                    if matches!(entry.role, Role::Bound | Role::Parameter)
                        && entry.kind.is_some_and(|known| known != kind) =>
                {
                    let known = entry.kind.unwrap_or(kind);
                    self.report_two_types(name, kind, entry.span, known);
                }
                _ => {}
            }
        }
    }
}

/// The tokens with a thread, as they would be written for a flow place.
fn shape(tokens: &Tokens<'_>) -> String {
    let thread = match tokens.thread {
        Some(Some(name)) => name.text,
        _ => "h",
    };
    let arguments = if tokens.atom.arguments().is_empty() { "" } else { "(…)" };
    format!("{thread}: {}{arguments}", tokens.atom.place.text)
}

/// Splits a conjunction; what is always true is left out.
fn conjuncts(value: Value, into: &mut Vec<Value>) {
    match value {
        Value::Binary(BinaryOp::And, a, b) => {
            conjuncts(*a, into);
            conjuncts(*b, into);
        }
        Value::Literal(Literal::Bool(true)) => {}
        value => into.push(value),
    }
}
