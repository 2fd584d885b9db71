//! Steps that look at nothing but the fields of their object, so that they can be tried on the object alone.
//!
//! What such a step does depends on these fields and its arguments, and not on who does it: of the one who does it only
//! that there is one may be kept.

use std::collections::HashSet;

use program::{
    Action, Block, Expr, FieldId, Form, LocalId, ObjectId, ObjectType, Operation, Root, StepId,
    Target,
};

use crate::compile::presence::Field;

/// Whether a step looks at nothing but the fields of its object.
pub(super) fn is_own(
    object: &ObjectType,
    of: ObjectId,
    step: StepId,
    presence: &HashSet<Field>,
) -> bool {
    let meets = object.meetings.iter().any(|met| met.first == step || met.second == step);
    !meets && OwnStep { of, presence }.block(&object.steps[step.index()].routine.body)
}

struct OwnStep<'s> {
    of: ObjectId,
    presence: &'s HashSet<Field>,
}

impl OwnStep<'_> {
    fn block(&self, block: &Block) -> bool {
        block.iter().all(|statement| self.action(&statement.action))
    }

    fn action(&self, action: &Action) -> bool {
        let is_known = match action {
            Action::Assign(target, value) => {
                return self.target(target)
                    && (self.expr(value) || self.is_presence(target) && is_this(value));
            }
            Action::Select(select) => {
                let waits = |operation: &Operation| matches!(operation, Operation::Await(_));
                let only = |arms: usize| arms == 1 && select.otherwise.is_none();
                only(select.arms.len()) && select.arms.iter().all(|arm| waits(&arm.operation))
            }
            Action::If(..)
            | Action::Block(_)
            | Action::Atomic(_)
            | Action::Return(_)
            | Action::Assert(_)
            | Action::Require(_)
            | Action::Label(_) => true,
            Action::New(..)
            | Action::Loop(..)
            | Action::Break(_)
            | Action::Continue(_)
            | Action::Choose(..)
            | Action::Either(_)
            | Action::Spawn(..)
            | Action::Kill(_)
            | Action::Crash(_)
            | Action::Defer(_)
            | Action::Call(..) => false,
        };
        is_known
            && action.exprs().into_iter().all(|expr| self.expr(expr))
            && action.blocks().into_iter().all(|block| self.block(block))
    }

    fn target(&self, target: &Target) -> bool {
        let is_own = match &target.root {
            Root::Local(local) => *local != THIS,
            Root::Field(object, _) => is_object(object),
            Root::Global(_) => false,
        };
        let found = target.operands().into_iter().filter(|operand| !is_object(operand));
        is_own && { found }.all(|operand| self.expr(operand))
    }

    /// Whether it is kept of what a target refers to that there is something, and nothing else.
    fn is_presence(&self, target: &Target) -> bool {
        let is_kept = |field: FieldId| self.presence.contains(&(self.of, field));
        matches!(&target.root, Root::Field(_, field) if is_kept(*field)) && target.path.is_empty()
    }

    fn expr(&self, expr: &Expr) -> bool {
        match &expr.form {
            Form::Field(object, _) => is_object(object),
            Form::Local(local) => *local != THIS,
            Form::Global(_) | Form::This | Form::Ended(_) | Form::Initial(_) => false,
            _ => expr.children().into_iter().all(|child| self.expr(child)),
        }
    }
}

/// The object of a step is its first variable.
const THIS: LocalId = LocalId(0);

fn is_object(expr: &Expr) -> bool {
    matches!(expr.form, Form::Local(THIS))
}

fn is_this(expr: &Expr) -> bool {
    match &expr.form {
        Form::This => true,
        Form::Some(inner) => is_this(inner),
        _ => false,
    }
}
