//! Collections in which elements stand one after the other: sequences, and sets and maps of too many possible keys.

use net::{BinaryOp, Expr as NetExpr};

use super::either_row;
use crate::evaluate::{Fault, Parts, found, unless, unless_wrong};
use crate::formula::{TRUE, and, any, compute, either, equal, not};
use crate::layout::Layout;
use crate::path::{Path, Row};
use program::{CollectionOp, Type};

/// A collection in which elements stand one after the other: a sequence, or a list of keys and values.
pub(super) struct List {
    pub length: NetExpr,
    pub items: Vec<Row>,
}

impl List {
    pub(super) fn of(row: &[NetExpr], width: usize, room: usize) -> List {
        let item = |number: usize| row[1 + number * width..][..width].to_vec();
        // Where there is no room there is nothing.
        let length = if room == 0 { NetExpr::int(0) } else { row[0].clone() };
        List { length, items: (0..room).map(item).collect() }
    }

    pub(super) fn row(self) -> Row {
        std::iter::once(self.length).chain(self.items.into_iter().flatten()).collect()
    }

    /// Whether there is an item at this index.
    pub(super) fn has(&self, index: usize) -> NetExpr {
        compute(BinaryOp::Less, NetExpr::int(index as i64), self.length.clone())
    }

    /// The item at an index.
    pub(super) fn at(&self, index: &NetExpr) -> Row {
        let mut items = self.items.iter().enumerate().rev();
        let mut row = items.next().map(|(_, item)| item.clone()).unwrap_or_default();
        for (number, item) in items {
            let is_here = equal(index.clone(), NetExpr::int(number as i64));
            row = either_row(&is_here, item, &row);
        }
        row
    }

    /// With another item at an index.
    pub(super) fn with(mut self, index: &NetExpr, new: &[NetExpr]) -> List {
        for (number, item) in self.items.iter_mut().enumerate() {
            let is_here = equal(index.clone(), NetExpr::int(number as i64));
            *item = either_row(&is_here, new, item);
        }
        self
    }

    /// Without the item at an index, which is there; those after it move up.
    pub(super) fn without(mut self, index: &NetExpr, absent: &Row) -> List {
        for number in 0..self.items.len() {
            let next = self.items.get(number + 1).unwrap_or(absent).clone();
            let is_before = compute(BinaryOp::Less, NetExpr::int(number as i64), index.clone());
            self.items[number] = either_row(&is_before, &self.items[number], &next);
        }
        self.length = compute(BinaryOp::Subtract, self.length, NetExpr::int(1));
        self
    }
}

