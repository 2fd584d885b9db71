//! Collections: sequences, sets and maps as rows.

use net::{BinaryOp, Expr as NetExpr, Literal};

use super::{Parts, found, then, unless};
use crate::formula::{FALSE, TRUE, all, and, any, compute, either, equal, not};
use crate::layout::{Collection, Layout};
use crate::path::{Path, Row};
use crate::program::{CollectionOp, Expr, Type};

/// A collection in which elements stand one after the other: a sequence, or a list of keys and values.
struct List {
    length: NetExpr,
    items: Vec<Row>,
}

impl List {
    fn of(row: &[NetExpr], width: usize, room: usize) -> List {
        let item = |number: usize| row[1 + number * width..][..width].to_vec();
        // Where there is no room there is nothing.
        let length = if room == 0 { NetExpr::int(0) } else { row[0].clone() };
        List { length, items: (0..room).map(item).collect() }
    }

    fn row(self) -> Row {
        std::iter::once(self.length).chain(self.items.into_iter().flatten()).collect()
    }

    /// Whether there is an item at this index.
    fn has(&self, index: usize) -> NetExpr {
        compute(BinaryOp::Less, NetExpr::int(index as i64), self.length.clone())
    }

    /// The item at an index.
    fn at(&self, index: &NetExpr) -> Row {
        let mut items = self.items.iter().enumerate().rev();
        let mut row = items.next().map(|(_, item)| item.clone()).unwrap_or_default();
        for (number, item) in items {
            let is_here = equal(index.clone(), NetExpr::int(number as i64));
            row = either_row(&is_here, item, &row);
        }
        row
    }

    /// With another item at an index.
    fn with(mut self, index: &NetExpr, new: &[NetExpr]) -> List {
        for (number, item) in self.items.iter_mut().enumerate() {
            let is_here = equal(index.clone(), NetExpr::int(number as i64));
            *item = either_row(&is_here, new, item);
        }
        self
    }

    /// Without the item at an index, which is there; those after it move up.
    fn without(mut self, index: &NetExpr, absent: &Row) -> List {
        for number in 0..self.items.len() {
            let next = self.items.get(number + 1).unwrap_or(absent).clone();
            let is_before = compute(BinaryOp::Less, NetExpr::int(number as i64), index.clone());
            self.items[number] = either_row(&is_before, &self.items[number], &next);
        }
        self.length = compute(BinaryOp::Subtract, self.length, NetExpr::int(1));
        self
    }
}

