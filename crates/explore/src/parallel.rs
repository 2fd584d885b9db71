//! Breadth-first search on several threads, with the results of one.
//!
//! Workers take *chunks* of the queue, a few hundred states each. Expanding needs no lock, and is most
//! of the work. What was found is then looked up in the store, under a lock that readers share; only
//! what is not there goes on as bytes. Chunks are merged one after the other, in the order of the
//! queue, by whichever worker is free: new strings are stored and numbered then, and all is counted. So
//! states get the numbers that a sequential search would give them, as long as the space gives
//! successors in an order that depends on the state alone; counts and lengths of paths are the same in
//! any case.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::exploration::{Exploration, Failed, Stop};
use crate::quotient::pack;
use crate::search::{Control, Progress, Search, explore};
use crate::{Found, Options, Space, Standing, StateId, Store};

/// The largest chunk, in states.
const CHUNK: u32 = 256;
/// What was found is looked up when it takes so many bytes.
const BYTES_PER_LOOKUP: usize = 1 << 17;
/// A lock is poisoned only if a worker has panicked, and then the search panics too.
const ALIVE: &str = "no worker has panicked";
/// How often the watcher is called.
const TIME_PER_CALL: Duration = Duration::from_millis(50);

/// Explores what is reachable, with one worker for each of the spaces, which must be spaces of the
/// same system: a string that one gives, all understand.
///
/// # Errors
///
/// If a space finds a fault, with what was known up to then.
///
/// # Panics
///
/// If there is no space.
pub fn explore_on<S>(
    spaces: &mut [S],
    options: &Options,
    watch: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Exploration, Failed<S::Fault>>
where
    S: Space + Send,
    S::Fault: Send,
{
    if let [space] = spaces {
        return explore(space, options, watch);
    }
    let mut search = Search::new(options);
    let mut found = search.found();
    if let Err(fault) = spaces[0].initial(&mut found) {
        return Err(search.fail(fault, None));
    }
    let stop = search.start(&found);
    let work = Work {
        states: Mutex::new(Queue {
            stored: search.store.len(),
            taken: 0,
            chunks: 0,
            merged: 0,
            under_way: 0,
            merging: false,
            done: BTreeMap::new(),
            end: stop.map(End::Stop),
            workers: spaces.len() as u32,
        }),
        changed: Condvar::new(),
        search: RwLock::new(search),
    };
    thread::scope(|scope| {
        for space in spaces {
            scope.spawn(|| work.worker(space));
        }
        work.watched(watch);
    });
    let end = work.states.into_inner().expect(ALIVE).end;
    let search = work.search.into_inner().expect(ALIVE);
    match end {
        Some(End::Fault(fault, at)) => Err(search.fail(fault, Some(at))),
        Some(End::Stop(stop)) => Ok(search.finish(Some(stop))),
        Some(End::Complete) | None => Ok(search.finish(None)),
    }
}

/// What the workers share.
struct Work<'o, F> {
    states: Mutex<Queue<F>>,
    /// Told when there are states to take, chunks to merge, or an end.
    changed: Condvar,
    search: RwLock<Search<'o>>,
}

struct Queue<F> {
    /// The number of states stored; those from `taken` on are waiting.
    stored: u32,
    taken: u32,
    /// The number of chunks taken, and of those merged.
    chunks: u64,
    merged: u64,
    /// The number of chunks that are being expanded.
    under_way: u32,
    merging: bool,
    /// Chunks that wait to be merged.
    done: BTreeMap<u64, Chunk<F>>,
    end: Option<End<F>>,
    workers: u32,
}

enum End<F> {
    Complete,
    Stop(Stop),
    Fault(F, StateId),
}

/// What was found from some states.
struct Chunk<F> {
    states: Range<u32>,
    expanded: Vec<Expanded>,
    /// Edges to states that were stored: `label << 32 | target`; each once for a state.
    known: Vec<u64>,
    /// Edges to others: label, and where the bytes end.
    fresh: Vec<(u32, usize)>,
    bytes: Vec<u8>,
    /// Modes by label.
    modes: Vec<(u32, u64)>,
    fault: Option<F>,
}

