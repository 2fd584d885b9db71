//! The visited set: every byte string once, numbered in the order of arrival.
//!
//! Equality is equality of whole strings: a hash only says where to look. The strings are in one arena ([`arena`]).
//! What finds them is a table ([`index`]); for several threads there are several, by the hash of the string.
//!
//! Cost per string, beside its bytes: 9.2 to 11.4 bytes of table, 4 to 5 of offset and 1 per 7 bits
//! of length, as allocated; some 16 in all. A lookup touches the table in one or two cache lines and, where 32 bits
//! of hash agree, the offset and the string.
//!
//! Where memory is short, the strings go to disk ([`Store::spill`]), and the tables become small: 7 to 14 bytes in all.
//! Strings that are looked for together are then compared in the order in which they lie there.

mod arena;
mod compact;
mod index;
mod records;
mod table;

use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;
use std::io;
use std::ops::Range;
use std::path::Path;

pub(crate) use arena::Arena;
use budget::Budget;
use compact::Compact;
use foldhash::quality::FixedState;
pub(crate) use index::Index;
pub(crate) use records::Records;
pub(crate) use table::{Slot, Table};

/// The strings whose tables are looked at together.
const GROUP: usize = 32;
/// Of the memory allowed, one in so many is not given to tables.
const RESERVE: u64 = 12;

/// The number of a state: dense, from 0, in the order of discovery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// No state has this number.
    pub(crate) const NONE: StateId = StateId(u32::MAX);

    /// The number as an index into an array with an element for each state.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of byte strings that only grows.
#[derive(Debug)]
pub struct Store {
    strings: Arena,
    /// At least one.
    tables: Vec<Index>,
    hasher: FixedState,
    /// The bits of the hash that are used in a table.
    mask: u32,
}

