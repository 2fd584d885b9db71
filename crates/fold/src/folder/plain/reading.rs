//! Reading the tokens of plain states.

use super::Plain;
use crate::Working;
use crate::folder::mixing::mix;
use crate::folder::repeated::{MOST_STRIDE, Repeated};
use crate::labels::{Plan, Sum};

/// How the tokens of a place are read.
#[derive(Clone, Copy)]
pub(in crate::folder) struct Reading {
    pub stride: usize,
    /// Where the pids are; 0 for none.
    pub pids: [usize; 2],
    pub label: Sum,
}

impl Reading {
    /// How the tokens of a place are read, if they can be in a plain state.
    pub(in crate::folder) fn of(plan: &Plan) -> Option<Reading> {
        let pids = match *plan.pids {
            [] => [0, 0],
            [a] => [a, 0],
            [a, b] => [a, b],
            _ => return None,
        };
        plan.sum.map(|label| Reading { stride: plan.stride, pids, label })
    }
}

/// A token of two pids, and how often it is there.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pair {
    pub label: u32,
    pub count: u32,
    pub from: u32,
    pub to: u32,
}

/// A token that is there once, and that a pid has beside its own.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Other {
    pub label: u32,
    pub pid: u32,
}

impl Plain {
    /// Reads the tokens; `false` if the state is not plain.
    #[inline(always)]
    pub(super) fn read(&mut self, working: &Working) -> bool {
        self.pairs.clear();
        self.others.clear();
        self.bare.clear();
        self.repeated.clear();
        for place in 0..self.readings.len() {
            let words = working.words(place);
            if words.is_empty() {
                continue;
            }
            let Some(reading) = self.readings[place] else { return false };
            match reading.stride {
                2 => self.read_place::<2>(words, reading, place),
                3 => self.read_place::<3>(words, reading, place),
                MOST_STRIDE => self.read_place::<MOST_STRIDE>(words, reading, place),
                _ => return false,
            }
        }
        true
    }

    /// Reads the tokens of a place.
    #[inline(always)]
    fn read_place<const STRIDE: usize>(&mut self, tokens: &[u32], reading: Reading, place: usize) {
        let Reading { pids: [a, b], label, .. } = reading;
        assert!(a.max(b).max(label.column) < STRIDE, "columns are in the entry");
        let tokens = tokens.as_chunks::<STRIDE>().0;
        if a == 0 {
            self.read_bare(tokens, label, place);
        } else if b == 0 {
            self.read_own(tokens, a, label, place);
        } else {
            self.read_pairs(tokens, [a, b], label, place);
        }
    }

    /// Reads tokens of one pid.
    #[inline(always)]
    fn read_own<const STRIDE: usize>(
        &mut self,
        tokens: &[[u32; STRIDE]],
        a: usize,
        label: Sum,
        place: usize,
    ) {
        let pids = self.pids.as_mut_slice();
        for entry in tokens {
            let pid = entry[a];
            let around = &mut pids[pid as usize];
            if entry[0] != 1 {
                around.word = around.word.wrapping_add(repeated_word(label, entry));
                self.repeated.push(Repeated::of(place, entry));
                continue;
            }
            let label = label.of(entry[label.column]);
            around.word = around.word.wrapping_add(mix(u64::from(label)));
            // The least label is the pid's own.
            let before = around.own;
            around.own = before.wrapping_sub(1).min(label) + 1;
            if before > 0 {
                self.others.push(Other { label: label.max(before - 1), pid });
            }
        }
    }

    /// Reads tokens of two pids.
    #[inline(always)]
    fn read_pairs<const STRIDE: usize>(
        &mut self,
        tokens: &[[u32; STRIDE]],
        [a, b]: [usize; 2],
        label: Sum,
        place: usize,
    ) {
        for entry in tokens {
            let (count, from, to) = (entry[0], entry[a], entry[b]);
            if from == to {
                let around = &mut self.pids[from as usize];
                around.word = around.word.wrapping_add(!repeated_word(label, entry));
            }
            if count != 1 {
                self.repeated.push(Repeated::of(place, entry));
            }
            self.pairs.push(Pair { label: label_of(label, entry), count, from, to });
        }
    }

    /// Reads tokens without pids.
    fn read_bare<const STRIDE: usize>(
        &mut self,
        tokens: &[[u32; STRIDE]],
        label: Sum,
        place: usize,
    ) {
        for entry in tokens {
            if entry[0] == 1 {
                self.bare.push(label.of(entry[label.column]));
            } else {
                self.repeated.push(Repeated::of(place, entry));
            }
        }
    }
}

/// The label of a token, however often it is there.
#[inline(always)]
fn label_of(label: Sum, entry: &[u32]) -> u32 {
    label.of(if label.column == 0 { 1 } else { entry[label.column] })
}

/// A word for a token and how often it is there.
fn repeated_word(label: Sum, entry: &[u32]) -> u64 {
    mix(u64::from(entry[0]) << 32 | u64::from(label_of(label, entry)))
}
