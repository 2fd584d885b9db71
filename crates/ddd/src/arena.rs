//! Nodes, packed into one vector of words.
//!
//! The number of a node is the place of its first word. A node of one to three arcs is a header
//! and two words for each arc, a value and a child; with more arcs, their number follows the
//! header. A header is the variable, the number of arcs (zero if it follows) and a mark. So the
//! usual node, with two arcs, takes 20 bytes and, most often, one line of the processor's cache.
//!
//! Nodes never move, since numbers are held elsewhere. The space of dead nodes is put together
//! into *gaps* by the sweep. Small gaps wait in a bin for a node of their size; the others are
//! filled from the front, in the order of addresses.

use crate::{Error, Result, Value, Variable};

/// The number of a node, or of a terminal.
pub(crate) type Id = u32;

/// The empty set.
pub(crate) const ZERO: Id = 0;
/// The set of the empty sequence.
pub(crate) const ONE: Id = 1;
/// Any set.
pub(crate) const TOP: Id = 2;
/// No set: what a result stays within if it need not (`within.rs`). It is in no diagram.
pub(crate) const ANYTHING: Id = 3;
/// The first number that is not a terminal's.
const FIRST: Id = 4;

/// The largest variable: the number of arcs and a mark share the word with it.
pub const MAX_VARIABLE: Variable = (1 << 29) - 2;

const MARK: u32 = 1;
const SHORT: u32 = 0b110;
/// The variable of gaps.
const GAP: u32 = u32::MAX << 3;
/// A gap of one word.
const SPECK: u32 = GAP | 0b010;
/// Gaps of at least this many words are filled from the front.
const WIDE: u32 = 8;

/// An arc of a node that is being built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) value: Value,
    pub(crate) child: Id,
    /// Whether something is still to be done with this arc (`star.rs`).
    pub(crate) stale: bool,
}

impl Arc {
    pub(crate) fn new(value: Value, child: Id) -> Self {
        Self { value, child, stale: false }
    }
}

/// All nodes, found by number.
#[derive(Debug)]
pub(crate) struct Arena {
    words: Vec<u32>,
    /// Gaps of exactly 3, 5 and 7 words, each list linked through the third word.
    bins: [u32; 3],
    /// The gap being filled: its first word and the one behind it.
    open: (u32, u32),
    /// Gaps of `WIDE` words and more, linked likewise.
    wide: u32,
    /// Words in use by nodes.
    used: usize,
}

/// How many words a node with this many arcs takes.
fn size(arcs: usize) -> usize {
    2 * arcs + if arcs <= 3 { 1 } else { 2 }
}

impl Arena {
    pub(crate) fn new() -> Self {
        Self { words: vec![SPECK; FIRST as usize], bins: [0; 3], open: (0, 0), wide: 0, used: 0 }
    }

    /// The variable of a node.
    #[inline(always)]
    pub(crate) fn variable(&self, id: Id) -> Variable {
        self.words[id as usize] >> 3
    }

    /// The arcs of a node as (value, child) words, by ascending value.
    #[inline(always)]
    pub(crate) fn arcs(&self, id: Id) -> &[[u32; 2]] {
        let id = id as usize;
        let short = (self.words[id] & SHORT) >> 1;
        let words = if short > 0 {
            &self.words[id + 1..][..2 * short as usize]
        } else {
            &self.words[id + 2..][..2 * self.words[id + 1] as usize]
        };
        words.as_chunks().0
    }

    /// Whether this is a node, not a terminal.
    #[inline(always)]
    pub(crate) fn is_node(&self, id: Id) -> bool {
        id >= FIRST
    }

    /// How many arcs a node has.
    #[inline(always)]
    pub(crate) fn width(&self, id: Id) -> usize {
        self.arcs(id).len()
    }

    /// An arc of a node.
    #[inline(always)]
    pub(crate) fn arc(&self, id: Id, index: usize) -> Arc {
        let [value, child] = self.arcs(id)[index];
        Arc::new(value as Value, child)
    }

    /// Whether this is the node with these parts.
    #[inline(always)]
    pub(crate) fn is(&self, id: Id, variable: Variable, arcs: &[Arc]) -> bool {
        let own = self.arcs(id);
        self.variable(id) == variable
            && own.len() == arcs.len()
            && own.iter().zip(arcs).all(|(a, b)| *a == [b.value as u32, b.child])
    }

    /// Bytes in use by nodes, garbage included.
    #[inline(always)]
    pub(crate) fn used(&self) -> usize {
        self.used * size_of::<u32>()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<u32>()
    }

