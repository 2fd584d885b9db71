//! What was found, as bytes.
//!
//! All numbers are [`varint`]s. In the order of states:
//!
//! - *strings*: the length of each string, and the string;
//! - *tree*: of each state that is not initial the number of its predecessor, less that of the predecessor before,
//!   and the label;
//! - *edges*: of each expanded state the number of its edges, and for each edge its label, less that of the edge
//!   before, and its target;
//! - *finals*: the number of each expanded state without successor, less that of the one before, times two, and one
//!   more if everything has ended.
//!
//! What is read has been vouched for by a checksum. It is looked at all the same: whatever is there, nothing panics,
//! and nothing is allocated that is not read.

use std::io::{self, BufRead, Error, ErrorKind, Read, Write};
use std::ops::Range;

use super::document::VERSION;
use crate::quotient::pack;
use crate::{Exploration, StateId, varint};

/// Labels are below this.
const LABELS: u64 = 1 << 32;
/// The states that are read before it is asked whether memory is short.
const PER_SPILL: u32 = 1 << 14;
/// Numbers and strings are gathered up to this many bytes before they are written.
const GATHERED: usize = 1 << 12;

/// How a file with this content begins.
pub(crate) fn head(content: &str) -> Vec<u8> {
    format!("kinfold checkpoint {VERSION} {content}\n").into_bytes()
}

/// Bytes on their way to a writer.
pub(crate) struct Sink<'w> {
    to: &'w mut dyn Write,
    bytes: Vec<u8>,
}

impl<'w> Sink<'w> {
    pub(crate) fn new(to: &'w mut dyn Write) -> Self {
        Sink { to, bytes: Vec::with_capacity(2 * GATHERED) }
    }

    pub(crate) fn number(&mut self, number: u64) -> io::Result<()> {
        varint::push(number, &mut self.bytes);
        self.pass_on()
    }

    /// A string, with its length.
    pub(crate) fn string(&mut self, string: &[u8]) -> io::Result<()> {
        varint::push(string.len() as u64, &mut self.bytes);
        self.bytes.extend_from_slice(string);
        self.pass_on()
    }

    fn pass_on(&mut self) -> io::Result<()> {
        if self.bytes.len() >= GATHERED { self.finish() } else { Ok(()) }
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.to.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    pub(crate) fn strings(mut self, found: &Exploration, states: Range<u32>) -> io::Result<()> {
        for string in found.store.strings(states) {
            self.string(string)?;
        }
        self.finish()
    }

    pub(super) fn tree(mut self, found: &Exploration, states: Range<u32>) -> io::Result<()> {
        let mut before = before_of(found, states.start);
        for id in states.start.max(found.initial)..states.end {
            let (source, label) = found.tree.predecessor(StateId(id)).expect("it is not initial");
            self.number(u64::from(source.0 - before))?;
            self.number(label.into())?;
            before = source.0;
        }
        self.finish()
    }

    pub(super) fn edges(mut self, found: &Exploration, expanded: Range<u32>) -> io::Result<()> {
        let Some(quotient) = &found.quotient else { return Ok(()) };
        for id in expanded {
            let row = quotient.successors(StateId(id));
            self.number(row.len() as u64)?;
            let mut before = 0;
            for (label, target) in row {
                self.number(u64::from(label - before))?;
                self.number(target.0.into())?;
                before = label;
            }
        }
        self.finish()
    }

    /// Those from these places in the lists of deadlocks and of terminated states on.
    pub(super) fn finals(mut self, found: &Exploration, from: [usize; 2]) -> io::Result<()> {
        let (mut dead, mut ended) = (&found.deadlocks[from[0]..], &found.terminated[from[1]..]);
        let earlier = [found.deadlocks[..from[0]].last(), found.terminated[..from[1]].last()];
        let mut before = earlier.into_iter().flatten().max().map_or(0, |id| id.0);
        while !dead.is_empty() || !ended.is_empty() {
            let is_dead = ended.first().is_none_or(|b| dead.first().is_some_and(|a| a < b));
            let list = if is_dead { &mut dead } else { &mut ended };
            let all: &[StateId] = list;
            let id = all[0].0;
            self.number(u64::from(id - before) << 1 | u64::from(!is_dead))?;
            *list = &all[1..];
            before = id;
        }
        self.finish()
    }
}

/// The predecessor of the state before this one; 0 if that is initial.
fn before_of(found: &Exploration, state: u32) -> u32 {
    let before = state.checked_sub(1).map(StateId);
    before.and_then(|id| found.tree.predecessor(id)).map_or(0, |(source, _)| source.0)
}

/// Bytes that were written by a [`Sink`].
pub(crate) struct Source<R> {
    from: R,
    string: Vec<u8>,
}

impl<R: BufRead> Source<R> {
    /// Reads what begins with `head`.
    pub(crate) fn new(mut from: R, head: &[u8]) -> io::Result<Self> {
        let mut found = vec![0; head.len()];
        from.read_exact(&mut found)?;
        if found != head {
            return Err(wrong("it begins otherwise"));
        }
        Ok(Source { from, string: Vec::new() })
    }

