//! What the model and the prelude declare.

use std::collections::{HashMap, HashSet};

use crate::resolve::Resolver;
use crate::syntax::process::{
    ArmResult, Block, FunctionDecl, MemberKind, ObjectDecl, RecordDecl, SelectOperation,
    SharedDecl, StatementKind, VariantDecl,
};
use crate::syntax::{Declaration, DeclarationKind, Expr, ExprKind, Model, Name};
use diagnostics::Span;

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Decl<'a> {
    Process(&'a FunctionDecl<'a>),
    Function(&'a FunctionDecl<'a>),
    Object(&'a ObjectDecl<'a>),
    Record(&'a RecordDecl<'a>),
    Variant(&'a VariantDecl<'a>),
    /// A case of a variant.
    Case(&'a VariantDecl<'a>, usize),
    Shared(&'a SharedDecl<'a>),
}

impl Decl<'_> {
    /// What it is, in words.
    pub(super) fn word(self) -> &'static str {
        match self {
            Decl::Process(_) => "a process",
            Decl::Function(_) => "a function",
            Decl::Object(_) => "a type of objects",
            Decl::Record(_) => "a record",
            Decl::Variant(_) => "an enumeration",
            Decl::Case(..) => "a member of an enumeration",
            Decl::Shared(_) => "a shared variable",
        }
    }
}

/// The methods by which a collection in a variable is changed.
pub(super) const CHANGES: [&str; 8] =
    ["push_back", "push_front", "pop_front", "pop_back", "insert", "remove", "remove_at", "clear"];

type Table<'a> = HashMap<&'a str, (Decl<'a>, Span)>;

/// All declarations.
pub(super) struct Declared<'a> {
    model: Table<'a>,
    prelude: Table<'a>,
    start: u32,
    /// The names of variables and fields that are assigned to, anywhere.
    assigned: HashSet<&'a str>,
}

impl<'a> Declared<'a> {
    /// What a model and the prelude declare, whose text starts at `start`. Names that are declared twice are
    /// reported.
    pub(super) fn of(
        resolver: &mut Resolver<'a, '_>,
        prelude: &'a Model<'a>,
        start: usize,
    ) -> Declared<'a> {
        let mut assigned = HashSet::new();
        let mut model = Table::new();
        for declaration in &resolver.model.declarations {
            assignments(declaration, &mut assigned);
            for (name, decl) in declared(declaration) {
                let first = match resolver.meaning(name.text) {
                    Some((_, span)) => Some(span),
                    None => model.get(name.text).map(|(_, span)| *span),
                };
                match first {
                    Some(first) => resolver.report_duplicate("the name", name, first),
                    None => _ = model.insert(name.text, (decl, name.span)),
                }
                if let (Decl::Shared(_), Some(place)) =
                    (decl, resolver.place_names.get(name.text).copied())
                {
                    let first = resolver.places[place.index()].span;
                    resolver.report_duplicate("the place", name, first);
                }
            }
        }
        let mut known = Table::new();
        for declaration in &prelude.declarations {
            assignments(declaration, &mut assigned);
            let all = declared(declaration);
            known.extend(all.into_iter().map(|(name, decl)| (name.text, (decl, name.span))));
        }
        let start = u32::try_from(start).expect("the size of a text is checked first");
        Declared { model, prelude: known, start, assigned }
    }

    /// Whether a place is in the prelude.
    pub(super) fn is_prelude(&self, span: Span) -> bool {
        span.start >= self.start
    }

    /// What a name stands for. The model may have something of a name of the prelude; the prelude itself means its
    /// own.
    pub(super) fn find(&self, name: Name<'a>) -> Option<Decl<'a>> {
        let own = self.model.get(name.text).filter(|_| !self.is_prelude(name.span));
        own.or_else(|| self.prelude.get(name.text)).map(|(decl, _)| *decl)
    }

    /// Where something that the model declares is.
    pub(super) fn span(&self, name: &str) -> Option<Span> {
        self.model.get(name).map(|(_, span)| *span)
    }

    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.model.contains_key(name)
    }

    /// Whether a variable or a field of this name is assigned to somewhere.
    pub(super) fn is_assigned(&self, name: &str) -> bool {
        self.assigned.contains(name)
    }

    /// All names of some kind, for suggestions.
    pub(super) fn all(&self, is_meant: impl Fn(Decl<'a>) -> bool) -> Vec<&'a str> {
        let tables = self.model.iter().chain(&self.prelude);
        tables.filter(|(_, (decl, _))| is_meant(*decl)).map(|(name, _)| *name).collect()
    }
}

fn declared<'a>(declaration: &'a Declaration<'a>) -> Vec<(Name<'a>, Decl<'a>)> {
    match &declaration.kind {
        DeclarationKind::Process(decl) => vec![(decl.name, Decl::Process(decl))],
        DeclarationKind::Function(decl) => vec![(decl.name, Decl::Function(decl))],
        DeclarationKind::Object(decl) => vec![(decl.name, Decl::Object(decl))],
        DeclarationKind::Record(decl) => vec![(decl.name, Decl::Record(decl))],
        DeclarationKind::Shared(decl) => vec![(decl.name, Decl::Shared(decl))],
        DeclarationKind::Variant(decl) => {
            let cases = decl.cases.iter().enumerate();
            let cases = cases.map(|(number, case)| (case.name, Decl::Case(decl, number)));
            std::iter::once((decl.name, Decl::Variant(decl))).chain(cases).collect()
        }
        _ => Vec::new(),
    }
}

