//! A part of the visited set that is complete in itself: strings and the table that finds them.
//!
//! An append-only arena of the strings ([`arena`](super::arena)) and a table of (hash, number)
//! ([`table`](super::table)). Numbers are those of this shard, from 0, in the order of arrival.

use std::hint::black_box;

use super::arena::Arena;
use super::table::{Slot, Table};

#[derive(Debug)]
pub(crate) struct Shard {
    arena: Arena,
    table: Table,
}

impl Shard {
    pub(crate) fn new() -> Self {
        Self { arena: Arena::default(), table: Table::new() }
    }

    /// The number of strings.
    pub(crate) fn len(&self) -> u32 {
        self.arena.len() as u32
    }

    /// Puts a string with this hash into the shard unless it is there: its number, and whether it is
    /// new. `None`, and no change, when it is new and the shard already holds `most` strings.
    #[inline]
    pub(crate) fn insert_within(
        &mut self,
        hash: u32,
        bytes: &[u8],
        most: u32,
    ) -> Option<(u32, bool)> {
        self.table.make_room();
        match self.table.search(hash, |number| self.arena.get(number) == bytes) {
            Slot::Held(number) => Some((number, false)),
            Slot::Missing(slot) => {
                let number = self.len();
                if number >= most {
                    return None;
                }
                self.arena.push(bytes);
                self.table.insert(slot, hash, number);
                Some((number, true))
            }
        }
    }

    /// The bytes by which the table grows at once if this many strings are added.
    pub(crate) fn growth(&self, strings: usize) -> u64 {
        self.table.growth(strings as u64)
    }

    /// Brings near what searches for these hashes look at first. Waiting for memory is most of what a
    /// search costs; here the waits are for all of them at once.
    #[inline]
    pub(crate) fn touch(&self, hashes: impl Iterator<Item = u32>) {
        black_box(hashes.fold(0, |sum, hash| sum ^ self.table.first_slot(hash)));
    }

    /// The number of a string with this hash, if it is there.
    pub(crate) fn find(&self, hash: u32, bytes: &[u8]) -> Option<u32> {
        match self.table.search(hash, |number| self.arena.get(number) == bytes) {
            Slot::Held(number) => Some(number),
            Slot::Missing(_) => None,
        }
    }

    /// The string with this number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        self.arena.get(number)
    }

    /// The strings alone.
    pub(crate) fn into_strings(self) -> Arena {
        self.arena
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        self.arena.allocated_bytes() + self.table.allocated_bytes()
    }
}
