//! Waves: what the workers share, and what is done between their tasks.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};
use std::time::Duration;

use budget::Instant;

use super::desk::Desk;
use super::is_worth_waking;
use super::numbering::Numbering;
use super::outbox::{HEAD, Outbox};
use crate::quotient::{Quotient, pack, unpack};
use crate::search::Search;
use crate::watch::Watch;
use crate::{Space, StateId, Store};

/// No chunk is begun once this many bytes were found in a wave, for each worker, …
const BYTES_PER_WAVE: usize = 1 << 20;
/// … or it has taken this long.
const TIME_PER_WAVE: Duration = Duration::from_millis(20);
/// Each worker should find this many chunks in a wave, to be done at about the same time as the others.
const CHUNKS: usize = 8;
/// A chunk has at most this many states for each shard: with more shards, less belongs to each.
const STATES_PER_SHARD: usize = 4;
/// A lock is poisoned only if a worker has panicked, and then the search panics too.
const ALIVE: &str = "no worker has panicked";

/// Where the workers meet.
pub(crate) struct Workshop<'s, 'o> {
    /// Looked at by all while they work, and changed in between.
    board: RwLock<Board<'s, 'o>>,
    /// Of each worker: what it has found.
    outboxes: Vec<RwLock<Outbox>>,
    /// Of each shard: what is done there.
    desks: Vec<Mutex<Desk>>,
    /// The states below this number are taken by some worker.
    taken: AtomicU64,
    /// The number of bytes found in the wave.
    bytes: AtomicUsize,
    /// The shards below this number are taken by some worker.
    taken_shards: AtomicUsize,
    /// Whether the results of the wave are to be discarded.
    is_unusual: AtomicBool,
}

struct Board<'s, 'o> {
    search: &'s mut Search<'o>,
    wave: Wave,
    /// What a state took of the time of one worker in the last wave, in seconds.
    seconds_per_state: f64,
    /// The bytes that were found from a state in the last wave.
    bytes_per_state: f64,
    numbering: Numbering,
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
    /// The number of successors, once they are found.
    successors: usize,
}

impl<'s, 'o> Workshop<'s, 'o> {
    /// For this many workers, on the store of the search, which has this many shards.
    pub(crate) fn new(search: &'s mut Search<'o>, workers: usize, shards: usize) -> Self {
        search.count_space(0);
        let budget = &search.options.budget;
        let outbox = |_| Outbox::new(search.successors(), budget.account(), shards);
        let outboxes = (0..workers).map(outbox);
        let outboxes = outboxes.map(RwLock::new).collect();
        let began = Instant::now();
        let board = Board {
            wave: Wave { workers, states: 0..0, chunk: 0, began, most_bytes: 0, successors: 0 },
            seconds_per_state: search.seconds_per_state(),
            // Nothing is known yet: better small chunks than large ones.
            bytes_per_state: BYTES_PER_WAVE as f64 / 256.0,
            numbering: Numbering::default(),
            search,
        };
        Workshop {
            board: RwLock::new(board),
            outboxes,
            desks: (0..shards).map(|_| Mutex::default()).collect(),
            taken: AtomicU64::new(0),
            bytes: AtomicUsize::new(0),
            taken_shards: AtomicUsize::new(0),
            is_unusual: AtomicBool::new(false),
        }
    }

