//! Groups of columns: records in any order.
//!
//! What is in a group is in no order, so its columns have no names that would tell one record from another, and none
//! of them owns the token.

use std::collections::HashSet;

use net::{
    Action, BinaryOp, Expr as Value, Formula, Group, PlaceId, Quantifier, Sort, Subject,
    Transition, TransitionId, Var,
};

use super::Resolver;
use super::places::{ColumnInfo, PlaceInfo};
use super::transition::PARTS;
use crate::orders::{self, MOST, TooMany};
use crate::syntax::{ColumnDecl, GroupDecl, Name, SortKind, TransitionDecl};
use diagnostics::{Diagnostic, Span};

/// The columns of a place, or of a record of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns<'a> {
    pub(crate) all: Vec<ColumnInfo<'a>>,
    /// Which of them are groups, without the thread of a flow place.
    pub(crate) groups: Vec<Group>,
    /// Whether it is known which columns there are: not after a mistake in how many records a group has.
    pub(crate) is_known: bool,
}

impl<'a> Resolver<'a, '_> {
    /// Adds the columns of a group, those of one record after the other.
    pub(super) fn add_group(
        &mut self,
        column: &ColumnDecl<'a>,
        group: &GroupDecl<'a>,
        place: Name<'a>,
        columns: &mut Columns<'a>,
    ) {
        self.check_group_column(column, true);
        let mut record = Columns { is_known: columns.is_known, ..Columns::default() };
        for part in &group.columns {
            if let SortKind::Group(within) = &part.sort.kind {
                self.add_group(part, within, place, &mut record);
            } else if self.has_room(1, part, place, &mut record) {
                self.check_group_column(part, false);
                let info = ColumnInfo { name: None, owner: None, ..self.column(part) };
                record.all.push(info);
            }
        }
        if group.columns.is_empty() {
            Diagnostic::error("E0906", "the records of the group have no columns")
                .at(column.sort.span, "nothing is in them")
                .help("say what is in each record: `{3 of pid?}`, `{3 of (pid?, 0..=1)}`")
                .report(self.diagnostics);
            record.is_known = false;
        }
        let count = self.constant_int(&group.count, "the number of records");
        if let Some(number) = count.filter(|number| *number < 1) {
            Diagnostic::error("E0906", "a group has at least one record")
                .at(group.count.span, format!("this is {number}"))
                .help("leave the group out where it has no records")
                .report(self.diagnostics);
        }
        columns.is_known &= record.is_known;
        let count = count.and_then(|number| usize::try_from(number).ok()).filter(|n| *n > 0);
        let Some(count) = count else {
            columns.is_known = false;
            return;
        };
        let width = record.all.len();
        if self.has_room(width.saturating_mul(count), column, place, columns) && width > 0 {
            let groups = record.groups;
            columns.groups.push(Group { groups, ..Group::new(columns.all.len(), width, count) });
            columns.all.extend((0..count).flat_map(|_| &record.all));
        }
    }

    /// Reports what cannot be said of a group, or of a column in one.
    fn check_group_column(&mut self, column: &ColumnDecl<'a>, is_group: bool) {
        let error = |message: &str| Diagnostic::error("E0906", message.to_owned());
        if let Some(name) = column.name {
            let report = error("what is in a group has no name")
                .at(name.span, "no record can be told from the others")
                .help("leave the name out; `exists (x, _) in PLACE: …` asks for a record in any order");
            self.diagnostics.push(report);
        }
        if let Some(span) = column.owner {
            let report = error("an owner cannot be in a group")
                .at(span, "a token has one owner, and records are in any order")
                .help("write the owner as a column of its own, before the group");
            self.diagnostics.push(report);
        }
        if column.optional && is_group {
            let report = error("a group is always there")
                .at(column.sort.span, "`?` stands behind this")
                .help("what is in a record may be nothing: `{3 of pid?}`");
            self.diagnostics.push(report);
        }
    }

    /// Adds what a transition stands for: one for each order of what is in groups.
    /// None of the others has the name of a transition that is `declared`.
    pub(super) fn add_copies(
        &mut self,
        decl: &TransitionDecl<'a>,
        transition: Transition,
        declared: &HashSet<&'a str>,
    ) {
        self.check_members(decl, &transition);
        let found = orders::copies(&self.net, &transition);
        let name = decl.name;
        let mut list = match found {
            Ok(list) => list,
            Err(TooMany(place)) => {
                self.report_orders(name, place);
                vec![transition]
            }
        };
        let inhibiting: usize = list[0].inhibitors.iter().map(|one| one.arcs.len()).sum();
        if inhibiting > PARTS {
            let message =
                format!("the transition has {inhibiting} `unless` in all orders of records");
            Diagnostic::error("E0907", message)
                .at(name.span, format!("at most {PARTS} are allowed"))
                .help("write `_` for what makes no difference, or use smaller groups")
                .report(self.diagnostics);
        }
        let first = self.net.transitions.len() as u32;
        if list.len() > 1 {
            let transitions = (first..first + list.len() as u32).map(TransitionId).collect();
            self.net.actions.push(Action { name: name.text.to_owned(), transitions });
            let names = (2..).map(|number| format!("{} #{number}", name.text));
            let names = names.filter(|name| !declared.contains(name.as_str()));
            list[1..].iter_mut().zip(names).for_each(|(copy, name)| copy.name = name);
        }
        self.net.transitions.append(&mut list);
    }

    /// Reports what cannot be looked for in any order.
    fn check_members(&mut self, decl: &TransitionDecl<'a>, transition: &Transition) {
        let arcs = transition.takes.iter().chain(&transition.reads);
        let through: Vec<PlaceId> = arcs
            .filter(|arc| orders::goes_through_members(&self.net, arc))
            .map(|arc| arc.place)
            .collect();
        for place in through {
            self.report_order(
                decl.name,
                place,
                "`all` cannot be in any order",
                "take or read the tokens one by one",
            );
        }
        let several = transition.inhibitors.iter().filter_map(|inhibitor| {
            let arc = inhibitor.alone().filter(|arc| arc.count > 1)?;
            let alone = Transition { inhibitors: vec![inhibitor.clone()], ..transition.clone() };
            let orders = orders::copies(&self.net, &alone).map(|copies| copies[0].inhibitors.len());
            (orders.ok() != Some(1)).then_some(arc.place)
        });
        let several: Vec<PlaceId> = several.collect();
        for place in several {
            let help = "write each of them, with variables of its own: `unless a(x, _), a(y, _)`";
            self.report_order(decl.name, place, "tokens in any order are not counted", help);
        }
    }

    fn report_order(&mut self, name: Name<'a>, place: PlaceId, message: &str, help: &str) {
        let PlaceInfo { name: place, span, .. } = self.places[place.index()];
        Diagnostic::error("E0908", message.to_owned())
            .at(name.span, "in this")
            .also(
                span,
                format!("the tokens of `{place}` have groups, whose records are in any order"),
            )
            .help(help)
            .report(self.diagnostics);
    }

    /// Reports that there are too many orders to go through.
    pub(super) fn report_orders(&mut self, name: Name<'a>, place: PlaceId) {
        let span = self.places[place.index()].span;
        Diagnostic::error("E0907", format!("`{}` has more than {MOST} orders of records", name.text))
            .at(name.span, "it does something else in each of them")
            .also(span, "these groups are too large for that")
            .help("treat records alike, or write `_`, where it makes no difference which is which; or use smaller groups")
            .report(self.diagnostics);
    }

    /// How many tokens match a pattern, which must be the same in every order.
    pub(super) fn check_count(&mut self, place: Name<'a>, id: PlaceId, pattern: &[Option<Value>]) {
        if orders::orders(&self.net, id, pattern).is_ok_and(|orders| orders.len() == 1) {
            return;
        }
        let help = "write `_` in the group; `exists (x, _) in PLACE: x == …` asks whether some record is as said";
        self.report_order(place, id, "what is counted depends on the order of records", help);
    }

    /// A statement about all tokens in all orders, or about some token in some order.
    pub(super) fn in_any_order(
        &mut self,
        quantifier: Quantifier,
        place: Name<'a>,
        (id, vars): (PlaceId, Vec<Option<Var>>),
        body: Formula,
    ) -> Formula {
        let orders = match orders::orders(&self.net, id, &vars) {
            Ok(orders) => orders,
            Err(TooMany(id)) => {
                self.report_orders(place, id);
                vec![vars]
            }
        };
        let op = match quantifier {
            Quantifier::Forall => BinaryOp::And,
            Quantifier::Exists => BinaryOp::Or,
        };
        let statements = orders.into_iter().map(|vars| {
            let (subject, body) = (Subject::In(id, vars), Box::new(body.clone()));
            Formula::Quantified { quantifier, thread: None, subject, body }
        });
        let join = |a, b| Formula::Binary(op, Box::new(a), Box::new(b));
        statements.reduce(join).expect("there is one order at least")
    }

    /// Reports a group where one value is meant.
    pub(super) fn report_no_column(&mut self, span: Span) -> Option<Sort> {
        Diagnostic::error("E0906", "a group is no sort")
            .at(span, "one value is needed here")
            .help("groups are columns of places: `place pool({3 of pid?})`")
            .report(self.diagnostics);
        None
    }
}
