//! Numbers that paths are counted with: machine words where they suffice, or big integers.

use std::ops::AddAssign;

use num_bigint::BigUint;

/// A natural number that the sums and products in question do not overflow.
pub(super) trait Number: Clone + for<'a> AddAssign<&'a Self> + Into<BigUint> {
    fn small(n: u32) -> Self;
    fn times(&self, other: &Self) -> Self;
}

impl Number for u128 {
    fn small(n: u32) -> Self {
        n.into()
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}

impl Number for BigUint {
    fn small(n: u32) -> Self {
        n.into()
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
}
