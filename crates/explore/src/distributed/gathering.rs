//! The whole graph, gathered by the first worker.
//!
//! Level by level, every worker sends its states of a level and the steps into its states out of the level before. The
//! first worker stores the states and gives them numbers as a search would that takes up the steps of each state by
//! their labels and, among those with the same label, by the states they lead to. So numbers, tree and edges depend on
//! the model alone, not on the number of processes, or on time. What is known is an [`Exploration`] like any other.
//!
//! Cost: 4 bytes a state beside that exploration, and one level of states and steps. What is under way stays bounded
//! as in the search. Where steps are not kept, which is so after going on from a checkpoint, the level is expanded
//! again, by all.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use budget::{Account, Budget, Exhausted};

use super::coding::portable;
use super::network::{Lost, Mailbox, exchange};
use super::outgoing::{GATHERED_FINALS, GATHERED_STATES, GATHERED_STEPS, ROWS};
use super::report::{decoded, encoded};
use super::search::{DistributedSearch, ToldFired, add_fired, lock, told_fired, understood};
use super::steps::{KeptStep, Steps};
use super::worker::Worker;
use crate::quotient::{Quotient, pack};
use crate::{Exploration, Fired, Space, StateId, Stop, Successors, growth, varint};

/// What is gathered of a graph. On the process that has the first worker it becomes all of it; on others it stays empty.
#[derive(Clone, Default)]
pub struct Gathered {
    inner: Arc<Mutex<Gathering>>,
}

impl Gathered {
    /// Looks at what is gathered.
    pub fn look<T>(&self, look: impl FnOnce(&Exploration) -> T) -> T {
        look(&lock(&self.inner).found)
    }

    /// What is gathered.
    #[must_use]
    pub fn into_exploration(self) -> Exploration {
        std::mem::take(&mut lock(&self.inner).found)
    }
}

/// A number that no state has.
const NONE: u32 = u32::MAX;

#[derive(Default)]
struct Gathering {
    found: Exploration,
    /// Of each worker: the numbers here of its states.
    numbers: Vec<Vec<u32>>,
    account: Option<Account>,
}

/// A step on its way into the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    /// The number of the source, of its worker until it is known here.
    source: u32,
    label: u32,
    /// The worker that has the target, and the number of the target there.
    worker: u32,
    target: u32,
    source_worker: u32,
}

/// What the labels of workers are, where they get their numbers as they are met. Their order is that of their names.
struct Labels {
    /// Of each worker and label: the place of its name among all.
    ranks: Vec<Vec<u32>>,
    /// The numbers here, by these places. None where labels have no names.
    numbers: Vec<u32>,
}

impl Labels {
    fn rank(&self, worker: u32, label: u32) -> u32 {
        let named = || self.ranks[worker as usize][label as usize];
        if self.numbers.is_empty() { label } else { named() }
    }

    fn number(&self, rank: u32) -> u32 {
        self.numbers.get(rank as usize).copied().unwrap_or(rank)
    }
}

/// What workers have sent of a level.
#[derive(Default)]
pub(super) struct GatheredLevel {
    /// Of each worker: its states.
    states: Vec<Strings>,
    links: Vec<Link>,
    /// The states without successor: worker, number, and whether everything has ended.
    finals: Vec<(u32, u32, bool)>,
    budget: Option<Budget>,
    /// Why something was dropped.
    shortage: Option<Exhausted>,
}

#[derive(Default)]
struct Strings {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Strings {
    fn get(&self, at: usize) -> &[u8] {
        &self.bytes[at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]]
    }
}

/// One in so many of the bytes allowed is left to the search.
const LEFT: u64 = 8;

/// Why there is no room for more. Time does not count: what was found is worth little if it cannot be looked at.
fn shortage(budget: &Budget) -> Option<Exhausted> {
    match budget.exhausted() {
        Some(why @ (Exhausted::Interrupted | Exhausted::Memory)) => Some(why),
        _ => {
            let left = budget.memory_limit().unwrap_or(0) / LEFT;
            (!budget.allows(left)).then_some(Exhausted::Memory)
        }
    }
}

impl GatheredLevel {
    fn begun(workers: usize, budget: &Budget) -> GatheredLevel {
        let mut level = GatheredLevel { budget: Some(budget.clone()), ..GatheredLevel::default() };
        level.states.resize_with(workers, Strings::default);
        level
    }

    /// Whether there is room for what comes in a parcel. Once there was none, whatever comes is dropped, and so is the
    /// level, also if there is room again. Takes a few microseconds.
    pub(super) fn has_room(&mut self) -> bool {
        self.shortage = self.shortage.or_else(|| shortage(self.budget.as_ref()?));
        self.shortage.is_none()
    }

