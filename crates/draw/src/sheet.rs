//! A sheet to draw on with given coordinates: what all pictures are made of.
//!
//! The result is one self-contained SVG document: presentation attributes rather than style sheets,
//! arrowheads as shapes rather than markers, no identifiers (so that several pictures can be put into one
//! page), no scripts, no links. Any text is allowed; it is escaped.

mod marks;

use std::fmt::Write as _;

use crate::path::Short;
use crate::text::{MONO, SANS};
use crate::xml::{Attribute, Text};
use crate::{Face, Path};

pub(crate) use marks::LEADING;

/// From the middle of a line of text down to its baseline, in multiples of the font size.
const BASELINE: f64 = 0.35;

/// How text is set.
#[derive(Clone, Copy)]
pub struct Font {
    /// In pixels.
    pub size: f64,
    /// Its colour.
    pub colour: &'static str,
    /// Whether all characters are equally wide.
    pub mono: bool,
    /// Whether it is bold.
    pub bold: bool,
}

impl Font {
    /// A sans-serif font.
    #[must_use]
    pub const fn sans(size: f64, colour: &'static str) -> Font {
        Font { size, colour, mono: false, bold: false }
    }

    /// A fixed-width font.
    #[must_use]
    pub const fn mono(size: f64, colour: &'static str) -> Font {
        Font { size, colour, mono: true, bold: false }
    }

    /// The same, bold.
    #[must_use]
    pub const fn bold(self) -> Font {
        Font { bold: true, ..self }
    }

    pub(crate) fn of(face: Face, size: f64, colour: &'static str) -> Font {
        Font { size, colour, mono: face == Face::Mono, bold: face == Face::Strong }
    }
}

/// Where text is, seen from its point.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Centred on it.
    Middle,
    /// To the left of it.
    End,
}

/// How outlines and lines are drawn.
#[derive(Clone, Copy)]
pub struct Ink {
    /// The colour of the line.
    pub line: &'static str,
    /// The colour inside.
    pub fill: &'static str,
    /// The width of the line; 0 for none.
    pub width: f64,
    /// The pattern of dashes, as SVG writes it; empty if there are none.
    pub dash: &'static str,
}

impl Ink {
    /// A line of this colour and width.
    #[must_use]
    pub const fn line(colour: &'static str, width: f64) -> Ink {
        Ink { line: colour, fill: "none", width, dash: "" }
    }

    /// An area of this colour without a line around it.
    #[must_use]
    pub const fn area(colour: &'static str) -> Ink {
        Ink { line: "none", fill: colour, width: 0.0, dash: "" }
    }

    /// The same, filled.
    #[must_use]
    pub const fn filled(self, fill: &'static str) -> Ink {
        Ink { fill, ..self }
    }

    /// The same, dashed.
    #[must_use]
    pub const fn dashed(self, dash: &'static str) -> Ink {
        Ink { dash, ..self }
    }
}

/// A picture under way.
pub struct Sheet {
    out: String,
}

