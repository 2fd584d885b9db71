//! Sorting of a few words by networks of comparators: no branch to mispredict.
//!
//! The networks are the shortest known for their sizes (Knuth 1998, section 5.3.4). From nine to
//! fifteen words are padded with the greatest to sixteen; more are left to the library.

/// The words of an array, sorted by comparing and exchanging the given pairs of places.
macro_rules! network {
    ($words:ident: $($i:literal $j:literal),*) => {{
        let mut w = $words;
        $(
            let (a, b) = (w[$i], w[$j]);
            w[$i] = a.min(b);
            w[$j] = a.max(b);
        )*
        w
    }};
}

/// Sorts words in ascending order. Up to sixteen, no branch depends on the words.
#[inline]
pub fn sort_words(words: &mut [u64]) {
    match words.len() {
        0 | 1 => {}
        2 => sort_array(words, |w: [u64; 2]| network!(w: 0 1)),
        3 => sort_array(words, |w: [u64; 3]| network!(w: 0 2, 0 1, 1 2)),
        4 => sort_array(words, sort_four),
        5 => sort_array(
            words,
            |w: [u64; 5]| network!(w: 0 3, 1 4, 0 2, 1 3, 0 1, 2 4, 1 2, 3 4, 2 3),
        ),
        6 => sort_array(
            words,
            |w: [u64; 6]| network!(w: 0 5, 1 3, 2 4, 1 2, 3 4, 0 3, 2 5, 0 1, 2 3, 4 5, 1 2, 3 4),
        ),
        7 => sort_array(words, |w: [u64; 7]| {
            network!(w: 0 6, 2 3, 4 5, 0 2, 1 4, 3 6, 0 1, 2 5, 3 4, 1 2, 4 6, 2 3, 4 5, 1 2, 3 4,
                5 6)
        }),
        8 => sort_array(words, sort_eight),
        n @ 9..=16 => {
            let mut padded = [u64::MAX; 16];
            padded[..n].copy_from_slice(words);
            words.copy_from_slice(&sort_sixteen(padded)[..n]);
        }
        _ => words.sort_unstable(),
    }
}

/// Sorts short words, which all differ and are below 2³¹, in ascending order. Up to sixteen, no branch depends on the
/// words.
///
/// More than four are sorted by how many are less than each, which takes few instructions where several are compared at
/// once.
#[inline]
pub fn sort_few(words: &mut [u32]) {
    match words.len() {
        0 | 1 => {}
        2 => sort_array(words, |w: [u32; 2]| network!(w: 0 1)),
        3 => sort_array(words, |w: [u32; 3]| network!(w: 0 2, 0 1, 1 2)),
        4 => sort_array(words, |w: [u32; 4]| network!(w: 0 1, 2 3, 0 2, 1 3, 1 2)),
        _ => sort_not_so_few(words),
    }
}

/// [`sort_few`] for more than four words.
#[inline(never)]
fn sort_not_so_few(words: &mut [u32]) {
    match words.len() {
        0..=8 => sort_by_rank::<8>(words),
        9..=12 => sort_by_rank::<12>(words),
        13..=16 => sort_by_rank::<16>(words),
        _ => words.sort_unstable(),
    }
}

/// Sorts up to `N` words, which all differ and are below 2³¹.
fn sort_by_rank<const N: usize>(words: &mut [u32]) {
    // What is beyond is greater than all of them.
    let mut keys = [i32::MAX; N];
    keys.iter_mut().zip(&*words).for_each(|(key, &word)| *key = word as i32);
    let mut ranks = [0_i32; N];
    for key in keys {
        for (rank, other) in ranks.iter_mut().zip(&keys) {
            *rank += i32::from(*other > key);
        }
    }
    let mut sorted = [0; 16];
    for (key, rank) in keys.into_iter().zip(ranks) {
        sorted[rank as usize % 16] = key as u32;
    }
    words.copy_from_slice(&sorted[..words.len()]);
}

#[inline(always)]
fn sort_array<T: Copy, const N: usize>(words: &mut [T], sort: impl Fn([T; N]) -> [T; N]) {
    let words: &mut [T; N] = words.try_into().expect("as many words as places");
    *words = sort(*words);
}

/// Sorts four words.
#[inline(always)]
pub(crate) fn sort_four(words: [u64; 4]) -> [u64; 4] {
    network!(words: 0 1, 2 3, 0 2, 1 3, 1 2)
}

/// Sorts eight words.
#[inline(always)]
pub(crate) fn sort_eight(words: [u64; 8]) -> [u64; 8] {
    network!(words: 0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6,
        1 2, 3 4, 5 6)
}

fn sort_sixteen(words: [u64; 16]) -> [u64; 16] {
    network!(words: 0 13, 1 12, 2 15, 3 14, 4 8, 5 6, 7 11, 9 10,
        0 5, 1 7, 2 9, 3 4, 6 13, 8 14, 10 15, 11 12,
        0 1, 2 3, 4 5, 6 8, 7 9, 10 11, 12 13, 14 15,
        0 2, 1 3, 4 10, 5 11, 6 7, 8 9, 12 14, 13 15,
        1 2, 3 12, 4 6, 5 7, 8 10, 9 11, 13 14,
        1 4, 2 6, 5 8, 7 10, 9 13, 11 14,
        2 4, 3 6, 9 12, 11 13,
        3 5, 6 8, 7 9, 10 12,
        3 4, 5 6, 7 8, 9 10, 11 12,
        6 7, 8 9)
}

#[cfg(test)]
mod tests {
    use super::{sort_few, sort_words};
    use crate::mixing::mix;

    /// A network sorts everything if it sorts all sequences of zeros and ones.
    #[test]
    fn networks_sort_all_zeros_and_ones() {
        for n in 0..=17usize {
            for bits in 0..1u32 << n {
                let mut words: Vec<u64> = (0..n).map(|i| u64::from(bits >> i & 1)).collect();
                sort_words(&mut words);
                assert!(words.is_sorted(), "{n} words, {bits:b}");
                let ones = words.iter().sum::<u64>();
                assert_eq!(ones, u64::from(bits.count_ones()), "{n} words, {bits:b}");
            }
        }
    }

    #[test]
    fn short_words_that_differ_are_sorted() {
        for n in 0..=20 {
            for seed in 0..200 {
                // The last bits make them differ.
                let word = |i: u64| (mix(seed << 32 | i) >> 33) as u32 & !31 | i as u32;
                let mut words: Vec<u32> = (0..n).map(word).collect();
                let mut expected = words.clone();
                expected.sort_unstable();
                sort_few(&mut words);
                assert_eq!(words, expected, "{n} words, seed {seed}");
            }
        }
        let mut greatest = [i32::MAX as u32, 0, 5, 4, 3, 2, 1, 7, 8];
        sort_few(&mut greatest);
        assert_eq!(greatest, [0, 1, 2, 3, 4, 5, 7, 8, i32::MAX as u32]);
    }
}
