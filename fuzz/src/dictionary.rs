//! Words that mutation puts in, in libFuzzer's format: one in quotes on each line, bytes as `\xAB`.

use crate::mutate::Syntax;

/// The words of a syntax.
pub(crate) fn words(syntax: Syntax) -> Vec<Vec<u8>> {
    let text = match syntax {
        Syntax::Kin => include_str!("../dictionaries/kin.dict"),
        Syntax::Xml => include_str!("../dictionaries/xml.dict"),
        Syntax::Json => include_str!("../dictionaries/json.dict"),
    };
    text.lines().filter(|line| line.starts_with('"')).map(word).collect()
}

fn word(line: &str) -> Vec<u8> {
    let inside = line.trim_end().strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    let mut rest = inside.expect("a word in quotes").as_bytes();
    let mut word = Vec::new();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'\\', [b'x', digits @ ..]) => {
                let hex = str::from_utf8(&digits[..2]).expect("two digits");
                word.push(u8::from_str_radix(hex, 16).expect("two digits"));
                rest = &digits[2..];
            }
            (b'\\', [escaped, after @ ..]) => {
                word.push(*escaped);
                rest = after;
            }
            (&byte, _) => word.push(byte),
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unescaped() {
        assert_eq!(word(r#""a\"\\b\xff\x00""#), b"a\"\\b\xff\0");
        for syntax in [Syntax::Kin, Syntax::Xml, Syntax::Json] {
            assert!(words(syntax).len() > 10);
        }
    }
}