/// A state of a chunk: where its part of each list ends.
struct Expanded {
    standing: Standing,
    known: usize,
    fresh: usize,
    modes: usize,
    /// Whether it has no successor.
    is_final: bool,
    stop: Option<Stop>,
}

impl<'o, F: Send> Work<'o, F> {
    fn queue(&self) -> MutexGuard<'_, Queue<F>> {
        self.states.lock().expect(ALIVE)
    }

    fn search(&self) -> RwLockReadGuard<'_, Search<'o>> {
        self.search.read().expect(ALIVE)
    }

    /// Calls the watcher until the end.
    fn watched(&self, watch: &mut dyn FnMut(&Progress) -> Control) {
        loop {
            let queue = self.queue();
            if queue.end.is_some() {
                return;
            }
            let waited = self.changed.wait_timeout_while(queue, TIME_PER_CALL, |q| q.end.is_none());
            let ended = waited.expect(ALIVE).0.end.is_some();
            if ended {
                return;
            }
            let progress = self.search().progress(Instant::now());
            if watch(&progress) == Control::Interrupt {
                self.end(&mut self.queue(), End::Stop(Stop::Interrupted));
            }
        }
    }

    /// Ends the search, if it has not ended.
    fn end(&self, queue: &mut Queue<F>, end: End<F>) {
        queue.end.get_or_insert(end);
        self.changed.notify_all();
    }

    fn worker<S: Space<Fault = F>>(&self, space: &mut S) {
        let _guard = EndOnPanic(self);
        let mut sources = Sources::default();
        let mut founds: Vec<Found> = Vec::new();
        founds.resize_with(CHUNK as usize, || self.search().found());
        while let Some((number, states)) = self.take() {
            sources.copy(&self.search().store, states.clone());
            let chunk = self.expand(space, states, &sources, &mut founds);
            let mut queue = self.queue();
            queue.under_way -= 1;
            queue.done.insert(number, chunk);
            self.merge(queue);
        }
    }

    /// The next chunk, with its number; none when there is nothing left to do.
    fn take(&self) -> Option<(u64, Range<u32>)> {
        let mut queue = self.queue();
        loop {
            if queue.end.is_some() {
                return None;
            }
            let waiting = queue.stored - queue.taken;
            if waiting > 0 {
                // Near the start and the end of a search, all should have something to do.
                let size = (waiting / (2 * queue.workers)).clamp(1, CHUNK);
                let states = queue.taken..queue.taken + size;
                queue.taken = states.end;
                queue.under_way += 1;
                queue.chunks += 1;
                return Some((queue.chunks - 1, states));
            }
            if queue.under_way == 0 && queue.merged == queue.chunks {
                self.end(&mut queue, End::Complete);
                return None;
            }
            queue = self.changed.wait(queue).expect(ALIVE);
        }
    }

    fn expand<S: Space<Fault = F>>(
        &self,
        space: &mut S,
        states: Range<u32>,
        sources: &Sources,
        founds: &mut [Found],
    ) -> Chunk<F> {
        let mut chunk = Chunk::new(states);
        let mut standings = Vec::new();
        let mut bytes = 0;
        for source in sources.iter() {
            let found = &mut founds[standings.len()];
            found.clear();
            match space.expand(source, found) {
                Ok(standing) => standings.push(standing),
                Err(fault) => {
                    chunk.fault = Some(fault);
                    break;
                }
            }
            if found.told().is_some() {
                break;
            }
            bytes += found.bytes();
            if bytes > BYTES_PER_LOOKUP {
                chunk.look_up(&self.search().store, &mut standings, founds);
                bytes = 0;
            }
        }
        chunk.look_up(&self.search().store, &mut standings, founds);
        chunk
    }

    /// Merges the chunks whose turn it is, unless somebody else does.
    fn merge<'w>(&'w self, mut queue: MutexGuard<'w, Queue<F>>) {
        while !queue.merging && queue.end.is_none() {
            let turn = queue.merged;
            let Some(chunk) = queue.done.remove(&turn) else { return };
            queue.merging = true;
            drop(queue);
            let (end, limit, stored) = {
                let mut search = self.search.write().expect(ALIVE);
                let end = chunk.merge_into(&mut search);
                (end, search.limit_passed(Instant::now()), search.store.len())
            };
            queue = self.queue();
            queue.merging = false;
            queue.merged += 1;
            queue.stored = stored;
            // A limit that is passed when everything is done is none.
            let is_more = queue.taken < stored || queue.merged < queue.chunks;
            if let Some(end) = end.or(limit.filter(|_| is_more).map(End::Stop)) {
                self.end(&mut queue, end);
            }
            self.changed.notify_all();
        }
    }
}

