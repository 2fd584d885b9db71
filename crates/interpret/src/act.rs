//! What a thread does where it stops.

use program::{Action, Arm, Block, Expr, FailureKind, FunctionId, Root, Select, Source};

use crate::at_once::Flow;
use crate::control::{Stop, goes_elsewhere};
use crate::failure::Cause;
use crate::interpreter::Interpreter;
use crate::local::operands;
use crate::next::Chosen;
use crate::state::{Control, Exit, Frame, Progress};
use crate::value::Value;
use crate::world::{Fault, Outcome, World, one, then};

/// What comes of what a thread does.
pub(crate) type Done<'p> = Result<World<'p>, Box<Fault<'p>>>;

/// How a thread goes on that has done what it waited for.
#[derive(Clone, Debug)]
pub(crate) enum Onward<'p> {
    /// By an arm of a `select`.
    Arm(&'p Arm),
    /// As an `atomic` block was left.
    Flow(Flow),
}

impl<'p> Interpreter<'p> {
    /// All that a thread can do by itself before a statement, `else` left aside. Its variables may be out of the
    /// state still: see [`World::put_back`].
    pub(crate) fn act(&self, mut world: World<'p>) -> Vec<Done<'p>> {
        let Stop::Before(statement, known) = self.settle(&mut world.state, world.this) else {
            panic!("a thread acts before a statement")
        };
        world.statement = statement.origin;
        let frame = world.state.thread_mut(world.this).frame_mut();
        frame.hold_labels();
        let action = &statement.action;
        if let Progress::Returned(Some(value), given) = frame.progress.clone() {
            return self.take_result(action, value, &given, world.begin());
        }
        if frame.reads_first(known) {
            return self.read(action, &known.reads, world.begin());
        }
        let given = frame.given();
        let world = world.begin();
        let done = match action {
            Action::Select(_) | Action::Atomic(_) => {
                let outcomes = self.done_at_once(action, &given, world).into_iter();
                let go_on = |outcome: Outcome<'p, Onward<'p>>| match outcome {
                    Ok((world, onward)) => self.go_on(onward, world),
                    Err(fault) => vec![Err(fault)],
                };
                return outcomes.flat_map(go_on).collect();
            }
            Action::If(condition, yes, no) => {
                return self.branch(condition, [yes, no], world);
            }
            Action::Return(Some(value)) => {
                let value = world.scope().eval(value);
                return self.leave_with(value.map(|value| Flow::Return(Some(value))), world);
            }
            Action::Kill(handle) | Action::Crash(handle) => {
                let is_kill = matches!(action, Action::Kill(_));
                return self.end_other(handle, is_kill, &given, world);
            }
            Action::Assign(target, value) => {
                let is_local = matches!(target.root, Root::Local(_));
                let before = if is_local { None } else { given.last().cloned().flatten() };
                let value = before.map_or_else(|| world.scope().eval(value), Ok);
                let place = self.place(target, &given, &world);
                let found = value.and_then(|value| Ok((value, place?)));
                then(one(world, found), |mut world, (value, place)| {
                    let assigned = self.assign(&place, value, &mut world);
                    one(world, assigned)
                })
            }
            Action::New(target, object, arguments) => {
                let made = self.make(*object, arguments, &given, world);
                then(made, |world, made| self.assign_now(target, made, world))
            }
            Action::Spawn(target, process, arguments) => {
                let spawned = self.spawn(*process, arguments, &given, world);
                then(spawned, |world, handle| match target {
                    Some(target) => self.assign_now(target, handle, world),
                    None => vec![Ok((world, ()))],
                })
            }
            Action::Choose(local, domain, when) => {
                self.choose(*local, domain, when.as_ref(), world)
            }
            Action::Assert(condition) => self.claim(condition, FailureKind::Assertion, world),
            Action::Require(condition) => self.claim(condition, FailureKind::Requirement, world),
            Action::Label(_) => vec![Ok((world, ()))],
            other => panic!("{other:?} is no step"),
        };
        done.into_iter().map(|outcome| outcome.map(|(world, ())| world.advanced())).collect()
    }

    fn branch(
        &self,
        condition: &Expr,
        [yes, no]: [&Block; 2],
        mut world: World<'p>,
    ) -> Vec<Done<'p>> {
        match world.scope().eval(condition) {
            Ok(holds) => {
                world = world.advanced();
                let block = self.id(if holds.bool() { yes } else { no });
                world.state.thread_mut(world.this).frame_mut().enter(block);
                vec![Ok(world)]
            }
            Err(cause) => vec![Err(world.fault(cause))],
        }
    }

