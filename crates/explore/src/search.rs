//! Breadth-first search.
//!
//! States are expanded in the order in which they were found, so a state's number tells its place
//! in the queue and the first way to a state is a shortest one. Per successor there is one lookup
//! in the store; per state its successors are sorted to count the distinct ones. Between expansions the
//! budget is checked; what is held is counted, and the watcher called, only after some hundred
//! successors.

use std::time::Duration;

use budget::{Account, Exhausted, Instant, Phase};

use crate::exploration::{Exploration, Failed, Reached, Stop};
use crate::parallel::advance_alone;
use crate::quotient::{Quotient, pack, unpack};
use crate::store::Hash;
use crate::watch::{Control, Watch};
use crate::{
    Fired, Journal, Options, Share, Space, Spill, Standing, StateId, Store, Successors, growth,
    successors,
};

/// The work (successors, expansions, and what it took to find them) between two looks at the clock.
const WORK_PER_LOOK: u64 = 256;
/// The successors and expansions between two questions whether there is to be a review. What it took to find them
/// may depend on what a space remembers, so it does not count here.
const STEPS_PER_REVIEW: u64 = 256;
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
    watch: &mut dyn FnMut(&Exploration) -> Control,
) -> Result<Exploration, Failed<S::Fault>> {
    let review = &mut |_: &_| Control::Continue;
    explored(space, options, &mut Watch::new(watch, review, None))
}

/// Explores what is reachable in `space`, as [`explore`] does, from where the journal was, and keeps in it what is
/// found.
///
/// # Errors
///
/// If the space finds a fault, with what was known up to then.
pub fn explore_kept<S: Space>(
    space: &mut S,
    options: &Options,
    journal: &mut Journal,
    watch: &mut dyn FnMut(&Exploration) -> Control,
) -> Result<Exploration, Failed<S::Fault>> {
    let review = &mut |_: &_| Control::Continue;
    explored(space, options, &mut Watch::new(watch, review, Some(journal)))
}

fn explored<S: Space>(
    space: &mut S,
    options: &Options,
    watch: &mut Watch,
) -> Result<Exploration, Failed<S::Fault>> {
    let mut search = Search::start(space, options, 1, watch)?;
    let mut advanced = search.advance(space, watch, Search::is_on_disk);
    if advanced.is_ok() && search.is_under_way() {
        advance_alone(&mut search, space, watch);
        advanced = search.advance(space, watch, |_| false);
    }
    search.end(advanced, space, watch)
}

/// A search under way.
pub(crate) struct Search<'o> {
    pub(crate) options: &'o Options,
    /// What was found so far. It has a reason once the search is over.
    pub(crate) found: Exploration,
    /// The number of threads.
    workers: usize,
    /// Whether there was no memory for something that was wanted.
    pub(crate) is_short_of_memory: bool,
    began: Instant,
    /// The time it took before, in seconds, if it goes on.
    earlier: f64,
    pub(crate) most_states: u32,
    /// What store and search hold.
    account: Account,
    /// What the first space holds.
    space_account: Account,
    pace: Pace,
    /// The edges of the state being expanded.
    row: Vec<u64>,
    hashes: Vec<Hash>,
    /// What was known before the last expansion, if a limit has cut it short.
    before: Option<Before>,
}

/// What an expansion changes even if it is cut short.
struct Before {
    states: u32,
    edges: u64,
    modes: u64,
    fired: Fired,
}

/// What is known of the expanded states, and of no other.
pub(crate) struct Cut<'c> {
    /// The number of states.
    pub(crate) states: u32,
    pub(crate) edges: u64,
    pub(crate) modes: u64,
    pub(crate) fired: &'c Fired,
}

/// When to look at the clock, and when to call the watcher.
struct Pace {
    /// Work done since the clock was looked at.
    work: u64,
    /// Successors and expansions since it was asked whether there is to be a review.
    steps: u64,
    /// The time when it was.
    looked: Instant,
    /// The time and the number of expansions at the last call, if there was one.
    called: Option<(Instant, u64)>,
}

