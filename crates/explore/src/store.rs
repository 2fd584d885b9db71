//! The visited set: every byte string once, numbered in the order of arrival.
//!
//! Equality is equality of whole strings: a hash only says where to look. The strings are in one
//! *shard* ([`shard`]), or for several threads in several, by their hash; then their order is kept
//! beside them ([`order`]).
//!
//! Cost per string, beside its bytes: 9.2 to 11.4 bytes of table, 4 to 5 of offset and 1 per 7 bits
//! of length, as allocated; some 16 in all, and one more where there are several shards. A lookup
//! touches the table in one or two cache lines and, where 32 bits of hash agree, the offset and the
//! string.

mod arena;
mod order;
mod shard;
mod table;

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::quality::FixedState;
use order::Order;
pub(crate) use shard::Shard;

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
    /// At least one.
    shards: Vec<Shard>,
    /// The order of the strings, where there are several shards.
    order: Option<Order>,
    hasher: FixedState,
    /// The bits of the hash that are used in a shard.
    mask: u32,
}

impl Store {
    /// The largest number of strings a store can hold.
    pub const CAPACITY: u32 = u32::MAX;
    /// The most shards there can be.
    pub(crate) const MOST_SHARDS: usize = Order::MOST_SHARDS;

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
            shards: vec![Shard::new()],
            order: None,
            // A fixed seed: running time should not differ from run to run either.
            hasher: FixedState::with_seed(0),
            mask: u32::MAX.checked_shl(32_u32.saturating_sub(bits)).unwrap_or(0),
        }
    }

    /// The number of strings.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.order.as_ref().map_or_else(|| self.shards[0].len(), |order| order.len() as u32)
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
        // The shard holds no more than the store.
        let room = if self.len() < most { Self::CAPACITY } else { 0 };
        let shard = hash.shard(self.shards.len());
        let (local, new) = self.shards[shard].insert_within(hash.in_shard, bytes, room)?;
        let number = match &mut self.order {
            None => local,
            Some(order) if new => order.push(shard),
            Some(order) => order.number(shard, local),
        };
        Some((StateId(number), new))
    }

    /// The number of a string, if it is there.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<StateId> {
        let hash = self.hash(bytes);
        let shard = hash.shard(self.shards.len());
        let local = self.shards[shard].find(hash.in_shard, bytes)?;
        Some(self.number_of(shard, local))
    }

    /// The string with this number.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn get(&self, id: StateId) -> &[u8] {
        let (shard, local) = self.order.as_ref().map_or((0, id.0), |order| order.place(id.0));
        self.shards[shard].get(local)
    }

    /// All strings in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (StateId, &[u8])> {
        let mut strings = self.strings(0..self.len());
        let string = move |number| (StateId(number), strings.next().expect("as many as numbers"));
        (0..self.len()).map(string)
    }

    /// The strings with these numbers, one after the other.
    pub(crate) fn strings(&self, numbers: Range<u32>) -> impl Iterator<Item = &[u8]> {
        let (one, several) = match &self.order {
            None => (Some(numbers.map(|number| (0, number))), None),
            Some(order) => (None, Some(order.places(numbers))),
        };
        let places = one.into_iter().flatten().chain(several.into_iter().flatten());
        places.map(|(shard, local)| self.shards[shard].get(local))
    }

    /// The memory held, in bytes, as allocated: strings, offsets, table and order.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        let shards: u64 = self.shards.iter().map(Shard::allocated_bytes).sum();
        shards + self.order.as_ref().map_or(0, Order::allocated_bytes)
    }

    /// The bytes by which tables grow at once if at most this many strings are added to each shard.
    #[inline]
    pub(crate) fn growth(&self, strings: impl Fn(usize) -> usize) -> u64 {
        self.shards.iter().enumerate().map(|(at, shard)| shard.growth(strings(at))).sum()
    }

    /// Deals the strings, which are in one shard, out to this many. `keep_numbers` makes
    /// [`number_of`](Self::number_of) fast, and takes memory.
    pub(crate) fn deal_out(&mut self, shards: usize, keep_numbers: bool) {
        assert!(self.order.is_none(), "the store has several shards already");
        let several = (0..shards).map(|_| Shard::new()).collect();
        let one = std::mem::replace(&mut self.shards, several).swap_remove(0).into_strings();
        let mut order = Order::new(shards, keep_numbers);
        for number in 0..one.len() as u32 {
            let bytes = one.get(number);
            let hash = self.hash(bytes);
            let shard = hash.shard(shards);
            let stored = self.shards[shard].insert_within(hash.in_shard, bytes, Self::CAPACITY);
            debug_assert!(stored.is_some_and(|(_, new)| new));
            order.push(shard);
        }
        self.order = Some(order);
    }

    /// Whether the strings are in several shards.
    pub(crate) fn is_dealt_out(&self) -> bool {
        self.order.is_some()
    }

    /// Lends the shards out. The strings that are put into them meanwhile are to be numbered.
    pub(crate) fn lend_shards(&mut self) -> impl Iterator<Item = Shard> {
        self.shards.drain(..)
    }

    /// Takes the shards back, in their order.
    pub(crate) fn take_back(&mut self, shards: impl Iterator<Item = Shard>) {
        self.shards.extend(shards);
    }

    /// Gives the next numbers to strings that were put into these shards: each time to the first there
    /// that has none.
    pub(crate) fn number(&mut self, shards: &[u8]) {
        self.order.as_mut().expect("there are several shards").extend(shards);
    }

    /// The number of a string that is in this shard with this number there.
    pub(crate) fn number_of(&self, shard: usize, local: u32) -> StateId {
        StateId(self.order.as_ref().map_or(local, |order| order.number(shard, local)))
    }

    /// Makes the next insertions of strings with these hashes faster.
    #[inline]
    pub(crate) fn touch(&self, hashes: &[Hash]) {
        if let [shard] = &self.shards[..] {
            shard.touch(hashes.iter().map(|hash| hash.in_shard));
        }
    }

    /// The hash of a string.
    #[inline]
    pub(crate) fn hash(&self, bytes: &[u8]) -> Hash {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(bytes);
        let hash = hasher.finish();
        Hash { of_shard: hash as u32, in_shard: (hash >> 32) as u32 & self.mask }
    }
}

/// The hash of a string: the halves are used for different purposes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash {
    of_shard: u32,
    /// What a shard wants to know.
    pub(crate) in_shard: u32,
}

impl Hash {
    /// The shard, of this many, to which the string belongs.
    #[inline]
    pub(crate) fn shard(self, shards: usize) -> usize {
        ((u64::from(self.of_shard) * shards as u64) >> 32) as usize
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
    fn shards_change_nothing() {
        let string = |i: u32| i.wrapping_mul(0x9E37_79B9).to_le_bytes()[..i as usize % 5].to_vec();
        for (bits, shards, keep_numbers) in [(32, 2, false), (8, 7, true), (0, 256, false)] {
            let mut one = Store::with_hash_bits(bits);
            let mut several = Store::with_hash_bits(bits);
            for i in 0..2000 {
                if i == 500 {
                    several.deal_out(shards, keep_numbers);
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
