//! The marks a picture is made of: outlines, lines with their tips, text.

use std::fmt::Write as _;

use super::{BASELINE, Frame, LEADING, Point, Route, Size};
use crate::look::INK;
use crate::{Border, EdgeLook, Face, NodeLook, Shape, Stroke, Tip, text};

const LINE: f64 = 1.2;
const HEAVY: f64 = 2.2;
/// Between the two lines of a double border.
const INSET: f64 = 3.0;
const ARROW_LENGTH: f64 = 9.0;
const ARROW_HALF_WIDTH: f64 = 3.6;
const CIRCLE: f64 = 3.6;

/// Writes SVG elements.
pub(super) struct Pen {
    out: String,
}

/// A coordinate in hundredths, without zeros that say nothing.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Rounding first keeps −0 out.
        let hundredths = (self.0 * 100.0).round() + 0.0;
        let text = format!("{:.2}", hundredths / 100.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Pen {
    /// Begins a picture of the given size.
    pub fn new(size: Size, title: &str) -> Self {
        let (width, height) = (Short(size.width), Short(size.height));
        let mut pen = Self { out: String::new() };
        let _ = writeln!(
            pen.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{}\">",
            text::SANS
        );
        pen.title(if title.is_empty() { "graph" } else { title });
        let _ = writeln!(
            pen.out,
            "<rect class=\"background\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
        );
        pen
    }

    /// The whole picture.
    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    /// Begins a group of a class; what is `said` is read out, or shown when pointed at.
    pub fn begin(&mut self, class: &str, said: &str) {
        let _ = writeln!(self.out, "<g class=\"{class}\">");
        if !said.is_empty() {
            self.title(said);
        }
    }

    /// Begins a group whose origin is elsewhere.
    pub fn begin_shifted(&mut self, to: Point) {
        let _ = writeln!(self.out, "<g transform=\"translate({} {})\">", Short(to.x), Short(to.y));
    }

    /// Ends a group.
    pub fn end(&mut self) {
        self.out.push_str("</g>\n");
    }

    fn title(&mut self, said: &str) {
        self.out.push_str("<title>");
        text::xml(said, &mut self.out);
        self.out.push_str("</title>\n");
    }

    /// Lines of text around the height of `at`.
    pub fn text(&mut self, at: Point, font: f64, fill: &str, anchor: &str, lines: &[(&str, Face)]) {
        let first = at.y - font * LEADING * (lines.len() as f64 - 1.0) / 2.0 + font * BASELINE;
        for (index, (line, face)) in lines.iter().enumerate() {
            let y = first + font * LEADING * index as f64;
            let _ = write!(
                self.out,
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{fill}\" text-anchor=\"{anchor}\"",
                Short(at.x),
                Short(y),
                Short(font)
            );
            match face {
                Face::Plain => {}
                Face::Strong => self.out.push_str(" font-weight=\"bold\""),
                Face::Mono => {
                    let _ = write!(self.out, " font-family=\"{}\"", text::MONO);
                }
            }
            self.out.push('>');
            text::xml(line, &mut self.out);
            self.out.push_str("</text>\n");
        }
    }

    /// The outline of a node.
    pub fn outline(&mut self, look: &NodeLook, frame: &Frame) {
        let width = if look.border == Border::Heavy { HEAVY } else { LINE };
        self.shape(look, frame, 0.0, look.tone.area(), width);
        if look.border == Border::Double {
            self.shape(look, frame, INSET, "none", LINE);
        }
    }

    fn shape(&mut self, look: &NodeLook, frame: &Frame, inset: f64, fill: &str, width: f64) {
        let Frame { centre, size } = *frame;
        let (half_width, half_height) = (size.width / 2.0 - inset, size.height / 2.0 - inset);
        if look.shape == Shape::Ellipse {
            let _ = write!(
                self.out,
                "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"",
                Short(centre.x),
                Short(centre.y),
                Short(half_width),
                Short(half_height)
            );
        } else {
            let _ = write!(
                self.out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                Short(centre.x - half_width),
                Short(centre.y - half_height),
                Short(2.0 * half_width),
                Short(2.0 * half_height)
            );
            if look.shape == Shape::Rounded {
                let _ = write!(self.out, " rx=\"{}\"", Short((7.0 - inset).max(1.0)));
            }
        }
        let line = look.tone.line();
        let _ = write!(
            self.out,
            " fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"{}\"",
            Short(width)
        );
        if look.border == Border::Dashed {
            self.out.push_str(" stroke-dasharray=\"5 3\"");
        }
        self.out.push_str("/>\n");
    }

    /// An edge along a route: the line, shortened by its tips, and the tips.
    pub fn route(&mut self, look: &EdgeLook, route: &Route) {
        let mut points: Vec<Point> =
            std::iter::once(route.start).chain(route.pieces.iter().flatten().copied()).collect();
        let head = shorten(&mut points, tip_length(look.head));
        points.reverse();
        let tail = shorten(&mut points, tip_length(look.tail));
        points.reverse();

        let colour = look.tone.line();
        let width = if look.stroke == Stroke::Heavy { 1.8 } else { LINE };
        let _ = write!(self.out, "<path d=\"M{} {}", Short(points[0].x), Short(points[0].y));
        for piece in points[1..].chunks_exact(3) {
            self.out.push('C');
            for (index, point) in piece.iter().enumerate() {
                let blank = if index > 0 { " " } else { "" };
                let _ = write!(self.out, "{blank}{} {}", Short(point.x), Short(point.y));
            }
        }
        let _ = write!(
            self.out,
            "\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\"",
            Short(width)
        );
        match look.stroke {
            Stroke::Solid | Stroke::Heavy => {}
            Stroke::Dashed => self.out.push_str(" stroke-dasharray=\"5 3\""),
            Stroke::Dotted => self.out.push_str(" stroke-dasharray=\"1.5 3\""),
        }
        self.out.push_str("/>\n");
        self.tip(look.head, points[points.len() - 1], head, colour);
        self.tip(look.tail, points[0], tail, colour);
    }

    /// The arrow that marks an initial node: a dot and an arrow from it.
    pub fn initial_mark(&mut self, from: Point, to: Point) {
        let _ = writeln!(
            self.out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"2.8\" fill=\"{INK}\"/>",
            Short(from.x),
            Short(from.y)
        );
        let mut points = [from, to];
        let length = (to.x - from.x).hypot(to.y - from.y).max(1e-9);
        let back = ARROW_LENGTH / length;
        points[1] = Point { x: to.x - (to.x - from.x) * back, y: to.y - (to.y - from.y) * back };
        let _ = writeln!(
            self.out,
            "<path d=\"M{} {}L{} {}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"{}\"/>",
            Short(from.x),
            Short(from.y),
            Short(points[1].x),
            Short(points[1].y),
            Short(LINE)
        );
        self.tip(Tip::Arrow, points[1], to, INK);
    }

    /// The tip of a line that ends at `base`, up to `point`.
    fn tip(&mut self, tip: Tip, base: Point, point: Point, colour: &str) {
        let (dx, dy) = (point.x - base.x, point.y - base.y);
        let length = dx.hypot(dy);
        if length == 0.0 {
            return;
        }
        match tip {
            Tip::None => {}
            Tip::Arrow | Tip::Hollow => {
                let side = ARROW_HALF_WIDTH / length;
                let fill = if tip == Tip::Arrow { colour } else { "#ffffff" };
                let _ = writeln!(
                    self.out,
                    "<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{fill}\" stroke=\"{colour}\" \
                     stroke-width=\"1\" stroke-linejoin=\"round\"/>",
                    Short(point.x - dx / length * 0.6),
                    Short(point.y - dy / length * 0.6),
                    Short(base.x - dy * side),
                    Short(base.y + dx * side),
                    Short(base.x + dy * side),
                    Short(base.y - dx * side)
                );
            }
            Tip::Circle => {
                let _ = writeln!(
                    self.out,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#ffffff\" stroke=\"{colour}\" \
                     stroke-width=\"{}\"/>",
                    Short(base.x + dx / 2.0),
                    Short(base.y + dy / 2.0),
                    Short(CIRCLE),
                    Short(LINE)
                );
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

/// Cuts a chain of cubics where it is `length` away from its end, if it is; returns the old end.
fn shorten(points: &mut Vec<Point>, length: f64) -> Point {
    let end = points[points.len() - 1];
    if length == 0.0 {
        return end;
    }
    let far = |point: Point| (point.x - end.x).hypot(point.y - end.y) > length;
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
    let mix = |p: Point, q: Point| Point { x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t };
    let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
    let (abc, bcd) = (mix(ab, bc), mix(bc, cd));
    [ab, abc, mix(abc, bcd)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let written = [1.0, 0.5, -0.001, 12.345_6, -3.0, 100.0].map(|x| Short(x).to_string());
        assert_eq!(written, ["1", "0.5", "0", "12.35", "-3", "100"]);
    }

    #[test]
    fn a_line_is_shortened_by_the_length_of_its_tip() {
        let p = |x: f64| Point { x, y: 0.0 };
        let mut points = vec![p(0.0), p(10.0), p(20.0), p(30.0), p(31.0), p(32.0), p(33.0)];
        let end = shorten(&mut points, 9.0);
        assert_eq!(end, p(33.0));
        assert_eq!(points.len(), 4);
        assert!((points[3].x - 24.0).abs() < 1e-6);
    }

    #[test]
    fn a_line_shorter_than_its_tip_does_not_turn_round() {
        let p = |x: f64| Point { x, y: 0.0 };
        let mut points = vec![p(0.0), p(1.0), p(2.0), p(3.0)];
        shorten(&mut points, 9.0);
        assert!(points.iter().all(|point| (0.0..=3.0).contains(&point.x)));
    }
}
