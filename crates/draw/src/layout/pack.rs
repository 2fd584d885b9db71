//! Sets the pictures of connected components side by side.
//!
//! Components keep their order and fill rows from left to right; a new row begins where the picture
//! would become much wider than high. Cost: linear.

use super::{Point, Size};

/// Between components.
const GAP: f64 = 36.0;
/// The width of a picture of many components, relative to its height, that is aimed at.
const ASPECT: f64 = 1.6;

/// The upper left corner of each rectangle, and the size of the whole.
pub(super) fn shelves(sizes: &[Size]) -> (Vec<Point>, Size) {
    let area: f64 = sizes.iter().map(|size| (size.width + GAP) * (size.height + GAP)).sum();
    let widest = sizes.iter().map(|size| size.width).fold(0.0, f64::max);
    // Two or three components side by side are easier to read than stacked.
    let limit = if sizes.len() <= 3 { f64::INFINITY } else { widest.max((area * ASPECT).sqrt()) };
    let mut corners = Vec::with_capacity(sizes.len());
    let mut whole = Size { width: 0.0, height: 0.0 };
    let (mut x, mut y) = (0.0, 0.0);
    for size in sizes {
        if x > 0.0 && x + size.width > limit {
            (x, y) = (0.0, whole.height + GAP);
        }
        corners.push(Point { x, y });
        whole.width = whole.width.max(x + size.width);
        whole.height = whole.height.max(y + size.height);
        x += size.width + GAP;
    }
    (corners, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_do_not_overlap_and_the_whole_is_not_a_ribbon() {
        let sizes: Vec<Size> = (0..40)
            .map(|at| Size {
                width: 20.0 + f64::from(at * 7 % 50),
                height: 30.0 + f64::from(at % 9),
            })
            .collect();
        let (corners, whole) = shelves(&sizes);
        for (at, (a, s)) in corners.iter().zip(&sizes).enumerate() {
            assert!(a.x + s.width <= whole.width && a.y + s.height <= whole.height);
            for (b, t) in corners.iter().zip(&sizes).take(at) {
                let apart = a.x >= b.x + t.width
                    || b.x >= a.x + s.width
                    || a.y >= b.y + t.height
                    || b.y >= a.y + s.height;
                assert!(apart);
            }
        }
        assert!(whole.width < 3.0 * whole.height && whole.height < 3.0 * whole.width);
    }
}
