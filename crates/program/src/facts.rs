//! What can be said of a program without running it: what is shared, and what can fault.
//!
//! Only the form and the types decide, so that people can see it, and two readers of the definition agree:
//!
//! - *Shared* is a global variable, or a field, that is assigned somewhere, and whether a process has ended. Those
//!   that never change are constants.
//! - An expression *can fault* if it takes the value of what may be nothing, an element of a collection, or the
//!   component of a case, or if it divides by what may be zero or goes beyond the ends of an enumeration.
//! - A stop is an *offer* of a rendezvous if some arm of it contains a step by which two processes meet, also by way of
//!   steps that it calls. It is *polled* if somewhere a select with `else` has an arm for the other side.
//! - An assignment can fault, too, if the range of the value is not within that of the variable.

use std::collections::HashSet;

use net::{BinaryOp, Literal};

use crate::graph::Stop;
use crate::{
    Action, Block, CollectionOp, Domain, Expr, FieldId, Form, GlobalId, ObjectId, Operation,
    ProcessId, Program, Root, Select, Selector, Statement, StepId, Target, Type,
};

/// What is known of a program.
#[derive(Default)]
pub struct Facts {
    /// The globals and fields that are assigned somewhere.
    globals: HashSet<GlobalId>,
    fields: HashSet<(ObjectId, FieldId)>,
    /// The kinds of processes that are started somewhere.
    started: HashSet<ProcessId>,
    /// Whether a process is killed somewhere.
    pub has_kills: bool,
    /// Whether data is tested that is not kept.
    pub has_forgotten: bool,
    /// Whether it is asked of a process without a result how it has ended.
    pub asks_how: bool,
    /// The steps by which two processes meet: those of the first, and those of the second.
    giving: Steps,
    taking: Steps,
    /// The steps whose callers somebody may look for without waiting for them.
    polled: Steps,
}

/// Steps of objects.
type Steps = HashSet<(ObjectId, StepId)>;

impl Facts {
    /// Gathers the facts of a program.
    pub fn of(program: &Program) -> Facts {
        let mut facts = Facts::default();
        for (id, object) in (0..).map(ObjectId).zip(&program.objects) {
            facts.giving.extend(object.meetings.iter().map(|meeting| (id, meeting.first)));
            facts.taking.extend(object.meetings.iter().map(|meeting| (id, meeting.second)));
        }
        let routines = program.functions.iter().chain(&program.processes);
        routines.for_each(|routine| facts.note(program, &routine.body));
        for object in &program.objects {
            object.steps.iter().for_each(|step| facts.note(program, &step.routine.body));
            object.meetings.iter().for_each(|meeting| facts.note(program, &meeting.body));
        }
        Facts::close(program, &mut facts.giving);
        Facts::close(program, &mut facts.taking);
        Facts::close(program, &mut facts.polled);
        facts
    }

    /// Adds the steps that come to one of some steps.
    fn close(program: &Program, steps: &mut Steps) {
        loop {
            let before = steps.len();
            for (id, object) in (0..).map(ObjectId).zip(&program.objects) {
                for (number, step) in (0..).map(StepId).zip(&object.steps) {
                    if comes_to(&step.routine.body, steps) {
                        steps.insert((id, number));
                    }
                }
            }
            if steps.len() == before {
                return;
            }
        }
    }

    /// Whether a process of a kind is started somewhere.
    pub fn starts(&self, process: ProcessId) -> bool {
        self.started.contains(&process)
    }

    /// Whether a thread at a stop may be met there.
    pub fn offers(&self, stop: &Stop) -> bool {
        stop.arms.iter().any(|arm| self.may_meet(&arm.actions))
    }

    /// Whether what is done in a block may be a rendezvous.
    pub fn may_meet(&self, block: &[Statement]) -> bool {
        self.may_give(block) || self.may_take(block)
    }

    /// Whether it may be one, for the first of the two.
    pub fn may_give(&self, block: &[Statement]) -> bool {
        comes_to(block, &self.giving)
    }

    /// Whether it may be one, for the second of the two.
    pub fn may_take(&self, block: &[Statement]) -> bool {
        comes_to(block, &self.taking)
    }

