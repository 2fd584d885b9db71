//! Plain states of a few pids, folded in registers and on the stack.
//!
//! What [`Plain`](super::plain::Plain) does for plain states is done here with less ado for those of at most [`MOST`] pids,
//! whose tokens have labels that take a byte, and hold a pid or two and perhaps a datum, in this order: words that sum up what is around a pid are mixed for one round, and pids
//! are sorted by them. If all differ, or those that do not are twins, that order is canonical, as it is there.
//! Otherwise the state is left to others. Which way a state goes, and so its bytes, is the same for all equivalent ones.
//!
//! Arrays have more places than there are pids, a power of two, so that no index into them need be checked.

mod twins;

use canon::sort_few;

use super::mixing::{K1, K2, mix};
use super::plain;
use super::repeated::{self, Repeated};
use crate::labels::{Labels, Plan};
use crate::writer::Writer;
use crate::{Kin, Sight, Working};

/// States of more pids, or of more tokens that are nobody's own, are not small.
const MOST: usize = 16;
/// The places of an array, and the index of nobody, who is above the roots.
const PLACES: usize = 32;
const NOBODY: usize = MOST;
/// Labels are below this: one more still takes a byte.
const LABELS: u32 = 0x7f;
/// More than a label, and one more is 0 in a byte.
const NO_LABEL: u32 = 0xff;
/// The bits of a key that hold the hash; below are those of the pid, and the uppermost is 0.
const KEPT_BITS: u32 = u32::MAX >> 1 & !(MOST as u32 - 1);
/// Where the count of a token, its first pid and its label are, and what says that there is a second pid, which comes last.
const COUNT_AT: u32 = 24;
const PID_AT: u32 = 16;
const LABEL_AT: u32 = 8;
const TWO: u32 = 1 << 4;
/// The bytes that a small state takes at most: two for each pid, three for each other token, two numbers, and some more
/// that mean nothing.
const BYTES: usize = 2 + 2 * MOST + 3 * MOST + 4;

/// What the tokens of a place hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pid,
    PidAndDatum,
    Pids,
    PidsAndDatum,
    /// What small states do not have.
    Other,
}

/// How the tokens of a place are read.
#[derive(Clone, Copy)]
struct Reading {
    kind: Kind,
    /// The label of a token without data, or with data 0.
    base: u32,
}

impl Reading {
    fn of(plan: &Plan) -> Reading {
        let kind = match (&*plan.pids, &*plan.data) {
            ([1], []) => Kind::Pid,
            ([1], [(2, _)]) => Kind::PidAndDatum,
            ([1, 2], []) => Kind::Pids,
            ([1, 2], [(3, _)]) => Kind::PidsAndDatum,
            _ => Kind::Other,
        };
        match plan.sum {
            Some(sum) if plan.last_label() < Some(LABELS) => {
                Reading { kind, base: sum.of(u32::from(plan.data.is_empty())) }
            }
            _ => Reading { kind: Kind::Other, base: 0 },
        }
    }
}

/// What is around a pid.
#[derive(Clone, Copy, Default)]
struct Around {
    /// Stands for what is known of the pid.
    word: u64,
    /// Sums up the words of its children, and of those it is in a token with.
    sum: u64,
    /// Its ancestor, or nobody.
    up: u32,
    /// The least label of a token that it has to itself.
    own: u32,
    /// What is added to the code of its ancestor: whether it is active, and whether the ancestor is close, if it shows.
    kind: u32,
}

/// What it takes to fold small states.
pub(super) struct Small {
    readings: Vec<Reading>,
    /// The same as others read them.
    plain_readings: Vec<Option<plain::Reading>>,
    /// The bits that are kept of hashes.
    kept_bits: u32,
    pids: [Around; PLACES],
    /// The tokens that are there once and are nobody's own.
    others: [u32; PLACES],
    other_count: usize,
    /// The tokens of two pids.
    pairs: [u32; PLACES],
    pair_count: usize,
    repeated: Vec<Repeated>,
    written: [u8; BYTES],
    /// The position of each pid; that of nobody is one less than 0.
    position: [u32; PLACES],
    /// A word for each label.
    words: [u64; LABELS as usize + 1],
}

