//! What is done at once: the statements of a step of an object, of an `atomic` block, of a meeting.
//!
//! Every way through them is an outcome. There is none past an `await` that does not hold.

use program::{Action, Arm, Block, Expr, FailureKind, LoopId, Routine, Select, Statement};

use crate::access::Location;
use crate::failure::{MOST_CALLS, MOST_ROUNDS};
use crate::interpreter::Interpreter;
use crate::next::Chosen;
use crate::state::Process;
use crate::value::{Pid, Value};
use crate::world::{Doom, Outcome, World, one, then};

/// How statements are left.
#[derive(Clone, Debug)]
pub(crate) enum Flow {
    Next,
    Break(LoopId),
    Continue(LoopId),
    Return(Option<Value>),
}

impl<'p> Interpreter<'p> {
    pub(crate) fn block(&self, block: &'p [Statement], world: World<'p>) -> Vec<Outcome<'p, Flow>> {
        let Some((first, rest)) = block.split_first() else { return vec![Ok((world, Flow::Next))] };
        if let Action::Defer(later) = &first.action {
            return then(self.block(rest, world), |world, flow| {
                then(self.block(later, world), |world, _| vec![Ok((world, flow.clone()))])
            });
        }
        let around = world.statement;
        let world = World { statement: first.origin, ..world };
        then(self.action(&first.action, world), |mut world, flow| {
            world.statement = around;
            match flow {
                Flow::Next => self.block(rest, world),
                flow => vec![Ok((world, flow))],
            }
        })
    }

    fn action(&self, action: &'p Action, world: World<'p>) -> Vec<Outcome<'p, Flow>> {
        let next = |outcomes| then(outcomes, |world, ()| vec![Ok((world, Flow::Next))]);
        let value = |expr: &Expr, world: World<'p>| {
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
                world.leave_out(condition, holds.bool());
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
                let ways = blocks.iter().enumerate().flat_map(|(number, block)| {
                    let mut world = world.clone();
                    world.choose(Chosen::Block(number));
                    self.block(block, world)
                });
                ways.collect()
            }
            Action::Assert(condition) => next(self.claim(condition, FailureKind::Assertion, world)),
            Action::Require(condition) => {
                next(self.claim(condition, FailureKind::Requirement, world))
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
                    let called = self.routine_at_once(routine, passed, world);
                    next(then(called, |world, result| match (target, result) {
                        (Some(target), Some(value)) => self.assign_now(target, value, world),
                        _ => vec![Ok((world, ()))],
                    }))
                })
            }
            Action::Select(select) => self.select_at_once(select, world),
            Action::Kill(handle) | Action::Crash(handle) => {
                let doom = match action {
                    Action::Kill(_) => Doom::Kill,
                    _ => Doom::Crash,
                };
                let victim = world.scope().eval(handle).and_then(|handle| handle.process());
                next(then(one(world, victim), |world, victim| self.end(victim, doom, world)))
            }
            Action::Defer(_) => unreachable!("its block sees to it"),
        }
    }

    /// Goes on if a condition holds; otherwise it is a failure.
    pub(crate) fn claim(
        &self,
        condition: &Expr,
        failure: FailureKind,
        world: World<'p>,
    ) -> Vec<Outcome<'p, ()>> {
        let holds = world.scope().eval(condition).map(|value| value.bool());
        let holds = holds.and_then(|holds| if holds { Ok(()) } else { Err(failure.into()) });
        one(world, holds)
    }

    fn select_at_once(&self, select: &'p Select, world: World<'p>) -> Vec<Outcome<'p, Flow>> {
        if let Some(otherwise) = &select.otherwise {
            // Whether an arm can go does not depend on what is done then.
            let can_go = |arm: &'p Arm| !self.waited_at_once(arm, world.clone()).is_empty();
            if !select.arms.iter().any(can_go) {
                let mut world = world;
                world.choose(Chosen::Otherwise);
                return self.block(otherwise, world);
            }
        }
        let ways = select.arms.iter().enumerate().flat_map(|(number, arm)| {
            let mut world = world.clone();
            if select.arms.len() > 1 || select.otherwise.is_some() {
                world.choose(Chosen::Arm(number));
            }
            then(self.waited_at_once(arm, world), |world, ()| self.block(&arm.body, world))
        });
        ways.collect()
    }

    /// What an arm waits for, where it can be had.
    fn waited_at_once(&self, arm: &'p Arm, world: World<'p>) -> Vec<Outcome<'p, ()>> {
        let allowed = arm.when.as_ref().map_or(Ok(true), |when| world.awaits(when));
        then(one(world, allowed), |world, allowed| match allowed {
            true => self.operation(&arm.operation, &[], world),
            false => Vec::new(),
        })
    }

    /// Kills or crashes a process. One of those that act finishes what it does first.
    fn end(&self, victim: Pid, doom: Doom, mut world: World<'p>) -> Vec<Outcome<'p, ()>> {
        if victim == world.this || world.partner == Some(victim) {
            let before = world.dooms.get(&victim).copied();
            world.dooms.insert(victim, before.map_or(doom, |before| before.max(doom)));
            return vec![Ok((world, ()))];
        }
        if let Doom::Crash = doom {
            world.reader().access(Location::End(victim), false);
        }
        let Some(thread) = world.state.thread(victim) else { return vec![Ok((world, ()))] };
        match doom {
            Doom::Crash => {
                world.state.processes[victim.index()] = Process::Killed;
                world.crashed.push(victim);
            }
            Doom::Kill if thread.is_killed => {}
            Doom::Kill => {
                if !self.can_be_killed(&world.state, victim) {
                    world.looks.has_kill_waited.set(true);
                    return Vec::new();
                }
                self.kill(&mut world.state, victim);
                world.killed.push(victim);
                world.moved.push(victim);
            }
        }
        vec![Ok((world, ()))]
    }

    /// Does a routine, and says what it returns.
    pub(crate) fn routine_at_once(
        &self,
        routine: &'p Routine,
        passed: Vec<Value>,
        mut world: World<'p>,
    ) -> Vec<Outcome<'p, Option<Value>>> {
        if world.inside > MOST_CALLS {
            return one(world, Err(FailureKind::Endless.into()));
        }
        let mut locals: Vec<Option<Value>> = passed.into_iter().map(Some).collect();
        locals.resize(routine.locals.len(), None);
        world.scopes.push(locals);
        world.inside += 1;
        then(self.block(&routine.body, world), |mut world, flow| {
            world.scopes.pop();
            world.inside -= 1;
            let Flow::Return(value) = flow else { return vec![Ok((world, None))] };
            let fits = match (&value, &routine.result) {
                (Some(value), Some(of)) => value.fit(self.program, of),
                _ => Ok(()),
            };
            one(world, fits.map(|()| value))
        })
    }

    fn rounds(&self, id: LoopId, body: &'p Block, world: World<'p>) -> Vec<Outcome<'p, Flow>> {
        let mut left = Vec::new();
        let mut open = vec![(world, 0)];
        while let Some((world, round)) = open.pop() {
            if round == MOST_ROUNDS {
                left.push(Err(world.fault(FailureKind::Endless)));
                continue;
            }
            let mut again = Vec::new();
            for outcome in self.block(body, world) {
                match outcome {
                    Ok((world, Flow::Break(other))) if other == id => {
                        left.push(Ok((world, Flow::Next)));
                    }
                    Ok((world, Flow::Continue(other))) if other == id => again.push(world),
                    Ok((world, Flow::Next)) => again.push(world),
                    outcome => left.push(outcome),
                }
            }
            open.extend(again.into_iter().rev().map(|world| (world, round + 1)));
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use program::{FailureKind, Observed, ProcessId, Program};

    use super::*;
    use crate::turns::Turns;

    /// How the only step goes wrong of a process that does something at once.
    fn failure(action: Action, function: Option<Action>) -> FailureKind {
        let origin = net::Origin::default();
        let body = |action| vec![Statement { action, origin }];
        let main = Routine { body: body(Action::Atomic(body(action))), ..Routine::default() };
        let function = function.map(|action| Routine { body: body(action), ..Routine::default() });
        let program = Program {
            processes: vec![main],
            functions: function.into_iter().collect(),
            main: Some(ProcessId(0)),
            ..Program::default()
        };
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let first = interpreter.initial(Turns::Steps).expect("there are no first values").remove(0);
        let [next] = &interpreter.successors(&first, Turns::Steps)[..] else { panic!("one way") };
        next.outcome.as_ref().expect_err("it has no end").failure.kind
    }

    #[test]
    fn what_is_done_at_once_has_an_end() {
        assert_eq!(failure(Action::Loop(LoopId(0), Vec::new()), None), FailureKind::Endless);
        let call = Action::Call(None, program::FunctionId(0), Vec::new());
        assert_eq!(failure(call.clone(), Some(call)), FailureKind::Endless);
    }
}
