//! The successors of one state, written one after the other into one buffer.
//!
//! No successor is a heap object of its own: their bytes lie in one arena that keeps its capacity
//! from state to state, so that filling it allocates nothing once it has seen the largest fan-out.

use std::ops::Range;

use budget::{Account, Budget, Exhausted};

use crate::growth;
use crate::store::Hash;

/// Before a part of the buffer grows to this many bytes or more, the budget is asked.
pub(crate) const LARGE: usize = 1 << 20;
/// [`Successors::enough`] says what the buffer holds once in this number of questions.
const ASKS_PER_COUNT: u64 = 64;

/// The successors of a state: each a label, a number of modes and a byte string.
///
/// Write a successor whole with [`push`](Self::push), or piece by piece into
/// [`buffer`](Self::buffer) and then [`commit`](Self::commit) it.
#[derive(Debug)]
pub struct Successors {
    bytes: Vec<u8>,
    /// The strings of the successors begin here.
    start: usize,
    items: Vec<Item>,
    pending: Vec<u8>,
    asks: u64,
    budget: Budget,
    /// What the buffer holds.
    account: Account,
    cut_short: Option<Exhausted>,
}

impl Default for Successors {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Clone, Copy, Debug)]
struct Item {
    modes: u64,
    end: usize,
    label: u32,
}

impl Successors {
    /// An empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self::within(&Budget::unlimited())
    }

    /// An empty buffer whose [`enough`](Self::enough) asks this budget, and whose bytes count into it.
    #[must_use]
    pub fn within(budget: &Budget) -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            items: Vec::new(),
            pending: Vec::new(),
            asks: 0,
            budget: budget.clone(),
            account: budget.account(),
            cut_short: None,
        }
    }

    /// Forgets the successors, and what is pending; keeps the capacity.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.turn_over();
    }

    /// Forgets the successors, but keeps their strings.
    pub(crate) fn turn_over(&mut self) {
        self.start = self.bytes.len();
        self.items.clear();
        self.pending.clear();
        self.asks = 0;
        self.cut_short = None;
    }

    /// Adds a successor: `bytes`, reached by `modes` modes of `label`.
    pub fn push(&mut self, label: u32, modes: u64, bytes: &[u8]) {
        if !self.has_room(bytes.len()) {
            return;
        }
        self.bytes.extend_from_slice(bytes);
        self.items.push(Item { modes, end: self.bytes.len(), label });
    }

    /// The bytes of the successor being written: empty after [`clear`](Self::clear) and
    /// [`commit`](Self::commit), and free to be changed in any way before it is committed.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Adds the successor that was written to [`buffer`](Self::buffer), and empties the buffer.
    #[inline]
    pub fn commit(&mut self, label: u32, modes: u64) {
        if self.has_room(self.pending.len()) {
            self.bytes.extend_from_slice(&self.pending);
            self.items.push(Item { modes, end: self.bytes.len(), label });
        }
        self.pending.clear();
    }

    /// Whether there is room for this many bytes more, which may have to be made. Where the budget has none for a
    /// large block, the state is cut short, and the successor that is too much is not kept.
    #[inline]
    fn has_room(&mut self, bytes: usize) -> bool {
        self.bytes.capacity() - self.bytes.len() >= bytes
            && self.items.capacity() > self.items.len()
            || self.make_room(bytes)
    }

    #[cold]
    fn make_room(&mut self, bytes: usize) -> bool {
        let is_room =
            grown(&mut self.bytes, bytes, &self.budget) && grown(&mut self.items, 1, &self.budget);
        if !is_room {
            self.cut_short = self.cut_short.or(Some(Exhausted::Memory));
        }
        is_room
    }

    /// The number of successors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no successor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The successors as they were added: label, modes, bytes.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64, &[u8])> {
        let mut start = self.start;
        self.items.iter().map(move |item| {
            let bytes = &self.bytes[start..item.end];
            start = item.end;
            (item.label, item.modes, bytes)
        })
    }

    /// The string of a successor, by its number among them.
    #[inline]
    pub(crate) fn string(&self, number: u32) -> &[u8] {
        let at = number as usize;
        let start = at.checked_sub(1).map_or(self.start, |before| self.items[before].end);
        &self.bytes[start..self.items[at].end]
    }

    /// Whether the budget is used up, so that looking for further successors is of no use.
    ///
    /// To be asked while a single state is being expanded, as often as one likes. After an answer of
    /// `true` the state counts as not expanded; the successors added so far are kept.
    #[inline]
    #[must_use]
    pub fn enough(&mut self) -> bool {
        if self.cut_short.is_none() {
            self.asks += 1;
            if self.asks.is_multiple_of(ASKS_PER_COUNT) {
                self.account.set(self.allocated_bytes());
            }
            self.cut_short = self.budget.exhausted();
        }
        self.cut_short.is_some()
    }

    /// Why [`enough`](Self::enough) has said `true` since the last [`clear`](Self::clear).
    pub(crate) fn cut_short(&self) -> Option<Exhausted> {
        self.cut_short
    }

    /// The bytes that it takes to store the successors, if all are new: for each its hash, its edge and its place in
    /// the tree, and its string.
    pub(crate) fn bytes_to_store(&self) -> usize {
        self.items.len() * (size_of::<Hash>() + 8 + 8) + self.strings().len()
    }

    /// All bytes since the last [`clear`](Self::clear).
    pub(crate) fn all_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where in them the successors are.
    pub(crate) fn strings(&self) -> Range<usize> {
        self.start..self.bytes.len()
    }

    /// A measure of the work done since the last [`clear`](Self::clear).
    pub(crate) fn work(&self) -> u64 {
        self.items.len() as u64 + self.asks + 1
    }

    /// The memory held, in bytes, as allocated.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        (self.bytes.capacity()
            + self.pending.capacity()
            + self.items.capacity() * size_of::<Item>()) as u64
    }
}

