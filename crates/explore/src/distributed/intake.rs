//! What a worker takes in: states that it owns, and what it gathers.

use super::coding::{Decoder, read_plain};
use super::gathering::GatheredLevel;
use super::outgoing::{
    DEAD, GATHERED_FINALS, GATHERED_STATES, GATHERED_STEPS, Place, ROWS, STEPS, STOP,
};
use super::portion::Portion;
use super::steps::KeptStep;
use crate::store::Hash;
use crate::{Exploration, Space, Store, growth, varint};

/// The strings that are looked for at once.
const AT_ONCE: usize = 64;

/// Strings that are to be stored.
#[derive(Default)]
pub(super) struct Intake {
    pub(super) decoders: Vec<Decoder>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    hashes: Vec<Hash>,
    /// The steps that lead to these strings, where steps are kept: worker and number of the source, and the label.
    pub(super) origins: Vec<[u32; 3]>,
    /// What is gathered here.
    pub(super) gathered: GatheredLevel,
    /// The latest round that others are in.
    pub(super) round: u64,
    /// Whether somebody has stopped.
    pub(super) is_stopped: bool,
}

impl Intake {
    /// Reads what another worker has sent.
    pub(super) fn read<S: Space>(
        &mut self,
        place: Place,
        space: &mut S,
        portion: &mut Portion,
        (time, from, mut parcel): (u64, usize, &[u8]),
    ) {
        let kind = parcel[0];
        parcel = &parcel[1..];
        if kind == STOP {
            self.is_stopped = true;
            return;
        }
        self.round = self.round.max(time);
        if matches!(kind, GATHERED_STEPS | GATHERED_FINALS) {
            return self.gathered.take_numbers(kind, from, parcel);
        }
        let is_gathered = kind == GATHERED_STATES && self.gathered.has_room();
        let has_parts = !place.is_here(from) && space.parts(&[], &mut Vec::new());
        while !parcel.is_empty() {
            if kind == STEPS {
                let [source, label] = [(); 2].map(|()| varint::read(&mut parcel) as u32);
                self.origins.push([from as u32, source, label]);
            }
            if has_parts {
                self.decoders[from].read(space, &mut parcel, &mut self.bytes);
            } else {
                self.bytes.extend_from_slice(read_plain(&mut parcel));
            }
            match kind {
                ROWS | STEPS => {
                    self.ends.push(self.bytes.len());
                    if self.ends.len() == AT_ONCE {
                        self.store(portion);
                    }
                    continue;
                }
                GATHERED_STATES if is_gathered => self.gathered.take_state(from, &self.bytes),
                GATHERED_STATES => {}
                _ => note_final(&mut portion.found, kind, &self.bytes),
            }
            self.bytes.clear();
        }
        self.store(portion);
    }

    /// Adds a string that this worker has found itself.
    #[inline]
    pub(super) fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len());
    }

    /// Stores what was read.
    pub(super) fn store(&mut self, portion: &mut Portion) {
        let Intake { bytes, ends, hashes, origins, .. } = self;
        let store = &mut portion.found.store;
        let string = |at: usize| {
            let start = at.checked_sub(1).map_or(0, |before| ends[before]);
            &bytes[start..ends[at]]
        };
        hashes.clear();
        hashes.extend((0..ends.len()).map(|at| store.hash(string(at))));
        store.touch(hashes);
        for (at, &hash) in hashes.iter().enumerate() {
            let stored = store.insert_hashed(hash, string(at), Store::CAPACITY);
            let (target, _) = stored.expect("the store is not full");
            if let Some(&[worker, source, label]) = origins.get(at) {
                portion.steps.push(KeptStep { worker, source, label, target: target.0 });
            }
        }
        bytes.clear();
        ends.clear();
        origins.clear();
    }
}

/// Notes a state without successor, which is stored.
pub(super) fn note_final(found: &mut Exploration, kind: u8, string: &[u8]) {
    let id = found.store.find(string).expect("it was sent before");
    let list = if kind == DEAD { &mut found.deadlocks } else { &mut found.terminated };
    growth::push(list, id);
}
