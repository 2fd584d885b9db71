//! Sets of states, one bit for each state there is.

/// A set of numbers below a bound. What is beyond the bound is in no set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    bound: u32,
}

impl Bits {
    /// The empty set of numbers below a bound.
    #[must_use]
    pub fn new(bound: u32) -> Self {
        Self { words: vec![0; bound.div_ceil(u64::BITS) as usize], bound }
    }

    /// Those below a bound for which something is true.
    #[must_use]
    pub fn where_true(bound: u32, mut is_in: impl FnMut(u32) -> bool) -> Self {
        let mut bits = Self::new(bound);
        (0..bound).filter(|&index| is_in(index)).for_each(|index| bits.set(index));
        bits
    }

    /// Raises the bound, or leaves it where it is.
    pub fn grow(&mut self, bound: u32) {
        self.bound = bound.max(self.bound);
        self.words.resize(self.bound.div_ceil(u64::BITS) as usize, 0);
    }

    /// The bound.
    #[must_use]
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Whether a number is in the set.
    #[must_use]
    #[inline]
    pub fn get(&self, index: u32) -> bool {
        self.words
            .get((index / u64::BITS) as usize)
            .is_some_and(|word| word >> (index % u64::BITS) & 1 == 1)
    }

    /// Puts a number into the set.
    ///
    /// # Panics
    ///
    /// If it is not below the bound.
    #[inline]
    pub fn set(&mut self, index: u32) {
        assert!(index < self.bound, "{index} is not below {}", self.bound);
        self.words[(index / u64::BITS) as usize] |= 1 << (index % u64::BITS);
    }

    /// Takes a number out of the set.
    #[inline]
    pub fn clear(&mut self, index: u32) {
        if let Some(word) = self.words.get_mut((index / u64::BITS) as usize) {
            *word &= !(1 << (index % u64::BITS));
        }
    }

    /// Keeps what is in the other set too.
    ///
    /// # Panics
    ///
    /// If the bounds differ.
    pub fn and(&mut self, other: &Self) {
        assert_eq!(self.bound, other.bound);
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word &= more);
    }

    /// Adds what is in the other set.
    ///
    /// # Panics
    ///
    /// If the bounds differ.
    pub fn or(&mut self, other: &Self) {
        assert_eq!(self.bound, other.bound);
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    /// Makes it the set of those below the bound that were not in it.
    pub fn not(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let (Some(last), used @ 1..) = (self.words.last_mut(), self.bound % u64::BITS) {
            *last &= (1 << used) - 1;
        }
    }

    /// How many are in the set.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether none is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// What is in the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().zip(0_u32..).flat_map(|(&word, at)| {
            let rest = |&word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
            std::iter::successors(Some(word).filter(|&word| word != 0), rest)
                .map(move |word| at * u64::BITS + word.trailing_zeros())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        for bound in [0, 1, 63, 64, 65, 200] {
            let even = Bits::where_true(bound, |index| index % 2 == 0);
            let mut odd = even.clone();
            odd.not();
            assert!(odd.iter().eq((1..bound).step_by(2)), "{bound}");
            assert_eq!(even.count() + odd.count(), u64::from(bound));
            let mut none = even.clone();
            none.and(&odd);
            assert!(none.is_empty());
            let mut all = even.clone();
            all.or(&odd);
            assert!(all.iter().eq(0..bound));
            assert!(!all.get(bound) && !all.get(bound + 64));
            all.clear(0);
            all.clear(bound);
            assert!(all.iter().eq(1..bound.max(1)));
        }
    }
}
