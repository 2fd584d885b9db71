//! Strings of which it is not known yet whether they are new: each once, in the order of arrival.
//!
//! An arena of the strings ([`arena`](super::arena)) and a table of (hash, number) ([`table`](super::table)).

use std::hint::black_box;

use super::arena::Arena;
use super::table::{Slot, Table};

#[derive(Debug)]
pub(crate) struct Candidates {
    strings: Arena,
    table: Table,
}

impl Default for Candidates {
    fn default() -> Self {
        Self { strings: Arena::default(), table: Table::new() }
    }
}

impl Candidates {
    /// The number of strings.
    pub(crate) fn len(&self) -> u32 {
        self.strings.len()
    }

    /// Puts a string with this hash among the candidates unless it is there: its number, and whether it is new
    /// here.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, bytes: &[u8]) -> (u32, bool) {
        self.table.make_room();
        match self.table.search(hash, |number| self.strings.get(number) == bytes) {
            Slot::Held(number) => (number, false),
            Slot::Missing(slot) => {
                let number = self.len();
                self.strings.push(bytes);
                self.table.insert(slot, hash, number);
                (number, true)
            }
        }
    }

    /// Brings near what searches for these hashes look at first. Waiting for memory is most of what a
    /// search costs; here the waits are for all of them at once.
    #[inline]
    pub(crate) fn touch(&self, hashes: impl Iterator<Item = u32>) {
        black_box(hashes.fold(0, |sum, hash| sum ^ self.table.first_slot(hash)));
    }

    /// The string with this number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        self.strings.get(number)
    }

    /// Forgets all strings.
    pub(crate) fn clear(&mut self) {
        self.strings.clear();
        self.table.clear();
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        self.strings.allocated_bytes() + self.table.allocated_bytes()
    }
}
