//! Waves: what the workers share, and what is done between their tasks.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock};
use std::time::Duration;

use budget::{Account, Exhausted, Instant};

use super::desk::Desk;
use super::numbering::Numbering;
use super::outbox::{HEAD, Outbox};
use super::{Task, is_worth_waking};
use crate::quotient::{Quotient, pack, unpack};
use crate::search::Search;
use crate::store::Records;
use crate::watch::Watch;
use crate::{Fired, Space, Standing, StateId};

/// No chunk is begun once this many bytes were found in a wave, for each worker, …
const BYTES_PER_WAVE: usize = 1 << 20;
/// … or it has taken this long.
const TIME_PER_WAVE: Duration = Duration::from_millis(20);
/// Before what was found in a wave of this many bytes is gathered, the budget is asked.
const LARGE_WAVE: usize = 4 << 20;
/// Each worker should find this many chunks in a wave, to be done at about the same time as the others.
const CHUNKS: usize = 8;
/// The new strings of a wave are put together in this number of parts for each worker.
const PARTS: usize = 4;
/// A chunk has at most this many states for each desk: with more desks, less belongs to each.
const STATES_PER_DESK: usize = 4;
/// On disk, the states of several waves are numbered together when what was found takes one in so many of the bytes
/// allowed, …
const GATHERED: u64 = 6;
/// … or, where no number is allowed, this many, …
const MOST_GATHERED: u64 = 1 << 29;
/// … or these are so many successors.
const MOST_SUCCESSORS: usize = 1 << 29;
/// A lock is poisoned only if a worker has panicked, and then the search panics too.
const ALIVE: &str = "no worker has panicked";

/// Where the workers meet.
pub(crate) struct Workshop<'s, 'o> {
    /// Looked at by all while they work, and changed in between.
    board: RwLock<Board<'s, 'o>>,
    /// Of each worker: what it has found.
    outboxes: Vec<RwLock<Outbox>>,
    /// Of each table: what is done there.
    desks: Vec<Mutex<Desk>>,
    /// The states below this number are taken by some worker.
    taken: AtomicU64,
    /// The number of bytes found in the wave.
    bytes: AtomicUsize,
    /// The desks below this number are taken by some worker.
    taken_desks: AtomicUsize,
    /// The new strings of the wave, in parts that are put together one by one.
    parts: Vec<Mutex<Records>>,
    /// The parts below this number are taken by some worker.
    taken_parts: AtomicUsize,
    /// Whether the results of the wave are to be discarded.
    is_unusual: AtomicBool,
}

struct Board<'s, 'o> {
    search: &'s mut Search<'o>,
    wave: Wave,
    gathered: Gathered,
    /// What a state took of the time of one worker in the last wave, in seconds.
    seconds_per_state: f64,
    /// The bytes that were found from a state in the last wave.
    bytes_per_state: f64,
    numbering: Numbering,
    /// What is gathered on the desks.
    account: Account,
}

/// The plan for a wave.
struct Wave {
    /// The number of workers that take part: all or one.
    workers: usize,
    states: Range<u32>,
    /// The number of states in a chunk.
    chunk: u32,
    began: Instant,
    /// No chunk is begun once this many bytes were found.
    most_bytes: usize,
}

/// What is known of states that were expanded since the last time that states were numbered.
#[derive(Default)]
struct Gathered {
    /// The number of these states.
    states: u32,
    /// The number of their successors.
    successors: usize,
    modes: u64,
    fired: Fired,
    /// Those without successor.
    finals: Vec<(StateId, Standing)>,
}