    /// Takes a state, for which there is room.
    pub(super) fn take_state(&mut self, from: usize, string: &[u8]) {
        let Strings { bytes, ends } = &mut self.states[from];
        growth::extend(bytes, string);
        growth::push(ends, bytes.len());
    }

    /// Takes steps, or states without successor.
    pub(super) fn take_numbers(&mut self, kind: u8, from: usize, mut parcel: &[u8]) {
        if !self.has_room() {
            return;
        }
        let worker = from as u32;
        let parcel = &mut parcel;
        while !parcel.is_empty() {
            if kind == GATHERED_FINALS {
                let number = varint::read(parcel);
                self.finals.push((worker, (number >> 1) as u32, number & 1 == 1));
                continue;
            }
            let [source_worker, source, label, target] =
                [(); 4].map(|()| varint::read(parcel) as u32);
            let link = Link { source, label, worker, target, source_worker };
            growth::push(&mut self.links, link);
        }
    }

    pub(super) fn allocated_bytes(&self) -> u64 {
        let of = |s: &Strings| s.bytes.capacity() as u64 + growth::allocated(&s.ends);
        self.states.iter().map(of).sum::<u64>() + growth::allocated(&self.links)
    }
}

impl Gathering {
    /// Adds the first level, in the order in which the space gives it.
    fn add_initial<S: Space>(&mut self, space: &mut S, level: &GatheredLevel, budget: &Budget) {
        self.found.quotient = Some(Quotient::default());
        self.account = Some(budget.account());
        self.numbers = level.states.iter().map(|states| vec![NONE; states.ends.len()]).collect();
        let mut owners: HashMap<&[u8], (usize, usize)> = HashMap::new();
        for (worker, states) in level.states.iter().enumerate() {
            owners.extend((0..states.ends.len()).map(|at| (states.get(at), (worker, at))));
        }
        let mut initial = Successors::within(budget);
        // That it has no fault is known from the search.
        let _ = space.initial(&mut initial);
        for (_, _, string) in initial.iter() {
            let Some(&(worker, at)) = owners.get(string) else { continue };
            let (id, is_new) = self.found.store.insert(string);
            if is_new {
                self.found.tree.push_initial();
                self.numbers[worker][at] = id.0;
            }
        }
        self.found.initial = self.found.store.len();
    }

    /// Adds a level of states, and the steps out of the level before.
    fn add<S: Space>(&mut self, space: &mut S, labels: &Labels, level: &mut GatheredLevel) {
        let sources = self.found.expanded as u32..self.found.store.len();
        let starts: Vec<usize> = self.numbers.iter().map(Vec::len).collect();
        for (numbers, states) in self.numbers.iter_mut().zip(&level.states) {
            growth::reserve(numbers, states.ends.len());
            numbers.resize(numbers.len() + states.ends.len(), NONE);
        }
        for link in &mut level.links {
            link.source = self.numbers[link.source_worker as usize][link.source as usize];
            link.label = labels.rank(link.source_worker, link.label);
            link.source_worker = 0;
        }
        level.links.sort_unstable();
        level.links.iter_mut().for_each(|link| link.label = labels.number(link.label));
        let mut links = &level.links[..];
        let mut row = Vec::new();
        for source in sources {
            let count = links.partition_point(|link| link.source <= source);
            let (of_source, rest) = links.split_at(count);
            links = rest;
            row.clear();
            for alike in of_source.chunk_by(|a, b| a.label == b.label) {
                self.number(alike, space, &level.states, &starts);
                let numbers = &self.numbers;
                let target = |link: &Link| numbers[link.worker as usize][link.target as usize];
                row.extend(alike.iter().map(|link| pack(link.label, StateId(target(link)))));
            }
            row.sort_unstable();
            row.dedup();
            self.found.edges += row.len() as u64;
            self.found.quotient.as_mut().expect("there is one").push_row(&row);
            self.found.expanded += 1;
        }
        let total: usize = self.numbers.iter().map(Vec::len).sum();
        assert_eq!(total as u64, self.found.states(), "a step leads to each state");
        self.add_finals(&level.finals);
    }

    /// Gives numbers to the states that steps of one source and label lead to for the first time.
    fn number<S: Space>(
        &mut self,
        alike: &[Link],
        space: &mut S,
        states: &[Strings],
        starts: &[usize],
    ) {
        let Gathering { found, numbers, .. } = self;
        let is_new = |l: &&Link| numbers[l.worker as usize][l.target as usize] == NONE;
        let mut new: Vec<&Link> = alike.iter().filter(is_new).collect();
        new.dedup();
        let string = |link: &Link| {
            let worker = link.worker as usize;
            states[worker].get(link.target as usize - starts[worker])
        };
        if new.len() > 1 {
            // Imprints decide most, and are known at once.
            new.sort_by_cached_key(|link| space.imprint(string(link)));
            let mut at = 0;
            while at < new.len() {
                let imprint = space.imprint(string(new[at]));
                let alike = new[at..].iter();
                let count = { alike }.take_while(|l| space.imprint(string(l)) == imprint).count();
                if count > 1 {
                    new[at..at + count].sort_by_cached_key(|link| portable(space, string(link)));
                }
                at += count;
            }
        }
        for link in new {
            let (id, is_new) = found.store.insert(string(link));
            assert!(is_new, "a state has one owner");
            found.tree.push(StateId(link.source), link.label);
            numbers[link.worker as usize][link.target as usize] = id.0;
        }
    }

