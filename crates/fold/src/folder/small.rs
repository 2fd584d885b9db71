//! Plain states of a few pids, folded in registers and on the stack.
//!
//! What [`Plain`](super::plain::Plain) does for plain states is done here with less ado for those of at most [`MOST`] pids,
//! whose tokens have labels that take a byte, and hold a pid or two and perhaps a datum, in this order:
//!
//! 1. `reading`: a token of each pid is taken down as its own, and the others are listed.
//! 2. `summing`: the own token becomes the least, and words for what a pid has are added to those of its neighbours.
//! 3. `ranking`: pids are put in the order of hashes of these sums.
//! 4. `writing`: each pid is written where its position is, then the other tokens of one pid, and those of two, in order.
//!
//! If all hashes differ, or those that do not are of `twins`, the order is canonical, as it is there. Otherwise the state
//! is left to others. Which way a state goes, and so its bytes, is the same for all equivalent ones.
//!
//! Nothing here branches on what is random as a rule but how many tokens there are, and arrays are as long as an index may
//! be, so that none need be checked. What is done for each pid is compiled for each number of them up to eight,
//! and what is done for each token of a list for up to four, since loops of a few turns that can be unrolled cost half.
//!
//! A token is a word: its first pid, one more than its label, so that 0 is none, and the second pid, a byte each.

mod ranking;
mod reading;
mod summing;
mod twins;
mod writing;

use super::mixing::{K1, K2, mix};
use super::plain;
use super::repeated::{self, Repeated};
use crate::labels::Labels;
use crate::writer::Writer;
use crate::{Kin, Sight, Working};
use reading::Reading;

/// States of more pids, or of more tokens that are nobody's own, are not small.
const MOST: usize = 16;
/// The length of an array that has a place for nobody, too, who is above the roots: it is the last, which is where no link
/// leads to.
const PLACES: usize = 32;
/// Labels are below this: one more still takes a byte.
const LABELS: u32 = 0x7f;
/// The bits of a hash: with a pid, it is a word of 31 bits.
const HASH_BITS: u32 = 31 - MOST.ilog2();
/// Where the first pid and the label of a token are.
const PID_AT: u32 = 16;
const LABEL_AT: u32 = 8;

/// What it takes to fold small states.
pub(super) struct Small {
    readings: Vec<Reading>,
    /// The same as others read them.
    plain_readings: Vec<Option<plain::Reading>>,
    /// The bits of a word that its hash does without.
    cut_bits: u32,
    /// A token that each pid has to itself: after summing up, the one of the least label.
    own: [u32; MOST],
    /// The tokens of one pid that are there once and are nobody's own, with room for one more; and
    /// those of two that are there once.
    singles: [u32; MOST + 1],
    single_count: usize,
    pairs: [u32; MOST],
    pair_count: usize,
    /// The tokens that are there more than once.
    repeated: [Repeated; MOST],
    repeated_count: usize,
    /// The ancestor of each pid, or nobody, modulo [`PLACES`].
    above: [u8; MOST],
    /// For how many states that are plain it is still better to see that they are before they are read, since one before
    /// was not.
    pub(super) counts_first: u32,
    /// Stands for what each pid has. That of nobody stays 0.
    words: [u64; PLACES],
    /// Sums up the words around each pid.
    sums: [u64; PLACES],
    /// The position of each pid; that of nobody is one less than 0.
    position: [u32; PLACES],
    /// A mistake that is planted by tests.
    takes_ties_for_twins: bool,
    /// A word for each label, and for none.
    of_label: [u64; 0x100],
}

impl Small {
    pub(super) fn new(labels: &Labels) -> Small {
        Small {
            readings: (0..).zip(&labels.plans).map(Reading::of).collect(),
            plain_readings: labels.plans.iter().map(plain::Reading::of).collect(),
            cut_bits: u64::BITS - HASH_BITS,
            own: [0; MOST],
            singles: [0; MOST + 1],
            single_count: 0,
            pairs: [0; MOST],
            pair_count: 0,
            repeated: [Repeated::default(); MOST],
            repeated_count: 0,
            above: [0; MOST],
            counts_first: 0,
            words: [0; PLACES],
            sums: [0; PLACES],
            position: [u32::MAX; PLACES],
            takes_ties_for_twins: false,
            of_label: std::array::from_fn(|label| mix(label as u64)),
        }
    }

