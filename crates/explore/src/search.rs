//! Breadth-first search.
//!
//! States are expanded in the order in which they were found, so a state's number tells its place
//! in the queue and the first way to a state is a shortest one. Per successor there is one lookup
//! in the store; per state its successors are sorted to count the distinct ones. Limits and the
//! caller's wish to stop are looked at between expansions, the clock only after some hundred
//! successors.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::exploration::{Exploration, Failed, Reached, Stop};
use crate::quotient::{Quotient, pack, unpack};
use crate::tree::Tree;
use crate::{Fired, Found, Options, Space, Standing, StateId, Store, growth};

/// The work (successors and expansions) between two looks at the clock.
const WORK_PER_LOOK: u64 = 256;
/// The watcher is called after so many expansions …
const EXPANSIONS_PER_CALL: u64 = 1000;
/// … or so much time, whatever comes first.
const TIME_PER_CALL: Duration = Duration::from_millis(50);

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop, and return what is known.
    Interrupt,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The states found.
    pub states: u64,
    /// The states expanded.
    pub expanded: u64,
    /// The states found but not expanded.
    pub queue: u64,
    /// The depth of the state that is next to be expanded.
    pub depth: u32,
    /// The distinct (state, label, state).
    pub edges: u64,
    /// The modes fired.
    pub modes: u64,
    /// The memory of the store, in bytes.
    pub store_bytes: u64,
    /// The memory of the search beside the store, in bytes.
    pub search_bytes: u64,
    /// The time since the start.
    pub elapsed: Duration,
}

/// Explores what is reachable in `space`.
///
/// `watch` is called once before the first expansion and then after every thousand expansions or
/// 50 ms, roughly; it should be cheap.
///
/// # Errors
///
/// If the space finds a fault, with what was known up to then.
pub fn explore<S: Space>(
    space: &mut S,
    options: &Options,
    watch: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Exploration, Failed<S::Fault>> {
    let mut search = Search::new(options);
    let mut found = search.found();

    if let Err(fault) = space.initial(&mut found) {
        return Err(search.fail(fault, None));
    }
    let mut stop = search.start(&found);
    let mut pace = Pace::new();

    while stop.is_none() && search.expanded < search.store.len() {
        stop = search.look(&mut pace, watch);
        if stop.is_some() {
            break;
        }
        let source = StateId(search.expanded);
        found.clear();
        let standing = match space.expand(search.store.get(source), &mut found) {
            Ok(standing) => standing,
            Err(fault) => return Err(search.fail(fault, Some(source))),
        };
        stop = search.absorb(source, standing, &found);
        pace.work += found.work();
    }
    Ok(search.finish(stop))
}

/// When to look at the clock, and when to call the watcher.
struct Pace {
    /// Work done since the clock was looked at.
    work: u64,
    /// The time and the number of expansions at the last call, if there was one.
    called: Option<(Instant, u32)>,
}

impl Pace {
    fn new() -> Self {
        Self { work: WORK_PER_LOOK, called: None }
    }
}

/// A search under way.
pub(crate) struct Search<'o> {
    options: &'o Options,
    began: Instant,
    deadline: Option<Instant>,
    most_states: u32,
    pub(crate) store: Store,
    tree: Tree,
    quotient: Option<Quotient>,
    fired: Fired,
    initial: u32,
    /// The states below this number are expanded; this one is next.
    expanded: u32,
    edges: u64,
    modes: u64,
    deadlocks: Vec<StateId>,
    terminated: Vec<StateId>,
    reached: Option<Reached>,
    /// The edges of the state being expanded.
    pub(crate) row: Vec<u64>,
}

impl<'o> Search<'o> {
    pub(crate) fn new(options: &'o Options) -> Self {
        let began = Instant::now();
        let limits = &options.limits;
        let capacity = u64::from(Store::CAPACITY);
        Self {
            options,
            began,
            // A deadline too far away to be told is none.
            deadline: limits.time.and_then(|time| began.checked_add(time)),
            most_states: limits.states.map_or(capacity, |most| most.min(capacity)) as u32,
            store: options.hash_bits.map_or_else(Store::new, Store::with_hash_bits),
            tree: Tree::default(),
            quotient: options.keep_edges.then(Quotient::default),
            fired: Fired::default(),
            initial: 0,
            expanded: 0,
            edges: 0,
            modes: 0,
            deadlocks: Vec::new(),
            terminated: Vec::new(),
            reached: None,
            row: Vec::new(),
        }
    }

    /// Stores the initial states.
    pub(crate) fn start(&mut self, found: &Found) -> Option<Stop> {
        let mut stop = found.told();
        for (_, _, bytes) in found.iter() {
            match self.store.insert_within(bytes, self.most_states) {
                Some((_, true)) => self.tree.push_initial(),
                Some((_, false)) => {}
                None => stop = Some(Stop::States),
            }
        }
        self.initial = self.store.len();
        stop
    }

    /// Stores the successors of `source` and counts what leads to them.
    ///
    /// When a limit stops the run here, all that was found is still taken in as far as it can be,
    /// but `source` does not count as expanded.
    fn absorb(&mut self, source: StateId, standing: Standing, found: &Found) -> Option<Stop> {
        let mut stop = found.told();
        self.row.clear();
        for (label, modes, bytes) in found.iter() {
            self.count(label, modes);
            if !self.put(source, label, bytes) {
                stop = Some(Stop::States);
            }
        }
        self.row.sort_unstable();
        self.row.dedup();
        self.notice_label(source);
        self.finish_row(source, standing, found.is_empty(), stop)
    }