impl Store {
    /// The largest number of strings a store can hold.
    pub const CAPACITY: u32 = u32::MAX;
    /// The most tables there can be.
    pub(crate) const MOST_TABLES: usize = 256;

    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::with_hash_bits(32)
    }

    /// An empty store that uses only the upper `bits` (at most 32) of its hash to find a string.
    ///
    /// It gives the same answers, more slowly: with few bits nearly all strings collide. This is
    /// how tests show that no answer rests on a hash.
    #[must_use]
    pub fn with_hash_bits(bits: u32) -> Self {
        Self {
            strings: Arena::default(),
            tables: vec![Index::Wide(Table::new())],
            // A fixed seed: running time should not differ from run to run either.
            hasher: FixedState::with_seed(0),
            mask: u32::MAX.checked_shl(32_u32.saturating_sub(bits)).unwrap_or(0),
        }
    }

    /// The number of strings.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.strings.len()
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
    #[inline]
    pub fn insert_within(&mut self, bytes: &[u8], most: u32) -> Option<(StateId, bool)> {
        self.insert_hashed(self.hash(bytes), bytes, most)
    }

    /// Like [`insert_within`](Self::insert_within), for a string that has this hash.
    #[inline]
    pub(crate) fn insert_hashed(
        &mut self,
        hash: Hash,
        bytes: &[u8],
        most: u32,
    ) -> Option<(StateId, bool)> {
        let at = hash.table(self.tables.len());
        let Self { strings, tables, .. } = self;
        // This is where a search in memory spends much of its time: the way there asks nothing twice.
        let Index::Wide(table) = &mut tables[at] else {
            return self.insert_compact(hash, bytes, most);
        };
        table.make_room();
        match table.search(hash.in_table, |number| strings.get(number) == bytes) {
            Slot::Held(number) => Some((StateId(number), false)),
            Slot::Missing(_) if strings.len() >= most => None,
            Slot::Missing(slot) => {
                let number = strings.len();
                strings.push(bytes);
                table.insert(slot, hash.in_table, number);
                Some((StateId(number), true))
            }
        }
    }

    /// The same where tables are small.
    #[cold]
    #[inline(never)]
    fn insert_compact(&mut self, hash: Hash, bytes: &[u8], most: u32) -> Option<(StateId, bool)> {
        let at = hash.table(self.tables.len());
        if !self.tables[at].has_room(1) {
            self.widen();
        }
        let Self { strings, tables, .. } = self;
        match tables[at].search(hash, |number| strings.get(number) == bytes) {
            Slot::Held(number) => Some((StateId(number), false)),
            Slot::Missing(_) if strings.len() >= most => None,
            Slot::Missing(slot) => {
                let number = strings.len();
                strings.push(bytes);
                tables[at].insert(slot, hash, number);
                Some((StateId(number), true))
            }
        }
    }

    /// The number of a string, if it is there.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<StateId> {
        self.find_hashed(self.hash(bytes), bytes)
    }

    fn find_hashed(&self, hash: Hash, bytes: &[u8]) -> Option<StateId> {
        let table = &self.tables[hash.table(self.tables.len())];
        match table.search(hash, |number| self.strings.get(number) == bytes) {
            Slot::Held(number) => Some(StateId(number)),
            Slot::Missing(_) => None,
        }
    }

    /// Looks for all candidates, of which each belongs to this table, and writes to `found` the numbers of those that
    /// are there. Strings that may be the same are read in the order of their numbers.
    pub(crate) fn find_all(&self, table: usize, candidates: &Arena, found: &mut [StateId]) {
        let table = &self.tables[table];
        // The number of the string, and the candidate.
        let mut alike: Vec<(u32, u32)> = Vec::new();
        let mut hashes = [Hash::default(); GROUP];
        for start in (0..candidates.len()).step_by(GROUP) {
            let group = start..candidates.len().min(start + GROUP as u32);
            for (hash, candidate) in hashes.iter_mut().zip(group.clone()) {
                *hash = self.hash(candidates.get(candidate));
                black_box(table.first_slot(*hash));
            }
            for (&hash, candidate) in hashes.iter().zip(group) {
                let note = |number| {
                    alike.push((number, candidate));
                    false
                };
                table.search(hash, note);
            }
        }
        alike.sort_unstable();
        for (number, candidate) in alike {
            if self.strings.get(number) == candidates.get(candidate) {
                found[candidate as usize] = StateId(number);
            }
        }
    }

    /// The string with this number.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn get(&self, id: StateId) -> &[u8] {
        self.strings.get(id.0)
    }

    /// All strings in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (StateId, &[u8])> {
        (0..self.len()).map(|number| (StateId(number), self.strings.get(number)))
    }

    /// The strings with these numbers, one after the other.
    pub(crate) fn strings(&self, numbers: Range<u32>) -> impl Iterator<Item = &[u8]> {
        numbers.map(|number| self.strings.get(number))
    }

    /// The memory held, in bytes, as allocated: strings, offsets and tables.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        self.strings.allocated_bytes() + self.table_bytes()
    }

    fn table_bytes(&self) -> u64 {
        self.tables.iter().map(Index::allocated_bytes).sum()
    }

    /// The bytes of strings in memory, as allocated.
    pub(crate) fn held_bytes(&self) -> u64 {
        self.strings.held_bytes()
    }

    /// The bytes on disk.
    #[must_use]
    pub fn disk_bytes(&self) -> u64 {
        self.strings.disk_bytes()
    }

    /// Sees to it that at most this many strings can be added to each table, within the budget; `false` if they
    /// cannot.
    #[inline]
    pub(crate) fn make_room(&mut self, strings: impl Fn(usize) -> usize, budget: &Budget) -> bool {
        let mut growth = 0;
        let mut has_room = true;
        for (at, table) in self.tables.iter().enumerate() {
            let entries = strings(at) as u64;
            growth += table.growth(entries);
            has_room &= table.has_room(entries);
        }
        if growth > 0 && !budget.allows(growth) {
            return false;
        }
        has_room || {
            let entries = (0..self.tables.len()).map(strings).max().unwrap_or(0);
            let count = self.tables.len();
            self.make_compact(count, entries * count, budget)
        }
    }

    /// Makes room in small tables, whatever memory that takes.
    #[cold]
    fn widen(&mut self) {
        let has_room = self.make_compact(self.tables.len(), 1, &Budget::unlimited());
        assert!(has_room, "there is no limit");
    }

    /// Deals what finds the strings out to this many tables.
    pub(crate) fn deal_out(&mut self, tables: usize) {
        if tables != self.tables.len() {
            assert!((1..=Self::MOST_TABLES).contains(&tables), "{tables} tables");
            self.tables = (0..tables).map(|_| Index::Wide(Table::new())).collect();
            self.fill_tables();
        }
    }

    /// The number of tables.
    pub(crate) fn tables(&self) -> usize {
        self.tables.len()
    }

    /// Finds all strings in the tables, which are empty.
    fn fill_tables(&mut self) {
        let Self { strings, tables, hasher, mask } = self;
        let hash = |bytes: &[u8]| hash(hasher, *mask, bytes);
        let count = tables.len();
        let mut hashes = [Hash::default(); GROUP];
        for start in (0..strings.len()).step_by(GROUP) {
            let group = start..strings.len().min(start + GROUP as u32);
            for (place, number) in hashes.iter_mut().zip(group.clone()) {
                *place = hash(strings.get(number));
                black_box(tables[place.table(count)].first_slot(*place));
            }
            for (&hash, number) in hashes.iter().zip(group) {
                tables[hash.table(count)].add(hash, number);
            }
        }
    }

    /// Lends the tables out.
    pub(crate) fn lend_tables(&mut self) -> impl Iterator<Item = Index> {
        self.tables.drain(..)
    }

    /// Takes the tables back, in their order.
    pub(crate) fn take_back(&mut self, tables: impl Iterator<Item = Index>) {
        self.tables.extend(tables);
    }

    /// Adds a string that is not there. The table that finds it is to be told by the caller.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.strings.push(bytes);
    }

    /// Adds strings that are not there. The tables that find them are to be told by the caller.
    pub(crate) fn append(&mut self, records: &Records) {
        self.strings.append(records);
    }

    /// Whether strings are on disk.
    #[must_use]
    pub fn is_on_disk(&self) -> bool {
        self.strings.is_paged()
    }

    /// Puts the strings on disk. The first time, small tables [are to be made](Self::make_compact).
    ///
    /// # Errors
    ///
    /// If that cannot be done; then they are still in memory.
    pub(crate) fn spill(&mut self, directory: &Path, most_mapped: u64) -> io::Result<()> {
        self.strings.spill(directory, most_mapped)
    }

    /// Makes this many small tables, with room for so many strings more, and if memory allows it for twice as many as
    /// there are then; `false` if there is no memory for them.
    pub(crate) fn make_compact(&mut self, tables: usize, more: usize, budget: &Budget) -> bool {
        let count = tables as u64;
        let strings = u64::from(self.len()) + more as u64;
        let bytes = |strings: u64| count * Compact::bytes_for(spread(strings, count));
        let reserve = budget.memory_limit().unwrap_or(0) / RESERVE;
        let left = budget.memory_left().unwrap_or(u64::MAX).saturating_add(self.table_bytes());
        let most = left.saturating_sub(reserve);
        if bytes(strings) > most {
            return false;
        }
        let bytes = bytes(2 * strings).min(most);
        // What there was has to go first.
        self.tables.clear();
        self.tables.extend((0..count).map(|_| Index::Compact(Compact::of_bytes(bytes / count))));
        self.fill_tables();
        true
    }

    /// Makes the next searches for strings with these hashes faster, if there is one table.
    #[inline]
    pub(crate) fn touch(&self, hashes: &[Hash]) {
        if let [Index::Wide(table)] = &self.tables[..] {
            table.touch(hashes.iter().map(|hash| hash.in_table));
        }
    }

    /// The hash of a string.
    #[inline]
    pub(crate) fn hash(&self, bytes: &[u8]) -> Hash {
        hash(&self.hasher, self.mask, bytes)
    }
}

