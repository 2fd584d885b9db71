//! Steps of objects: alone, or as a rendezvous of two threads.
//!
//! The first of two does all of its own, where at its step it only says what it brings. Then the second does all of its
//! own, and what the two do together is done where it comes to its step.

use program::{ObjectId, StepId};

use super::{Execution, Halt, Pause, Stack, reference};
use crate::code::{Address, MeetingCode, Register, StepCall};
use crate::value::{Flat, Value};

/// What a thread is to a rendezvous.
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
    /// The two have met. What the first gets.
    Met(Option<(Register, Value)>),
}

/// A step of an object that is done, with its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Called {
    pub object: u32,
    pub routine: u32,
    pub arguments: Flat,
}

/// What the first of two threads brings.
#[derive(Clone, Debug)]
pub(crate) struct Brought {
    object: u32,
    of: ObjectId,
    step: StepId,
    arguments: Vec<Value>,
    /// Where its result goes.
    to: Option<Register>,
}

impl Execution<'_> {
    /// Does a step of an object. Says where to go on if it is not with the next instruction.
    pub(super) fn step(
        &mut self,
        stack: &mut Stack,
        this: u32,
        call: &StepCall,
        next: Address,
    ) -> Result<Option<Address>, Halt> {
        let fits = |meeting: &&MeetingCode, brought: &Brought| {
            let steps = (meeting.of, meeting.first, meeting.second);
            steps == (call.of, brought.step, call.step)
        };
        let object = reference(stack.get(call.base));
        let ways = match &self.role {
            Role::First if call.may_give => 1,
            Role::Second(brought) if (brought.object, brought.of) == (object, call.of) => {
                self.code.meetings.iter().filter(|meeting| fits(meeting, brought)).count()
            }
            _ => 0,
        };
        let way = if ways == 0 { ways } else { self.script.choose(ways as u32 + 1) as usize };
        if way == ways {
            if let Some(called) = &mut self.called {
                let mut arguments = Flat::default();
                for argument in stack.row(call.base + 1, usize::from(call.arguments)) {
                    arguments.push(&self.heap.arena, *argument);
                }
                *called = Called { object, routine: call.routine, arguments };
            }
            let routine = self.code.routines[call.routine as usize];
            stack.call(call.base, routine.registers, Some(next), call.to);
            return Ok(Some(routine.entry));
        }
        let arguments = stack.row(call.base + 1, usize::from(call.arguments)).to_vec();
        match std::mem::take(&mut self.role) {
            Role::Second(brought) => {
                let mut meetings = self.code.meetings.iter().filter(|one| fits(one, &brought));
                let meeting = meetings.nth(way).expect("there are as many");
                self.meet(stack, this, meeting, (brought, arguments, call.to))?;
            }
            _ => {
                // A result is for the variables of the thread, not for those of a step.
                let to = call.to.filter(|_| !stack.is_at_once());
                let &StepCall { of, step, .. } = call;
                self.role = Role::Brings(Brought { object, of, step, arguments, to });
            }
        }
        Ok(None)
    }

    /// Does what two threads do together, as the second of them.
    fn meet(
        &mut self,
        stack: &mut Stack,
        this: u32,
        meeting: &MeetingCode,
        (brought, arguments, to): (Brought, Vec<Value>, Option<Register>),
    ) -> Result<(), Halt> {
        let routine = self.code.routines[meeting.routine as usize];
        let mut given = vec![Value::Reference(brought.object)];
        given.extend(brought.arguments);
        given.extend(arguments);
        stack.push(routine.registers, &given);
        // What goes wrong from here on goes wrong for both.
        self.role = Role::Met(None);
        self.have_met = true;
        let actor = self.actor.take();
        let met = self.run(stack, this, routine.entry);
        self.actor = actor;
        let Pause::Returned = met? else { unreachable!("a meeting is done at once") };
        let [first, second] = meeting.results.map(|result| result.map(|from| stack.get(from)));
        stack.pop();
        if let (Some(to), Some(value)) = (to, second) {
            stack.set(to, value);
        }
        self.role = Role::Met(brought.to.zip(first));
        Ok(())
    }

    /// Whether one of several ways can be gone, whatever is chosen on it. Nothing is done.
    pub(super) fn is_able(
        &mut self,
        stack: &Stack,
        this: u32,
        ways: &[Address],
    ) -> Result<bool, Halt> {
        let before = (self.heap.clone(), self.role.clone(), self.dooms, self.script.clone());
        let kept = (self.crashed.len(), self.born.len());
        let mut found = Ok(false);
        'ways: for way in ways {
            self.script.clear();
            loop {
                let outcome = self.run(&mut stack.clone(), this, *way);
                self.heap.clone_from(&before.0);
                (self.role, self.dooms) = (before.1.clone(), before.2);
                self.crashed.truncate(kept.0);
                self.born.truncate(kept.1);
                if let Some(accesses) = &mut self.accesses {
                    // Of attempts only what is read to find out counts.
                    accesses.retain(|access| access.is_guard);
                }
                match outcome {
                    Ok(_) | Err(Halt::Failed(..)) => {
                        found = Ok(true);
                        break 'ways;
                    }
                    Err(Halt::Elsewhere) => {
                        found = Err(Halt::Elsewhere);
                        break 'ways;
                    }
                    Err(Halt::Blocked) => {}
                }
                if !self.script.advance() {
                    break;
                }
            }
        }
        self.script = before.3;
        found
    }
}
