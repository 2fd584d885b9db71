//! Breadth-first search.
//!
//! States are expanded in the order in which they were found, so a state's number tells its place
//! in the queue and the first way to a state is a shortest one. Per successor there is one lookup
//! in the store; per state its successors are sorted to count the distinct ones. Between expansions the
//! budget is asked whether to go on; what is held is counted, and the caller told, only after some
//! hundred successors.

use std::time::{Duration, Instant};

use budget::{Account, Exhausted};

use crate::exploration::{Exploration, Failed, Reached, Stop};
use crate::progress::{Control, Progress, Watch};
use crate::quotient::{Quotient, pack, unpack};
use crate::store::Hash;
use crate::tree::Tree;
use crate::{Fired, Options, SoFar, Space, Standing, StateId, Store, Successors, growth};

/// The work (successors and expansions) between two looks at the clock.
const WORK_PER_LOOK: u64 = 256;
/// The watcher is called after this many expansions …
const EXPANSIONS_PER_CALL: u64 = 1000;
/// … or this much time, whichever comes first.
const TIME_PER_CALL: Duration = Duration::from_millis(50);

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
    explore_watched(space, options, &mut Watch::new(watch, &mut |_| Control::Continue))
}

/// Explores on one thread.
pub(crate) fn explore_watched<S: Space>(
    space: &mut S,
    options: &Options,
    watch: &mut Watch,
) -> Result<Exploration, Failed<S::Fault>> {
    let mut search = Search::start(space, options)?;
    match search.advance(space, watch, |_| false) {
        Ok(()) => Ok(search.finish()),
        Err(fault) => Err(search.fail(fault)),
    }
}

/// A search under way.
pub(crate) struct Search<'o> {
    pub(crate) options: &'o Options,
    began: Instant,
    pub(crate) most_states: u32,
    pub(crate) store: Store,
    pub(crate) tree: Tree,
    pub(crate) quotient: Option<Quotient>,
    pub(crate) fired: Fired,
    initial: u32,
    /// The states below this number are expanded; this one is next.
    pub(crate) expanded: u32,
    pub(crate) edges: u64,
    pub(crate) modes: u64,
    deadlocks: Vec<StateId>,
    terminated: Vec<StateId>,
    reached: Option<Reached>,
    /// Why the search is over, if it is.
    pub(crate) stop: Option<Stop>,
    /// What store and search hold.
    account: Account,
    /// What the first space holds.
    space_account: Account,
    pace: Pace,
    /// The edges of the state being expanded.
    row: Vec<u64>,
    hashes: Vec<Hash>,
}

/// When to look at the clock, and when to call the watcher.
struct Pace {
    /// Work done since the clock was looked at.
    work: u64,
    /// The time when it was.
    looked: Instant,
    /// The time and the number of expansions at the last call, if there was one.
    called: Option<(Instant, u32)>,
}

impl<'o> Search<'o> {
    /// A search that has stored the initial states.
    pub(crate) fn start<S: Space>(
        space: &mut S,
        options: &'o Options,
    ) -> Result<Self, Failed<S::Fault>> {
        let mut search = Self::new(options);
        let mut initial = search.successors();
        if let Err(fault) = space.initial(&mut initial) {
            let exploration = Box::new(search.finish_as(false, None));
            return Err(Failed { fault, at: None, exploration });
        }
        search.stop = initial.cut_short().map(Stop::Exhausted);
        for (_, _, bytes) in initial.iter() {
            match search.store.insert_within(bytes, search.most_states) {
                Some((_, true)) => search.tree.push_initial(),
                Some((_, false)) => {}
                None => search.stop = Some(Stop::States),
            }
        }
        search.initial = search.store.len();
        Ok(search)
    }

    fn new(options: &'o Options) -> Self {
        let began = Instant::now();
        let capacity = u64::from(Store::CAPACITY);
        Self {
            options,
            began,
            most_states: options.states.map_or(capacity, |most| most.min(capacity)) as u32,
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
            stop: None,
            account: options.budget.account(),
            space_account: options.budget.account(),
            pace: Pace { work: WORK_PER_LOOK, looked: began, called: None },
            row: Vec::new(),
            hashes: Vec::new(),
        }
    }

    /// Goes on until all is done, a limit is passed, or it is to `pause`.
    pub(crate) fn advance<S: Space>(
        &mut self,
        space: &mut S,
        watch: &mut Watch,
        pause: impl Fn(&Self) -> bool,
    ) -> Result<(), S::Fault> {
        let mut successors = self.successors();
        while self.is_under_way() && !pause(self) {
            if self.pace.work >= WORK_PER_LOOK {
                self.count_space(space.allocated_bytes());
                self.look(watch);
            } else {
                self.ask();
            }
            if self.stop.is_some() {
                break;
            }
            let source = StateId(self.expanded);
            successors.clear();
            let standing = space.expand(self.store.get(source), &mut successors)?;
            self.absorb(source, standing, &successors);
            self.pace.work += successors.work();
        }
        Ok(())
    }

    /// Whether there is a state to expand, and nothing has ended the search.
    pub(crate) fn is_under_way(&self) -> bool {
        self.stop.is_none() && self.waiting() > 0
    }

