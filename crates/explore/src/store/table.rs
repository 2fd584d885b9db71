//! A hash table of numbers, sorted by hash.
//!
//! An entry is one word: 32 bits of hash above the 32-bit number of a string. The home of hash `h`
//! in a table of width `w` is slot `h * w / 2^32`, which never decreases as `h` grows. Collisions
//! go to the slots behind (linear probing), and entries are kept in order: read from left to
//! right, the table is a sorted list with gaps. From this follows:
//!
//! - A search that fails ends at the first larger entry, not at the next gap: at load 7/8 it
//!   takes 4.5 steps on average instead of 32 (Amble and Knuth, *Ordered hash tables*, 1974).
//!   Eight entries share a cache line.
//! - Any width will do, so the table grows by a quarter rather than doubling, and it grows in
//!   place, in two sequential sweeps, without looking at a string.
//! - Where entries are is a function of hashes and numbers, not of history.
//!
//! Cost: with a load between 0.7 and 7/8, 9.2 to 11.4 bytes per entry, also while growing.
//! An insertion moves the entries up to the next gap, at load 7/8 some 32 words on average, in
//! lines that are at hand already.

use std::hint::black_box;

use crate::growth;

/// Larger than every entry, as no number is `u32::MAX`.
const FREE: u64 = u64::MAX;
const FIRST_WIDTH: u64 = 64;
/// Up to this width (512 KiB) the table doubles.
const DOUBLING: u64 = 1 << 16;

/// Numbers by the hash of what they stand for.
#[derive(Debug)]
pub(crate) struct Table {
    /// Homes are `0..width`; entries may spill over. The last slot is always free.
    slots: Vec<u64>,
    width: u64,
    len: u64,
}

/// Where a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// At this number.
    Held(u32),
    /// At this slot, where an entry would have to go.
    Missing(usize),
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { slots: vec![FREE; FIRST_WIDTH as usize + 1], width: FIRST_WIDTH, len: 0 }
    }

    /// Looks for a number with this hash of which `same` holds.
    #[inline]
    pub(crate) fn search(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Slot {
        let end = entry(hash, u32::MAX);
        let mut at = home(hash, self.width);
        loop {
            let held = self.slots[at];
            if held >= end {
                return Slot::Missing(at);
            }
            if hash_of(held) == hash && same(held as u32) {
                return Slot::Held(held as u32);
            }
            at += 1;
        }
    }

    /// Gives a number with this hash another number, which must keep the numbers with this hash in order.
    #[inline]
    pub(crate) fn renumber(&mut self, hash: u32, number: u32, new: u32) {
        let mut at = home(hash, self.width);
        while self.slots[at] != entry(hash, number) {
            debug_assert!(self.slots[at] < entry(hash, number), "the number is not there");
            at += 1;
        }
        self.slots[at] = entry(hash, new);
    }

    /// What is in the slot where a search for this hash begins.
    #[inline]
    pub(crate) fn first_slot(&self, hash: u32) -> u64 {
        self.slots[home(hash, self.width)]
    }

    /// Makes the next searches for these hashes faster. Waiting for memory is most of what a search costs; here the
    /// waits are for all of them at once.
    #[inline]
    pub(crate) fn touch(&self, hashes: impl Iterator<Item = u32>) {
        black_box(hashes.fold(0, |sum, hash| sum ^ self.first_slot(hash)));
    }

    /// Puts `number` at `slot`, where a search for `hash` has ended. Numbers come in increasing
    /// order, and [`make_room`](Self::make_room) was called before the search.
    #[inline]
    pub(crate) fn insert(&mut self, slot: usize, hash: u32, number: u32) {
        let mut gap = slot;
        while self.slots[gap] != FREE {
            gap += 1;
        }
        self.slots.copy_within(slot..gap, slot + 1);
        self.slots[slot] = entry(hash, number);
        self.len += 1;
        if gap + 1 == self.slots.len() {
            growth::push(&mut self.slots, FREE);
        }
    }

    /// The bytes by which the table grows if this many entries are added.
    pub(crate) fn growth(&self, entries: u64) -> u64 {
        let mut width = self.width;
        while is_crowded(self.len + entries, width) {
            width = wider(width);
        }
        (width - self.width) * size_of::<u64>() as u64
    }

    /// Grows where one more entry would raise the load above 7/8. Slots found before are void.
    #[inline]
    pub(crate) fn make_room(&mut self) {
        if is_crowded(self.len + 1, self.width) {
            self.grow();
        }
    }

    /// Gathers all entries at the far end of the longer table, then deals them out from the front.
    ///
    /// Dealing never overtakes gathering. An entry's new slot is the larger of its home and the
    /// slot after the one before it, so it lies behind its home by the largest excess, over the
    /// entries before it, of entries over homes in between. Widening does not bring homes closer,
    /// but for rounding, by one slot at most. So the last entry lies at most one slot
    /// further behind its home than before; the table is made longer than that, and the entries
    /// before the last one are at least as many slots further left as they are entries.
    #[cold]
    fn grow(&mut self) {
        let width = wider(self.width);
        let old_length = self.slots.len();
        let mut length = old_length.max(width as usize + 1);
        if let Some(last) = self.slots.iter().rposition(|&slot| slot != FREE) {
            let hash = hash_of(self.slots[last]);
            let behind = last - home(hash, self.width);
            length = length.max(home(hash, width) + behind + 3);
        }
        self.slots.reserve_exact(length - old_length);
        self.slots.resize(length, FREE);

        let mut gathered = length;
        for at in (0..old_length).rev() {
            let held = std::mem::replace(&mut self.slots[at], FREE);
            // Written in any case: a free slot among full ones is hard to predict.
            self.slots[gathered - 1] = held;
            gathered -= usize::from(held != FREE);
        }
        let mut next = 0;
        for at in gathered..length {
            let held = std::mem::replace(&mut self.slots[at], FREE);
            let slot = home(hash_of(held), width).max(next);
            debug_assert!(slot < at);
            self.slots[slot] = held;
            next = slot + 1;
        }
        self.width = width;
    }

    /// Forgets all entries, and stays as wide as it is.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(FREE);
        self.len = 0;
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        growth::allocated(&self.slots)
    }
}

