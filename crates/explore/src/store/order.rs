//! The order of the strings of several shards.
//!
//! Kept is the shard of each string, one byte. In a shard the strings are in the same order, so
//! the number of a string within its shard is the number of earlier bytes that are equal to its own
//! (*rank*), and the way back is to look for the n-th byte of a kind (*select*). For each shard the
//! bytes are counted at the start of every *block*.
//!
//! Cost: 1 1/16 bytes per string, at most a quarter more as allocated. Both ways look through a
//! block, [`PER_SHARD`] bytes for each shard, and the way back bisects the blocks before that. Going
//! through the strings in their order costs nothing of the kind. Where the way back is taken often, the
//! numbers are kept for it, another 4 bytes per string.

use std::ops::Range;

use crate::growth;

/// The length of a block, divided by the number of shards.
const PER_SHARD: usize = 64;

#[derive(Debug)]
pub(crate) struct Order {
    shards: usize,
    /// The shard of each string.
    of: Vec<u8>,
    /// For each block, and each shard, the number of strings of that shard before the block.
    before: Vec<u32>,
    /// The start of the next block.
    next_block: usize,
    /// The number of strings of each shard.
    counts: Vec<u32>,
    /// For each shard, the numbers of its strings; only if they will often be asked for.
    numbers: Option<Vec<Vec<u32>>>,
}

impl Order {
    /// The most shards there can be.
    pub(crate) const MOST_SHARDS: usize = 256;

    pub(crate) fn new(shards: usize, keep_numbers: bool) -> Self {
        assert!((1..=Self::MOST_SHARDS).contains(&shards), "{shards} shards");
        Self {
            shards,
            of: Vec::new(),
            before: Vec::new(),
            next_block: 0,
            counts: vec![0; shards],
            numbers: keep_numbers.then(|| vec![Vec::new(); shards]),
        }
    }

    /// The number of strings.
    pub(crate) fn len(&self) -> usize {
        self.of.len()
    }

    /// Adds the next string, which is the next one of its shard, and gives its number.
    #[inline]
    pub(crate) fn push(&mut self, shard: usize) -> u32 {
        let number = self.of.len();
        if number == self.next_block {
            self.next_block += self.block();
            growth::extend(&mut self.before, &self.counts);
        }
        self.counts[shard] += 1;
        if let Some(numbers) = &mut self.numbers {
            growth::push(&mut numbers[shard], number as u32);
        }
        growth::push(&mut self.of, shard as u8);
        number as u32
    }

    /// Adds the next strings, each of which is the next one of its shard.
    pub(crate) fn extend(&mut self, shards: &[u8]) {
        growth::reserve(&mut self.of, shards.len());
        for &shard in shards {
            self.push(shard.into());
        }
    }

    /// The shard of a string, and its number there.
    pub(crate) fn place(&self, number: u32) -> (usize, u32) {
        let number = number as usize;
        let block = number / self.block();
        let shard = self.of[number];
        let before = self.before[block * self.shards + usize::from(shard)];
        let earlier = &self.of[block * self.block()..number];
        let rank = earlier.iter().filter(|&&other| other == shard).count();
        (shard.into(), before + rank as u32)
    }

    /// The number of the string that has this number in this shard.
    pub(crate) fn number(&self, shard: usize, local: u32) -> u32 {
        if let Some(numbers) = &self.numbers {
            return numbers[shard][local as usize];
        }
        let (mut low, mut high) = (0, self.before.len() / self.shards);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.before[middle * self.shards + shard] <= local {
                low = middle;
            } else {
                high = middle;
            }
        }
        let rank = local - self.before[low * self.shards + shard];
        let start = low * self.block();
        let alike = (start..).zip(&self.of[start..]).filter(|(_, of)| usize::from(**of) == shard);
        alike.map(|(number, _)| number as u32).nth(rank as usize).expect("it is in this block")
    }

    /// The places of some strings, one after the other; cheaper than asking for each.
    pub(crate) fn places(&self, numbers: Range<u32>) -> impl Iterator<Item = (usize, u32)> {
        let numbers = numbers.start as usize..numbers.end as usize;
        let block = numbers.start / self.block();
        let mut next = match self.before.get(block * self.shards..(block + 1) * self.shards) {
            Some(before) => before.to_vec(),
            None => self.counts.clone(),
        };
        for &shard in &self.of[(block * self.block()).min(numbers.start)..numbers.start] {
            next[usize::from(shard)] += 1;
        }
        self.of[numbers].iter().map(move |&shard| {
            let shard = usize::from(shard);
            next[shard] += 1;
            (shard, next[shard] - 1)
        })
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        let numbers = self.numbers.iter().flatten().map(growth::allocated).sum::<u64>();
        growth::allocated(&self.of) + growth::allocated(&self.before) + numbers
    }

    fn block(&self) -> usize {
        PER_SHARD * self.shards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_leads_to_the_same_place() {
        for shards in [1, 2, 3, 7, 256] {
            let mut order = Order::new(shards, false);
            let mut places = Vec::new();
            let mut counts = vec![0; shards];
            let mut word = 1_u64;
            for number in 0..5 * PER_SHARD * shards + 3 {
                word = word.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                // A long time nothing goes to the first shard, then everything.
                let shard = match number / (2 * PER_SHARD * shards) {
                    0 => (word >> 33) as usize % shards.max(2) % shards,
                    1 => shards - 1,
                    _ => 0,
                };
                places.push((shard, counts[shard]));
                counts[shard] += 1;
                order.push(shard);
            }
            let length = places.len() as u32;
            assert_eq!(order.len(), places.len());
            for (number, &(shard, local)) in (0..).zip(&places) {
                assert_eq!(order.place(number), (shard, local), "{shards} shards");
                assert_eq!(order.number(shard, local), number, "{shards} shards");
            }
            for start in (0..=length).step_by(29) {
                let end = length.min(start + 100);
                let some = &places[start as usize..end as usize];
                assert!(order.places(start..end).eq(some.iter().copied()), "{shards} shards");
            }
        }
    }

    #[test]
    fn little_memory_is_used() {
        let mut order = Order::new(8, false);
        for number in 0..100_000 {
            order.push(number % 8);
        }
        assert!(order.allocated_bytes() < 135_000);
    }
}
