//! Sets of small numbers as words.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXorAssign, Not};

/// A set of numbers below the bits of a word.
pub(crate) trait Set:
    Copy
    + Debug
    + PartialEq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The set without members.
    const NONE: Self;

    /// The set of one number.
    fn of(number: usize) -> Self;

    /// The least member; of the set without members, the number of bits.
    fn first(self) -> usize;

    /// The number of members.
    fn count(self) -> u32;

    /// The set without its least member.
    fn without_first(self) -> Self;

    /// Appends the set to words.
    fn push_to(self, words: &mut Vec<u64>);

    /// Whether there is no member.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Whether there is one member or none.
    #[inline(always)]
    fn is_single(self) -> bool {
        self.without_first().is_empty()
    }

    /// Whether this number is a member.
    #[inline(always)]
    fn has(self, number: usize) -> bool {
        !(self & Self::of(number)).is_empty()
    }

    /// The number of members, which often is one.
    #[inline(always)]
    fn size(self) -> u32 {
        if self.is_single() { u32::from(!self.is_empty()) } else { self.count() }
    }
}

macro_rules! set {
    ($word:ty, $($part:literal),*) => {
        impl Set for $word {
            const NONE: Self = 0;

            #[inline(always)]
            fn of(number: usize) -> Self {
                1 << number
            }

            #[inline(always)]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn push_to(self, words: &mut Vec<u64>) {
                words.extend([$((self >> $part) as u64),*]);
            }
        }
    };
}

set!(u64, 0);
set!(u128, 0, 64);

/// The members of a set, ascending.
#[inline(always)]
pub(crate) fn members<S: Set>(mut set: S) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (!set.is_empty()).then(|| {
            let first = set.first();
            set = set.without_first();
            first
        })
    })
}
