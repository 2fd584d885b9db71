//! Outlines and lines, in SVG's own words.

use std::fmt::{self, Display, Formatter, Write as _};

/// A coordinate: at most two digits after the point.
pub(crate) struct Short(pub f64);

impl Display for Short {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Adding 0 after rounding keeps −0 out.
        let text = format!("{:.2}", (self.0 * 100.0).round() / 100.0 + 0.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Straight lines and curves, one after the other; `y` grows downwards.
#[derive(Debug, Clone, Default)]
pub struct Path(String);

impl Path {
    /// A path that begins at a point.
    #[must_use]
    pub fn at(x: f64, y: f64) -> Path {
        Path::default().and_at(x, y)
    }

    /// The same path, going on elsewhere.
    #[must_use]
    pub fn and_at(self, x: f64, y: f64) -> Path {
        self.with('M', &[[x, y]])
    }

    /// The same path with a straight line.
    #[must_use]
    pub fn line(self, x: f64, y: f64) -> Path {
        self.with('L', &[[x, y]])
    }

    /// The same path with a level line.
    #[must_use]
    pub fn across(mut self, x: f64) -> Path {
        let _ = write!(self.0, "H{}", Short(x));
        self
    }

    /// The same path with a line up or down.
    #[must_use]
    pub fn down(mut self, y: f64) -> Path {
        let _ = write!(self.0, "V{}", Short(y));
        self
    }

    /// The same path with a cubic Bézier curve: two control points and its end.
    #[must_use]
    pub fn curve(self, points: &[[f64; 2]; 3]) -> Path {
        self.with('C', points)
    }

    /// The same path, closed.
    #[must_use]
    pub fn closed(mut self) -> Path {
        self.0.push('Z');
        self
    }

    fn with(mut self, command: char, points: &[[f64; 2]]) -> Path {
        self.0.push(command);
        for (nth, [x, y]) in points.iter().enumerate() {
            let blank = if nth > 0 { " " } else { "" };
            let _ = write!(self.0, "{blank}{} {}", Short(*x), Short(*y));
        }
        self
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let written = [1.0, 0.125, -0.001, 12.345_6, -3.0, 100.0].map(|x| Short(x).to_string());
        assert_eq!(written, ["1", "0.13", "0", "12.35", "-3", "100"]);
    }

    #[test]
    fn a_path_is_written_in_its_order() {
        let path = Path::at(1.0, 2.0).line(3.0, 4.5).across(5.0).down(6.0).closed();
        assert_eq!(path.to_string(), "M1 2L3 4.5H5V6Z");
        let curve = Path::at(0.0, 0.0).curve(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        assert_eq!(curve.to_string(), "M0 0C1 2 3 4 5 6");
    }
}
