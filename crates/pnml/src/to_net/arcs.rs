//! Blocks as they stand on arcs and in the initial marking.
//!
//! Their conditions are put in the order in which people write them: for each column what is left out of
//! it, then the rest. That the members of two columns differ is often written as a list of all cases in
//! which they do not; here it is one condition.

use std::collections::{HashMap, HashSet};

use net::{BinaryOp, Expr, Literal, UnaryOp, Var};

use super::classes::{Classes, Columns, Domain};
use super::logic::all_of;
use super::sum::{Block, Slot, Sum, column_of, each, widened};
use crate::error::{Error, Sink};
use crate::span::Span;

/// No arc and no initial token goes through more choices of members: the limit of `net`.
const MOST_CHOICES: u64 = 1 << 20;
/// More conditions are grouped, so that the expression does not become too deep.
const MOST_IN_A_ROW: usize = 64;

/// A block in its final form.
pub(super) struct Finished {
    pub(super) count: u32,
    pub(super) slots: Vec<Slot>,
    pub(super) condition: Option<Expr>,
    /// The columns whose variables need a name, since a condition speaks of them otherwise than to
    /// leave something out of them.
    pub(super) named: HashSet<usize>,
    /// How many choices of members there are, conditions aside.
    pub(super) choices: u64,
}

/// The blocks of a sum in their final form. What is beyond a limit is reported.
pub(super) fn finished(
    sum: &Sum,
    classes: &Classes<'_>,
    span: Span,
    sink: &mut Sink,
) -> Vec<Finished> {
    let finish = |block: &Block| match block_finished(block, &sum.columns, classes) {
        Ok(finished) => Some(finished),
        Err(error) => {
            sink.report(|| error(span));
            None
        }
    };
    sum.blocks.iter().filter_map(finish).collect()
}

type Complaint = fn(Span) -> Error;

fn block_finished(
    block: &Block,
    columns: &Columns,
    classes: &Classes<'_>,
) -> Result<Finished, Complaint> {
    let count = u32::try_from(block.count).map_err(|_| {
        (|span| {
            Error::new("P0503", "one token is there 2³² times or more", span)
                .help("fewer are enough to show what a net does")
        }) as Complaint
    })?;
    let mut block = block.clone();
    if !block.conditions.is_empty() && !block.is_wide() {
        let is_class = |domain: &Domain| matches!(domain, Domain::Class(_));
        let column = columns.iter().position(is_class).ok_or(
            (|span| {
                Error::new("P0504", "these tokens are there under a condition", span)
                    .help("say the condition of the transition instead")
            }) as Complaint,
        )?;
        block = widened(block, column);
    }
    let mut choices = 1_u64;
    for (slot, domain) in block.slots.iter().zip(columns.iter()) {
        if let (Slot::Each, Domain::Class(id)) = (slot, domain) {
            choices = choices.saturating_mul(classes.size(*id));
        }
    }
    if choices > MOST_CHOICES {
        return Err(|span| {
            Error::new("P0502", "this goes through too many choices of members", span)
                .label(format!("at most {MOST_CHOICES}"))
                .help("use fewer `<all>`, or smaller classes")
        });
    }
    let conditions = with_pairs(block.conditions, columns, classes);
    let mut conditions: Vec<Expr> = conditions.into_iter().map(turned).collect();
    // Stable, so that what is left out of one column stays in its order: first what is known without
    // choices, then what is chosen in other columns.
    conditions.sort_by_key(|condition| match left_out(condition) {
        Some((column, Expr::Var(other))) => (column, column_of(*other)),
        Some((column, _)) => (column, None),
        None => (usize::MAX, None),
    });
    let many = conditions.len() > MOST_IN_A_ROW;
    let named = named(&conditions, many);
    let condition = match many {
        true => Some(all_of(conditions)),
        false => conditions.into_iter().reduce(|a, b| Expr::binary(BinaryOp::And, a, b)),
    };
    Ok(Finished { count, slots: block.slots, condition, named, choices })
}

