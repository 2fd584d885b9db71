//! Stretches of the text, in bytes.

use std::ops::Range;

/// A stretch of the text. Files are limited to far less than 4 GiB, so 32 bits are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn new(range: Range<usize>) -> Span {
        let narrow = |n: usize| u32::try_from(n).expect("the size of a file is checked first");
        Span { start: narrow(range.start), end: narrow(range.end) }
    }

    /// From the start of this one to the end of the other.
    pub(crate) fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn text(self, source: &str) -> &str {
        &source[self.range()]
    }
}
