//! What is done with the successors that belong to a table.

use std::hint::black_box;
use std::ops::Deref;

use super::outbox::Outbox;
use crate::quotient::pack;
use crate::store::{Candidates, Hash, Index};
use crate::{StateId, Store};

/// The number of strings looked up at a time.
const GROUP: usize = 16;

/// What is found out about the strings of a table, until it is known which of them are new.
#[derive(Default)]
pub(crate) struct Desk {
    /// The strings, each once.
    pub(crate) candidates: Candidates,
    /// How each of them was first found.
    firsts: Vec<Fresh>,
    /// The number of each of them, once it is known.
    pub(crate) numbers: Vec<StateId>,
    /// Those that are new, in their order.
    pub(crate) fresh: Vec<u32>,
    /// The table, while the store has lent it.
    pub(crate) table: Option<Index>,
    /// The number of distinct edges that lead to these strings.
    pub(crate) edges: u64,
    /// These, where they are to be kept, sorted: source, label and target, which is the number of a state, or that of
    /// a candidate on top of the number of states.
    pub(crate) rows: Vec<(StateId, u64)>,
    /// Those from one state, with repetitions.
    row: Vec<u64>,
    /// The chunks of the wave: first state, worker, and number among those of the worker.
    chunks: Vec<(StateId, usize, usize)>,
}

/// How a string was first found.
#[derive(Clone, Copy)]
pub(crate) struct Fresh {
    /// Which successor it is, of all since the last time that states were numbered.
    pub(crate) place: u32,
    pub(crate) source: StateId,
    pub(crate) label: u32,
}

impl Desk {
    /// Gathers the strings of a wave that belong to this table, in the order in which a sequential search
    /// finds them, and counts the edges that lead to them. So many successors came before the wave. Strings that are in
    /// the store are left out if they are in memory; on disk, all are looked for later.
    pub(crate) fn gather(
        &mut self,
        table: usize,
        outboxes: &[impl Deref<Target = Outbox>],
        mut before: u32,
        store: &Store,
        keep_edges: bool,
    ) {
        let is_known_later = store.is_on_disk();
        self.chunks.clear();
        for (worker, outbox) in outboxes.iter().enumerate() {
            let firsts = outbox.chunks.iter().enumerate();
            self.chunks.extend(firsts.map(|(chunk, &(first, _))| (first, worker, chunk)));
        }
        self.chunks.sort_unstable();
        let mut source = StateId(0);
        for at in 0..self.chunks.len() {
            let (_, worker, chunk) = self.chunks[at];
            let strings = outboxes[worker].strings();
            for group in outboxes[worker].heads(chunk, table).chunks(GROUP) {
                let hashes = group.iter().map(|head| head.hash);
                match is_known_later {
                    true => self.candidates.touch(hashes),
                    false => store.touch(table, hashes),
                }
                for head in group {
                    if head.source != source {
                        self.finish_row(source, keep_edges);
                        source = head.source;
                    }
                    let string = &strings[head.offset as usize..][..head.length as usize];
                    let known = match is_known_later {
                        true => None,
                        false => store.find_in(table, head.hash, string),
                    };
                    let target = known.unwrap_or_else(|| {
                        let (candidate, is_first) = self.candidates.insert(head.hash, string);
                        if is_first {
                            let place = before + head.place;
                            self.firsts.push(Fresh { place, source, label: head.label });
                        }
                        StateId(store.len() + candidate)
                    });
                    self.row.push(pack(head.label, target));
                }
            }
            before += outboxes[worker].chunks[chunk].1;
        }
        self.finish_row(source, keep_edges);
    }

    /// Counts the edges from one state.
    fn finish_row(&mut self, source: StateId, keep_edges: bool) {
        if self.row.len() > 1 {
            self.row.sort_unstable();
            self.row.dedup();
        }
        self.edges += self.row.len() as u64;
        if keep_edges {
            self.rows.extend(self.row.iter().map(|&edge| (source, edge)));
        }
        self.row.clear();
    }

    /// Looks which strings are new.
    pub(crate) fn look_up(&mut self, table: usize, store: &Store) {
        self.numbers.clear();
        self.numbers.resize(self.candidates.len() as usize, StateId::NONE);
        if store.is_on_disk() {
            store.find_all(table, &self.candidates, &mut self.numbers);
        }
        let numbers = (0..).zip(&self.numbers);
        self.fresh.clear();
        self.fresh.extend(numbers.filter(|(_, id)| **id == StateId::NONE).map(|(at, _)| at));
    }

    /// How those that are new were first found, in their order.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = &Fresh> {
        self.fresh.iter().map(|&candidate| &self.firsts[candidate as usize])
    }

    /// Tells the table, which is lent, the numbers of those that are new.
    pub(crate) fn enter(&mut self, store: &Store) {
        let table = self.table.as_mut().expect("the table is lent");
        let mut hashes = [Hash::default(); GROUP];
        for group in self.fresh.chunks(GROUP) {
            for (hash, &candidate) in hashes.iter_mut().zip(group) {
                *hash = store.hash(self.candidates.get(candidate));
                black_box(table.first_slot(*hash));
            }
            for (&hash, &candidate) in hashes.iter().zip(group) {
                table.add(hash, self.numbers[candidate as usize].0);
            }
        }
    }

    /// Forgets what was found out.
    pub(crate) fn clear(&mut self) {
        self.candidates.clear();
        self.firsts.clear();
        self.rows.clear();
        self.edges = 0;
    }

    /// The memory of what was found out, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        let vectors = self.firsts.capacity() * size_of::<Fresh>()
            + self.rows.capacity() * size_of::<(StateId, u64)>()
            + self.numbers.capacity() * size_of::<StateId>();
        self.candidates.allocated_bytes() + vectors as u64
    }

    /// The memory that what was found out needs until it is done with, in bytes.
    pub(crate) fn needed_bytes(&self) -> u64 {
        // The number of each candidate, the string that it may be the same as, and its being new.
        let while_looked_up = (4 + 8 + 4) * u64::from(self.candidates.len());
        let rows = self.rows.len() * size_of::<(StateId, u64)>();
        let firsts = self.firsts.len() * size_of::<Fresh>();
        self.candidates.allocated_bytes() + (rows + firsts) as u64 + while_looked_up
    }
}