    /// Whether everything was read.
    pub(super) fn is_empty(&mut self) -> io::Result<bool> {
        Ok(self.from.fill_buf()?.is_empty())
    }

    /// What is left, as it is.
    pub(super) fn rest(&mut self) -> &mut dyn Read {
        &mut self.from
    }

    /// That nothing is left.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.is_empty()? { Ok(()) } else { Err(wrong("it is longer than it should be")) }
    }

    /// The next number.
    pub(crate) fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS - 1).step_by(7) {
            let mut byte = [0];
            self.from.read_exact(&mut byte)?;
            number |= u64::from(byte[0] & 0x7f) << shift;
            if byte[0] < 0x80 {
                return Ok(number);
            }
        }
        Err(wrong("a number is too long"))
    }

    /// The next number below `end`, of which what is read is how much more it is than `before`.
    fn stepped(&mut self, before: u32, end: u64) -> io::Result<u32> {
        let next = self.number()?.checked_add(before.into()).filter(|next| *next < end);
        next.map(|next| next as u32).ok_or_else(|| wrong("a number is too large"))
    }

    /// The next string.
    pub(crate) fn string(&mut self) -> io::Result<&[u8]> {
        let length = self.number()?;
        self.string.clear();
        (&mut self.from).take(length).read_to_end(&mut self.string)?;
        if self.string.len() as u64 != length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(&self.string)
    }

    /// The tree of so many states, of which so many are initial. Now and then `spill` is called.
    pub(super) fn tree(
        &mut self,
        found: &mut Exploration,
        states: u32,
        spill: impl Fn(&mut Exploration),
    ) -> io::Result<()> {
        (0..found.initial).for_each(|_| found.tree.push_initial());
        let mut before = 0;
        for id in found.initial..states {
            before = self.stepped(before, id.into())?;
            let label = self.stepped(0, LABELS)?;
            found.tree.push(StateId(before), label);
            if id % PER_SPILL == 0 {
                spill(found);
            }
        }
        Ok(())
    }

    /// The rows of so many expanded states among so many states. Now and then `spill` is called.
    pub(super) fn edges(
        &mut self,
        found: &mut Exploration,
        expanded: u32,
        states: u32,
        spill: impl Fn(&mut Exploration),
    ) -> io::Result<()> {
        let mut row = Vec::new();
        for id in 0..expanded {
            let Some(quotient) = &mut found.quotient else { return Ok(()) };
            row.clear();
            let mut before = 0;
            for _ in 0..self.number()? {
                before = self.stepped(before, LABELS)?;
                row.push(pack(before, StateId(self.stepped(0, states.into())?)));
            }
            if !row.is_sorted_by(|a, b| a < b) {
                return Err(wrong("edges are not in order"));
            }
            quotient.push_row(&row);
            if id % PER_SPILL == 0 {
                spill(found);
            }
        }
        Ok(())
    }

    /// So many final states among so many expanded ones.
    pub(super) fn finals(
        &mut self,
        found: &mut Exploration,
        count: u64,
        expanded: u32,
    ) -> io::Result<()> {
        let mut before = 0_u32;
        for at in 0..count {
            let number = self.number()?;
            let id = (number >> 1) + u64::from(before);
            if id >= u64::from(expanded) {
                return Err(wrong("a number is too large"));
            }
            let id = id as u32;
            if at > 0 && id == before {
                return Err(wrong("a state is there twice"));
            }
            let list = if number & 1 == 0 { &mut found.deadlocks } else { &mut found.terminated };
            list.push(StateId(id));
            before = id;
        }
        Ok(())
    }
}

pub(super) fn wrong(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}
