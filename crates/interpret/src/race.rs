//! Who races (DESIGN §8, *Stuck, ending, and racing*).
//!
//! A thread stands before the accesses of all that it can do now, by itself or with another one whom it can meet. What it
//! reads to find out whether it can go on counts whether or not it can: conditions of `await`, `when` and `where`, what
//! is chosen from, and the operands of what is waited for.

use std::rc::Rc;

use crate::access::{Access, Location, Looks};
use crate::control::Stop;
use crate::interpreter::Interpreter;
use crate::meet::{Offer, Role};
use crate::state::State;
use crate::value::Pid;
use crate::world::{Outcome, World};

/// Two processes that stand before conflicting accesses, which both can take now.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The processes.
    pub processes: [Pid; 2],
    /// Their accesses, in the same order.
    pub accesses: [Access; 2],
}

impl<'p> Interpreter<'p> {
    /// A race, if there is one in a state.
    #[must_use]
    pub fn race(&self, state: &State) -> Option<Race> {
        self.race_among(state, &self.accesses(state))
    }

    /// Two accesses that conflict, among those before which processes stand.
    #[must_use]
    pub fn race_among(&self, state: &State, accesses: &[(Pid, Access)]) -> Option<Race> {
        for (at, (second, b)) in accesses.iter().enumerate() {
            for (first, a) in &accesses[..at] {
                if first != second && self.conflict(state, a, b) {
                    return Some(Race { processes: [*first, *second], accesses: [*a, *b] });
                }
            }
        }
        None
    }

    fn conflict(&self, state: &State, a: &Access, b: &Access) -> bool {
        a.location == b.location
            && (a.is_write || b.is_write)
            && (a.is_plain || b.is_plain)
            && !self.is_atomic(state, a.location)
    }

    fn is_atomic(&self, state: &State, location: Location) -> bool {
        match location {
            Location::Global(id) => self.program.globals[id.index()].atomic,
            Location::Field(object, field) => {
                let of = state.objects[object.index()].of;
                self.program.objects[of.index()].fields[field.index()].atomic
            }
            Location::Object(_) | Location::End(_) => true,
        }
    }

    /// The accesses before which the processes of a state stand, and which they can take now.
    #[must_use]
    pub fn accesses(&self, state: &State) -> Vec<(Pid, Access)> {
        let mut all: Vec<(Pid, Access)> = Vec::new();
        for pid in state.running() {
            all.extend(self.accesses_alone(state, pid).into_iter().map(|access| (pid, access)));
        }
        let offers: Vec<Offer> = state.running().filter_map(|pid| self.offer(state, pid)).collect();
        for [first, second] in pairs(&offers) {
            self.accesses_together(state, [first.pid, second.pid], &mut all);
        }
        // What a thread would make itself is out of reach of others.
        all.retain(|(_, access)| match access.location {
            Location::Field(object, _) => object.index() < state.objects.len(),
            Location::Global(_) => true,
            Location::Object(_) | Location::End(_) => false,
        });
        let key = |(pid, access): &(Pid, Access)| {
            let Access { location, is_write, is_plain, is_waiting, is_meeting, .. } = *access;
            (*pid, location, is_write, is_plain, is_waiting, is_meeting)
        };
        all.sort_by_key(key);
        all.dedup_by_key(|one| key(one));
        all
    }

    /// Those of a thread by itself.
    fn accesses_alone(&self, state: &State, pid: Pid) -> Vec<Access> {
        let mut settled = state.clone();
        let stop = self.settle(&mut settled, pid);
        let Stop::Before(..) = stop else { return Vec::new() };
        if self.is_local(settled.thread(pid).expect("it runs"), &stop) {
            return Vec::new();
        }
        let looks = Rc::new(Looks::default());
        let done = self.act(World::new(self.program, settled, pid, &looks));
        let waiting = looks.alone.take().into_iter();
        let mut found: Vec<Access> =
            waiting.map(|access| Access { is_waiting: true, ..access }).collect();
        for done in done {
            found.extend(match done {
                Ok(world) => world.accesses.all(),
                Err(fault) => fault.world.accesses.all(),
            });
        }
        found
    }