impl Sheet {
    /// An empty sheet of the given size.
    pub fn new(width: f64, height: f64, title: &str) -> Sheet {
        let (width, height) = (Short(width.ceil()), Short(height.ceil()));
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{SANS}\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            Text(title)
        );
        Sheet { out }
    }

    /// Begins a group that is called `class` in style sheets and says `title`, unless it is empty, when
    /// pointed at.
    pub fn begin(&mut self, class: &str, title: &str) {
        let _ = write!(self.out, "<g class=\"{}\">", Attribute(class));
        self.title(title);
        self.out.push('\n');
    }

    /// Begins a group whose origin is elsewhere.
    pub(crate) fn begin_at(&mut self, x: f64, y: f64) {
        let _ = writeln!(self.out, "<g transform=\"translate({} {})\">", Short(x), Short(y));
    }

    /// Ends the group.
    pub fn end(&mut self) {
        self.out.push_str("</g>\n");
    }

    fn title(&mut self, title: &str) {
        if !title.is_empty() {
            let _ = write!(self.out, "<title>{}</title>", Text(title));
        }
    }

    /// A line of text around the height `y`.
    pub fn text(&mut self, x: f64, y: f64, font: Font, anchor: Anchor, text: &str) {
        self.cut_text([x, y], font, anchor, text, usize::MAX);
    }

    /// A line of text of which at most `most` characters are shown. If that is not all of it, all of it
    /// is said when pointed at.
    pub fn cut_text(&mut self, at: [f64; 2], font: Font, anchor: Anchor, text: &str, most: usize) {
        let place = format!("x=\"{}\" y=\"{}\"", Short(at[0]), Short(at[1] + BASELINE * font.size));
        self.text_at(&place, font, anchor, (text, most));
    }

    /// A line of text read from below, around `x`.
    pub fn upright_text(&mut self, x: f64, y: f64, font: Font, text: &str) {
        let (x, y) = (Short(x + BASELINE * font.size), Short(y));
        let place = format!("transform=\"translate({x} {y}) rotate(-90)\"");
        self.text_at(&place, font, Anchor::Middle, (text, usize::MAX));
    }

    fn text_at(&mut self, place: &str, font: Font, anchor: Anchor, (text, most): (&str, usize)) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (size, colour) = (Short(font.size), font.colour);
        let _ = write!(
            self.out,
            "<text {place} font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{anchor}\""
        );
        if font.mono {
            let _ = write!(self.out, " font-family=\"{MONO}\"");
        }
        if font.bold {
            self.out.push_str(" font-weight=\"bold\"");
        }
        self.out.push('>');
        let shown = crate::text::cut(text, most);
        if shown != text {
            self.title(text);
        }
        let _ = writeln!(self.out, "{}</text>", Text(&with_blanks_kept(&shown)));
    }

    /// A path.
    pub fn path(&mut self, path: &Path, ink: Ink) {
        let _ = write!(self.out, "<path d=\"{path}\"");
        self.ink(ink);
    }

    /// A rectangle by its corner and size, with corners of the given radius.
    pub fn rectangle(&mut self, [x, y, width, height]: [f64; 4], radius: f64, ink: Ink) {
        let [x, y, width, height] = [x, y, width, height].map(Short);
        let _ = write!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"",
            Short(radius)
        );
        self.ink(ink);
    }

    /// An ellipse by its centre and radii.
    pub fn ellipse(&mut self, [x, y, rx, ry]: [f64; 4], ink: Ink) {
        let [x, y, rx, ry] = [x, y, rx, ry].map(Short);
        let _ = write!(self.out, "<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"");
        self.ink(ink);
    }

    fn ink(&mut self, ink: Ink) {
        let _ = write!(self.out, " fill=\"{}\"", ink.fill);
        if ink.width > 0.0 {
            let width = Short(ink.width);
            let _ = write!(self.out, " stroke=\"{}\" stroke-width=\"{width}\"", ink.line);
        }
        if !ink.dash.is_empty() {
            let _ = write!(self.out, " stroke-dasharray=\"{}\"", ink.dash);
        }
        self.out.push_str("/>\n");
    }

    /// The document.
    pub fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

/// White space other than a single blank between words is folded in pictures; it becomes blanks that are not.
fn with_blanks_kept(text: &str) -> String {
    let mut blank_before = true;
    let kept = |c: char| {
        let blank = matches!(c, ' ' | '\t' | '\n' | '\r');
        let folded = std::mem::replace(&mut blank_before, blank);
        match (blank, folded) {
            (true, true) => '\u{a0}',
            (true, false) => ' ',
            _ => c,
        }
    };
    text.chars().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::INK;

    #[test]
    fn text_is_escaped_and_keeps_its_blanks() {
        let mut sheet = Sheet::new(10.0, 10.0, "a<b");
        sheet.text(0.0, 0.0, Font::sans(10.0, INK), Anchor::Start, "\u{1}&]]>  b");
        let svg = sheet.finish();
        assert!(svg.contains("<title>a&lt;b</title>"));
        assert!(svg.contains(">\u{fffd}&amp;]]&gt; \u{a0}b</text>"), "{svg}");
    }

    #[test]
    fn what_is_cut_is_said_in_full_when_pointed_at() {
        let mut sheet = Sheet::new(10.0, 10.0, "");
        let font = Font::sans(10.0, INK);
        sheet.cut_text([0.0, 0.0], font, Anchor::Start, "abcdef", 4);
        sheet.cut_text([0.0, 0.0], font, Anchor::Start, "abcd", 4);
        let svg = sheet.finish();
        assert!(svg.contains("><title>abcdef</title>abc…</text>"), "{svg}");
        assert!(svg.contains(">abcd</text>"), "{svg}");
    }
}
