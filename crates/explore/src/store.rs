//! The visited set: every byte string once, numbered in the order of arrival.
//!
//! An append-only arena of the strings ([`arena`]) and a table of (hash, number) ([`table`]).
//! Equality is equality of whole strings: a hash only says where to look.
//!
//! Cost per string, beside its bytes: 9.2 to 11.4 bytes of table, 4 to 5 of offset and 1 per 7 bits
//! of length, as allocated; some 16 in all. A lookup touches the table in one or two cache lines
//! and, where 32 bits of hash agree, the offset and the string.

mod arena;
mod table;

use std::hash::{BuildHasher, Hasher};

use arena::Arena;
use foldhash::quality::FixedState;
use table::{Slot, Table};

/// The number of a state: dense, from 0, in the order of discovery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// The number as an index into an array with an element for each state.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of byte strings that only grows.
#[derive(Debug)]
pub struct Store {
    arena: Arena,
    table: Table,
    hasher: FixedState,
    /// The bits of the hash that are used.
    mask: u32,
}

impl Store {
    /// The largest number of strings a store can hold.
    pub const CAPACITY: u32 = u32::MAX;

    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::with_hash_bits(32)
    }

    /// An empty store that uses only the upper `bits` (at most 32) of its hash.
    ///
    /// It gives the same answers, more slowly: with few bits nearly all strings collide. This is
    /// how tests show that no answer rests on a hash.
    #[must_use]
    pub fn with_hash_bits(bits: u32) -> Self {
        Self {
            arena: Arena::default(),
            table: Table::new(),
            // A fixed seed: running time should not differ from run to run either.
            hasher: FixedState::with_seed(0),
            mask: u32::MAX.checked_shl(32_u32.saturating_sub(bits)).unwrap_or(0),
        }
    }

    /// The number of strings.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.arena.len() as u32
    }

    /// Whether there is no string.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts a string into the store unless it is there: its number, and whether it is new.
    ///
    /// # Panics
    ///
    /// If it is new and the store already holds [`Store::CAPACITY`] strings.
    pub fn insert(&mut self, bytes: &[u8]) -> (StateId, bool) {
        self.insert_within(bytes, Self::CAPACITY).expect("the store is full")
    }

    /// Like [`insert`](Self::insert), but gives `None`, and changes nothing, when the string is new
    /// and the store already holds `most` strings.
    pub fn insert_within(&mut self, bytes: &[u8], most: u32) -> Option<(StateId, bool)> {
        self.table.make_room();
        let hash = self.hash(bytes);
        match self.table.search(hash, |number| self.arena.get(number) == bytes) {
            Slot::Held(number) => Some((StateId(number), false)),
            Slot::Missing(slot) => {
                let number = self.len();
                if number >= most {
                    return None;
                }
                self.arena.push(bytes);
                self.table.insert(slot, hash, number);
                Some((StateId(number), true))
            }
        }
    }

    /// The number of a string, if it is there.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<StateId> {
        match self.table.search(self.hash(bytes), |number| self.arena.get(number) == bytes) {
            Slot::Held(number) => Some(StateId(number)),
            Slot::Missing(_) => None,
        }
    }

    /// The string with this number.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn get(&self, id: StateId) -> &[u8] {
        self.arena.get(id.0)
    }

    /// All strings in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (StateId, &[u8])> {
        (0..self.len()).map(|number| (StateId(number), self.arena.get(number)))
    }

    /// The memory held, in bytes, as allocated: strings, offsets and table.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        self.arena.allocated_bytes() + self.table.allocated_bytes()
    }

    fn hash(&self, bytes: &[u8]) -> u32 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(bytes);
        (hasher.finish() >> 32) as u32 & self.mask
    }
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_store_still_finds() {
        let mut store = Store::new();
        assert_eq!(store.insert_within(b"a", 1), Some((StateId(0), true)));
        assert_eq!(store.insert_within(b"b", 1), None);
        assert_eq!(store.insert_within(b"a", 1), Some((StateId(0), false)));
        assert_eq!(store.find(b"b"), None);
        assert_eq!(store.len(), 1);
    }

    #[test]
    fn overhead_is_some_sixteen_bytes() {
        let mut store = Store::new();
        let mut string = [0; 24];
        let mut samples = Vec::new();
        for i in 1..=500_000_u32 {
            string[..4].copy_from_slice(&i.to_le_bytes());
            store.insert(&string);
            if i >= 200_000 && i % 1000 == 0 {
                let count = f64::from(store.len());
                samples.push((store.allocated_bytes() as f64 - 24.0 * count) / count);
            }
        }
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let worst = samples.iter().copied().fold(0.0, f64::max);
        assert!(mean <= 17.0, "{mean} bytes per string on average");
        assert!(worst <= 19.0, "{worst} bytes per string at worst");
    }
}