impl Layout<'_> {
    pub(super) fn on_sequence(
        &self,
        op: CollectionOp,
        (collection, capacity): (&Type, usize),
        list: List,
        of: &Type,
        mut rows: Vec<Row>,
        path: Path,
    ) -> Parts<Row> {
        let element = collection.elements()[0];
        let is_full = equal(list.length.clone(), NetExpr::int(capacity as i64));
        let no_room = || Fault::full("there is no room for more", collection);
        match op {
            CollectionOp::Len => found(path, vec![list.length]),
            CollectionOp::Has => {
                let wanted = rows.remove(0);
                let items = list.items.iter().enumerate();
                let found_at = items.map(|(i, item)| {
                    let here = self.present(item.clone(), element);
                    and(list.has(i), self.same(element, &here, element, &wanted))
                });
                found(path, vec![any(found_at)])
            }
            CollectionOp::Append => unless_wrong(is_full, no_room, path, |path| {
                let end = list.length.clone();
                let mut list = list.with(&end, &rows[0]);
                list.length = compute(BinaryOp::Add, end, NetExpr::int(1));
                found(path, list.row())
            }),
            CollectionOp::Prepend => unless_wrong(is_full, no_room, path, |path| {
                let length = compute(BinaryOp::Add, list.length, NetExpr::int(1));
                let before = list.items.into_iter().take(capacity - 1);
                let items = std::iter::once(rows.remove(0)).chain(before).collect();
                found(path, List { length, items }.row())
            }),
            CollectionOp::With | CollectionOp::Without => {
                unreachable!("sequences have no keys")
            }
            _ => self.at_index(op, list, rows, (element, of), path),
        }
    }

    /// An element that a sequence must have, or the sequence without it.
    fn at_index(
        &self,
        op: CollectionOp,
        list: List,
        rows: Vec<Row>,
        (element, of): (&Type, &Type),
        path: Path,
    ) -> Parts<Row> {
        let zero = NetExpr::int(0);
        let is_empty = equal(list.length.clone(), zero.clone());
        let asked = rows.first().map(|row| row[0].clone());
        let (index, is_missing, message) = match op {
            CollectionOp::First | CollectionOp::WithoutFirst => (zero, is_empty, "it is empty"),
            CollectionOp::Last | CollectionOp::WithoutLast => {
                let last = compute(BinaryOp::Subtract, list.length.clone(), NetExpr::int(1));
                (last, is_empty, "it is empty")
            }
            _ => {
                let index = asked.clone().expect("an index is given");
                let below = compute(BinaryOp::Less, index.clone(), zero);
                let within = compute(BinaryOp::Less, index.clone(), list.length.clone());
                (index, any([below, not(within)]), "there is no element at this index")
            }
        };
        // Where there is no room there is no element, whatever the index is.
        let is_missing = if list.items.is_empty() { TRUE } else { is_missing };
        unless_wrong(
            is_missing,
            || Fault::new(message.into(), asked),
            path,
            |path| match op {
                CollectionOp::At | CollectionOp::First | CollectionOp::Last => {
                    found(path, self.present(list.at(&index), of))
                }
                _ => found(path, list.without(&index, &self.absent(element)).row()),
            },
        )
    }

    pub(super) fn on_listed(
        &self,
        op: CollectionOp,
        (collection, width, capacity): (&Type, usize, usize),
        list: List,
        of: &Type,
        mut rows: Vec<Row>,
        path: Path,
    ) -> Parts<Row> {
        if op == CollectionOp::Len {
            return found(path, vec![list.length]);
        }
        let wanted = rows.remove(0);
        let key = collection.elements()[0];
        // What was made just now is none of those that were there before.
        let is_here =
            |item: &[NetExpr]| path.told_apart(self.same(key, &item[..width], key, &wanted));
        let here: Vec<NetExpr> =
            (0..capacity).map(|i| and(list.has(i), is_here(&list.items[i]))).collect();
        let has = any(here.iter().cloned());
        // Where the key is, or where the next one goes.
        let mut index = list.length.clone();
        for (i, here) in here.iter().enumerate().rev() {
            index = either(here, NetExpr::int(i as i64), index);
        }
        match op {
            CollectionOp::Has => found(path, vec![has]),
            CollectionOp::At => {
                let value = list.at(&index).split_off(width);
                unless(
                    not(has),
                    || "there is nothing with this key".into(),
                    path,
                    |path| found(path, self.present(value, of)),
                )
            }
            CollectionOp::With => {
                let is_full = equal(list.length.clone(), NetExpr::int(capacity as i64));
                let no_room = and(is_full, not(has.clone()));
                let fault = || Fault::full("there is no room for more", collection);
                unless_wrong(no_room, fault, path, |path| {
                    let new: Row =
                        wanted.iter().cloned().chain(rows.into_iter().flatten()).collect();
                    let length = list.length.clone();
                    let longer = compute(BinaryOp::Add, length.clone(), NetExpr::int(1));
                    let mut list = list.with(&index, &new);
                    list.length = either(&has, length, longer);
                    found(path, list.row())
                })
            }
            CollectionOp::Without => {
                let types = collection.elements().into_iter();
                let absent = types.flat_map(|of| self.absent(of)).collect();
                let before = list.length.clone();
                let mut list = list.without(&index, &absent);
                list.length = either(&has, list.length, before);
                found(path, list.row())
            }
            _ => unreachable!("sets and maps have no order"),
        }
    }
}
