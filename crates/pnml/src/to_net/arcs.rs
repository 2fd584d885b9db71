//! Blocks as they stand on arcs and in the initial marking.
//!
//! Their conditions are in order ([`super::conditions`]), and are joined here; limits are kept.

use std::collections::HashSet;

use net::{BinaryOp, Expr};

use super::classes::{Classes, Columns};
use super::conditions::left_out;
use super::logic::all_of;
use super::sum::{Block, Slot, Sum, column_of};
use diagnostics::{Diagnostic, Diagnostics, Span};

/// No arc and no initial token goes through more choices of members: the limit of `net`.
const MOST_CHOICES: u64 = 1 << 20;
/// More conditions are grouped, so that the expression does not become too deep.
const MOST_IN_A_ROW: usize = 64;

/// The blocks of a sum, with how many choices of members each goes through, conditions aside. What is
/// beyond a limit is reported.
pub(super) fn within_limits<'s>(
    sum: &'s Sum,
    classes: &Classes<'_, '_>,
    span: Span,
    sink: &mut Diagnostics,
) -> Vec<(&'s Block, u64)> {
    let mut list = Vec::with_capacity(sum.blocks.len());
    for block in &sum.blocks {
        match choices(block, &sum.columns, classes, span) {
            Ok(choices) => list.push((block, choices)),
            Err(error) => sink.report(|| *error),
        }
    }
    list
}

fn choices(
    block: &Block,
    columns: &Columns,
    classes: &Classes<'_, '_>,
    span: Span,
) -> Result<u64, Box<Diagnostic>> {
    let wrong = |code, message: &str, label: String, help: &str| {
        Err(Box::new(Diagnostic::error(code, message).at(span, label).help(help)))
    };
    if u32::try_from(block.count).is_err() {
        let help = "fewer are enough to show what a net does";
        return wrong("P0503", "one token is there 2³² times or more", String::new(), help);
    }
    if !block.conditions.is_empty() && !block.is_wide() {
        let help = "say the condition of the transition instead";
        return wrong("P0504", "these tokens are there under a condition", String::new(), help);
    }
    let choices = block.choices(columns, classes).unwrap_or(u64::MAX);
    if choices > MOST_CHOICES {
        let message = "this goes through too many choices of members";
        let help = "use fewer `<all>`, or smaller classes";
        return wrong("P0502", message, format!("at most {MOST_CHOICES}"), help);
    }
    Ok(choices)
}

/// The conditions of a block as one.
pub(super) fn condition(block: &Block) -> Option<Expr> {
    let conditions = block.conditions.iter().cloned();
    match block.conditions.len() > MOST_IN_A_ROW {
        true => Some(all_of(conditions)),
        false => conditions.reduce(|a, b| Expr::binary(BinaryOp::And, a, b)),
    }
}

/// The columns whose variables need a name, since a condition speaks of them otherwise than to leave
/// something out of them.
pub(super) fn named(block: &Block) -> HashSet<usize> {
    let conditions = &block.conditions;
    let rest = conditions.iter().filter(|condition| left_out(condition).is_none()).count();
    let all = conditions.len() > MOST_IN_A_ROW || rest > 1;
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

/// The columns that go through members, in their order.
pub(super) fn through(block: &Block) -> impl Iterator<Item = usize> {
    let columns = block.slots.iter().enumerate().filter(|(_, slot)| **slot == Slot::Each);
    columns.map(|(column, _)| column)
}
