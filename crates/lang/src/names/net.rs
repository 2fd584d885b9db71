//! The names in nets: initial states, transitions, fairness, properties.

use std::collections::HashMap;

use diagnostics::Span;

use super::collect::Collector;
use super::shape::Shape;
use super::{DefinitionId, NameKind};
use crate::syntax::{
    Atom, Children, Expr, Fate, InitialTokens, Item, ItemKind, Name, StartDecl, Tokens,
    TransitionDecl, Whom, WhomKind,
};

impl<'a> Collector<'a> {
    pub(super) fn initial_tokens(&mut self, tokens: &'a InitialTokens<'a>) {
        self.scoped(|all| {
            all.members_gone_through(std::slice::from_ref(&tokens.token));
            tokens.count.iter().chain(&tokens.condition).for_each(|expr| _ = all.expr(expr));
            all.expr(&tokens.token);
        });
    }

    pub(super) fn start(&mut self, start: &'a StartDecl<'a>) {
        start.times.iter().for_each(|times| _ = self.expr(times));
        self.atom(&start.place);
    }

    pub(super) fn fairness(&mut self, whom: &Whom<'a>) {
        let found = match whom.kind {
            WhomKind::Threads => return,
            WhomKind::Transition => self.transitions.get(whom.name.text).copied(),
            WhomKind::Class => self.value(whom.name.text),
            WhomKind::Either => {
                let transition = self.transitions.get(whom.name.text).copied();
                transition.or_else(|| self.value(whom.name.text))
            }
            WhomKind::Arm => {
                let Some(routine) = whom.routine else { return };
                self.label_of(routine, whom.name);
                return;
            }
        };
        self.uses(whom.name, found);
    }

    /// `worker.stopping`.
    pub(super) fn label_of(&mut self, routine: Name<'a>, label: Name<'a>) {
        let found = self.decl(routine.text).or_else(|| self.function_of_object(routine.text));
        self.uses(routine, found);
        let label_id = found.and_then(|id| self.label_in(id, label.text));
        self.uses(label, label_id);
    }

    pub(super) fn label_in(&self, routine: DefinitionId, name: &'a str) -> Option<DefinitionId> {
        self.member(routine, name, |kind| kind == NameKind::Label)
    }

    pub(super) fn transition(&mut self, transition: &'a TransitionDecl<'a>, whole: Span) {
        let Some(id) = self.own(transition.name) else { return };
        self.routine = Some(id);
        self.end = whole.end as usize;
        let from = transition.name.span.end as usize;
        for parameter in &transition.parameters {
            self.sort(&parameter.sort);
            let whole = parameter.name.span.to(parameter.sort.span);
            let bound = self.bind_from(parameter.name, NameKind::Parameter, whole, from);
            self.of(bound).of = Some(parameter.sort.span.range());
            self.of(id).parameters.push(bound);
        }
        // Names that are given, which in a pattern are used and not bound.
        for item in &transition.items {
            match &item.kind {
                ItemKind::Let { name, .. } => {
                    self.bind_from(*name, NameKind::Variable, item.span, from);
                }
                ItemKind::Spawn { children: Children::One(Some(name)), .. } => {
                    self.bind_from(*name, NameKind::Variable, item.span, from);
                }
                ItemKind::New(objects) => {
                    for object in objects {
                        self.bind_from(object.name, NameKind::Variable, item.span, from);
                    }
                }
                _ => {}
            }
        }
        transition.items.iter().for_each(|item| self.bind_item(item, from));
        transition.items.iter().for_each(|item| self.item(item));
    }

    fn bind_item(&mut self, item: &'a Item<'a>, from: usize) {
        match &item.kind {
            ItemKind::Thread { thread, at, .. } => {
                self.bind_new(*thread, from);
                self.bind_pattern(at, from);
            }
            ItemKind::Take(list) | ItemKind::Read(list) => {
                for tokens in list {
                    if let Some(Some(thread)) = tokens.thread {
                        self.bind_new(thread, from);
                    }
                    if !tokens.atom.goes_through_all() {
                        self.bind_pattern(&tokens.atom, from);
                    }
                }
            }
            _ => {}
        }
    }

    /// The names that stand alone in a pattern are bound, unless they are known.
    fn bind_pattern(&mut self, atom: &'a Atom<'a>, from: usize) {
        let columns = self.written.get(atom.place.text).copied().unwrap_or_default();
        for (at, name) in atom.arguments().iter().map(Expr::as_name).enumerate() {
            let Some(name) = name else { continue };
            let is_value = self.value(name.text).is_some() || self.numbered(name.text).is_some();
            if !is_value && name.text != "none" && self.local(name.text).is_none() {
                let id = self.bind_from(name, NameKind::Variable, name.span, from);
                self.of(id).of = columns.get(at).map(|column| column.sort.span.range());
            }
        }
    }