/// Collects the names that are assigned to.
fn assignments<'a>(declaration: &'a Declaration<'a>, found: &mut HashSet<&'a str>) {
    match &declaration.kind {
        DeclarationKind::Process(decl) | DeclarationKind::Function(decl) => {
            in_block(&decl.body, found);
        }
        DeclarationKind::Object(decl) => {
            for member in &decl.members {
                match &member.kind {
                    MemberKind::Step(decl) | MemberKind::Function(decl) => {
                        in_block(&decl.body, found);
                    }
                    MemberKind::Meet { body, .. } => in_block(body, found),
                    MemberKind::Field { .. } => {}
                }
            }
        }
        _ => {}
    }
}

fn in_block<'a>(block: &'a Block<'a>, found: &mut HashSet<&'a str>) {
    for statement in &block.statements {
        in_statement(&statement.kind, found);
        statement.blocks().into_iter().for_each(|block| in_block(block, found));
    }
}

fn in_statement<'a>(kind: &'a StatementKind<'a>, found: &mut HashSet<&'a str>) {
    match kind {
        StatementKind::Assign { target, value, .. } => {
            roots(target, found);
            changed(value, found);
        }
        StatementKind::Let { value, .. } | StatementKind::Do(value) => changed(value, found),
        StatementKind::Return(values) => values.iter().for_each(|value| changed(value, found)),
        StatementKind::DeferOne(inner) | StatementKind::Idle(inner) => {
            in_statement(&inner.kind, found);
        }
        StatementKind::Select(select) => {
            for arm in &select.arms {
                if let SelectOperation::Call { result: ArmResult::Assign(target), .. }
                | SelectOperation::JoinAny { result: ArmResult::Assign(target), .. } =
                    &arm.operation
                {
                    roots(target, found);
                }
            }
        }
        _ => {}
    }
}

/// What a call of a method changes.
fn changed<'a>(expr: &'a Expr<'a>, found: &mut HashSet<&'a str>) {
    if let ExprKind::Call(callee, _) = &expr.bare().kind
        && let ExprKind::Member(collection, method) = &callee.kind
        && CHANGES.contains(&method.text)
    {
        roots(collection, found);
    }
}

/// The variables and fields that an assignment to a target may be to.
fn roots<'a>(target: &'a Expr<'a>, found: &mut HashSet<&'a str>) {
    match &target.bare().kind {
        ExprKind::Name(name) => _ = found.insert(name),
        ExprKind::Member(inner, name) => {
            found.insert(name.text);
            roots(inner, found);
        }
        ExprKind::Index(inner, _) | ExprKind::Value(inner) => roots(inner, found),
        _ => {}
    }
}