    /// Whether somebody may look, without waiting, for one who waits before this.
    pub fn is_polled(&self, block: &[Statement]) -> bool {
        comes_to(block, &self.polled)
    }

    /// Notes whom a select with `else` looks for.
    fn note_polls(&mut self, program: &Program, select: &Select) {
        for arm in &select.arms {
            let Operation::Step { object, step, .. } = &arm.operation else { continue };
            let of = object.of.object();
            for meeting in &program.objects[of.index()].meetings {
                if meeting.first == *step {
                    self.polled.insert((of, meeting.second));
                }
                if meeting.second == *step {
                    self.polled.insert((of, meeting.first));
                }
            }
        }
    }

    /// Notes what is assigned, killed and looked for in a block.
    fn note(&mut self, program: &Program, block: &Block) {
        for statement in block {
            match &statement.action {
                Action::Kill(_) => self.has_kills = true,
                Action::Choose(_, Domain::Forgotten(_), _) => self.has_forgotten = true,
                Action::Spawn(_, process, _) => _ = self.started.insert(*process),
                Action::Select(select) => {
                    if select.otherwise.is_some() {
                        self.note_polls(program, select);
                    }
                    let joins = select.arms.iter().filter_map(|arm| joined(&arm.operation));
                    let has_result = |kind: Option<ProcessId>| {
                        kind.is_some_and(|id| program.processes[id.index()].result.is_some())
                    };
                    self.asks_how |= { joins }.any(|kind| !has_result(kind));
                }
                _ => {}
            }
            for target in statement.action.targets() {
                match &target.root {
                    Root::Local(_) => {}
                    Root::Global(id) => _ = self.globals.insert(*id),
                    Root::Field(object, field) => {
                        self.fields.insert((object.of.object(), *field));
                    }
                }
            }
            let blocks = statement.action.blocks().into_iter();
            blocks.for_each(|block| self.note(program, block));
        }
    }

    /// Whether an expression reads what others may change.
    pub fn is_shared(&self, expr: &Expr) -> bool {
        let own = match &expr.form {
            Form::Global(id) => self.globals.contains(id),
            Form::Field(object, field) => self.fields.contains(&(object.of.object(), *field)),
            Form::Ended(_) => true,
            _ => false,
        };
        own || expr.children().into_iter().any(|child| self.is_shared(child))
    }

    /// Whether finding a target reads what others may change.
    pub fn finds_by_shared(&self, target: &Target) -> bool {
        let object = match &target.root {
            Root::Field(object, _) => self.is_shared(object),
            Root::Local(_) | Root::Global(_) => false,
        };
        object || indices(target).any(|index| self.is_shared(index))
    }
}

/// Whether some statement of a block calls one of some steps.
fn comes_to(block: &[Statement], steps: &Steps) -> bool {
    let calls = |operation: &Operation| match operation {
        Operation::Step { object, step, .. } => steps.contains(&(object.of.object(), *step)),
        _ => false,
    };
    block.iter().any(|statement| {
        let own = match &statement.action {
            Action::Select(select) => select.arms.iter().any(|arm| calls(&arm.operation)),
            _ => false,
        };
        own || statement.action.blocks().into_iter().any(|block| comes_to(block, steps))
    })
}

/// The kind of process whose end is waited for, where it is kept how it ended.
fn joined(operation: &Operation) -> Option<Option<ProcessId>> {
    fn kind(of: &Type) -> Option<ProcessId> {
        match of {
            Type::Handle(kind) => *kind,
            Type::Optional(inner) | Type::Set(inner, _) | Type::Sequence(inner, _) => kind(inner),
            _ => None,
        }
    }
    match operation {
        Operation::Join(handle, Some(_)) | Operation::JoinAny(handle, _, Some(_)) => {
            Some(kind(&handle.of))
        }
        _ => None,
    }
}

/// Whether a target is something that others may see.
pub fn is_seen(target: &Target) -> bool {
    !matches!(target.root, Root::Local(_))
}

/// Whether evaluating an expression can fault.
pub fn can_fault(expr: &Expr) -> bool {
    if let Form::Sure(inner) = &expr.form {
        return inner.children().into_iter().any(can_fault);
    }
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
pub fn assignment_can_fault(target: &Target, of: &Type, value: &Expr) -> bool {
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
