//! The parts that states are made of: each stored once, and numbered.
//!
//! The numbers are shared by all workers; what is asked of a part again and again each worker knows by
//! itself, so that no lock is taken where only numbers are put together.
//!
//! Which number a part gets depends on which worker meets it first. Nothing but a list of numbers may: so
//! that successors are found in the same order on any number of threads, parts are put in the order of
//! their *ranks*, which are computed from what they are.

use std::hash::Hasher;
use std::io::{self, Error, ErrorKind, Read, Write};
use std::sync::{Arc, RwLock};

use explore::{StateId, Store, restore_strings, save_strings, varint};
use rustc_hash::FxHasher;

use crate::families::Splitter;
use crate::{Folder, Working};

/// The number of a part. The empty part has none: it is left out of every list.
pub(crate) type PartId = u32;

/// The place of a part among others: short ones first, then by their first bytes, then by a hash. Parts
/// are in the same order in all states; should two have the same rank, their numbers decide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Rank(u64, u64);

impl Rank {
    fn of(bytes: &[u8]) -> Rank {
        let mut first = [0; 8];
        first[0] = bytes.len().min(255) as u8;
        first[1..].iter_mut().zip(bytes).for_each(|(first, &byte)| *first = byte);
        let mut hasher = FxHasher::default();
        hasher.write(bytes);
        Rank(u64::from_be_bytes(first), hasher.finish())
    }
}

/// A lock is poisoned only if a worker has panicked, and then all panic.
const ALIVE: &str = "no worker has panicked";

/// All parts met so far.
pub(crate) struct Parts {
    store: Arc<RwLock<Store>>,
    /// What this worker knows of the parts.
    facts: Vec<Facts>,
    /// The number of tokens of each part in each place.
    tokens: Vec<u32>,
    places: usize,
    splitter: Splitter,
    used: Vec<bool>,
    renamed: Vec<u32>,
    bytes: Vec<u8>,
}

/// What is asked of a part without decoding it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Facts {
    is_known: bool,
    /// Whether it has a pid: all parts but the rest have.
    pub is_family: bool,
    /// Whether a thread of it has not ended.
    pub is_alive: bool,
    pub rank: Rank,
}

impl Parts {
    pub(crate) fn new(places: usize) -> Parts {
        Parts::sharing(Arc::default(), places)
    }

    /// For another worker, with the same numbers.
    pub(crate) fn share(&self) -> Parts {
        Parts::sharing(self.store.clone(), self.places)
    }

    /// The number of workers that share the numbers.
    pub(crate) fn workers(&self) -> usize {
        Arc::strong_count(&self.store)
    }

