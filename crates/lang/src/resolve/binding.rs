//! Which variables a transition has, and of which type.
//!
//! Parameters, threads, definitions, children, and every name that stands alone in a pattern are
//! variables, in the order of writing. A name that occurs in several patterns is one variable: the
//! tokens are joined on it. What an `unless` binds is local to it, and comes later.

use std::collections::HashSet;

use net::{Kind, Sort};

use super::Resolver;
use super::mismatch::mismatch;
use super::objects::NOTHING;
use super::scope::{Role, Scope, Usage};
use crate::syntax::{Atom, Children, Item, ItemKind, Name, Parameter, Tokens, TransitionDecl};
use diagnostics::Diagnostic;

/// The type of what binds a variable, as far as it is known, and whether it may be nothing.
pub(super) type Bound = (Option<Kind>, bool);

/// The variables of a transition and the sorts of its parameters.
pub(crate) struct Bindings<'a> {
    pub(crate) scope: Scope<'a>,
    pub(crate) parameters: Vec<(net::Var, Sort)>,
    /// Names of definitions and of children: in a pattern they are used, not bound.
    given: HashSet<&'a str>,
    definitions: usize,
}

impl<'a> Resolver<'a, '_> {
    /// The variables of a transition. `counts` are the multiplicities, by item: what is taken no
    /// times binds nothing.
    pub(super) fn bindings(
        &mut self,
        transition: &'a TransitionDecl<'a>,
        counts: &[Vec<Option<u32>>],
    ) -> Bindings<'a> {
        let given = transition.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Let { name, .. } => Some(name.text),
            ItemKind::Spawn { children: Children::One(Some(name)), .. } => Some(name.text),
            _ => None,
        });
        let new = transition.items.iter().flat_map(|item| match &item.kind {
            ItemKind::New(objects) => objects.as_slice(),
            _ => &[],
        });
        let mut bindings = Bindings {
            scope: Scope::new(Usage::Guard),
            parameters: Vec::new(),
            given: given.chain(new.map(|object| object.name.text)).collect(),
            definitions: 0,
        };
        for parameter in &transition.parameters {
            self.bind_parameter(parameter, &mut bindings);
        }
        for (item, counts) in transition.items.iter().zip(counts) {
            self.bind_item(item, counts, &mut bindings);
        }
        bindings
    }

    fn bind_parameter(&mut self, parameter: &Parameter<'a>, bindings: &mut Bindings<'a>) {
        let sort = self.sort(&parameter.sort);
        if sort == Some(Sort::Pid) {
            Diagnostic::error("E0302", "a parameter ranges over data, not over pids")
                .at(parameter.sort.span, "")
                .also(parameter.name.span, "this parameter")
                .help("bind the thread: `stay p: PLACE` if it takes part, else `read p: PLACE`")
                .report(self.diagnostics);
        }
        if let Some(Sort::Object(id)) = sort {
            let class = self.net.fresh[id.index()].name.clone();
            Diagnostic::error("E0901", format!("a parameter cannot range over `{class}`"))
                .at(
                    parameter.sort.span,
                    "this is a fresh class: nobody knows how many objects it has",
                )
                .also(parameter.name.span, "this parameter")
                .help("bind the object by a token that mentions it: `read PLACE(x)`")
                .report(self.diagnostics);
        }
        if let Some(entry) = bindings.scope.entries.get(parameter.name.text) {
            let first = entry.span;
            self.report_duplicate("the parameter", parameter.name, first);
            return;
        }
        let kind = sort.map(Kind::from);
        self.declare_variable(parameter.name, (kind, false), Role::Parameter, bindings);
        if let (Some(entry), Some(sort)) = (bindings.scope.get(parameter.name.text), sort) {
            bindings.parameters.push((entry.var, sort));
        }
    }

    fn bind_item(&mut self, item: &Item<'a>, counts: &[Option<u32>], bindings: &mut Bindings<'a>) {
        let pid = (Some(Kind::Pid), false);
        match &item.kind {
            ItemKind::Thread { thread, at, .. } => {
                self.declare_variable(*thread, pid, Role::Bound, bindings);
                self.bind_pattern(at, bindings);
            }
            ItemKind::Spawn { children: Children::One(Some(name)), .. } => {
                self.declare_variable(*name, pid, Role::Child, bindings);
            }
            ItemKind::Take(list) | ItemKind::Read(list) => {
                for (tokens, count) in list.iter().zip(counts) {
                    if *count != Some(0) {
                        self.bind_tokens(tokens, bindings);
                    }
                }
            }
            ItemKind::Let { name, .. } => {
                let role = Role::Definition(bindings.definitions);
                bindings.definitions += 1;
                self.declare_variable(*name, (None, false), role, bindings);
            }
            ItemKind::New(objects) => {
                for object in objects {
                    let kind = self.fresh_class(object.class).map(Kind::Object);
                    self.declare_variable(object.name, (kind, false), Role::Object, bindings);
                }
            }
            ItemKind::Spawn { .. } | ItemKind::Put(_) | ItemKind::Unless(_) | ItemKind::When(_) => {
            }
        }
    }

    fn bind_tokens(&mut self, tokens: &Tokens<'a>, bindings: &mut Bindings<'a>) {
        if let Some(Some(thread)) = tokens.thread
            && !bindings.given.contains(thread.text)
        {
            self.declare_variable(thread, (Some(Kind::Pid), false), Role::Bound, bindings);
        }
        // What goes through all members binds nothing else.
        if !tokens.atom.goes_through_all() {
            self.bind_pattern(&tokens.atom, bindings);
        }
    }

    fn bind_pattern(&mut self, atom: &Atom<'a>, bindings: &mut Bindings<'a>) {
        for (name, kind) in self.free_names(atom, &bindings.given) {
            self.declare_variable(name, kind, Role::Bound, bindings);
        }
    }

    /// The names that stand alone in a pattern and are neither values nor `given`, with the types of
    /// their columns, as far as these are known, and whether these may be nothing.
    pub(super) fn free_names(
        &self,
        atom: &Atom<'a>,
        given: &HashSet<&'a str>,
    ) -> Vec<(Name<'a>, Bound)> {
        let place = self.place_names.get(atom.place.text).map(|id| &self.places[id.index()]);
        let fits = place.is_some_and(|place| place.columns.len() == atom.arguments().len());
        let mut names = Vec::new();
        for (index, argument) in atom.arguments().iter().enumerate() {
            let Some(name) = argument.as_name() else { continue };
            if given.contains(name.text) || self.meaning(name.text).is_some() {
                continue;
            }
            let column = place.filter(|_| fits).map(|place| place.columns[index]);
            if name.text == NOTHING && column.is_some_and(|column| column.optional) {
                continue;
            }
            let bound = column.map(|column| (column.kind(), column.optional));
            names.push((name, bound.unwrap_or_default()));
        }
        names
    }

    fn declare_variable(
        &mut self,
        name: Name<'a>,
        (kind, optional): Bound,
        role: Role,
        bindings: &mut Bindings<'a>,
    ) {
        let alone = |role| matches!(role, Role::Definition(_) | Role::Child | Role::Object);
        // What is bound by something that is always there is always something.
        if let Some(entry) = bindings.scope.entries.get(name.text) {
            bindings.scope.variables[entry.var.index()].optional &= optional;
        }
        match bindings.scope.entries.get_mut(name.text) {
            Some(entry) if alone(role) || alone(entry.role) => {
                let first = entry.span;
                self.report_duplicate("the variable", name, first);
            }
            Some(entry) => match (entry.kind, kind) {
                (Some(known), Some(kind)) if known != kind => {
                    let first = entry.span;
                    self.report_two_types(name, kind, first, known);
                }
                (None, Some(kind)) => {
                    entry.kind = Some(kind);
                    bindings.scope.variables[entry.var.index()].kind = kind;
                }
                _ => {}
            },
            None => {
                let var = self.new_variable(name, kind, role, &mut bindings.scope);
                bindings.scope.variables[var.index()].optional = optional;
            }
        }
    }

    pub(super) fn report_two_types(
        &mut self,
        name: Name<'a>,
        kind: Kind,
        first: diagnostics::Span,
        known: Kind,
    ) {
        let (here, there) = (self.kind_name(kind), self.kind_name(known));
        Diagnostic::error(
            mismatch(kind, known),
            format!("`{}` is both {there} and {here}", name.text),
        )
        .at(name.span, format!("{here} here"))
        .also(first, format!("{there} here"))
        .help("one name stands for one value; use another name for one of them")
        .report(self.diagnostics);
    }
}
