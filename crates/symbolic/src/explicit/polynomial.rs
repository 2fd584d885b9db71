//! How many: sums of products of falling factorials of sizes.
//!
//! The number of tuples an entry stands for, and of concrete bindings a symbolic one stands for, is
//! a product of terms |Z| (|Z| − 1) … For markings of one shape these sums differ in the sizes of
//! free subclasses only, so they are kept as polynomials in those.

use crate::word::falling;

/// Sums of monomials, many of them in one place.
#[derive(Debug, Default)]
pub(crate) struct Polynomials {
    /// A coefficient and where its factors end.
    monomials: Vec<(u128, u32)>,
    /// A variable, and how many factors of its falling factorial.
    factors: Vec<(u32, u32)>,
    /// Where each polynomial ends.
    ends: Vec<u32>,
}

impl Polynomials {
    /// Adds a monomial to the polynomial that is being made.
    pub(crate) fn add(&mut self, coefficient: u128, factors: &[(u32, u32)]) {
        let first = self.ends.last().map_or(0, |&end| end as usize);
        let mut from = first.checked_sub(1).map_or(0, |last| self.monomials[last].1 as usize);
        for monomial in &mut self.monomials[first..] {
            let to = monomial.1 as usize;
            if self.factors[from..to] == *factors
                && let Some(sum) = monomial.0.checked_add(coefficient)
            {
                monomial.0 = sum;
                return;
            }
            from = to;
        }
        self.factors.extend_from_slice(factors);
        self.monomials.push((coefficient, self.factors.len() as u32));
    }

    /// Ends the polynomial that is being made, and gives its number.
    pub(crate) fn finish(&mut self) -> u32 {
        self.ends.push(self.monomials.len() as u32);
        self.ends.len() as u32 - 1
    }

    /// Drops the polynomial that is being made.
    pub(crate) fn abandon(&mut self) {
        self.monomials.truncate(self.ends.last().map_or(0, |&end| end as usize));
        self.factors.truncate(self.monomials.last().map_or(0, |last| last.1 as usize));
    }

    /// The value of a polynomial where the variables have these values; `None` if it does not fit.
    pub(crate) fn value(&self, polynomial: u32, sizes: &[u32]) -> Option<u128> {
        let before =
            |i: u32, ends: &[u32]| i.checked_sub(1).map_or(0, |before| ends[before as usize]);
        let from = before(polynomial, &self.ends);
        let mut at = from.checked_sub(1).map_or(0, |last| self.monomials[last as usize].1);
        let mut sum = 0_u128;
        for &(coefficient, end) in
            &self.monomials[from as usize..self.ends[polynomial as usize] as usize]
        {
            let mut product = coefficient;
            for &(variable, factors) in &self.factors[at as usize..end as usize] {
                product = product.checked_mul(falling(sizes[variable as usize], factors)?)?;
            }
            at = end;
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// The memory held, in bytes.
    pub(crate) fn allocated_bytes(&self) -> usize {
        self.monomials.capacity() * size_of::<(u128, u32)>()
            + self.factors.capacity() * size_of::<(u32, u32)>()
            + self.ends.capacity() * size_of::<u32>()
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
        assert_eq!(polynomials.monomials.len(), 3);
    }
}