    fn bind_new(&mut self, name: Name<'a>, from: usize) {
        if self.local(name.text).is_none() {
            self.bind_from(name, NameKind::Variable, name.span, from);
        }
    }

    fn item(&mut self, item: &'a Item<'a>) {
        match &item.kind {
            ItemKind::Thread { thread, at, fate, .. } => {
                self.variable(*thread);
                self.atom(at);
                if let Fate::Move(to) = fate {
                    self.atom(to);
                }
            }
            ItemKind::Spawn { children, parent, to } => {
                if let Children::Several(number) = children {
                    self.expr(number);
                }
                self.variable(*parent);
                to.iter().for_each(|to| self.atom(to));
            }
            ItemKind::New(objects) => {
                objects.iter().for_each(|object| self.uses_value(object.class));
            }
            ItemKind::Take(list) | ItemKind::Read(list) | ItemKind::Put(list) => {
                for tokens in list {
                    self.scoped(|all| {
                        all.members_gone_through(tokens.atom.arguments());
                        all.tokens(tokens);
                    });
                }
            }
            ItemKind::Unless(list) => self.scoped(|all| {
                let from = item.span.start as usize;
                for tokens in list {
                    if let Some(Some(thread)) = tokens.thread {
                        all.bind_new(thread, from);
                    }
                    all.members_gone_through(tokens.atom.arguments());
                    all.bind_pattern(&tokens.atom, from);
                }
                list.iter().for_each(|tokens| all.tokens(tokens));
            }),
            ItemKind::Let { value, .. } => _ = self.expr(value),
            ItemKind::When(condition) => _ = self.expr(condition),
        }
    }

    /// Names of members that are gone through: `all r in others`.
    fn members_gone_through(&mut self, arguments: &'a [Expr<'a>]) {
        for all in arguments.iter().flat_map(elements).filter_map(|expr| expr.as_all()) {
            if let Some(name) = all.name {
                self.bind(name, NameKind::Variable, name.span);
            }
        }
    }

    fn tokens(&mut self, tokens: &'a Tokens<'a>) {
        tokens.count.iter().for_each(|count| _ = self.expr(count));
        if let Some(Some(thread)) = tokens.thread {
            self.variable(thread);
        }
        self.atom(&tokens.atom);
        tokens.condition.iter().for_each(|condition| _ = self.expr(condition));
    }

    /// A place and what stands in parentheses after it.
    pub(super) fn atom(&mut self, atom: &'a Atom<'a>) {
        let place = self.places.get(atom.place.text).copied();
        let found = place.or_else(|| self.decl(atom.place.text));
        self.uses(atom.place, found);
        atom.arguments().iter().for_each(|argument| _ = self.expr(argument));
    }

    fn variable(&mut self, name: Name<'a>) {
        let found = self.local(name.text);
        self.uses(name, found);
    }

    pub(super) fn property(&mut self, name: Name<'a>, formula: &'a Expr<'a>) {
        self.routine = self.own(name);
        self.end = formula.span.end as usize;
        self.expr(formula);
    }

    /// With names of its own.
    pub(super) fn scoped(&mut self, act: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        act(self);
        self.scopes.pop();
    }

    /// A name of the scope at hand, from where it stands to the end of the block.
    pub(super) fn bind(&mut self, name: Name<'a>, kind: NameKind, whole: Span) -> DefinitionId {
        self.bind_from(name, kind, whole, name.span.start as usize)
    }

    fn bind_from(
        &mut self,
        name: Name<'a>,
        kind: NameKind,
        whole: Span,
        from: usize,
    ) -> DefinitionId {
        let id = self.define(name, kind, whole, self.routine);
        self.of(id).scope = Some(from..self.end);
        self.shapes[id.0] = Shape::Unknown;
        if let Some(scope) = self.scopes.last_mut() {
            scope.entry(name.text).or_insert(id);
        }
        id
    }

    /// A name of the scopes around.
    pub(super) fn local(&self, name: &str) -> Option<DefinitionId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }
}

/// The parts of a tuple, or the expression itself.
fn elements<'e, 'a>(expr: &'e Expr<'a>) -> Vec<&'e Expr<'a>> {
    match &expr.bare().kind {
        crate::syntax::ExprKind::Tuple(list) => list.iter().collect(),
        _ => vec![expr],
    }
}
