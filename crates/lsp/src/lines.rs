//! Lines of a text, and positions as clients count them: from 0, in units of UTF-16 unless something else was agreed.
//!
//! A line ends with `\n`, `\r\n` or `\r`. A position past the end of a line means its end, and one within a character
//! its start, so that every position is a place in the text. Costs the logarithm of the number of lines and the length
//! of one.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind};

/// What columns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// The one to use with a client that offers these: what costs least.
    pub(crate) fn agreed(offered: &[PositionEncodingKind]) -> Encoding {
        if offered.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
        }
    }

    /// How many units a stretch of text has.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => text.chars().map(|c| self.units(c)).sum(),
        }
    }
}

/// Where the lines of a text start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// The first is 0.
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Lines {
        let mut starts = vec![0];
        starts.extend(breaks(text.as_bytes(), 0));
        Lines { starts }
    }

    /// Some bytes were replaced: `text` is what there is now, and `new` where in it the new ones are.
    pub(crate) fn replaced(&mut self, text: &str, old: Range<usize>, new: Range<usize>) {
        // A line break of two characters may have been made or broken at either end.
        let first = old.start.saturating_sub(1);
        let from = self.starts.partition_point(|start| *start <= first);
        let to = self.starts.partition_point(|start| *start <= old.end + 1);
        let end = (new.end + 1).min(text.len());
        let found: Vec<usize> = breaks(&text.as_bytes()[..end], first)
            .filter(|start| *start > first && *start <= new.end + 1)
            .filter(|start| !is_within_break(text, *start))
            .collect();
        let behind = self.starts[to.max(from)..].iter();
        let behind: Vec<usize> = behind.map(|start| start - old.end + new.end).collect();
        self.starts.truncate(from);
        self.starts.extend(found);
        self.starts.extend(behind);
    }

    /// Where a line is, without its line break.
    pub(crate) fn line(&self, text: &str, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else { return text.len()..text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        start..start + text[start..end].trim_end_matches(['\r', '\n']).len()
    }

    /// The line that a byte is in.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// The byte at a position.
    pub(crate) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = self.line(text, position.line as usize);
        let wanted = position.character as usize;
        let own = &text[line.clone()];
        if encoding == Encoding::Utf8 || own.is_ascii() {
            return line.start + own.floor_char_boundary(wanted.min(own.len()));
        }
        let mut units = 0;
        for (at, c) in own.char_indices() {
            units += encoding.units(c);
            if units > wanted {
                return line.start + at;
            }
        }
        line.end
    }

    /// The position of a byte.
    pub(crate) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let line = self.line_of(offset);
        let before = &text[self.starts[line]..offset];
        Position::new(line as u32, encoding.length(before) as u32)
    }

    /// The range of a stretch of bytes.
    pub(crate) fn range(
        &self,
        text: &str,
        bytes: Range<usize>,
        encoding: Encoding,
    ) -> lsp_types::Range {
        let start = self.position(text, bytes.start, encoding);
        lsp_types::Range::new(start, self.position(text, bytes.end, encoding))
    }
}

/// Where lines start after the byte `from`.
fn breaks(bytes: &[u8], from: usize) -> impl Iterator<Item = usize> + '_ {
    (from..bytes.len()).filter_map(move |at| match bytes[at] {
        b'\n' => Some(at + 1),
        b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
        _ => None,
    })
}

/// Whether a byte is between the two characters of a line break.
fn is_within_break(text: &str, at: usize) -> bool {
    at > 0 && text.as_bytes()[at - 1] == b'\r' && text.as_bytes().get(at) == Some(&b'\n')
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::*;

    #[test]
    fn positions_count_units_of_the_encoding() {
        let text = "a\u{e9}\u{1f600}b\r\nc\rd";
        let lines = Lines::of(text);
        assert_eq!(lines.starts.len(), 3);
        for (encoding, column) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4)] {
            let at = text.find('b').unwrap();
            assert_eq!(lines.position(text, at, encoding), Position::new(0, column));
            assert_eq!(lines.offset(text, Position::new(0, column), encoding), at);
            let past = lines.offset(text, Position::new(0, 99), encoding);
            assert_eq!(&text[past..], "\r\nc\rd");
            assert_eq!(lines.offset(text, Position::new(9, 9), encoding), text.len());
        }
        let within = lines.offset(text, Position::new(0, 3), Encoding::Utf16);
        assert_eq!(&text[within..within + 4], "\u{1f600}", "within a character");
    }

    #[test]
    fn lines_are_kept_through_edits() {
        for seed in 0..3000_u64 {
            let mut random = Random::new(seed);
            let mut text = String::new();
            let mut lines = Lines::of(&text);
            for _ in 0..12 {
                let at = |random: &mut Random, text: &str| {
                    text.floor_char_boundary(random.below(text.len() + 1))
                };
                let (a, b) = (at(&mut random, &text), at(&mut random, &text));
                let old = a.min(b)..a.max(b);
                let length = random.below(5_usize);
                let new: String =
                    (0..length).map(|_| *random.pick(&['\r', '\n', 'x', '\u{e9}'])).collect();
                text.replace_range(old.clone(), &new);
                lines.replaced(&text, old.clone(), old.start..old.start + new.len());
                assert_eq!(lines, Lines::of(&text), "seed {seed}: {text:?}");
            }
        }
    }
}
