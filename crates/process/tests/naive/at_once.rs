//! What is done at once: the statements of a step of an object, of an `atomic` block, of a meeting.
//!
//! Every way through them is an outcome. There is none past an `await` that does not hold.

use program::{
    Action, Arm, Block, Domain, Expr, LocalId, LoopId, Named, ObjectId, Operation, ProcessId,
    Routine, StepId, Target, Type,
};

use crate::access::{Log, lost};
use crate::code::Code;
use crate::evaluate::{Scope, elements};
use crate::meet::Role;
use crate::state::{Control, Frame, Object, Process, Progress, RoutineRef, State, Thread};
use crate::value::{Fault, Value};

/// A state in which a process is doing something.
#[derive(Clone, Debug)]
pub struct World {
    pub state: State,
    pub this: u32,
    /// The variables of what it is in; the innermost is the last.
    pub scopes: Vec<Vec<Option<Value>>>,
    /// Who else was moved, and has to go on to where it stops.
    pub moved: Vec<u32>,
    /// Who was crashed.
    pub crashed: Vec<u32>,
    /// What it has done to itself.
    pub doom: Option<Doom>,
    /// What was read and written.
    pub accesses: Log,
    /// In how many steps and atomic blocks it is.
    pub inside: u32,
    /// What it is to a rendezvous.
    pub role: Role,
    /// Where among the accesses those begin that are done together with another one, while they are.
    pub joint_from: Option<usize>,
}

/// What becomes of one who kills or crashes itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doom {
    Kill,
    Crash,
}

/// How statements are left.
#[derive(Clone, Debug)]
pub enum Flow {
    Next,
    Break(LoopId),
    Continue(LoopId),
    Return(Option<Value>),
}

pub type Outcome<T> = Result<(World, T), Fault>;

/// Goes on with each outcome.
pub fn then<T, U>(
    outcomes: Vec<Outcome<T>>,
    mut go_on: impl FnMut(World, T) -> Vec<Outcome<U>>,
) -> Vec<Outcome<U>> {
    let mut all = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok((world, found)) => all.extend(go_on(world, found)),
            Err(fault) => all.push(Err(fault)),
        }
    }
    all
}

/// Evaluates in a world.
pub fn one<T>(world: World, found: Result<T, Fault>) -> Vec<Outcome<T>> {
    match found {
        Ok(found) => vec![Ok((world, found))],
        Err(fault) => vec![Err(lost(&world, fault))],
    }
}

impl World {
    pub fn scope(&self) -> Scope<'_> {
        Scope {
            state: &self.state,
            this: Some(self.this),
            locals: self.scopes.last().expect("it is in something"),
            log: Some((&self.accesses, self.inside == 0)),
        }
    }

    /// Whether a condition holds. It counts as looked at even if nothing comes of it: if it does not hold, and if it does
    /// but the operation that it allows has to wait.
    pub fn awaits(&self, code: &Code, condition: &Expr) -> Result<bool, Fault> {
        let before = self.accesses.len();
        let holds = self.scope().holds(condition);
        self.accesses.are_conditions(before);
        if holds.is_ok() {
            code.looks.look(self);
        }
        holds
    }

    pub fn local(&mut self, local: LocalId) -> &mut Option<Value> {
        &mut self.scopes.last_mut().expect("it is in something")[local.index()]
    }
}

impl<'p> Code<'p> {
    pub fn block(&self, block: &'p [program::Statement], world: World) -> Vec<Outcome<Flow>> {
        let Some((first, rest)) = block.split_first() else { return vec![Ok((world, Flow::Next))] };
        if let Action::Defer(later) = &first.action {
            return then(self.block(rest, world), |world, flow| {
                then(self.block(later, world), |world, _| vec![Ok((world, flow.clone()))])
            });
        }
        then(self.action(&first.action, world), |world, flow| match flow {
            Flow::Next => self.block(rest, world),
            flow => vec![Ok((world, flow))],
        })
    }

