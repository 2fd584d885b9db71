//! Where something stands in the text.

use std::fmt;
use std::ops::Range;

/// A stretch of the text, in bytes: of most nodes the start tag of their element.
///
/// Any two spans compare equal, so that two documents are equal if they say the same, wherever they say
/// it. Compare [`Span::range`] where the place matters. No text of 4 GiB or more is read, so 32 bits are
/// enough. A node that was not read has the empty span at 0.
#[derive(Clone, Copy, Default)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Span {
        let narrow = |n: usize| u32::try_from(n).expect("the size of the text is checked first");
        Span { start: narrow(start), end: narrow(end) }
    }

    /// The bytes meant.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Line and column of a byte of the text, from 1; columns count characters. An offset past the end, or
/// within a character, means the last place before it.
///
/// Costs the length of the text before the byte.
#[must_use]
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset)];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    (line, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "ab\né<x>";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, 2), (1, 3));
        assert_eq!(position(text, 3), (2, 1));
        assert_eq!(position(text, 4), (2, 1), "within a character");
        assert_eq!(position(text, 5), (2, 2));
        assert_eq!(position(text, 99), (2, 5));
    }
}
