//! Terms that hold or not.

use net::{BinaryOp, Expr};

use super::Step;
use super::classes::{Columns, Domain};
use super::logic::{all_of, any_of, compare, equal, implies, not, truth};
use super::sum::{Slot, Sum};
use super::terms::Terms;
use crate::term::{Operator, Term};
use diagnostics::Span;

impl<'d> Terms<'_, '_, 'd> {
    pub(super) fn truth_of(&mut self, term: &'d Term) -> Step<Expr> {
        match &term.operator {
            Operator::Binary(op @ (BinaryOp::And | BinaryOp::Or)) => {
                let mut list = Vec::with_capacity(term.subterms.len());
                for subterm in &term.subterms {
                    list.push(self.expr(subterm)?);
                }
                Ok(if *op == BinaryOp::And { all_of(list) } else { any_of(list) })
            }
            Operator::Not => Ok(not(self.expr(&term.subterms[0])?)),
            Operator::Binary(BinaryOp::Implies) => {
                let condition = self.expr(&term.subterms[0])?;
                Ok(implies(condition, self.expr(&term.subterms[1])?))
            }
            Operator::Binary(BinaryOp::Equal) => self.same(term),
            Operator::Binary(BinaryOp::NotEqual) => Ok(not(self.same(term)?)),
            Operator::Contains => {
                let (whole, part) = self.both_written(term)?;
                self.covers(whole, part, term.span)
            }
            Operator::PartOrder(op) => self.parts_ordered(*op, term),
            Operator::Binary(op) | Operator::NumberOrder(op) => self.ordered(*op, term),
            other => unreachable!("{other:?} neither holds nor not"),
        }
    }

    fn ordered(&mut self, op: BinaryOp, term: &'d Term) -> Step<Expr> {
        let (left, right) = self.both(term)?;
        let left = self.element(&left, term.subterms[0].span)?[0].expr(0);
        let right = self.element(&right, term.subterms[1].span)?[0].expr(0);
        Ok(compare(op, left, right))
    }

    fn same(&mut self, term: &'d Term) -> Step<Expr> {
        let (left, right) = self.both(term)?;
        if let (Some(a), Some(b)) = (left.element(), right.element()) {
            return self.same_element(&a.slots, &b.slots, &left.columns, term.span);
        }
        let left = self.with_parts_written(left, term.span)?;
        let right = self.with_parts_written(right, term.span)?;
        self.spend(left.size() + right.size(), term.span)?;
        let more = self.covers(left.clone(), right.clone(), term.span)?;
        Ok(all_of([more, self.covers(right, left, term.span)?]))
    }

    fn same_element(
        &mut self,
        a: &[Slot],
        b: &[Slot],
        columns: &Columns,
        span: Span,
    ) -> Step<Expr> {
        let mut list = Vec::with_capacity(a.len());
        for (column, domain) in columns.iter().enumerate() {
            let (a, b) = (&a[column], &b[column]);
            list.push(match domain {
                Domain::Class(id) if self.classes.divided(*id).is_some() => {
                    self.same_part(*id, a, b, span)?
                }
                _ => equal(a.expr(column), b.expr(column)),
            });
        }
        Ok(all_of(list))
    }

    /// Whether a multiset is part of another: nothing is left of it when that is subtracted.
    fn covers(&mut self, whole: Sum, part: Sum, span: Span) -> Step<Expr> {
        let left = self.without(part, whole, span)?;
        let mut list = Vec::with_capacity(left.blocks.len());
        for block in left.blocks {
            if block.is_wide() && !block.conditions.is_empty() {
                return Err(self.unsayable(
                    span,
                    "whether this holds depends on all members of a class at once",
                    "say it of single elements",
                ));
            }
            list.push(match block.is_wide() {
                true => truth(false),
                false => not(all_of(block.conditions)),
            });
        }
        Ok(all_of(list))
    }
}
