//! What stands in the parentheses after a place: patterns and values.

use net::{Expr as Value, Kind, PlaceId, PlaceKind};

use super::Resolver;
use super::mismatch::mismatch;
use super::places::ColumnInfo;
use super::scope::{Role, Scope, Usage};
use super::value::{Typed, WRONG};
use crate::syntax::{Atom, Expr, ExprKind, Name};
use diagnostics::Diagnostic;

impl<'a> Resolver<'a, '_> {
    /// The place of an atom, if it is of this kind; `instead` says what to write for the other.
    pub(super) fn place_of_kind(
        &mut self,
        atom: &Atom<'a>,
        kind: PlaceKind,
        instead: impl FnOnce(&str) -> String,
    ) -> Option<PlaceId> {
        let id = self.place_named(atom.place)?;
        let place = &self.places[id.index()];
        if place.kind == kind {
            return Some(id);
        }
        let (name, span) = (place.name, place.span);
        let help = instead(name);
        self.diagnostics.push(match kind {
            PlaceKind::Ordinary => {
                Diagnostic::error("E0501", format!("`{name}` is a flow place: threads are there"))
                    .at(atom.place.span, "tokens are expected here, not threads")
                    .also(span, "declared with `flow`")
                    .help(help)
            }
            PlaceKind::Flow => Diagnostic::error(
                "E0502",
                format!("`{name}` is no flow place: no threads are there"),
            )
            .at(atom.place.span, "a thread is expected here")
            .also(span, "declared with `place`")
            .help(help),
        });
        None
    }

    /// The columns of a place, if there are as many arguments.
    pub(super) fn columns_of(
        &mut self,
        atom: &Atom<'a>,
        id: PlaceId,
    ) -> Option<Vec<ColumnInfo<'a>>> {
        let place = &self.places[id.index()];
        let (columns, given) = (place.columns.clone(), atom.arguments().len());
        if !place.is_known {
            return None;
        }
        if columns.len() == given {
            return Some(columns);
        }
        let (name, span) = (place.name, place.span);
        let wanted = match columns.len() {
            0 => "no columns".to_owned(),
            1 => "1 column".to_owned(),
            n => format!("{n} columns"),
        };
        let given = match given {
            0 => "none is given".to_owned(),
            1 => "1 is given".to_owned(),
            n => format!("{n} are given"),
        };
        let list: Vec<&str> = columns.iter().map(|column| column.name.unwrap_or("_")).collect();
        let shape = match columns.len() {
            0 => name.to_owned(),
            _ => format!("{name}({})", list.join(", ")),
        };
        Diagnostic::error("E0303", format!("`{name}` has {wanted}, {given}"))
            .at(atom.span, format!("expected `{shape}`"))
            .also(span, "declared here")
            .report(self.diagnostics);
        None
    }

    /// What the columns of a token are: in a pattern the expressions they must equal, with `None` for any,
    /// otherwise the values they get.
    pub(super) fn components(
        &mut self,
        atom: &Atom<'a>,
        id: PlaceId,
        usage: Usage,
        scope: &mut Scope<'a>,
    ) -> Option<Vec<Option<Value>>> {
        let columns = self.columns_of(atom, id)?;
        let before = std::mem::replace(&mut scope.usage, usage);
        let mut components = Vec::with_capacity(columns.len() + 1);
        for (argument, column) in atom.arguments().iter().zip(columns) {
            let bound = argument.as_name().and_then(|name| scope.get(name.text));
            let value = match bound {
                _ if usage != Usage::Pattern => self.fitting(argument, column, scope),
                _ if matches!(argument.kind, ExprKind::Wildcard) => {
                    components.push(None);
                    continue;
                }
                // Its type was compared when it was bound.
                Some(entry) if matches!(entry.role, Role::Bound | Role::Parameter) => {
                    Some(Value::Var(entry.var))
                }
                _ => self.fitting(argument, column, scope),
            };
            components.push(Some(value.unwrap_or(WRONG)));
        }
        scope.usage = before;
        Some(components)
    }

    /// The values of a thread that comes to a place.
    pub(super) fn outputs(
        &mut self,
        atom: &Atom<'a>,
        id: PlaceId,
        scope: &mut Scope<'a>,
    ) -> Option<Vec<Value>> {
        let components = self.components(atom, id, Usage::Output, scope)?;
        Some(components.into_iter().flatten().collect())
    }

    /// A value of the type of a column, and in its range as far as that is known.
    pub(super) fn fitting(
        &mut self,
        argument: &Expr<'a>,
        column: ColumnInfo<'a>,
        scope: &mut Scope<'a>,
    ) -> Option<Value> {
        let typed = self.typed(argument, scope);
        let Some(sort) = column.sort else { return typed.value };
        let kind = Kind::from(sort);
        let typed = typed.settled(Some(kind));
        let literal = typed.as_literal();
        let (value, found) = typed.value.zip(typed.kind)?;
        if found != kind {
            self.report_column(argument, column, found, kind);
            return None;
        }
        if !self.fits_column(&value, argument, column, scope) {
            return None;
        }
        if let Some(literal) = literal
            && !Self::lies_in(literal, sort)
        {
            let (shown, range) = (self.net.literal(literal), self.net.sort_name(sort));
            let matched = matches!(scope.usage, Usage::Pattern | Usage::Property);
            let word = if matched { "never matches" } else { "is out of range" };
            Diagnostic::error("E0403", format!("{shown} {word}: the column is {range}"))
                .at(argument.span, format!("this is {shown}"))
                .also(column.span, format!("values are {range} here"))
                .report(self.diagnostics);
            return None;
        }
        Some(value)
    }

    fn report_column(&mut self, at: &Expr<'a>, column: ColumnInfo<'a>, found: Kind, kind: Kind) {
        let (expected, found_name) = (self.kind_name(kind), self.kind_name(found));
        let message = match (found, kind) {
            (Kind::Pid, _) => format!("a pid is used as {expected}"),
            (_, Kind::Pid) => format!("{found_name} is used as a pid"),
            _ => format!("expected {expected}, found {found_name}"),
        };
        Diagnostic::error(mismatch(found, kind), message)
            .at(at.span, format!("this is {found_name}"))
            .also(column.span, format!("the column holds {expected}"))
            .report(self.diagnostics);
    }

    /// A thread that is looked at: the first column of the pattern.
    pub(super) fn thread_pattern(
        &mut self,
        thread: Option<Name<'a>>,
        scope: &mut Scope<'a>,
    ) -> Option<Value> {
        let name = thread?;
        let Some(entry) = scope.get(name.text) else { return Some(WRONG) };
        if entry.role == Role::Child {
            self.report_early_child(name, entry);
        } else if matches!(entry.role, Role::Definition(_)) {
            let typed = Typed { value: Some(Value::Var(entry.var)), kind: entry.kind };
            self.demand(&typed, name.span, Kind::Pid, "the thread");
        }
        Some(Value::Var(entry.var))
    }
}