/// Whether the load would be above 7/8.
#[inline]
fn is_crowded(entries: u64, width: u64) -> bool {
    entries * 8 > width * 7
}

/// The next width.
fn wider(width: u64) -> u64 {
    if width < DOUBLING { 2 * width } else { width + width / 4 }
}

fn entry(hash: u32, number: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(number)
}

fn hash_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// In 128 bits, since the width passes 2^32 before the numbers run out.
#[inline]
fn home(hash: u32, width: u64) -> usize {
    ((u128::from(hash) * u128::from(width)) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries are sorted, none lies before its home or beyond a gap from it, and the last
    /// slot is free.
    fn assert_sound(table: &Table) {
        assert_eq!(table.slots.last(), Some(&FREE));
        assert!(table.slots.iter().filter(|&&slot| slot != FREE).is_sorted());
        let mut run = 0;
        let mut count = 0;
        for (at, &slot) in table.slots.iter().enumerate() {
            if slot == FREE {
                run = at + 1;
                continue;
            }
            count += 1;
            let home = home(hash_of(slot), table.width);
            assert!(run <= home && home <= at, "slot {at} holds what belongs to {home}");
        }
        assert_eq!(count, table.len);
    }

    fn fill(hashes: impl Iterator<Item = u32>) {
        let mut table = Table::new();
        let mut all = Vec::new();
        for (number, hash) in hashes.enumerate() {
            table.make_room();
            let Slot::Missing(slot) = table.search(hash, |_| false) else { unreachable!() };
            table.insert(slot, hash, number as u32);
            all.push(hash);
            if number.is_power_of_two() {
                assert_sound(&table);
            }
        }
        assert_sound(&table);
        for (number, &hash) in all.iter().enumerate() {
            let number = number as u32;
            assert_eq!(table.search(hash, |held| held == number), Slot::Held(number));
        }
    }

    #[test]
    fn keeps_its_order_whatever_the_hashes() {
        fill((0..20_000_u32).map(|i| i.wrapping_mul(0x9E37_79B9)));
        fill((0..3000).map(|_| u32::MAX));
        fill((0..3000).map(|_| 0));
        fill((0..5000).map(|i| u32::MAX - i));
        fill(0..5000);
        fill((0..5000_u32).map(|i| i << 29));
        fill((0..5000_u32).map(|i| if i % 2 == 0 { u32::MAX } else { i << 20 }));
    }

    #[test]
    fn numbers_for_the_time_being_are_replaced_in_their_order() {
        for (hashes, known) in [(1, 10), (3, 0), (50, 1000), (u32::MAX, 5)] {
            let hash = |number: u32| number.wrapping_mul(0x9E37_79B9) % hashes;
            let mut table = Table::new();
            let mut add = |number: u32| {
                table.make_room();
                let Slot::Missing(slot) = table.search(hash(number), |_| false) else {
                    unreachable!()
                };
                table.insert(slot, hash(number), number);
            };
            (0..known + 300).for_each(&mut add);
            let new = |number: u32| known + 3 * (number - known) + 2;
            for number in (known..known + 300).rev() {
                table.renumber(hash(number), number, new(number));
            }
            assert_sound(&table);
            let all = (0..known).map(|number| (number, number));
            let all = all.chain((known..known + 300).map(|number| (number, new(number))));
            for (number, now) in all {
                assert_eq!(table.search(hash(number), |held| held == now), Slot::Held(now));
            }
        }
    }

    #[test]
    fn the_home_is_within_any_width() {
        for width in [1, 64, 65, (1 << 32) - 1, 1 << 32, 3 << 31, 1 << 33] {
            assert_eq!(home(0, width), 0);
            assert!((home(u32::MAX, width) as u64) < width);
        }
    }
}
