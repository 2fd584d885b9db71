//! Lines and columns of a text, from 1; columns count characters.

use std::ops::Range;

use serde_json::{Value as Json, json};

/// Where the lines of a text begin: each position is then found without reading what is before it.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// From a place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) start: (usize, usize),
    pub(crate) end: (usize, usize),
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Lines<'t> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// Line and column of a byte.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        (line, self.text[start..offset].chars().count() + 1)
    }

    /// From where to where these bytes are.
    pub(crate) fn stretch(&self, range: Range<usize>) -> Stretch {
        let start = self.position(range.start);
        Stretch { start, end: self.position(range.end.max(range.start)) }
    }

    /// These bytes line by line: line, column, number of characters. Ends of lines are left out.
    pub(crate) fn parts(&self, range: Range<usize>) -> Vec<(usize, usize, usize)> {
        let mut parts = Vec::new();
        let mut start = range.start;
        for piece in self.text[range].split_inclusive('\n') {
            let (line, column) = self.position(start);
            let shown = piece.trim_end_matches(['\n', '\r']).chars().count();
            if shown > 0 {
                parts.push((line, column, shown));
            }
            start += piece.len();
        }
        parts
    }
}

impl Stretch {
    pub(crate) fn to_json(self) -> Json {
        let Stretch { start: (line, column), end: (end_line, end_column) } = self;
        json!({ "line": line, "column": column, "end_line": end_line, "end_column": end_column })
    }
}
