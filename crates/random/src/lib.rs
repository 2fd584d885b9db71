//! Pseudo-random numbers that a seed determines, the same on every machine: SplitMix64 (Steele, Lea and
//! Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014).
//!
//! ```
//! use random::Random;
//!
//! let mut random = Random::new(7);
//! let dice: Vec<u32> = (0..5).map(|_| 1 + random.below(6)).collect();
//! assert_eq!(dice, [4, 1, 1, 4, 5]);
//! ```
//!
//! Any seed is as good as any other, 0 and neighbours included. Not for secrets.

mod bound;
mod seeds;

pub use bound::Bound;
pub use seeds::{Seed, daily, for_seeds};

/// What is added to the state for each number: 2⁶⁴ divided by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

fn mixed(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Random {
    /// The generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The generator that these numbers name. Other lists name other generators.
    #[must_use]
    pub fn named(names: &[u64]) -> Random {
        Random(names.iter().fold(0x243f_6a88_85a3_08d3, |state, &name| {
            mixed(state.wrapping_add(GAMMA) ^ mixed(name))
        }))
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        mixed(self.0)
    }

    /// A number from 0 up to but not including `bound`. It is a remainder: some numbers are more likely
    /// than others by a factor of at most 1 + `bound` / 2⁶⁴.
    ///
    /// # Panics
    /// If `bound` is not positive.
    pub fn below<N: Bound>(&mut self, bound: N) -> N {
        bound.reduce(self.word())
    }

    /// `true` in this many of a hundred cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of `items`.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// An index into `weights`, each as often as its weight says.
    ///
    /// # Panics
    /// If the sum of the weights is 0.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum::<usize>());
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the number is below the sum")
    }

    /// Puts `items` into random order (Fisher and Yates, Durstenfeld).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation's first numbers for the seed 1234567 (Vigna, `splitmix64.c`).
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let words: Vec<u64> = (0..5).map(|_| random.word()).collect();
        assert_eq!(
            words,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn all_that_is_possible_happens_about_as_often() {
        for_seeds(0..20, |_, random| {
            let (mut below, mut weighted, mut orders) = ([0; 7], [0; 3], [0; 3]);
            for _ in 0..7_000 {
                below[random.below(7)] += 1;
                weighted[random.weighted(&[2, 0, 5])] += 1;
                let mut order = [0, 1, 2];
                random.shuffle(&mut order);
                orders[order.iter().position(|&i| i == 0).unwrap()] += 1;
            }
            assert!(below.iter().all(|&times| (850..1150).contains(&times)), "{below:?}");
            assert!((1850..2150).contains(&weighted[0]) && weighted[1] == 0, "{weighted:?}");
            assert!(orders.iter().all(|&times| (2150..2520).contains(&times)), "{orders:?}");
            let hits = (0..10_000).filter(|_| random.percent(30)).count();
            assert!((2800..3200).contains(&hits), "{hits}");
            assert!((0..1000).all(|_| !random.percent(0) && random.percent(100)));
        });
    }

    #[test]
    fn names_are_told_apart() {
        let lists: [&[u64]; 5] = [&[], &[0], &[0, 0], &[1, 2], &[2, 1]];
        for (i, one) in lists.iter().enumerate() {
            for (j, other) in lists.iter().enumerate() {
                assert_eq!(Random::named(one) == Random::named(other), i == j);
            }
        }
    }

    #[test]
    #[should_panic(expected = "no number is below 0")]
    fn nothing_is_below_zero() {
        Random::new(0).below(0_usize);
    }
}