    /// Writes a node down, somewhere. `room` is how many bytes more may be taken.
    pub(crate) fn write(&mut self, variable: Variable, arcs: &[Arc], room: usize) -> Result<Id> {
        let size = size(arcs.len());
        let id = match self.reuse(size) {
            Some(id) => id,
            None => self.extend(size, room)?,
        };
        self.used += size;
        let words = &mut self.words[id as usize..][..size];
        words[0] = variable << 3;
        let at = if arcs.len() <= 3 {
            words[0] |= (arcs.len() as u32) << 1;
            1
        } else {
            words[1] = arcs.len() as u32;
            2
        };
        for (place, arc) in words[at..].as_chunks_mut().0.iter_mut().zip(arcs) {
            *place = [arc.value as u32, arc.child];
        }
        Ok(id)
    }

    /// New words at the end.
    fn extend(&mut self, size: usize, room: usize) -> Result<Id> {
        let end = self.words.len() + size;
        let addressable = u32::try_from(end).is_ok();
        if !addressable || room < size * size_of::<u32>() || self.words.try_reserve(size).is_err() {
            return Err(Error::MEMORY);
        }
        self.words.resize(end, SPECK);
        Ok((end - size) as Id)
    }

    /// A place among the gaps.
    fn reuse(&mut self, size: usize) -> Option<Id> {
        if size < WIDE as usize {
            let bin = &mut self.bins[(size - 3) / 2];
            if *bin != 0 {
                let id = *bin;
                *bin = self.words[id as usize + 2];
                return Some(id);
            }
        }
        let size = size as u32;
        while self.open.1 - self.open.0 < size {
            // A large node does not make small gaps go to waste.
            if self.wide == 0 || size > 4 * WIDE {
                return None;
            }
            self.put_away_open();
            let start = self.wide;
            self.open = (start, start + self.words[start as usize + 1]);
            self.wide = self.words[start as usize + 2];
        }
        let id = self.open.0;
        self.open.0 += size;
        Some(id)
    }

    /// What is left of the open gap goes where it fits.
    fn put_away_open(&mut self) {
        let (start, end) = self.open;
        self.open = (0, 0);
        self.put_away(start, end - start);
    }

    /// Makes a gap. Returns whether it is a wide one, which the caller has to link.
    fn put_away(&mut self, start: u32, length: u32) -> bool {
        let at = start as usize;
        if length >= 3 {
            self.words[at] = GAP;
            self.words[at + 1] = length;
        } else {
            self.words[at..at + length as usize].fill(SPECK);
        }
        if (3..WIDE).contains(&length) {
            // An even gap holds a node that is a word shorter, and a speck.
            if length.is_multiple_of(2) {
                self.words[at + length as usize - 1] = SPECK;
                self.words[at + 1] = length - 1;
            }
            let bin = &mut self.bins[(length as usize - 3) / 2];
            self.words[at + 2] = *bin;
            *bin = start;
        }
        length >= WIDE
    }

    /// Marks a node; whether it had none.
    #[inline(always)]
    pub(crate) fn mark(&mut self, id: Id) -> bool {
        if id < FIRST {
            return false;
        }
        let header = &mut self.words[id as usize];
        let fresh = *header & MARK == 0;
        *header |= MARK;
        fresh
    }

    /// Whether a node is marked; terminals always are.
    #[inline(always)]
    pub(crate) fn marked(&self, id: Id) -> bool {
        id < FIRST || self.words[id as usize] & MARK != 0
    }

    /// Frees what is not marked, and takes the marks away. `live` is called with each node left.
    pub(crate) fn sweep(&mut self, mut live: impl FnMut(&Self, Id)) {
        self.put_away_open();
        (self.bins, self.wide, self.used) = ([0; 3], 0, 0);
        let mut last_wide = 0;
        let mut gap = FIRST;
        let mut at = FIRST;
        let end = self.words.len() as u32;
        while at < end {
            let header = self.words[at as usize];
            let length = if header == SPECK {
                1
            } else if header == GAP {
                self.words[at as usize + 1]
            } else {
                size(self.width(at)) as u32
            };
            if header & MARK != 0 && header < GAP {
                self.words[at as usize] &= !MARK;
                self.used += length as usize;
                live(self, at);
                self.close_gap(gap, at, &mut last_wide);
                gap = at + length;
            }
            at += length;
        }
        // The end of the arena needs no gap: it is given back.
        self.words.truncate(gap as usize);
    }

    fn close_gap(&mut self, start: u32, end: u32, last_wide: &mut u32) {
        if start < end && self.put_away(start, end - start) {
            self.words[start as usize + 2] = 0;
            match *last_wide {
                0 => self.wide = start,
                last => self.words[last as usize + 2] = start,
            }
            *last_wide = start;
        }
    }
}
