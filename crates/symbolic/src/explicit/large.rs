//! Exact numbers that are mostly small: a machine word of 128 bits, and a big integer for the rest.

use num_bigint::BigUint;

use crate::word::falling;

/// A number, as the sum of two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Large {
    word: u128,
    rest: BigUint,
}

impl From<u128> for Large {
    fn from(word: u128) -> Self {
        Self { word, rest: BigUint::ZERO }
    }
}

impl Large {
    /// A constant times, for each size and number of elements, the ways to choose that many in order.
    pub(crate) fn product(
        constant: u32,
        choices: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> Self {
        let word = choices.clone().try_fold(u128::from(constant), |product, (size, count)| {
            product.checked_mul(falling(size, count)?)
        });
        word.map_or_else(
            || {
                let factors = choices.flat_map(|(size, count)| {
                    (0..count).map(move |i| BigUint::from(size.saturating_sub(i)))
                });
                Self { word: 0, rest: factors.product::<BigUint>() * constant }
            },
            Self::from,
        )
    }

    pub(crate) fn add(&mut self, other: Self) {
        match self.word.checked_add(other.word) {
            Some(sum) => self.word = sum,
            None => self.rest += other.word,
        }
        if other.rest != BigUint::ZERO {
            self.rest += other.rest;
        }
    }

    /// Becomes the greater of the two.
    pub(crate) fn raise(&mut self, other: Self) {
        if self.rest == BigUint::ZERO && other.rest == BigUint::ZERO {
            self.word = self.word.max(other.word);
        } else if other.total() > self.total() {
            *self = other;
        }
    }

    /// The number, or `u64::MAX` if that is less.
    pub(crate) fn at_most_a_word(&self) -> u64 {
        // What does not fit into 128 bits has a rest.
        let fits = self.rest == BigUint::ZERO;
        u64::try_from(self.word).ok().filter(|_| fits).unwrap_or(u64::MAX)
    }

    pub(crate) fn total(&self) -> BigUint {
        &self.rest + self.word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_exact() {
        let small = Large::product(3, [(5, 2), (7, 1)].into_iter());
        assert_eq!(small.total(), BigUint::from(3_u32 * 5 * 4 * 7));
        let large = Large::product(2, [(1 << 31, 5)].into_iter());
        let expected: BigUint =
            (0..5_u32).map(|i| BigUint::from((1_u32 << 31) - i)).product::<BigUint>() * 2_u32;
        assert_eq!(large.total(), expected);
        let mut sum = Large::from(u128::MAX);
        sum.add(Large::from(u128::MAX));
        assert_eq!(sum.total(), BigUint::from(u128::MAX) * 2_u32);
        sum.add(large.clone());
        assert_eq!(sum.total(), BigUint::from(u128::MAX) * 2_u32 + &expected);
        let mut most = small;
        most.raise(large);
        most.raise(Large::from(5));
        assert_eq!(most.total(), expected);
    }
}
