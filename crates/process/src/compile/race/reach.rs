//! What statements may access, by their form alone.

use std::collections::{HashMap, HashSet};

use crate::path::{Access, Location};
use program::{
    Action, Expr, FieldId, Form, FunctionId, GlobalId, ObjectId, Operation, Program, Root,
    Statement, StepId,
};

/// A global variable, or a field of any object of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    Global(GlobalId),
    Field(ObjectId, FieldId),
}

/// What may be accessed, and whether it is written.
#[derive(Default)]
pub(super) struct Reach(HashMap<Of, bool>);

impl<'a> FromIterator<&'a Access> for Reach {
    fn from_iter<T: IntoIterator<Item = &'a Access>>(accesses: T) -> Reach {
        let mut reach = Reach::default();
        for access in accesses {
            let of = match access.location {
                Location::Global(id) => Of::Global(id),
                Location::Field(of, _, field) => Of::Field(of, field),
            };
            reach.note(of, access.is_write);
        }
        reach
    }
}

impl Reach {
    /// What statements that are done at once may access, with the steps that they come to, and those of others whom
    /// they meet there.
    pub(super) fn of(program: &Program, block: &[Statement]) -> Reach {
        let (reach, steps, functions) = Default::default();
        let mut walk = Walk { program, reach, steps, functions };
        walk.block(block);
        walk.reach
    }

    /// Whether something is accessed by both, and written by one.
    pub(super) fn disputes(&self, other: &Reach) -> bool {
        let is_disputed = |(of, writes): (&Of, &bool)| {
            other.0.get(of).is_some_and(|also_writes| *writes || *also_writes)
        };
        self.0.iter().any(is_disputed)
    }

    fn note(&mut self, of: Of, is_write: bool) {
        *self.0.entry(of).or_default() |= is_write;
    }
}

struct Walk<'p> {
    program: &'p Program,
    reach: Reach,
    steps: HashSet<(ObjectId, StepId)>,
    functions: HashSet<FunctionId>,
}

impl Walk<'_> {
    fn block(&mut self, block: &[Statement]) {
        for Statement { action, .. } in block {
            for target in action.targets() {
                match &target.root {
                    Root::Local(_) => {}
                    Root::Global(id) => self.reach.note(Of::Global(*id), true),
                    Root::Field(object, field) => {
                        self.reach.note(Of::Field(object.of.object(), *field), true);
                    }
                }
            }
            action.exprs().into_iter().for_each(|expr| self.expr(expr));
            match action {
                Action::Call(_, function, _) if self.functions.insert(*function) => {
                    self.block(&self.program.functions[function.index()].body);
                }
                Action::New(_, object, _) => {
                    let fields = &self.program.objects[object.index()].fields;
                    fields.iter().for_each(|field| self.expr(&field.initial));
                }
                Action::Select(select) => {
                    for arm in &select.arms {
                        if let Operation::Step { object, step, .. } = &arm.operation {
                            self.step(object.of.object(), *step);
                        }
                    }
                }
                _ => {}
            }
            action.blocks().into_iter().for_each(|block| self.block(block));
        }
    }

    fn step(&mut self, of: ObjectId, step: StepId) {
        if !self.steps.insert((of, step)) {
            return;
        }
        let object = &self.program.objects[of.index()];
        self.block(&object.steps[step.index()].routine.body);
        for meeting in &object.meetings {
            if meeting.first == step || meeting.second == step {
                self.block(&meeting.body);
                meeting.results.iter().flatten().for_each(|result| self.expr(result));
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.form {
            Form::Global(id) => self.reach.note(Of::Global(*id), false),
            Form::Field(object, field) => {
                self.reach.note(Of::Field(object.of.object(), *field), false);
            }
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(child));
    }
}
