//! What a line of a log says, in the terms of a net: which transitions it may be, and what is known of their variables.
//!
//! An [`Occurrence`] has the names that the system uses. An [`Event`] is the same with each name replaced by its *slot*,
//! the number that stands for it in candidates (see `names`).

use std::collections::BTreeMap;
use std::rc::Rc;

use net::{Kind, PlaceId, TransitionId};

/// A name that the log has for somebody or something: names of pids and of objects are counted apart.
pub(crate) type Name = (Kind, Rc<str>);

/// Where the value of something that is logged is found in a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Source {
    /// A variable of the transition, by its index.
    Var(usize),
    /// What follows a thread in its token after the step: the variable of the thread, where it is then, the column.
    After(usize, PlaceId, usize),
}

/// What the log says of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// Who it is.
    Name(Name),
    /// A datum, as the bindings of modes have it.
    Data(i64),
}

/// What a mode must have to be what the log says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Somebody of this kind whose name has this slot, or has no name yet if the slot is nobody's.
    Name(Kind, u32),
    /// Somebody who is gone: no mode has that.
    Gone,
    /// A datum.
    Data(i64),
}

/// A transition that an event may be, and what is known of its mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alternative<W> {
    pub transition: TransitionId,
    pub known: Vec<(Source, W)>,
}

/// A line of the log that says something about the model.
#[derive(Clone, Debug)]
pub(crate) struct Occurrence {
    /// The line, from 1.
    pub line: u64,
    /// What is shown of it.
    pub text: Rc<str>,
    /// The name of the event.
    pub event: Rc<str>,
    pub alternatives: Rc<[Alternative<Given>]>,
    /// The thread of the system that logged it, where that matters for the order.
    pub thread: Option<Rc<str>>,
    /// Its vector clock.
    pub clock: BTreeMap<Rc<str>, u64>,
}

/// An occurrence whose names have become slots.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub line: u64,
    pub text: Rc<str>,
    pub event: Rc<str>,
    pub alternatives: Rc<[Alternative<Wanted>]>,
    /// The events, by their numbers, that come before it; those before them may be left out.
    pub before: Vec<u64>,
}

impl Event {
    /// The slots of the names in it.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        let known = self.alternatives.iter().flat_map(|one| &one.known);
        known.filter_map(|(_, wanted)| match wanted {
            Wanted::Name(_, slot) => Some(*slot),
            Wanted::Gone | Wanted::Data(_) => None,
        })
    }
}
