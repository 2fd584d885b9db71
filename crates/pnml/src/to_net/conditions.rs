//! The conditions of blocks in one form, whatever they were made of.
//!
//! They are put in the order in which people write them: for each column what is left out of it, then the
//! rest. What a condition demands of one column alone is a list of members left out. That the members of
//! two columns differ is often written as a list of all cases in which they do not; here it is one
//! condition. A token that is there under a condition goes through the members of a column, of which the
//! condition leaves one.

use std::collections::{HashMap, HashSet};

use net::{BinaryOp, Expr, Literal, UnaryOp, Var};

use super::classes::{Classes, Columns, Domain};
use super::logic::member;
use super::sum::{Block, column_of, widened};
use crate::closed::{left_out as left_out_by, only_variable};

/// A block with its conditions in order; nothing if they leave out all members of a column. It goes through
/// members if it has conditions, unless it has no column with a class.
pub(super) fn in_order(
    mut block: Block,
    columns: &Columns,
    classes: &Classes<'_, '_>,
) -> Option<Block> {
    if block.conditions.is_empty() {
        return Some(block);
    }
    let is_class = |domain: &Domain| matches!(domain, Domain::Class(_));
    if !block.is_wide()
        && let Some(column) = columns.iter().position(is_class)
    {
        block = widened(block, column);
    }
    let conditions = with_members(block.conditions, columns, classes)?;
    let conditions = with_pairs(conditions, columns, classes);
    let mut conditions: Vec<Expr> = conditions.into_iter().map(turned).collect();
    // Stable, so that what is left out of one column stays in its order: first what is known without
    // choices, then what is chosen in other columns.
    conditions.sort_by_key(|condition| match left_out(condition) {
        Some((column, Expr::Var(other))) => (column, column_of(*other)),
        Some((column, _)) => (column, None),
        None => (usize::MAX, None),
    });
    block.conditions = conditions;
    Some(block)
}

/// `x != e`, where `x` goes through the members in a column: the column, and `e`.
pub(super) fn left_out(condition: &Expr) -> Option<(usize, &Expr)> {
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

/// What a condition on one column alone leaves out, member by member; nothing if that is all of them.
fn with_members(
    conditions: Vec<Expr>,
    columns: &Columns,
    classes: &Classes<'_, '_>,
) -> Option<Vec<Expr>> {
    let mut list = Vec::with_capacity(conditions.len());
    let mut said: HashMap<Var, HashSet<u32>> = HashMap::new();
    for condition in conditions {
        let of_class = |var: Var| match columns[column_of(var)?] {
            Domain::Class(id) => Some((var, id)),
            _ => None,
        };
        let excluded = only_variable(&condition).and_then(of_class).and_then(|(var, id)| {
            let members = match left_out(&condition) {
                Some((_, Expr::Literal(Literal::Enum(_, index)))) => vec![*index],
                _ => left_out_by(&condition, classes.size(id), classes)?,
            };
            Some((var, id, members))
        });
        let Some((var, id, members)) = excluded else {
            list.push(condition);
            continue;
        };
        let said = said.entry(var).or_default();
        for index in members {
            if said.insert(index) {
                let other = member(id, index);
                list.push(Expr::binary(BinaryOp::NotEqual, Expr::Var(var), other));
            }
        }
        if said.len() as u64 == classes.size(id) {
            return None;
        }
    }
    Some(list)
}

/// `not (x == m and y == m)` for every member `m` is `x != y`.
fn with_pairs(conditions: Vec<Expr>, columns: &Columns, classes: &Classes<'_, '_>) -> Vec<Expr> {
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
