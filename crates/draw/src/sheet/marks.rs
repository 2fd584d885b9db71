//! What graphs are drawn with: the outlines of nodes, and lines with their tips.

use super::{Font, Ink, Sheet};
use crate::layout::hexagon_tip;
use crate::look::INK;
use crate::{Anchor, Border, EdgeLook, Face, NodeLook, Path, Shape, Stroke, Tip};

/// A point of a picture.
type Point = [f64; 2];

/// The height of a line of text in multiples of the font size.
pub(crate) const LEADING: f64 = 1.3;
const LINE: f64 = 1.2;
const HEAVY: f64 = 2.2;
/// Between the two lines of a double border.
const INSET: f64 = 3.0;
const ARROW_LENGTH: f64 = 9.0;
const ARROW_HALF_WIDTH: f64 = 3.6;
const CIRCLE: f64 = 3.6;

impl Sheet {
    /// Lines of text, each in its face, around the height of a point.
    pub(crate) fn lines(
        &mut self,
        [x, y]: Point,
        (size, colour): (f64, &'static str),
        lines: impl ExactSizeIterator<Item = (impl AsRef<str>, Face)>,
    ) {
        let first = y - size * LEADING * (lines.len() as f64 - 1.0) / 2.0;
        for (nth, (line, face)) in lines.enumerate() {
            let (y, font) = (first + size * LEADING * nth as f64, Font::of(face, size, colour));
            self.text(x, y, font, Anchor::Middle, line.as_ref());
        }
    }

    /// The outline of a node by its centre and size.
    pub(crate) fn outline(&mut self, look: &NodeLook, [x, y, width, height]: [f64; 4]) {
        let line = if look.border == Border::Heavy { HEAVY } else { LINE };
        let dash = if look.border == Border::Dashed { "5 3" } else { "" };
        let ink = Ink::line(look.tone.line(), line).filled(look.tone.area()).dashed(dash);
        self.shape(look.shape, [x, y, width / 2.0, height / 2.0], ink);
        if look.border == Border::Double {
            let inner = [x, y, width / 2.0 - INSET, height / 2.0 - INSET];
            self.shape(look.shape, inner, ink.filled("none"));
        }
    }

    fn shape(&mut self, shape: Shape, [x, y, w, h]: [f64; 4], ink: Ink) {
        let corner = [x - w, y - h, 2.0 * w, 2.0 * h];
        match shape {
            Shape::Ellipse => self.ellipse([x, y, w, h], ink),
            Shape::Box => self.rectangle(corner, 0.0, ink),
            Shape::Rounded => self.rectangle(corner, 7.0_f64.min(h), ink),
            Shape::Hexagon => {
                let tip = hexagon_tip(w, h);
                let upper = Path::at(x - w, y).line(x - w + tip, y - h).across(x + w - tip);
                let outline = upper.line(x + w, y).line(x + w - tip, y + h).across(x - w + tip);
                self.path(&outline.closed(), ink);
            }
        }
    }

    /// An edge along a chain of cubic curves (the start, then two controls and an end for each): the
    /// line, shortened by its tips, and the tips.
    pub(crate) fn route(&mut self, look: &EdgeLook, chain: &[Point]) {
        let mut points = chain.to_vec();
        let head = shorten(&mut points, tip_length(look.head));
        points.reverse();
        let tail = shorten(&mut points, tip_length(look.tail));
        points.reverse();

        let colour = look.tone.line();
        let (width, dash) = match look.stroke {
            Stroke::Solid => (LINE, ""),
            Stroke::Heavy => (1.8, ""),
            Stroke::Dashed => (LINE, "5 3"),
            Stroke::Dotted => (LINE, "1.5 3"),
        };
        let path = points[1..].as_chunks::<3>().0.iter();
        let path = path.fold(Path::at(points[0][0], points[0][1]), Path::curve);
        self.path(&path, Ink::line(colour, width).dashed(dash));
        self.tip(look.head, points[points.len() - 1], head, colour);
        self.tip(look.tail, points[0], tail, colour);
    }

    /// A straight edge.
    pub(crate) fn straight(&mut self, look: &EdgeLook, from: Point, to: Point) {
        self.route(look, &[from, between(from, to, 1.0 / 3.0), between(from, to, 2.0 / 3.0), to]);
    }

    /// The arrow that marks an initial node: a dot and an arrow from it.
    pub(crate) fn initial_mark(&mut self, from: Point, to: Point) {
        self.ellipse([from[0], from[1], 2.8, 2.8], Ink::area(INK));
        let length = (to[0] - from[0]).hypot(to[1] - from[1]).max(1e-9);
        let base = between(to, from, ARROW_LENGTH / length);
        let path = Path::at(from[0], from[1]).line(base[0], base[1]);
        self.path(&path, Ink::line(INK, LINE));
        self.tip(Tip::Arrow, base, to, INK);
    }

    /// The tip of a line that ends at `base`, up to `point`.
    pub fn tip(&mut self, tip: Tip, base: Point, point: Point, colour: &'static str) {
        let (dx, dy) = (point[0] - base[0], point[1] - base[1]);
        let length = dx.hypot(dy);
        if length == 0.0 {
            return;
        }
        match tip {
            Tip::None => {}
            Tip::Arrow | Tip::Hollow => {
                let side = ARROW_HALF_WIDTH / length;
                let fill = if tip == Tip::Arrow { colour } else { "#ffffff" };
                let point = between(point, base, 0.6 / length);
                let path = Path::at(point[0], point[1])
                    .line(base[0] - dy * side, base[1] + dx * side)
                    .line(base[0] + dy * side, base[1] - dx * side);
                self.path(&path.closed(), Ink::line(colour, 1.0).filled(fill));
            }
            Tip::Circle => {
                let [x, y] = between(base, point, 0.5);
                self.ellipse([x, y, CIRCLE, CIRCLE], Ink::line(colour, LINE).filled("#ffffff"));
            }
        }
    }
}

fn tip_length(tip: Tip) -> f64 {
    match tip {
        Tip::None => 0.0,
        Tip::Arrow | Tip::Hollow => ARROW_LENGTH,
        Tip::Circle => 2.0 * CIRCLE,
    }
}

/// The point at part `t` of the way from one to another.
fn between(p: Point, q: Point, t: f64) -> Point {
    [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t]
}

/// Cuts a chain of cubics where it is `length` away from its end, if it is; returns the old end.
fn shorten(points: &mut Vec<Point>, length: f64) -> Point {
    let end = points[points.len() - 1];
    if length == 0.0 {
        return end;
    }
    let far = |point: Point| (point[0] - end[0]).hypot(point[1] - end[1]) > length;
    while points.len() > 4 && !far(points[points.len() - 4]) {
        points.truncate(points.len() - 3);
    }
    let first = points.len().saturating_sub(4);
    let piece = [points[first], points[first + 1], points[first + 2], points[first + 3]];
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if far(split(piece, middle)[2]) { low = middle } else { high = middle }
    }
    points.truncate(first + 1);
    points.extend(split(piece, low));
    end
}

/// The rest of the first part when a cubic is cut at `t` (de Casteljau): two controls and the end.
fn split([a, b, c, d]: [Point; 4], t: f64) -> [Point; 3] {
    let (ab, bc, cd) = (between(a, b, t), between(b, c, t), between(c, d, t));
    let (abc, bcd) = (between(ab, bc, t), between(bc, cd, t));
    [ab, abc, between(abc, bcd, t)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(xs: &[f64]) -> Vec<Point> {
        xs.iter().map(|&x| [x, 0.0]).collect()
    }

    #[test]
    fn a_line_is_shortened_by_the_length_of_its_tip() {
        let mut points = level(&[0.0, 10.0, 20.0, 30.0, 31.0, 32.0, 33.0]);
        let end = shorten(&mut points, 9.0);
        assert_eq!(end, [33.0, 0.0]);
        assert_eq!(points.len(), 4);
        assert!((points[3][0] - 24.0).abs() < 1e-6);
    }

    #[test]
    fn a_line_shorter_than_its_tip_does_not_turn_round() {
        let mut points = level(&[0.0, 1.0, 2.0, 3.0]);
        shorten(&mut points, 9.0);
        assert!(points.iter().all(|point| (0.0..=3.0).contains(&point[0])));
    }
}
