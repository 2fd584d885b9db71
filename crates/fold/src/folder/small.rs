//! States of a few pids, folded in registers and on the stack.
//!
//! What [`Tokens`](super::tokens::Tokens), the structure, its labelling and the writer do for any state is done here at
//! once for states of at most [`MOST`] pids whose tokens are there once and have a label and at most two pids, where
//! siblings are not seen: words that sum up what is around a pid are mixed for a round or two, and pids are sorted by
//! them. If all differ, that order is canonical, since equivalent states have the same words. If some do not, the state
//! is left to the long way. Which way a state goes, and so its bytes, is the same for all equivalent ones; what the bytes
//! say is the state either way, so states that are not equivalent never share them.

use canon::sort_words;

use super::{LABELS, code_of};
use crate::labels::{Labels, Sum};
use crate::writer::Writer;
use crate::{Kin, Sight, Working};

/// States of more pids, or of more tokens that are nobody's own, are not small.
const MOST: usize = 16;
/// No small state has tokens of more words: each has at most four.
const MOST_WORDS: usize = 4 * 2 * MOST;
/// Rounds in which words are mixed.
const ROUNDS: usize = 2;
/// The bits of a key that hold the pid.
const PID: u64 = MOST as u64 - 1;

const K1: u64 = 0x9E37_79B9_7F4A_7C15;
const K2: u64 = 0xD6E8_FEB8_6659_FD93;

/// A word that depends on all bits of another.
#[inline(always)]
fn mix(x: u64) -> u64 {
    let product = u128::from(x ^ K1) * u128::from(K2);
    (product as u64) ^ ((product >> 64) as u64)
}

/// How the tokens of a place are read.
#[derive(Clone, Copy)]
struct Reading {
    stride: usize,
    /// Where the pids are; 0 for none.
    pids: [usize; 2],
    label: Sum,
}

/// A token that is nobody's own.
#[derive(Clone, Copy, Default)]
struct Other {
    label: u32,
    count: u32,
    pids: [u32; 2],
}

/// What it takes to fold small states.
pub(super) struct Small {
    /// For each place how it is read, if its tokens are simple enough.
    readings: Vec<Option<Reading>>,
    /// The bits that hashes do without.
    cut_bits: u32,
    words: [u64; MOST],
    own: [u32; MOST],
    /// With room for one too many.
    others: [Other; MOST + 1],
    position: [u32; MOST],
}

impl Small {
    pub(super) fn new(labels: &Labels) -> Small {
        let reading = |plan: &crate::labels::Plan| {
            let pids = match *plan.pids {
                [] => [0, 0],
                [a] => [a, 0],
                [a, b] => [a, b],
                _ => return None,
            };
            plan.sum.map(|label| Reading { stride: plan.stride, pids, label })
        };
        Small {
            readings: labels.plans.iter().map(reading).collect(),
            cut_bits: 0,
            words: [0; MOST],
            own: [0; MOST],
            others: [Other::default(); MOST + 1],
            position: [0; MOST],
        }
    }

    /// Leaves hashes this many bits.
    pub(super) fn keep_hash_bits(&mut self, bits: u32) {
        self.cut_bits = 64 - bits.clamp(1, 64);
    }

    /// Writes the canonical bytes of a small state, and gives the labelling; `None` if the state is not small, or if words
    /// leave pids tied. States with no more tokens than pids are forests as a rule, for which there is a better way.
    #[inline]
    pub(super) fn fold(
        &mut self,
        working: &Working,
        ancestors: Sight,
        writer: &mut Writer,
    ) -> Option<&[u32]> {
        let kin = working.kinship.kin();
        let n = kin.len();
        let words = working.count_words();
        if n > MOST || n == 0 || words <= 3 * n || words > MOST_WORDS {
            return None;
        }
        let others = self.read(working, n)?;
        let mut keys = [0; MOST];
        self.order(kin, others, &mut keys)?;
        for (at, key) in (0..).zip(&keys[..n]) {
            self.position[(key & PID) as usize] = at;
        }
        self.write_pids(kin, &keys[..n], ancestors, writer);
        self.write_others(others, writer);
        Some(&self.position[..n])
    }

    /// Reads the tokens: those that pids have to themselves, and the others, whose number is given.
    #[inline(always)]
    fn read(&mut self, working: &Working, n: usize) -> Option<usize> {
        self.words[..n].fill(0);
        self.own[..n].fill(0);
        let mut others = 0;
        for place in 0..self.readings.len() {
            let words = working.words(place);
            if words.is_empty() {
                continue;
            }
            let reading = self.readings[place]?;
            others = match reading.stride {
                2 => self.read_place::<2>(words, reading, others),
                3 => self.read_place::<3>(words, reading, others),
                4 => self.read_place::<4>(words, reading, others),
                _ => None,
            }?;
        }
        Some(others)
    }