    /// Reads operands.
    fn read(&self, action: &Action, reads: &[bool], mut world: World<'p>) -> Vec<Done<'p>> {
        let mut values = Vec::new();
        for (index, (expr, is_read)) in operands(action).into_iter().zip(reads).enumerate() {
            let value = match is_read.then(|| world.scope().eval(expr)).transpose() {
                Ok(value) => value,
                Err(cause) => return vec![Err(world.fault(cause))],
            };
            if let (Some(value), Action::Call(_, function, _)) = (&value, action) {
                let parameter = &self.program.functions[function.index()].locals[index];
                if let Err(cause) = value.fit(self.program, &parameter.of) {
                    return vec![Err(world.fault(cause))];
                }
            }
            values.push(value);
        }
        world.put_back();
        world.state.thread_mut(world.this).frame_mut().progress = Progress::Read(values);
        vec![Ok(world)]
    }

    /// Assigns the result of a call.
    fn take_result(
        &self,
        action: &Action,
        value: Value,
        given: &[Option<Value>],
        mut world: World<'p>,
    ) -> Vec<Done<'p>> {
        let Action::Call(Some(target), ..) = action else { panic!("the result is not used") };
        let reads = self.reads_of_target(target);
        if given.is_empty() && reads.contains(&true) {
            let mut values = Vec::new();
            for (expr, is_read) in target.operands().into_iter().zip(reads) {
                match is_read.then(|| world.scope().eval(expr)).transpose() {
                    Ok(value) => values.push(value),
                    Err(cause) => return vec![Err(world.fault(cause))],
                }
            }
            world.put_back();
            let frame = world.state.thread_mut(world.this).frame_mut();
            frame.progress = Progress::Returned(Some(value), values);
            return vec![Ok(world)];
        }
        let place = self.place(target, given, &world);
        match place.and_then(|place| self.assign(&place, value, &mut world)) {
            Ok(()) => vec![Ok(world.advanced())],
            Err(cause) => vec![Err(world.fault(cause))],
        }
    }

    /// What a thread can do at a `select`, `else` left aside, or by an `atomic` block.
    pub(crate) fn done_at_once(
        &self,
        action: &'p Action,
        given: &[Option<Value>],
        mut world: World<'p>,
    ) -> Vec<Outcome<'p, Onward<'p>>> {
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

    fn arms(
        &self,
        select: &'p Select,
        given: &[Option<Value>],
        world: &World<'p>,
    ) -> Vec<Outcome<'p, Onward<'p>>> {
        let mut all = Vec::new();
        let mut from = 0;
        for (number, arm) in select.arms.iter().enumerate() {
            let count = arm.operation.operands().len();
            let given = given.get(from..from + count).unwrap_or_default();
            from += count;
            let mut world = world.clone();
            if select.arms.len() > 1 || select.otherwise.is_some() {
                world.choose(Chosen::Arm(number));
            }
            if arm.origin.range().is_some() {
                world.statement = arm.origin;
                world.actors.iter_mut().filter(|actor| actor.pid == world.this).for_each(|actor| {
                    actor.origin = arm.origin;
                });
            }
            let allowed = arm.when.as_ref().map_or(Ok(true), |when| world.awaits(when));
            if let program::Operation::Await(condition) = &arm.operation {
                // It is looked at whatever else is waited for.
                _ = world.clone().awaits(condition);
            }
            let outcomes = then(one(world, allowed), |world, allowed| match allowed {
                true => self.operation(&arm.operation, given, world),
                false => Vec::new(),
            });
            all.extend(then(outcomes, |world, ()| vec![Ok((world, Onward::Arm(arm)))]));
        }
        all
    }

    /// Goes on when that is done.
    pub(crate) fn go_on(&self, onward: Onward<'p>, world: World<'p>) -> Vec<Done<'p>> {
        match onward {
            Onward::Arm(arm) => {
                let mut world = world.advanced();
                if !arm.body.is_empty() {
                    world.state.thread_mut(world.this).frame_mut().enter(self.id(&arm.body));
                }
                vec![Ok(world)]
            }
            Onward::Flow(flow) => self.leave_with(Ok(flow), world),
        }
    }

