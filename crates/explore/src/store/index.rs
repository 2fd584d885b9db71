//! The tables by which strings are found, of either kind.
//!
//! In memory a table has all of the hash and grows by itself ([`table`](super::table)); where strings are on disk it
//! is small ([`compact`](super::compact)).

use super::Hash;
use super::compact::Compact;
use super::table::{Slot, Table};

/// Numbers by the hash of what they stand for.
#[derive(Debug)]
pub(crate) enum Index {
    /// Fast.
    Wide(Table),
    /// Small.
    Compact(Compact),
}

impl Index {
    /// Looks for a number with this hash of which `same` holds.
    #[inline]
    pub(crate) fn search(&self, hash: Hash, same: impl FnMut(u32) -> bool) -> Slot {
        match self {
            Index::Wide(table) => table.search(hash.in_table, same),
            Index::Compact(table) => table.search(hash, same),
        }
    }

    /// Puts `number` where a search for `hash` has ended. Numbers come in increasing order, and there must be room.
    #[inline]
    pub(crate) fn insert(&mut self, slot: usize, hash: Hash, number: u32) {
        match self {
            Index::Wide(table) => table.insert(slot, hash.in_table, number),
            Index::Compact(table) => table.insert(slot, hash, number),
        }
    }

    /// Puts `number`, which is not there, into the table.
    pub(crate) fn add(&mut self, hash: Hash, number: u32) {
        match self {
            Index::Wide(table) => {
                table.make_room();
                if let Slot::Missing(slot) = table.search(hash.in_table, |_| false) {
                    table.insert(slot, hash.in_table, number);
                }
            }
            Index::Compact(table) => table.add(hash, number),
        }
    }

    /// The bytes by which the table grows by itself if this many entries are added.
    #[inline]
    pub(crate) fn growth(&self, entries: u64) -> u64 {
        match self {
            Index::Wide(table) => table.growth(entries),
            Index::Compact(_) => 0,
        }
    }

    /// Whether this many entries can be added.
    #[inline]
    pub(crate) fn has_room(&self, entries: u64) -> bool {
        match self {
            Index::Wide(_) => true,
            Index::Compact(table) => table.has_room(entries),
        }
    }

    /// Something of what a search for this hash looks at first, which brings it near.
    #[inline]
    pub(crate) fn first_slot(&self, hash: Hash) -> u64 {
        match self {
            Index::Wide(table) => table.first_slot(hash.in_table),
            Index::Compact(table) => table.first_slot(hash),
        }
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        match self {
            Index::Wide(table) => table.allocated_bytes(),
            Index::Compact(table) => table.allocated_bytes(),
        }
    }
}