/// `x != e`, where `x` goes through the members in a column: the column, and `e`.
fn left_out(condition: &Expr) -> Option<(usize, &Expr)> {
    match condition {
        Expr::Binary(BinaryOp::NotEqual, member, other) => match **member {
            Expr::Var(var) => Some((column_of(var)?, other)),
            _ => None,
        },
        _ => None,
    }
}

/// What is left out of a column is written after it; of two columns, after the first.
fn turned(condition: Expr) -> Expr {
    let column = |expr: &Expr| match expr {
        Expr::Var(var) => column_of(*var),
        _ => None,
    };
    match condition {
        Expr::Binary(BinaryOp::NotEqual, a, b)
            if column(&b).is_some_and(|right| column(&a).is_none_or(|left| right < left)) =>
        {
            Expr::Binary(BinaryOp::NotEqual, b, a)
        }
        other => other,
    }
}

fn named(conditions: &[Expr], many: bool) -> HashSet<usize> {
    let rest = conditions.iter().filter(|condition| left_out(condition).is_none()).count();
    let all = many || rest > 1;
    let mut named = HashSet::new();
    let mut mention = |expr: &Expr| expr.variables(&mut |var| named.extend(column_of(var)));
    for condition in conditions {
        match left_out(condition) {
            Some((_, other)) if !all => mention(other),
            _ => mention(condition),
        }
    }
    named
}

/// `not (x == m and y == m)` for every member `m` is `x != y`.
fn with_pairs(conditions: Vec<Expr>, columns: &Columns, classes: &Classes<'_>) -> Vec<Expr> {
    let mut pairs: HashMap<(Var, Var), HashSet<u32>> = HashMap::new();
    for (a, b, member) in conditions.iter().filter_map(excluded_pair) {
        pairs.entry((a, b)).or_default().insert(member);
    }
    let is_whole = |(a, _): &(Var, Var), members: &HashSet<u32>| match column_of(*a) {
        Some(column) => match columns[column] {
            Domain::Class(id) => members.len() as u64 == classes.size(id),
            _ => false,
        },
        None => false,
    };
    pairs.retain(|pair, members| members.len() > 1 && is_whole(pair, members));
    let mut said: HashSet<(Var, Var)> = HashSet::new();
    let mut list = Vec::with_capacity(conditions.len());
    for condition in conditions {
        match excluded_pair(&condition).map(|(a, b, _)| (a, b)) {
            Some((a, b)) if pairs.contains_key(&(a, b)) => {
                if said.insert((a, b)) {
                    list.push(Expr::binary(BinaryOp::NotEqual, Expr::Var(a), Expr::Var(b)));
                }
            }
            _ => list.push(condition),
        }
    }
    list
}

/// `not (x == m and y == m)`, where `x` and `y` go through members.
fn excluded_pair(condition: &Expr) -> Option<(Var, Var, u32)> {
    let Expr::Unary(UnaryOp::Not, both) = condition else { return None };
    let Expr::Binary(BinaryOp::And, a, b) = &**both else { return None };
    let is_member = |expr: &Expr| match expr {
        Expr::Binary(BinaryOp::Equal, var, member) => match (&**var, &**member) {
            (Expr::Var(var), Expr::Literal(Literal::Enum(id, member))) => {
                column_of(*var).map(|_| (*var, *id, *member))
            }
            _ => None,
        },
        _ => None,
    };
    let ((x, of, m), (y, other, n)) = (is_member(a)?, is_member(b)?);
    (of == other && m == n && x < y).then_some((x, y, m))
}

/// The columns that go through members, in their order.
pub(super) fn through(slots: &[Slot]) -> impl Iterator<Item = (usize, Var)> {
    let columns = slots.iter().enumerate().filter(|(_, slot)| **slot == Slot::Each);
    columns.map(|(column, _)| (column, each(column)))
}
