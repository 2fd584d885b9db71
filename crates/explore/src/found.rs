//! The successors of one state, written one after the other into one buffer.
//!
//! No successor is a heap object of its own: their bytes lie in one arena that keeps its capacity
//! from state to state, so that filling it allocates nothing once it has seen the largest fan-out.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::Stop;

/// How many questions [`Found::enough`] answers from memory between two looks at the clock.
const ASKS_PER_LOOK: u64 = 64;

/// The successors of a state: each a label, a number of modes and a byte string.
///
/// Write a successor whole with [`push`](Self::push), or piece by piece into
/// [`buffer`](Self::buffer) and then [`commit`](Self::commit) it.
#[derive(Default, Debug)]
pub struct Found {
    bytes: Vec<u8>,
    /// The strings of the successors begin here.
    start: usize,
    items: Vec<Item>,
    pending: Vec<u8>,
    asks: u64,
    deadline: Option<Instant>,
    most_bytes: Option<u64>,
    interrupt: Option<Arc<AtomicBool>>,
    told: Option<Stop>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    modes: u64,
    end: usize,
    label: u32,
}

impl Found {
    /// An empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer whose [`enough`](Self::enough) knows of a deadline, of a number of bytes, and
    /// of a wish to stop.
    #[must_use]
    pub fn within(
        deadline: Option<Instant>,
        most_bytes: Option<u64>,
        interrupt: Option<Arc<AtomicBool>>,
    ) -> Self {
        Self { deadline, most_bytes, interrupt, ..Self::default() }
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
        self.told = None;
    }

    /// Adds a successor: `bytes`, reached by `modes` modes of `label`.
    pub fn push(&mut self, label: u32, modes: u64, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.items.push(Item { modes, end: self.bytes.len(), label });
    }

    /// The bytes of the successor being written: empty after [`clear`](Self::clear) and
    /// [`commit`](Self::commit), and free to be changed in any way before it is committed.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Adds the successor that was written to [`buffer`](Self::buffer), and empties the buffer.
    pub fn commit(&mut self, label: u32, modes: u64) {
        self.bytes.extend_from_slice(&self.pending);
        self.pending.clear();
        self.items.push(Item { modes, end: self.bytes.len(), label });
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

    /// Whether the run has passed its limits, so that looking for further successors is of no use.
    ///
    /// To be asked while a single state is being expanded, as often as one likes: the clock is
    /// looked at once in 64 questions. After an answer of `true` the state counts as not
    /// expanded; the successors added so far are kept.
    #[must_use]
    pub fn enough(&mut self) -> bool {
        if self.told.is_none() {
            if self.asks % ASKS_PER_LOOK == ASKS_PER_LOOK - 1 {
                self.told = self.passed();
            }
            self.asks += 1;
        }
        self.told.is_some()
    }

    fn passed(&self) -> Option<Stop> {
        if self.most_bytes.is_some_and(|most| self.allocated_bytes() > most) {
            Some(Stop::Memory)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Time)
        } else if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Stop::Interrupted)
        } else {
            None
        }
    }

    /// The limit because of which a `true` was given since the last [`clear`](Self::clear).
    pub(crate) fn told(&self) -> Option<Stop> {
        self.told
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn gives_back_what_was_put_in() {
        let mut found = Found::new();
        found.push(7, 2, b"ab");
        found.push(8, 1, b"");
        found.buffer().extend_from_slice(b"junk");
        found.buffer().clear();
        found.buffer().push(b'c');
        found.buffer().push(b'd');
        found.commit(9, 5);
        let all: Vec<_> = found.iter().collect();
        assert_eq!(all, [(7, 2, &b"ab"[..]), (8, 1, b""), (9, 5, b"cd")]);
        assert_eq!(found.len(), 3);
        found.buffer().push(1);
        found.clear();
        assert!(found.is_empty() && found.buffer().is_empty());
    }

    #[test]
    fn enough_is_said_soon_after_a_limit_is_passed() {
        let mut found = Found::within(Some(Instant::now()), None, None);
        let asked = (1..=1000).find(|_| found.enough());
        assert_eq!(asked, Some(ASKS_PER_LOOK));
        assert_eq!(found.told(), Some(Stop::Time));
        assert!(found.enough());

        let mut found = Found::within(None, Some(10), None);
        found.push(0, 1, &[0; 100]);
        assert!((1..=1000).any(|_| found.enough()));
        assert_eq!(found.told(), Some(Stop::Memory));
    }

    #[test]
    fn a_wish_to_stop_is_heard() {
        let wish = Arc::new(AtomicBool::new(false));
        let mut found = Found::within(None, None, Some(wish.clone()));
        assert!((0..1000).all(|_| !found.enough()));
        wish.store(true, Ordering::Relaxed);
        assert!((0..1000).any(|_| found.enough()));
        assert_eq!(found.told(), Some(Stop::Interrupted));
    }

    #[test]
    fn enough_is_not_said_within_the_limits() {
        let later = Instant::now() + Duration::from_secs(3600);
        let mut found = Found::within(Some(later), Some(1 << 30), Some(Arc::default()));
        assert!((0..1000).all(|_| !found.enough()));
        assert_eq!(found.told(), None);
    }
}
