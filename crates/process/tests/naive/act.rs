//! What a thread does where it stops.

use program::{Action, Arm, Operation, Select};

use crate::access::lost;
use crate::at_once::{Flow, Outcome, World, one, then};
use crate::code::{Code, operands, operands_of_operation, operands_of_target};
use crate::control::Point;
use crate::state::{Control, Exit, Process, Progress, State};
use crate::value::{Fault, Value};

pub type Done = Result<World, Fault>;

/// How a thread goes on that has done what it waited for.
#[derive(Clone, Debug)]
pub enum Onward<'p> {
    /// By an arm of a `select`.
    Arm(&'p Arm),
    /// As an `atomic` block was left.
    Flow(Flow),
}

impl<'p> Code<'p> {
    /// All that a thread can do by itself before a statement, `else` left aside. Its variables may be out of the
    /// state still: see [`World::put_back`].
    pub fn act(&self, state: &State, pid: u32) -> Vec<Done> {
        let mut state = state.clone();
        let Point::Before(statement, known) = self.settle(&mut state, pid) else {
            panic!("a thread acts before a statement")
        };
        let frame = state.thread_mut(pid).frame_mut();
        self.hold_labels(frame);
        let action = &statement.action;
        if let Progress::Returned(Some(value), given) = frame.progress.clone() {
            return self.take_result(action, value, &given, state, pid);
        }
        if frame.progress == Progress::Fresh && known.reads.contains(&true) {
            let reads = known.reads.clone();
            return self.read(action, &reads, state, pid);
        }
        let given = frame.given();
        if let Action::Kill(_) | Action::Crash(_) = action {
            return self.end_other(action, &given, state, pid);
        }
        let world = World::of(state, pid);
        let done = match action {
            Action::Select(_) | Action::Atomic(_) => {
                let outcomes = self.done_at_once(action, &given, world).into_iter();
                let go_on = |outcome: Outcome<Onward<'p>>| match outcome {
                    Ok((world, onward)) => self.go_on(onward, world),
                    Err(fault) => vec![Err(fault)],
                };
                return outcomes.flat_map(go_on).collect();
            }
            Action::Assign(target, value) => {
                let is_local = matches!(target.root, program::Root::Local(_));
                let before = if is_local { None } else { given.last().cloned().flatten() };
                let value = before.map_or_else(|| world.scope().eval(value), Ok);
                let place = self.place(target, &given, &world);
                then(
                    one(world, value.and_then(|v| Ok((v, place?)))),
                    |mut world, (value, place)| {
                        let assigned = self.assign(&place, value, &mut world);
                        one(world, assigned)
                    },
                )
            }
            Action::New(target, object, arguments) => {
                then(self.make(*object, arguments, &given, world), |mut world, made| {
                    let place = self.place(target, &[], &world);
                    let assigned = place.and_then(|place| self.assign(&place, made, &mut world));
                    one(world, assigned)
                })
            }
            Action::Spawn(target, process, arguments) => {
                then(self.spawn(*process, arguments, &given, world), |mut world, handle| {
                    let assigned = target.as_ref().map_or(Ok(()), |target| {
                        let place = self.place(target, &[], &world)?;
                        self.assign(&place, handle, &mut world)
                    });
                    one(world, assigned)
                })
            }
            Action::Choose(local, domain, when) => {
                self.choose(*local, domain, when.as_ref(), world)
            }
            Action::Assert(condition) | Action::Require(condition) => {
                let holds = world.scope().holds(condition);
                let claim = |holds: bool| if holds { Ok(()) } else { Err(Fault("it fails")) };
                one(world, holds.and_then(claim))
            }
            Action::Label(_) => vec![Ok((world, ()))],
            Action::If(condition, yes, no) => {
                let holds = world.scope().holds(condition);
                return then(one(world, holds), |mut world, holds| {
                    world.put_back();
                    let frame = world.state.thread_mut(pid).frame_mut();
                    frame.advance();
                    frame.enter(self.id(if holds { yes } else { no }));
                    vec![Ok((world, ()))]
                })
                .into_iter()
                .map(|outcome| outcome.map(|(world, ())| world))
                .collect();
            }
            Action::Return(Some(value)) => {
                let value = world.scope().eval(value);
                return self.leave_with(value.map(|v| Flow::Return(Some(v))), world);
            }
            other => panic!("{other:?} is no step"),
        };
        done.into_iter().map(|outcome| outcome.map(|(world, ())| advanced(world))).collect()
    }

    /// Reads operands.
    fn read(&self, action: &Action, reads: &[bool], state: State, pid: u32) -> Vec<Done> {
        let mut world = World::of(state, pid);
        let mut values = Vec::new();
        for (index, (expr, is_read)) in operands(action).into_iter().zip(reads).enumerate() {
            let value = match is_read {
                true => match world.scope().eval(expr) {
                    Ok(value) => Some(value),
                    Err(fault) => return vec![Err(lost(&world, fault))],
                },
                false => None,
            };
            if let (Some(value), Action::Call(_, function, _)) = (&value, action) {
                let parameter = &self.program.functions[function.index()].locals[index];
                if !value.fits(self.program, &parameter.of) {
                    return vec![Err(lost(&world, Fault("the argument is out of range")))];
                }
            }
            values.push(value);
        }
        world.put_back();
        world.state.thread_mut(pid).frame_mut().progress = Progress::Read(values);
        vec![Ok(world)]
    }

    /// Assigns the result of a call.
    fn take_result(
        &self,
        action: &Action,
        value: Value,
        given: &[Option<Value>],
        state: State,
        pid: u32,
    ) -> Vec<Done> {
        let Action::Call(Some(target), ..) = action else { panic!("nobody wants the result") };
        let reads = self.reads_of_target(target);
        let mut world = World::of(state, pid);
        if given.is_empty() && reads.contains(&true) {
            let mut values = Vec::new();
            for (expr, is_read) in operands_of_target(target).into_iter().zip(reads) {
                match is_read.then(|| world.scope().eval(expr)).transpose() {
                    Ok(value) => values.push(value),
                    Err(fault) => return vec![Err(lost(&world, fault))],
                }
            }
            world.put_back();
            let frame = world.state.thread_mut(pid).frame_mut();
            frame.progress = Progress::Returned(Some(value), values);
            return vec![Ok(world)];
        }
        let place = self.place(target, given, &world);
        match place.and_then(|place| self.assign(&place, value, &mut world)) {
            Ok(()) => vec![Ok(advanced(world))],
            Err(fault) => vec![Err(lost(&world, fault))],
        }
    }

    fn leave_with(&self, flow: Result<Flow, Fault>, mut world: World) -> Vec<Done> {
        let pid = world.this;
        world.put_back();
        let thread = world.state.thread_mut(pid);
        let routine = self.routine(thread.frame().routine);
        thread.frame_mut().advance();
        // Where it is doomed it does not matter how it would have gone on, but in something deferred.
        let mut parts = thread.frames.iter().flat_map(|frame| &frame.control);
        let is_deferred = parts.any(|part| matches!(part, Control::Block { exit: Some(_), .. }));
        if world.doom.is_some() && !thread.is_killed && !is_deferred && flow.is_ok() {
            return vec![Ok(world)];
        }
        let exit = match flow {
            Err(fault) => return vec![Err(lost(&world, fault))],
            Ok(Flow::Next) => return vec![Ok(world)],
            Ok(Flow::Break(id)) => Exit::Break(id),
            Ok(Flow::Continue(id)) => Exit::Continue(id),
            Ok(Flow::Return(value)) => {
                if let (Some(value), Some(of)) = (&value, &routine.result)
                    && !value.fits(self.program, of)
                {
                    return vec![Err(lost(&world, Fault("the result is out of range")))];
                }
                Exit::Return(value)
            }
        };
        self.leave(&mut world.state, pid, exit);
        vec![Ok(world)]
    }

    /// `kill` and `crash`.
    fn end_other(
        &self,
        action: &Action,
        given: &[Option<Value>],
        state: State,
        pid: u32,
    ) -> Vec<Done> {
        let (Action::Kill(handle) | Action::Crash(handle)) = action else {
            panic!("{action:?} ends nobody")
        };
        let is_kill = matches!(action, Action::Kill(_));
        let mut world = World::of(state, pid);
        let before = given.first().cloned().flatten();
        let found = before.map_or_else(|| world.scope().eval(handle), Ok);
        let victim = match found.and_then(|handle| handle.process()) {
            Ok(victim) => victim,
            Err(fault) => return vec![Err(lost(&world, fault))],
        };
        world.put_back();
        world.state.thread_mut(pid).frame_mut().advance();
        let Some(thread) = world.state.thread(victim) else {
            self.counts.add(if is_kill {
                "kill one that has ended"
            } else {
                "crash one that has ended"
            });
            return vec![Ok(world)];
        };
        if !is_kill {
            self.counts.add(if victim == pid { "crash oneself" } else { "crash another" });
            world.state.processes[victim as usize] = Process::Ended(None);
            world.crashed.push(victim);
            return vec![Ok(world)];
        }
        if thread.is_killed {
            self.counts.add("kill one that was killed");
            return vec![Ok(world)];
        }
        if victim != pid && !self.can_be_killed(&world.state, victim) {
            self.counts.add("kill waits");
            return Vec::new();
        }
        self.count_kill(&world.state, pid, victim);
        self.kill(&mut world.state, victim);
        world.moved.push(victim);
        vec![Ok(world)]
    }

    /// A thread is killed only before a statement that is not local, or where it has a turn of its own.
    pub fn can_be_killed(&self, state: &State, victim: u32) -> bool {
        let mut state = state.clone();
        self.settle(&mut state, victim);
        !self.is_before_local(state.thread(victim).expect("it runs").frame())
    }

    /// Kills a thread. A deferred block that it has come to is done to its end all the same.
    pub fn kill(&self, state: &mut State, victim: u32) {
        let thread = state.thread_mut(victim);
        thread.is_killed = true;
        for control in thread.frames.iter_mut().flat_map(|frame| &mut frame.control) {
            if let Control::Block { exit: Some(exit), .. } = control {
                *exit = Exit::Killed;
                return;
            }
        }
        thread.frame_mut().labels.clear();
        self.leave(state, victim, Exit::Killed);
    }

    /// Counts what kind of point somebody is killed at.
    fn count_kill(&self, state: &State, pid: u32, victim: u32) {
        let mut state = state.clone();
        if pid == victim {
            self.counts.add("kill oneself");
            return;
        }
        let point = self.settle(&mut state, victim);
        let thread = state.thread(victim).expect("it runs");
        self.counts.add(match point {
            Point::Turn(_) => "kill at a turn",
            Point::Ended => unreachable!("it runs"),
            Point::Before(_, known)
                if thread.frame().progress == Progress::Fresh && known.reads.contains(&true) =>
            {
                "kill before reading"
            }
            Point::Before(statement, _) => match (&statement.action, &thread.frame().progress) {
                (_, Progress::Waiting(_)) => "kill one who may be met",
                (Action::Select(_), _) => "kill at a select",
                (Action::Atomic(_), _) => "kill at an atomic block",
                (Action::Assign(..) | Action::If(..) | Action::Return(_), Progress::Fresh) => {
                    "kill at a plain access"
                }
                (_, Progress::Read(_)) => "kill between reading and writing",
                _ => "kill elsewhere",
            },
        });
        if thread.frames.len() > 1 {
            self.counts.add("kill in a function");
        }
        let deferred = thread.frames.iter().flat_map(|frame| &frame.control);
        let is_pending = |control: &Control| match control {
            Control::Block { deferred, .. } => !deferred.is_empty(),
            _ => false,
        };
        if { deferred }.any(is_pending) {
            self.counts.add("kill with something deferred");
        }
        let mut leaving = thread.frames.iter().flat_map(|frame| &frame.control);
        if leaving.any(|control| matches!(control, Control::Block { exit: Some(_), .. })) {
            self.counts.add("kill in something deferred");
        }
    }

    /// What a thread can do at a `select`, `else` left aside, or by an `atomic` block.
    pub fn done_at_once(
        &self,
        action: &'p Action,
        given: &[Option<Value>],
        mut world: World,
    ) -> Vec<Outcome<Onward<'p>>> {
        match action {
            Action::Select(select) => self.arms(select, given, &world),
            Action::Atomic(block) => {
                world.inside += 1;
                let flows = self.block(block, world);
                then(flows, |world, flow| vec![Ok((world, Onward::Flow(flow)))])
            }
            other => panic!("{other:?} is no step"),
        }
    }

    /// Goes on when that is done.
    pub fn go_on(&self, onward: Onward<'p>, world: World) -> Vec<Done> {
        match onward {
            Onward::Arm(arm) => {
                let mut world = advanced(world);
                if !arm.body.is_empty() {
                    world.state.thread_mut(world.this).frame_mut().enter(self.id(&arm.body));
                }
                vec![Ok(world)]
            }
            Onward::Flow(flow) => self.leave_with(Ok(flow), world),
        }
    }

    fn arms(
        &self,
        select: &'p Select,
        given: &[Option<Value>],
        world: &World,
    ) -> Vec<Outcome<Onward<'p>>> {
        let mut all = Vec::new();
        let mut from = 0;
        for arm in &select.arms {
            let count = operands_of_operation(&arm.operation).len();
            let given = given.get(from..from + count).unwrap_or_default();
            from += count;
            let allowed = arm.when.as_ref().map_or(Ok(true), |when| world.awaits(self, when));
            if let Operation::Await(condition) = &arm.operation {
                // It is looked at whatever else is waited for.
                _ = world.clone().awaits(self, condition);
            }
            let outcomes = then(one(world.clone(), allowed), |world, allowed| match allowed {
                true => self.operation(&arm.operation, given, world),
                false => Vec::new(),
            });
            all.extend(then(outcomes, |world, ()| vec![Ok((world, Onward::Arm(arm)))]));
        }
        all
    }

    /// Goes on where no arm can be taken.
    pub fn otherwise(&self, state: &State, pid: u32, block: &program::Block) -> World {
        let mut state = state.clone();
        let frame = state.thread_mut(pid).frame_mut();
        frame.labels.clear();
        frame.advance();
        frame.enter(self.id(block));
        World::after(state, pid, Vec::new())
    }
}

/// The thread goes on to the next statement.
fn advanced(mut world: World) -> World {
    world.put_back();
    world.state.thread_mut(world.this).frame_mut().advance();
    world
}
