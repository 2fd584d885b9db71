//! How wide text is, how it is cut, and how it is written into Graphviz files.
//!
//! A picture is laid out before any font is known. Widths are therefore estimated by character
//! class, for the wider of the common sans-serif fonts (DejaVu Sans and Verdana), so that text set
//! in a narrower one leaves a little air and never leaves its box. Cost: linear in the text.

use std::borrow::Cow;

pub(super) use super::Face;

/// The fonts asked for, widest first.
pub(super) const SANS: &str = "DejaVu Sans, Verdana, Geneva, Arial, sans-serif";
/// The fixed-width fonts asked for; all of them have an advance of about 0.6 em.
pub(super) const MONO: &str = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace";

/// The width of a line in a fixed-width font of this size.
#[must_use]
pub fn mono_width(text: &str, size: f64) -> f64 {
    size * width(Face::Mono, text)
}

/// At most this many characters of a text; the last is `…` if that is not all of it.
#[must_use]
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_none() {
        return text.into();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    (start + "…").into()
}

/// The estimated width of one line, in multiples of the font size.
pub(super) fn width(face: Face, text: &str) -> f64 {
    text.chars()
        .map(|c| match face {
            Face::Plain => advance(c),
            Face::Strong => advance(c) * 1.12,
            Face::Mono if is_square(c) => 1.204,
            Face::Mono if is_combining(c) => 0.0,
            Face::Mono => 0.602,
        })
        .sum()
}

/// Combining marks and joiners take no room of their own.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}')
}

/// East Asian scripts and pictographs are as wide as high.
fn is_square(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{1f000}'..='\u{3fffd}')
}

/// The advance of a character in a wide sans-serif font, in multiples of the font size.
fn advance(c: char) -> f64 {
    match c {
        _ if is_combining(c) => 0.0,
        _ if is_square(c) => 1.0,
        'i' | 'j' | 'l' | '\'' | 'I' => 0.30,
        ' ' | '.' | ',' | '\u{a0}' => 0.33,
        'f' | 't' | 'r' | ':' | ';' | '|' | '/' | '\\' | '!' | '-' => 0.40,
        '(' | ')' | '[' | ']' | '`' => 0.40,
        '"' => 0.46,
        's' | 'c' | 'z' | '?' | '*' | '_' => 0.55,
        'k' | 'v' | 'x' | 'y' => 0.60,
        'J' | 'L' | 'F' => 0.59,
        'm' => 0.98,
        'w' => 0.82,
        'a'..='z' | '0'..='9' | '$' | '{' | '}' => 0.64,
        'M' | 'W' | '@' | '%' => 1.0,
        'G' | 'N' | 'O' | 'Q' | 'H' | 'D' | '&' => 0.79,
        'A'..='Z' => 0.70,
        '+' | '=' | '<' | '>' | '~' | '^' | '#' => 0.84,
        '\u{80}'..='\u{24f}' => 0.66,
        'α'..='ω' => 0.66,
        // Arrows and mathematical operators.
        '\u{2190}'..='\u{22ff}' => 0.86,
        _ => 0.75,
    }
}

/// Writes `text` as the inside of a quoted Graphviz string that is shown as it stands.
///
/// Graphviz gives meaning to backslashes (`\N`, `\G`, line breaks) and, in labels, to XML entities.
pub(super) fn graphviz(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            '\n' => out.push_str("\\n"),
            '\t' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = String::new();
        graphviz(text, &mut out);
        out
    }

    #[test]
    fn graphviz_is_escaped() {
        assert_eq!(written(r#"say "\N" &lt;"#), r#"say \"\\N\" &amp;lt;"#);
        assert_eq!(written("a\nb\\"), "a\\nb\\\\");
    }

    #[test]
    fn widths_follow_the_characters() {
        assert_eq!(width(Face::Plain, ""), 0.0);
        assert!(width(Face::Plain, "iii") < width(Face::Plain, "nnn"));
        assert!(width(Face::Plain, "nnn") < width(Face::Plain, "MMM"));
        assert!(width(Face::Strong, "name") > width(Face::Plain, "name"));
        assert_eq!(width(Face::Mono, "iii"), width(Face::Mono, "MMM"));
        assert!(width(Face::Plain, "e\u{301}") == width(Face::Plain, "e"));
    }
}
