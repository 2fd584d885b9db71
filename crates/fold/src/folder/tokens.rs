//! The tokens of a state, sorted by how they are written.
//!
//! - Of those that have one pid, each pid has one *to itself*: that with the least label.
//! - Others are *short* if they have a label and few pids; label and pids fit in a word.
//! - The rest is [`Long`].
//!
//! Pairs of a label that are many become bits; see `dense`.

use canon::{Sorter, Structure};

use super::long::Long;
use super::{FIRST_LABEL, NUMBERED, dense};
use crate::Working;
use crate::labels::{LABELS, Labels, Plan, Sum};
use crate::writer::Writer;

/// The bits that the pids of a short token may take, those of its label, and those of the number of pids.
const PID_BITS: u32 = 36;
const LABEL_BITS: u32 = LABELS.ilog2();
const COUNT_BITS: u32 = 2;

#[derive(Default)]
pub(super) struct Tokens {
    /// One more than the least label of a token that a pid has to itself; 0 if there is none.
    own: Vec<u32>,
    /// The labels of short tokens that hold no pid. Those that do are in the structure.
    bare: Vec<u32>,
    long: Long,
    keys: Vec<u64>,
    sorter: Sorter,
    rows: Vec<u8>,
    /// The number of pairs in the structure that are tokens. They come first.
    pairs: usize,
}

impl Tokens {
    /// For each pid one more than the label of the token that it has to itself; 0 if there is none.
    pub(super) fn own(&self) -> &[u32] {
        &self.own
    }

    /// Reads the tokens of `working`. Makes a structure of its pids, and of the tokens that hold pids,
    /// other than the own ones.
    pub(super) fn read(&mut self, working: &Working, labels: &Labels, structure: &mut Structure) {
        let pids = working.kinship.kin().len();
        self.own.clear();
        self.own.resize(pids, 0);
        self.bare.clear();
        self.long.clear();
        structure.clear();
        structure.atoms(std::iter::repeat_n(0, pids));
        let are_few = 2 * pid_width(pids) <= PID_BITS;
        for (place, plan) in labels.plans.iter().enumerate() {
            let words = working.words(place);
            if words.is_empty() {
                continue;
            }
            match (plan.pids.as_slice(), plan.sum) {
                (&[pid], Some(sum)) if plan.stride == 2 => {
                    self.read_own::<2>(place, words, pid, sum, structure);
                }
                (&[pid], Some(sum)) if plan.stride == 3 => {
                    self.read_own::<3>(place, words, pid, sum, structure);
                }
                (&[a, b], Some(sum)) if plan.stride == 3 && are_few => {
                    self.read_pairs::<3>(place, words, [a, b], sum, structure);
                }
                (&[a, b], Some(sum)) if plan.stride == 4 && are_few => {
                    self.read_pairs::<4>(place, words, [a, b], sum, structure);
                }
                _ if !plan.optional.is_empty() => {
                    self.read_optional(place, words, plan, structure);
                }
                _ => self.read_any(place, words, plan, structure),
            }
        }
        self.pairs = structure.pairs().len();
        if !self.long.is_empty() {
            self.long.rank(labels, pids);
            structure.atoms(std::iter::repeat_n(0, self.long.added()));
            self.long.for_each_tuple(labels, |rank, pids| structure.tuple(NUMBERED + rank, pids));
        }
    }

    /// Reads the tokens of a place where each has one pid, and at most one datum.
    fn read_own<const STRIDE: usize>(
        &mut self,
        place: usize,
        words: &[u32],
        pid: usize,
        label: Sum,
        structure: &mut Structure,
    ) {
        assert!(pid < STRIDE && label.column < STRIDE, "columns are in the entry");
        let own = self.own.as_mut_slice();
        for entry in words.as_chunks::<STRIDE>().0 {
            let of = &mut own[entry[pid] as usize];
            if entry[0] != 1 {
                self.long.add(place, entry);
            } else if *of == 0 {
                *of = label.of(entry[label.column]) + 1;
            } else {
                let other = add_another(of, label.of(entry[label.column]));
                structure.tuple(FIRST_LABEL + other, &[entry[pid]]);
            }
        }
    }

    /// Reads the tokens of a place where each has two pids, and at most one datum.
    fn read_pairs<const STRIDE: usize>(
        &mut self,
        place: usize,
        words: &[u32],
        [a, b]: [usize; 2],
        label: Sum,
        structure: &mut Structure,
    ) {
        assert!(a < STRIDE && b < STRIDE && label.column < STRIDE, "columns are in the entry");
        let long = &mut self.long;
        structure.tuples_of_two(words.as_chunks::<STRIDE>().0.iter().filter_map(|entry| {
            if entry[0] != 1 {
                long.add(place, entry);
                return None;
            }
            Some((FIRST_LABEL + label.of(entry[label.column]), entry[a], entry[b]))
        }));
    }