    /// Counts modes that were fired.
    pub(crate) fn count(&mut self, label: u32, modes: u64) {
        self.modes = self.modes.saturating_add(modes);
        self.fired.add(label, modes);
    }

    /// Stores a successor, if it is new, and adds the edge to the row; `false` if there is no room.
    pub(crate) fn put(&mut self, source: StateId, label: u32, bytes: &[u8]) -> bool {
        let Some((target, new)) = self.store.insert_within(bytes, self.most_states) else {
            return false;
        };
        if new {
            self.tree.push(source, label);
        }
        self.row.push(pack(label, target));
        true
    }

    /// Notes it if the row has the label looked for.
    pub(crate) fn notice_label(&mut self, source: StateId) {
        if let Some(label) = self.options.until_label
            && self.reached.is_none()
        {
            let targets = self.row.iter().map(|&edge| unpack(edge));
            let first =
                targets.filter(|(other, _)| *other == label).map(|(_, target)| target).min();
            self.reached = first.map(|target| Reached { source, label, target });
        }
    }

    /// Counts the edges of the row, which are distinct, and the state itself.
    pub(crate) fn finish_row(
        &mut self,
        source: StateId,
        standing: Standing,
        is_final: bool,
        stop: Option<Stop>,
    ) -> Option<Stop> {
        self.edges += self.row.len() as u64;
        if let Some(quotient) = &mut self.quotient {
            self.row.sort_unstable();
            quotient.push_row(&self.row);
        }
        if stop.is_none() {
            self.expanded += 1;
            if is_final {
                let dead = match standing {
                    Standing::Alive => &mut self.deadlocks,
                    Standing::Ended => &mut self.terminated,
                };
                growth::push(dead, source);
            }
        }
        if self.reached.is_some() { Some(Stop::Label) } else { stop }
    }

    /// A buffer for successors that knows of the limits.
    pub(crate) fn found(&self) -> Found {
        let limits = &self.options.limits;
        Found::within(self.deadline, limits.memory, self.options.interrupt.clone())
    }

    /// The limit that is passed, if one is.
    pub(crate) fn limit_passed(&self, now: Instant) -> Option<Stop> {
        let interrupt = self.options.interrupt.as_ref();
        if self.is_out_of_memory() {
            Some(Stop::Memory)
        } else if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Stop::Interrupted)
        } else {
            self.deadline.is_some_and(|deadline| now >= deadline).then_some(Stop::Time)
        }
    }

    fn is_out_of_memory(&self) -> bool {
        let most = self.options.limits.memory;
        most.is_some_and(|most| self.store.allocated_bytes() + self.search_bytes() > most)
    }

    /// Looks at memory, and when enough work has been done at the clock; calls the watcher when it
    /// is due. To be called where there is a state to expand.
    fn look(&self, pace: &mut Pace, watch: &mut dyn FnMut(&Progress) -> Control) -> Option<Stop> {
        if self.is_out_of_memory() {
            return Some(Stop::Memory);
        }
        if pace.work < WORK_PER_LOOK {
            return None;
        }
        pace.work = 0;
        let now = Instant::now();
        let due = pace.called.is_none_or(|(time, expanded)| {
            u64::from(self.expanded - expanded) >= EXPANSIONS_PER_CALL
                || now.duration_since(time) >= TIME_PER_CALL
        });
        if due {
            pace.called = Some((now, self.expanded));
            if watch(&self.progress(now)) == Control::Interrupt {
                return Some(Stop::Interrupted);
            }
        }
        self.limit_passed(now)
    }

    pub(crate) fn progress(&self, now: Instant) -> Progress {
        Progress {
            states: u64::from(self.store.len()),
            expanded: u64::from(self.expanded),
            queue: u64::from(self.store.len() - self.expanded),
            depth: self.tree.depth(StateId(self.expanded)),
            edges: self.edges,
            modes: self.modes,
            store_bytes: self.store.allocated_bytes(),
            search_bytes: self.search_bytes(),
            elapsed: now.duration_since(self.began),
        }
    }

    fn search_bytes(&self) -> u64 {
        self.tree.allocated_bytes()
            + self.quotient.as_ref().map_or(0, Quotient::allocated_bytes)
            + growth::allocated(&self.deadlocks)
            + growth::allocated(&self.terminated)
            + growth::allocated(&self.row)
    }

    pub(crate) fn fail<F>(self, fault: F, at: Option<StateId>) -> Failed<F> {
        Failed { fault, at, exploration: Box::new(self.finish_as(false, None)) }
    }

    pub(crate) fn finish(self, stop: Option<Stop>) -> Exploration {
        // A stop that leaves nothing to be done is none: every state is stored and expanded.
        let reason = stop.filter(|&stop| stop != Stop::Label || self.expanded < self.store.len());
        self.finish_as(reason.is_none(), reason)
    }

    fn finish_as(mut self, complete: bool, reason: Option<Stop>) -> Exploration {
        let states = self.store.len();
        if let Some(quotient) = &mut self.quotient {
            quotient.finish(states as usize);
        }
        Exploration {
            states: u64::from(states),
            edges: self.edges,
            modes: self.modes,
            expanded: u64::from(self.expanded),
            deadlocks: self.deadlocks.len() as u64,
            terminated: self.terminated.len() as u64,
            complete,
            reason,
            reached: self.reached,
            seconds: self.began.elapsed().as_secs_f64(),
            store_bytes: self.store.allocated_bytes(),
            search_bytes: self.search_bytes(),
            initial: self.initial,
            store: self.store,
            fired: self.fired,
            deadlock_ids: self.deadlocks,
            terminated_ids: self.terminated,
            quotient: self.quotient,
            tree: self.tree,
        }
    }
}
