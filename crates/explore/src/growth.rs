//! Vectors that grow by a quarter.
//!
//! `Vec` doubles, so that on average a quarter and at worst half of what it holds is unused. The
//! arrays of the search are the bulk of the memory of a run; growing them by a quarter leaves at
//! most a fifth unused, at the price of about four moves per element over a run instead of one.
//! Large blocks are usually remapped by the allocator rather than copied.

/// Up to this length vectors double: at this size the waste does not matter.
const DOUBLING: usize = 4096;

/// Appends `value`.
#[inline]
pub(crate) fn push<T>(vec: &mut Vec<T>, value: T) {
    reserve(vec, 1);
    vec.push(value);
}

/// Appends `values`.
#[inline]
pub(crate) fn extend<T: Copy>(vec: &mut Vec<T>, values: &[T]) {
    reserve(vec, values.len());
    vec.extend_from_slice(values);
}

#[inline]
pub(crate) fn reserve<T>(vec: &mut Vec<T>, more: usize) {
    if vec.capacity() - vec.len() < more {
        grow(vec, more);
    }
}

#[cold]
fn grow<T>(vec: &mut Vec<T>, more: usize) {
    vec.reserve_exact(step(vec, more));
}

/// By how much a vector grows that needs room for `more`.
pub(crate) fn step<T>(vec: &[T], more: usize) -> usize {
    let length = vec.len();
    let usual = if length < DOUBLING { length.max(16) } else { length / 4 };
    usual.max(more)
}

/// The bytes a vector holds, as allocated.
pub(crate) fn allocated<T>(vec: &Vec<T>) -> u64 {
    (vec.capacity() * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_left_unused() {
        let mut vec = Vec::new();
        for i in 0..100_000_u32 {
            push(&mut vec, i);
            if vec.len() > 2 * DOUBLING {
                assert!(vec.capacity() * 4 <= vec.len() * 5);
            }
        }
        extend(&mut vec, &[7; 200_000]);
        assert_eq!(vec.len(), 300_000);
        assert!(vec.iter().take(100_000).copied().eq(0..100_000));
    }
}
