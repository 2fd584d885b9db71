//! Transitions under symbolic bindings.
//!
//! An *instance* of a transition says of each variable of a symmetric class in which static
//! subclass its value is, and which variables have the same value; variables of plain classes have
//! their values. That is a symbolic binding where each static subclass is one dynamic subclass, and
//! decides the guard. What is left open is only from which dynamic subclass each value is split off
//! (`fire.rs`).

use crate::explicit::bind::{Binder, Flow, ON, Sink, TRIES_PER_QUESTION};
use crate::explicit::marking::Marking;
use crate::explicit::rules::Rules;
use crate::{SymmetricNet, Unsupported};

/// A transition under a symbolic binding.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) transition: usize,
    /// The values of its variables; where a class is symmetric, which of the elements named of a static
    /// subclass.
    pub(super) values: Vec<u32>,
    /// By static subclass, how many elements are named.
    pub(super) named: Vec<u32>,
}

/// How many words the instances of a net may take; each value that is tried counts as one.
const MOST_WORDS: usize = 1 << 21;
/// The largest number of elements of a static subclass that an instance names.
const MOST_NAMED: u32 = 12;

/// All instances of a net's transitions, those that can never be enabled left out.
pub(super) fn instances(net: &SymmetricNet, rules: &Rules) -> Result<Vec<Instance>, Unsupported> {
    let marking = Marking {
        subclasses: (0..rules.subclasses.len() as u32).collect(),
        sizes: rules.subclasses.iter().map(|subclass| subclass.size).collect(),
        ..Marking::default()
    };
    let mut listing = Listing { rules, transition: 0, all: Vec::new(), room: MOST_WORDS };
    for (index, transition) in rules.transitions.iter().enumerate() {
        listing.transition = index;
        let flow = Binder::default().for_each_binding(rules, &marking, transition, &mut listing);
        if flow.is_break() {
            let name = &net.transitions[index].name;
            let problem = format!("transition {name} has too many symbolic bindings");
            return Err(Unsupported(problem));
        }
    }
    Ok(listing.all)
}

struct Listing<'r> {
    rules: &'r Rules,
    transition: usize,
    all: Vec<Instance>,
    room: usize,
}

impl Sink for Listing<'_> {
    fn bound(&mut self, binder: &mut Binder) -> Flow {
        let Binder { values, named, .. } = binder;
        self.room = self.room.saturating_sub(values.len() + named.len() + 1);
        if self.room == 0 || named.iter().any(|&named| named > MOST_NAMED) {
            return Flow::Break(());
        }
        if self.rules.transitions[self.transition].can_be_followed(values) {
            let (values, named) = (values.clone(), named.clone());
            self.all.push(Instance { transition: self.transition, values, named });
        }
        ON
    }

    fn is_enough(&mut self) -> bool {
        self.room = self.room.saturating_sub(TRIES_PER_QUESTION as usize);
        self.room == 0
    }
}
