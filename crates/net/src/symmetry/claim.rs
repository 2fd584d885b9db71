//! The forms of properties.

use super::form::{Form, Op};
use super::read::Reader;
use crate::{BinaryOp, Formula};

impl Reader<'_> {
    /// The form of what a property says.
    pub(super) fn formula(&self, formula: &Formula) -> Form {
        let kept = |op, operands: &[&Formula]| {
            Form::kept(op, operands.iter().map(|formula| self.formula(formula)).collect())
        };
        match formula {
            Formula::DeadlockFree => kept(Op::DeadlockFree, &[]),
            Formula::NoOneStuck => kept(Op::NoOneStuck, &[]),
            Formula::EveryoneCanEnd => kept(Op::EveryoneCanEnd, &[]),
            Formula::Deadlock => kept(Op::Deadlock, &[]),
            Formula::Term(expr) => self.form(expr),
            Formula::Not(f) => self.normal.negated(self.formula(f)),
            Formula::Binary(op, f, g) => {
                let (f, g) = (self.formula(f), self.formula(g));
                let f = if *op == BinaryOp::Implies { self.normal.negated(f) } else { f };
                self.normal.joined(*op != BinaryOp::And, vec![f, g], false)
            }
            Formula::Path(op, f) => kept(Op::Path(*op), &[f]),
            Formula::Until(f, g) => kept(Op::Until, &[f, g]),
            Formula::LeadsTo(f, g) => kept(Op::LeadsTo, &[f, g]),
            Formula::AllUntil(f, g) => kept(Op::AllUntil, &[f, g]),
            Formula::SomeUntil(f, g) => kept(Op::SomeUntil, &[f, g]),
            Formula::Quantified { quantifier, thread, subject, body } => {
                kept(Op::Quantified(*quantifier, *thread, subject.clone()), &[body])
            }
        }
    }
}