/// Makes room for `more` in a vector, unless it takes a large block for which the budget has no memory. While it is
/// moved, the old one may be there as well.
fn grown<T>(vec: &mut Vec<T>, more: usize, budget: &Budget) -> bool {
    if vec.capacity() - vec.len() >= more {
        return true;
    }
    let step = growth::step(vec, more);
    let bytes = (vec.len() + step) * size_of::<T>();
    if bytes >= LARGE && !budget.allows(bytes as u64) {
        return false;
    }
    vec.reserve_exact(step);
    true
}

#[cfg(test)]
mod tests {
    use budget::{Limits, Unmeasured};

    use super::*;

    #[test]
    fn gives_back_what_was_put_in() {
        let mut successors = Successors::new();
        successors.push(7, 2, b"ab");
        successors.push(8, 1, b"");
        successors.buffer().extend_from_slice(b"junk");
        successors.buffer().clear();
        successors.buffer().push(b'c');
        successors.buffer().push(b'd');
        successors.commit(9, 5);
        let all: Vec<_> = successors.iter().collect();
        assert_eq!(all, [(7, 2, &b"ab"[..]), (8, 1, b""), (9, 5, b"cd")]);
        assert_eq!(successors.len(), 3);
        successors.buffer().push(1);
        successors.clear();
        assert!(successors.is_empty() && successors.buffer().is_empty());
    }

    #[test]
    fn it_is_enough_when_the_budget_is_used_up() {
        let budget = Budget::unlimited();
        let mut successors = Successors::within(&budget);
        assert!((0..1000).all(|_| !successors.enough()));
        budget.interrupt();
        assert!(successors.enough());
        assert_eq!(successors.cut_short(), Some(Exhausted::Interrupted));
        successors.clear();
        assert_eq!(successors.cut_short(), None);
    }

    #[test]
    fn what_the_buffer_holds_counts() {
        let limits = Limits { memory: Some(1000), ..Limits::default() };
        let budget = Budget::with_gauge(limits, Unmeasured);
        let mut successors = Successors::within(&budget);
        assert!((0..1000).all(|_| !successors.enough()));
        successors.push(0, 1, &[0; 2000]);
        assert!((0..ASKS_PER_COUNT).any(|_| successors.enough()));
        assert_eq!(successors.cut_short(), Some(Exhausted::Memory));
    }
}
