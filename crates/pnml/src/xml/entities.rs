//! Characters: which are allowed, what references stand for, and how lines end.

use std::borrow::Cow;

/// The first character that XML 1.0 does not allow (section 2.2), by its offset. One pass over bytes.
pub(super) fn forbidden(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // Control characters besides tab and line ends, and U+FFFE, U+FFFF (EF BF BE, EF BF BF).
    bytes.iter().enumerate().position(|(at, &byte)| match byte {
        b'\t' | b'\n' | b'\r' => false,
        0..0x20 => true,
        0xEF => matches!(bytes.get(at + 1..at + 3), Some([0xBF, 0xBE | 0xBF])),
        _ => false,
    })
}

fn is_allowed(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

/// The character of a reference, given without `&` and `;`.
pub(super) fn resolve(name: &str) -> Option<char> {
    let number = |digits: &str, radix| {
        // Signs are no digits.
        let plain = digits.chars().all(|c| c.is_digit(radix));
        let code = u32::from_str_radix(digits, radix).ok().filter(|_| plain)?;
        char::from_u32(code).filter(|&c| is_allowed(c))
    };
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match name.strip_prefix('#')? {
            hex if hex.starts_with('x') => number(&hex[1..], 16),
            digits => number(digits, 10),
        },
    }
}

/// Characters put together from pieces; borrowed as long as there is one, with nothing to change.
#[derive(Default)]
pub(super) struct Content<'t> {
    first: &'t str,
    rest: String,
}

impl<'t> Content<'t> {
    /// Adds text. Lines end with one line feed, however they end in the file (XML 1.0, section 2.11).
    pub(super) fn push(&mut self, text: &'t str) {
        let plain = !text.contains('\r');
        if plain && self.first.is_empty() && self.rest.is_empty() {
            self.first = text;
            return;
        }
        self.own();
        if plain {
            self.rest.push_str(text);
        } else {
            self.rest.push_str(&text.replace("\r\n", "\n").replace('\r', "\n"));
        }
    }

    pub(super) fn push_char(&mut self, c: char) {
        self.own();
        self.rest.push(c);
    }

    fn own(&mut self) {
        if self.rest.is_empty() {
            self.rest.push_str(self.first);
        }
    }

    pub(super) fn finish(self) -> Cow<'t, str> {
        if self.rest.is_empty() { Cow::Borrowed(self.first) } else { Cow::Owned(self.rest) }
    }
}

/// The value of an attribute as it stands between its quotes: references resolved, blanks made spaces
/// (XML 1.0, section 3.3.3). The name of a reference that stands for nothing is the error.
pub(super) fn attribute_value(raw: &str) -> Result<Cow<'_, str>, &str> {
    if !raw.contains(['&', '\t', '\n', '\r']) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut value = String::with_capacity(raw.len());
    let mut left = raw;
    while let Some(at) = left.find(['&', '\t', '\n', '\r']) {
        value.push_str(&left[..at]);
        left = &left[at..];
        if let Some(reference) = left.strip_prefix('&') {
            let end = reference.find(';').unwrap_or(reference.len());
            let name = &reference[..end];
            value.push(resolve(name).ok_or(name)?);
            left = reference.get(end + 1..).unwrap_or_default();
        } else {
            let blank = if left.starts_with("\r\n") { 2 } else { 1 };
            value.push(' ');
            left = &left[blank..];
        }
    }
    value.push_str(left);
    Ok(Cow::Owned(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        assert_eq!(resolve("lt"), Some('<'));
        assert_eq!(resolve("#233"), Some('é'));
        assert_eq!(resolve("#xE9"), Some('é'));
        for name in ["", "nbsp", "#", "#x", "#0", "#+9", "#xD800", "#x110000", "#99999999999"] {
            assert_eq!(resolve(name), None, "{name}");
        }
    }

    #[test]
    fn attributes_are_normalised() {
        assert_eq!(attribute_value("plain"), Ok(Cow::Borrowed("plain")));
        assert_eq!(attribute_value("a&amp;b\r\nc\td").as_deref(), Ok("a&b c d"));
        assert_eq!(attribute_value("&#10;").as_deref(), Ok("\n"));
        assert_eq!(attribute_value("a&nbsp;b"), Err("nbsp"));
        assert_eq!(attribute_value("a&amp"), Ok("a&".into()));
    }

    #[test]
    fn what_is_forbidden_is_found_where_it_stands() {
        assert_eq!(forbidden("<a>\té\r\n</a>"), None);
        assert_eq!(forbidden("ab\0"), Some(2));
        assert_eq!(forbidden("é\u{1b}"), Some(2));
        assert_eq!(forbidden("a\u{FFFF}"), Some(1));
        assert_eq!(forbidden("a\u{FFFD}"), None);
    }
}