impl<'o> Search<'o> {
    /// A search that has stored the initial states, or goes on from where the journal was.
    pub(crate) fn start<S: Space>(
        space: &mut S,
        options: &'o Options,
        workers: usize,
        watch: &mut Watch,
    ) -> Result<Self, Failed<S::Fault>> {
        let mut search = Self::new(options, workers);
        let journal = watch.journal.as_deref_mut();
        if let Some(restored) = journal.and_then(|journal| journal.restored.take()) {
            search.earlier = restored.found.seconds;
            search.found = restored.found;
            search.pace.steps = restored.steps;
            // More may be there than is allowed now.
            search.most_states = search.most_states.max(search.found.store.len());
            return Ok(search);
        }
        let mut initial = search.successors();
        if let Err(fault) = space.initial(&mut initial) {
            let exploration = Box::new(search.finish_as(false, None));
            return Err(Failed { fault, at: None, exploration });
        }
        let found = &mut search.found;
        found.reason = initial.cut_short().map(Stop::Exhausted);
        for (_, _, bytes) in initial.iter() {
            match found.store.insert_within(bytes, search.most_states) {
                Some((_, true)) => found.tree.push_initial(),
                Some((_, false)) => {}
                None => found.reason = Some(Stop::States),
            }
        }
        found.initial = found.store.len();
        Ok(search)
    }

    fn new(options: &'o Options, workers: usize) -> Self {
        let began = Instant::now();
        let capacity = u64::from(Store::CAPACITY);
        Self {
            options,
            found: Exploration {
                store: options.hash_bits.map_or_else(Store::new, Store::with_hash_bits),
                quotient: options.keep_edges.then(Quotient::default),
                ..Exploration::default()
            },
            workers,
            is_short_of_memory: false,
            began,
            earlier: 0.0,
            most_states: options.states.map_or(capacity, |most| most.min(capacity)) as u32,
            account: options.budget.account(),
            space_account: options.budget.account(),
            pace: Pace { work: WORK_PER_LOOK, steps: 0, looked: began, called: None },
            row: Vec::new(),
            hashes: Vec::new(),
            before: None,
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
            if self.pace.steps >= STEPS_PER_REVIEW {
                self.review(watch);
            } else if self.pace.work >= WORK_PER_LOOK {
                self.count_space(space.allocated_bytes());
                self.look(watch, space);
            } else {
                self.ask();
            }
            if self.found.reason.is_some() {
                break;
            }
            let source = self.next();
            successors.clear();
            let standing = space.expand(self.found.store.get(source), &mut successors)?;
            if watch.journal.is_some() {
                self.note_before(&successors);
            }
            self.absorb(source, standing, &successors);
            // What was cut short will be done again, should the search go on.
            if self.found.reason.is_none() {
                self.pace.work += successors.work();
                self.pace.steps += successors.len() as u64 + 1;
            }
        }
        Ok(())
    }

    /// Whether there is a state to expand, and nothing has ended the search.
    pub(crate) fn is_under_way(&self) -> bool {
        self.found.reason.is_none() && self.found.waiting() > 0
    }

    /// The state that is next to be expanded.
    pub(crate) fn next(&self) -> StateId {
        StateId(self.found.expanded as u32)
    }

    /// The time an expansion has taken so far, on average, in seconds.
    pub(crate) fn seconds_per_state(&self) -> f64 {
        let spent = self.pace.looked.duration_since(self.began).as_secs_f64();
        (self.earlier + spent) / self.found.expanded.max(1) as f64
    }

    /// Notes what is known before an expansion, if a limit may cut it short.
    fn note_before(&mut self, successors: &Successors) {
        let found = &self.found;
        let room = (self.most_states - found.store.len()) as usize;
        let may_be_cut = successors.cut_short().is_some() || successors.len() > room;
        self.before = may_be_cut.then(|| Before {
            states: found.store.len(),
            edges: found.edges,
            modes: found.modes,
            fired: found.fired.clone(),
        });
    }

