//! Arrays that grow, of which the first elements may be on disk.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::slice;

use super::Pages;
use crate::{StateId, growth};

/// The elements that are written at a time.
const PIECE: usize = 1 << 13;

/// What can be an element.
pub(crate) trait Cell: Copy {
    /// The bytes that one takes on disk.
    const SIZE: usize;

    /// Appends its bytes.
    fn write(self, bytes: &mut Vec<u8>);

    /// Reads what was written.
    fn read(bytes: &[u8]) -> Self;
}

impl Cell for u64 {
    const SIZE: usize = 8;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }

    #[inline]
    fn read(bytes: &[u8]) -> Self {
        bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}

impl Cell for (StateId, u32) {
    const SIZE: usize = 8;

    fn write(self, bytes: &mut Vec<u8>) {
        (u64::from(self.0.0) << 32 | u64::from(self.1)).write(bytes);
    }

    #[inline]
    fn read(bytes: &[u8]) -> Self {
        let word = u64::read(bytes);
        (StateId((word >> 32) as u32), word as u32)
    }
}

/// An array that grows.
#[derive(Debug)]
pub(crate) struct Column<T> {
    /// Those that come after what is on disk.
    held: Vec<T>,
    /// The number of those on disk.
    before: usize,
    pages: Option<Pages>,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Column { held: Vec::new(), before: 0, pages: None }
    }
}

impl<T: Cell> Column<T> {
    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.before + self.held.len()
    }

    /// Appends an element.
    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        growth::push(&mut self.held, value);
    }

    /// Appends elements.
    pub(crate) fn extend(&mut self, values: &[T]) {
        growth::extend(&mut self.held, values);
    }

    /// An element.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> T {
        match at.checked_sub(self.before) {
            Some(at) => self.held[at],
            None => T::read(self.bytes(at..at + 1)),
        }
    }

    /// Some elements, which are all on disk or all in memory.
    #[inline]
    pub(crate) fn cells(&self, range: Range<usize>) -> Cells<'_, T> {
        match range.start.checked_sub(self.before) {
            Some(start) => Cells::Held(self.held[start..range.end - self.before].iter()),
            None => Cells::Paged(self.bytes(range).chunks_exact(T::SIZE)),
        }
    }

    fn bytes(&self, range: Range<usize>) -> &[u8] {
        let pages = self.pages.as_ref().expect("there are elements on disk");
        let [start, end] = [range.start, range.end].map(|at| (at * T::SIZE) as u64);
        pages.get(start..end)
    }

    /// Puts all elements on disk: into this directory, unless they are there already. In case of an error they stay
    /// in memory.
    pub(crate) fn spill(&mut self, directory: &Path, most_mapped: u64) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        let pages = match &mut self.pages {
            Some(pages) => pages,
            none => none.insert(Pages::create(directory, most_mapped)?),
        };
        let held = &self.held;
        pages.append(|to| {
            let mut bytes = Vec::with_capacity(PIECE * T::SIZE);
            held.chunks(PIECE).try_for_each(|piece| {
                bytes.clear();
                piece.iter().for_each(|value| value.write(&mut bytes));
                to.write_all(&bytes)
            })
        })?;
        self.before += self.held.len();
        self.held = Vec::new();
        Ok(())
    }

    /// The bytes in memory, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        growth::allocated(&self.held)
    }

    /// The bytes on disk.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.pages.as_ref().map_or(0, Pages::len)
    }
}

/// Elements one after the other.
#[derive(Clone, Debug)]
pub(crate) enum Cells<'c, T> {
    /// In memory.
    Held(slice::Iter<'c, T>),
    /// On disk.
    Paged(slice::ChunksExact<'c, u8>),
}

impl<T: Cell> Iterator for Cells<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Cells::Held(values) => values.next().copied(),
            Cells::Paged(chunks) => chunks.next().map(T::read),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Cells::Held(values) => values.size_hint(),
            Cells::Paged(chunks) => chunks.size_hint(),
        }
    }
}

impl<T: Cell> ExactSizeIterator for Cells<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_the_same_wherever_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let mut column = Column::default();
        let step = |at: u32| (StateId(at.wrapping_mul(0x9E37_79B9)), !at);
        for at in 0..100_000 {
            column.push(step(at));
            if at % 17_000 == 16_999 {
                column.spill(folder.path(), 1 << 20).unwrap();
                assert_eq!(column.allocated_bytes(), 0);
            }
        }
        column.extend(&[step(100_000), step(100_001)]);
        assert_eq!((column.len(), column.disk_bytes()), (100_002, 8 * 85_000));
        assert!((0..100_002).all(|at| column.get(at as usize) == step(at)));
        for range in [0..5, 16_990..17_010, 84_000..85_000, 85_000..85_000, 99_000..100_002] {
            let cells = column.cells(range.clone());
            assert_eq!(cells.len(), range.len());
            assert!(cells.eq(range.map(|at| step(at as u32))));
        }
    }
}
