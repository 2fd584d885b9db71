//! Budgets as a tree.
//!
//! A node knows its limits and whether it is used up. The latter is one byte, which is all that a check
//! has to load. Ending a node writes that byte, and those of all nodes below it. A child is registered with its
//! parent first and looks at the parent's byte after that, both under the parent's lock, so that no
//! child is missed by an end that comes at the same time.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::Duration;

use crate::gauge::Gauge;
use crate::{Exhausted, Instant, Limits, Progress, watcher};

/// Not used up; a thread measures, or there is nothing to measure.
const WATCHED: u8 = 0;
/// Not used up; each check has to measure.
const UNWATCHED: u8 = 1;
/// From here on: why it is used up.
const FIRST_REASON: u8 = 2;

#[derive(Debug)]
pub(crate) struct Node {
    /// `WATCHED`, `UNWATCHED`, or why it is used up.
    state: AtomicU8,
    pub(crate) deadline: Option<Instant>,
    /// Why it is used up at the deadline.
    pub(crate) of_time: Exhausted,
    pub(crate) memory: Option<u64>,
    /// The steps that are left.
    steps: Option<AtomicU64>,
    /// The bytes on accounts of this node and those below it.
    counted: AtomicU64,
    parent: Option<Arc<Node>>,
    grace: Option<Grace>,
    children: Mutex<Vec<Weak<Node>>>,
    pub(crate) gauge: Arc<dyn Gauge>,
    pub(crate) progress: Progress,
    /// At the root: whether a thread is wanted, and not there yet.
    wants_watcher: AtomicBool,
}

/// What is left after another node has ended.
#[derive(Debug)]
struct Grace {
    after: Arc<Node>,
    time: Duration,
    /// When the other was seen to have ended.
    began: OnceLock<Instant>,
}

impl Grace {
    /// Why the other has ended, if the time since then is over.
    fn over(&self, now: Instant) -> Option<Exhausted> {
        let why = self.after.exhausted()?;
        let began = *self.began.get_or_init(|| now);
        (now.saturating_duration_since(began) >= self.time).then_some(why)
    }
}

impl Node {
    /// A node without parent. It is watched by a thread, or else each check measures.
    pub(crate) fn root(limits: Limits, gauge: Arc<dyn Gauge>, is_watched: bool) -> Arc<Self> {
        let node = Arc::new(Self::new(limits, gauge, None, is_watched));
        node.begin();
        node
    }

    /// A node that ends some time after another has.
    pub(crate) fn grace(after: &Arc<Self>, time: Duration) -> Arc<Self> {
        let is_watched = after.state.load(Ordering::Relaxed) != UNWATCHED;
        let mut node = Self::new(Limits::default(), Arc::clone(&after.gauge), None, is_watched);
        node.progress = after.progress.clone();
        node.grace = Some(Grace { after: Arc::clone(after), time, began: OnceLock::new() });
        let node = Arc::new(node);
        node.begin();
        node
    }

