//! Where something is written.

use std::ops::Range;

/// The bytes of the text that something was read from.
///
/// Any two compare equal: nets are equal if they say the same, wherever they say it. Of what was not read
/// nothing is known.
#[derive(Clone, Copy, Default)]
pub struct Origin {
    start: u32,
    end: u32,
}

impl Origin {
    /// These bytes. Where a text is longer than 4 GiB, nothing is known.
    #[must_use]
    pub fn new(range: Range<usize>) -> Origin {
        match (u32::try_from(range.start), u32::try_from(range.end)) {
            (Ok(start), Ok(end)) => Origin { start, end },
            _ => Origin::default(),
        }
    }

    /// The bytes, if they are known.
    #[must_use]
    pub fn range(self) -> Option<Range<usize>> {
        (self.start < self.end).then_some(self.start as usize..self.end as usize)
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl std::fmt::Debug for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
