//! Stretches of a text, in bytes.

use std::fmt;
use std::ops::Range;

/// A stretch of the text, in bytes.
///
/// Any two spans compare equal, so that two syntax trees are equal if they say the same thing, wherever
/// they say it. Compare [`Span::range`] where the place matters. Front ends refuse texts of 4 GiB or more,
/// so 32 bits are enough. A node that was not read has the empty span at 0.
#[derive(Clone, Copy, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span of these bytes.
    ///
    /// # Panics
    ///
    /// If the text is 4 GiB long or longer.
    #[must_use]
    pub fn new(range: Range<usize>) -> Span {
        let narrow = |n: usize| u32::try_from(n).expect("the size of a text is checked first");
        Span { start: narrow(range.start), end: narrow(range.end) }
    }

    /// From the start of this one to the end of the other.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }

    /// The bytes meant.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// What stands there.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        &source[self.range()]
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
