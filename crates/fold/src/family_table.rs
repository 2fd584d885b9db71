//! The families that states are made of: each stored once, and numbered.
//!
//! The numbers are shared by all workers. Each worker keeps its own copy of what is often asked of a
//! family, so that no lock is taken where only numbers are put together.
//!
//! Which number a family gets depends on which worker meets it first. Nothing but a list of numbers may
//! depend on that: so that successors are found in the same order on any number of threads, families are
//! put in the order of their *ranks*, which are computed from their bytes.

use std::hash::Hasher;
use std::io::{self, Error, ErrorKind, Read, Write};
use std::sync::{Arc, RwLock};

use explore::{StateId, Store, restore_strings, save_strings, varint};
use rustc_hash::FxHasher;

use crate::families::Splitter;
use crate::{Folder, Working};

/// The number of a family. An empty one has none: it is left out of every list.
pub(crate) type FamilyId = u32;

/// Where a pid is: its family, and its number there.
pub(crate) type Spot = (FamilyId, u32);

/// The place of a family among others: short ones first, then by their first bytes, then by a hash.
/// Families are in the same order in all states; should two have the same rank, their numbers decide.
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

    /// Bits of it, all of which depend on all of it.
    fn mixed(self) -> u64 {
        mix(self.0 ^ self.1.rotate_left(32))
    }
}

/// Spreads bits (the finaliser of SplitMix64: Steele, Lea, Flood 2014).
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// A lock is poisoned only if a worker has panicked, and then all panic.
const ALIVE: &str = "no worker has panicked";

/// All families met so far.
#[derive(Default)]
pub(crate) struct FamilyTable {
    store: Arc<RwLock<Store>>,
    known: Known,
    splitter: Splitter,
    used: Vec<bool>,
    renamed: Vec<u32>,
    bytes: Vec<u8>,
}

/// What a worker knows of the families.
#[derive(Default)]
struct Known {
    facts: Vec<Facts>,
    /// The number of tokens of each family in each place.
    tokens: Vec<u32>,
    places: usize,
}

/// What is asked of a family without decoding it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Facts {
    is_known: bool,
    /// Whether it has a pid: all families but the rest have.
    pub has_pids: bool,
    /// Whether a thread of it has not ended.
    pub is_alive: bool,
    pub rank: Rank,
    /// Bits of the rank, spread.
    imprint: u64,
}

impl FamilyTable {
    pub(crate) fn new(places: usize) -> FamilyTable {
        FamilyTable { known: Known { places, ..Known::default() }, ..FamilyTable::default() }
    }

    /// For another worker, with the same numbers.
    pub(crate) fn share(&self) -> FamilyTable {
        FamilyTable { store: self.store.clone(), ..FamilyTable::new(self.known.places) }
    }

    /// The number of workers that share the numbers.
    pub(crate) fn workers(&self) -> usize {
        Arc::strong_count(&self.store)
    }

    /// Writes the numbers of the families of a working state to `ids`, sorted. Removes garbage, and the pids that
    /// are gone.
    pub(crate) fn number(
        &mut self,
        working: &mut Working,
        folder: &mut Folder,
        ids: &mut Vec<FamilyId>,
    ) {
        self.number_each(working, folder, ids, |_, _, _| {});
    }

    /// Numbers families as [`FamilyTable::number`] does, and writes to `spots` where each pid is then: nowhere if it
    /// is gone.
    pub(crate) fn number_followed(
        &mut self,
        working: &mut Working,
        folder: &mut Folder,
        ids: &mut Vec<FamilyId>,
        spots: &mut Vec<Option<Spot>>,
    ) {
        let mut labelled: Vec<(FamilyId, Vec<u32>)> = Vec::new();
        self.number_each(working, folder, ids, |at, id, labels| {
            labelled.resize(labelled.len().max(at + 1), Default::default());
            labelled[at] = (id, labels.to_vec());
        });
        let spot = |&pid: &u32| {
            let (family, index) = self.splitter.place_of(pid);
            let (id, labels) = &labelled[family];
            (*id, labels[index])
        };
        spots.clear();
        let is_left = |pid: &&u32| **pid != u32::MAX;
        spots.extend(self.renamed.iter().map(|pid| Some(pid).filter(is_left).map(spot)));
    }

    /// Numbers families, and gives each to `each`: its place among those of the state, its number, and the labelling
    /// that led there.
    fn number_each(
        &mut self,
        working: &mut Working,
        folder: &mut Folder,
        ids: &mut Vec<FamilyId>,
        mut each: impl FnMut(usize, FamilyId, &[u32]),
    ) {
        let FamilyTable { store, known, splitter, used, renamed, bytes } = self;
        working.collect(folder.schema(), used);
        working.sweep(folder.schema(), used, renamed);
        ids.clear();
        for (at, family) in splitter.split(working, folder.schema()).iter().enumerate() {
            if family.kinship.kin().is_empty()
                && (0..known.places).all(|place| family.is_empty(place))
            {
                continue;
            }
            bytes.clear();
            let labels = folder.fold(family, bytes);
            let stored = store.read().expect(ALIVE).find(bytes);
            let id = stored.unwrap_or_else(|| store.write().expect(ALIVE).insert(bytes).0);
            known.note(id.0, bytes, family);
            each(at, id.0, labels);
            ids.push(id.0);
        }
        ids.sort_unstable();
    }

    /// The number of families that have a number.
    pub(crate) fn count(&self) -> u32 {
        self.store.read().expect(ALIVE).len()
    }