    /// Those of two threads that meet, if they can: each stands before its own, and both before what they do together.
    fn accesses_together(
        &self,
        state: &State,
        [first, second]: [Pid; 2],
        all: &mut Vec<(Pid, Access)>,
    ) {
        let looks = Rc::new(Looks::default());
        let world = World::new(self.program, state.clone(), first, &looks);
        let done: Vec<World<'p>> = self
            .alone(World { partner: Some(second), ..world }, Role::First)
            .into_iter()
            .filter_map(|outcome| Some(outcome.ok()?.0))
            .collect();
        let waiting = looks.offering.take().into_iter();
        let waiting = waiting.map(|world| (world.conditions(), true, world));
        let done = done.into_iter().map(|world| (world.accesses.all(), false, world));
        for (own, is_waiting, mut world) in done.chain(waiting) {
            let Role::Brings(brought) = world.role.clone() else { continue };
            world.scopes.truncate(1);
            let looks = Rc::new(Looks::default());
            let world = World { looks: Rc::clone(&looks), ..world.handed_to(second) };
            let outcomes = self.alone(world, Role::Second(brought));
            if !looks.have_met.get() {
                continue;
            }
            let mut note = |pid: Pid, accesses: Vec<Access>, is_waiting: bool| {
                let noted = accesses.into_iter();
                let noted = noted.map(|access| Access { is_waiting, is_meeting: true, ..access });
                all.extend(noted.map(|access| (pid, access)));
            };
            let mut theirs = vec![(looks.alone.take(), true)];
            if !is_waiting {
                theirs.extend(outcomes.into_iter().map(|outcome| (done_of(outcome), false)));
            }
            note(first, own, is_waiting);
            for (accesses, is_waiting) in theirs {
                let joint = accesses.iter().filter(|access| access.is_joint).copied();
                note(first, joint.collect(), is_waiting);
                note(second, accesses, is_waiting);
            }
        }
    }
}

/// What the second of two that may meet has accessed, if they have met or it has gone wrong.
fn done_of<T>(outcome: Outcome<T>) -> Vec<Access> {
    match outcome {
        Ok((world, _)) if matches!(world.role, Role::Met(_)) => world.accesses.all(),
        Ok(_) => Vec::new(),
        Err(fault) => fault.world.accesses.all(),
    }
}

/// The pairs of processes that may meet: not one with itself, nor two of which none waits.
pub(crate) fn pairs(offers: &[Offer]) -> impl Iterator<Item = [&Offer; 2]> {
    let all = offers.iter().flat_map(|first| offers.iter().map(move |second| [first, second]));
    all.filter(|[first, second]| first.pid != second.pid && !(first.is_poll && second.is_poll))
}

#[cfg(test)]
mod tests {
    use program::Observed;

    use super::*;
    use crate::examples::{explore, program, written};
    use crate::turns::Turns;

    /// The statements of a race.
    fn race(text: &str) -> Option<[String; 2]> {
        let program = program(text);
        let observed = Observed { races: true, ..Observed::default() };
        let interpreter = Interpreter::new(&program, &observed);
        let states = explore(&interpreter, Turns::Steps).states;
        let race = { states }.iter().find_map(|state| interpreter.race(state))?;
        assert_ne!(race.processes[0], race.processes[1]);
        let mut accesses = race.accesses.map(|one| written(&program, one.statement).to_owned());
        accesses.sort();
        Some(accesses)
    }

    #[test]
    fn plain_accesses_race() {
        let text = "shared x: 0..=1 = 0
            process main { spawn other()   x = 1 }
            process other { if x == 0 { } }";
        assert_eq!(race(text), Some(["if x == 0 ", "x = 1"].map(str::to_owned)));
        assert_eq!(race(&text.replace("shared", "shared atomic")), None);
    }

    #[test]
    fn what_is_done_at_once_does_not_race_with_itself() {
        let text = "shared x: 0..=1 = 0
            process main { spawn other()   atomic { x = 1 } }
            process other { atomic { if x == 0 { x = 1 } } }";
        assert_eq!(race(text), None);
        assert!(race(&text.replace("atomic { x = 1 }", "x = 1")).is_some());
    }

    #[test]
    fn a_condition_is_read_by_one_that_waits() {
        let text = "shared x: 0..=1 = 0
            process main { spawn other()   x = 1 }
            process other { await x == 1 }";
        assert_eq!(race(text), Some(["await x == 1", "x = 1"].map(str::to_owned)));
    }
}