    fn add_finals(&mut self, finals: &[(u32, u32, bool)]) {
        let Gathering { found, numbers, .. } = self;
        let before = (found.deadlocks.len(), found.terminated.len());
        for &(worker, number, has_ended) in finals {
            let list = if has_ended { &mut found.terminated } else { &mut found.deadlocks };
            growth::push(list, StateId(numbers[worker as usize][number as usize]));
        }
        found.deadlocks[before.0..].sort_unstable();
        found.terminated[before.1..].sort_unstable();
    }

    fn held_bytes(&self) -> u64 {
        let numbers = self.numbers.iter().map(growth::allocated).sum::<u64>();
        self.found.held_bytes() + numbers
    }
}

impl<S: Space<Fault: 'static> + Send + 'static> DistributedSearch<S> {
    /// Has the first worker gather the graph, as far as levels are complete and not gathered yet. All processes call
    /// it, and get to know why not all was gathered, if so. Where memory is too small, nothing is gathered any more, and
    /// what was is given up, before the search has to end.
    ///
    /// # Errors
    ///
    /// If a process or a worker is gone.
    ///
    /// # Panics
    ///
    /// If edges are not kept, or have been given up.
    pub fn gather(&self, into: &Gathered) -> Result<Option<Exhausted>, Lost> {
        let cut: Arc<Mutex<Option<Stop>>> = Arc::default();
        let (shared, why) = (into.inner.clone(), cut.clone());
        self.each(&mut || {}, move |number, worker, mailbox| {
            assert!(worker.keeps_steps, "edges are kept");
            let stop = worker.hand_over_all(&shared, mailbox)?;
            if number == 0 {
                *lock(&why) = stop;
            }
            Ok(())
        })?;
        let stop = lock(&cut).take();
        let totals = self.totals();
        let mut gathering = lock(&into.inner);
        if stop == Some(Stop::Exhausted(Exhausted::Memory)) {
            *gathering = Gathering::default();
        }
        let found = &mut gathering.found;
        found.complete = totals.complete && stop.is_none();
        found.reason = totals.reason.or(stop);
        found.seconds = self.seconds();
        Ok(match stop {
            Some(Stop::Exhausted(why)) => Some(why),
            _ => None,
        })
    }

    /// Forgets the states of this process, where they are needed no more since they are gathered.
    pub fn forget(&self) {
        self.workers.iter().for_each(|worker| lock(worker).forget());
    }
}

impl<S: Space> Worker<S> {
    /// Hands over all levels that are complete, and says why not all were taken, if so.
    fn hand_over_all(
        &mut self,
        gathering: &Mutex<Gathering>,
        mailbox: &mut dyn Mailbox,
    ) -> Result<Option<Stop>, Lost> {
        let is_cut = self.has_cut_level();
        let levels = (self.portion.ends.len() - usize::from(is_cut)) as u32;
        let is_first = self.place.index == 0;
        let labels = self.labels(mailbox)?;
        let mut stop = None;
        while stop.is_none() && self.handed_over < levels {
            let level = self.handed_over;
            if is_first {
                self.intake.gathered =
                    GatheredLevel::begun(self.place.workers, &self.options.budget);
            }
            let cut = self.hand_over(level, mailbox)?;
            self.intake.gathered.has_room();
            let short = cut.or(self.intake.gathered.shortage);
            let said = short.map(|why| encoded(Stop::Exhausted(why)));
            let said = exchange(mailbox, said.as_slice())?;
            stop = said.iter().flatten().min().map(|code| decoded(*code));
            if stop.is_none() {
                self.handed_over += 1;
                self.portion.steps.forget_before(level);
                if is_first {
                    self.take_level(level, &labels, &mut lock(gathering));
                }
            }
            self.intake.gathered = GatheredLevel::default();
        }
        if stop == Some(Stop::Exhausted(Exhausted::Memory)) {
            self.keep_no_steps();
        }
        let counts = self.counts(is_cut);
        let fired = told_fired(&counts.fired, &self.space);
        let said = serde_json::to_vec(&(counts.edges, counts.modes, fired)).expect("numbers");
        let all = exchange(mailbox, &said)?;
        if is_first && stop.is_none() {
            let found = &mut lock(gathering).found;
            (found.modes, found.fired) = (0, Fired::default());
            let mut edges = 0;
            for said in all {
                let (more, modes, fired): (u64, u64, Vec<ToldFired>) = understood(&said)?;
                edges += more;
                found.modes = found.modes.saturating_add(modes);
                add_fired(fired, &mut found.fired, &mut self.space);
            }
            assert_eq!(found.edges, edges, "as many edges as were counted");
        }
        Ok(stop)
    }

