//! From bytes to text: which encoding a document is in.
//!
//! Documents are UTF-8 unless their first line says otherwise (XML 1.0, section 4.3.3). Besides UTF-8
//! and its part ASCII, ISO 8859-1 is read, since some of the contest's files are declared so: its bytes
//! are the first 256 characters of Unicode. Linear; copies only what is ISO 8859-1 and not ASCII.

use std::borrow::Cow;

use diagnostics::{Diagnostic, Report, Span};

/// The text of a document given as bytes.
///
/// # Errors
///
/// The encoding is none of UTF-8, ASCII and ISO 8859-1, or the bytes are not of the encoding that the
/// document says. The place is then given within the bytes.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Report> {
    text(bytes).map_err(|error| {
        let read = &bytes[..bytes.len().min(u32::MAX as usize)];
        Report::of(*error, &String::from_utf8_lossy(read))
    })
}

fn text(bytes: &[u8]) -> Result<Cow<'_, str>, Box<Diagnostic>> {
    let utf16 = [&[0xFE, 0xFF][..], &[0xFF, 0xFE], &[0, b'<'], &[b'<', 0]];
    if utf16.iter().any(|start| bytes.starts_with(start)) {
        return Err(unknown("UTF-16", Span::new(0..0)).into());
    }
    let (name, span) = declared(bytes).unwrap_or((b"UTF-8", Span::new(0..0)));
    let is = |names: &[&str]| names.iter().any(|n| name.eq_ignore_ascii_case(n.as_bytes()));
    if is(&["UTF-8", "UTF8", "US-ASCII", "ASCII"]) {
        return std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
            let at = error.valid_up_to().min(u32::MAX as usize - 1);
            Diagnostic::error("P0005", "this is not UTF-8")
                .at(Span::new(at..at), "")
                .help(
                    "if the file is ISO 8859-1, say so in its first line: encoding=\"ISO-8859-1\"",
                )
                .into()
        });
    }
    if is(&["ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1", "LATIN-1"]) {
        return Ok(match std::str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
        });
    }
    Err(unknown(&String::from_utf8_lossy(name), span).into())
}

fn unknown(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("P0005", format!("the encoding {name} is not read"))
        .at(span, "")
        .help("save the file as UTF-8, and let its first line say encoding=\"UTF-8\"")
}

/// What the XML declaration says of the encoding, and where.
fn declared(bytes: &[u8]) -> Option<(&[u8], Span)> {
    let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let declaration = bytes[start..].strip_prefix(b"<?xml")?;
    let length = declaration.iter().take(1000).position(|&byte| byte == b'>')?;
    let declaration = &declaration[..length];
    let key = b"encoding";
    let found = declaration.windows(key.len()).position(|window| window == key)? + key.len();
    let quote = found + declaration[found..].iter().position(|b| matches!(b, b'"' | b'\''))?;
    if declaration[found..quote].iter().any(|b| *b != b'=' && !b.is_ascii_whitespace()) {
        return None;
    }
    let value = &declaration[quote + 1..];
    let value = &value[..value.iter().position(|&byte| byte == declaration[quote])?];
    let at = start + 5 + quote + 1;
    Some((value, Span::new(at..at + value.len())))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn utf8_is_borrowed_and_latin1_translated() {
        assert_eq!(decode("<pnml é>".as_bytes()).unwrap(), "<pnml é>");
        let latin = b"<?xml version='1.0' encoding='iso-8859-1'?><a>\xE9</a>";
        assert!(decode(latin).unwrap().ends_with("<a>é</a>"));
    }

    #[test]
    fn other_encodings_are_refused_with_the_place() {
        for (bytes, column, message) in [
            (&b"\xFF\xFE<\0"[..], 1, "the encoding UTF-16 is not read"),
            (
                b"<?xml version='1.0' encoding=\"KOI8-R\"?><a/>",
                31,
                "the encoding KOI8-R is not read",
            ),
            (b"<a>\xE9</a>", 4, "this is not UTF-8"),
        ] {
            let errors = decode(bytes).unwrap_err();
            let error = errors.iter().next().unwrap();
            assert_eq!((error.code, error.column, &*error.message), ("P0005", column, message));
        }
    }
}
