//! Positions in a row, as near to the wished-for ones as can be.
//!
//! Given wishes in the order of the row, sizes and a gap, the positions without overlap that keep the
//! order and have the least sum of squared distances to the wishes. With the sizes taken off this is
//! isotonic regression, solved by pooling adjacent violators in linear time (Barlow et al. 1972).

/// Centres of the members of a row. A wish that is not a number is none: that member goes where the
/// one before it would have it.
pub(super) fn settled(wishes: &[f64], sizes: &[f64], gap: f64) -> Vec<f64> {
    // How far each centre is at least from the first one.
    let mut offsets = Vec::with_capacity(sizes.len());
    let mut offset = 0.0;
    for (at, size) in sizes.iter().enumerate() {
        if at > 0 {
            offset += (sizes[at - 1] + size) / 2.0 + gap;
        }
        offsets.push(offset);
    }
    // Blocks of members that touch: their number of wishes, the sum of these, and how many they are.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    let goal = |block: &(f64, f64, usize)| block.1 / block.0;
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let mut block = if wish.is_nan() { (0.0, 0.0, 1) } else { (1.0, wish - offset, 1) };
        while let Some(last) = blocks.last() {
            if last.0 > 0.0 && block.0 > 0.0 && goal(last) < goal(&block) {
                break;
            }
            block = (block.0 + last.0, block.1 + last.1, block.2 + last.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let mut positions = Vec::with_capacity(sizes.len());
    for block in &blocks {
        let start = if block.0 > 0.0 { goal(block) } else { 0.0 };
        for _ in 0..block.2 {
            positions.push(start + offsets[positions.len()]);
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_wishes_are_granted() {
        assert_eq!(settled(&[0.0, 50.0, 90.0], &[10.0, 10.0, 10.0], 5.0), [0.0, 50.0, 90.0]);
    }

    #[test]
    fn neighbours_share_what_is_lost() {
        assert_eq!(settled(&[10.0, 10.0], &[10.0, 10.0], 0.0), [5.0, 15.0]);
        assert_eq!(settled(&[10.0, 0.0, 100.0], &[10.0, 20.0, 10.0], 5.0), [-5.0, 15.0, 100.0]);
    }

    #[test]
    fn without_wishes_a_row_is_tight() {
        let none = f64::NAN;
        assert_eq!(settled(&[none, none], &[10.0, 10.0], 2.0), [0.0, 12.0]);
        assert_eq!(settled(&[none, 40.0, none], &[10.0, 10.0, 10.0], 2.0), [28.0, 40.0, 52.0]);
        assert!(settled(&[], &[], 2.0).is_empty());
    }
}
