//! Blocks as they stand on arcs and in the initial marking.
//!
//! Their conditions are in order ([`super::conditions`]), and are joined here.

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
    classes: &Classes<'_, '_>,
    span: Span,
    sink: &mut Diagnostics,
) -> Vec<Finished> {
    let mut list = Vec::with_capacity(sum.blocks.len());
    for block in &sum.blocks {
        match block_finished(block, &sum.columns, classes, span) {
            Ok(finished) => list.push(finished),
            Err(error) => sink.report(|| *error),
        }
    }
    list
}

/// The block, or what is wrong with it.
fn block_finished(
    block: &Block,
    columns: &Columns,
    classes: &Classes<'_, '_>,
    span: Span,
) -> Result<Finished, Box<Diagnostic>> {
    let wrong = |code, message: &str, label: String, help: &str| {
        Box::new(Diagnostic::error(code, message).at(span, label).help(help))
    };
    let Ok(count) = u32::try_from(block.count) else {
        let help = "fewer are enough to show what a net does";
        return Err(wrong("P0503", "one token is there 2³² times or more", String::new(), help));
    };
    if !block.conditions.is_empty() && !block.is_wide() {
        let help = "say the condition of the transition instead";
        return Err(wrong(
            "P0504",
            "these tokens are there under a condition",
            String::new(),
            help,
        ));
    }
    let choices = block.choices(columns, classes).unwrap_or(u64::MAX);
    if choices > MOST_CHOICES {
        let message = "this goes through too many choices of members";
        let help = "use fewer `<all>`, or smaller classes";
        return Err(wrong("P0502", message, format!("at most {MOST_CHOICES}"), help));
    }
    let conditions = block.conditions.clone();
    let many = conditions.len() > MOST_IN_A_ROW;
    let named = named(&conditions, many);
    let condition = match many {
        true => Some(all_of(conditions)),
        false => conditions.into_iter().reduce(|a, b| Expr::binary(BinaryOp::And, a, b)),
    };
    Ok(Finished { count, slots: block.slots.clone(), condition, named, choices })
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

/// The columns that go through members, in their order.
pub(super) fn through(slots: &[Slot]) -> impl Iterator<Item = usize> {
    let columns = slots.iter().enumerate().filter(|(_, slot)| **slot == Slot::Each);
    columns.map(|(column, _)| column)
}
