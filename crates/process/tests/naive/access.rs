//! What is read and written, and who races for it.
//!
//! A thread stands before the accesses of all that it can do now, by itself or with another one whom it can meet. What it
//! reads to find out whether it can go on counts whether or not it can: conditions of `await`, `when` and `where`, what
//! is chosen from, and the operands of what is waited for.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use program::{FieldId, GlobalId};

use crate::at_once::World;
use crate::code::Code;
use crate::control::Point;
use crate::meet::{Offer, Role};
use crate::state::State;
use crate::value::Fault;

/// Which accesses count: by definition all.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// What is read where one cannot go on.
    pub waiting: bool,
    /// What two do who meet.
    pub meetings: bool,
}

impl Counted {
    pub const ALL: Counted = Counted { waiting: true, meetings: true };
}

/// Something that is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    Global(GlobalId),
    /// A field of an object.
    Field(u32, FieldId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    location: Location,
    is_write: bool,
    /// Whether it is outside of steps and atomic blocks.
    is_plain: bool,
    /// Whether it is read to find out whether one can go on.
    is_condition: bool,
    /// Whether two do it together.
    is_joint: bool,
}

/// Accesses, in the order in which they come.
#[derive(Clone, Debug, Default)]
pub struct Log(RefCell<Vec<Access>>);

impl Log {
    pub fn note(&self, location: Location, is_write: bool, is_plain: bool) {
        let (is_condition, is_joint) = (false, false);
        let access = Access { location, is_write, is_plain, is_condition, is_joint };
        self.0.borrow_mut().push(access);
    }

    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// What came after so many was to find out whether one can go on.
    pub fn are_conditions(&self, after: usize) {
        self.0.borrow_mut()[after..].iter_mut().for_each(|access| access.is_condition = true);
    }

    /// What came after so many is done by two together.
    pub fn are_joint(&self, after: usize) {
        self.0.borrow_mut()[after..].iter_mut().for_each(|access| access.is_joint = true);
    }

    fn all(&self) -> Vec<Access> {
        self.0.borrow().clone()
    }
}

/// What was looked at to find out whether one can go on, also in vain.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    /// By one who has not offered anything to another one.
    alone: RefCell<Vec<Access>>,
    /// By one who has: it comes there only if the other one is there.
    offering: RefCell<Vec<World>>,
    /// Whether two have met.
    have_met: Cell<bool>,
}

thread_local! {
    /// What was accessed on ways that have gone wrong, since this was last asked.
    static LOST: RefCell<Vec<Access>> = const { RefCell::new(Vec::new()) };
}

/// Notes what was accessed before something went wrong.
pub fn lost(world: &World, fault: Fault) -> Fault {
    LOST.with_borrow_mut(|lost| lost.extend(world.accesses.all()));
    fault
}

impl Looks {
    /// Notes what one has looked at who is doing something.
    pub fn look(&self, world: &World) {
        match world.role {
            Role::Brings(_) => self.offering.borrow_mut().push(world.clone()),
            _ => self.alone.borrow_mut().extend(conditions(world)),
        }
    }

    pub fn meet(&self) {
        self.have_met.set(true);
    }

    fn clear(&self) {
        LOST.take();
        self.alone.borrow_mut().clear();
        self.offering.borrow_mut().clear();
        self.have_met.set(false);
    }
}

/// What was read to find out whether one can go on.
fn conditions(world: &World) -> Vec<Access> {
    let joint = world.joint_from.unwrap_or(usize::MAX);
    let all = world.accesses.all().into_iter().enumerate();
    let all = all.map(|(at, access)| Access { is_joint: access.is_joint || at >= joint, ..access });
    all.filter(|access| access.is_condition).collect()
}

