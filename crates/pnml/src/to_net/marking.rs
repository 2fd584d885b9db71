//! The initial marking.

use net::{EnumId, Expr, InitialToken, InitialValue, PlaceId, Var};

use super::arcs::{condition, through, within_limits};
use super::classes::{Classes, Columns, Domain};
use super::draft::Draft;
use super::enumerations::Names;
use super::logic::size;
use super::sum::{Block, Slot, column_of};
use diagnostics::{Diagnostic, Diagnostics};

/// No more operations are spent on finding out which choices of members there are.
const MOST_WORK: u64 = 1 << 24;

/// The initial tokens. What is beyond a limit is reported.
pub(super) fn tokens(
    draft: &Draft<'_>,
    classes: &Classes<'_, '_>,
    names: &Names,
    sink: &mut Diagnostics,
) -> Vec<InitialToken> {
    let mut list = Vec::new();
    let mut work = 0_u64;
    for (number, place) in (0..).zip(&draft.places) {
        let Some((sum, span)) = &place.marking else { continue };
        let mut total = 0_u64;
        for (block, all) in within_limits(sum, classes, *span, sink) {
            let token = token(PlaceId(number), block, &sum.columns, names);
            let each = token.condition.as_ref().map_or(0, size) as u64;
            work = work.saturating_add(each.saturating_mul(all));
            if work > MOST_WORK {
                sink.report(|| {
                    Diagnostic::error("P0502", "the initial tokens take too long to be counted")
                        .at(*span, format!("this goes through {all} choices of members"))
                        .help("use smaller classes, or subtract less")
                });
                return list;
            }
            let choices = choices(&token, all, names);
            total = total.saturating_add(choices.saturating_mul(block.count));
            if choices > 0 {
                list.push(token);
            }
        }
        if total > u64::from(u32::MAX) {
            sink.report(|| {
                Diagnostic::error("P0503", "the place holds 2³² tokens or more")
                    .at(*span, "")
                    .help("fewer are enough to show what a net does")
            });
        }
    }
    list
}

/// How many of all choices of members meet the condition.
fn choices(token: &InitialToken, all: u64, names: &Names) -> u64 {
    let Some(condition) = &token.condition else { return all };
    let size = |id: &EnumId| names.enumerations[id.index()].members.len() as u64;
    let sizes: Vec<u64> = token.each.iter().map(size).collect();
    let mut members = vec![0_u32; sizes.len()];
    let mut found = 0;
    for choice in 0..all {
        let mut rest = choice;
        for (member, size) in members.iter_mut().zip(&sizes).rev() {
            *member = (rest % size) as u32;
            rest /= size;
        }
        let of = |var: Var| members[var.index()];
        found += u64::from(condition.value(&names.enumerations, &of) == Ok(1));
    }
    found
}

fn token(place: PlaceId, block: &Block, columns: &Columns, names: &Names) -> InitialToken {
    let order: Vec<usize> = through(block).collect();
    let number = |column: usize| order.iter().position(|other| *other == column).unwrap_or(0);
    let component = |(column, slot): (usize, &Slot)| match slot {
        Slot::Each => InitialValue::Each(number(column)),
        slot => match names.expr(slot.expr(column), &|var| var) {
            Expr::Literal(literal) => InitialValue::Data(literal),
            other => unreachable!("initial markings have no variables, yet there is {other:?}"),
        },
    };
    let each = order.iter().map(|column| match columns[*column] {
        Domain::Class(id) => names.number(id),
        _ => unreachable!("only classes are gone through"),
    });
    let vars = |var: Var| Var(number(column_of(var).unwrap_or(0)) as u32);
    InitialToken {
        place,
        values: block.slots.iter().enumerate().map(component).collect(),
        count: block.count as u32,
        each: each.collect(),
        condition: condition(block).map(|condition| names.expr(condition, &vars)),
    }
}
