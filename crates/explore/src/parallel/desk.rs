//! What is done with the successors that belong to a table.

use std::hint::black_box;
use std::ops::Deref;

use super::numbering::Numbering;
use super::outbox::{Location, Outbox};
use crate::quotient::pack;
use crate::store::{Arena, Hash, Index, Slot, Table};
use crate::{StateId, Store, growth};

/// The number of strings looked up at a time.
const GROUP: usize = 16;

/// What is found out about the strings of a table, until it is known which of them are new.
pub(crate) struct Desk {
    /// How each of the strings that may be new was first found.
    firsts: Vec<Fresh>,
    /// Where each of them is, in memory: with those who found it.
    strings: Vec<Location>,
    /// The strings, where those of the store are on disk: there they outlast the wave.
    pub(crate) candidates: Arena,
    /// The number of each of them, once it is known.
    pub(crate) numbers: Vec<StateId>,
    /// Those that are new, in their order.
    pub(crate) fresh: Vec<u32>,
    /// The table, while the store has lent it.
    pub(crate) table: Option<Index>,
    /// What finds the candidates, where the strings of the store are on disk. In memory, the table that is lent does:
    /// there a candidate has a number for the time being, its own on top of the number of states.
    own: Table,
    /// The number of states in the store while strings were gathered.
    pub(crate) known: u32,
    /// The edges that lead to these strings.
    pub(crate) edges: Edges,
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
    /// Its hash, as the table wants it.
    pub(crate) hash: u32,
}

/// Distinct edges.
#[derive(Default)]
pub(crate) struct Edges {
    /// Their number.
    pub(crate) count: u64,
    /// The edges themselves, where they are to be kept, sorted: source, label and target, which is the number of a
    /// state, or that of a candidate on top of the number of states.
    pub(crate) rows: Vec<(StateId, u64)>,
    /// Those from one state, with repetitions.
    row: Vec<u64>,
}

impl Default for Desk {
    fn default() -> Self {
        Desk {
            firsts: Vec::new(),
            strings: Vec::new(),
            candidates: Arena::default(),
            numbers: Vec::new(),
            fresh: Vec::new(),
            table: None,
            own: Table::new(),
            known: 0,
            edges: Edges::default(),
            chunks: Vec::new(),
        }
    }
}

impl Desk {
    /// Gathers the strings of a wave that belong to this table, in the order in which a sequential search
    /// finds them, and counts the edges that lead to them. So many successors came before the wave. Strings that are in
    /// the store are left out if they are in memory, where the table is lent; on disk, all are looked for later.
    pub(crate) fn gather(
        &mut self,
        table: usize,
        outboxes: &[impl Deref<Target = Outbox>],
        mut before: u32,
        store: &Store,
        keep_edges: bool,
    ) {
        self.chunks.clear();
        for (worker, outbox) in outboxes.iter().enumerate() {
            let firsts = outbox.chunks.iter().enumerate();
            self.chunks.extend(firsts.map(|(chunk, &(first, _))| (first, worker, chunk)));
        }
        self.chunks.sort_unstable();
        self.known = store.len();
        let is_on_disk = store.is_on_disk();
        let Desk { firsts, strings, candidates, edges, table: lent, own, known, chunks, .. } = self;
        let finder = match lent {
            Some(Index::Wide(table)) => table,
            _ => own,
        };
        let mut source = StateId(0);
        for &(_, worker, chunk) in &*chunks {
            for group in outboxes[worker].heads(chunk, table).chunks(GROUP) {
                finder.touch(group.iter().map(|head| head.hash));
                for head in group {
                    if head.source != source {
                        edges.finish_row(source, keep_edges);
                        source = head.source;
                    }
                    let (offset, length) = (head.offset, head.length);
                    let location = Location { worker: worker as u32, offset, length };
                    let string = location.string(outboxes);
                    let is_same = |number: u32| match number.checked_sub(*known) {
                        None => store.get(StateId(number)) == string,
                        Some(at) if is_on_disk => candidates.get(at) == string,
                        Some(at) => strings[at as usize].string(outboxes) == string,
                    };
                    finder.make_room();
                    let target = match finder.search(head.hash, is_same) {
                        Slot::Held(number) => number,
                        Slot::Missing(slot) => {
                            let number = *known + firsts.len() as u32;
                            finder.insert(slot, head.hash, number);
                            match is_on_disk {
                                true => candidates.push(string),
                                false => growth::push(strings, location),
                            }
                            let place = before + head.place;
                            let (label, hash) = (head.label, head.hash);
                            growth::push(firsts, Fresh { place, source, label, hash });
                            number
                        }
                    };
                    edges.row.push(pack(head.label, StateId(target)));
                }
            }
            before += outboxes[worker].chunks[chunk].1;
        }
        edges.finish_row(source, keep_edges);
    }

