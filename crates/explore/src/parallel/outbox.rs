//! What a worker finds in a wave, sorted by the tables it belongs to.
//!
//! A string stays where the space has put it; the table gets a *head* that says where that is, 24
//! bytes for each successor.

use std::ops::{Deref, Range};

use budget::Account;

use crate::{Fired, Space, Standing, StateId, Store, Successors};

/// The successors that a worker has found.
pub(crate) struct Outbox {
    found: Successors,
    /// What the worker's space and the heads hold.
    account: Account,
    /// The successors that belong to each table.
    heads: Vec<Vec<Head>>,
    /// The first state of each chunk that was expanded, in increasing order, and the number of successors
    /// that were found in the chunk.
    pub(crate) chunks: Vec<(StateId, u32)>,
    /// For each chunk and each table: where its heads end.
    ends: Vec<usize>,
    /// States without successor.
    pub(crate) finals: Vec<(StateId, Standing)>,
    pub(crate) fired: Fired,
    pub(crate) modes: u64,
}

/// A successor.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) source: StateId,
    /// Which successor of the chunk it is.
    pub(crate) place: u32,
    pub(crate) label: u32,
    /// The hash of the string, as its table wants it.
    pub(crate) hash: u32,
    /// Where the string is, and its length.
    pub(crate) offset: u32,
    pub(crate) length: u32,
}

/// Where a string is: with which worker, from where on, and its length.
#[derive(Clone, Copy, Default)]
pub(crate) struct Location {
    pub(crate) worker: u32,
    pub(crate) offset: u32,
    pub(crate) length: u32,
}

impl Location {
    /// The string, in the outboxes of the workers.
    #[inline]
    pub(crate) fn string(self, outboxes: &[impl Deref<Target = Outbox>]) -> &[u8] {
        let strings = outboxes[self.worker as usize].found.all_bytes();
        &strings[self.offset as usize..][..self.length as usize]
    }
}

/// The bytes that a successor takes beside its string.
pub(crate) const HEAD: usize = size_of::<Head>();

impl Outbox {
    pub(crate) fn new(found: Successors, account: Account, tables: usize) -> Self {
        Outbox {
            found,
            account,
            heads: vec![Vec::new(); tables],
            chunks: Vec::new(),
            ends: Vec::new(),
            finals: Vec::new(),
            fired: Fired::default(),
            modes: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.found.clear();
        self.heads.iter_mut().for_each(Vec::clear);
        self.chunks.clear();
        self.ends.clear();
        self.finals.clear();
        self.fired = Fired::default();
        self.modes = 0;
    }

    /// Expands a chunk of states, and gives the bytes that what was found takes; none if a state has
    /// a fault, or passes a limit, or fires the label looked for.
    pub(crate) fn expand<S: Space>(
        &mut self,
        space: &mut S,
        store: &Store,
        states: Range<u32>,
        until_label: Option<u32>,
    ) -> Option<usize> {
        let first = StateId(states.start);
        let mut taken = 0;
        let mut place = 0;
        for (source, string) in states.clone().map(StateId).zip(store.strings(states)) {
            self.found.turn_over();
            let standing = space.expand(string, &mut self.found).ok()?;
            let strings = self.found.strings();
            if self.found.cut_short().is_some() || u32::try_from(strings.end).is_err() {
                return None;
            }
            if self.found.is_empty() {
                self.finals.push((source, standing));
            }
            taken += self.found.len() * HEAD + strings.len();
            let mut offset = strings.start as u32;
            for (label, modes, bytes) in self.found.iter() {
                if until_label == Some(label) {
                    return None;
                }
                self.modes = self.modes.saturating_add(modes);
                self.fired.add(label, modes);
                let hash = store.hash(bytes);
                let table = hash.table(self.heads.len());
                let (hash, length) = (hash.in_table, bytes.len() as u32);
                self.heads[table].push(Head { source, place, label, hash, offset, length });
                offset += length;
                place += 1;
            }
        }
        self.ends.extend(self.heads.iter().map(Vec::len));
        self.chunks.push((first, place));
        Some(taken)
    }

    /// The successors that were found in a chunk and belong to a table.
    pub(crate) fn heads(&self, chunk: usize, table: usize) -> &[Head] {
        let tables = self.heads.len();
        let start = chunk.checked_sub(1).map_or(0, |before| self.ends[before * tables + table]);
        &self.heads[table][start..self.ends[chunk * tables + table]]
    }

    /// The number of successors.
    pub(crate) fn len(&self) -> usize {
        self.heads.iter().map(Vec::len).sum()
    }

    /// The number of successors that belong to a table.
    pub(crate) fn len_for(&self, table: usize) -> usize {
        self.heads[table].len()
    }

    /// Says how many bytes the space of the worker holds.
    pub(crate) fn count(&mut self, space: u64) {
        let heads: usize = self.heads.iter().map(Vec::capacity).sum();
        self.account.set(space + (heads * HEAD) as u64);
    }
}