    fn action(&self, action: &'p Action, world: World) -> Vec<Outcome<Flow>> {
        let next = |outcomes| then(outcomes, |world, ()| vec![Ok((world, Flow::Next))]);
        let value = |expr: &Expr, world: World| {
            let value = world.scope().eval(expr);
            one(world, value)
        };
        match action {
            Action::Assign(target, expr) => {
                next(then(value(expr, world), |world, value| self.assign_now(target, value, world)))
            }
            Action::New(target, object, arguments) => {
                let made = self.make(*object, arguments, &[], world);
                next(then(made, |world, value| self.assign_now(target, value, world)))
            }
            Action::If(condition, yes, no) => then(value(condition, world), |world, holds| {
                self.block(if holds.bool() { yes } else { no }, world)
            }),
            Action::Loop(id, body) => self.rounds(*id, body, world),
            Action::Break(id) => vec![Ok((world, Flow::Break(*id)))],
            Action::Continue(id) => vec![Ok((world, Flow::Continue(*id)))],
            Action::Block(block) | Action::Atomic(block) => self.block(block, world),
            Action::Return(None) => vec![Ok((world, Flow::Return(None)))],
            Action::Return(Some(expr)) => then(value(expr, world), |world, value| {
                vec![Ok((world, Flow::Return(Some(value))))]
            }),
            Action::Choose(local, domain, when) => {
                next(self.choose(*local, domain, when.as_ref(), world))
            }
            Action::Either(blocks) => {
                blocks.iter().flat_map(|block| self.block(block, world.clone())).collect()
            }
            Action::Assert(condition) | Action::Require(condition) => {
                then(value(condition, world), |world, holds| match holds.bool() {
                    true => vec![Ok((world, Flow::Next))],
                    false => one(world, Err(Fault("it does not hold"))),
                })
            }
            Action::Label(_) => vec![Ok((world, Flow::Next))],
            Action::Spawn(target, process, arguments) => next(then(
                self.spawn(*process, arguments, &[], world),
                |world, handle| match target {
                    Some(target) => self.assign_now(target, handle, world),
                    None => vec![Ok((world, ()))],
                },
            )),
            Action::Call(target, function, arguments) => {
                let routine = &self.program.functions[function.index()];
                let passed = self.arguments(&routine.locals, arguments, &[], &world);
                then(one(world, passed), |world, passed| {
                    next(then(
                        self.routine_at_once(routine, passed, world),
                        |world, result| match (target, result) {
                            (Some(target), Some(value)) => self.assign_now(target, value, world),
                            _ => vec![Ok((world, ()))],
                        },
                    ))
                })
            }
            Action::Select(select) => {
                if let Some(otherwise) = &select.otherwise {
                    // Whether an arm can go does not depend on what is done then.
                    let can_go = |arm: &'p Arm| !self.waited_at_once(arm, world.clone()).is_empty();
                    if !select.arms.iter().any(can_go) {
                        self.counts.add("else is taken at once");
                        return self.block(otherwise, world);
                    }
                    self.counts.add("else is not taken at once");
                }
                let arms = select.arms.iter();
                arms.flat_map(|arm| self.arm_at_once(arm, world.clone())).collect()
            }
            Action::Kill(handle) | Action::Crash(handle) => {
                let is_kill = matches!(action, Action::Kill(_));
                let victim = world.scope().eval(handle).and_then(|handle| handle.process());
                next(then(one(world, victim), |world, victim| {
                    self.end_at_once(victim, is_kill, world)
                }))
            }
            Action::Defer(_) => unreachable!("its block sees to it"),
        }
    }

    fn arm_at_once(&self, arm: &'p Arm, world: World) -> Vec<Outcome<Flow>> {
        then(self.waited_at_once(arm, world), |world, ()| self.block(&arm.body, world))
    }

