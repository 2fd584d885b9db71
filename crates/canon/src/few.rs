//! Sorting of a few words by networks of comparators: no branch to mispredict.
//!
//! The networks are the shortest known for their sizes (Knuth 1998, section 5.3.4). Fewer words
//! are padded with the greatest; more are left to the library.

macro_rules! comparators {
    ($words:ident: $($i:literal $j:literal),*) => {
        $(
            let (a, b) = ($words[$i], $words[$j]);
            $words[$i] = a.min(b);
            $words[$j] = a.max(b);
        )*
    };
}

/// Copies at least `N / 2` and at most `N` words into an array, padded with the greatest.
#[inline(always)]
fn padded<const N: usize>(words: &[u64]) -> [u64; N] {
    let mut array = [u64::MAX; N];
    array[..N / 2].copy_from_slice(&words[..N / 2]);
    for (place, i) in array[N / 2..].iter_mut().zip(N / 2..) {
        *place = words.get(i).copied().unwrap_or(u64::MAX);
    }
    array
}

/// Copies the words back.
#[inline(always)]
fn unpad<const N: usize>(array: &[u64; N], words: &mut [u64]) {
    words[..N / 2].copy_from_slice(&array[..N / 2]);
    for (word, &sorted) in words[N / 2..].iter_mut().zip(&array[N / 2..]) {
        *word = sorted;
    }
}

/// Sorts words in ascending order.
#[inline]
pub(crate) fn sort_words(words: &mut [u64]) {
    match words.len() {
        0 | 1 => {}
        2 => {
            let (a, b) = (words[0], words[1]);
            words[0] = a.min(b);
            words[1] = a.max(b);
        }
        3 | 4 => {
            let mut w: [u64; 4] = padded(words);
            comparators!(w: 0 1, 2 3, 0 2, 1 3, 1 2);
            unpad(&w, words);
        }
        5..=8 => {
            let mut w: [u64; 8] = padded(words);
            comparators!(w: 0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7,
                2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6);
            unpad(&w, words);
        }
        9..=16 => {
            let mut w: [u64; 16] = padded(words);
            sort_sixteen(&mut w);
            unpad(&w, words);
        }
        _ => words.sort_unstable(),
    }
}

fn sort_sixteen(w: &mut [u64; 16]) {
    comparators!(w: 0 13, 1 12, 2 15, 3 14, 4 8, 5 6, 7 11, 9 10,
        0 5, 1 7, 2 9, 3 4, 6 13, 8 14, 10 15, 11 12,
        0 1, 2 3, 4 5, 6 8, 7 9, 10 11, 12 13, 14 15,
        0 2, 1 3, 4 10, 5 11, 6 7, 8 9, 12 14, 13 15,
        1 2, 3 12, 4 6, 5 7, 8 10, 9 11, 13 14,
        1 4, 2 6, 5 8, 7 10, 9 13, 11 14,
        2 4, 3 6, 9 12, 11 13,
        3 5, 6 8, 7 9, 10 12,
        3 4, 5 6, 7 8, 9 10, 11 12,
        6 7, 8 9);
}

#[cfg(test)]
mod tests {
    use super::sort_words;

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
}