    /// What labels are here, where they have names. All workers tell theirs.
    fn labels(&mut self, mailbox: &mut dyn Mailbox) -> Result<Labels, Lost> {
        let names = (0..).map_while(|label| self.space.label_name(label));
        let names: Vec<String> = names.map(|name| name.to_string()).collect();
        let all = exchange(mailbox, &serde_json::to_vec(&names).expect("texts"))?;
        let all: Result<Vec<Vec<String>>, Lost> = all.iter().map(|said| understood(said)).collect();
        let all = all?;
        let mut ranked: Vec<&String> = all.iter().flatten().collect();
        ranked.sort_unstable();
        ranked.dedup();
        let rank = |name: &String| ranked.binary_search(&name).expect("it is one of them") as u32;
        Ok(Labels {
            ranks: all.iter().map(|names| names.iter().map(rank).collect()).collect(),
            numbers: ranked.iter().map(|name| self.space.label(name)).collect(),
        })
    }

    /// Forgets all steps, and keeps none from now on.
    fn keep_no_steps(&mut self) {
        self.keeps_steps = false;
        self.portion.steps = Steps::default();
    }

    /// Sends what the first worker gathers of a level. Says why steps are missing, if there was no time to find them
    /// again.
    fn hand_over(
        &mut self,
        level: u32,
        mailbox: &mut dyn Mailbox,
    ) -> Result<Option<Exhausted>, Lost> {
        let before = level.checked_sub(1);
        let mut kept: Option<Steps> = None;
        let mut cut = None;
        if let Some(before) = before.filter(|before| !self.portion.steps.has(*before)) {
            let mut steps = Steps::default();
            steps.begin_at(before);
            kept = Some(std::mem::replace(&mut self.portion.steps, steps));
            cut = self.expand_again(before, mailbox)?;
            self.portion.steps.end_level();
        }
        let mut pace = self.begin_epoch(mailbox);
        self.outgoing.send_as(GATHERED_STATES, mailbox);
        for id in self.portion.level(level).map(StateId) {
            let Worker { space, portion, place, outgoing, .. } = self;
            outgoing.send_state(*place, space, 0, portion.found.store.get(id), mailbox);
            self.step_on(&mut pace, mailbox)?;
        }
        if let Some(before) = before {
            self.outgoing.send_as(GATHERED_STEPS, mailbox);
            for at in 0..self.portion.steps.out_of(before).len() {
                let KeptStep { worker, source, label, target } =
                    self.portion.steps.out_of(before)[at];
                self.outgoing.send_numbers(0, &[worker, source, label, target], mailbox);
                self.step_on(&mut pace, mailbox)?;
            }
            self.outgoing.send_as(GATHERED_FINALS, mailbox);
            let level = self.portion.level(before);
            let found = &self.portion.found;
            for (list, bit) in [(&found.deadlocks, 0), (&found.terminated, 1)] {
                for id in among(list, &level) {
                    self.outgoing.send_numbers(0, &[id.0 << 1 | bit], mailbox);
                }
            }
        }
        self.outgoing.send_as(ROWS, mailbox);
        if let Some(kept) = kept {
            self.portion.steps = kept;
        }
        self.end_epoch(&pace, u64::MAX, mailbox)?;
        Ok(cut)
    }

    /// Adds a level to what is gathered.
    fn take_level(&mut self, level: u32, labels: &Labels, gathering: &mut Gathering) {
        let mut gathered = std::mem::take(&mut self.intake.gathered);
        let budget = &self.options.budget;
        match level {
            0 => gathering.add_initial(&mut self.space, &gathered, budget),
            _ => gathering.add(&mut self.space, labels, &mut gathered),
        }
        let found = &mut gathering.found;
        let states = found.store.len() as usize;
        if let Some(quotient) = &mut found.quotient {
            quotient.finish(states);
        }
        let held = gathering.held_bytes();
        if let Some(account) = &mut gathering.account {
            account.set(held);
        }
    }
}

/// Those of a list of states, which is sorted, that are in a level.
fn among<'l>(list: &'l [StateId], level: &Range<u32>) -> &'l [StateId] {
    let at = |end: u32| list.partition_point(|id| id.0 < end);
    &list[at(level.start)..at(level.end)]
}
