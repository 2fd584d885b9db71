//! Sets and maps in which each possible key has its place.

use net::{BinaryOp, Expr as NetExpr, Literal};

use super::either_row;
use crate::evaluate::{Fault, Parts, found, unless, unless_wrong};
use crate::formula::{FALSE, TRUE, and, any, compute, either, equal, not};
use crate::layout::Layout;
use crate::path::{Path, Row};
use program::{CollectionOp, Type};

/// The row of a set or map with room for each key, with another entry where the key is the one that is meant.
fn with_entry(
    row: Row,
    keys: &[Literal],
    is_key: impl Fn(&Literal) -> NetExpr,
    entry: &[NetExpr],
) -> Row {
    let entries = row.chunks(entry.len()).zip(keys);
    entries.flat_map(|(before, key)| either_row(&is_key(key), entry, before)).collect()
}

impl Layout<'_> {
    /// How many keys are there.
    fn keyed_length(&self, row: &[NetExpr], width: usize) -> NetExpr {
        row.iter().step_by(1 + width).fold(NetExpr::int(0), |sum, flag| {
            compute(BinaryOp::Add, sum, either(flag, NetExpr::int(1), NetExpr::int(0)))
        })
    }

    pub(super) fn on_keyed(
        &self,
        op: CollectionOp,
        (collection, keys, width, room): (&Type, &[Literal], usize, usize),
        row: Row,
        of: &Type,
        mut rows: Vec<Row>,
        path: Path,
    ) -> Parts<Row> {
        if op == CollectionOp::Len {
            return found(path, vec![self.keyed_length(&row, width)]);
        }
        let wanted = rows.remove(0).remove(0);
        let at = |number: usize| number * (1 + width);
        let is_key = |key: &Literal| equal(wanted.clone(), NetExpr::Literal(*key));
        let has = any(keys.iter().enumerate().map(|(i, key)| and(is_key(key), row[at(i)].clone())));
        match op {
            CollectionOp::Has => found(path, vec![has]),
            CollectionOp::At => {
                let mut value = row[at(keys.len() - 1) + 1..].to_vec();
                for (i, key) in keys.iter().enumerate().rev().skip(1) {
                    value = either_row(&is_key(key), &row[at(i) + 1..][..width], &value);
                }
                unless(
                    not(has),
                    || "there is nothing with this key".into(),
                    path,
                    |path| found(path, self.present(value, of)),
                )
            }
            CollectionOp::With => {
                let is_full = equal(self.keyed_length(&row, width), NetExpr::int(room as i64));
                let no_room = match room < keys.len() {
                    true => and(is_full, not(has)),
                    false => FALSE,
                };
                let fault = || Fault::full("there is no room for more", collection);
                unless_wrong(no_room, fault, path, |path| {
                    let value = rows.pop().unwrap_or_default();
                    let new: Row = std::iter::once(TRUE).chain(value).collect();
                    found(path, with_entry(row, keys, is_key, &new))
                })
            }
            CollectionOp::Without => {
                let values = collection.elements().into_iter().skip(1);
                let values = values.flat_map(|value| self.absent(value));
                let absent: Row = std::iter::once(FALSE).chain(values).collect();
                found(path, with_entry(row, keys, is_key, &absent))
            }
            _ => unreachable!("sets and maps have no order"),
        }
    }
}