impl<'s, 'o> Workshop<'s, 'o> {
    /// For this many workers, on the store of the search.
    pub(crate) fn new(search: &'s mut Search<'o>, workers: usize) -> Self {
        search.count_space(0);
        let tables = search.found.store.tables();
        let budget = &search.options.budget;
        let outbox = |_| Outbox::new(search.successors(), budget.account(), tables);
        let outboxes = (0..workers).map(outbox);
        let outboxes = outboxes.map(RwLock::new).collect();
        let began = Instant::now();
        let board = Board {
            wave: Wave { workers, states: 0..0, chunk: 0, began, most_bytes: 0 },
            gathered: Gathered::default(),
            seconds_per_state: search.seconds_per_state(),
            // Nothing is known yet: better small chunks than large ones.
            bytes_per_state: BYTES_PER_WAVE as f64 / 256.0,
            numbering: Numbering::default(),
            account: budget.account(),
            search,
        };
        Workshop {
            board: RwLock::new(board),
            outboxes,
            desks: (0..tables).map(|_| Mutex::default()).collect(),
            taken: AtomicU64::new(0),
            bytes: AtomicUsize::new(0),
            taken_desks: AtomicUsize::new(0),
            parts: (0..PARTS * workers).map(|_| Mutex::default()).collect(),
            taken_parts: AtomicUsize::new(0),
            is_unusual: AtomicBool::new(false),
        }
    }

