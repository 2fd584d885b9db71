//! The parts that states are made of: each stored once, and numbered.
//!
//! The numbers are shared by all workers; what is asked of a part again and again each worker knows by
//! itself, so that no lock is taken where only numbers are put together.

use std::sync::{Arc, RwLock};

use explore::{StateId, Store};

use crate::families::Splitter;
use crate::{Folder, Working, varint};

/// The number of a part. The empty part has none: it is left out of every list.
pub(crate) type PartId = u32;

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
}

impl Parts {
    pub(crate) fn new(places: usize) -> Parts {
        Parts::sharing(Arc::default(), places)
    }

    /// For another worker, with the same numbers.
    pub(crate) fn share(&self) -> Parts {
        Parts::sharing(self.store.clone(), self.places)
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
            note(id.0, part, *places, facts, tokens);
            ids.push(id.0);
        }
        ids.sort_unstable();
    }

    /// Gets to know some parts; `scratch` is overwritten.
    pub(crate) fn learn(&mut self, ids: &[PartId], folder: &Folder, scratch: &mut Working) {
        for &id in ids {
            if !self.facts.get(id as usize).is_some_and(|facts| facts.is_known) {
                folder.unfold(self.store.read().expect(ALIVE).get(StateId(id)), scratch);
                note(id, scratch, self.places, &mut self.facts, &mut self.tokens);
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
        folder.unfold(self.store.read().expect(ALIVE).get(StateId(id)), scratch);
        working.append(scratch, folder.schema());
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        let words = self.tokens.capacity() * 4 + self.facts.capacity() * size_of::<Facts>();
        self.store.read().expect(ALIVE).allocated_bytes() + words as u64
    }
}

/// Notes what is to be known of a part.
fn note(id: PartId, part: &Working, places: usize, facts: &mut Vec<Facts>, tokens: &mut Vec<u32>) {
    let id = id as usize;
    if facts.len() <= id {
        facts.resize(id + 1, Facts::default());
        tokens.resize((id + 1) * places, 0);
    }
    if !facts[id].is_known {
        let kin = part.kinship.kin();
        let is_alive = kin.iter().any(|kin| kin.active);
        facts[id] = Facts { is_known: true, is_family: !kin.is_empty(), is_alive };
        for (place, count) in tokens[id * places..][..places].iter_mut().enumerate() {
            *count = u32::try_from(part.tokens(place)).unwrap_or(u32::MAX);
        }
    }
}

/// Appends a sorted list of parts to `bytes`.
pub(crate) fn write_ids(ids: &[PartId], bytes: &mut Vec<u8>) {
    ids.iter().for_each(|&id| varint::push(id, bytes));
}

/// Reads a list that [`write_ids`] has written.
pub(crate) fn read_ids(mut bytes: &[u8], ids: &mut Vec<PartId>) {
    ids.clear();
    while !bytes.is_empty() {
        ids.push(varint::read(&mut bytes));
    }
}
