//! Binomial coefficients, one after the other.
//!
//! Neighbours in a row of Pascal's triangle differ by a small factor, so a row is walked with one
//! multiplication and one division by a word for each step. A long way is made in one leap, from
//! the prime factors of the coefficient (Legendre; Kummer).

use num_bigint::BigUint;

/// Ways longer than this are leapt.
const WALK: u32 = 256;
/// Primes are listed up to here; above, every way is walked.
const MOST_LEAPT: u32 = 1 << 24;

/// The coefficients `n` over `k`, for ascending `k`.
#[derive(Debug)]
pub(crate) struct Row {
    n: u32,
    k: u32,
    value: BigUint,
}

impl Row {
    /// The row of `n`, at its beginning.
    pub(crate) fn new(n: u32) -> Self {
        Self { n, k: 0, value: BigUint::from(1_u32) }
    }

    /// `n` over `k`; `k` must not be less than before, nor greater than `n`.
    pub(crate) fn at(&mut self, k: u32) -> &BigUint {
        if k - self.k > WALK && self.n <= MOST_LEAPT {
            self.value = leap(self.n, k);
            self.k = k;
        }
        while self.k < k {
            self.value *= self.n - self.k;
            self.k += 1;
            self.value /= self.k;
        }
        &self.value
    }
}

fn leap(n: u32, k: u32) -> BigUint {
    let mut composite = vec![false; n as usize + 1];
    let mut factors = Vec::new();
    for p in 2..=n as usize {
        if composite[p] {
            continue;
        }
        (p..).map(|i| i * p).take_while(|&i| i <= n as usize).for_each(|i| composite[i] = true);
        // The exponent of p in the factorial of m.
        let in_factorial = |mut m: u32| {
            let mut exponent = 0;
            while m > 0 {
                m /= p as u32;
                exponent += m;
            }
            exponent
        };
        let exponent = in_factorial(n) - in_factorial(k) - in_factorial(n - k);
        if exponent > 0 {
            factors.push(BigUint::from(p).pow(exponent));
        }
    }
    product(&factors)
}

/// A product in which numbers of like size are multiplied.
fn product(factors: &[BigUint]) -> BigUint {
    match factors {
        [] => BigUint::from(1_u32),
        [factor] => factor.clone(),
        _ => {
            let (left, right) = factors.split_at(factors.len() / 2);
            product(left) * product(right)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_sums_to_a_power_of_two_however_it_is_walked() {
        let mut row = Row::new(1000);
        let sum: BigUint = (0..=1000).map(|k| row.at(k).clone()).sum();
        assert_eq!(sum, BigUint::from(2_u32).pow(1000));
        let mut leapt = Row::new(1000);
        let mut walked = Row::new(1000);
        for k in [0, 3, 300, 301, 700, 1000] {
            let expected = walked.at(k.min(walked.k + WALK)).clone();
            let mut walked_on = expected;
            while walked.k < k {
                walked_on = walked.at(k.min(walked.k + WALK)).clone();
            }
            assert_eq!(*leapt.at(k), walked_on, "1000 over {k}");
        }
        assert_eq!(leap(10, 4), BigUint::from(210_u32));
    }
}