    /// Plans the next wave, and says whether all take part in it; `None` if the search is over, or the store
    /// all but full, or everything goes to disk.
    pub(crate) fn plan<S: Space>(&self, watch: &mut Watch, space: &S) -> Option<bool> {
        let board = &mut *self.board.write().expect(ALIVE);
        let search = &mut *board.search;
        let was_on_disk = search.is_on_disk();
        if search.is_under_way() {
            search.review(watch);
        }
        if search.is_under_way() {
            search.look(watch, space);
        }
        if !search.is_under_way() {
            return None;
        }
        search.spill();
        if search.is_on_disk() != was_on_disk || !search.is_under_way() {
            return None;
        }
        let all = self.outboxes.len();
        let is_shared = is_worth_waking(search, all, board.seconds_per_state);
        let workers = if is_shared { all } else { 1 };
        // What is found must have room in the store, and should not need much memory itself.
        let room = (search.most_states - search.found.store.len()) as usize;
        let memory = search.options.budget.memory_limit().unwrap_or(u64::MAX) / 16;
        let most_bytes = (workers * BYTES_PER_WAVE)
            .min(room.saturating_mul(HEAD))
            .min(usize::try_from(memory).unwrap_or(usize::MAX));
        if most_bytes == 0 {
            return None;
        }
        let first = search.next().0 + board.gathered.states;
        let last = search.found.store.len();
        let states = f64::from(last - first)
            .min(most_bytes as f64 / board.bytes_per_state)
            .min(TIME_PER_WAVE.as_secs_f64() * workers as f64 / board.seconds_per_state);
        let most = (STATES_PER_DESK * self.desks.len()) as f64;
        board.wave = Wave {
            workers,
            states: first..last,
            chunk: (states / (CHUNKS * workers) as f64).clamp(1.0, most) as u32,
            began: Instant::now(),
            most_bytes,
        };
        self.taken.store(first.into(), Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
        Some(is_shared)
    }

    /// Does a task, as far as there is anything to take.
    pub(crate) fn work<S: Space>(&self, task: Task, worker: usize, space: &mut S) {
        match task {
            Task::Expand => self.expand(worker, space),
            Task::Gather => self.gather(),
            Task::LookUp => self.for_each_desk(|board, at, desk| {
                desk.look_up(at, &board.search.found.store);
            }),
            Task::Enter => {
                self.for_each_desk(|board, _, desk| {
                    desk.enter(&board.search.found.store, &board.numbering);
                });
                self.put_together();
            }
        }
    }

    /// Expands states of the wave as long as there are any to take.
    fn expand<S: Space>(&self, worker: usize, space: &mut S) {
        let board = self.board.read().expect(ALIVE);
        let outbox = &mut *self.outboxes[worker].write().expect(ALIVE);
        outbox.clear();
        while let Some(states) = self.take(&board.wave) {
            let until_label = board.search.options.until_label;
            match outbox.expand(space, &board.search.found.store, states, until_label) {
                Some(bytes) => {
                    self.bytes.fetch_add(bytes, Ordering::Relaxed);
                }
                None => self.is_unusual.store(true, Ordering::Relaxed),
            }
        }
        outbox.count(space.allocated_bytes());
    }

    /// The next chunk of the wave. The chunks that are taken make up the front of the queue.
    fn take(&self, wave: &Wave) -> Option<Range<u32>> {
        if self.is_unusual.load(Ordering::Relaxed)
            || self.bytes.load(Ordering::Relaxed) >= wave.most_bytes
            || wave.began.elapsed() >= TIME_PER_WAVE
        {
            return None;
        }
        let start = self.taken.fetch_add(wave.chunk.into(), Ordering::Relaxed);
        let end = (start + u64::from(wave.chunk)).min(wave.states.end.into());
        (start < end).then_some(start as u32..end as u32)
    }

    /// Whether what was found in the wave can be gathered; otherwise it is to be discarded.
    pub(crate) fn hand_over(&self) -> bool {
        let board = &mut *self.board.write().expect(ALIVE);
        let states = &mut board.wave.states;
        states.end = self.taken.load(Ordering::Relaxed).min(states.end.into()) as u32;
        let found: usize = self.outboxes[..board.wave.workers]
            .iter()
            .map(|outbox| outbox.read().expect(ALIVE).len())
            .sum();
        let gathered: usize = self.desks().iter().map(|desk| desk.len()).sum();
        let search = &mut *board.search;
        let room = (search.most_states - search.found.store.len()) as usize;
        self.taken_desks.store(0, Ordering::Relaxed);
        // Few states may have very many bytes of successors, which are gathered and then stored.
        let bytes = self.bytes.load(Ordering::Relaxed);
        let has_memory = bytes < LARGE_WAVE
            || search.is_on_disk()
            || search.options.budget.allows(2 * bytes as u64);
        let is_usual =
            !self.is_unusual.load(Ordering::Relaxed) && gathered + found <= room && has_memory;
        // Nothing may have been expanded, where time has passed before the first chunk was taken.
        let needs_tables = !search.is_on_disk() && !board.wave.states.is_empty();
        is_usual && (!needs_tables || self.lend_tables(search, board.wave.workers))
    }

    /// Lends the tables to the desks, which find strings in them and add what is new; `false` if there is no memory
    /// for that.
    fn lend_tables(&self, search: &mut Search, workers: usize) -> bool {
        let outboxes = self.outboxes[..workers].iter();
        let outboxes: Vec<_> = outboxes.map(|outbox| outbox.read().expect(ALIVE)).collect();
        let found = |table: usize| outboxes.iter().map(|outbox| outbox.len_for(table)).sum();
        let store = &mut search.found.store;
        let has_room = store.make_room(found, &search.options.budget);
        if has_room {
            let lent = self.desks.iter().zip(store.lend_tables());
            lent.for_each(|(desk, table)| desk.lock().expect(ALIVE).table = Some(table));
        }
        // A search that ends here has used up its memory; one that has not goes to disk, or on one by one.
        search.is_short_of_memory |= !has_room;
        has_room
    }

    /// Whether the last wave was discarded only for want of room in the store.
    pub(crate) fn may_try_again(&self) -> bool {
        !self.is_unusual.load(Ordering::Relaxed)
    }

    /// Gathers what was found, as long as there are desks to take.
    fn gather(&self) {
        let board = self.board.read().expect(ALIVE);
        let outboxes = self.outboxes[..board.wave.workers].iter();
        let outboxes: Vec<_> = outboxes.map(|outbox| outbox.read().expect(ALIVE)).collect();
        let keep_edges = board.search.options.keep_edges;
        let before = board.gathered.successors as u32;
        while let Some((at, mut desk)) = self.take_desk() {
            desk.gather(at, &outboxes, before, &board.search.found.store, keep_edges);
        }
    }

    fn for_each_desk(&self, act: impl Fn(&Board<'s, 'o>, usize, &mut Desk)) {
        let board = self.board.read().expect(ALIVE);
        while let Some((at, mut desk)) = self.take_desk() {
            act(&board, at, &mut desk);
        }
    }

    /// The next desk that nobody has taken.
    fn take_desk(&self) -> Option<(usize, MutexGuard<'_, Desk>)> {
        let at = self.taken_desks.fetch_add(1, Ordering::Relaxed);
        self.desks.get(at).map(|desk| (at, desk.lock().expect(ALIVE)))
    }

    /// Counts what was found in the wave, and says whether states are to be numbered now.
    pub(crate) fn take_in(&self) -> bool {
        let Board { search, wave, gathered, seconds_per_state, bytes_per_state, account, .. } =
            &mut *self.board.write().expect(ALIVE);
        for outbox in &self.outboxes[..wave.workers] {
            let outbox = outbox.read().expect(ALIVE);
            gathered.finals.extend_from_slice(&outbox.finals);
            gathered.successors += outbox.len();
            gathered.modes = gathered.modes.saturating_add(outbox.modes);
            outbox.fired.iter().for_each(|(label, modes)| gathered.fired.add(label, modes));
        }
        gathered.states += wave.states.len() as u32;
        if !wave.states.is_empty() {
            let states = wave.states.len() as f64;
            *seconds_per_state = wave.began.elapsed().as_secs_f64() * wave.workers as f64 / states;
            *bytes_per_state = self.bytes.load(Ordering::Relaxed) as f64 / states;
        }
        let store = &search.found.store;
        if !store.is_on_disk() || wave.states.end == store.len() {
            return true;
        }
        let desks = self.desks();
        account.set(desks.iter().map(|desk| desk.allocated_bytes()).sum());
        let limit = search.options.budget.memory_limit();
        let most = limit.map_or(MOST_GATHERED, |limit| limit / GATHERED);
        let needed: u64 = desks.iter().map(|desk| desk.needed_bytes()).sum();
        needed >= most || gathered.successors >= MOST_SUCCESSORS
    }

    /// Whether strings are on disk.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.board.read().expect(ALIVE).search.is_on_disk()
    }