    /// Goes on where no arm can be taken.
    pub(crate) fn otherwise(&self, block: &Block, mut world: World<'p>) -> World<'p> {
        world.choose(Chosen::Otherwise);
        let frame = world.state.thread_mut(world.this).frame_mut();
        frame.labels.clear();
        frame.advance();
        frame.enter(self.id(block));
        world
    }

    fn leave_with(&self, flow: Result<Flow, Cause>, mut world: World<'p>) -> Vec<Done<'p>> {
        let pid = world.this;
        world.put_back();
        let thread = world.state.thread_mut(pid);
        let routine = self.routine(thread.frame().routine);
        thread.frame_mut().advance();
        // Where it is doomed it does not matter how it would have gone on, but in something deferred.
        let is_deferring = thread.frames.iter().any(Frame::is_deferring);
        if world.dooms.contains_key(&pid) && !thread.is_killed && !is_deferring && flow.is_ok() {
            return vec![Ok(world)];
        }
        let exit = match flow {
            Err(cause) => return vec![Err(world.fault(cause))],
            Ok(Flow::Next) => return vec![Ok(world)],
            Ok(Flow::Break(id)) => Exit::Break(id),
            Ok(Flow::Continue(id)) => Exit::Continue(id),
            Ok(Flow::Return(value)) => {
                if let (Some(value), Some(of)) = (&value, &routine.result)
                    && let Err(cause) = value.fit(self.program, of)
                {
                    return vec![Err(world.fault(cause))];
                }
                Exit::Return(value)
            }
        };
        self.leave(&mut world.state, pid, exit);
        vec![Ok(world)]
    }

    /// Does what is local. There may be several ways.
    pub(crate) fn do_local(&self, mut world: World<'p>) -> Vec<World<'p>> {
        let frame = world.state.thread_mut(world.this).frame_mut();
        let position = frame.position();
        let statement = self.statement(position).expect("it is before a statement");
        world.statement = statement.origin;
        match &statement.action {
            _ if goes_elsewhere(statement) => {
                frame.hold_labels();
                let known = self.known(position);
                let left = self.pass(frame, statement, known).expect("there is nothing else to it");
                if let Some(exit) = left {
                    self.leave_frame(&mut world.state, world.this, exit);
                }
                vec![world]
            }
            Action::Either(blocks) => {
                frame.hold_labels();
                frame.advance();
                let enter = |(number, block): (usize, &Block)| {
                    let mut world = world.clone();
                    world.choose(Chosen::Block(number));
                    world.state.thread_mut(world.this).frame_mut().enter(self.id(block));
                    world
                };
                blocks.iter().enumerate().map(enter).collect()
            }
            Action::Call(_, function, arguments)
                if !matches!(frame.progress, Progress::Returned(..)) =>
            {
                vec![self.call(*function, arguments, world)]
            }
            // Everything else is done as where it is not local.
            _ => {
                let done = self.act(world).into_iter().map(|done| {
                    let mut world = done.expect("local statements cannot fault");
                    world.put_back();
                    world
                });
                done.collect()
            }
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Expr], mut world: World<'p>) -> World<'p> {
        let frame = world.state.thread_mut(world.this).frame_mut();
        frame.hold_labels();
        let given = frame.given();
        let routine = &self.program.functions[function.index()];
        let mut world = world.begin();
        let passed = self.arguments(&routine.locals, arguments, &given, &world);
        let passed = passed.expect("local statements cannot fault");
        world.put_back();
        let mut locals: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
        locals.resize(routine.locals.len(), None);
        let mut frame = Frame::new(Source::Function(function), locals, self.id(&routine.body));
        if self.has_turn_at_entry(function) {
            frame.control.push(Control::Turn(None));
        }
        world.state.thread_mut(world.this).frames.push(frame);
        world
    }
}
