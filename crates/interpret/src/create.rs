//! What is created while a program runs: objects and processes, and the arguments that they get.

use program::{Expr, Named, ObjectId, ProcessId, Source};

use crate::evaluate::Scope;
use crate::failure::Cause;
use crate::interpreter::Interpreter;
use crate::next::Birth;
use crate::state::{Frame, Object, Process, State, Thread};
use crate::value::{Address, Pid, Value};
use crate::world::{Outcome, World, one};

impl<'p> Interpreter<'p> {
    /// The values of arguments. Some may have been read before.
    pub(crate) fn arguments(
        &self,
        parameters: &[Named],
        arguments: &[Expr],
        given: &[Option<Value>],
        world: &World,
    ) -> Result<Vec<Value>, Cause> {
        let mut passed = Vec::new();
        for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let value = match given.get(index).cloned().flatten() {
                Some(value) => value,
                None => world.scope().eval(argument)?,
            };
            value.fit(self.program, &parameter.of)?;
            passed.push(value);
        }
        Ok(passed)
    }

    /// Makes an object.
    pub(crate) fn make(
        &self,
        of: ObjectId,
        arguments: &[Expr],
        given: &[Option<Value>],
        mut world: World<'p>,
    ) -> Vec<Outcome<'p, Value>> {
        let object = &self.program.objects[of.index()];
        let passed = self.arguments(&object.parameters, arguments, given, &world);
        let made = passed.and_then(|passed| {
            let passed: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
            let fields = self.fields(of, &world.state, &passed)?;
            Ok(world.state.add(Object { of, fields }))
        });
        one(world, made)
    }

    /// The first values of fields.
    pub(crate) fn fields(
        &self,
        of: ObjectId,
        state: &State,
        passed: &[Option<Value>],
    ) -> Result<Vec<Value>, Cause> {
        let scope = Scope { locals: passed, ..self.outside(state) };
        let fields = self.program.objects[of.index()].fields.iter();
        let first = fields.map(|field| {
            let value = scope.eval(&field.initial)?;
            value.fit(self.program, &field.variable.of)?;
            Ok(value)
        });
        first.collect()
    }

    /// Where nothing runs.
    pub(crate) fn outside<'s>(&'s self, state: &'s State) -> Scope<'s> {
        Scope { program: self.program, state, this: None, locals: &[], reader: None }
    }

    /// Starts a process.
    pub(crate) fn spawn(
        &self,
        kind: ProcessId,
        arguments: &[Expr],
        given: &[Option<Value>],
        mut world: World<'p>,
    ) -> Vec<Outcome<'p, Value>> {
        let routine = &self.program.processes[kind.index()];
        let passed = self.arguments(&routine.locals, arguments, given, &world);
        let handle = passed.map(|passed| {
            let pid = Pid(world.state.processes.len() as u32);
            world.state.processes.push(Process::Running(self.begin(kind, passed)));
            world.moved.push(pid);
            world.births.push(Birth { child: pid, parent: world.this });
            Value::Process(pid)
        });
        one(world, handle)
    }

    /// A thread at its beginning.
    pub(crate) fn begin(&self, kind: ProcessId, passed: Vec<Value>) -> Thread {
        let routine = &self.program.processes[kind.index()];
        let mut locals: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
        locals.resize(routine.locals.len(), None);
        let frame = Frame::new(Source::Process(kind), locals, self.id(&routine.body));
        Thread { kind, frames: vec![frame], is_killed: false }
    }
}

impl State {
    /// Adds an object, and gives a reference to it.
    pub(crate) fn add(&mut self, object: Object) -> Value {
        self.objects.push(object);
        Value::Object(Address(self.objects.len() as u32 - 1))
    }
}