    /// A node below another. `of_time` is why it is used up when its time is.
    pub(crate) fn child(parent: &Arc<Self>, limits: Limits, of_time: Exhausted) -> Arc<Self> {
        let gauge = Arc::clone(&parent.gauge);
        let node = Self::new(limits, gauge, Some(Arc::clone(parent)), true);
        let node = Arc::new(Self { of_time, ..node });
        let mut children = parent.children();
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&node));
        node.state.store(parent.state.load(Ordering::Relaxed), Ordering::Relaxed);
        drop(children);
        node.begin();
        node
    }

    fn new(
        limits: Limits,
        gauge: Arc<dyn Gauge>,
        parent: Option<Arc<Self>>,
        is_watched: bool,
    ) -> Self {
        Self {
            state: AtomicU8::new(if is_watched { WATCHED } else { UNWATCHED }),
            // A deadline too far away to be represented is none.
            deadline: limits.time.and_then(|time| gauge.now().checked_add(time)),
            of_time: Exhausted::Time,
            memory: limits.memory,
            steps: limits.steps.map(AtomicU64::new),
            counted: AtomicU64::new(0),
            progress: parent.as_ref().map(|parent| parent.progress.clone()).unwrap_or_default(),
            parent,
            grace: None,
            children: Mutex::default(),
            gauge,
            wants_watcher: AtomicBool::new(is_watched),
        }
    }

    /// Looks for the first time, and has a thread do it from then on.
    fn begin(self: &Arc<Self>) {
        if self.deadline.is_none() && self.memory.is_none() && self.grace.is_none() {
            return;
        }
        self.look();
        let mut root = self;
        while let Some(parent) = &root.parent {
            root = parent;
        }
        if root.wants_watcher.swap(false, Ordering::Relaxed) && !watcher::start(root) {
            root.measure_in_checks();
        }
    }

    /// There is no thread for this node and those below: each check has to measure.
    fn measure_in_checks(&self) {
        let _ =
            self.state.compare_exchange(WATCHED, UNWATCHED, Ordering::Relaxed, Ordering::Relaxed);
        self.for_each_child(|child| child.measure_in_checks());
    }

    #[inline]
    pub(crate) fn exhausted(&self) -> Option<Exhausted> {
        match self.state.load(Ordering::Relaxed) {
            WATCHED => None,
            UNWATCHED => {
                self.chain().for_each(|node| {
                    node.look();
                });
                reason(self.state.load(Ordering::Relaxed))
            }
            state => reason(state),
        }
    }

    /// Ends this node and all below it. What has ended before keeps its reason.
    pub(crate) fn end(&self, why: Exhausted) {
        let ended = self.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |state| {
            (state <= UNWATCHED).then_some(state_of(why))
        });
        if ended.is_ok() {
            self.for_each_child(|child| child.end(why));
        }
    }

    /// Measures for this node and all below it. Gives the least number of bytes that one of them has left.
    pub(crate) fn look_below(&self) -> Option<u64> {
        let mut least = self.look();
        self.for_each_child(|child| {
            let left = child.look_below();
            least = [least, left].into_iter().flatten().min();
        });
        least
    }

    /// Measures for this node alone. Gives the bytes that it has left, if it is limited and not used up.
    fn look(&self) -> Option<u64> {
        if reason(self.state.load(Ordering::Relaxed)).is_some() {
            return None;
        }
        if self.deadline.is_some_and(|deadline| self.gauge.now() >= deadline) {
            self.end(self.of_time);
        } else if let Some(why) = self.grace.as_ref().and_then(|g| g.over(self.gauge.now())) {
            self.end(why);
        } else if let Some(most) = self.memory {
            let left = most.checked_sub(self.in_use());
            if left.is_none() {
                self.end(Exhausted::Memory);
            }
            return left;
        }
        None
    }

    /// The bytes in use: resident, or at least counted.
    pub(crate) fn in_use(&self) -> u64 {
        self.counted.load(Ordering::Relaxed).max(self.gauge.resident().unwrap_or(0))
    }

    /// Takes steps from this node and those above it, where they are limited.
    pub(crate) fn spend(&self, steps: u64) {
        for node in self.chain() {
            let Some(left) = &node.steps else { continue };
            let spent = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(left.saturating_sub(steps))
            });
            if spent.is_ok_and(|left| left < steps) {
                node.end(Exhausted::Steps);
            }
        }
    }

    /// Ends those of this node and the ones above it that do not have this many bytes left.
    pub(crate) fn require(&self, bytes: u64) {
        for node in self.chain() {
            if node.memory.is_some_and(|most| node.in_use().saturating_add(bytes) > most) {
                node.end(Exhausted::Memory);
            }
        }
    }

    /// Counts `new` bytes instead of `old`, here and above.
    pub(crate) fn count(&self, old: u64, new: u64) {
        for node in self.chain() {
            let change = new.wrapping_sub(old);
            let counted = node.counted.fetch_add(change, Ordering::Relaxed).wrapping_add(change);
            if node.memory.is_some_and(|most| counted > most) {
                node.end(Exhausted::Memory);
            }
        }
    }

    /// The bytes that this node and all above it have left.
    pub(crate) fn memory_left(&self) -> Option<u64> {
        let left = |node: &Self| node.memory.map(|most| most.saturating_sub(node.in_use()));
        self.chain().filter_map(left).min()
    }

    /// This node and those above it.
    pub(crate) fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |node| node.parent.as_deref())
    }

    fn for_each_child(&self, mut act: impl FnMut(&Self)) {
        self.children().iter().filter_map(Weak::upgrade).for_each(|child| act(&child));
    }

    #[cfg(test)]
    pub(crate) fn number_of_children(&self) -> usize {
        self.children().len()
    }

    fn children(&self) -> MutexGuard<'_, Vec<Weak<Self>>> {
        self.children.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn state_of(why: Exhausted) -> u8 {
    FIRST_REASON + why as u8
}

fn reason(state: u8) -> Option<Exhausted> {
    use Exhausted::{DefaultTime, Interrupted, Memory, Steps, Time};
    let reasons = [Time, Memory, Interrupted, Steps, DefaultTime];
    reasons.into_iter().find(|&why| state_of(why) == state)
}
