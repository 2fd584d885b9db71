//! Mixing of what is around a pid into 64-bit words.
//!
//! Mixed words only ever put pids in an order, which is the same in equivalent states whatever the words are.

pub(super) const K1: u64 = 0x9E37_79B9_7F4A_7C15;
pub(super) const K2: u64 = 0xD6E8_FEB8_6659_FD93;

/// A word that depends on all bits of another.
#[inline(always)]
pub(super) fn mix(x: u64) -> u64 {
    let product = u128::from(x ^ K1) * u128::from(K2);
    (product as u64) ^ ((product >> 64) as u64)
}
