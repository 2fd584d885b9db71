//! Results of operations, as many as fit.
//!
//! A result is found by the operation and its operands, three words. The cache is made of lines
//! of four entries, as long as a line of the processor's cache; a new entry pushes out the oldest
//! of its line. So entries may be lost, which costs time, never a wrong answer. The cache doubles
//! while it fills up and the limit lets it.

use crate::unique::mix;

/// What was computed: an operation and two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) op: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    result: u32,
}

/// The operation of an entry that is not one.
const NONE: u32 = u32::MAX;
const EMPTY: Entry = Entry { key: Key { op: NONE, a: 0, b: 0 }, result: 0 };

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([Entry; 4]);

/// A bounded cache.
#[derive(Debug)]
pub(crate) struct Cache {
    lines: Vec<Line>,
    filled: usize,
    /// Bytes it may take.
    limit: usize,
    pub(crate) hits: u64,
    pub(crate) misses: u64,
}

const LEAST_LINES: usize = 1 << 8;

fn line_of(key: Key, lines: usize) -> usize {
    let words = mix(u64::from(key.a) << 32 | u64::from(key.b)) ^ u64::from(key.op);
    mix(words) as usize & (lines - 1)
}

impl Cache {
    pub(crate) fn new(limit: usize) -> Self {
        Self { lines: vec![Line([EMPTY; 4]); LEAST_LINES], filled: 0, limit, hits: 0, misses: 0 }
    }

    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }

    #[inline]
    pub(crate) fn get(&mut self, key: Key) -> Option<u32> {
        let line = &self.lines[line_of(key, self.lines.len())];
        let found = line.0.iter().find(|entry| entry.key == key).map(|entry| entry.result);
        match found {
            Some(_) => self.hits += 1,
            None => self.misses += 1,
        }
        found
    }

    /// Remembers a result. `room` is how many bytes more may be taken. Returns whether it grew.
    #[inline]
    pub(crate) fn put(&mut self, key: Key, result: u32, room: usize) -> bool {
        let grown = self.filled >= self.lines.len() * 3 && self.grow(room);
        self.filled += usize::from(insert(&mut self.lines, Entry { key, result }));
        grown
    }

    #[cold]
    fn grow(&mut self, room: usize) -> bool {
        let bytes = 2 * self.bytes();
        let mut lines = Vec::new();
        let lines_now = self.lines.len();
        if bytes > self.limit || bytes > room || lines.try_reserve_exact(2 * lines_now).is_err() {
            // Count from the start again, so that the next try is not right behind.
            self.filled = 0;
            return false;
        }
        lines.resize(2 * lines_now, Line([EMPTY; 4]));
        let old = std::mem::replace(&mut self.lines, lines);
        let entries = old.iter().flat_map(|line| line.0.iter().rev());
        let entries = entries.filter(|entry| entry.key.op != NONE);
        self.filled = entries.filter(|entry| insert(&mut self.lines, **entry)).count();
        true
    }

    /// Forgets what does not satisfy the condition.
    pub(crate) fn retain(&mut self, keep: impl Fn(Key, u32) -> bool) {
        self.filled = 0;
        for line in &mut self.lines {
            let mut kept = 0;
            for i in 0..4 {
                let entry = line.0[i];
                if entry.key.op != NONE && keep(entry.key, entry.result) {
                    line.0[kept] = entry;
                    kept += 1;
                }
            }
            line.0[kept..].fill(EMPTY);
            self.filled += kept;
        }
    }
}

/// Whether a place was free.
#[inline]
fn insert(lines: &mut [Line], entry: Entry) -> bool {
    let at = line_of(entry.key, lines.len());
    let line = &mut lines[at].0;
    let free = line[3].key.op == NONE;
    line.copy_within(0..3, 1);
    line[0] = entry;
    free
}