/// Ends the search when a worker panics, so that the others do not wait for it.
struct EndOnPanic<'w, 'o, F: Send>(&'w Work<'o, F>);

impl<F: Send> Drop for EndOnPanic<'_, '_, F> {
    fn drop(&mut self) {
        if thread::panicking()
            && let Ok(mut queue) = self.0.states.lock()
        {
            self.0.end(&mut queue, End::Stop(Stop::Interrupted));
        }
    }
}

impl<F> Chunk<F> {
    fn new(states: Range<u32>) -> Self {
        Chunk {
            states,
            expanded: Vec::new(),
            known: Vec::new(),
            fresh: Vec::new(),
            bytes: Vec::new(),
            modes: Vec::new(),
            fault: None,
        }
    }

    /// Takes over what was found from the next states, telling what is stored from what is not.
    fn look_up(&mut self, store: &Store, standings: &mut Vec<Standing>, founds: &[Found]) {
        for (standing, found) in standings.drain(..).zip(founds) {
            let (known, modes) = (self.known.len(), self.modes.len());
            for (label, count, bytes) in found.iter() {
                match self.modes[modes..].iter_mut().find(|(other, _)| *other == label) {
                    Some((_, sum)) => *sum = sum.saturating_add(count),
                    None => self.modes.push((label, count)),
                }
                match store.find(bytes) {
                    Some(target) => self.known.push(pack(label, target)),
                    None => {
                        self.bytes.extend_from_slice(bytes);
                        self.fresh.push((label, self.bytes.len()));
                    }
                }
            }
            self.known[known..].sort_unstable();
            dedup_from(&mut self.known, known);
            self.expanded.push(Expanded {
                standing,
                known: self.known.len(),
                fresh: self.fresh.len(),
                modes: self.modes.len(),
                is_final: found.is_empty(),
                stop: found.told(),
            });
        }
    }

    /// Stores what is new, and counts everything, as if the states had been expanded just now.
    fn merge_into(mut self, search: &mut Search) -> Option<End<F>> {
        let (mut known, mut fresh, mut modes, mut start) = (0, 0, 0, 0);
        for (source, state) in self.states.clone().map(StateId).zip(&self.expanded) {
            let mut stop = state.stop;
            self.modes[modes..state.modes].iter().for_each(|&(label, n)| search.count(label, n));
            search.row.clear();
            search.row.extend_from_slice(&self.known[known..state.known]);
            for &(label, end) in &self.fresh[fresh..state.fresh] {
                if !search.put(source, label, &self.bytes[start..end]) {
                    stop = Some(Stop::States);
                }
                start = end;
            }
            let stored = state.known - known;
            search.row[stored..].sort_unstable();
            dedup_from(&mut search.row, stored);
            search.notice_label(source);
            (known, fresh, modes) = (state.known, state.fresh, state.modes);
            if let Some(stop) = search.finish_row(source, state.standing, state.is_final, stop) {
                return Some(End::Stop(stop));
            }
        }
        let at = StateId(self.states.start + self.expanded.len() as u32);
        self.fault.take().map(|fault| End::Fault(fault, at))
    }
}

/// Removes repetitions from a vector that is sorted from `start` on.
fn dedup_from(words: &mut Vec<u64>, start: usize) {
    let mut kept = start;
    for at in start..words.len() {
        if kept == start || words[kept - 1] != words[at] {
            words[kept] = words[at];
            kept += 1;
        }
    }
    words.truncate(kept);
}

/// Copies of the strings to be expanded, so that the store need not be held meanwhile.
#[derive(Default)]
struct Sources {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Sources {
    fn copy(&mut self, store: &Store, states: Range<u32>) {
        self.bytes.clear();
        self.ends.clear();
        for id in states {
            self.bytes.extend_from_slice(store.get(StateId(id)));
            self.ends.push(self.bytes.len());
        }
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let source = &self.bytes[start..end];
            start = end;
            source
        })
    }
}