    /// Whether anything is gathered that is not numbered. The desks are free to be taken.
    pub(crate) fn has_gathered(&self) -> bool {
        self.taken_desks.store(0, Ordering::Relaxed);
        self.board.read().expect(ALIVE).gathered.states > 0
    }

    /// Puts the strings that are new in order. Those that are to go to disk are added to the store, and its tables lent
    /// out, so that they can be told; `false` if there is no
    /// memory for that, and what was gathered is discarded.
    #[inline(never)]
    pub(crate) fn number(&self) -> bool {
        let Board { search, gathered, numbering, .. } = &mut *self.board.write().expect(ALIVE);
        let mut desks = self.desks();
        let budget = &search.options.budget;
        let found = &mut search.found;
        let fresh = |table: usize| desks[table].fresh.len();
        if found.store.is_on_disk() && !found.store.make_room(fresh, budget) {
            desks.iter_mut().for_each(|desk| desk.clear());
            *gathered = Gathered::default();
            found.reason = Some(crate::Stop::Exhausted(Exhausted::Memory));
            return false;
        }
        let successors = gathered.successors;
        if found.store.is_on_disk() {
            numbering.number(successors, desks.iter().map(|desk| desk.looked_up()));
        } else {
            numbering.number(successors, desks.iter().map(|desk| desk.located()));
        }
        found.tree.extend(&numbering.steps);
        if found.store.is_on_disk() {
            let mut next = vec![0; desks.len()];
            for &at in &numbering.desks {
                let at = usize::from(at);
                let Desk { candidates, fresh, .. } = &*desks[at];
                found.store.push(candidates.get(fresh[next[at]]));
                next[at] += 1;
            }
            let lent = desks.iter_mut().zip(found.store.lend_tables());
            lent.for_each(|(desk, table)| desk.table = Some(table));
        }
        self.taken_desks.store(0, Ordering::Relaxed);
        self.taken_parts.store(0, Ordering::Relaxed);
        true
    }