    /// What is known of the expanded states alone. Where a limit cut an expansion short, what was found in it does
    /// not count.
    fn cut(&self) -> Cut<'_> {
        let found = &self.found;
        match &self.before {
            Some(Before { states, edges, modes, fired }) => {
                Cut { states: *states, edges: *edges, modes: *modes, fired }
            }
            None => Cut {
                states: found.store.len(),
                edges: found.edges,
                modes: found.modes,
                fired: &found.fired,
            },
        }
    }

    /// Keeps what was found in the journal, if there is one.
    fn keep<S: Space>(&mut self, watch: &mut Watch, space: &S) {
        let Some(journal) = &mut watch.journal else { return };
        self.found.seconds = self.earlier + self.began.elapsed().as_secs_f64();
        let _under = self.options.budget.progress().during(Phase::Keeping);
        journal.save(&self.found, &self.cut(), self.pace.steps, space);
    }

    /// Stores the successors of `source` and counts what leads to them.
    ///
    /// When a limit stops the run here, all that was found is still stored as far as possible,
    /// but `source` does not count as expanded.
    fn absorb(&mut self, source: StateId, standing: Standing, successors: &Successors) {
        let Search { found, options, workers, account, .. } = self;
        // One state may have so many successors that they have no room beside the buffer that they are in.
        let bytes = successors.bytes_to_store();
        let fits = bytes < successors::LARGE
            || options.spill.is_some()
            || options.budget.allows(bytes as u64);
        if !fits || !found.make_room(successors.len(), options, *workers, account) {
            found.reason = Some(Stop::Exhausted(Exhausted::Memory));
            return;
        }
        let Search { found, most_states, row, hashes, .. } = self;
        found.reason = successors.cut_short().map(Stop::Exhausted);
        row.clear();
        hashes.clear();
        hashes.extend(successors.iter().map(|(_, _, bytes)| found.store.hash(bytes)));
        found.store.touch(hashes);
        for ((label, modes, bytes), &hash) in successors.iter().zip(&*hashes) {
            found.modes = found.modes.saturating_add(modes);
            found.fired.add(label, modes);
            match found.store.insert_hashed(hash, bytes, *most_states) {
                None => found.reason = Some(Stop::States),
                Some((target, new)) => {
                    if new {
                        found.tree.push(source, label);
                    }
                    row.push(pack(label, target));
                }
            }
        }
        row.sort_unstable();
        row.dedup();
        found.edges += row.len() as u64;
        if let Some(quotient) = &mut found.quotient {
            quotient.push_row(row);
        }
        if found.reason.is_none() {
            found.expanded += 1;
            self.before = None;
            if successors.is_empty() {
                self.note_final(source, standing);
            }
        }
        self.notice_label(source);
    }

    /// Notes an expanded state without successor.
    pub(crate) fn note_final(&mut self, source: StateId, standing: Standing) {
        let dead = match standing {
            Standing::Alive => &mut self.found.deadlocks,
            Standing::Ended => &mut self.found.terminated,
        };
        growth::push(dead, source);
    }

    /// Stops if the row, which is sorted, has the label looked for.
    fn notice_label(&mut self, source: StateId) {
        if let Some(label) = self.options.until_label {
            let mut edges = self.row.iter().map(|&edge| unpack(edge));
            if let Some((_, target)) = edges.find(|(other, _)| *other == label) {
                self.found.reached = Some(Reached { source, label, target });
                self.found.reason = Some(Stop::Label);
            }
        }
    }

    /// Whether what was found is on disk.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.found.store.is_on_disk()
    }

    /// Puts what was found on disk, if memory is short and there is a disk.
    pub(crate) fn spill(&mut self) {
        let Search { options, found, workers, is_short_of_memory, account, .. } = self;
        let Some(spill) = &options.spill else { return };
        let now = Spill { share: Share::Nothing, ..spill.clone() };
        let spill = if std::mem::take(is_short_of_memory) { &now } else { spill };
        if !found.spill(spill, *workers, &options.budget, account) {
            found.reason = Some(Stop::Exhausted(Exhausted::Memory));
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
            self.found.reason = Some(Stop::Exhausted(reason));
        }
    }

    /// Keeps what was found and calls the watcher when these are due, and says what is held; then asks whether to
    /// go on. To be called where there is a state to expand.
    pub(crate) fn look<S: Space>(&mut self, watch: &mut Watch, space: &S) {
        let now = Instant::now();
        self.pace.work = 0;
        if watch.journal.as_ref().is_some_and(|journal| journal.is_due(now)) {
            self.keep(watch, space);
        }
        self.pace.looked = now;
        let due = self.pace.called.is_none_or(|(time, expanded)| {
            self.found.expanded - expanded >= EXPANSIONS_PER_CALL
                || now.duration_since(time) >= TIME_PER_CALL
        });
        let mut control = Control::Continue;
        if due {
            self.pace.called = Some((now, self.found.expanded));
            self.found.seconds = self.earlier + now.duration_since(self.began).as_secs_f64();
            control = (watch.progress)(&self.found);
            self.spill();
        }
        if control == Control::Interrupt {
            self.interrupt();
        }
        self.account.set(self.found.held_bytes() + growth::allocated(&self.row));
        if self.found.reason.is_none() {
            self.ask();
        }
    }

    /// Has what was found reviewed when that is due. A review that ends the search is made again by whoever goes on.
    pub(crate) fn review(&mut self, watch: &mut Watch) {
        if self.found.is_review_due() {
            if (watch.review)(&self.found) == Control::Interrupt {
                self.pace.steps = STEPS_PER_REVIEW;
                return self.interrupt();
            }
            self.found.reviews.push(self.found.store.len());
        }
        self.pace.steps = 0;
    }

    /// Ends the search for one who watches.
    fn interrupt(&mut self) {
        // Who watches may have stopped because time or memory are used up.
        let why = self.options.budget.exhausted().unwrap_or(Exhausted::Interrupted);
        self.found.reason = Some(Stop::Exhausted(why));
    }

    /// What is known now that the search has ended, which is kept in the journal if there is one.
    pub(crate) fn end<S: Space>(
        mut self,
        advanced: Result<(), S::Fault>,
        space: &S,
        watch: &mut Watch,
    ) -> Result<Exploration, Failed<S::Fault>> {
        // Whoever goes on after the label looked for was found is to find it again.
        if self.found.reason != Some(Stop::Label) {
            self.keep(watch, space);
        }
        match advanced {
            Ok(()) => Ok(self.finish()),
            Err(fault) => Err(self.fail(fault)),
        }
    }

    /// What is known when the state that is next has a fault.
    fn fail<F>(self, fault: F) -> Failed<F> {
        let at = Some(self.next());
        Failed { fault, at, exploration: Box::new(self.finish_as(false, None)) }
    }

    /// What is known now that the search is over.
    fn finish(self) -> Exploration {
        // A stop that leaves nothing to do does not count: every state is stored and expanded.
        let is_done = self.found.waiting() == 0;
        let reason = self.found.reason.filter(|&stop| stop != Stop::Label || !is_done);
        self.finish_as(reason.is_none(), reason)
    }

    fn finish_as(self, complete: bool, reason: Option<Stop>) -> Exploration {
        let mut found = self.found;
        let seconds = self.earlier + self.began.elapsed().as_secs_f64();
        if let Some(quotient) = &mut found.quotient {
            quotient.finish(found.store.len() as usize);
        }
        Exploration { complete, reason, seconds, ..found }
    }
}
