//! Mixing of invariants into 64-bit words.
//!
//! A mixed word only ever *splits* cells or orders branches, which is the same in isomorphic
//! structures whatever the words are. Two different invariants with one word cost time, never
//! a wrong answer; cutting the words to a few bits is how the tests show it.

const K1: u64 = 0x9E37_79B9_7F4A_7C15;
const K2: u64 = 0xD6E8_FEB8_6659_FD93;

/// A word that depends on all bits of `x`: the two halves of a 128-bit product, folded.
#[inline(always)]
pub(crate) fn mix(x: u64) -> u64 {
    let product = u128::from(x ^ K1) * u128::from(K2);
    (product as u64) ^ ((product >> 64) as u64)
}

/// A word that depends on `a` and `b` in this order.
#[inline(always)]
pub(crate) fn mix2(a: u64, b: u64) -> u64 {
    mix(a.wrapping_mul(K1).rotate_left(23) ^ b)
}

/// Spreads a colour over a word.
#[inline(always)]
pub(crate) fn spread(colour: u32) -> u64 {
    u64::from(colour).wrapping_mul(K1)
}

/// Spreads the label of a pair over a word, never zero. Added up under exclusive or with mixed
/// words, it keeps labels and words together.
#[inline(always)]
pub(crate) fn link(label: u32) -> u64 {
    (u64::from(label) + 1).wrapping_mul(K2)
}
