//! What the explorer needs to know of a system.

use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::sync::Arc;

use foldhash::quality::FixedState;

use crate::Successors;

/// A system as the explorer sees it: where it starts, and what follows a state.
///
/// There is one value per worker; scratch lives inside it, hence `&mut self`. Both functions must
/// depend on nothing but the model and the state: the same string always has the same successors.
pub trait Space {
    /// What is wrong with the model, found while firing (a value out of range, say). It ends the
    /// run.
    type Fault;

    /// Puts the initial states into `successors`; labels and modes are not looked at.
    fn initial(&mut self, successors: &mut Successors) -> Result<(), Self::Fault>;

    /// Puts every successor of `state` into `successors`, and says what it would mean if there were
    /// none.
    ///
    /// Where a single state may have very many successors, or finding them may take long, ask
    /// [`Successors::enough`] now and then and return as soon as it is.
    fn expand(
        &mut self,
        state: &[u8],
        successors: &mut Successors,
    ) -> Result<Standing, Self::Fault>;

    /// The bytes that this value holds, as allocated: they count into the limit on memory. Where
    /// workers share something, each gives its part of it. Asked for often, so it should be cheap.
    fn allocated_bytes(&self) -> u64 {
        0
    }

    /// Saves what the strings given so far depend on besides the model: whatever the space has numbered in
    /// the order of arrival. Nothing, where strings depend on the model alone.
    ///
    /// What was numbered before `mark` is left out: 0 saves everything, and the mark that is given back is for
    /// the next time. So what is numbered is written once, however often it is saved.
    ///
    /// # Errors
    ///
    /// If writing fails.
    fn save(&self, mark: u64, _to: &mut dyn Write) -> io::Result<u64> {
        Ok(mark)
    }

    /// Makes this space understand the strings of the one that was saved, and go on numbering where that one was.
    /// What was saved in several parts is restored part by part, in the same order, before the space has
    /// given any string.
    ///
    /// # Errors
    ///
    /// If reading fails, or what is read was not saved by a space of this kind, or is not the next part.
    fn restore(&mut self, _from: &mut dyn Read) -> io::Result<()> {
        Ok(())
    }

    /// Bits that depend on the model and the state alone, not on what this space has numbered: the same in every
    /// process. States that differ may have the same.
    fn imprint(&mut self, state: &[u8]) -> u64 {
        hash_of(state)
    }

    /// The numbers of the parts that a state is made of, where strings are made of parts that the space has numbered in
    /// the order of arrival. `false` where strings depend on the model alone, and there are none. In any order, unless
    /// there is a [rest](Self::rest).
    fn parts(&self, _state: &[u8], numbers: &mut Vec<u32>) -> bool {
        numbers.clear();
        false
    }

    /// What there is of a state beside its parts, in whose order it is. None where a state is just a bag of parts.
    fn rest<'s>(&self, _state: &'s [u8]) -> Option<&'s [u8]> {
        None
    }

    /// The number of parts that have numbers, from 0 on.
    fn part_count(&self) -> u32 {
        0
    }

    /// Appends a part as every process understands it: equal parts have equal bytes.
    ///
    /// # Panics
    ///
    /// If no part has this number.
    fn part(&self, number: u32, _bytes: &mut Vec<u8>) {
        panic!("there is no part {number}")
    }

    /// The number of a part that comes from another process.
    ///
    /// # Panics
    ///
    /// If states have no parts.
    fn adopt(&mut self, _part: &[u8]) -> u32 {
        panic!("states have no parts")
    }

    /// Appends the string of the state that is made of these parts, which may be put into another order, and this rest,
    /// if states have one.
    fn compose(&self, _numbers: &mut [u32], _rest: &[u8], _string: &mut Vec<u8>) {
        panic!("states have no parts")
    }

    /// The name of a label, where labels get their numbers as they are met. None where they depend on the model alone,
    /// or there is no such label.
    fn label_name(&self, _label: u32) -> Option<Arc<str>> {
        None
    }

    /// The number here of a label that has a name.
    ///
    /// # Panics
    ///
    /// If labels have no names.
    fn label(&mut self, name: &str) -> u32 {
        panic!("labels have no names, so none is called {name}")
    }
}

/// A hash of a string, the same in every process.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = FixedState::with_seed(1).build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

/// What it means for a state to have no successor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// Something is still alive: no successor means deadlock.
    Alive,
    /// Everything has ended: no successor means termination.
    Ended,
}
