//! The classes of states that were met, found on demand.
//!
//! A concrete state is folded to canonical bytes, by which its class is found; bytes are compared, never hashes alone.
//! What follows a class is found by firing the compiled rules on its bytes, as an exploration does. Classes are
//! numbered in the order in which they were met; the first is that of the initial state. Who asks for the class of a
//! state has a folder of its own, so that nobody waits while the graph is grown elsewhere.

mod table;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use budget::Budget;
use explore::{Space, Standing, Successors};
use fold::{Folded, Folder};
use net::interpret;
use net::{Compiled, Net};
use state::State;
use trace::all_modes;

use crate::refusal::{Code, Refusal};
pub(crate) use table::{ClassKind, Table};

/// The most classes that are kept of one net, and the most bytes of their parts.
pub(crate) const MOST_CLASSES: usize = 20_000;
const MOST_BYTES: u64 = 1 << 30;

/// The longest text of a class, in characters.
const LONGEST_TEXT: usize = 2000;

/// The classes that were met of a net.
pub(crate) struct Classes {
    net: Arc<Net>,
    folding: Mutex<Folding>,
    growing: Mutex<Folded<Compiled>>,
    table: Mutex<Table>,
}

/// What folds states.
struct Folding {
    space: Folded<Compiled>,
    /// Counts the states of a class.
    folder: Folder,
}

/// What has become of growing a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grown {
    /// It is grown now, by this many new classes.
    By(usize),
    /// It has more successors than there is room for: this many that are new.
    TooMany(usize),
}

impl Classes {
    pub(crate) fn of(net: &Arc<Net>) -> Classes {
        let relations = net.relations();
        let growing = Folded::new(Compiled::new(net.clone(), relations), relations);
        let space = growing.worker();
        let folder = Folder::new(space.rules().schema(), relations);
        let classes = Classes {
            net: net.clone(),
            folding: Mutex::new(Folding { space, folder }),
            growing: Mutex::new(growing),
            table: Mutex::default(),
        };
        classes.of_state(&interpret::initial(net));
        classes
    }

    /// What is known.
    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folding(&self) -> MutexGuard<'_, Folding> {
        self.folding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn growing(&self) -> MutexGuard<'_, Folded<Compiled>> {
        self.growing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the class of a state; none if there is no room for another.
    pub(crate) fn of_state(&self, state: &State) -> Option<u32> {
        let bytes = self.bytes(state);
        if let Some(id) = self.table().find(&bytes) {
            return Some(id);
        }
        let text = {
            let folding = self.folding();
            text(&self.net, &folding.space, &bytes)
        };
        self.table().add(bytes, text)
    }

    /// The canonical bytes of a state.
    pub(crate) fn bytes(&self, state: &State) -> Vec<u8> {
        let Folding { space, .. } = &mut *self.folding();
        let (working, _) = space.rules().working(state);
        space.fold(working)
    }

    /// How many states the class of a state has, in decimal digits, where only members of classes are folded: there is
    /// no such number with threads and objects, since their names are never used up.
    pub(crate) fn alike(&self, state: &State) -> Option<String> {
        let Folding { space, folder } = &mut *self.folding();
        let (working, _) = space.rules().working(state);
        folder.orbit(&working).map(|count| count.to_string())
    }

    /// Finds what follows a class, unless that is known, or more than `room` classes were new.
    ///
    /// # Errors
    /// If the budget is used up before, or there is no memory left for more classes.
    pub(crate) fn grow(&self, id: u32, room: usize, budget: &Budget) -> Result<Grown, Refusal> {
        budget.check()?;
        let bytes = {
            let table = self.table();
            match table.class(id) {
                Some(class) if class.successors.is_none() => class.bytes.clone(),
                _ => return Ok(Grown::By(0)),
            }
        };
        let space = &mut *self.growing();
        if space.family_bytes() > MOST_BYTES {
            return Err(Refusal::new(
                Code::TooLarge,
                "no more states are kept: they take too much memory",
            ));
        }
        let mut found = Successors::within(budget);
        let expanded = space.expand(&bytes, &mut found);
        budget.check()?;
        let (successors, kind) = match expanded {
            Ok(standing) => {
                let successors: BTreeSet<(u32, Vec<u8>)> =
                    found.iter().map(|(label, _, bytes)| (label, bytes.to_vec())).collect();
                let kind = match standing {
                    _ if !successors.is_empty() => ClassKind::Inner,
                    Standing::Alive => ClassKind::Deadlock,
                    Standing::Ended => ClassKind::Terminated,
                };
                (successors, kind)
            }
            // Where something goes wrong, other things may go on.
            Err(_) => (self.without_faults(space, &bytes, budget)?, ClassKind::Fault),
        };
        let new: BTreeSet<&Vec<u8>> = {
            let table = self.table();
            let targets = successors.iter().map(|(_, bytes)| bytes);
            targets.filter(|bytes| table.find(bytes).is_none()).collect()
        };
        let count = new.len();
        if count > room || self.table().len() + count > MOST_CLASSES {
            return Ok(Grown::TooMany(count));
        }
        let texts: Vec<(Vec<u8>, String)> =
            new.into_iter().map(|bytes| (bytes.clone(), text(&self.net, space, bytes))).collect();
        let mut table = self.table();
        for (bytes, text) in texts {
            table.add(bytes, text);
        }
        let targets = successors.iter().map(|(label, bytes)| Some((*label, table.find(bytes)?)));
        // Meanwhile others may have taken the room.
        let Some(targets) = targets.collect::<Option<Vec<_>>>() else {
            return Ok(Grown::TooMany(count));
        };
        table.grow(id, targets, kind);
        Ok(Grown::By(count))
    }

    /// The successors of a class by what does not go wrong, found by the plain interpreter.
    fn without_faults(
        &self,
        space: &mut Folded<Compiled>,
        bytes: &[u8],
        budget: &Budget,
    ) -> Result<BTreeSet<(u32, Vec<u8>)>, Refusal> {
        let state = space.rules().state(&space.decode(bytes));
        let mut found = BTreeSet::new();
        for mode in all_modes(&self.net, &state, budget)?.into_iter().flatten() {
            budget.check()?;
            if let Ok(step) = interpret::fire(&self.net, &state, &mode) {
                let (working, _) = space.rules().working(&step.state);
                found.insert((mode.transition.0, space.fold(working)));
            }
        }
        Ok(found)
    }
}

/// What people read of a class: a state of it.
fn text(net: &Net, space: &Folded<Compiled>, bytes: &[u8]) -> String {
    let state = space.rules().state(&space.decode(bytes));
    let text = match trace::told_state(net, &state) {
        Some(lines) => lines.join("\n"),
        None => survey::state_text(net.places.iter().map(|place| &place.name), &state),
    };
    draw::cut(&text, LONGEST_TEXT).into_owned()
}
