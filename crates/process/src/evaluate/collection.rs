//! Collections: sequences, sets and maps as rows.
//!
//! Where each possible key has its place, `keyed` does what is done to them; where elements stand one after the other,
//! `list` does.

mod keyed;
mod list;

use net::{Expr as NetExpr, Literal};

use super::{Parts, found, then};
use crate::formula::{TRUE, all, and, any, either, equal};
use crate::layout::{Collection, Layout, room};
use crate::path::{Path, Row};
use list::List;
use program::{CollectionOp, Expr, Type};

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
            Type::Sequence(element, most) => {
                let Type::Sequence(own, other_most) = other else { unreachable!("of one kind") };
                let [one, two] = [(element, a, *most), (own, b, *other_most)]
                    .map(|(element, row, most)| (element, row, room(most) as usize))
                    .map(|(element, row, room)| List::of(row, self.width(element), room));
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
            (Type::Sequence(a, most), Type::Sequence(b, capacity)) => {
                let list = List::of(&row, self.width(a), room(*most) as usize);
                let mut items: Vec<Row> =
                    list.items.into_iter().map(|item| self.resized(item, a, b)).collect();
                items.resize(room(*capacity) as usize, self.absent(b));
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
}

fn either_row(condition: &NetExpr, a: &[NetExpr], b: &[NetExpr]) -> Row {
    a.iter().zip(b).map(|(a, b)| either(condition, a.clone(), b.clone())).collect()
}