    /// What an arm waits for, where it can be had.
    fn waited_at_once(&self, arm: &'p Arm, world: World) -> Vec<Outcome<()>> {
        let allowed = arm.when.as_ref().map_or(Ok(true), |when| world.awaits(self, when));
        then(one(world, allowed), |world, allowed| match allowed {
            true => self.operation(&arm.operation, &[], world),
            false => Vec::new(),
        })
    }

    /// Kills or crashes a process. One who does that to itself finishes what it does first.
    fn end_at_once(&self, victim: u32, is_kill: bool, mut world: World) -> Vec<Outcome<()>> {
        if victim == world.this {
            self.counts.add(match is_kill {
                true => "kill oneself at once",
                false => "crash oneself at once",
            });
            let doom = if is_kill { Doom::Kill } else { Doom::Crash };
            world.doom = world.doom.max(Some(doom));
            return vec![Ok((world, ()))];
        }
        let Some(thread) = world.state.thread(victim) else { return vec![Ok((world, ()))] };
        if !is_kill {
            self.counts.add("crash another at once");
            world.state.processes[victim as usize] = Process::Ended(None);
            world.crashed.push(victim);
        } else if !thread.is_killed {
            if !self.can_be_killed(&world.state, victim) {
                self.counts.add("kill waits");
                return Vec::new();
            }
            self.counts.add("kill another at once");
            self.kill(&mut world.state, victim);
            world.moved.push(victim);
        }
        vec![Ok((world, ()))]
    }

    /// What is waited for, where it can be had. Some operands may have been read before.
    pub fn operation(
        &self,
        operation: &'p Operation,
        given: &[Option<Value>],
        world: World,
    ) -> Vec<Outcome<()>> {
        let operand = |index: usize, expr: &Expr| match given.get(index).cloned().flatten() {
            Some(value) => Ok(value),
            None => world.scope().eval(expr),
        };
        let asked = |index: usize, expr: &Expr| {
            let before = world.accesses.len();
            let value = operand(index, expr);
            world.accesses.are_conditions(before);
            self.looks.look(&world);
            value
        };
        match operation {
            Operation::Await(condition) => {
                let holds = world.awaits(self, condition);
                let passed = |world, holds| if holds { vec![Ok((world, ()))] } else { Vec::new() };
                then(one(world, holds), passed)
            }
            Operation::Join(handle, result) => {
                let pid = asked(0, handle).and_then(|handle| handle.process());
                let has_result = self.has_result(&handle.of);
                then(one(world, pid), |world, pid| join(pid, *result, has_result, world))
            }
            Operation::JoinAny(handles, which, result) => {
                let (Type::Set(of, _) | Type::Sequence(of, _)) = &handles.of else {
                    panic!("one of {handles:?}")
                };
                let has_result = self.has_result(of);
                let handles = asked(0, handles);
                then(one(world, handles), |world, handles| {
                    let each = elements(&handles).into_iter();
                    let ways = each.flat_map(|handle| {
                        let pid = handle.process().expect("there are no gaps in a collection");
                        let mut world = world.clone();
                        if let Some(which) = which {
                            *world.local(*which) = Some(handle);
                        }
                        join(pid, *result, has_result, world)
                    });
                    ways.collect()
                })
            }
            Operation::Step { object, step, arguments, result } => {
                let of = object.of.object();
                let found = asked(0, object).and_then(|object| object.object());
                let later = given.get(1..).unwrap_or_default().to_vec();
                then(one(world, found), |world, id| {
                    self.step(of, id, *step, arguments, &later, *result, world)
                })
            }
        }
    }