impl Small {
    pub(super) fn new(labels: &Labels) -> Small {
        Small {
            readings: labels.plans.iter().map(Reading::of).collect(),
            plain_readings: labels.plans.iter().map(plain::Reading::of).collect(),
            kept_bits: KEPT_BITS,
            pids: [Around::default(); PLACES],
            others: [0; PLACES],
            other_count: 0,
            pairs: [0; PLACES],
            pair_count: 0,
            repeated: Vec::new(),
            written: [0; BYTES],
            position: [u32::MAX; PLACES],
            words: std::array::from_fn(|label| mix(label as u64)),
        }
    }

    /// Leaves hashes this many bits.
    pub(super) fn keep_hash_bits(&mut self, bits: u32) {
        self.kept_bits = KEPT_BITS & ((1_u64 << (4 + bits.min(28))) - 1) as u32;
    }

    /// The labelling of the state of `n` pids that was folded last.
    #[inline(always)]
    pub(super) fn position(&self, n: usize) -> &[u32] {
        &self.position[..n]
    }

    /// Appends the canonical bytes of a small state; `false` if the state is not small, or if words leave pids tied that
    /// are no twins.
    #[inline(never)]
    pub(super) fn fold(
        &mut self,
        working: &Working,
        ancestors: Sight,
        bytes: &mut Vec<u8>,
        writer: &mut Writer,
    ) -> bool {
        let kin = working.kinship.kin();
        if kin.len() > MOST {
            return false;
        }
        self.meet(kin, ancestors);
        if !self.read(working) {
            return false;
        }
        let mut keys = [0; MOST];
        let keys = &mut keys[..kin.len()];
        self.mix(keys);
        sort_few(keys);
        // No key is as great as the one before the first.
        let (mut last, mut are_tied) = (u32::MAX, false);
        for (at, &key) in (0..).zip(&*keys) {
            are_tied |= (key ^ last) < MOST as u32;
            last = key;
            self.position[key as usize % MOST] = at;
        }
        if are_tied && !self.are_twins_where_tied(keys) {
            return false;
        }
        let end = self.write(keys, 1 + u32::from(ancestors.far && ancestors.close));
        bytes.extend_from_slice(&self.written[..end]);
        if !self.repeated.is_empty() {
            writer.clear();
            repeated::write(&mut self.repeated, &self.plain_readings, &self.position, writer);
            bytes.extend_from_slice(writer.bytes());
        }
        true
    }

    /// Takes down the pids.
    #[inline(always)]
    fn meet(&mut self, kin: &[Kin], ancestors: Sight) {
        for (around, kin) in self.pids.iter_mut().zip(kin) {
            let kind = u32::from(kin.active);
            let up = kin.ancestor.pid_or(NOBODY as u32);
            *around = Around { word: u64::from(kind) << 56, sum: 0, up, own: NO_LABEL, kind };
        }
        if ancestors.far && ancestors.close {
            for (around, kin) in self.pids.iter_mut().zip(kin) {
                // As `code_of` has it.
                if kin.ancestor.get().is_some_and(|(_, is_close)| !is_close) {
                    around.kind = around.kind.wrapping_sub(2);
                    around.word = u64::from(around.kind) << 32;
                }
            }
        }
    }

