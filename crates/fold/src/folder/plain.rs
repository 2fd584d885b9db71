//! Plain states, folded straight from their tokens.
//!
//! A state is *plain* if its tokens have at most two pids, and a label where they are there once; if there are not many
//! more tokens than pids; and if siblings are not seen. What [`Tokens`](super::tokens::Tokens), the structure, its
//! labelling and the writer do for any state is done for these in one go:
//!
//! 1. `reading`: tokens are sorted out by who has them, and words that sum them up are added to their pids.
//! 2. Words of neighbours are mixed for a round, and pids are sorted by them. A few that are tied get more rounds.
//! 3. `twins`: those that are still tied must be interchangeable, which is checked exactly.
//! 4. `writing`: pids and tokens are written in that order.
//!
//! The order is canonical, since equivalent states have the same words, and interchanging twins makes no difference.
//! Where pids are tied that are no twins, the state is left to the long way. Which way a state goes, and so its
//! bytes, is the same for all equivalent ones; what the bytes say is the state either way, so states that are not
//! equivalent never share them. Cost: linear, but for sorting within buckets, which are small as a rule.

mod reading;
mod twins;
mod writing;

use canon::Sorter;

use super::mixing::{K1, K2, mix};
use super::repeated::Repeated;
use crate::labels::Labels;
use crate::writer::Writer;
use crate::{Kin, Link, Sight, Working};
pub(super) use reading::Reading;
use reading::{Other, Pair};

/// States whose pids take more bits are not plain.
const PID_BITS: u32 = 16;
/// Where more pids than this are tied with another, the state is left to the long way.
const MOST_TIES: usize = 8;
/// Rounds in which words are mixed.
const ROUNDS: usize = 3;

/// What is around a pid.
#[derive(Clone, Copy, Default)]
struct Around {
    /// Stands for what is known of the pid so far.
    word: u64,
    /// Sums up the words of its children, and of those it is in a token with; then its next word.
    sum: u64,
    /// Its ancestor; for roots, the number of pids.
    up: u32,
    /// One more than the least label of a token that it has to itself; 0 if there is none.
    own: u32,
    /// What is added to the code of its ancestor: whether it is active, and whether the ancestor is close, if it shows.
    kind: u32,
}

/// What it takes to fold plain states.
pub(super) struct Plain {
    /// For each place how it is read, if its tokens are simple enough.
    readings: Vec<Option<Reading>>,
    /// The bits that hashes do without.
    cut_bits: u32,
    /// The pids, and behind them nobody, who is above the roots.
    pids: Vec<Around>,
    pairs: Vec<Pair>,
    /// Tokens of one pid that are not its own.
    others: Vec<Other>,
    /// Labels of tokens without pids.
    bare: Vec<u32>,
    repeated: Vec<Repeated>,
    /// Word and pid, sorted.
    keys: Vec<u64>,
    /// The position of each pid; that of nobody is one less than 0.
    position: Vec<u32>,
    sorter: Sorter,
    /// A mistake that is planted by tests.
    takes_ties_for_twins: bool,
}

impl Plain {
    pub(super) fn new(labels: &Labels) -> Plain {
        Plain {
            readings: labels.plans.iter().map(Reading::of).collect(),
            cut_bits: 0,
            pids: Vec::new(),
            pairs: Vec::new(),
            others: Vec::new(),
            bare: Vec::new(),
            repeated: Vec::new(),
            keys: Vec::new(),
            position: Vec::new(),
            sorter: Sorter::default(),
            takes_ties_for_twins: false,
        }
    }

    /// Leaves hashes this many bits.
    pub(super) fn keep_hash_bits(&mut self, bits: u32) {
        self.cut_bits = 64 - bits.clamp(1, 64);
    }

    /// Plants a mistake.
    pub(super) fn take_ties_for_twins(&mut self) {
        self.takes_ties_for_twins = true;
    }

    /// The labelling of the state of `n` pids that was folded last.
    pub(super) fn position(&self, n: usize) -> &[u32] {
        &self.position[..n]
    }

    /// Writes the canonical bytes of a plain state; `false` if the state is not plain, or if words leave pids tied that
    /// are no twins.
    #[inline]
    pub(super) fn fold(
        &mut self,
        working: &Working,
        ancestors: Sight,
        writer: &mut Writer,
    ) -> bool {
        let kin = working.kinship.kin();
        let n = kin.len();
        if n == 0 || n >> PID_BITS > 0 {
            return false;
        }
        self.meet(kin, ancestors);
        let is_ordered = self.read(working) && !self.are_alike() && self.order();
        if is_ordered {
            self.write(ancestors, writer);
        }
        is_ordered
    }

    /// Takes down the pids.
    #[inline(always)]
    fn meet(&mut self, kin: &[Kin], ancestors: Sight) {
        let n = kin.len() as u32;
        let around = |kin: &Kin, kind: u32| Around {
            word: u64::from(kind) << 32,
            sum: 0,
            up: kin.ancestor.pid_or(n),
            own: 0,
            kind,
        };
        self.pids.clear();
        if ancestors.far && ancestors.close {
            // What a link adds to twice the number of its pid from 1 on, as `code_of` has it.
            let beside = |link: Link| match link {
                Link::NONE => 0,
                link => u32::from(link.is_close()).wrapping_sub(1),
            };
            self.pids.extend(kin.iter().map(|kin| {
                let kind = beside(kin.ancestor).wrapping_mul(2);
                around(kin, kind.wrapping_add(u32::from(kin.active)))
            }));
        } else {
            self.pids.extend(kin.iter().map(|kin| around(kin, u32::from(kin.active))));
        }
        self.pids.push(Around::default());
    }