    /// Whether a process of a handle gives a result.
    fn has_result(&self, of: &Type) -> bool {
        match of {
            Type::Optional(inner) => self.has_result(inner),
            Type::Handle(Some(kind)) => self.program.processes[kind.index()].result.is_some(),
            _ => false,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a step is all this")]
    fn step(
        &self,
        of: ObjectId,
        id: u32,
        step: StepId,
        arguments: &[Expr],
        given: &[Option<Value>],
        result: Option<LocalId>,
        world: World,
    ) -> Vec<Outcome<()>> {
        let routine = &self.program.objects[of.index()].steps[step.index()].routine;
        let before = world.accesses.len();
        let passed = self.arguments(&routine.locals[1..], arguments, given, &world);
        world.accesses.are_conditions(before);
        self.looks.look(&world);
        then(one(world, passed), |world, mut passed| {
            let together = self.step_together((of, id, step), &passed, result, &world);
            passed.insert(0, Value::Object(id));
            let alone = then(self.routine_at_once(routine, passed, world), |mut world, value| {
                if let Some(local) = result {
                    *world.local(local) = value;
                }
                vec![Ok((world, ()))]
            });
            together.into_iter().chain(alone).collect()
        })
    }

    fn routine_at_once(
        &self,
        routine: &'p Routine,
        passed: Vec<Value>,
        mut world: World,
    ) -> Vec<Outcome<Option<Value>>> {
        let mut locals: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
        locals.resize(routine.locals.len(), None);
        world.scopes.push(locals);
        world.inside += 1;
        then(self.block(&routine.body, world), |mut world, flow| {
            world.scopes.pop();
            world.inside -= 1;
            match (flow, &routine.result) {
                (Flow::Return(Some(value)), Some(of)) if !value.fits(self.program, of) => {
                    one(world, Err(Fault("the result is out of range")))
                }
                (Flow::Return(value), _) => vec![Ok((world, value))],
                _ => vec![Ok((world, None))],
            }
        })
    }

    fn rounds(&self, id: LoopId, body: &'p Block, world: World) -> Vec<Outcome<Flow>> {
        then(self.block(body, world), |world, flow| match flow {
            Flow::Break(other) if other == id => vec![Ok((world, Flow::Next))],
            Flow::Continue(other) if other == id => self.rounds(id, body, world),
            Flow::Next => self.rounds(id, body, world),
            flow => vec![Ok((world, flow))],
        })
    }

    /// A variable gets any value of a domain for which a condition holds.
    pub fn choose(
        &self,
        local: LocalId,
        domain: &Domain,
        when: Option<&Expr>,
        world: World,
    ) -> Vec<Outcome<()>> {
        let before = world.accesses.len();
        let values = match domain {
            Domain::Range(from, to) => {
                let ends = [from, to].map(|end| world.scope().eval(end));
                match ends {
                    [Ok(from), Ok(to)] => Ok((from.int()..=to.int()).map(Value::Int).collect()),
                    [Err(fault), _] | [_, Err(fault)] => Err(fault),
                }
            }
            Domain::Collection(over) => world.scope().eval(over).map(|over| {
                let mut values = elements(&over);
                values.sort();
                values.dedup();
                values
            }),
            Domain::Type(Type::Int { min, max }) => Ok((*min..=*max).map(Value::Int).collect()),
            Domain::Type(Type::Bool) => Ok(vec![Value::Bool(false), Value::Bool(true)]),
            Domain::Type(other) => panic!("nobody chooses from {other:?}"),
            Domain::Forgotten(_) => panic!("what is forgotten is not asked for at once"),
        };
        world.accesses.are_conditions(before);
        then(one(world, values), |world, values: Vec<Value>| {
            self.looks.look(&world);
            let each = values.into_iter().filter_map(|value| {
                let mut world = world.clone();
                *world.local(local) = Some(value);
                match when.map_or(Ok(true), |when| world.awaits(self, when)) {
                    Ok(true) => Some(Ok((world, ()))),
                    Ok(false) => None,
                    Err(fault) => Some(Err(lost(&world, fault))),
                }
            });
            each.collect()
        })
    }

    /// The values of arguments. Some may have been read before.
    pub fn arguments(
        &self,
        parameters: &[Named],
        arguments: &[Expr],
        given: &[Option<Value>],
        world: &World,
    ) -> Result<Vec<Value>, Fault> {
        let mut passed = Vec::new();
        for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let value = match given.get(index).cloned().flatten() {
                Some(value) => value,
                None => world.scope().eval(argument)?,
            };
            if !value.fits(self.program, &parameter.of) {
                return Err(Fault("the argument is out of range"));
            }
            passed.push(value);
        }
        Ok(passed)
    }

    /// Makes an object.
    pub fn make(
        &self,
        of: ObjectId,
        arguments: &[Expr],
        given: &[Option<Value>],
        mut world: World,
    ) -> Vec<Outcome<Value>> {
        let object = &self.program.objects[of.index()];
        let made =
            self.arguments(&object.parameters, arguments, given, &world).and_then(|passed| {
                let passed: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
                self.fields(of, &world.state, &passed)
            });
        let made = made.map(|fields| {
            world.state.objects.push(Object { of, fields });
            Value::Object(world.state.objects.len() as u32 - 1)
        });
        one(world, made)
    }

    /// The first values of fields.
    pub fn fields(
        &self,
        of: ObjectId,
        state: &State,
        passed: &[Option<Value>],
    ) -> Result<Vec<Value>, Fault> {
        let scope = Scope { state, this: None, locals: passed, log: None };
        let fields = self.program.objects[of.index()].fields.iter();
        fields
            .map(|field| {
                let value = scope.eval(&field.initial)?;
                match value.fits(self.program, &field.variable.of) {
                    true => Ok(value),
                    false => Err(Fault("the first value is out of range")),
                }
            })
            .collect()
    }

    /// Starts a process.
    pub fn spawn(
        &self,
        kind: ProcessId,
        arguments: &[Expr],
        given: &[Option<Value>],
        mut world: World,
    ) -> Vec<Outcome<Value>> {
        let routine = &self.program.processes[kind.index()];
        let passed = self.arguments(&routine.locals, arguments, given, &world);
        let handle = passed.map(|passed| {
            let pid = world.state.processes.len() as u32;
            world.state.processes.push(Process::Running(self.begin(kind, passed)));
            world.moved.push(pid);
            Value::Process(pid)
        });
        one(world, handle)
    }

    /// A thread at its beginning.
    pub fn begin(&self, kind: ProcessId, passed: Vec<Value>) -> Thread {
        let routine = &self.program.processes[kind.index()];
        let mut locals: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
        locals.resize(routine.locals.len(), None);
        let block = self.id(&routine.body);
        let control = vec![Control::Block { block, at: 0, deferred: Vec::new(), exit: None }];
        let routine = RoutineRef::Process(kind);
        let (progress, labels, held) = (Progress::Fresh, Vec::new(), Vec::new());
        let frame = Frame { routine, locals, control, progress, labels, held };
        Thread { kind, frames: vec![frame], is_killed: false }
    }

    fn assign_now(&self, target: &Target, value: Value, world: World) -> Vec<Outcome<()>> {
        let place = self.place(target, &[], &world);
        then(one(world, place), |mut world, place| {
            let assigned = self.assign(&place, value.clone(), &mut world);
            one(world, assigned)
        })
    }
}

/// Goes on if a process has ended, with its result; where there is none, with whether it ended by itself.
fn join(pid: u32, result: Option<LocalId>, has_result: bool, mut world: World) -> Vec<Outcome<()>> {
    let Process::Ended(outcome) = &world.state.processes[pid as usize] else { return Vec::new() };
    let value = match outcome {
        outcome if !has_result => Value::Bool(outcome.is_some()),
        Some(Some(value)) => Value::Some(Box::new(value.clone())),
        _ => Value::Nothing,
    };
    if let Some(local) = result {
        *world.local(local) = Some(value);
    }
    vec![Ok((world, ()))]
}
