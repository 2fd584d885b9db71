//! The parts that states are made of: each stored once, and numbered.

use explore::{StateId, Store};

use crate::families::Splitter;
use crate::{Folder, Working, varint};

/// The number of a part. The empty part has none: it is left out of every list.
pub(crate) type PartId = u32;

/// All parts met so far.
pub(crate) struct Parts {
    store: Store,
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
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    /// Whether it has a pid: all parts but the rest have.
    pub is_family: bool,
    /// Whether a thread of it has not ended.
    pub is_alive: bool,
}

impl Parts {
    pub(crate) fn new(places: usize) -> Parts {
        Parts {
            store: Store::new(),
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
            let kin = part.kinship.kin();
            if kin.is_empty() && (0..*places).all(|place| part.is_empty(place)) {
                continue;
            }
            bytes.clear();
            folder.fold(part, bytes);
            let (id, new) = store.insert(bytes);
            if new {
                let is_alive = kin.iter().any(|kin| kin.active);
                facts.push(Facts { is_family: !kin.is_empty(), is_alive });
                let counts = (0..*places).map(|place| part.tokens(place));
                tokens.extend(counts.map(|count| u32::try_from(count).unwrap_or(u32::MAX)));
            }
            ids.push(id.0);
        }
        ids.sort_unstable();
    }

    pub(crate) fn facts(&self, id: PartId) -> Facts {
        self.facts[id as usize]
    }

    /// The number of tokens of a part in each place.
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
        folder.unfold(self.store.get(StateId(id)), scratch);
        working.append(scratch, folder.schema());
    }

    /// The memory held, in bytes, as allocated.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        let words = self.tokens.capacity() * 4 + self.facts.capacity() * size_of::<Facts>();
        self.store.allocated_bytes() + words as u64
    }
}

/// Appends a sorted list of parts to `bytes`.
pub(crate) fn write_ids(ids: &[PartId], bytes: &mut Vec<u8>) {
    ids.iter().for_each(|&id| varint::write(id, bytes));
}

/// Reads a list that [`write_ids`] has written.
pub(crate) fn read_ids(mut bytes: &[u8], ids: &mut Vec<PartId>) {
    ids.clear();
    while !bytes.is_empty() {
        ids.push(varint::read(&mut bytes));
    }
}