    #[inline(never)]
    fn read_any(
        &mut self,
        place: usize,
        mut words: &[u32],
        plan: &Plan,
        structure: &mut Structure,
    ) {
        let width = pid_width(self.own.len());
        while let Some((entry, rest)) = words.split_at_checked(plan.stride) {
            words = rest;
            let Some(label) = plan.label(entry) else {
                self.long.add(place, entry);
                continue;
            };
            match *plan.pids {
                [pid] => match &mut self.own[entry[pid] as usize] {
                    own @ 0 => *own = label + 1,
                    own => {
                        let other = add_another(own, label);
                        structure.tuple(FIRST_LABEL + other, &[entry[pid]]);
                    }
                },
                [] => self.bare.push(label),
                [a, b] if 2 * width <= PID_BITS => {
                    structure.tuple(FIRST_LABEL + label, &[entry[a], entry[b]]);
                }
                [a, b, c] if 3 * width <= PID_BITS => {
                    structure.tuple(FIRST_LABEL + label, &[entry[a], entry[b], entry[c]]);
                }
                _ => self.long.add(place, entry),
            }
        }
    }

    /// Reads the tokens of a place where pids may be missing.
    #[inline(never)]
    fn read_optional(
        &mut self,
        place: usize,
        words: &[u32],
        plan: &Plan,
        structure: &mut Structure,
    ) {
        let width = pid_width(self.own.len());
        for entry in words.chunks_exact(plan.stride) {
            let mut pids = [0; 3];
            let mut count = 0;
            for pid in plan.pids_of(entry) {
                if let Some(at) = pids.get_mut(count) {
                    *at = pid;
                }
                count += 1;
            }
            match (plan.label(entry), count) {
                (Some(label), 0) => self.bare.push(label),
                (Some(label), 1) => match &mut self.own[pids[0] as usize] {
                    own @ 0 => *own = label + 1,
                    own => structure.tuple(FIRST_LABEL + add_another(own, label), &pids[..1]),
                },
                (Some(label), 2..=3) if count as u32 * width <= PID_BITS => {
                    structure.tuple(FIRST_LABEL + label, &pids[..count]);
                }
                _ => self.long.add(place, entry),
            }
        }
    }

    /// Writes the tokens other than the own ones, which are also in the structure. Pids are known by
    /// their positions. Short tokens are in the order of their first pids, labels, and other pids.
    pub(super) fn write(
        &mut self,
        labels: &Labels,
        structure: &Structure,
        position: &[u32],
        writer: &mut Writer,
    ) {
        let Tokens { keys, bare, long, sorter, rows, pairs, .. } = self;
        let width = pid_width(position.len());
        let at = |pid: u32| u64::from(position[pid as usize]);
        let pairs = &structure.pairs()[..*pairs];
        let dense = dense::label(pairs, position.len());
        keys.clear();
        keys.extend(bare.iter().map(|&label| u64::from(label) << (PID_BITS - width) << COUNT_BITS));
        let mut list = |label: u32, pids: &[u32]| {
            let mut key = at(pids[0]) << LABEL_BITS | u64::from(label - FIRST_LABEL);
            for &pid in &pids[1..] {
                key = key << width | at(pid);
            }
            let count = pids.len() as u32;
            keys.push(key << (PID_BITS - width * count) << COUNT_BITS | u64::from(count));
        };
        structure.for_each_other_tuple(|label, pids| {
            if (FIRST_LABEL..NUMBERED).contains(&label) {
                list(label, pids);
            }
        });
        if dense.is_none_or(|(_, count)| count < pairs.len()) {
            let listed = pairs.iter().filter(|pair| dense.is_none_or(|(label, _)| pair.0 != label));
            listed.for_each(|&(label, a, b)| list(label, &[a, b]));
        }
        let bits = width.max(1);
        sorter.sort(keys, u64::BITS - bits, 1 << bits);
        let mut room = writer.room(1 + 4 * keys.len());
        room.write(keys.len() as u32);
        for &key in &*keys {
            let count = key as u32 & ((1 << COUNT_BITS) - 1);
            let rest = key >> COUNT_BITS;
            let label = rest >> (PID_BITS - width);
            let (label, first) = (label as u32 & (LABELS - 1), (label >> LABEL_BITS) as u32);
            if count == 0 {
                room.write(label);
                continue;
            }
            room.write_two(label, first);
            for i in 2..=count {
                let pid = rest >> (PID_BITS - width * i) & ((1 << width) - 1);
                room.write(pid as u32);
            }
        }
        drop(room);
        if !long.is_empty() {
            long.write(labels, position, writer);
        }
        if let Some((label, _)) = dense {
            let mut room = writer.room(2);
            room.write(labels.plans.len() as u32);
            room.write(label - FIRST_LABEL);
            drop(room);
            dense::write(pairs, label, position, rows, writer);
        }
    }
}

/// Gives a pid that has a token of its own another one. The one with the lesser label will be its own,
/// whatever the order they come in; the label of the other is given back.
fn add_another(own: &mut u32, label: u32) -> u32 {
    let other = label.max(*own - 1);
    *own = (label + 1).min(*own);
    other
}

/// The bits it takes to name one of this many pids.
fn pid_width(pids: usize) -> u32 {
    usize::BITS - pids.leading_zeros()
}
