//! Rendezvous: one step of two threads, each at a `select` or an `atomic` block.
//!
//! The first does all of its own, where at its step it only says what it brings. Then the second does all of its own,
//! and what the two do together is done where it comes to its step. None meets twice on the way.

use std::rc::Rc;

use net::Origin;
use program::{Action, LocalId, Meeting, ObjectId, StepId};

use crate::access::Looks;
use crate::act::{Done, Onward};
use crate::control::Stop;
use crate::interpreter::Interpreter;
use crate::state::State;
use crate::value::{Address, Pid, Value};
use crate::world::{Fault, Outcome, World, one, then};

/// What a process is to a rendezvous, and how far it has come.
#[derive(Clone, Debug, Default)]
pub(crate) enum Role {
    /// It acts alone.
    #[default]
    Alone,
    /// It has not come to its step, as the first.
    First,
    /// It has come to its step, as the first.
    Brings(Brought),
    /// It has not come to its step, as the second.
    Second(Brought),
    /// It has met the first, who gets this.
    Met(Option<(LocalId, Value)>),
}

/// What the first brings.
#[derive(Clone, Debug)]
pub(crate) struct Brought {
    of: ObjectId,
    object: Address,
    step: StepId,
    passed: Vec<Value>,
    /// Where its result goes.
    result: Option<LocalId>,
}

/// An offer to meet.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// Who offers.
    pub pid: Pid,
    /// The statement.
    pub statement: Origin,
    /// Whether it does not wait: it is a `select` with `else`.
    pub is_poll: bool,
}

impl<'p> Interpreter<'p> {
    /// What a process offers to do with another one, where it stands.
    #[must_use]
    pub fn offer(&self, state: &State, pid: Pid) -> Option<Offer> {
        let mut state = state.clone();
        let Stop::Before(statement, known) = self.settle(&mut state, pid) else { return None };
        let is_poll = match &statement.action {
            Action::Select(select) => select.otherwise.is_some(),
            Action::Atomic(_) => false,
            _ => return None,
        };
        let is_ready = !state.thread(pid)?.frame().reads_first(known);
        let offer = Offer { pid, statement: statement.origin, is_poll };
        (is_ready && self.is_offer(&statement.action)).then_some(offer)
    }