    /// Reads the tokens; `false` if the state is not small.
    #[inline(always)]
    fn read(&mut self, working: &Working) -> bool {
        let Small { readings, pids, others, pairs, words, repeated, .. } = self;
        repeated.clear();
        let (mut next, mut next_pair) = (0, 0);
        let word = |label: u32| words[label as usize % words.len()];
        let mut rest_of_readings = readings.iter();
        for mut tokens in working.all_words() {
            let Some(reading) = rest_of_readings.next() else { break };
            if tokens.is_empty() {
                continue;
            }
            let base = reading.base;
            let place = || readings.len() - rest_of_readings.len() - 1;
            let mut repeat = |entry: &[u32]| repeated.push(Repeated::of(place(), entry));
            let mut own = |entry: &[u32], label: u32| {
                let (count, pid) = (entry[0], entry[1]);
                let around = &mut pids[pid as usize % MOST];
                around.word = around.word.wrapping_add(word(label));
                if count != 1 {
                    around.word = around.word.wrapping_add(u64::from(count));
                    return repeat(entry);
                }
                // The least label is the pid's own; for the first token, the other is written and not counted.
                let before = around.own;
                around.own = before.min(label);
                others[next % PLACES] = pid << PID_AT | before.max(label) << LABEL_AT;
                next += usize::from(before < NO_LABEL);
            };
            if reading.kind == Kind::PidAndDatum {
                while let Some((entry, rest)) = tokens.split_first_chunk::<3>() {
                    own(entry, base + entry[2]);
                    tokens = rest;
                }
                continue;
            }
            if reading.kind == Kind::Pid {
                while let Some((entry, rest)) = tokens.split_first_chunk::<2>() {
                    own(entry, base);
                    tokens = rest;
                }
                continue;
            }
            let mut pair = |entry: &[u32], label: u32| {
                let (count, from, to) = (entry[0], entry[1], entry[2]);
                let token = from << PID_AT | label << LABEL_AT | TWO | to;
                let around = &mut pids[from as usize % MOST];
                around.word = around.word.wrapping_add(if from == to { K1 } else { 0 });
                pairs[next_pair % PLACES] = token | (count & 0xff) << COUNT_AT;
                next_pair += 1;
                if count != 1 {
                    return repeat(entry);
                }
                others[next % PLACES] = token;
                next += 1;
            };
            match reading.kind {
                Kind::PidsAndDatum => {
                    while let Some((entry, rest)) = tokens.split_first_chunk::<4>() {
                        pair(entry, base + entry[3]);
                        tokens = rest;
                    }
                }
                Kind::Pids => {
                    while let Some((entry, rest)) = tokens.split_first_chunk::<3>() {
                        pair(entry, base);
                        tokens = rest;
                    }
                }
                _ => return false,
            }
        }
        (self.other_count, self.pair_count) = (next, next_pair);
        next.max(next_pair) <= MOST
    }

    /// Mixes the words for a round, and makes a key of each and its pid.
    #[inline(always)]
    fn mix(&mut self, keys: &mut [u32]) {
        let pids = &mut self.pids;
        for pid in 0..keys.len() {
            let Around { word, up, .. } = pids[pid % MOST];
            let above = &mut pids[up as usize % PLACES];
            above.sum = above.sum.wrapping_add(word);
        }
        for pair in &self.pairs[..self.pair_count] {
            let (from, to) = ((pair >> PID_AT) as usize % MOST, *pair as usize % MOST);
            let what = pair >> LABEL_AT & (0xff | 0xff << (COUNT_AT - LABEL_AT));
            let link = u64::from(what).wrapping_mul(K2);
            let words = (pids[from].word, pids[to].word);
            pids[from].sum = pids[from].sum.wrapping_add(words.1 ^ link);
            pids[to].sum = pids[to].sum.wrapping_add(words.0 ^ link.rotate_left(32));
        }
        for (pid, (key, around)) in keys.iter_mut().zip(&*pids).enumerate() {
            let above = pids[around.up as usize % PLACES].word.rotate_left(17);
            let sum = around.sum.wrapping_add(above);
            let word = mix(around.word.wrapping_mul(K1).rotate_left(23) ^ sum);
            *key = (word >> 33) as u32 & self.kept_bits | pid as u32;
        }
    }

    /// Writes the state; gives the number of its bytes.
    #[inline(always)]
    fn write(&mut self, keys: &[u32], shift: u32) -> usize {
        let Small { pids, others, other_count, written, position, .. } = self;
        let at = |pid: u32| position[pid as usize % MOST];
        let (pids_written, rest) = written[1..].split_at_mut(2 * keys.len());
        for (key, bytes) in keys.iter().zip(pids_written.as_chunks_mut::<2>().0) {
            let Around { up, own, kind, .. } = pids[*key as usize % MOST];
            let above = position[up as usize % PLACES].wrapping_add(1);
            let first = (above << shift).wrapping_add(kind);
            *bytes = [first as u8, (own + 1) as u8];
        }
        let tokens = &mut others[..*other_count];
        for token in &mut *tokens {
            let is_two = *token >> TWO.ilog2() & 1;
            let (from, to) = (at(*token >> PID_AT), at(*token) * is_two);
            *token = *token & (LABELS << LABEL_AT | TWO) | from << PID_AT | to;
        }
        sort_few(tokens);
        rest[0] = tokens.len() as u8;
        let mut at = 1;
        for token in tokens {
            let all = *token >> LABEL_AT | (*token & (TWO - 1)) << PID_AT;
            rest[at..at + 4].copy_from_slice(&all.to_le_bytes());
            at += 2 + (*token >> TWO.ilog2() & 1) as usize;
        }
        written[0] = keys.len() as u8;
        1 + 2 * keys.len() + at
    }
}