    /// Plans the next wave, and says whether all take part in it; `None` if the search is over, or the store
    /// all but full.
    pub(crate) fn plan<S: Space>(&self, watch: &mut Watch, space: &S) -> Option<bool> {
        let board = &mut *self.board.write().expect(ALIVE);
        let search = &mut *board.search;
        if search.is_under_way() {
            search.review(watch);
        }
        if search.is_under_way() {
            search.look(watch, space);
        }
        if !search.is_under_way() {
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
        let states = (search.found.waiting() as f64)
            .min(most_bytes as f64 / board.bytes_per_state)
            .min(TIME_PER_WAVE.as_secs_f64() * workers as f64 / board.seconds_per_state);
        let most = (STATES_PER_SHARD * self.desks.len()) as f64;
        board.wave = Wave {
            workers,
            states: search.next().0..search.found.store.len(),
            chunk: (states / (CHUNKS * workers) as f64).clamp(1.0, most) as u32,
            began: Instant::now(),
            most_bytes,
            successors: 0,
        };
        self.taken.store(search.found.expanded, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
        self.taken_shards.store(0, Ordering::Relaxed);
        Some(is_shared)
    }

    /// Expands states of the wave as long as there are any to take.
    pub(crate) fn expand<S: Space>(&self, worker: usize, space: &mut S) {
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

    /// Puts the shards on their desks, so that what was found can be stored; `false` if the results of
    /// the wave are to be discarded.
    pub(crate) fn hand_over(&self) -> bool {
        let board = &mut *self.board.write().expect(ALIVE);
        let states = &mut board.wave.states;
        states.end = self.taken.load(Ordering::Relaxed).min(states.end.into()) as u32;
        let outboxes = self.outboxes[..board.wave.workers].iter();
        let outboxes: Vec<_> = outboxes.map(|outbox| outbox.read().expect(ALIVE)).collect();
        let found: usize = outboxes.iter().map(|outbox| outbox.len()).sum();
        let store = &mut board.search.found.store;
        let room = (board.search.most_states - store.len()) as usize;
        if self.is_unusual.load(Ordering::Relaxed) || found > room {
            return false;
        }
        let found_in = |shard| outboxes.iter().map(|outbox| outbox.len_in(shard)).sum();
        let growth = store.growth(found_in);
        if growth > 0 && !board.search.options.budget.allows(growth) {
            return false;
        }
        board.wave.successors = found;
        for (desk, shard) in self.desks.iter().zip(store.lend_shards()) {
            desk.lock().expect(ALIVE).shard = Some(shard);
        }
        true
    }

    /// Stores what was found, as long as there are shards to take.
    pub(crate) fn store(&self) {
        let board = self.board.read().expect(ALIVE);
        let outboxes = self.outboxes[..board.wave.workers].iter();
        let outboxes: Vec<_> = outboxes.map(|outbox| outbox.read().expect(ALIVE)).collect();
        let keep_edges = board.search.options.keep_edges;
        loop {
            let shard = self.taken_shards.fetch_add(1, Ordering::Relaxed);
            let Some(desk) = self.desks.get(shard) else { return };
            desk.lock().expect(ALIVE).store(shard, &outboxes, keep_edges);
        }
    }

    /// Takes the shards back, numbers what is new in them, and counts everything.
    pub(crate) fn take_in(&self) {
        let Board { search, wave, seconds_per_state, bytes_per_state, numbering } =
            &mut *self.board.write().expect(ALIVE);
        let mut desks: Vec<_> = self.desks.iter().map(|desk| desk.lock().expect(ALIVE)).collect();
        let shards = desks.iter_mut().map(|desk| desk.shard.take().expect("it was lent"));
        let found = &mut search.found;
        found.store.take_back(shards);

        numbering.number(wave.successors, desks.iter().map(|desk| &desk.fresh[..]));
        found.tree.extend(&numbering.steps);
        found.store.number(&numbering.shards);
        found.edges += desks.iter().map(|desk| desk.edges).sum::<u64>();

        let mut finals = Vec::new();
        for outbox in &self.outboxes[..wave.workers] {
            let outbox = outbox.read().expect(ALIVE);
            finals.extend_from_slice(&outbox.finals);
            found.modes = found.modes.saturating_add(outbox.modes);
            outbox.fired.iter().for_each(|(label, modes)| found.fired.add(label, modes));
        }
        finals.sort_unstable_by_key(|&(state, _)| state);
        finals.iter().for_each(|&(state, standing)| search.note_final(state, standing));

        let found = &mut search.found;
        if let Some(quotient) = &mut found.quotient {
            let rows = desks.iter().map(|desk| &desk.rows[..]).collect();
            keep_rows(quotient, &found.store, wave.states.clone(), rows);
        }
        found.expanded = wave.states.end.into();
        if !wave.states.is_empty() {
            let states = wave.states.len() as f64;
            *seconds_per_state = wave.began.elapsed().as_secs_f64() * wave.workers as f64 / states;
            *bytes_per_state = self.bytes.load(Ordering::Relaxed) as f64 / states;
        }
    }
}

/// Adds the rows of some states to the quotient. For each shard are given the edges that lead to it,
/// sorted by their sources.
fn keep_rows(
    quotient: &mut Quotient,
    store: &Store,
    states: Range<u32>,
    mut edges: Vec<&[(StateId, u64)]>,
) {
    let mut row = Vec::new();
    for source in states.map(StateId) {
        row.clear();
        for (shard, edges) in edges.iter_mut().enumerate() {
            while let Some((&(_, edge), rest)) =
                edges.split_first().filter(|((from, _), _)| *from == source)
            {
                let (label, local) = unpack(edge);
                row.push(pack(label, store.number_of(shard, local.0)));
                *edges = rest;
            }
        }
        row.sort_unstable();
        quotient.push_row(&row);
    }
}
