//! How many: sums of products of falling factorials of sizes.
//!
//! The number of tuples an entry stands for, and of concrete bindings a symbolic one stands for, is
//! a product of terms |Z| (|Z| − 1) … For markings of one shape these sums differ in the sizes of
//! free subclasses only, so they are kept as polynomials in those.

use crate::word::falling;

/// A sum of monomials: for each a coefficient, and its variables with how many factors of their falling
/// factorials.
type Polynomial = Vec<(u128, Box<[(u32, u32)]>)>;

/// Many polynomials.
#[derive(Debug, Default)]
pub(crate) struct Polynomials {
    finished: Vec<Polynomial>,
    /// The one that is being made.
    open: Polynomial,
    /// The memory that the finished ones hold.
    bytes: usize,
}

impl Polynomials {
    /// Adds a monomial to the polynomial that is being made.
    pub(crate) fn add(&mut self, coefficient: u128, factors: &[(u32, u32)]) {
        let mut alike = self.open.iter_mut().filter(|monomial| *monomial.1 == *factors);
        let sum = alike.find_map(|(sum, _)| Some((sum.checked_add(coefficient)?, sum)));
        match sum {
            Some((more, sum)) => *sum = more,
            None => self.open.push((coefficient, factors.into())),
        }
    }

    /// Ends the polynomial that is being made, and gives its number.
    pub(crate) fn finish(&mut self) -> u32 {
        let polynomial = std::mem::take(&mut self.open);
        self.bytes += size_of::<Polynomial>() + size_of_val(&polynomial[..]);
        self.bytes +=
            polynomial.iter().map(|(_, factors)| size_of_val(&factors[..])).sum::<usize>();
        self.finished.push(polynomial);
        self.finished.len() as u32 - 1
    }

    /// Drops the polynomial that is being made.
    pub(crate) fn abandon(&mut self) {
        self.open.clear();
    }

    /// The value of a polynomial where the variables have these values; `None` if it does not fit.
    pub(crate) fn value(&self, polynomial: u32, sizes: &[u32]) -> Option<u128> {
        let mut monomials = self.finished[polynomial as usize].iter();
        monomials.try_fold(0_u128, |sum, (coefficient, factors)| {
            let product = factors.iter().try_fold(*coefficient, |product, &(variable, count)| {
                product.checked_mul(falling(sizes[variable as usize], count)?)
            });
            sum.checked_add(product?)
        })
    }

    /// The memory held, in bytes.
    pub(crate) fn allocated_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sums_of_products() {
        let mut polynomials = Polynomials::default();
        polynomials.add(2, &[(0, 1)]);
        polynomials.add(3, &[(0, 2), (1, 1)]);
        polynomials.add(5, &[(0, 1)]);
        let first = polynomials.finish();
        polynomials.add(1, &[]);
        polynomials.abandon();
        polynomials.add(u128::MAX, &[(1, 1)]);
        let second = polynomials.finish();
        let empty = polynomials.finish();
        assert_eq!(polynomials.value(first, &[4, 10]), Some(7 * 4 + 3 * 4 * 3 * 10));
        assert_eq!(polynomials.value(second, &[9, 1]), Some(u128::MAX));
        assert_eq!(polynomials.value(second, &[9, 2]), None);
        assert_eq!(polynomials.value(empty, &[]), Some(0));
        assert_eq!(polynomials.finished.iter().map(Vec::len).sum::<usize>(), 3);
    }
}
