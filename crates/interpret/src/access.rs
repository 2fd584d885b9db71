//! What is read and written on the way.

use std::cell::{Cell, RefCell};

use net::Origin;
use program::{Expr, FieldId, GlobalId};

use crate::evaluate::Scope;
use crate::meet::Role;
use crate::obstacle::Obstacle;
use crate::value::{Address, Pid};
use crate::world::World;

/// Something that is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A global variable.
    Global(GlobalId),
    /// A field of an object.
    Field(Address, FieldId),
    /// An object of which a step is called, whatever that does. Nobody writes that.
    Object(Address),
    /// Whether a process has ended, and with which result. Nobody writes that.
    End(Pid),
}

/// An access before which a process stands.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// What is read or written.
    pub location: Location,
    /// The innermost statement that does it.
    pub statement: Origin,
    /// Whether it is written.
    pub is_write: bool,
    /// Whether it is outside of steps and atomic blocks.
    pub is_plain: bool,
    /// Whether it is read only to find out whether the process can go on, perhaps in vain.
    pub is_waiting: bool,
    /// Whether it is an access only if another process is met.
    pub is_meeting: bool,
    /// Whether it is read to find out whether one can go on, on this way.
    pub(crate) is_condition: bool,
    /// Whether two do it together.
    pub(crate) is_joint: bool,
    /// Whether it is read only to find the object of which something is read.
    pub(crate) is_way: bool,
}

/// Accesses, in the order in which they come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(RefCell<Vec<Access>>);

impl Log {
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// What came after so many was to find out whether one can go on.
    pub(crate) fn are_conditions(&self, after: usize) {
        self.0.borrow_mut()[after..].iter_mut().for_each(|access| access.is_condition = true);
    }

    /// What came after so many is done by two together.
    pub(crate) fn are_joint(&self, after: usize) {
        self.0.borrow_mut()[after..].iter_mut().for_each(|access| access.is_joint = true);
    }

    pub(crate) fn all(&self) -> Vec<Access> {
        self.0.borrow().clone()
    }
}

/// By what accesses are made: a statement, outside of steps and atomic blocks or not.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'s> {
    log: &'s Log,
    statement: Origin,
    is_plain: bool,
}

impl Reader<'_> {
    /// Notes that something is read or written.
    pub(crate) fn access(self, location: Location, is_write: bool) {
        let Reader { statement, is_plain, .. } = self;
        self.log.0.borrow_mut().push(Access {
            location,
            statement,
            is_write,
            is_plain,
            is_waiting: false,
            is_meeting: false,
            is_condition: false,
            is_joint: false,
            is_way: false,
        });
    }

    /// How much has been noted.
    pub(crate) fn len(self) -> usize {
        self.log.len()
    }

    /// What came after so many was read only to find an object.
    pub(crate) fn are_ways(self, after: usize) {
        self.log.0.borrow_mut()[after..].iter_mut().for_each(|access| access.is_way = true);
    }
}

impl World<'_> {
    /// What all who act have read and written.
    pub(crate) fn all_accesses(&self) -> Vec<Access> {
        [self.earlier.clone(), self.accesses.all()].concat()
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        self.reader_into(&self.accesses)
    }

    /// What an expression reads, but for what only leads there.
    pub(crate) fn reads(&self, expr: &Expr) -> Vec<Location> {
        let log = Log::default();
        let scope = Scope { reader: Some(self.reader_into(&log)), ..self.scope() };
        _ = scope.eval(expr);
        let mut found: Vec<Location> = Vec::new();
        for access in log.all() {
            if !access.is_way && !found.contains(&access.location) {
                found.push(access.location);
            }
        }
        found
    }

    fn reader_into<'s>(&self, log: &'s Log) -> Reader<'s> {
        Reader { log, statement: self.statement, is_plain: self.inside == 0 }
    }

    /// What was read to find out whether one can go on.
    pub(crate) fn conditions(&self) -> Vec<Access> {
        let joint = self.joint_from.unwrap_or(usize::MAX);
        let all = self.accesses.all().into_iter().enumerate();
        let all = all.map(|(at, access)| {
            let is_joint = access.is_joint || at >= joint;
            Access { is_joint, ..access }
        });
        all.filter(|access| access.is_condition).collect()
    }
}

/// What was looked at to find out whether one can go on, also in vain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looks<'p> {
    /// By one who has not offered anything to another one.
    pub(crate) alone: RefCell<Vec<Access>>,
    /// By one who has: it comes there only if the other one is there.
    pub(crate) offering: RefCell<Vec<World<'p>>>,
    /// What keeps one from going on, if that is asked.
    pub(crate) obstacles: Option<RefCell<Vec<Obstacle>>>,
    /// Whether two have met.
    pub(crate) have_met: Cell<bool>,
    /// Whether one has come to a `kill` that has to wait.
    pub(crate) has_kill_waited: Cell<bool>,
}

impl<'p> Looks<'p> {
    /// Notes what one has looked at who is doing something.
    pub(crate) fn look(&self, world: &World<'p>) {
        match world.role {
            Role::Brings(_) => self.offering.borrow_mut().push(world.clone()),
            _ => self.alone.borrow_mut().extend(world.conditions()),
        }
    }
}
