//! Sorting of words that are spread evenly over their upper bits.
//!
//! The upper bits say nearly where a word belongs: words are counted by these bits, put in their
//! places, and what stands wrong within a bucket is moved. Linear as long as the words are spread.
//! When many fall into one bucket, they are sorted digit by digit, from the last, if few digits differ at all;
//! otherwise they are left to the library.

use crate::few::sort_words;

/// Words up to this number are sorted at once.
const FEW: usize = 16;
/// Buckets up to this size are sorted by insertion.
const LARGEST: u32 = 16;
/// No more buckets than this are counted.
const MOST_BUCKETS: usize = 1 << 16;
/// Up to this many words, and in up to this many buckets, bytes count.
const SHORT: usize = 255;
const SHORT_BUCKETS: usize = 256;
const ONES: u64 = 0x0101_0101_0101_0101;
/// Words are sorted digit by digit if they differ in no more digits than this, of so many bits.
const DIGITS: usize = 4;
const DIGIT_BITS: u32 = 7;

/// Sorts words, and owns the memory this needs.
#[derive(Clone, Debug, Default)]
pub struct Sorter {
    /// For each bucket, the place of its next word.
    places: Vec<u32>,
    sorted: Vec<u64>,
}

impl Sorter {
    /// Sorts words in ascending order, for which it helps if their upper bits, without the lower `shift` ones, are spread
    /// evenly over the numbers below `buckets`.
    ///
    /// # Panics
    ///
    /// When they are not below.
    #[inline]
    pub fn sort(&mut self, words: &mut Vec<u64>, shift: u32, buckets: usize) {
        if words.len() <= FEW {
            return sort_words(words);
        }
        let is_sorted = if words.len() <= SHORT && buckets <= SHORT_BUCKETS {
            self.sort_short(words, shift, buckets)
        } else {
            buckets > 1 && buckets <= MOST_BUCKETS && self.sort_buckets(words, shift, buckets)
        };
        if !is_sorted && !self.sort_digits(words) {
            words.sort_unstable();
        }
    }

    /// Sorts so few words that a byte counts them; `false` if too many are in one bucket.
    fn sort_short(&mut self, words: &mut Vec<u64>, shift: u32, buckets: usize) -> bool {
        let mut places = [0_u8; SHORT_BUCKETS];
        let places = &mut places[..buckets.next_multiple_of(8)];
        words.iter().for_each(|&word| places[(word >> shift) as usize] += 1);
        if places.iter().fold(0, |largest, &count| count.max(largest)) > LARGEST as u8 {
            return false;
        }
        // Eight counts are a number; times ONES, each has those before it added.
        let mut next = 0;
        for counts in places.as_chunks_mut::<8>().0 {
            let count = u64::from_le_bytes(*counts);
            let sums = count.wrapping_mul(ONES).wrapping_add(next * ONES);
            *counts = (sums - count).to_le_bytes();
            next = sums >> 56;
        }
        self.place(words, |word| {
            let place = &mut places[(word >> shift) as usize];
            *place += 1;
            usize::from(*place - 1)
        });
        true
    }

    /// Puts words in the places that they are given, from where they are moved only within buckets.
    #[inline(always)]
    fn place(&mut self, words: &mut Vec<u64>, mut place: impl FnMut(u64) -> usize) {
        self.sorted.resize(words.len(), 0);
        let sorted = self.sorted.as_mut_slice();
        for &word in &*words {
            sorted[place(word)] = word;
        }
        let mut last = 0;
        for i in 0..sorted.len() {
            let word = sorted[i];
            if word < last {
                let mut at = i;
                while at > 0 && sorted[at - 1] > word {
                    sorted[at] = sorted[at - 1];
                    at -= 1;
                }
                sorted[at] = word;
            } else {
                last = word;
            }
        }
        std::mem::swap(words, &mut self.sorted);
    }

    /// `false` if the words differ in too many digits.
    fn sort_digits(&mut self, words: &mut Vec<u64>) -> bool {
        let first = words[0];
        let differing = words.iter().fold(0, |bits, &word| bits | (word ^ first));
        let (mut shifts, mut count, mut left) = ([0; DIGITS], 0, differing);
        while left != 0 {
            let Some(shift) = shifts.get_mut(count) else { return false };
            *shift = left.trailing_zeros();
            left &= u64::MAX.checked_shl(*shift + DIGIT_BITS).unwrap_or(0);
            count += 1;
        }
        self.sorted.resize(words.len(), 0);
        for &shift in &shifts[..count] {
            let digit = |word: u64| (word >> shift) as usize & ((1 << DIGIT_BITS) - 1);
            let mut places = [0_u32; 1 << DIGIT_BITS];
            words.iter().for_each(|&word| places[digit(word)] += 1);
            let mut next = 0;
            for place in &mut places {
                next += std::mem::replace(place, next);
            }
            for &word in &*words {
                let place = &mut places[digit(word)];
                self.sorted[*place as usize] = word;
                *place += 1;
            }
            std::mem::swap(words, &mut self.sorted);
        }
        true
    }

    /// `false` if too many words are in one bucket.
    fn sort_buckets(&mut self, words: &mut Vec<u64>, shift: u32, buckets: usize) -> bool {
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.resize(buckets, 0_u32);
        words.iter().for_each(|&word| places[(word >> shift) as usize] += 1);
        let (mut next, mut largest) = (0, 0);
        for place in &mut places {
            let count = std::mem::replace(place, next);
            next += count;
            largest = largest.max(count);
        }
        if largest <= LARGEST {
            self.place(words, |word| {
                let place = &mut places[(word >> shift) as usize];
                *place += 1;
                *place as usize - 1
            });
        }
        self.places = places;
        largest <= LARGEST
    }
}

#[cfg(test)]
mod tests {
    use super::Sorter;
    use crate::mixing::mix;

    #[test]
    fn words_are_sorted_however_they_are_spread() {
        let mut sorter = Sorter::default();
        for n in [0, 1, 15, 16, 17, 40, 254, 255, 256, 300, 3_000] {
            for bits in [1, 5, 7, 8, 9, 16, 17] {
                for kept in [64, 40, 20, 8, 3, 0] {
                    let cut = u64::MAX.checked_shr(64 - kept).unwrap_or(0);
                    for (what, shift) in [("low", 0), ("high", 64 - kept.max(1))] {
                        let mut words: Vec<u64> = (0..n).map(|i| (mix(i) & cut) << shift).collect();
                        let mut expected = words.clone();
                        expected.sort_unstable();
                        sorter.sort(&mut words, 64 - bits, 1 << bits);
                        assert_eq!(words, expected, "{n} words, {bits} bits, {kept} kept {what}");
                    }
                }
            }
        }
    }
}