    /// Leaves hashes this many bits.
    pub(super) fn keep_hash_bits(&mut self, bits: u32) {
        self.cut_bits = u64::BITS - bits.clamp(1, HASH_BITS);
    }

    /// Plants a mistake.
    pub(super) fn take_ties_for_twins(&mut self) {
        self.takes_ties_for_twins = true;
    }

    /// The labelling of the state of `n` pids that was folded last.
    #[inline(always)]
    pub(super) fn position(&self, n: usize) -> &[u32] {
        &self.position[..n]
    }

    /// Appends the canonical bytes of a small state; `false` if the state is not small, or if hashes leave pids tied that
    /// are no twins.
    #[inline(always)]
    pub(super) fn fold(
        &mut self,
        working: &Working,
        ancestors: Sight,
        bytes: &mut Vec<u8>,
        writer: &mut Writer,
    ) -> bool {
        if ancestors.far && ancestors.close {
            return self.fold_any(working, bytes, writer);
        }
        match working.kinship.kin().len() {
            1 => self.fold_sized::<false, 1>(working, bytes, writer),
            2 => self.fold_sized::<false, 2>(working, bytes, writer),
            3 => self.fold_sized::<false, 3>(working, bytes, writer),
            4 => self.fold_sized::<false, 4>(working, bytes, writer),
            5 => self.fold_sized::<false, 5>(working, bytes, writer),
            6 => self.fold_sized::<false, 6>(working, bytes, writer),
            7 => self.fold_sized::<false, 7>(working, bytes, writer),
            8 => self.fold_sized::<false, 8>(working, bytes, writer),
            9..=MOST => self.fold_sized::<false, MOST>(working, bytes, writer),
            _ => false,
        }
    }

    /// [`Small::fold`] where far ancestors are seen, and which are close.
    #[inline(never)]
    fn fold_any(&mut self, working: &Working, bytes: &mut Vec<u8>, writer: &mut Writer) -> bool {
        let is_small = (1..=MOST).contains(&working.kinship.kin().len());
        is_small && self.fold_sized::<true, MOST>(working, bytes, writer)
    }

    /// [`Small::fold`] for `N` pids, or at most [`MOST`], if `N` is that; `BOTH` if far ancestors are seen, and which are
    /// close.
    #[inline(never)]
    fn fold_sized<const BOTH: bool, const N: usize>(
        &mut self,
        working: &Working,
        bytes: &mut Vec<u8>,
        writer: &mut Writer,
    ) -> bool {
        if !self.read(working) {
            return false;
        }
        let kin = working.kinship.kin();
        let kin = &kin[..if N < MOST { N } else { kin.len().min(MOST) }];
        self.add_up::<BOTH>(kin);
        if !self.rank::<N>(kin) {
            return false;
        }
        self.write::<BOTH>(kin, bytes);
        if self.repeated_count > 0 {
            self.write_repeated(bytes, writer);
        }
        true
    }

    /// Appends the tokens that are there more than once.
    #[inline(never)]
    fn write_repeated(&mut self, bytes: &mut Vec<u8>, writer: &mut Writer) {
        writer.clear();
        let tokens = &mut self.repeated[..self.repeated_count];
        repeated::write(tokens, &self.plain_readings, &self.position, writer);
        bytes.extend_from_slice(writer.bytes());
    }
}

/// What is added to the code of the ancestor of a pid: whether the pid is active, and, if `BOTH` are seen, whether the
/// ancestor is far. As `code_of` has it.
#[inline(always)]
fn kind<const BOTH: bool>(kin: &Kin) -> u32 {
    let is_far = BOTH && kin.ancestor.get().is_some_and(|(_, is_close)| !is_close);
    u32::from(kin.active).wrapping_sub(2 * u32::from(is_far))
}