/// The strings that belong to the table with most of them, where so many belong to so many tables by chance: the mean
/// and six standard deviations.
fn spread(strings: u64, tables: u64) -> u64 {
    let mean = strings.div_ceil(tables);
    mean + 6 * mean.isqrt() + 1
}

#[inline]
fn hash(hasher: &FixedState, mask: u32, bytes: &[u8]) -> Hash {
    let mut hasher = hasher.build_hasher();
    hasher.write(bytes);
    let hash = hasher.finish();
    Hash { of_table: hash as u32 & (mask | !0xffff), in_table: (hash >> 32) as u32 & mask }
}

/// The hash of a string: the halves are used for different purposes.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Hash {
    of_table: u32,
    /// What a table wants to know.
    pub(crate) in_table: u32,
}

impl Hash {
    /// The table, of this many, to which the string belongs.
    #[inline]
    pub(crate) fn table(self, tables: usize) -> usize {
        ((u64::from(self.of_table) * tables as u64) >> 32) as usize
    }

    /// What a small table has of the hash, which says nothing of the place there, and little of the table.
    #[inline]
    fn tag(self) -> u16 {
        self.of_table as u16
    }

    #[cfg(test)]
    fn of_halves(in_table: u32, of_table: u32) -> Self {
        Self { of_table, in_table }
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
    fn tables_and_disks_change_nothing() {
        let string = |i: u32| i.wrapping_mul(0x9E37_79B9).to_le_bytes()[..i as usize % 5].to_vec();
        let folder = tempfile::tempdir().unwrap();
        for (bits, tables, small) in [(32, 2, 0), (8, 7, 1), (0, 256, 0), (3, 3, 5), (32, 1, 2)] {
            let mut one = Store::with_hash_bits(bits);
            let mut several = Store::with_hash_bits(bits);
            for i in 0..2000 {
                if i == 500 {
                    several.deal_out(tables);
                }
                if small > 0 && i >= 700 && i % 171 == 0 {
                    let budget = Budget::unlimited();
                    several.spill(folder.path(), 0).unwrap();
                    assert!(several.is_on_disk() && several.make_compact(small, 0, &budget));
                }
                let most = if i < 1900 { u32::MAX } else { one.len() };
                let (a, b) = (string(i), string(i / 2));
                assert_eq!(one.find(&a), several.find(&a));
                assert_eq!(one.insert_within(&a, most), several.insert_within(&a, most));
                assert_eq!(one.insert(&b), several.insert(&b));
            }
            assert_eq!((one.len(), one.iter().len()), (several.len(), several.iter().len()));
            assert!(one.iter().eq(several.iter()));
            assert!(one.iter().all(|(id, bytes)| several.get(id) == bytes));
        }
    }

    #[test]
    fn all_candidates_are_found_at_once_as_each_is_alone() {
        let folder = tempfile::tempdir().unwrap();
        let string = |i: u32| i.wrapping_mul(0x9E37_79B9).to_le_bytes();
        for (bits, on_disk) in [(32, false), (32, true), (5, false), (5, true)] {
            let mut store = Store::with_hash_bits(bits);
            (0..1000).for_each(|i| _ = store.insert(&string(i)));
            store.deal_out(3);
            if on_disk {
                store.spill(folder.path(), 0).unwrap();
                assert!(store.make_compact(3, 0, &Budget::unlimited()));
                (1000..1100).for_each(|i| _ = store.insert(&string(i)));
            }
            let mut candidates: [Arena; 3] = Default::default();
            for i in (0..4000).step_by(3).chain(0..10) {
                let hash = store.hash(&string(i));
                candidates[hash.table(3)].push(&string(i));
            }
            for (table, candidates) in candidates.iter().enumerate() {
                let mut found = vec![StateId::NONE; candidates.len() as usize];
                store.find_all(table, candidates, &mut found);
                for (candidate, &found) in (0..).zip(&found) {
                    let alone = store.find(candidates.get(candidate)).unwrap_or(StateId::NONE);
                    assert_eq!(found, alone);
                }
            }
        }
    }

    #[test]
    fn a_small_table_that_is_full_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::new();
        store.insert(b"first");
        store.spill(folder.path(), 0).unwrap();
        assert!(store.make_compact(2, 0, &Budget::unlimited()));
        (0..50_000_u32).for_each(|i| assert!(store.insert(&i.to_le_bytes()).1));
        (0..50_000_u32).for_each(|i| assert!(!store.insert(&i.to_le_bytes()).1));
        assert!(store.table_bytes() < 50_000 * 16);
        let limits = budget::Limits { memory: Some(1000), ..budget::Limits::default() };
        let none = Budget::with_gauge(limits, budget::Unmeasured);
        assert!(!store.make_room(|_| 1_000_000, &none), "there is no memory for that");
        assert!(store.make_room(|_| 1, &none));
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
