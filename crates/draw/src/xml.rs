//! Text inside XML documents.
//!
//! Both forms are read back as they were written, white space included. What no XML 1.0 document can hold
//! (control characters, U+FFFE, U+FFFF) becomes U+FFFD.
//!
//! ```
//! use draw::xml::{Attribute, Text};
//! assert_eq!(format!("<p q=\"{}\">{}</p>", Attribute("\"\n"), Text("a < b")), "<p q=\"&quot;&#10;\">a &lt; b</p>");
//! ```

use std::fmt::{self, Display, Formatter, Write};

/// Text between tags.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a>(pub &'a str);

/// The value of an attribute, without the quotation marks around it, which may be single or double.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a>(pub &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| write_char(c, f))
    }
}

impl Display for Attribute<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            // A reader turns white space in attributes into blanks.
            '\n' => f.write_str("&#10;"),
            '\t' => f.write_str("&#9;"),
            _ => write_char(c, f),
        })
    }
}

fn write_char(c: char, f: &mut Formatter<'_>) -> fmt::Result {
    match c {
        '&' => f.write_str("&amp;"),
        '<' => f.write_str("&lt;"),
        '>' => f.write_str("&gt;"),
        // A reader turns it into a line feed.
        '\r' => f.write_str("&#13;"),
        '\n' | '\t' => f.write_char(c),
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}'),
        _ => f.write_char(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_is_escaped() {
        assert_eq!(Text("a<b & \"c\">'d']]>").to_string(), "a&lt;b &amp; \"c\"&gt;'d']]&gt;");
        assert_eq!(Attribute("<\"'&").to_string(), "&lt;&quot;&#39;&amp;");
    }

    #[test]
    fn white_space_is_kept_and_what_cannot_be_held_is_replaced() {
        assert_eq!(Text("\t\r\n").to_string(), "\t&#13;\n");
        assert_eq!(Attribute("\t\r\n").to_string(), "&#9;&#13;&#10;");
        assert_eq!(Text("\0\u{1b}\u{ffff}ü").to_string(), "\u{fffd}\u{fffd}\u{fffd}ü");
    }
}
