//! The initial marking.

use net::{Expr, InitialToken, InitialValue, PlaceId, Var};

use super::arcs::{Finished, finished, through};
use super::classes::{Classes, Columns, Domain};
use super::draft::Draft;
use super::enumerations::Names;
use super::logic::size;
use super::sum::{Slot, column_of};
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
        for block in finished(sum, classes, *span, sink) {
            let each = block.condition.as_ref().map_or(0, size) as u64;
            work = work.saturating_add(each.saturating_mul(block.choices));
            if work > MOST_WORK {
                sink.report(|| {
                    Diagnostic::error("P0502", "the initial tokens take too long to be counted")
                        .at(
                            *span,
                            format!("this goes through {} choices of members", block.choices),
                        )
                        .help("use smaller classes, or subtract less")
                });
                return list;
            }
            let choices = choices(&block, &sum.columns, classes);
            total = total.saturating_add(choices.saturating_mul(u64::from(block.count)));
            if choices > 0 {
                list.push(token(PlaceId(number), &block, &sum.columns, names));
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

/// How many choices of members meet the condition.
fn choices(block: &Finished, columns: &Columns, classes: &Classes<'_, '_>) -> u64 {
    let Some(condition) = &block.condition else { return block.choices };
    let ids: Vec<(usize, net::EnumId)> = through(&block.slots)
        .filter_map(|column| match columns[column] {
            Domain::Class(id) => Some((column, id)),
            _ => None,
        })
        .collect();
    let mut members = vec![0_u32; columns.len()];
    let mut found = 0;
    for choice in 0..block.choices {
        let mut rest = choice;
        for (column, id) in ids.iter().rev() {
            members[*column] = (rest % classes.size(*id)) as u32;
            rest /= classes.size(*id);
        }
        let of = |var: Var| column_of(var).map_or(0, |column| members[column]);
        found += u64::from(condition.value(classes, &of) == Ok(1));
    }
    found
}

fn token(place: PlaceId, block: &Finished, columns: &Columns, names: &Names) -> InitialToken {
    let order: Vec<usize> = through(&block.slots).collect();
    let number = |column: usize| order.iter().position(|other| *other == column).unwrap_or(0);
    let component = |(column, slot): (usize, &Slot)| match slot {
        Slot::Each => InitialValue::Each(number(column)),
        slot => match slot.expr(column) {
            Expr::Literal(literal) => InitialValue::Data(names.literal(literal)),
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
        count: block.count,
        each: each.collect(),
        condition: block.condition.as_ref().map(|condition| names.expr(condition, &vars)),
    }
}
