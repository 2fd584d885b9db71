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
/// No more buckets are counted than 2 to the power of this.
const MOST_BITS: u32 = 16;
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
    /// Sorts words in ascending order, for which it helps if their upper `bits` are spread evenly.
    #[inline]
    pub fn sort(&mut self, words: &mut Vec<u64>, bits: u32) {
        if words.len() <= FEW {
            sort_words(words);
        } else if (bits == 0 || bits > MOST_BITS || !self.sort_buckets(words, bits))
            && !self.sort_digits(words)
        {
            words.sort_unstable();
        }
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
    fn sort_buckets(&mut self, words: &mut Vec<u64>, bits: u32) -> bool {
        let bucket = |word: u64| (word >> (64 - bits)) as usize;
        self.places.clear();
        self.places.resize(1 << bits, 0);
        let places = self.places.as_mut_slice();
        words.iter().for_each(|&word| places[bucket(word)] += 1);
        let (mut next, mut largest) = (0, 0);
        for place in places.iter_mut() {
            let count = std::mem::replace(place, next);
            next += count;
            largest = largest.max(count);
        }
        if largest > LARGEST {
            return false;
        }
        self.sorted.resize(words.len(), 0);
        let sorted = self.sorted.as_mut_slice();
        for &word in &*words {
            let place = &mut places[bucket(word)];
            sorted[*place as usize] = word;
            *place += 1;
        }
        for i in 1..sorted.len() {
            let word = sorted[i];
            let mut at = i;
            while at > 0 && sorted[at - 1] > word {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = word;
        }
        std::mem::swap(words, &mut self.sorted);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Sorter;
    use crate::mixing::mix;

    #[test]
    fn words_are_sorted_however_they_are_spread() {
        let mut sorter = Sorter::default();
        for n in [0, 1, 15, 16, 17, 40, 300, 3_000] {
            for bits in [0, 1, 5, 9, 16, 17, 64] {
                for kept in [64, 40, 20, 8, 3, 0] {
                    let cut = u64::MAX.checked_shr(64 - kept).unwrap_or(0);
                    for (what, shift) in [("low", 0), ("high", 64 - kept.max(1))] {
                        let mut words: Vec<u64> = (0..n).map(|i| (mix(i) & cut) << shift).collect();
                        let mut expected = words.clone();
                        expected.sort_unstable();
                        sorter.sort(&mut words, bits);
                        assert_eq!(words, expected, "{n} words, {bits} bits, {kept} kept {what}");
                    }
                }
            }
        }
    }
}