fn either_row(condition: &NetExpr, a: &[NetExpr], b: &[NetExpr]) -> Row {
    a.iter().zip(b).map(|(a, b)| either(condition, a.clone(), b.clone())).collect()
}

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
    /// The elements of a collection, of a map its keys, each with the condition that it is there.
    pub(crate) fn elements(&self, of: &Type, row: &[NetExpr]) -> Vec<(NetExpr, Row)> {
        let element = of.elements()[0];
        match self.collection(of) {
            Collection::Sequence { width, capacity } => {
                let list = List::of(row, width, capacity);
                let items = list.items.iter().enumerate();
                items.map(|(i, item)| (list.has(i), self.present(item.clone(), element))).collect()
            }
            Collection::Listed { key, value, capacity } => {
                let list = List::of(row, key + value, capacity);
                let items = list.items.iter().enumerate();
                items
                    .map(|(i, item)| (list.has(i), self.present(item[..key].to_vec(), element)))
                    .collect()
            }
            Collection::Keyed { keys, width, .. } => {
                let flags = row.iter().step_by(1 + width);
                let element = |key: Literal| vec![NetExpr::Literal(key)];
                flags.cloned().zip(keys.into_iter().map(element)).collect()
            }
        }
    }

    /// Whether two collections have the same elements; nothing if rows tell.
    pub(super) fn same_elements(
        &self,
        of: &Type,
        a: &[NetExpr],
        other: &Type,
        b: &[NetExpr],
    ) -> Option<NetExpr> {
        match of {
            Type::Sequence(element, room) => {
                let Type::Sequence(own, other_room) = other else { unreachable!("of one kind") };
                let [one, two] = [(element, a, *room), (own, b, *other_room)]
                    .map(|(element, row, room)| List::of(row, self.width(element), room as usize));
                let items = one.items.iter().zip(&two.items).enumerate();
                let same = items.map(|(i, (x, y))| {
                    let same = self.same(element, x, own, y);
                    either(&one.has(i), same, TRUE)
                });
                Some(and(equal(one.length.clone(), two.length.clone()), all(same)))
            }
            Type::Set(..) | Type::Map(..) => match self.collection(of) {
                Collection::Keyed { width, .. } => {
                    let (Type::Map(_, x, _), Type::Map(_, y, _)) = (of, other) else { return None };
                    let entries = a.chunks(1 + width).zip(b.chunks(1 + width));
                    Some(all(entries.map(|(a, b)| {
                        let is_there = equal(a[0].clone(), b[0].clone());
                        and(is_there, self.same(x, &a[1..], y, &b[1..]))
                    })))
                }
                Collection::Sequence { .. } => unreachable!("a set or a map"),
                Collection::Listed { .. } => {
                    let within = |x: &Type, a: &[NetExpr], y: &Type, b: &[NetExpr]| {
                        all(self.entries(x, a).into_iter().map(|(is_there, entry)| {
                            let others = self.entries(y, b).into_iter();
                            let found = others.map(|(is_there, other)| {
                                and(is_there, self.same_entries(x, &entry, y, &other))
                            });
                            either(&is_there, any(found), TRUE)
                        }))
                    };
                    Some(and(within(of, a, other, b), within(other, b, of, a)))
                }
            },
            _ => None,
        }
    }

    /// Whether two elements of lists are the same, or two keys with their values.
    fn same_entries(&self, of: &Type, a: &[NetExpr], other: &Type, b: &[NetExpr]) -> NetExpr {
        let parts = |of: &Type| match of {
            Type::Set(key, _) => (Type::clone(key), None),
            Type::Map(key, value, _) => (Type::clone(key), Some(Type::clone(value))),
            _ => unreachable!("a set or a map"),
        };
        let ((key, value), (own, own_value)) = (parts(of), parts(other));
        let (at, own_at) = (self.width(&key), self.width(&own));
        let values = value.zip(own_value);
        let values = values.map(|(x, y)| self.same(&x, &a[at..], &y, &b[own_at..]));
        and(self.same(&key, &a[..at], &own, &b[..own_at]), values.unwrap_or(TRUE))
    }

    /// The keys of a list with their values, each with the condition that it is there.
    fn entries(&self, of: &Type, row: &[NetExpr]) -> Vec<(NetExpr, Row)> {
        let Collection::Listed { key, value, capacity } = self.collection(of) else {
            unreachable!("a list");
        };
        let list = List::of(row, key + value, capacity);
        (0..list.items.len()).map(|i| (list.has(i), list.items[i].clone())).collect()
    }

    /// A collection of elements.
    pub(super) fn collected(&self, of: &Type, elements: &[Expr], path: Path) -> Parts<Row> {
        let mut parts = found(path, self.absent(of));
        for element in elements.chunks(of.elements().len()) {
            let op = match of {
                Type::Sequence(..) => CollectionOp::Append,
                _ => CollectionOp::With,
            };
            parts = then(parts, |path, row| {
                then(self.each(element, path), |path, rows| {
                    let rows = self.fitted(of, element, rows, path);
                    then(rows, |path, rows| {
                        let operands = std::iter::once(row.clone()).chain(rows).collect();
                        self.operation(op, of, of, operands, path)
                    })
                })
            });
        }
        parts
    }

    /// The element of a sequence at an index, or what a map has for a key.
    pub(crate) fn element(&self, of: &Type, row: &Row, key: &Row, path: Path) -> Parts<Row> {
        let types = of.elements();
        let inner = types.last().expect("only sequences and maps have elements");
        let operands = vec![row.clone(), key.clone()];
        self.operation(CollectionOp::At, of, inner, operands, path)
    }

    /// A sequence with another element at an index that it has, or a map with another value for a key.
    pub(crate) fn with_element(
        &self,
        of: &Type,
        row: Row,
        key: Row,
        element: Row,
        path: Path,
    ) -> Parts<Row> {
        match self.collection(of) {
            Collection::Sequence { width, capacity } => {
                found(path, List::of(&row, width, capacity).with(&key[0], &element).row())
            }
            _ => self.operation(CollectionOp::With, of, of, vec![row, key, element], path),
        }
    }

    /// A value of one type, which fits another of the same kind, laid out as that.
    pub(crate) fn resized(&self, row: Row, from: &Type, to: &Type) -> Row {
        match (from, to) {
            (Type::Optional(a), Type::Optional(b)) if self.sort(a).is_none() => {
                let mut row = row;
                let inner = row.split_off(1);
                row.extend(self.resized(inner, a, b));
                row
            }
            (Type::Optional(_), Type::Optional(_)) => row,
            (from, Type::Optional(to)) => {
                let flag = self.sort(to).is_none().then_some(TRUE);
                flag.into_iter().chain(self.resized(row, from, to)).collect()
            }
            (Type::Sequence(a, room), Type::Sequence(b, capacity)) => {
                let list = List::of(&row, self.width(a), *room as usize);
                let mut items: Vec<Row> =
                    list.items.into_iter().map(|item| self.resized(item, a, b)).collect();
                items.resize(*capacity as usize, self.absent(b));
                List { length: list.length, items }.row()
            }
            _ => row,
        }
    }

    /// An operation on a collection.
    pub(super) fn on(
        &self,
        op: CollectionOp,
        operands: &[Expr],
        of: &Type,
        rows: Vec<Row>,
        path: Path,
    ) -> Parts<Row> {
        let collection = &operands[0].of;
        match op {
            CollectionOp::Append | CollectionOp::Prepend | CollectionOp::With => {
                let mut added = rows;
                let row = added.remove(0);
                then(self.fitted(collection, &operands[1..], added, path), |path, added| {
                    let rows = std::iter::once(row.clone()).chain(added).collect();
                    self.operation(op, collection, of, rows, path)
                })
            }
            _ => self.operation(op, collection, of, rows, path),
        }
    }

    /// What is added to a collection, as its elements are: a fault where it is none.
    fn fitted(&self, of: &Type, added: &[Expr], rows: Vec<Row>, path: Path) -> Parts<Vec<Row>> {
        let mut parts = found(path, Vec::new());
        for ((expr, row), to) in added.iter().zip(rows).zip(of.elements()) {
            parts = then(parts, |path, done: Vec<Row>| {
                then(self.fit(row.clone(), &expr.of, to, path), |path, row| {
                    found(path, done.iter().cloned().chain([row]).collect())
                })
            });
        }
        parts
    }

    fn operation(
        &self,
        op: CollectionOp,
        collection: &Type,
        of: &Type,
        mut rows: Vec<Row>,
        path: Path,
    ) -> Parts<Row> {
        let row = rows.remove(0);
        match self.collection(collection) {
            Collection::Sequence { width, capacity } => {
                let list = List::of(&row, width, capacity);
                self.on_sequence(op, (collection, capacity), list, of, rows, path)
            }
            Collection::Keyed { keys, width, capacity } => {
                self.on_keyed(op, (collection, &keys, width, capacity), row, of, rows, path)
            }
            Collection::Listed { key, value, capacity } => {
                let list = List::of(&row, key + value, capacity);
                self.on_listed(op, (collection, key, capacity), list, of, rows, path)
            }
        }
    }

    fn on_sequence(
        &self,
        op: CollectionOp,
        (collection, capacity): (&Type, usize),
        mut list: List,
        of: &Type,
        mut rows: Vec<Row>,
        path: Path,
    ) -> Parts<Row> {
        let element = collection.elements()[0];
        let absent = self.absent(element);
        let zero = NetExpr::int(0);
        let last = compute(BinaryOp::Subtract, list.length.clone(), NetExpr::int(1));
        let is_empty = equal(list.length.clone(), zero.clone());
        let is_full = equal(list.length.clone(), NetExpr::int(capacity as i64));
        let no_element = || "it is empty".to_owned();
        let no_room = || "there is no room for more".to_owned();
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
            CollectionOp::At | CollectionOp::WithoutAt => {
                let index = rows.remove(0).remove(0);
                let below = compute(BinaryOp::Less, index.clone(), zero);
                let within = compute(BinaryOp::Less, index.clone(), list.length.clone());
                let outside = any([below, not(within)]);
                unless(
                    outside,
                    || "there is no element at this index".into(),
                    path,
                    |path| {
                        found(
                            path,
                            match op {
                                CollectionOp::At => self.present(list.at(&index), of),
                                _ => list.without(&index, &absent).row(),
                            },
                        )
                    },
                )
            }
            CollectionOp::First => unless(is_empty, no_element, path, |path| {
                found(path, self.present(list.at(&zero), of))
            }),
            CollectionOp::Last => unless(is_empty, no_element, path, |path| {
                found(path, self.present(list.at(&last), of))
            }),
            CollectionOp::WithoutFirst => unless(is_empty, no_element, path, |path| {
                found(path, list.without(&zero, &absent).row())
            }),
            CollectionOp::WithoutLast => unless(is_empty, no_element, path, |path| {
                found(path, list.without(&last, &absent).row())
            }),
            CollectionOp::Append => unless(is_full, no_room, path, |path| {
                let end = list.length.clone();
                let mut list = list.with(&end, &rows[0]);
                list.length = compute(BinaryOp::Add, end, NetExpr::int(1));
                found(path, list.row())
            }),
            CollectionOp::Prepend => unless(is_full, no_room, path, |path| {
                list.items.pop();
                list.items.insert(0, rows.remove(0));
                list.length = compute(BinaryOp::Add, list.length, NetExpr::int(1));
                found(path, list.row())
            }),
            CollectionOp::With | CollectionOp::Without => {
                unreachable!("sequences have no keys")
            }
        }
    }

    /// How many keys are there.
    fn keyed_length(&self, row: &[NetExpr], width: usize) -> NetExpr {
        row.iter().step_by(1 + width).fold(NetExpr::int(0), |sum, flag| {
            compute(BinaryOp::Add, sum, either(flag, NetExpr::int(1), NetExpr::int(0)))
        })
    }

    fn on_keyed(
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
                let message = || "there is no room for more".into();
                unless(no_room, message, path, |path| {
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

    fn on_listed(
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
                let message = || "there is no room for more".into();
                unless(no_room, message, path, |path| {
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