impl Code<'_> {
    /// The accesses before which the threads of a state stand, and which they can take now.
    fn all_accesses(&self, state: &State, counted: Counted) -> Vec<BTreeSet<Access>> {
        let pids = 0..state.processes.len() as u32;
        let mut all: Vec<BTreeSet<Access>> =
            pids.clone().map(|pid| self.accesses(state, pid, counted)).collect();
        let offers: Vec<Offer> = pids
            .filter(|pid| state.thread(*pid).is_some())
            .filter_map(|pid| self.offer(state, pid))
            .collect();
        for first in &offers {
            for second in &offers {
                let can_meet = first.pid != second.pid && !(first.is_poll && second.is_poll);
                if counted.meetings && can_meet {
                    self.accesses_together(state, [first.pid, second.pid], counted, &mut all);
                }
            }
        }
        // What a thread would make itself is out of reach of others.
        for found in &mut all {
            found.retain(|access| match access.location {
                Location::Field(object, _) => (object as usize) < state.objects.len(),
                Location::Global(_) => true,
            });
        }
        all
    }

    /// Those of a thread by itself.
    fn accesses(&self, state: &State, pid: u32, counted: Counted) -> BTreeSet<Access> {
        if state.thread(pid).is_none() {
            return BTreeSet::new();
        }
        let mut settled = state.clone();
        let point = self.settle(&mut settled, pid);
        if self.is_local(settled.thread(pid).expect("it runs"), &point)
            || !matches!(point, Point::Before(..))
        {
            return BTreeSet::new();
        }
        self.looks.clear();
        let outcomes = self.act(&settled, pid);
        let mut found: BTreeSet<Access> = self.looks.alone.take().into_iter().collect();
        found.retain(|_| counted.waiting);
        found.extend(LOST.take());
        for world in outcomes.into_iter().flatten() {
            found.extend(world.accesses.all());
        }
        found
    }

    /// Those of two threads that meet, if they can: each stands before its own, and both before what they do together.
    fn accesses_together(
        &self,
        state: &State,
        [first, second]: [u32; 2],
        counted: Counted,
        all: &mut [BTreeSet<Access>],
    ) {
        self.looks.clear();
        let done: Vec<World> = self
            .alone(&mut state.clone(), first, Role::First)
            .into_iter()
            .filter_map(|outcome| Some(outcome.ok()?.0))
            .collect();
        let mut waiting = self.looks.offering.take();
        waiting.retain(|_| counted.waiting);
        let all_of = |world: &World| world.accesses.all();
        let done = done.into_iter().map(|world| (all_of(&world), true, world));
        let waiting = waiting.into_iter().map(|world| (conditions(&world), false, world));
        for (own, is_done, mut world) in done.chain(waiting).collect::<Vec<_>>() {
            let Role::Brings(brought) = world.role.clone() else { continue };
            self.looks.clear();
            world.scopes.truncate(1);
            world.put_back();
            let others = self.alone(&mut world.state, second, Role::Second(brought));
            if !self.looks.have_met.get() {
                continue;
            }
            let mut theirs = self.looks.alone.take();
            theirs.retain(|_| counted.waiting);
            if is_done {
                theirs.extend(LOST.take());
            }
            for (world, _) in others.into_iter().flatten() {
                if is_done && matches!(world.role, Role::Met(_)) {
                    theirs.extend(all_of(&world));
                }
            }
            all[first as usize].extend(own);
            all[first as usize].extend(theirs.iter().filter(|access| access.is_joint));
            all[second as usize].extend(theirs);
        }
    }

    /// Two accesses that conflict, if threads of a state stand before such.
    pub fn race(&self, state: &State, counted: Counted) -> Option<[Access; 2]> {
        let all = self.all_accesses(state, counted);
        let conflict = |a: &Access, b: &Access| {
            a.location == b.location
                && (a.is_write || b.is_write)
                && (a.is_plain || b.is_plain)
                && !self.is_atomic(state, a.location)
        };
        let pairs = (0..all.len()).flat_map(|first| (0..first).map(move |second| (first, second)));
        { pairs }.find_map(|(first, second)| {
            let others = |a| all[second].iter().find(|b| conflict(a, b)).map(|b| [*a, *b]);
            all[first].iter().find_map(others)
        })
    }

    fn is_atomic(&self, state: &State, location: Location) -> bool {
        match location {
            Location::Global(id) => self.program.globals[id.index()].atomic,
            Location::Field(object, field) => {
                let of = state.objects[object as usize].of;
                self.program.objects[of.index()].fields[field.index()].atomic
            }
        }
    }
}
