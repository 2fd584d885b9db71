//! Byte strings one after the other, found again by their number.
//!
//! A record is the length of a string, a [`varint`], and the string. Records lie in chunks that never
//! move, so that growing copies nothing. A record lies in one chunk; one that is larger than a
//! chunk gets a chunk of its own. The start of record `i` is the number
//! `chunk << 20 | offset`, of which 32 bits are kept per record. Starts increase, so the upper bits
//! are known from the few numbers at which the lower ones started again from zero, once in
//! 4096 chunks, which is about 4 GiB.
//!
//! Cost: 4 bytes per string for its start (at most a quarter more as allocated), 1 per 7 bits of
//! its length; at the end of a chunk at most a sixteenth is unused. Reading is one access to the
//! starts and one to the chunk.
//!
//! The strings can be put on disk, where records lie one after the other. Then the starts of few are kept, a
//! quarter of a byte per string, and the records from there on are passed by their lengths.

use std::io;
use std::path::Path;

use super::Records;
use crate::disk::Pages;
use crate::{growth, varint};

const OFFSET_BITS: u32 = 20;
const CHUNK: usize = 1 << OFFSET_BITS;
/// The first chunks are smaller than the others, a sixteenth of what there is: many runs are small.
const FIRST_CHUNK: usize = 1 << 12;
/// On disk, the start of one record in this many is kept.
const STRIDE: u32 = 32;

/// The strings, numbered from 0 in the order they came.
#[derive(Default, Debug)]
pub(crate) struct Arena {
    paged: Option<Paged>,
    /// The number of strings that are on disk; they come first.
    before: u32,
    chunks: Vec<Vec<u8>>,
    /// How long the last chunk may get.
    room: usize,
    /// The lower 32 bits of the start of each record that is in memory.
    starts: Vec<u32>,
    /// The numbers, among these, of the records at which the upper bits of the start went up by one.
    turns: Vec<u32>,
    /// Bytes of all chunks, as allocated.
    chunk_bytes: u64,
}

/// The first strings, on disk.
#[derive(Debug)]
struct Paged {
    pages: Pages,
    /// The starts of records number 0, [`STRIDE`] and so on.
    starts: Vec<u64>,
}

