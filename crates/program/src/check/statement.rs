//! Statements.

use super::{Checker, is_alike};
use crate::{
    Action, Arm, Domain, Expr, LabelId, LocalId, LoopId, Operation, Routine, Select, StepId,
    Target, Type,
};

impl<'p> Checker<'p> {
    pub(super) fn action(&mut self, action: &'p Action) {
        let program = self.program;
        match action {
            Action::Assign(target, value) => match self.target(target) {
                Some(of) => self.fits(value, &of),
                None => self.expr(value),
            },
            Action::New(target, id, arguments) => {
                let Some(object) = self.object_type(&Type::Object(*id)) else { return };
                self.arguments(arguments, &object.parameters);
                self.gets(Some(target), Some(&Type::Object(*id)));
            }
            Action::If(condition, yes, no) => {
                self.fits(condition, &Type::Bool);
                self.block(yes);
                self.block(no);
            }
            Action::Loop(id, body) => {
                let is_new = !self.loops.contains(id);
                self.require(is_new, || format!("{id:?} is within itself"));
                self.loops.push(*id);
                self.block(body);
                self.loops.pop();
            }
            Action::Break(id) | Action::Continue(id) => self.around(*id),
            Action::Block(block) | Action::Atomic(block) => self.block(block),
            Action::Defer(block) => {
                // What is deferred leaves no loop around it.
                let around = std::mem::take(&mut self.loops);
                self.block(block);
                self.loops = around;
            }
            Action::Either(blocks) => {
                self.require(!blocks.is_empty(), || "there is nothing to do".into());
                blocks.iter().for_each(|block| self.block(block));
            }
            Action::Return(value) => self.returned(value.as_ref(), self.result),
            Action::Choose(local, domain, when) => {
                self.chosen(*local, domain, when.is_some());
                when.iter().for_each(|when| self.fits(when, &Type::Bool));
            }
            Action::Assert(condition) | Action::Require(condition) => {
                self.fits(condition, &Type::Bool);
            }
            Action::Label(label) => self.label(*label),
            Action::Spawn(target, id, arguments) => {
                let routine = program.processes.get(id.index());
                let of = Type::Handle(Some(*id));
                self.started(routine, target.as_ref(), Some(&of), arguments);
            }
            Action::Call(target, id, arguments) => {
                let routine = program.functions.get(id.index());
                let of = routine.and_then(|routine| routine.result.as_ref());
                self.started(routine, target.as_ref(), of, arguments);
            }
            Action::Kill(handle) | Action::Crash(handle) => self.handle(handle),
            Action::Select(select) => self.select(select),
        }
    }

    fn around(&mut self, id: LoopId) {
        let is_around = self.loops.contains(&id);
        self.require(is_around, || format!("{id:?} is not around"));
    }

    fn label(&mut self, label: LabelId) {
        let is_there = label.index() < self.labels;
        self.require(is_there, || format!("{label:?} is not there"));
    }

    /// A routine is started, and what comes of it is given to a target.
    fn started(
        &mut self,
        routine: Option<&'p Routine>,
        target: Option<&'p Target>,
        of: Option<&Type>,
        arguments: &'p [Expr],
    ) {
        let Some(routine) = routine else {
            _ = self.require(false, || "what is started is not there".into());
            return;
        };
        let parameters = routine.locals.get(..routine.parameters).unwrap_or_default();
        self.arguments(arguments, parameters);
        self.gets(target, of);
    }

    /// A target gets a value of a type, which has to be one of its own.
    fn gets(&mut self, target: Option<&'p Target>, value: Option<&Type>) {
        let Some(of) = target.and_then(|target| self.target(target)) else { return };
        let is_one = value.is_some_and(|value| is_alike(&of, value));
        self.require(is_one, || format!("{of:?} gets {value:?}"));
    }

    /// A variable gets a value of a type.
    fn local_gets(&mut self, local: LocalId, value: Option<&Type>) {
        let Some(of) = self.local(local) else { return };
        let is_one = value.is_some_and(|value| is_alike(of, value));
        self.require(is_one, || format!("{of:?} gets {value:?}"));
    }

    fn chosen(&mut self, local: LocalId, domain: &'p Domain, has_condition: bool) {
        let of = match domain {
            Domain::Range(from, to) => {
                let number = Type::Int { min: 0, max: 0 };
                self.fits(from, &number);
                self.fits(to, &number);
                Some(number)
            }
            Domain::Type(of) | Domain::Forgotten(of) => {
                self.of(of);
                let is_listed = matches!(of, Type::Int { .. } | Type::Bool | Type::Member(_));
                self.require(is_listed, || format!("nobody chooses from {of:?}"));
                let is_free = matches!(domain, Domain::Type(_)) || !has_condition;
                self.require(is_free, || "what is forgotten has no condition".into());
                Some(of.clone())
            }
            Domain::Collection(over) => {
                self.expr(over);
                self.element(&over.of)
            }
        };
        if of.is_some() {
            self.local_gets(local, of.as_ref());
        }
    }

    fn select(&mut self, select: &'p Select) {
        for arm in &select.arms {
            self.arm(arm);
        }
        select.otherwise.iter().for_each(|block| self.block(block));
    }

    fn arm(&mut self, arm: &'p Arm) {
        let around = std::mem::replace(&mut self.origin, arm.origin);
        arm.label.into_iter().for_each(|label| self.label(label));
        arm.when.iter().for_each(|when| self.fits(when, &Type::Bool));
        match &arm.operation {
            Operation::Step { object, step, arguments, result } => {
                self.expr(object);
                self.step(&object.of, *step, arguments, *result);
            }
            Operation::Join(handle, result) => {
                self.handle(handle);
                let of = self.joined(&handle.of);
                result.iter().for_each(|local| self.local_gets(*local, Some(&of)));
            }
            Operation::JoinAny(handles, which, result) => {
                self.expr(handles);
                if let Some(handle) = self.element(&handles.of) {
                    let is_handle = matches!(handle, Type::Handle(_));
                    self.require(is_handle, || format!("{handle:?} does not end"));
                    let of = self.joined(&handle);
                    which.iter().for_each(|local| self.local_gets(*local, Some(&handle)));
                    result.iter().for_each(|local| self.local_gets(*local, Some(&of)));
                }
            }
            Operation::Await(condition) => self.fits(condition, &Type::Bool),
        }
        self.block(&arm.body);
        self.origin = around;
    }

    fn step(
        &mut self,
        object: &Type,
        step: StepId,
        arguments: &'p [Expr],
        result: Option<LocalId>,
    ) {
        let Some(object) = self.object_type(object) else { return };
        let Some(step) = object.steps.get(step.index()) else {
            _ = self.require(false, || format!("{step:?} is not there"));
            return;
        };
        let routine = &step.routine;
        let parameters = routine.locals.get(1..routine.parameters).unwrap_or_default();
        self.arguments(arguments, parameters);
        result.iter().for_each(|local| self.local_gets(*local, routine.result.as_ref()));
    }

    /// What is known of a process that has ended: its result, unless it was killed; or whether it was not.
    fn joined(&self, handle: &Type) -> Type {
        match handle {
            Type::Optional(inner) => self.joined(inner),
            Type::Handle(Some(id)) => {
                let routine = self.program.processes.get(id.index());
                match routine.and_then(|routine| routine.result.as_ref()) {
                    Some(of) => Type::Optional(Box::new(of.clone())),
                    None => Type::Bool,
                }
            }
            _ => Type::Bool,
        }
    }
}