    /// Puts the new strings together that are in memory, as long as there are parts of them to take.
    fn put_together(&self) {
        let board = self.board.read().expect(ALIVE);
        if board.search.is_on_disk() {
            return;
        }
        let outboxes = self.outboxes[..board.wave.workers].iter();
        let outboxes: Vec<_> = outboxes.map(|outbox| outbox.read().expect(ALIVE)).collect();
        let strings = &board.numbering.strings;
        loop {
            let at = self.taken_parts.fetch_add(1, Ordering::Relaxed);
            let Some(part) = self.parts.get(at) else { return };
            let bound = |at: usize| strings.len() * at / self.parts.len();
            let strings = strings[bound(at)..bound(at + 1)].iter();
            let strings = strings.map(|string| string.string(&outboxes));
            part.lock().expect(ALIVE).fill(strings, BYTES_PER_WAVE);
        }
    }

    /// Adds what was put together to the store, takes the tables back, and counts everything.
    #[inline(never)]
    pub(crate) fn settle(&self) {
        let Board { search, gathered, account, .. } = &mut *self.board.write().expect(ALIVE);
        let mut desks = self.desks();
        let found = &mut search.found;
        if !found.store.is_on_disk() {
            let parts = self.parts.iter().map(|part| part.lock().expect(ALIVE));
            parts.for_each(|part| found.store.append(&part));
        }
        found.store.take_back(desks.iter_mut().map(|desk| desk.table.take().expect("it was lent")));
        found.edges += desks.iter().map(|desk| desk.edges.count).sum::<u64>();
        let states = found.expanded as u32..found.expanded as u32 + gathered.states;
        if let Some(quotient) = &mut found.quotient {
            keep_rows(quotient, states.clone(), &desks);
        }
        let Gathered { modes, fired, mut finals, .. } = std::mem::take(gathered);
        found.modes = found.modes.saturating_add(modes);
        fired.iter().for_each(|(label, modes)| found.fired.add(label, modes));
        found.expanded = states.end.into();
        finals.sort_unstable_by_key(|&(state, _)| state);
        finals.iter().for_each(|&(state, standing)| search.note_final(state, standing));
        desks.iter_mut().for_each(|desk| desk.clear());
        if search.found.store.is_on_disk() {
            account.set(desks.iter().map(|desk| desk.allocated_bytes()).sum());
            search.spill();
        }
    }

    fn desks(&self) -> Vec<MutexGuard<'_, Desk>> {
        self.desks.iter().map(|desk| desk.lock().expect(ALIVE)).collect()
    }
}

/// Adds the rows of some states to the quotient. Each desk has the edges that lead to its strings, sorted by their
/// sources.
fn keep_rows(quotient: &mut Quotient, states: Range<u32>, desks: &[MutexGuard<'_, Desk>]) {
    let mut row = Vec::new();
    let mut edges: Vec<&[(StateId, u64)]> = desks.iter().map(|desk| &desk.edges.rows[..]).collect();
    for source in states.map(StateId) {
        row.clear();
        for (edges, desk) in edges.iter_mut().zip(desks) {
            while let Some((&(_, edge), rest)) =
                edges.split_first().filter(|((from, _), _)| *from == source)
            {
                let (label, target) = unpack(edge);
                let candidate =
                    target.0.checked_sub(desk.known).map(|candidate| candidate as usize);
                row.push(pack(label, candidate.map_or(target, |at| desk.numbers[at])));
                *edges = rest;
            }
        }
        row.sort_unstable();
        quotient.push_row(&row);
    }
}