    /// Reads the tokens of a place; there are this many others so far.
    #[inline(always)]
    fn read_place<const STRIDE: usize>(
        &mut self,
        tokens: &[u32],
        Reading { pids: [a, b], label, .. }: Reading,
        mut next: usize,
    ) -> Option<usize> {
        let Small { words, own, others, .. } = self;
        assert!(a.max(b).max(label.column) < STRIDE, "columns are in the entry");
        for entry in tokens.as_chunks::<STRIDE>().0 {
            if entry[0] != 1 || next > MOST {
                return None;
            }
            let label = label.of(entry[label.column]);
            let first = entry[a] as usize & (MOST - 1);
            if b > 0 {
                if entry[a] == entry[b] {
                    words[first] = words[first].wrapping_add(mix(!u64::from(label)));
                }
                others[next] = Other { label, count: 2, pids: [first as u32, entry[b]] };
                next += 1;
            } else if a > 0 {
                words[first] = words[first].wrapping_add(mix(u64::from(label)));
                // The least label is the pid's own; for the first token, the other is written and not counted.
                let before = own[first];
                let label_of_other = label.max(before.wrapping_sub(u32::from(before > 0)));
                others[next] = Other { label: label_of_other, count: 1, pids: [first as u32, 0] };
                next += usize::from(before > 0);
                own[first] = before.wrapping_sub(1).min(label) + 1;
            } else {
                others[next] = Other { label, ..Other::default() };
                next += 1;
            }
        }
        (next <= MOST).then_some(next)
    }

    /// Sorts the pids by words; `None` if some are tied.
    #[inline(always)]
    fn order(&mut self, kin: &[Kin], others: usize, keys: &mut [u64; MOST]) -> Option<()> {
        let n = kin.len();
        let words = &mut self.words;
        for (word, kin) in words.iter_mut().zip(kin) {
            *word = word.wrapping_add(u64::from(kin.active) * K2);
        }
        for _ in 0..ROUNDS {
            let mut sums = [0_u64; MOST];
            let mut add = |a: usize, b: usize, link: u64| {
                sums[a] = sums[a].wrapping_add(words[b] ^ link);
                sums[b] = sums[b].wrapping_add(words[a] ^ link.rotate_left(32));
            };
            for (pid, kin) in kin.iter().enumerate() {
                if let Some((to, is_close)) = kin.ancestor.get() {
                    add(pid & (MOST - 1), to as usize & (MOST - 1), u64::from(is_close) + 1);
                }
            }
            for other in self.others[..others].iter().filter(|other| other.count == 2) {
                let link = (u64::from(other.label) + 3).wrapping_mul(K2);
                add(other.pids[0] as usize & (MOST - 1), other.pids[1] as usize & (MOST - 1), link);
            }
            for ((pid, key), (word, sum)) in
                (0..).zip(&mut keys[..n]).zip(words.iter_mut().zip(&sums))
            {
                *word = mix(word.wrapping_mul(K1).rotate_left(23) ^ sum);
                *key = (*word << self.cut_bits) & !PID | pid;
            }
            sort_words(&mut keys[..n]);
            let mut pairs = keys[..n].windows(2);
            if pairs.all(|pair| (pair[0] ^ pair[1]) > PID) {
                return Some(());
            }
        }
        None
    }

    #[inline(always)]
    fn write_pids(&self, kin: &[Kin], keys: &[u64], ancestors: Sight, writer: &mut Writer) {
        let mut room = writer.room(1 + 2 * MOST);
        room.write(kin.len() as u32);
        for key in keys {
            let pid = (key & PID) as usize;
            let of = &kin[pid];
            let to = of.ancestor.get().map(|(to, _)| 1 + self.position[to as usize & (MOST - 1)]);
            let code = code_of(to.unwrap_or(0), of.ancestor.is_close(), ancestors);
            room.write_two(2 * code + u32::from(of.active), self.own[pid]);
        }
    }

    /// Writes the tokens that are nobody's own, in the order of their first pids, labels, and other pids.
    #[inline(always)]
    fn write_others(&self, others: usize, writer: &mut Writer) {
        const LABEL: u32 = 8;
        let mut keys = [0; MOST];
        let keys = &mut keys[..others];
        for (key, other) in keys.iter_mut().zip(&self.others) {
            let [first, second] = other.pids.map(|pid| self.position[pid as usize & (MOST - 1)]);
            let first = if other.count > 0 { first } else { 0 };
            let second = if other.count > 1 { second } else { 0 };
            let label = u64::from(other.label) << LABEL;
            *key = u64::from(first) << 40 | label | u64::from(second << 2 | other.count);
        }
        sort_words(keys);
        let mut room = writer.room(1 + 3 * MOST);
        room.write(others as u32);
        for &mut key in keys {
            let label = (key >> LABEL) as u32 & (LABELS - 1);
            match key & 3 {
                0 => room.write(label),
                count => {
                    room.write_two(label, (key >> 40) as u32);
                    if count == 2 {
                        room.write(key as u32 >> 2 & PID as u32);
                    }
                }
            }
        }
    }
}