    fn sharing(store: Arc<RwLock<Store>>, places: usize) -> Parts {
        Parts {
            store,
            facts: Vec::new(),
            tokens: Vec::new(),
            places,
            splitter: Splitter::default(),
            used: Vec::new(),
            renamed: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Writes the numbers of the parts of a working state to `ids`, sorted. Sweeps the state.
    pub(crate) fn number(
        &mut self,
        working: &mut Working,
        folder: &mut Folder,
        ids: &mut Vec<PartId>,
    ) {
        let Parts { store, facts, tokens, places, splitter, used, renamed, bytes } = self;
        working.sweep(folder.schema(), used, renamed);
        ids.clear();
        for part in splitter.split(working, folder.schema()) {
            if part.kinship.kin().is_empty() && (0..*places).all(|place| part.is_empty(place)) {
                continue;
            }
            bytes.clear();
            folder.fold(part, bytes);
            let stored = store.read().expect(ALIVE).find(bytes);
            let id = stored.unwrap_or_else(|| store.write().expect(ALIVE).insert(bytes).0);
            note(id.0, bytes, part, *places, facts, tokens);
            ids.push(id.0);
        }
        ids.sort_unstable();
    }

    /// Gets to know some parts; `scratch` is overwritten.
    pub(crate) fn learn(&mut self, ids: &[PartId], folder: &Folder, scratch: &mut Working) {
        for &id in ids {
            if !self.facts.get(id as usize).is_some_and(|facts| facts.is_known) {
                let store = self.store.read().expect(ALIVE);
                let bytes = store.get(StateId(id));
                folder.unfold_pids(bytes, scratch);
                note(id, bytes, scratch, self.places, &mut self.facts, &mut self.tokens);
            }
        }
    }

    /// What is known of a part that was learnt.
    pub(crate) fn facts(&self, id: PartId) -> Facts {
        self.facts[id as usize]
    }

    /// The number of tokens in each place of a part that was learnt.
    pub(crate) fn tokens(&self, id: PartId) -> &[u32] {
        &self.tokens[id as usize * self.places..][..self.places]
    }

    /// Appends a part to a working state; `scratch` is overwritten.
    pub(crate) fn append(
        &self,
        id: PartId,
        folder: &Folder,
        scratch: &mut Working,
        working: &mut Working,
    ) {
        folder.unfold_pids(self.store.read().expect(ALIVE).get(StateId(id)), scratch);
        working.append(scratch, folder.schema());
    }

    /// Puts some parts, which need not have been learnt, in the order of their ranks.
    pub(crate) fn sort(&self, ids: &mut [PartId]) {
        let store = self.store.read().expect(ALIVE);
        ids.sort_by_cached_key(|&id| (Rank::of(store.get(StateId(id))), id));
    }

    /// The memory of the parts themselves, which workers share, in bytes, as allocated.
    pub(crate) fn shared_bytes(&self) -> u64 {
        self.store.read().expect(ALIVE).allocated_bytes()
    }

    /// The memory of what this worker alone knows of them.
    pub(crate) fn own_bytes(&self) -> u64 {
        (self.tokens.capacity() * 4 + self.facts.capacity() * size_of::<Facts>()) as u64
    }

    /// Writes all parts in the order of their numbers.
    pub(crate) fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let store = self.store.read().expect(ALIVE);
        save_strings(store.iter().map(|(_, bytes)| bytes), to)
    }

    /// Reads what was saved, if no part has a number yet.
    pub(crate) fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let wrong = |why| Err(Error::new(ErrorKind::InvalidData, why));
        let mut store = self.store.write().expect(ALIVE);
        if !store.is_empty() {
            return wrong("parts have numbers already");
        }
        restore_strings(from, |bytes| match store.insert(bytes) {
            (_, true) => Ok(()),
            (_, false) => wrong("a part is saved twice"),
        })
    }
}

/// Notes what is to be known of a part.
fn note(
    id: PartId,
    bytes: &[u8],
    part: &Working,
    places: usize,
    facts: &mut Vec<Facts>,
    tokens: &mut Vec<u32>,
) {
    let id = id as usize;
    if facts.len() <= id {
        facts.resize(id + 1, Facts::default());
        tokens.resize((id + 1) * places, 0);
    }
    if !facts[id].is_known {
        let kin = part.kinship.kin();
        let is_alive = kin.iter().any(|kin| kin.active);
        let (is_family, rank) = (!kin.is_empty(), Rank::of(bytes));
        facts[id] = Facts { is_known: true, is_family, is_alive, rank };
        for (place, count) in tokens[id * places..][..places].iter_mut().enumerate() {
            *count = u32::try_from(part.tokens(place)).unwrap_or(u32::MAX);
        }
    }
}

/// Appends a sorted list of parts to `bytes`.
pub(crate) fn write_ids(ids: &[PartId], bytes: &mut Vec<u8>) {
    ids.iter().for_each(|&id| varint::push(id.into(), bytes));
}

/// Appends two sorted lists of parts to `bytes`, as one.
pub(crate) fn write_merged(a: &[PartId], mut b: &[PartId], bytes: &mut Vec<u8>) {
    for &id in a {
        while let Some((&other, rest)) = b.split_first().filter(|(other, _)| **other < id) {
            varint::push(other.into(), bytes);
            b = rest;
        }
        varint::push(id.into(), bytes);
    }
    write_ids(b, bytes);
}

/// Reads a list that [`write_ids`] has written.
pub(crate) fn read_ids(mut bytes: &[u8], ids: &mut Vec<PartId>) {
    ids.clear();
    while !bytes.is_empty() {
        ids.push(varint::read(&mut bytes) as PartId);
    }
}
