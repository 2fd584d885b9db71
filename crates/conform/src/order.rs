//! Which events come before which: the order that a log has.
//!
//! A log is a sequence, or a partial order. Where only the order of each thread is known, two events are ordered if they
//! are of one thread. With vector clocks (Fidge 1988, Mattern 1989), an event of thread *t* with clock *c* comes before
//! every other event whose clock has at least *c*\[*t*\] for *t*. Lines must be in an order that extends the partial
//! order; [`sorted`] brings them into one.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use rustc_hash::FxBuildHasher;
use thiserror::Error;

use crate::event::Occurrence;

/// What is known of the order of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// It is that of the lines.
    #[default]
    Lines,
    /// Lines of the same thread are in order, and nothing else is known.
    Threads,
    /// It is that of vector clocks.
    Clocks,
}

/// Lines are in an order in which they cannot have happened.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum OutOfOrder {
    /// A later line happened before this one was logged.
    #[error(
        "by its clock it happened before a line that was read earlier; sort the log, or leave `--window` out"
    )]
    Late,
    /// The clock of the thread itself does not go on.
    #[error(
        "the clock of `{0}` does not go on: it must have a larger number for `{0}` than the line of `{0}` before"
    )]
    Stalled(Rc<str>),
    /// Each comes before the other.
    #[error("by their clocks, this line and others each happened before the other")]
    Circular,
}

/// The events of a thread that may matter to later ones: the thread's own count and the number of the event.
type Own = VecDeque<(u64, u64)>;

/// The order of the events read so far.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    ordering: Ordering,
    last: HashMap<Rc<str>, Own, FxBuildHasher>,
    /// The largest number that any clock has had for a thread.
    seen: HashMap<Rc<str>, u64, FxBuildHasher>,
}

impl Order {
    pub fn new(ordering: Ordering) -> Order {
        Order { ordering, last: HashMap::default(), seen: HashMap::default() }
    }

    /// The events that come right before that of this number, of those from `first` on; all others have happened.
    pub fn before(
        &mut self,
        number: u64,
        first: u64,
        occurrence: &Occurrence,
    ) -> Result<Vec<u64>, OutOfOrder> {
        let thread = occurrence.thread.clone().unwrap_or_else(|| "".into());
        match self.ordering {
            // There is no window, so they come one after the other.
            Ordering::Lines => return Ok(Vec::new()),
            Ordering::Threads => {
                let own = self.last.entry(thread).or_default();
                let before = own.pop_back().map(|(_, number)| number);
                own.push_back((0, number));
                return Ok(before.into_iter().filter(|&one| one >= first).collect());
            }
            Ordering::Clocks => {}
        }
        let count = occurrence.clock.get(&thread).copied().unwrap_or(0);
        let own = self.last.entry(thread.clone()).or_default();
        if own.back().is_some_and(|&(before, _)| before >= count) {
            return Err(OutOfOrder::Stalled(thread));
        }
        if self.seen.get(&thread).is_some_and(|&seen| seen >= count) {
            return Err(OutOfOrder::Late);
        }
        let mut before = Vec::new();
        for (other, &count) in &occurrence.clock {
            if let Some(own) = self.last.get_mut(other) {
                // Of those that have happened in any case the last is kept, for its count.
                while own.len() > 1 && own[1].1 < first {
                    own.pop_front();
                }
                let earlier = own.partition_point(|&(of, _)| of <= count);
                before.extend(earlier.checked_sub(1).map(|at| own[at].1));
            }
            if *other != thread {
                let seen = self.seen.entry(other.clone()).or_default();
                *seen = (*seen).max(count);
            }
        }
        before.retain(|&one| one >= first);
        self.last.entry(thread).or_default().push_back((count, number));
        Ok(before)
    }
}

/// Occurrences in an order that extends that of their clocks, otherwise as near as possible to that of the lines.
///
/// # Errors
/// If there is no such order, with the line.
pub(crate) fn sorted(all: Vec<Occurrence>) -> Result<Vec<Occurrence>, (u64, OutOfOrder)> {
    let mut threads: BTreeMap<Rc<str>, VecDeque<Occurrence>> = BTreeMap::new();
    let total = all.len();
    for one in all {
        threads.entry(one.thread.clone().unwrap_or_else(|| "".into())).or_default().push_back(one);
    }
    for (thread, own) in &mut threads {
        let count = |one: &Occurrence| one.clock.get(thread).copied().unwrap_or(0);
        own.make_contiguous().sort_by_key(count);
        let pairs = own.iter().zip(own.iter().skip(1));
        if let Some((_, second)) = pairs.clone().find(|(a, b)| count(a) == count(b)) {
            return Err((second.line, OutOfOrder::Stalled(thread.clone())));
        }
    }
    let mut order = Vec::with_capacity(total);
    while order.len() < total {
        // Ready is the first of a thread, if no other thread still has one that comes before it.
        let is_ready = |thread: &Rc<str>, one: &Occurrence| {
            one.clock.iter().filter(|(other, _)| *other != thread).all(|(other, &count)| {
                let next = threads.get(other).and_then(VecDeque::front);
                next.is_none_or(|next| next.clock.get(other).copied().unwrap_or(0) > count)
            })
        };
        let heads = threads.iter().filter_map(|(thread, own)| Some((thread, own.front()?)));
        let ready = heads.clone().filter(|(thread, one)| is_ready(thread, one));
        let Some((thread, _)) = ready.min_by_key(|(_, one)| one.line) else {
            let line = heads.map(|(_, one)| one.line).min().unwrap_or(0);
            return Err((line, OutOfOrder::Circular));
        };
        let thread = thread.clone();
        let own = threads.get_mut(&thread).expect("it is one of them");
        order.extend(own.pop_front());
    }
    Ok(order)
}
