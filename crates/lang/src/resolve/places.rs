//! Sorts and places.

use std::rc::Rc;

use net::{Column, Kind, Literal, Origin, Place, PlaceId, PlaceKind, Sort};

use super::Resolver;
use super::groups::Columns;
use super::names::{Meaning, Unknown};
use crate::parser::LARGEST;
use crate::syntax::{ColumnDecl, DeclarationKind, Name, PlaceDecl, SortKind, SortSyntax};
use diagnostics::{Diagnostic, Span};

/// No place has more columns than this, and no model more places.
const COLUMNS: usize = 64;
const PLACES: usize = 100_000;

/// A column as declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnInfo<'a> {
    pub(crate) name: Option<&'a str>,
    /// `None` after a mistake.
    pub(crate) sort: Option<Sort>,
    /// Whether it may be nothing.
    pub(crate) optional: bool,
    /// Where it is said to own the tokens.
    pub(crate) owner: Option<Span>,
    pub(crate) span: Span,
}

impl ColumnInfo<'_> {
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.sort.map(Kind::from)
    }
}

/// A place as declared.
#[derive(Debug)]
pub(crate) struct PlaceInfo<'a> {
    pub(crate) name: &'a str,
    pub(crate) span: Span,
    pub(crate) kind: PlaceKind,
    /// Without the thread of a flow place.
    pub(crate) columns: Vec<ColumnInfo<'a>>,
    /// Whether it is known which columns there are: not after a mistake in a group.
    pub(crate) is_known: bool,
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn places(&mut self) {
        let model = self.model;
        for declaration in &model.declarations {
            let DeclarationKind::Place { kind, idle, forgotten, places, .. } = &declaration.kind
            else {
                continue;
            };
            // Places of one type share what was written, and its mistakes.
            let mut shared: Option<(&Rc<[ColumnDecl<'a>]>, Columns<'a>)> = None;
            for place in places {
                let columns = match &shared {
                    Some((written, columns)) if Rc::ptr_eq(written, &place.columns) => {
                        columns.clone()
                    }
                    _ => self.columns(place),
                };
                if let Some(id) = self.place(place.name, *kind, columns.all.clone()) {
                    let threads = usize::from(*kind == PlaceKind::Flow);
                    let declared = &mut self.net.places[id.index()];
                    (declared.idle, declared.forgotten) = (*idle, *forgotten);
                    declared.groups = columns.groups.clone();
                    declared.groups.iter_mut().for_each(|group| group.first += threads);
                    self.places[id.index()].is_known = columns.is_known;
                }
                shared = Some((&place.columns, columns));
            }
        }
    }

    fn columns(&mut self, place: &PlaceDecl<'a>) -> Columns<'a> {
        let mut columns = Columns { is_known: true, ..Columns::default() };
        for column in place.columns.iter() {
            if let SortKind::Group(group) = &column.sort.kind {
                self.add_group(column, group, place.name, &mut columns);
                continue;
            }
            if !self.has_room(1, column, place.name, &mut columns) {
                break;
            }
            if let Some(name) = column.name
                && let Some(first) = columns.all.iter().find(|other| other.name == Some(name.text))
            {
                let first = first.span;
                self.report_duplicate("the column", name, first);
            }
            let info = self.column(column);
            columns.all.push(info);
        }
        columns
    }

    pub(super) fn column(&mut self, column: &ColumnDecl<'a>) -> ColumnInfo<'a> {
        ColumnInfo {
            name: column.name.map(|name| name.text),
            sort: self.sort(&column.sort),
            optional: column.optional,
            owner: column.owner,
            span: column.name.map_or(column.sort.span, |name| name.span),
        }
    }

    /// Whether a place may have this many columns more, of which the first is this; reported if it may not.
    pub(super) fn has_room(
        &mut self,
        more: usize,
        column: &ColumnDecl<'a>,
        place: Name<'a>,
        columns: &mut Columns<'a>,
    ) -> bool {
        if columns.all.len().saturating_add(more) <= COLUMNS {
            return true;
        }
        if columns.is_known {
            columns.is_known = false;
            Diagnostic::error("E0410", format!("the place has more than {COLUMNS} columns"))
                .at(column.sort.span, if more == 1 { "one too many" } else { "too many" })
                .also(place.span, "in this place")
                .help("split it into several places")
                .report(self.diagnostics);
        }
        false
    }

    pub(super) fn place(
        &mut self,
        name: Name<'a>,
        kind: PlaceKind,
        columns: Vec<ColumnInfo<'a>>,
    ) -> Option<PlaceId> {
        if let Some(id) = self.place_names.get(name.text) {
            let first = self.places[id.index()].span;
            self.report_duplicate("the place", name, first);
            return None;
        }
        if self.places.len() >= PLACES {
            if !self.overfull {
                self.overfull = true;
                Diagnostic::error("E0410", format!("the model has more than {PLACES} places"))
                    .at(name.span, "one too many")
                    .help("tell alike things apart by a column, not by the place they are in")
                    .report(self.diagnostics);
            }
            return None;
        }
        let id = PlaceId(u32::try_from(self.places.len()).expect("fewer than bytes"));
        self.place_names.insert(name.text, id);
        let thread = Column { name: None, sort: Sort::Pid, optional: false };
        let thread = (kind == PlaceKind::Flow).then_some(thread);
        let written = columns.iter().map(|column| Column {
            name: column.name.map(str::to_owned),
            sort: column.sort.unwrap_or(Sort::Bool),
            optional: column.optional,
        });
        let hold = self.hold(kind, &columns);
        self.net.places.push(Place {
            name: name.text.into(),
            kind,
            columns: thread.into_iter().chain(written).collect(),
            hold,
            groups: Vec::new(),
            idle: false,
            forgotten: false,
            origin: Origin::new(name.span.range()),
        });
        let (name, span) = (name.text, name.span);
        self.places.push(PlaceInfo { name, span, kind, columns, is_known: true });
        Some(id)
    }

    /// The sort that is written; `None` after a mistake.
    pub fn sort(&mut self, sort: &SortSyntax<'a>) -> Option<Sort> {
        match &sort.kind {
            SortKind::Pid => Some(Sort::Pid),
            SortKind::Bool => Some(Sort::Bool),
            SortKind::Named(text) => match self.meaning(text) {
                Some((Meaning::Enumeration(id), _)) => Some(Sort::Enum(id)),
                Some((Meaning::Fresh(id), _)) => Some(Sort::Object(id)),
                Some((Meaning::Part(id, _), span)) => {
                    let class = &self.net.enumerations[id.index()].name;
                    Diagnostic::error("E0206", format!("`{text}` is no sort"))
                        .at(sort.span, "this is a part of a class")
                        .also(span, "declared here")
                        .help(format!("write `{class}`, and `x in {text}` where it matters"))
                        .report(self.diagnostics);
                    None
                }
                Some((meaning @ (Meaning::Constant(_) | Meaning::Later), span)) => {
                    Diagnostic::error("E0206", format!("`{text}` is no sort"))
                        .at(sort.span, format!("this is {}", self.word(meaning)))
                        .also(span, "declared here")
                        .help(format!(
                            "write a range, such as `0..={text}`; a product in a bound needs \
                             parentheses: `0..=(2 * {text})`"
                        ))
                        .report(self.diagnostics);
                    None
                }
                _ => {
                    self.report_unknown(Unknown::Sort, Name { text, span: sort.span });
                    None
                }
            },
            SortKind::Range { low, high, inclusive } => {
                let min = self.constant_int(low, "the bound of a range");
                let max = self.constant_int(high, "the bound of a range");
                let (min, max) = (min?, max?);
                let max = if *inclusive { Some(max) } else { max.checked_sub(1) };
                self.range(sort.span, min, max)
            }
            SortKind::Group(_) => self.report_no_column(sort.span),
        }
    }

    fn range(&mut self, span: Span, min: i64, max: Option<i64>) -> Option<Sort> {
        let Some(max) = max.filter(|&max| min <= max) else {
            Diagnostic::error("E0401", "the range is empty")
                .at(span, format!("it starts at {min} and ends before that"))
                .help("the least value comes first; `..=` includes the last one, `..` does not")
                .report(self.diagnostics);
            return None;
        };
        let values = i128::from(max) - i128::from(min) + 1;
        if values > i128::from(u32::MAX) {
            Diagnostic::error("E0402", "the range is too wide")
                .at(span, format!("it has {values} values"))
                .help("a range has at most 2^32 - 1 values; mostly far fewer are meant")
                .report(self.diagnostics);
            return None;
        }
        if min < -LARGEST || max > LARGEST {
            Diagnostic::error("E0402", "the range goes too far")
                .at(span, format!("from {min} to {max}"))
                .help("values lie between -2^53 and 2^53")
                .report(self.diagnostics);
            return None;
        }
        Some(Sort::Int { min, max })
    }

    /// Whether a datum written in the model lies in a sort of its type.
    pub(super) fn lies_in(literal: Literal, sort: Sort) -> bool {
        match (literal, sort) {
            (Literal::Int(number), Sort::Int { min, max }) => (min..=max).contains(&number),
            _ => true,
        }
    }
}
