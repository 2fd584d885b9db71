//! What the parts of an XML text are, for those who show it in colours: tags, attributes, values, comments. It is
//! looked at as it stands, so that a text with mistakes is highlighted as well. Linear.

use std::ops::Range;

/// The parts of a text in their order: where, in bytes, and what.
pub(crate) fn highlight(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('<').map(|found| at + found) {
        let rest = &text[open..];
        let whole = |end: Option<usize>, length: usize| {
            open + end.map_or(rest.len(), |found| found + length)
        };
        at = if rest.starts_with("<!--") {
            let end = whole(rest.find("-->"), 3);
            found.push((open..end, "comment"));
            end
        } else if rest.starts_with("<![CDATA[") {
            let end = whole(rest.find("]]>"), 3);
            found.push((open..end, "string"));
            end
        } else if rest.starts_with("<?") || rest.starts_with("<!") {
            let end = whole(rest.find('>'), 1);
            found.push((open..end, "comment"));
            end
        } else {
            tag(text, open, &mut found)
        };
    }
    found
}

/// Looks at a tag, and gives where it ends.
fn tag(text: &str, open: usize, found: &mut Vec<(Range<usize>, &'static str)>) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
    let mut at = open + 1;
    let mut kind = "keyword";
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match next {
            '>' => return at + 1,
            '<' => return at,
            '"' | '\'' => {
                let length = rest[1..].find(next).map_or(rest.len(), |end| end + 2);
                found.push((at..at + length, "string"));
                length
            }
            _ if is_name(next) => {
                let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                found.push((at..at + length, kind));
                kind = "name";
                length
            }
            _ => next.len_utf8(),
        };
        at += length;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::highlight;

    #[test]
    fn tags_attributes_values_and_comments() {
        let text = "<?xml version='1.0'?><a:b id=\"é>\"><!-- <x> -->x</a:b>";
        let found: Vec<(&str, &str)> =
            highlight(text).into_iter().map(|(span, kind)| (&text[span], kind)).collect();
        let expected = [
            ("<?xml version='1.0'?>", "comment"),
            ("a:b", "keyword"),
            ("id", "name"),
            ("\"é>\"", "string"),
            ("<!-- <x> -->", "comment"),
            ("a:b", "keyword"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_does_not_end_ends_with_the_text() {
        for text in ["<", "<a", "<a b='", "<!-- x", "<![CDATA[", "<?", "<a <b", "<é'"] {
            let found = highlight(text);
            assert!(found.iter().all(|(span, _)| span.end <= text.len()), "{text}");
        }
    }
}