    /// Whether all but one of many pids have the same tokens to themselves, so that a round would hardly tell them apart.
    #[inline(always)]
    fn are_alike(&self) -> bool {
        let pids = &self.pids[..self.pids.len() - 1];
        let Some([a, b, c]) = pids.first_chunk::<3>() else { return false };
        let most = if a.word == b.word { a } else { c };
        let mut others = pids.iter().filter(|around| around.word != most.word);
        pids.len() > 2 * MOST_TIES && (others.next().is_none() || others.next().is_none())
    }

    /// Sorts the pids by words; `false` if some are tied that are no twins. Leaves them in `keys`, and their positions.
    #[inline(always)]
    fn order(&mut self) -> bool {
        let n = self.pids.len() - 1;
        let bits = usize::BITS - n.leading_zeros();
        let low = (1 << bits) - 1;
        self.mix_words();
        let Plain { pids, keys, cut_bits, .. } = self;
        keys.clear();
        let words = (0..).zip(&pids[..n]);
        keys.extend(words.map(|(pid, around)| around.sum << *cut_bits & !low | pid));
        let buckets = bits.clamp(5, 8);
        self.sorter.sort(keys, u64::BITS - buckets, 1 << buckets);
        let ties = keys.windows(2).filter(|pair| (pair[0] ^ pair[1]) <= low).count();
        if ties > 0 && (ties > MOST_TIES || !self.split_ties(low)) {
            return false;
        }
        if self.position.len() <= n {
            self.position.resize(n + 1, 0);
        }
        let position = &mut self.position[..=n];
        (0..).zip(&self.keys).for_each(|(at, key)| position[(key & low) as usize] = at);
        position[n] = u32::MAX;
        true
    }

    /// Mixes the word of each pid with those of its neighbours. The new ones are where the sums were.
    #[inline(always)]
    fn mix_words(&mut self) {
        let pids = self.pids.as_mut_slice();
        let n = pids.len() - 1;
        for pid in 0..n {
            let Around { word, up, kind, .. } = pids[pid];
            let above = &mut pids[up as usize];
            above.sum = above.sum.wrapping_add(word ^ u64::from(kind));
        }
        for &Pair { label, count, from, to } in &self.pairs {
            let link = (u64::from(count) << 32 | u64::from(label)).wrapping_mul(K2);
            let (a, b) = (pids[from as usize].word, pids[to as usize].word);
            let from = &mut pids[from as usize];
            from.sum = from.sum.wrapping_add(b ^ link);
            let to = &mut pids[to as usize];
            to.sum = to.sum.wrapping_add(a ^ link.rotate_left(32));
        }
        for pid in 0..n {
            let Around { word, sum, up, .. } = pids[pid];
            let above = mix(pids[up as usize].word);
            pids[pid].sum = mix(word.wrapping_mul(K1).rotate_left(23) ^ sum.wrapping_add(above));
        }
    }

    /// Goes on to the words that were mixed.
    fn advance(&mut self) {
        for around in &mut self.pids {
            around.word = std::mem::take(&mut around.sum);
        }
    }

    /// Gives tied pids, whose keys are equal above the bits of `low`, more rounds. Whether those that are left are twins.
    #[inline(never)]
    fn split_ties(&mut self, low: u64) -> bool {
        // Runs of tied pids, as ranges of keys.
        let (mut runs, mut count) = ([(0, 0); MOST_TIES], 0);
        let mut at = 0;
        for run in self.keys.chunk_by(|a, b| (a ^ b) <= low) {
            if run.len() > 1 {
                runs[count] = (at, at + run.len());
                count += 1;
            }
            at += run.len();
        }
        for _ in 1..ROUNDS {
            self.advance();
            self.mix_words();
            let (mut left, mut kept, mut is_split) = ([(0, 0); MOST_TIES], 0, false);
            for &(from, to) in &runs[..count] {
                let keys = &mut self.keys[from..to];
                for key in &mut *keys {
                    let pid = *key & low;
                    *key = self.pids[pid as usize].sum << self.cut_bits & !low | pid;
                }
                keys.sort_unstable();
                let mut at = from;
                for run in keys.chunk_by(|a, b| (a ^ b) <= low) {
                    is_split |= run.len() < to - from;
                    if run.len() > 1 {
                        left[kept] = (at, at + run.len());
                        kept += 1;
                    }
                    at += run.len();
                }
            }
            (runs, count) = (left, kept);
            if count == 0 {
                return true;
            }
            if !is_split {
                break;
            }
        }
        self.takes_ties_for_twins
            || runs[..count].iter().all(|&(from, to)| {
                let mut pairs = self.keys[from..to].windows(2);
                pairs.all(|pair| self.are_twins((pair[0] & low) as u32, (pair[1] & low) as u32))
            })
    }
}
