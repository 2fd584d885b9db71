//! Columns that fit each other: numbers that find their class, parts that stand for their elements.
//!
//! A number may be of any class with its range, until it meets one. A part of a partition stands for its
//! elements where a multiset of the divided class is meant, and for itself where parts are compared,
//! which becomes a comparison of members.

use std::rc::Rc;

use net::{BinaryOp, EnumId, Expr, Literal};

use super::Step;
use super::classes::{Columns, Domain};
use super::logic::{all_of, any_of, choose, equal, known, member, size, substitute};
use super::sum::{Block, Slot, Sum, each};
use super::terms::Terms;
use crate::document::Id;
use crate::term::Term;
use diagnostics::Span;

/// A value that depends on the part an element is in is written as at most this many cases, one within the
/// other.
const MOST_CASES: u32 = 100;

impl<'d> Terms<'_, '_, 'd> {
    /// Columns that what has these and what has those can both be given: both are of one sort.
    pub(super) fn joined(&mut self, a: &Columns, b: &Columns) -> Columns {
        let both = a.iter().zip(b.iter());
        let columns = both.map(|(a, b)| match (*a, *b) {
            (Domain::Integer(_), other) | (other, Domain::Integer(_)) => other,
            (Domain::Class(a), Domain::Class(b)) => Domain::Class(self.classes.joined(a, b)),
            (domain, _) => domain,
        });
        columns.collect()
    }

    /// A multiset in columns that it fits.
    pub(super) fn settled(&mut self, mut sum: Sum, columns: &Columns, span: Span) -> Step<Sum> {
        for (column, to) in columns.iter().enumerate() {
            match (sum.columns[column], *to) {
                (Domain::Integer(range), Domain::Class(id)) => {
                    for block in &mut sum.blocks {
                        if let Slot::Value(Expr::Literal(Literal::Int(number))) =
                            block.slots[column]
                        {
                            let index = number.abs_diff(range.start) as u32;
                            block.slots[column] = Slot::Value(member(id, index));
                        }
                    }
                }
                (Domain::Class(from), Domain::Class(to)) if from != to => {
                    let joined = self.classes.joined(from, to);
                    if joined != from && self.classes.divided(from).is_some() {
                        sum.blocks = self.written_out(sum.blocks, column, from, span)?;
                    }
                }
                _ => {}
            }
        }
        Ok(Sum { columns: Rc::clone(columns), blocks: sum.blocks })
    }

    /// Blocks with the elements of a part where the part was.
    fn written_out(
        &mut self,
        blocks: Vec<Block>,
        column: usize,
        partition: EnumId,
        span: Span,
    ) -> Step<Vec<Block>> {
        let mut list = Vec::with_capacity(blocks.len());
        for mut block in blocks {
            let (class, parts) = self.parts(partition);
            match &block.slots[column] {
                Slot::Value(Expr::Literal(Literal::Enum(_, part))) => {
                    let members = parts[*part as usize].clone();
                    self.spend(block.size().saturating_mul(members.len()), span)?;
                    for index in members {
                        block.slots[column] = Slot::Value(member(class, index));
                        list.push(block.clone());
                    }
                }
                Slot::Each => {
                    let own = Slot::PartOf(Expr::Var(each(column)));
                    let part = self.part_value(partition, &own, column, span)?;
                    let replaced = |var| (var == each(column)).then(|| part.clone());
                    let conditions = block.conditions.iter().map(|c| substitute(c, &replaced));
                    let conditions = all_of(conditions.collect::<Vec<_>>());
                    block.conditions = Vec::new();
                    list.extend(block.given(conditions));
                }
                part => {
                    let part = part.clone();
                    let one = Slot::PartOf(Expr::Var(each(column)));
                    let inside = self.same_part(partition, &part, &one, span)?;
                    block.slots[column] = Slot::Each;
                    list.extend(block.given(inside));
                }
            }
        }
        Ok(list)
    }

    /// The part that an element is in.
    pub(super) fn part_of(&mut self, id: &'d Id, term: &'d Term) -> Step<Sum> {
        let sum = self.value(&term.subterms[0])?;
        let columns = self.classes.declared(&id.text);
        let [Domain::Class(partition)] = *columns else { unreachable!("parts fill one column") };
        let (class, _) = self.parts(partition);
        let sum = self.settled(sum, &Columns::from([Domain::Class(class)]), term.span)?;
        let slots = self.element(&sum, term.span)?;
        Ok(Sum::of(columns, vec![Slot::PartOf(slots[0].expr(0))]))
    }