    /// The number of states that are stored and not expanded.
    pub(crate) fn waiting(&self) -> u32 {
        self.store.len() - self.expanded
    }

    /// The time an expansion has taken so far, on average, in seconds.
    pub(crate) fn seconds_per_state(&self) -> f64 {
        let spent = self.pace.looked.duration_since(self.began).as_secs_f64();
        spent / f64::from(self.expanded.max(1))
    }

    /// Stores the successors of `source` and counts what leads to them.
    ///
    /// When a limit stops the run here, all that was found is still taken in as far as it can be,
    /// but `source` does not count as expanded.
    fn absorb(&mut self, source: StateId, standing: Standing, found: &Successors) {
        self.stop = found.cut_short().map(Stop::Exhausted);
        self.row.clear();
        self.hashes.clear();
        let growth = self.store.growth(found.len());
        if growth > 0 && !self.options.budget.allows(growth) {
            self.stop = Some(Stop::Exhausted(Exhausted::Memory));
            return;
        }
        self.hashes.extend(found.iter().map(|(_, _, bytes)| self.store.hash(bytes)));
        self.store.touch(&self.hashes);
        for ((label, modes, bytes), &hash) in found.iter().zip(&self.hashes) {
            self.modes = self.modes.saturating_add(modes);
            self.fired.add(label, modes);
            match self.store.insert_hashed(hash, bytes, self.most_states) {
                None => self.stop = Some(Stop::States),
                Some((target, new)) => {
                    if new {
                        self.tree.push(source, label);
                    }
                    self.row.push(pack(label, target));
                }
            }
        }
        self.row.sort_unstable();
        self.row.dedup();
        self.edges += self.row.len() as u64;
        if let Some(quotient) = &mut self.quotient {
            quotient.push_row(&self.row);
        }
        if self.stop.is_none() {
            self.expanded += 1;
            if found.is_empty() {
                self.note_final(source, standing);
            }
        }
        self.notice_label(source);
    }

    /// Notes an expanded state without successor.
    pub(crate) fn note_final(&mut self, source: StateId, standing: Standing) {
        let dead = match standing {
            Standing::Alive => &mut self.deadlocks,
            Standing::Ended => &mut self.terminated,
        };
        growth::push(dead, source);
    }

    /// Stops if the row, which is sorted, has the label looked for.
    fn notice_label(&mut self, source: StateId) {
        if let Some(label) = self.options.until_label {
            let mut edges = self.row.iter().map(|&edge| unpack(edge));
            if let Some((_, target)) = edges.find(|(other, _)| *other == label) {
                self.reached = Some(Reached { source, label, target });
                self.stop = Some(Stop::Label);
            }
        }
    }

    /// Says how many bytes the first space holds, unless its worker does so.
    pub(crate) fn count_space(&mut self, bytes: u64) {
        self.space_account.set(bytes);
    }

    /// A buffer for successors within the budget.
    pub(crate) fn successors(&self) -> Successors {
        Successors::within(&self.options.budget)
    }

    /// Stops if the budget is used up.
    #[inline]
    fn ask(&mut self) {
        if let Some(reason) = self.options.budget.exhausted() {
            self.stop = Some(Stop::Exhausted(reason));
        }
    }

    /// Says what is held, and calls the watcher when it is due; then asks whether to go on. To be called
    /// where there is a state to expand.
    pub(crate) fn look(&mut self, watch: &mut Watch) {
        let now = Instant::now();
        self.pace.work = 0;
        self.pace.looked = now;
        let due = self.pace.called.is_none_or(|(time, expanded)| {
            u64::from(self.expanded - expanded) >= EXPANSIONS_PER_CALL
                || now.duration_since(time) >= TIME_PER_CALL
        });
        if due {
            self.pace.called = Some((now, self.expanded));
            if (watch.progress)(&self.progress(now)) == Control::Interrupt {
                self.stop = Some(Stop::Exhausted(Exhausted::Interrupted));
                return;
            }
        }
        if self.review(watch) {
            self.stop = Some(Stop::Exhausted(Exhausted::Interrupted));
            return;
        }
        self.account.set(self.store.allocated_bytes() + self.search_bytes());
        self.ask();
    }

    /// Has what was found reviewed if it is time; whether to stop then.
    fn review(&self, watch: &mut Watch) -> bool {
        if self.store.len() < watch.due {
            return false;
        }
        watch.due = self.store.len().saturating_mul(2);
        let so_far = SoFar {
            store: &self.store,
            tree: &self.tree,
            expanded: self.expanded,
            quotient: self.quotient.as_ref(),
            deadlocks: &self.deadlocks,
            terminated: &self.terminated,
        };
        (watch.review)(&so_far) == Control::Interrupt
    }

    fn progress(&self, now: Instant) -> Progress {
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

    /// What is known when the state that is next has a fault.
    pub(crate) fn fail<F>(self, fault: F) -> Failed<F> {
        let at = Some(StateId(self.expanded));
        Failed { fault, at, exploration: Box::new(self.finish_as(false, None)) }
    }

    /// What is known now that the search is over.
    pub(crate) fn finish(self) -> Exploration {
        // A stop that leaves nothing to be done is none: every state is stored and expanded.
        let is_done = self.expanded == self.store.len();
        let reason = self.stop.filter(|&stop| stop != Stop::Label || !is_done);
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
