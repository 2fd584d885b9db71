//! A sheet to draw on with given coordinates: what the pictures of three-layered graphs and the plots
//! of the experiment are made of. The result is one self-contained SVG document, without scripts, links
//! or identifiers. Any text is allowed; it is escaped.

use std::fmt::{self, Write as _};

/// The colour of text.
pub const INK: &str = "#16191d";

const SANS: &str = "DejaVu Sans, Verdana, Geneva, Arial, sans-serif";
const MONO: &str = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace";

/// The advance of a character of the fixed-width fonts, in multiples of the font size.
const ADVANCE: f64 = 0.602;

/// The width of a line in a fixed-width font.
pub fn mono_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * ADVANCE * size
}

/// A coordinate: at most two digits after the point.
pub struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 after rounding keeps −0 out.
        let text = format!("{:.2}", (self.0 * 100.0).round() / 100.0 + 0.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

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
    /// The width of the line.
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
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{SANS}\">\n<title>"
        );
        escaped(title, &mut out);
        out.push_str("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        Sheet { out }
    }

    /// Begins a group that is called `class` in style sheets and says `title` when pointed at.
    pub fn begin(&mut self, class: &str, title: &str) {
        let _ = write!(self.out, "<g class=\"{class}\"><title>");
        escaped(title, &mut self.out);
        self.out.push_str("</title>\n");
    }

    /// Ends the group.
    pub fn end(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// A line of text around the height `y`.
    pub fn text(&mut self, x: f64, y: f64, font: Font, anchor: Anchor, text: &str) {
        self.text_at(
            &format!("x=\"{}\" y=\"{}\"", Short(x), Short(y + 0.35 * font.size)),
            font,
            anchor,
            text,
        );
    }

    /// A line of text read from below, around `x`.
    pub fn upright_text(&mut self, x: f64, y: f64, font: Font, text: &str) {
        let (x, y) = (Short(x + 0.35 * font.size), Short(y));
        let place = format!("transform=\"translate({x} {y}) rotate(-90)\"");
        self.text_at(&place, font, Anchor::Middle, text);
    }

    fn text_at(&mut self, place: &str, font: Font, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = write!(
            self.out,
            "<text {place} font-size=\"{}\" fill=\"{}\" text-anchor=\"{anchor}\"",
            Short(font.size),
            font.colour
        );
        if font.mono {
            let _ = write!(self.out, " font-family=\"{MONO}\"");
        }
        if font.bold {
            self.out.push_str(" font-weight=\"bold\"");
        }
        self.out.push('>');
        escaped(text, &mut self.out);
        self.out.push_str("</text>\n");
    }

    /// A path in SVG's own words.
    pub fn path(&mut self, path: &str, ink: Ink) {
        let _ = write!(self.out, "<path d=\"{path}\"");
        self.ink(ink);
    }

    /// A rectangle by its corner and size, with corners of the given radius.
    pub fn rectangle(&mut self, [x, y, width, height]: [f64; 4], radius: f64, ink: Ink) {
        let _ = write!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"",
            Short(x),
            Short(y),
            Short(width),
            Short(height),
            Short(radius)
        );
        self.ink(ink);
    }

    /// An ellipse by its centre and radii.
    pub fn ellipse(&mut self, [x, y, rx, ry]: [f64; 4], ink: Ink) {
        let _ = write!(
            self.out,
            "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"",
            Short(x),
            Short(y),
            Short(rx),
            Short(ry)
        );
        self.ink(ink);
    }

    fn ink(&mut self, ink: Ink) {
        let _ = write!(self.out, " fill=\"{}\"", ink.fill);
        if ink.width > 0.0 {
            let _ =
                write!(self.out, " stroke=\"{}\" stroke-width=\"{}\"", ink.line, Short(ink.width));
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

/// Writes character data; what XML cannot hold becomes U+FFFD.
fn escaped(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let short = |x: f64| Short(x).to_string();
        assert_eq!(
            [short(1.0), short(0.125), short(-0.001), short(100.0)],
            ["1", "0.13", "0", "100"]
        );
    }

    #[test]
    fn text_is_escaped() {
        let mut sheet = Sheet::new(10.0, 10.0, "a<b");
        sheet.text(0.0, 0.0, Font::sans(10.0, INK), Anchor::Start, "\u{1}&]]>");
        let svg = sheet.finish();
        assert!(
            svg.contains("<title>a&lt;b</title>") && svg.contains(">\u{fffd}&amp;]]&gt;</text>")
        );
    }
}
