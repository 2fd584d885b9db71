//! The tokens of a state, sorted by how they are written.
//!
//! - Of those that have one pid, each pid has one *to itself*: that with the least label.
//! - Others are *short* if they have a label and few pids; label and pids fit in a word.
//! - The rest is [`Long`].

use canon::Structure;

use super::long::Long;
use crate::labels::{LABELS, Labels, Plan, Sum};
use crate::{Working, varint};

/// The bits that the pids of a short token may take, and those below them, for their number.
const PID_BITS: u32 = 36;
const COUNT_BITS: u32 = 2;

#[derive(Default)]
pub(super) struct Tokens {
    /// One more than the least label of a token that a pid has to itself; 0 if there is none.
    own: Vec<u32>,
    /// Label, number of pids, pids.
    short: Vec<(u32, u32, [u32; 3])>,
    long: Long,
    /// Whether a token other than the own ones holds a pid.
    is_tied: bool,
    keys: Vec<u64>,
}

impl Tokens {
    /// For each pid one more than the label of the token that it has to itself; 0 if there is none.
    pub(super) fn own(&self) -> &[u32] {
        &self.own
    }

    /// Whether a pid is in other tokens than its own one.
    pub(super) fn is_tied(&self) -> bool {
        self.is_tied
    }

    /// Reads the tokens of `working`.
    pub(super) fn read(&mut self, working: &Working, labels: &Labels) {
        self.own.clear();
        self.own.resize(working.kinship.kin().len(), 0);
        self.short.clear();
        self.long.clear();
        for (place, plan) in labels.plans.iter().enumerate() {
            let words = working.words(place);
            match (plan.pids.as_slice(), plan.sum) {
                (&[pid], Some(sum)) if plan.stride == 2 => {
                    self.read_own::<2>(place, words, pid, sum)
                }
                (&[pid], Some(sum)) if plan.stride == 3 => {
                    self.read_own::<3>(place, words, pid, sum)
                }
                _ => self.read_any(place, words, plan),
            }
        }
        self.is_tied = self.short.iter().any(|(_, pids, _)| *pids > 0);
        if !self.long.is_empty() {
            self.is_tied |= !self.long.is_without_pids(labels);
            self.long.rank(labels);
        }
    }

    /// Reads the tokens of a place where each has one pid, and at most one datum.
    fn read_own<const STRIDE: usize>(
        &mut self,
        place: usize,
        words: &[u32],
        pid: usize,
        label: Sum,
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
                self.short.push((other, 1, [entry[pid], 0, 0]));
            }
        }
    }

    #[inline(never)]
    fn read_any(&mut self, place: usize, mut words: &[u32], plan: &Plan) {
        let width = pid_width(self.own.len());
        while let Some((entry, rest)) = words.split_at_checked(plan.stride) {
            words = rest;
            match (plan.label(entry), plan.pids.as_slice()) {
                (Some(label), &[pid]) => match &mut self.own[entry[pid] as usize] {
                    own @ 0 => *own = label + 1,
                    own => {
                        let other = add_another(own, label);
                        self.short.push((other, 1, [entry[pid], 0, 0]));
                    }
                },
                (Some(label), []) => self.short.push((label, 0, [0, 0, 0])),
                (Some(label), &[a, b]) if 2 * width <= PID_BITS => {
                    self.short.push((label, 2, [entry[a], entry[b], 0]));
                }
                (Some(label), &[a, b, c]) if 3 * width <= PID_BITS => {
                    self.short.push((label, 3, [entry[a], entry[b], entry[c]]));
                }
                _ => self.long.add(place, entry),
            }
        }
    }

    /// Adds the tokens that hold pids, other than the own ones, to a structure. Their labels are from
    /// `first` on.
    pub(super) fn add_to(&mut self, structure: &mut Structure, first: u32, labels: &Labels) {
        for &(label, count, pids) in &self.short {
            if count > 0 {
                structure.tuple(first + label, &pids[..count as usize]);
            }
        }
        if !self.long.is_empty() {
            // Their labels follow those that short ones may have.
            let numbered = first + LABELS;
            self.long.for_each_tuple(labels, |rank, pids| structure.tuple(numbered + rank, pids));
        }
    }

    /// Writes the tokens other than the own ones, in the order of their labels and pids, where pids are
    /// known by their positions.
    pub(super) fn write(&mut self, labels: &Labels, position: &[u32], bytes: &mut Vec<u8>) {
        if self.short.is_empty() && self.long.is_empty() {
            return bytes.push(0);
        }
        let width = pid_width(position.len());
        self.keys.clear();
        self.keys.extend(self.short.iter().map(|&(label, count, pids)| {
            let mut key = u64::from(label);
            for &pid in &pids[..count as usize] {
                key = key << width | u64::from(position[pid as usize]);
            }
            key << (PID_BITS - width * count) << COUNT_BITS | u64::from(count)
        }));
        self.keys.sort_unstable();
        varint::append(bytes, 1 + 4 * self.keys.len(), |room| {
            room.write(self.keys.len() as u32);
            for &key in &self.keys {
                room.write((key >> (PID_BITS + COUNT_BITS)) as u32);
                let count = key as u32 & ((1 << COUNT_BITS) - 1);
                for i in 1..=count {
                    let pid = key >> (PID_BITS + COUNT_BITS - width * i) & ((1 << width) - 1);
                    room.write(pid as u32);
                }
            }
        });
        if !self.long.is_empty() {
            self.long.write(labels, position, bytes);
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

/// The bits it takes to name one of so many pids.
fn pid_width(pids: usize) -> u32 {
    usize::BITS - pids.leading_zeros()
}
