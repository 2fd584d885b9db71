//! Rendezvous: one step of two threads, each at a `select` or an `atomic` block.
//!
//! The first does all of its own, where at its step it only says what it brings. Then the second does all of its own,
//! and what the two do together is done where it comes to its step. Nobody meets twice on the way.

use program::{Action, LocalId, Meeting, ObjectId, StepId};

use crate::act::{Done, Onward};
use crate::at_once::{Outcome, World, one, then};
use crate::code::Code;
use crate::control::Point;
use crate::state::{Progress, State};
use crate::value::{Fault, Value};

/// What somebody is to a rendezvous, and how far it has come.
#[derive(Clone, Debug, Default)]
pub enum Role {
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
pub struct Brought {
    of: ObjectId,
    object: u32,
    step: StepId,
    passed: Vec<Value>,
    /// Where its result goes.
    result: Option<LocalId>,
}

/// Somebody who may be met.
pub struct Offer {
    pub pid: u32,
    /// Where the statement is written.
    pub origin: u32,
    /// Whether it does not wait.
    pub is_poll: bool,
    /// How many arms there are; nothing for an `atomic` block.
    pub alternatives: Option<usize>,
}

/// What goes wrong when two have met.
const TOGETHER: Fault = Fault("it goes wrong for the two");

impl<'p> Code<'p> {
    /// What a thread offers to do with another one, where it stands.
    pub fn offer(&self, state: &State, pid: u32) -> Option<Offer> {
        let mut state = state.clone();
        let Point::Before(statement, known) = self.settle(&mut state, pid) else { return None };
        let frame = state.thread(pid)?.frame();
        if frame.progress == Progress::Fresh && known.reads.contains(&true) {
            return None;
        }
        let (is_poll, alternatives) = match &statement.action {
            Action::Select(select) => (select.otherwise.is_some(), Some(select.arms.len())),
            Action::Atomic(_) => (false, None),
            _ => return None,
        };
        let origin = crate::turns::position(statement.origin);
        let offer = Offer { pid, origin, is_poll, alternatives };
        self.is_offer(&statement.action).then_some(offer)
    }

    /// What two threads can do together.
    pub fn meet(&self, state: &State, first: u32, second: u32) -> Vec<Done> {
        let mut state = state.clone();
        let mut all = Vec::new();
        // One who faults by itself, before it offers anything or finds the other, meets nobody.
        for (mut world, onward) in self.alone(&mut state, first, Role::First).into_iter().flatten()
        {
            let Role::Brings(brought) = world.role.clone() else { continue };
            world.put_back();
            let second = self.alone(&mut world.state, second, Role::Second(brought));
            for outcome in second {
                match outcome {
                    Ok((second, then)) => {
                        all.extend(self.part([(&world, &onward), (&second, &then)]))
                    }
                    Err(fault) if fault == TOGETHER => all.push(Err(fault)),
                    Err(_) => {}
                }
            }
        }
        all
    }

    /// What a thread does of a rendezvous.
    pub fn alone(&self, state: &mut State, pid: u32, role: Role) -> Vec<Outcome<Onward<'p>>> {
        let Point::Before(statement, _) = self.settle(state, pid) else {
            panic!("one who may be met waits")
        };
        let frame = state.thread_mut(pid).frame_mut();
        self.hold_labels(frame);
        let given = frame.given();
        let world = World { role, ..World::of(state.clone(), pid) };
        self.done_at_once(&statement.action, &given, world)
    }

    /// Both go on, if they have met.
    fn part(&self, [(first, onward), (second, then)]: [(&World, &Onward<'p>); 2]) -> Vec<Done> {
        let Role::Met(result) = second.role.clone() else { return Vec::new() };
        let mut state = second.clone().done();
        if let Some((local, value)) = result {
            state.thread_mut(first.this).frame_mut().locals[local.index()] = Some(value);
        }
        let mut all = Vec::new();
        for done in self.go_on(onward.clone(), World::after(state, first.this, Vec::new())) {
            match done {
                Ok(done) => {
                    let world = World::after(done.done(), second.this, vec![first.this]);
                    all.extend(self.go_on(then.clone(), world));
                }
                Err(fault) => all.push(Err(fault)),
            }
        }
        all
    }

    /// What a step can be of a rendezvous.
    pub fn step_together(
        &self,
        (of, object, step): (ObjectId, u32, StepId),
        passed: &[Value],
        result: Option<LocalId>,
        world: &World,
    ) -> Vec<Outcome<()>> {
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
        world: &World,
    ) -> Vec<Outcome<Option<Value>>> {
        let values = [Value::Object(brought.object)].into_iter();
        let values = values.chain(brought.passed.iter().chain(passed).cloned());
        let mut locals: Vec<Option<Value>> = values.map(Some).collect();
        locals.resize(meeting.locals.len(), None);
        let mut world = world.clone();
        world.scopes.push(locals);
        world.inside += 1;
        self.looks.meet();
        let before = world.accesses.len();
        world.joint_from = Some(before);
        let outcomes = then(self.block(&meeting.body, world), |mut world, _| {
            let result = |index: usize| {
                let expr = meeting.results[index].as_ref();
                expr.map(|expr| world.scope().eval(expr)).transpose()
            };
            let results = result(0).and_then(|to_first| Ok((to_first, result(1)?)));
            world.scopes.pop();
            world.inside -= 1;
            world.accesses.are_joint(before);
            world.joint_from = None;
            then(one(world, results), |mut world, (to_first, to_second)| {
                world.role = Role::Met(brought.result.zip(to_first));
                vec![Ok((world, to_second))]
            })
        });
        outcomes.into_iter().map(|outcome| outcome.map_err(|_| TOGETHER)).collect()
    }
}
