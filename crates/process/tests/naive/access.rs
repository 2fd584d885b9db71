//! What is read and written, and who races for it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use process::program::{FieldId, GlobalId};

use crate::code::Code;
use crate::control::Point;
use crate::state::State;

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
    /// Whether it is read by something that is waited for.
    is_condition: bool,
}

/// Accesses, in the order in which they come.
#[derive(Clone, Debug, Default)]
pub struct Log(RefCell<Vec<Access>>);

impl Log {
    pub fn note(&self, location: Location, is_write: bool, is_plain: bool) {
        let is_condition = false;
        self.0.borrow_mut().push(Access { location, is_write, is_plain, is_condition });
    }

    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// What came after so many was for something that is waited for.
    pub fn are_conditions(&self, after: usize) {
        self.0.borrow_mut()[after..].iter_mut().for_each(|access| access.is_condition = true);
    }

    /// Adds what another has that is for something that is waited for. In steps and atomic blocks only what can be
    /// done counts.
    pub fn extend(&self, other: &Log) {
        let is_looked_at = |access: &&Access| access.is_condition && access.is_plain;
        let other = other.0.borrow();
        self.0.borrow_mut().extend(other.iter().filter(is_looked_at));
    }
}

impl Code<'_> {
    /// The accesses before which a thread stands, and which it can take now.
    fn accesses(&self, state: &State, pid: u32) -> BTreeSet<Access> {
        let mut settled = state.clone();
        let point = self.settle(&mut settled, pid);
        if self.is_local(settled.thread(pid).expect("it runs"), &point)
            || !matches!(point, Point::Before(..))
        {
            return BTreeSet::new();
        }
        self.looked_at.0.borrow_mut().clear();
        let outcomes = self.act(&settled, pid);
        let mut found: BTreeSet<Access> = self.looked_at.0.borrow().iter().copied().collect();
        for world in outcomes.into_iter().flatten() {
            found.extend(world.accesses.0.into_inner());
        }
        // What a thread would make itself is out of reach of others.
        found.retain(|access| match access.location {
            Location::Field(object, _) => (object as usize) < state.objects.len(),
            Location::Global(_) => true,
        });
        found
    }

    /// Two accesses that conflict, if threads of a state stand before such.
    pub fn race(&self, state: &State) -> Option<[Access; 2]> {
        let pids = 0..state.processes.len() as u32;
        let running = pids.filter(|pid| state.thread(*pid).is_some());
        let all: Vec<BTreeSet<Access>> = running.map(|pid| self.accesses(state, pid)).collect();
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
