//! Characters: which are allowed, what references stand for, and how lines end.

use std::borrow::Cow;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::BytesRef;

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

/// The character of a reference, given without `&` and `;`.
pub(super) fn resolve(name: &str) -> Option<char> {
    let character = match resolve_predefined_entity(name) {
        Some(text) => text.chars().next(),
        None => BytesRef::new(name).resolve_char_ref().ok().flatten(),
    };
    character.filter(|c| forbidden(c.encode_utf8(&mut [0; 4])).is_none())
}

/// Text with lines that end with one line feed, however they end in the file (XML 1.0, section 2.11).
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    }
}

/// The value of an attribute as it stands between its quotes: references resolved, blanks made spaces
/// (XML 1.0, section 3.3.3). The name of a reference that stands for nothing is the error.
pub(super) fn attribute_value(raw: &str) -> Result<Cow<'_, str>, &str> {
    if !raw.contains(['&', '\t', '\n', '\r']) {
        return Ok(Cow::Borrowed(raw));
    }
    let spaced = |text: &str| text.replace("\r\n", " ").replace(['\t', '\n', '\r'], " ");
    let mut pieces = raw.split('&');
    let mut value = pieces.next().map(spaced).unwrap_or_default();
    for piece in pieces {
        let (name, rest) = piece.split_once(';').unwrap_or((piece, ""));
        value.push(resolve(name).ok_or(name)?);
        value.push_str(&spaced(rest));
    }
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