impl Arena {
    /// The number of strings.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.before + self.starts.len() as u32
    }

    /// Appends a string. The caller sees to it that there are fewer than 2^32 - 1.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let need = varint::length(bytes.len() as u64) + bytes.len();
        if self.chunks.last().is_none_or(|chunk| self.room - chunk.len() < need) {
            self.open_chunk(need);
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        growth::push(&mut self.starts, start_of(index, chunk.len()));
        varint::push(bytes.len() as u64, chunk);
        chunk.extend_from_slice(bytes);
    }

    /// Appends strings that were put together elsewhere, as if one by one.
    pub(crate) fn append(&mut self, records: &Records) {
        let Records { bytes, bounds } = records;
        growth::reserve(&mut self.starts, bounds.len());
        let mut bounds = &bounds[..];
        while let [from, end, ..] = *bounds {
            let need = end - from;
            if self.chunks.last().is_none_or(|chunk| self.room - chunk.len() < need) {
                self.open_chunk(need);
            }
            let index = self.chunks.len() - 1;
            let chunk = &mut self.chunks[index];
            let (length, left) = (chunk.len(), self.room - chunk.len());
            let fitting = bounds[1..].partition_point(|end| end - from <= left);
            let starts = bounds[..fitting].iter().map(|at| start_of(index, length + (at - from)));
            self.starts.extend(starts);
            bounds = &bounds[fitting..];
            chunk.extend_from_slice(&bytes[from..bounds[0]]);
        }
    }

    /// Closes the last chunk and opens one for the next string, which needs `need` bytes.
    fn open_chunk(&mut self, need: usize) {
        if let Some(chunk) = self.chunks.last_mut()
            && (chunk.capacity() - chunk.len()) * 16 > chunk.capacity()
        {
            self.chunk_bytes -= chunk.capacity() as u64;
            chunk.shrink_to_fit();
            self.chunk_bytes += chunk.capacity() as u64;
        }
        let usual = (self.chunk_bytes as usize / 16).clamp(FIRST_CHUNK, CHUNK);
        self.room = usual.max(need);
        let chunk = Vec::with_capacity(self.room);
        self.chunk_bytes += chunk.capacity() as u64;
        if !self.chunks.is_empty() && start_of(self.chunks.len(), 0) == 0 {
            self.turns.push(self.starts.len() as u32);
        }
        self.chunks.push(chunk);
    }

    /// String number `number`.
    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let Some(number) = number.checked_sub(self.before) else {
            return self.paged_string(number);
        };
        let start = self.starts[number as usize];
        let upper = self.turns.iter().take_while(|&&turn| turn <= number).count();
        let index = (upper << (32 - OFFSET_BITS)) | (start >> OFFSET_BITS) as usize;
        let record = &self.chunks[index][start as usize & (CHUNK - 1)..];
        let length = usize::from(record[0]);
        if length < 0x80 { &record[1..1 + length] } else { long_string(record) }
    }

    /// A string that is on disk.
    #[cold]
    #[inline(never)]
    fn paged_string(&self, number: u32) -> &[u8] {
        self.paged.as_ref().expect("there are strings on disk").get(number)
    }

    /// Forgets all strings, which are in memory, but keeps some memory for the next.
    pub(crate) fn clear(&mut self) {
        debug_assert!(self.paged.is_none());
        // One chunk for all, next time.
        let room = (self.chunk_bytes as usize).min(CHUNK);
        let largest = self.chunks.drain(..).max_by_key(Vec::capacity).unwrap_or_default();
        let mut chunk = if largest.capacity() < room { Vec::with_capacity(room) } else { largest };
        chunk.clear();
        (self.room, self.chunk_bytes) = (chunk.capacity().min(CHUNK), chunk.capacity() as u64);
        self.chunks.push(chunk);
        self.starts.clear();
        self.turns.clear();
    }

    /// Whether the first strings are on disk.
    pub(crate) fn is_paged(&self) -> bool {
        self.paged.is_some()
    }

    /// Puts all strings on disk: into this directory, unless they are there already. In case of an error they stay
    /// in memory.
    pub(crate) fn spill(&mut self, directory: &Path, most_mapped: u64) -> io::Result<()> {
        let paged = match &mut self.paged {
            Some(paged) => paged,
            none => {
                let pages = Pages::create(directory, most_mapped)?;
                none.insert(Paged { pages, starts: Vec::new() })
            }
        };
        let first = paged.pages.len();
        let chunks = &self.chunks;
        let written = paged.pages.append(|to| chunks.iter().try_for_each(|c| to.write_all(c)));
        if let Err(error) = written {
            if self.before == 0 {
                self.paged = None;
            }
            return Err(error);
        }
        let (mut start, mut count) = (first, self.before);
        for mut rest in self.chunks.iter().map(Vec::as_slice) {
            while !rest.is_empty() {
                if count.is_multiple_of(STRIDE) {
                    growth::push(&mut paged.starts, start);
                }
                count += 1;
                let before = rest.len();
                let length = varint::read(&mut rest) as usize;
                rest = &rest[length..];
                start += (before - rest.len()) as u64;
            }
        }
        *self = Arena { paged: self.paged.take(), before: count, ..Arena::default() };
        Ok(())
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        self.chunk_bytes
            + growth::allocated(&self.chunks)
            + growth::allocated(&self.starts)
            + growth::allocated(&self.turns)
            + self.paged.as_ref().map_or(0, |paged| growth::allocated(&paged.starts))
    }

    /// The bytes of strings in memory, as allocated.
    pub(crate) fn held_bytes(&self) -> u64 {
        self.chunk_bytes + growth::allocated(&self.starts)
    }

    /// The bytes on disk.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.paged.as_ref().map_or(0, |paged| paged.pages.len())
    }
}

impl Paged {
    fn get(&self, number: u32) -> &[u8] {
        let group = (number / STRIDE) as usize;
        let start = self.starts[group];
        let end = self.starts.get(group + 1).copied().unwrap_or(self.pages.len());
        let mut records = self.pages.get(start..end);
        for _ in 0..number % STRIDE {
            let length = varint::read(&mut records) as usize;
            records = &records[length..];
        }
        long_string(records)
    }
}