    /// The class that a partition divides, and the members of its parts.
    fn parts(&self, partition: EnumId) -> (EnumId, &[Vec<u32>]) {
        self.classes.divided(partition).expect("parts are of partitions")
    }

    /// Whether a part is the one with this number.
    fn is_part(&mut self, partition: EnumId, slot: &Slot, part: u32, span: Span) -> Step<Expr> {
        let Slot::PartOf(element) = slot else {
            return Ok(equal(slot.expr(0), member(partition, part)));
        };
        let (class, parts) = self.parts(partition);
        let members = parts[part as usize].clone();
        self.spend(size(element).saturating_mul(members.len()), span)?;
        Ok(any_of(members.into_iter().map(|index| equal(element.clone(), member(class, index)))))
    }

    fn part_numbers(&self, partition: EnumId) -> std::ops::Range<u32> {
        0..self.classes.size(partition) as u32
    }

    /// Whether two parts are the same.
    pub(super) fn same_part(
        &mut self,
        partition: EnumId,
        a: &Slot,
        b: &Slot,
        span: Span,
    ) -> Step<Expr> {
        match (a, b) {
            (a, Slot::Value(Expr::Literal(Literal::Enum(_, part)))) => {
                return self.is_part(partition, a, *part, span);
            }
            (Slot::Value(Expr::Literal(Literal::Enum(_, part))), b) => {
                return self.is_part(partition, b, *part, span);
            }
            (Slot::Value(a), Slot::Value(b)) => return Ok(equal(a.clone(), b.clone())),
            _ => {}
        }
        let mut cases = Vec::new();
        for part in self.part_numbers(partition) {
            let a = self.is_part(partition, a, part, span)?;
            cases.push(all_of([a, self.is_part(partition, b, part, span)?]));
        }
        Ok(any_of(cases))
    }

    /// `ltp` and `gtp`.
    pub(super) fn parts_ordered(&mut self, op: BinaryOp, term: &'d Term) -> Step<Expr> {
        let (left, right) = self.both(term)?;
        let [Domain::Class(partition)] = *left.columns else { unreachable!("parts are compared") };
        let left = &self.element(&left, term.subterms[0].span)?[0];
        let right = &self.element(&right, term.subterms[1].span)?[0];
        let (less, greater) = if op == BinaryOp::Less { (left, right) } else { (right, left) };
        let mut cases = Vec::new();
        for part in self.part_numbers(partition) {
            let above = self.is_part(partition, greater, part, term.span)?;
            if known(&above) == Some(false) {
                continue;
            }
            let mut below = Vec::new();
            for part in 0..part {
                below.push(self.is_part(partition, less, part, term.span)?);
            }
            cases.push(all_of([above, any_of(below)]));
        }
        Ok(any_of(cases))
    }

    /// A part as a value: that of the first case that holds.
    fn part_value(
        &mut self,
        partition: EnumId,
        slot: &Slot,
        column: usize,
        span: Span,
    ) -> Step<Expr> {
        let Slot::PartOf(_) = slot else { return Ok(slot.expr(column)) };
        let parts = self.part_numbers(partition);
        if parts.end > MOST_CASES {
            return Err(self.unsayable(
                span,
                "a token is one of too many parts",
                "use the elements rather than the parts they are in",
            ));
        }
        let mut value = member(partition, parts.end.saturating_sub(1));
        for part in parts.rev().skip(1) {
            let condition = self.is_part(partition, slot, part, span)?;
            value = choose(condition, member(partition, part), value);
        }
        Ok(value)
    }

    /// A multiset whose parts are values, not questions.
    pub(super) fn with_parts_written(&mut self, mut sum: Sum, span: Span) -> Step<Sum> {
        let columns = Rc::clone(&sum.columns);
        for (column, domain) in columns.iter().enumerate() {
            let Domain::Class(id) = *domain else { continue };
            for block in &mut sum.blocks {
                if let slot @ Slot::PartOf(_) = &block.slots[column] {
                    let value = self.part_value(id, slot, column, span)?;
                    block.slots[column] = Slot::Value(value);
                }
            }
        }
        Ok(sum)
    }
}
