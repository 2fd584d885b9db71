//! What can be said of a program without running it: what is shared, and what can fault.
//!
//! Only the form and the types decide, so that people can see it, and two readers of the definition agree:
//!
//! - *Shared* is a global variable, or a field, that is assigned somewhere, and whether a process has ended. Those
//!   that never change are constants.
//! - An expression *can fault* if it takes the value of what may be nothing, an element of a collection, or the
//!   component of a case, or if it divides by what may be zero or goes beyond the ends of an enumeration.
//! - An assignment can fault, too, if the range of the value is not within that of the variable.

use std::collections::HashSet;

use net::{BinaryOp, Literal};

use crate::program::{
    Block, CollectionOp, Expr, FieldId, Form, GlobalId, ObjectId, Program, Root, Selector, Target,
    Type,
};

/// What is known of a program.
pub(crate) struct Facts {
    /// The globals and fields that are assigned somewhere.
    globals: HashSet<GlobalId>,
    fields: HashSet<(ObjectId, FieldId)>,
}

impl Facts {
    pub(crate) fn of(program: &Program) -> Facts {
        let mut facts = Facts { globals: HashSet::new(), fields: HashSet::new() };
        let routines = program.functions.iter().chain(&program.processes);
        routines.for_each(|routine| facts.note(&routine.body));
        for object in &program.objects {
            object.steps.iter().for_each(|step| facts.note(&step.routine.body));
            object.meetings.iter().for_each(|meeting| facts.note(&meeting.body));
        }
        facts
    }

    /// Notes what is assigned in a block.
    fn note(&mut self, block: &Block) {
        for statement in block {
            for target in statement.action.targets() {
                match &target.root {
                    Root::Local(_) => {}
                    Root::Global(id) => _ = self.globals.insert(*id),
                    Root::Field(object, field) => {
                        self.fields.insert((object.of.object(), *field));
                    }
                }
            }
            statement.action.blocks().into_iter().for_each(|block| self.note(block));
        }
    }

    /// Whether an expression reads what others may change.
    pub(crate) fn is_shared(&self, expr: &Expr) -> bool {
        let own = match &expr.form {
            Form::Global(id) => self.globals.contains(id),
            Form::Field(object, field) => self.fields.contains(&(object.of.object(), *field)),
            Form::Ended(_) => true,
            _ => false,
        };
        own || expr.children().into_iter().any(|child| self.is_shared(child))
    }

    /// Whether finding a target reads what others may change.
    pub(crate) fn finds_by_shared(&self, target: &Target) -> bool {
        let object = match &target.root {
            Root::Field(object, _) => self.is_shared(object),
            Root::Local(_) | Root::Global(_) => false,
        };
        object || indices(target).any(|index| self.is_shared(index))
    }
}

/// Whether a target is something that others may see.
pub(crate) fn is_seen(target: &Target) -> bool {
    !matches!(target.root, Root::Local(_))
}

/// Whether evaluating an expression can fault.
pub(crate) fn can_fault(expr: &Expr) -> bool {
    let own = match &expr.form {
        Form::Unwrap(_) | Form::Payload(..) | Form::Shift(..) => true,
        Form::Field(object, _) => object.of.is_optional(),
        Form::On(CollectionOp::Len | CollectionOp::Has | CollectionOp::Without, _) => false,
        Form::On(..) => true,
        Form::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, b) => {
            !matches!(b.form, Form::Literal(Literal::Int(number)) if number != 0)
        }
        _ => false,
    };
    own || expr.children().into_iter().any(can_fault)
}

/// Whether assigning a value to a target of this type can fault.
pub(crate) fn assignment_can_fault(target: &Target, of: &Type, value: &Expr) -> bool {
    let object = match &target.root {
        Root::Field(object, _) => object.of.is_optional() || can_fault(object),
        Root::Local(_) | Root::Global(_) => false,
    };
    let inside = target.path.iter().any(|selector| !matches!(selector, Selector::Component(_)));
    object || inside || can_fault(value) || !of.includes(&value.of)
}

fn indices(target: &Target) -> impl Iterator<Item = &Expr> {
    target.path.iter().filter_map(|selector| match selector {
        Selector::Element(index) => Some(index),
        Selector::Component(_) | Selector::Payload(..) => None,
    })
}
