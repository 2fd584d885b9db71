//! The types of numbers that are drawn below a bound.

/// A type of numbers. Literals without a type are `i32`, which is why it is among them.
pub trait Bound: Copy {
    /// The remainder of a word divided by this.
    fn reduce(self, word: u64) -> Self;
}

macro_rules! bounds {
    ($($number:ty),*) => {
        $(impl Bound for $number {
            fn reduce(self, word: u64) -> Self {
                assert!(self > 0, "no number is below {self}");
                (word % self as u64) as Self
            }
        })*
    };
}

bounds!(u32, u64, usize, i32, i64);