    /// Appends the bytes of a family.
    pub(crate) fn write(&self, id: FamilyId, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.store.read().expect(ALIVE).get(StateId(id)));
    }

    /// The number of the family with these bytes.
    pub(crate) fn adopt(&mut self, bytes: &[u8]) -> FamilyId {
        let stored = self.store.read().expect(ALIVE).find(bytes);
        stored.unwrap_or_else(|| self.store.write().expect(ALIVE).insert(bytes).0).0
    }

    /// Bits that depend on the bytes of some families, and on nothing else; none if one of them was not learnt.
    #[inline]
    pub(crate) fn imprint(&self, mut ids: &[u8]) -> Option<u64> {
        let mut sum = 0_u64;
        while !ids.is_empty() {
            let facts = self.known.facts.get(varint::read(&mut ids) as usize)?;
            if !facts.is_known {
                return None;
            }
            sum = sum.wrapping_add(facts.imprint);
        }
        Some(mix(sum))
    }

    /// Learns what is known of some families; `scratch` is overwritten.
    pub(crate) fn learn(&mut self, ids: &[FamilyId], folder: &Folder, scratch: &mut Working) {
        for &id in ids {
            if !self.known.facts.get(id as usize).is_some_and(|facts| facts.is_known) {
                let store = self.store.read().expect(ALIVE);
                let bytes = store.get(StateId(id));
                folder.unfold_pids(bytes, scratch);
                self.known.note(id, bytes, scratch);
            }
        }
    }

    /// What is known of a family that was learnt.
    pub(crate) fn facts(&self, id: FamilyId) -> Facts {
        self.known.facts[id as usize]
    }

    /// The number of tokens in each place of a family that was learnt.
    pub(crate) fn tokens(&self, id: FamilyId) -> &[u32] {
        let Known { tokens, places, .. } = &self.known;
        &tokens[id as usize * places..][..*places]
    }

    /// Appends a family to a working state; `scratch` is overwritten.
    pub(crate) fn append(
        &self,
        id: FamilyId,
        folder: &Folder,
        scratch: &mut Working,
        working: &mut Working,
    ) {
        folder.unfold_pids(self.store.read().expect(ALIVE).get(StateId(id)), scratch);
        working.append(scratch, folder.schema());
    }

    /// The number of pids of a family; `scratch` is overwritten.
    pub(crate) fn pids(&self, id: FamilyId, folder: &Folder, scratch: &mut Working) -> u32 {
        folder.unfold_pids(self.store.read().expect(ALIVE).get(StateId(id)), scratch);
        scratch.kinship.kin().len() as u32
    }

    /// Puts some families, which need not have been learnt, in the order of their ranks.
    pub(crate) fn sort(&self, ids: &mut [FamilyId]) {
        let store = self.store.read().expect(ALIVE);
        ids.sort_by_cached_key(|&id| (Rank::of(store.get(StateId(id))), id));
    }

    /// The memory of the families themselves, which workers share, in bytes, as allocated.
    pub(crate) fn shared_bytes(&self) -> u64 {
        self.store.read().expect(ALIVE).allocated_bytes()
    }

    /// The memory of what this worker keeps of them for itself.
    pub(crate) fn own_bytes(&self) -> u64 {
        let Known { facts, tokens, .. } = &self.known;
        (tokens.capacity() * 4 + facts.capacity() * size_of::<Facts>()) as u64
    }

    /// Writes the families from this number on, in the order of their numbers, and gives the number after the last.
    pub(crate) fn save(&self, mark: u64, to: &mut dyn Write) -> io::Result<u64> {
        let store = self.store.read().expect(ALIVE);
        let all = u64::from(store.len());
        if mark < all {
            let families = (mark as u32..store.len()).map(|id| store.get(StateId(id)));
            save_strings(mark, families, to)?;
        }
        Ok(all)
    }

    /// Reads what was saved: the next families after those that have numbers.
    pub(crate) fn restore(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let mut store = self.store.write().expect(ALIVE);
        restore_strings(from, |number, bytes| {
            let (id, is_new) = store.insert(bytes);
            match is_new && u64::from(id.0) == number {
                true => Ok(()),
                false => {
                    Err(Error::new(ErrorKind::InvalidData, "families have other numbers already"))
                }
            }
        })
    }
}

impl Known {
    /// Notes what is to be known of a family.
    fn note(&mut self, id: FamilyId, bytes: &[u8], family: &Working) {
        let Known { facts, tokens, places } = self;
        let (id, places) = (id as usize, *places);
        if facts.len() <= id {
            facts.resize(id + 1, Facts::default());
            tokens.resize((id + 1) * places, 0);
        }
        if !facts[id].is_known {
            let kin = family.kinship.kin();
            let is_alive = kin.iter().any(|kin| kin.active);
            let (has_pids, rank) = (!kin.is_empty(), Rank::of(bytes));
            let imprint = rank.mixed();
            facts[id] = Facts { is_known: true, has_pids, is_alive, rank, imprint };
            for (place, count) in tokens[id * places..][..places].iter_mut().enumerate() {
                *count = u32::try_from(family.tokens(place)).unwrap_or(u32::MAX);
            }
        }
    }
}

/// Appends a sorted list of families to `bytes`.
pub(crate) fn write_ids(ids: &[FamilyId], bytes: &mut Vec<u8>) {
    ids.iter().for_each(|&id| varint::push(id.into(), bytes));
}

/// Appends two sorted lists of families to `bytes`, as one.
pub(crate) fn write_merged(a: &[FamilyId], mut b: &[FamilyId], bytes: &mut Vec<u8>) {
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
pub(crate) fn read_ids(mut bytes: &[u8], ids: &mut Vec<FamilyId>) {
    ids.clear();
    while !bytes.is_empty() {
        ids.push(varint::read(&mut bytes) as FamilyId);
    }
}
