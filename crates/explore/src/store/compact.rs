//! A table that is as small as can be, for strings that are on disk.
//!
//! A bucket is a cache line with ten entries of six bytes: 16 bits of hash, the *tag*, and the number of a string. An
//! entry is in its home, which other bits of the hash say, or if that is full in the next bucket that is not. Entries
//! are never moved, so the bits that said their home are not known any more, and a table that has become too small is
//! made anew from the strings.
//!
//! Cost: 6.4 bytes for each place, of which nine in ten may be taken. A search looks at one or two lines. One string in
//! some five thousand has a tag that is there by chance; then strings are compared, and nothing else happens.

use super::Hash;
use super::table::Slot;

/// No string has this number.
const FREE: u32 = u32::MAX;
/// The entries of a bucket.
const ENTRIES: usize = 10;
/// At most this share of the places is taken: nine in ten.
const FULL: (u64, u64) = (9, 10);

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket {
    numbers: [u32; ENTRIES],
    tags: [u16; ENTRIES],
}

const EMPTY: Bucket = Bucket { numbers: [FREE; ENTRIES], tags: [0; ENTRIES] };

/// Numbers by the hash of what they stand for, at most as many as there is room for.
#[derive(Debug)]
pub(crate) struct Compact {
    buckets: Vec<Bucket>,
    len: u64,
}

impl Compact {
    /// A table that takes this many bytes.
    pub(crate) fn of_bytes(bytes: u64) -> Self {
        let buckets = (bytes / size_of::<Bucket>() as u64).max(2) as usize;
        Self { buckets: vec![EMPTY; buckets], len: 0 }
    }

    /// The bytes that a table for this many entries takes.
    pub(crate) fn bytes_for(entries: u64) -> u64 {
        let places = entries.saturating_mul(FULL.1).div_ceil(FULL.0);
        (places.div_ceil(ENTRIES as u64) + 1).max(2) * size_of::<Bucket>() as u64
    }

    /// Whether there is room for this many entries more.
    #[inline]
    pub(crate) fn has_room(&self, entries: u64) -> bool {
        (self.len + entries) * FULL.1 <= self.buckets.len() as u64 * ENTRIES as u64 * FULL.0
    }

    /// Looks for a number with this hash of which `same` holds.
    #[inline]
    pub(crate) fn search(&self, hash: Hash, mut same: impl FnMut(u32) -> bool) -> Slot {
        let tag = hash.tag();
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            for (&number, &other) in bucket.numbers.iter().zip(&bucket.tags) {
                if number == FREE {
                    return Slot::Missing(at);
                }
                if other == tag && same(number) {
                    return Slot::Held(number);
                }
            }
            at = self.after(at);
        }
    }

    /// Puts `number` into the bucket where a search for `hash` has ended, or where one would end. There must be room.
    #[inline]
    pub(crate) fn insert(&mut self, mut at: usize, hash: Hash, number: u32) {
        loop {
            let bucket = &mut self.buckets[at];
            if let Some(free) = bucket.numbers.iter().position(|&number| number == FREE) {
                (bucket.numbers[free], bucket.tags[free]) = (number, hash.tag());
                self.len += 1;
                return;
            }
            at = self.after(at);
        }
    }

    /// Puts `number`, which is not there, into the table. There must be room.
    #[inline]
    pub(crate) fn add(&mut self, hash: Hash, number: u32) {
        self.insert(self.home(hash), hash, number);
    }

    /// The bucket in which a search begins.
    #[inline]
    fn home(&self, hash: Hash) -> usize {
        ((u128::from(hash.in_table) * self.buckets.len() as u128) >> 32) as usize
    }

    /// Something of the bucket in which a search begins.
    #[inline]
    pub(crate) fn first_slot(&self, hash: Hash) -> u64 {
        self.buckets[self.home(hash)].numbers[0].into()
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.buckets.len() { 0 } else { at + 1 }
    }

    /// The memory held, in bytes.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        (self.buckets.capacity() * size_of::<Bucket>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(entries: u32, hash: impl Fn(u32) -> Hash) {
        let mut table = Compact::of_bytes(Compact::bytes_for(entries.into()));
        for number in 0..entries {
            assert!(table.has_room(1));
            let Slot::Missing(at) = table.search(hash(number), |held| held == number) else {
                panic!("{number} is not there yet");
            };
            table.insert(at, hash(number), number);
        }
        for number in 0..entries {
            let found = table.search(hash(number), |held| held == number);
            assert_eq!(found, Slot::Held(number));
            let all = table.search(hash(number), |_| false);
            assert!(matches!(all, Slot::Missing(_)));
        }
    }

    #[test]
    fn finds_what_it_holds_whatever_the_hashes() {
        let spread = |i: u32| i.wrapping_mul(0x9E37_79B9);
        for entries in [1, 9, 10, 100, 20_000] {
            fill(entries, |i| Hash::of_halves(spread(i), spread(spread(i))));
        }
        fill(3000, |_| Hash::of_halves(u32::MAX, 0));
        fill(3000, |_| Hash::of_halves(0, 7));
        fill(3000, |i| Hash::of_halves(u32::MAX - i % 3, i));
    }

    #[test]
    fn a_bucket_is_a_cache_line_and_an_entry_takes_seven_bytes() {
        assert_eq!(size_of::<Bucket>(), 64);
        assert!(Compact::bytes_for(1_000_000) < 7_200_000);
        let table = Compact::of_bytes(Compact::bytes_for(1000));
        assert!(table.has_room(1000) && !table.has_room(1100));
    }
}
