//! Words for the components of a token.
//!
//! In a plain or cyclic class a word is the number of an element. In a symmetric class it names a
//! dynamic subclass, and which of the elements met there is meant: within one tuple elements of a
//! subclass are numbered in the order in which they first occur, so two words are equal exactly
//! when the elements are.

const SUBCLASS_BITS: u32 = 24;

/// The largest number of dynamic subclasses of a marking.
pub(crate) const MOST_SUBCLASSES: usize = 1 << SUBCLASS_BITS;

/// The word of the `nth` element met of a dynamic subclass.
#[inline(always)]
pub(crate) fn word(dynamic: u32, nth: u32) -> u32 {
    nth << SUBCLASS_BITS | dynamic
}

/// The dynamic subclass of a word.
#[inline(always)]
pub(crate) fn dynamic(word: u32) -> u32 {
    word & (MOST_SUBCLASSES as u32 - 1)
}

/// Which element of its subclass a word means.
#[inline(always)]
pub(crate) fn nth(word: u32) -> u32 {
    word >> SUBCLASS_BITS
}

/// A number by which words of a symmetric class are sorted: by subclass, and then by element.
#[inline(always)]
pub(crate) fn sorting_key(word: u32) -> u32 {
    word.rotate_left(u32::BITS - SUBCLASS_BITS)
}

/// The word with this sorting key.
#[inline(always)]
pub(crate) fn from_sorting_key(key: u32) -> u32 {
    key.rotate_right(u32::BITS - SUBCLASS_BITS)
}

/// `size · (size − 1) · …`, this many factors: the ways to choose distinct elements in order. `None`
/// if it does not fit.
pub(crate) fn falling(size: u32, factors: u32) -> Option<u128> {
    (0..factors)
        .try_fold(1, |product: u128, i| product.checked_mul(u128::from(size.saturating_sub(i))))
}