    /// What two processes that offer to meet can do together.
    pub(crate) fn meet(
        &self,
        state: &State,
        [first, second]: [Pid; 2],
        looks: &Rc<Looks<'p>>,
    ) -> Vec<Done<'p>> {
        let mut all = Vec::new();
        let world = World::new(self.program, state.clone(), first, looks);
        // One that goes wrong by itself, before it offers anything or finds the other, meets no other.
        let ways = self.alone(World { partner: Some(second), ..world }, Role::First);
        for way in ways {
            let (mut world, of_first) = match way {
                Ok((world, of_first)) => (world, Ok(of_first)),
                Err(fault) => (fault.world.clone(), Err(fault)),
            };
            // Where something has gone wrong, it may be in the middle of something else.
            world.scopes.truncate(1);
            let Role::Brings(brought) = world.role.clone() else { continue };
            for outcome in self.alone(world.handed_to(second), Role::Second(brought)) {
                let met = match &outcome {
                    Ok((world, _)) => world,
                    Err(fault) => &fault.world,
                };
                let Role::Met(result) = met.role.clone() else { continue };
                let of_first = match &of_first {
                    Ok(of_first) => of_first.clone(),
                    // What goes wrong after it has offered something goes wrong if they meet.
                    Err(fault) => {
                        let actors = met.actors.clone();
                        let world = World { actors, ..fault.world.clone() };
                        all.push(Err(Box::new(Fault { failed: fault.failed.clone(), world })));
                        continue;
                    }
                };
                match outcome {
                    Ok((world, of_second)) => {
                        let mut world = world.handed_to(first);
                        if let Some((local, value)) = result {
                            let frame = world.state.thread_mut(first).frame_mut();
                            frame.locals[local.index()] = Some(value);
                        }
                        all.extend(self.part(of_first, &of_second, world));
                    }
                    Err(fault) => all.push(Err(fault)),
                }
            }
        }
        all
    }

    /// Both go on, the first before the second.
    fn part(
        &self,
        of_first: Onward<'p>,
        of_second: &Onward<'p>,
        world: World<'p>,
    ) -> Vec<Done<'p>> {
        let mut all = Vec::new();
        for done in self.go_on(of_first, world) {
            match done {
                Ok(mut world) => {
                    let first = world.this;
                    let second = world.partner.expect("two have met");
                    world.moved.push(first);
                    all.extend(self.go_on(of_second.clone(), world.handed_to(second)));
                }
                Err(fault) => all.push(Err(fault)),
            }
        }
        all
    }

    /// What a process does of a rendezvous.
    pub(crate) fn alone(&self, mut world: World<'p>, role: Role) -> Vec<Outcome<'p, Onward<'p>>> {
        let Stop::Before(statement, _) = self.settle(&mut world.state, world.this) else {
            panic!("one that may be met waits")
        };
        let frame = world.state.thread_mut(world.this).frame_mut();
        frame.hold_labels();
        let given = frame.given();
        let world = world.begin().acts(statement.origin);
        let world = World { role, statement: statement.origin, ..world };
        self.done_at_once(&statement.action, &given, world)
    }

    /// What a step can be of a rendezvous.
    pub(crate) fn step_together(
        &self,
        (of, object, step): (ObjectId, Address, StepId),
        passed: &[Value],
        result: Option<LocalId>,
        world: &World<'p>,
    ) -> Vec<Outcome<'p, ()>> {
        let meetings = &self.program.objects[of.index()].meetings;
        match &world.role {
            Role::First if meetings.iter().any(|meeting| meeting.first == step) => {
                let brought = Brought { of, object, step, passed: passed.to_vec(), result };
                vec![Ok((World { role: Role::Brings(brought), ..world.clone() }, ()))]
            }
            Role::Second(brought) if (brought.of, brought.object) == (of, object) => {
                let is_meant =
                    |meeting: &&Meeting| (meeting.first, meeting.second) == (brought.step, step);
                let meetings = meetings.iter().filter(is_meant);
                let met = meetings.flat_map(|meeting| self.met(meeting, brought, passed, world));
                then(met.collect(), |mut world, value| {
                    if let Some(local) = result {
                        *world.local(local) = value;
                    }
                    vec![Ok((world, ()))]
                })
            }
            _ => Vec::new(),
        }
    }

    /// What two do together, and what the second gets.
    fn met(
        &self,
        meeting: &'p Meeting,
        brought: &Brought,
        passed: &[Value],
        world: &World<'p>,
    ) -> Vec<Outcome<'p, Option<Value>>> {
        let values = [Value::Object(brought.object)].into_iter();
        let values = values.chain(brought.passed.iter().chain(passed).cloned());
        let mut locals: Vec<Option<Value>> = values.map(Some).collect();
        locals.resize(meeting.locals.len(), None);
        let mut world = world.clone();
        world.scopes.push(locals);
        world.inside += 1;
        world.looks.have_met.set(true);
        let before = world.accesses.len();
        world.joint_from = Some(before);
        // What is done together is done by the first.
        let second = world.this;
        let first = world.partner.expect("two meet");
        (world.this, world.partner) = (first, Some(second));
        world.role = Role::Met(None);
        then(self.block(&meeting.body, world), |mut world, _| {
            let result = |index: usize| {
                let expr = meeting.results[index].as_ref();
                expr.map(|expr| world.scope().eval(expr)).transpose()
            };
            let results = result(0).and_then(|to_first| Ok((to_first, result(1)?)));
            (world.this, world.partner) = (second, Some(first));
            world.scopes.pop();
            world.inside -= 1;
            world.accesses.are_joint(before);
            world.joint_from = None;
            then(one(world, results), |mut world, (to_first, to_second)| {
                world.role = Role::Met(brought.result.zip(to_first));
                vec![Ok((world, to_second))]
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use program::Observed;

    use super::*;
    use crate::examples::{explored, program, written};
    use crate::state::Process;
    use crate::turns::Turns;

    #[test]
    fn two_that_meet_act_in_one_step() {
        let program = program(
            "shared line = new channel[0..=3](capacity: 0)
            shared got: 0..=3 = 0
            process main { spawn receiver()   line.send(2) }
            process receiver { got = line.receive()! }",
        );
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let mut state = interpreter.initial(Turns::Steps).expect("first values fit").remove(0);
        let mut actors = Vec::new();
        while let Some(next) = interpreter.successors(&state, Turns::Steps).pop() {
            actors.push(
                next.actors
                    .iter()
                    .map(|actor| (actor.pid.0, written(&program, actor.origin)))
                    .collect::<Vec<_>>(),
            );
            state = next.outcome.expect("nothing goes wrong").state;
        }
        let expected = [
            vec![(0, "spawn receiver()")],
            vec![(0, "line.send(2)"), (1, "got = line.receive()!")],
            vec![(1, "got = line.receive()!")],
        ];
        assert_eq!(actors, expected);
        assert_eq!(state.globals[1], Value::Int(2));
    }

    /// How the receiver ends, if the sender does something else in the same step.
    fn receiver_after(sent: &str) -> Vec<Process> {
        let found = explored(&format!(
            "shared line = new channel[0..=3](capacity: 0)
            process main {{ let r = spawn receiver()   atomic {{ {sent} }}   join r   keep = r }}
            shared keep: receiver? = none
            process receiver: 0..=3 {{ let x = line.receive()!   defer {{ }}   return x }}"
        ));
        let ends = found.last.into_iter().flat_map(|state| state.processes);
        ends.filter(|process| !matches!(process, Process::Returned(None))).collect()
    }

    #[test]
    fn one_that_is_ended_by_the_other_does_its_part_first() {
        assert_eq!(receiver_after("line.send(1)"), [Process::Returned(Some(Value::Int(1)))]);
        assert_eq!(receiver_after("line.send(1)   crash r"), [Process::Killed]);
        assert_eq!(receiver_after("kill r   line.send(1)"), [Process::Killed]);
    }

    #[test]
    fn polls_do_not_meet() {
        let found = explored(
            "shared line = new channel[0..=3](capacity: 0)
            shared met = false
            process main { spawn receiver()   select { line.send(1) { met = true }   else { } } }
            process receiver { select { let x = line.receive() { met = true }   else { } } }",
        );
        assert!(found.last.iter().all(|state| state.globals[1] == Value::Bool(false)));
    }
}
