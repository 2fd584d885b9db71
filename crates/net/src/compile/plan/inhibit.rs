//! How tokens that inhibit are searched for.
//!
//! Of several places that is searched next of whose columns most are bound, and conditions that cannot fault are
//! tested as soon as all is bound that they are about. What can fault comes last, in the order in which it is
//! written.

use super::Planner;
use crate::compile::{Cell, Forbidden, Inhibit};
use crate::fallible::Fallibility;
use crate::{BinaryOp, Expr, Inhibitor, Literal, Var};

/// An arc before its place in the order is known: the index of its place, and the slots of its columns.
struct Candidate {
    place: crate::PlaceId,
    columns: Vec<(usize, usize)>,
}

/// The variables of an inhibitor that are bound outside of it.
pub(super) fn outer_of(inhibitor: &Inhibitor, outer: &[bool]) -> Vec<usize> {
    let mut variables = Vec::new();
    for expr in inhibitor.expressions() {
        expr.variables(&mut |var| variables.push(var.index()));
    }
    variables.retain(|&slot| outer[slot]);
    variables
}

impl Planner<'_> {
    /// Plans the search of an inhibitor; `outer` are the variables bound outside of it.
    pub(super) fn inhibitor(
        &mut self,
        inhibitor: &Inhibitor,
        outer: &[bool],
        fallibility: &Fallibility,
    ) -> Inhibit {
        let mut conditions = Vec::new();
        let mut candidates = Vec::new();
        for arc in &inhibitor.arcs {
            let columns = self.columns(&arc.pattern, &mut conditions);
            candidates.push(Candidate { place: arc.place, columns });
        }
        conditions.extend(inhibitor.condition.clone());
        let (late, sure): (Vec<Expr>, Vec<Expr>) =
            conditions.into_iter().partition(|condition| fallibility.can_fault(condition));
        let mut tests = self.are_something(inhibitor, outer);
        tests.extend(sure);
        let mut bound = outer.to_vec();
        bound.resize(self.slots, false);
        let mut arcs: Vec<Forbidden> = Vec::new();
        while !candidates.is_empty() {
            let score = |candidate: &Candidate| {
                candidate.columns.iter().filter(|(_, slot)| bound[*slot]).count()
            };
            let best = candidates.iter().map(score).max();
            let best = candidates.iter().position(|candidate| Some(score(candidate)) == best);
            let Candidate { place, columns } = candidates.remove(best.unwrap_or_default());
            let cells = columns.into_iter().map(|(column, slot)| {
                let binds = !std::mem::replace(&mut bound[slot], true);
                Cell { column, bounds: self.bounds(place, column), slot, binds }
            });
            let cells = cells.collect();
            let is_ready = |test: &mut Expr| {
                let mut ready = true;
                test.variables(&mut |var| ready &= bound[var.index()]);
                ready
            };
            let tests = tests.extract_if(.., is_ready).collect();
            let place = place.index();
            let before = arcs.iter().enumerate();
            let rivals = before.filter(|(_, arc)| arc.place == place).map(|(i, _)| i).collect();
            arcs.push(Forbidden { place, cells, tests, rivals });
        }
        assert!(tests.is_empty(), "the net was checked");
        let count = if let [arc] = &inhibitor.arcs[..] { arc.count } else { 1 };
        Inhibit { arcs, count, late }
    }

    /// That variables of its own that are always something are not nothing; this is tested before all else.
    fn are_something(&self, inhibitor: &Inhibitor, outer: &[bool]) -> Vec<Expr> {
        let mut tests = Vec::new();
        for arc in &inhibitor.arcs {
            let columns = &self.net.place(arc.place).columns;
            for (expr, column) in arc.pattern.iter().zip(columns) {
                if let Some(Expr::Var(var)) = expr
                    && column.optional
                    && !outer[var.index()]
                    && self.is_something(var.index())
                {
                    let nothing = Expr::Literal(Literal::None(column.sort.into()));
                    tests.push(Expr::binary(BinaryOp::NotEqual, Expr::Var(*var), nothing));
                }
            }
        }
        tests
    }

    /// The slots of a pattern. What is not a plain variable gets a slot of its own, and a condition.
    pub(super) fn columns(
        &mut self,
        pattern: &[Option<Expr>],
        conditions: &mut Vec<Expr>,
    ) -> Vec<(usize, usize)> {
        let mut columns = Vec::new();
        for (column, expr) in pattern.iter().enumerate() {
            match expr {
                None => {}
                Some(Expr::Var(var)) if !self.transition.defines(*var) => {
                    columns.push((column, Var::index(*var)))
                }
                Some(expr) => columns.push((column, self.slot_equal_to(expr, conditions))),
            }
        }
        columns
    }
}