/// The string of a record whose length may take several bytes.
fn long_string(mut record: &[u8]) -> &[u8] {
    let length = varint::read(&mut record) as usize;
    &record[..length]
}

/// The lower 32 bits of the start of a record. Only a chunk's first record can start at 0 in it,
/// and only a chunk of [`CHUNK`] bytes or less has further ones.
fn start_of(chunk: usize, offset: usize) -> u32 {
    debug_assert!(offset < CHUNK);
    ((chunk as u32) << OFFSET_BITS) | offset as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_every_length_come_back_wherever_they_are() {
        let lengths = [0, 1, 127, 128, 129, 16_383, 16_384, 4095, CHUNK - 3, CHUNK, CHUNK + 1, 0];
        let folder = tempfile::tempdir().unwrap();
        for spill_at in [vec![], vec![60], vec![1, 2, 31, 32, 33, 50]] {
            let mut arena = Arena::default();
            let strings: Vec<Vec<u8>> =
                (0..60).map(|i: usize| vec![i as u8; lengths[i % lengths.len()]]).collect();
            for (i, string) in strings.iter().enumerate() {
                arena.push(string);
                if spill_at.contains(&(i + 1)) {
                    arena.spill(folder.path(), 1 << 20).unwrap();
                }
            }
            assert_eq!((arena.len(), arena.is_paged()), (60, !spill_at.is_empty()));
            for (i, string) in strings.iter().enumerate() {
                assert_eq!(arena.get(i as u32), string);
            }
        }
    }

    #[test]
    fn what_is_put_together_lies_as_if_it_had_come_one_by_one() {
        let lengths = [0, 1, 127, 128, 900, 16_384, 4000, 70, 20, 33, CHUNK - 3, CHUNK, CHUNK + 1];
        let string = |i: usize| vec![i as u8; lengths[i * i % 1009 % lengths.len()]];
        let strings: Vec<Vec<u8>> = (0..2000).map(string).collect();
        let (mut one_by_one, mut together) = (Arena::default(), Arena::default());
        strings.iter().for_each(|string| one_by_one.push(string));
        let mut records = Records::default();
        let mut rest = &strings[..];
        for count in (0..).map(|i| i * 7 % 61) {
            let (now, later) = rest.split_at(count.min(rest.len()));
            records.fill(now.iter().map(Vec::as_slice), CHUNK);
            together.append(&records);
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        assert_eq!(one_by_one.starts, together.starts);
        assert_eq!(one_by_one.chunks, together.chunks);
        assert_eq!(one_by_one.chunk_bytes, together.chunk_bytes);
        records.clear(100);
        assert!(records.bytes.capacity() <= 100 && records.bounds.is_empty());
    }

    #[test]
    fn starts_go_past_thirty_two_bits() {
        let mut arena = Arena::default();
        // A chunk of its own for each of these: more than two turns of 4096 chunks.
        let chunks = 2 * 4096_usize + 10;
        for i in 0..chunks {
            arena.open_chunk(1);
            arena.push(&(2 * i).to_le_bytes());
            arena.push(&(2 * i + 1).to_le_bytes());
        }
        assert_eq!(arena.turns, [8192, 16384]);
        for i in 0..2 * chunks {
            assert_eq!(arena.get(i as u32), i.to_le_bytes());
        }
    }

    #[test]
    fn little_is_left_unused() {
        let mut arena = Arena::default();
        let mut used = 0;
        for i in 0..200_usize {
            let length = 300_000 + 2000 * i;
            arena.push(&vec![0; length]);
            used += length as u64;
        }
        assert!(arena.allocated_bytes() < used + used / 16 + 2 * CHUNK as u64);
    }

    #[test]
    fn what_is_cleared_can_be_filled_again() {
        let mut arena = Arena::default();
        for round in 0..5_u8 {
            for i in 0..100_000_u32 {
                arena.push(&[&i.to_le_bytes()[..], &[round]].concat());
            }
            assert!((0..100_000).all(|i| arena.get(i)[..4] == i.to_le_bytes()));
            assert!((0..100_000).all(|i| arena.get(i)[4] == round));
            arena.clear();
            assert_eq!(arena.len(), 0);
        }
    }
}