    /// Looks which strings are new, where those of the store are on disk. In memory all are that were gathered.
    pub(crate) fn look_up(&mut self, table: usize, store: &Store) {
        self.numbers.clear();
        self.numbers.resize(self.firsts.len(), StateId::NONE);
        store.find_all(table, &self.candidates, &mut self.numbers);
        let numbers = (0..).zip(&self.numbers);
        self.fresh.clear();
        self.fresh.extend(numbers.filter(|(_, id)| **id == StateId::NONE).map(|(at, _)| at));
    }

    /// The number of strings that may be new.
    pub(crate) fn len(&self) -> usize {
        self.firsts.len()
    }

    /// In memory: how those that are new, which are all, were first found, and where they are, in their order.
    pub(crate) fn located(&self) -> impl Iterator<Item = (&Fresh, Location)> {
        self.firsts.iter().zip(self.strings.iter().copied())
    }

    /// On disk: how those that are new were first found, in their order.
    pub(crate) fn looked_up(&self) -> impl Iterator<Item = (&Fresh, Location)> {
        self.fresh.iter().map(|&at| (&self.firsts[at as usize], Location::default()))
    }

    /// Gives those that are new their numbers, and tells the table, which is lent.
    pub(crate) fn enter(&mut self, store: &Store, numbering: &Numbering) {
        let Desk { candidates, firsts, numbers, fresh, table, known, .. } = self;
        let number = |first: &Fresh| StateId(*known + numbering.rank(first.place) as u32);
        match table.as_mut().expect("the table is lent") {
            Index::Wide(table) => {
                numbers.clear();
                numbers.extend(firsts.iter().map(number));
                for start in (0..firsts.len()).step_by(GROUP).rev() {
                    let group = start..firsts.len().min(start + GROUP);
                    table.touch(firsts[group.clone()].iter().map(|first| first.hash));
                    // From the last to the first: no new number is less than the one for the time being, so that it is
                    // not taken for that of another.
                    for at in group.rev() {
                        table.renumber(firsts[at].hash, *known + at as u32, numbers[at].0);
                    }
                }
            }
            Index::Compact(table) => {
                for &candidate in &*fresh {
                    numbers[candidate as usize] = number(&firsts[candidate as usize]);
                }
                let mut hashes = [Hash::default(); GROUP];
                for group in fresh.chunks(GROUP) {
                    for (hash, &candidate) in hashes.iter_mut().zip(group) {
                        *hash = store.hash(candidates.get(candidate));
                        black_box(table.first_slot(*hash));
                    }
                    for (&hash, &candidate) in hashes.iter().zip(group) {
                        table.add(hash, numbers[candidate as usize].0);
                    }
                }
            }
        }
    }

    /// Forgets what was found out.
    pub(crate) fn clear(&mut self) {
        self.firsts.clear();
        self.strings.clear();
        if self.candidates.len() > 0 {
            self.candidates.clear();
            self.own.clear();
        }
        self.edges.rows.clear();
        self.edges.count = 0;
    }

    /// The memory of what was found out, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        let vectors = self.firsts.capacity() * size_of::<Fresh>()
            + self.edges.rows.capacity() * size_of::<(StateId, u64)>()
            + self.numbers.capacity() * size_of::<StateId>();
        self.candidates.allocated_bytes() + self.own.allocated_bytes() + vectors as u64
    }

    /// The memory that what was found out needs until it is done with, in bytes.
    pub(crate) fn needed_bytes(&self) -> u64 {
        // The number of each candidate, the string that it may be the same as, and its being new.
        let while_looked_up = (4 + 8 + 4) * self.firsts.len() as u64;
        let rows = self.edges.rows.len() * size_of::<(StateId, u64)>();
        let firsts = self.firsts.len() * size_of::<Fresh>();
        let found = self.candidates.allocated_bytes() + self.own.allocated_bytes();
        found + (rows + firsts) as u64 + while_looked_up
    }
}

impl Edges {
    /// Counts the edges from one state.
    fn finish_row(&mut self, source: StateId, keep: bool) {
        if self.row.len() > 1 {
            self.row.sort_unstable();
            self.row.dedup();
        }
        self.count += self.row.len() as u64;
        if keep {
            growth::reserve(&mut self.rows, self.row.len());
            self.rows.extend(self.row.iter().map(|&edge| (source, edge)));
        }
        self.row.clear();
    }
}
