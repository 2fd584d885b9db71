//! The first partition: atoms ordered by words that sum up what is around them.
//!
//! A word starts from colour and unary tuples and takes in the words of the atoms that share a
//! tuple with it, for one round. Sorting by colour and word is usually enough to tell all atoms
//! apart, and then any labelling in that order is canonical: words are the same in isomorphic
//! structures. Atoms left tied go through a few rounds of their own. If these end with cells of
//! *twins*, atoms with exactly the same unary tuples and the same pairs with the same others, any
//! order of the twins will do. Cost: linear, but for the sorting.

use std::cmp::Ordering;

use crate::few::sort_words;
use crate::mixing::{link, mix, mix2, spread};
use crate::spread::Sorter;
use crate::structure::Structure;
use crate::symmetry::Symmetry;
use crate::unary::Unary;

/// Up to this many atoms are sorted by colour and word at once.
const FEW: usize = 16;
/// Rounds that tied atoms get before they are handed on.
const ROUNDS: usize = 4;
/// Where there are this many times as many pairs as atoms, tied atoms are handed on at once.
const DENSE: usize = 2;

/// A pair as one of its atoms sees it: label and direction, and the other atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    atom: u32,
    kind: u64,
    other: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Profile {
    pub(crate) words: Vec<u64>,
    sums: Vec<u64>,
    keys: Vec<u64>,
    sorter: Sorter,
    long_keys: Vec<(u32, u64, u32)>,
    /// For each place in the order, whether its atom is in the cell of the one before.
    tied: Vec<bool>,
    ends: Vec<End>,
    /// For each atom, whether it is tied; then the range of its ends.
    ranges: Vec<(u32, u32)>,
}

const APART: (u32, u32) = (u32::MAX, 0);
const TIED: (u32, u32) = (0, 0);

impl Profile {
    /// Gives each atom a word that stands for its colour, unary tuples and loops.
    pub(crate) fn begin(&mut self, s: &Structure) {
        self.words.clear();
        self.words.extend(s.colours.iter().map(|&colour| spread(colour)));
        for &(label, a) in &s.unary {
            let word = &mut self.words[a as usize];
            *word = word.wrapping_add(mix(u64::from(label)));
        }
        for &(label, a) in &s.loops {
            let word = &mut self.words[a as usize];
            *word = word.wrapping_add(mix2(1, u64::from(label)));
        }
    }

    /// The cells of the last order, as their lengths.
    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> {
        self.tied.chunk_by(|_, &tied| tied).map(<[bool]>::len)
    }

    /// Orders the atoms by colour and word; if all words differ and it need not be `by_colour`, by word
    /// alone. Says whether that settles it: all atoms differ, or are tied with twins only.
    pub(crate) fn order(
        &mut self,
        s: &Structure,
        mask: u64,
        by_colour: bool,
        order: &mut Vec<u32>,
        unary: &mut Unary,
        symmetry: &mut Symmetry,
    ) -> bool {
        self.take_in(s);
        let by_word =
            if by_colour || s.len() <= FEW { None } else { self.sort_words(s, mask, order) };
        let ties = by_word.unwrap_or_else(|| self.sort(s, mask, order));
        if ties == 0 {
            return true;
        }
        self.mark_tied(s.len(), order);
        // Where all look alike, they will after another round.
        let are_all_alike = ties + 1 == s.len() && !s.arcs.is_empty();
        if are_all_alike || s.arcs.len() >= DENSE * s.len() {
            return false;
        }
        self.list_ends(s);
        if s.wide_atoms.iter().any(|&a| self.ranges[a as usize] == TIED) {
            return false;
        }
        for _ in 0..ROUNDS {
            match self.split_ties(mask, order) {
                (_, 0) => return true,
                (false, _) => break,
                _ => {}
            }
        }
        unary.reset();
        if !self.may_be_twins(order) || !self.are_twins(s, order, unary) {
            return false;
        }
        let mut at = 0;
        for cell in self.tied.chunk_by(|_, &tied| tied) {
            let members = &order[at..at + cell.len()];
            at += cell.len();
            symmetry.factorial(members.len() as u32);
            for pair in members.windows(2) {
                symmetry.exchange(&pair[..1], &pair[1..]);
            }
        }
        true
    }

    /// Mixes into the word of each atom those of the atoms it shares tuples with.
    fn take_in(&mut self, s: &Structure) {
        self.sums.clear();
        self.sums.resize(s.len(), 0);
        let (words, sums) = (&mut self.words[..s.len()], &mut self.sums[..s.len()]);
        for &(label, u, v) in &s.arcs {
            let link = link(label);
            let (u, v) = (u as usize, v as usize);
            sums[u] = sums[u].wrapping_add(words[v] ^ link);
            sums[v] = sums[v].wrapping_add(words[u] ^ link.rotate_left(32));
        }
        for wide in &s.wide {
            let atoms = s.wide_tuple_atoms(wide);
            let mut word = link(wide.label);
            for &a in atoms {
                word = mix2(word, words[a as usize]);
            }
            for (i, &a) in atoms.iter().enumerate() {
                let sum = &mut sums[a as usize];
                *sum = sum.wrapping_add(mix2(word, i as u64));
            }
        }
        for (word, sum) in words.iter_mut().zip(sums) {
            *word = mix2(*word, std::mem::take(sum));
        }
    }

    /// Sorts by word alone; gives the number of atoms tied with the one before, or `None` if their
    /// colours differ somewhere.
    fn sort_words(&mut self, s: &Structure, mask: u64, order: &mut Vec<u32>) -> Option<usize> {
        let index_bits = usize::BITS - s.len().leading_zeros();
        let low = (1u64 << index_bits) - 1;
        self.keys.clear();
        let words = self.words.iter().enumerate();
        self.keys.extend(words.map(|(a, &word)| (word & mask) & !low | a as u64));
        let bits = index_bits + 1;
        self.sorter.sort(&mut self.keys, u64::BITS - bits, 1 << bits);
        order.clear();
        order.extend(self.keys.iter().map(|key| (key & low) as u32));
        let ties = self.count_ties(low);
        let colour = |a: u32| s.colours[a as usize];
        let alike = |pair: &[u32]| colour(pair[0]) == colour(pair[1]);
        let mut tied = self.tied.iter().skip(1).zip(order.windows(2));
        tied.all(|(&tied, pair)| !tied || alike(pair)).then_some(ties)
    }

    /// Counts neighbouring keys that differ in the low bits only; if there are any, notes where.
    fn count_ties(&mut self, low: u64) -> usize {
        let pairs = self.keys.windows(2);
        let ties = pairs.filter(|pair| (pair[0] ^ pair[1]) <= low).count();
        self.tied.clear();
        if ties > 0 {
            self.tied.push(false);
            let pairs = self.keys.windows(2);
            self.tied.extend(pairs.map(|pair| (pair[0] ^ pair[1]) <= low));
        }
        ties
    }

    /// Sorts by colour and word; gives the number of atoms tied with the one before.
    fn sort(&mut self, s: &Structure, mask: u64, order: &mut Vec<u32>) -> usize {
        let n = s.len();
        order.clear();
        let greatest = s.colours.iter().fold(0, |greatest, &colour| greatest | colour);
        let colour_bits = 32 - greatest.leading_zeros();
        let index_bits = usize::BITS - n.leading_zeros();
        if colour_bits + index_bits > 32 {
            return self.sort_long(s, mask, order);
        }
        // One key holds colour, word and index; as much of the word as there is room for.
        self.keys.clear();
        let low = (1u64 << index_bits) - 1;
        let coloured = s.colours.iter().zip(&self.words).enumerate();
        self.keys.extend(coloured.map(|(a, (&colour, &word))| {
            let top = u64::from(colour) << 32 << (32 - colour_bits);
            top | ((word & mask) << index_bits << colour_bits >> colour_bits) | a as u64
        }));
        sort_words(&mut self.keys);
        order.extend(self.keys.iter().map(|key| (key & low) as u32));
        self.count_ties(low)
    }

    /// [`Profile::sort`] for colours that leave no room in a key.
    fn sort_long(&mut self, s: &Structure, mask: u64, order: &mut Vec<u32>) -> usize {
        self.long_keys.clear();
        let coloured = s.colours.iter().zip(&self.words).enumerate();
        self.long_keys.extend(coloured.map(|(a, (&c, &word))| (c, word & mask, a as u32)));
        self.long_keys.sort_unstable();
        order.extend(self.long_keys.iter().map(|key| key.2));
        self.tied.clear();
        self.tied.push(false);
        let pairs = self.long_keys.windows(2);
        self.tied.extend(pairs.map(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)));
        self.tied.iter().filter(|&&tied| tied).count()
    }

    /// Notes who is tied with a neighbour in the order.
    fn mark_tied(&mut self, n: usize, order: &[u32]) {
        self.ranges.clear();
        self.ranges.resize(n, APART);
        for (i, pair) in self.tied.windows(2).enumerate() {
            if pair[1] {
                self.ranges[order[i] as usize] = TIED;
                self.ranges[order[i + 1] as usize] = TIED;
            }
        }
    }

    /// Lists the pairs of tied atoms.
    pub(crate) fn list_ends(&mut self, s: &Structure) {
        self.clear_ends();
        for &(label, u, v) in &s.arcs {
            let kind = u64::from(label) << 1;
            if self.ranges[u as usize] != APART {
                self.ends.push(End { atom: u, kind, other: v });
            }
            if self.ranges[v as usize] != APART {
                self.ends.push(End { atom: v, kind: kind | 1, other: u });
            }
        }
    }

    /// One more round for the tied atoms. Gives whether a cell was split, and the ties left.
    fn split_ties(&mut self, mask: u64, order: &mut [u32]) -> (bool, usize) {
        for end in &self.ends {
            let link = link((end.kind >> 1) as u32).rotate_left((end.kind as u32 & 1) * 32);
            let word = self.words[end.other as usize] ^ link;
            let sum = &mut self.sums[end.atom as usize];
            *sum = sum.wrapping_add(word);
        }
        for &a in order.iter() {
            if self.ranges[a as usize] == TIED {
                let sum = std::mem::take(&mut self.sums[a as usize]);
                self.words[a as usize] = mix2(self.words[a as usize], sum);
            }
        }
        let (mut split, mut ties, mut at) = (false, 0, 0);
        while at < order.len() {
            let len = 1 + self.tied[at + 1..].iter().take_while(|&&tied| tied).count();
            if len > 1 {
                let word = |a: u32| self.words[a as usize] & mask;
                let members = &mut order[at..at + len];
                members.sort_unstable_by_key(|&a| word(a));
                for (i, pair) in members.windows(2).enumerate() {
                    let tied = word(pair[0]) == word(pair[1]);
                    self.tied[at + i + 1] = tied;
                    split |= !tied;
                    ties += usize::from(tied);
                }
            }
            at += len;
        }
        (split, ties)
    }

    /// Whether sums over the pairs of tied atoms, *with* the names of the others, are equal within
    /// cells: if not, the sorting can be saved.
    fn may_be_twins(&mut self, order: &[u32]) -> bool {
        for end in &self.ends {
            let sum = &mut self.sums[end.atom as usize];
            *sum = sum.wrapping_add(mix2(end.kind, u64::from(end.other)));
        }
        let same = |pair: &[u32]| self.sums[pair[0] as usize] == self.sums[pair[1] as usize];
        self.tied[1..].iter().zip(order.windows(2)).all(|(&tied, pair)| !tied || same(pair))
    }

    /// Forgets the listed pairs.
    pub(crate) fn clear_ends(&mut self) {
        self.ends.clear();
        self.ranges.iter_mut().filter(|range| **range != APART).for_each(|range| *range = TIED);
    }

    /// Lists a pair of a tied atom with one that is not, which is known by its position.
    pub(crate) fn add_end(&mut self, label: u32, enters: bool, atom: u32, position: u32) {
        self.ends.push(End {
            atom,
            kind: u64::from(label) << 1 | u64::from(enters),
            other: position,
        });
    }

    /// Sorts the listed pairs, so that those of each atom can be found.
    pub(crate) fn sort_ends(&mut self) {
        self.ends.sort_unstable();
        let mut at = 0;
        for ends in self.ends.chunk_by(|a, b| a.atom == b.atom) {
            self.ranges[ends[0].atom as usize] = (at, at + ends.len() as u32);
            at += ends.len() as u32;
        }
    }

    /// Whether atoms of one cell have the same unary tuples, and the same pairs with the same
    /// others.
    fn are_twins(&mut self, s: &Structure, order: &[u32], unary: &mut Unary) -> bool {
        self.sort_ends();
        self.tied[1..].iter().zip(order.windows(2)).all(|(&tied, pair)| {
            !tied
                || self.compare_ends(pair[0], pair[1]) == Ordering::Equal
                    && unary.compare(s, pair[0], pair[1]) == Ordering::Equal
        })
    }

    /// Whether the atom was tied after the first sorting.
    #[inline]
    pub(crate) fn was_tied(&self, a: u32) -> bool {
        self.ranges[a as usize] != APART
    }

    /// Calls `inward` for each pair of atoms that were tied: label, from, to. Keeps the other
    /// pairs of tied atoms for [`Profile::compare_ends`], where the atom that never was tied
    /// is known by its position.
    pub(crate) fn part_ends(&mut self, position: &[u32], mut inward: impl FnMut(u32, u32, u32)) {
        let ranges = &mut self.ranges;
        self.ends.retain_mut(|end| {
            if ranges[end.other as usize] == APART {
                end.other = position[end.other as usize];
                return true;
            }
            if end.kind & 1 == 0 {
                inward((end.kind >> 1) as u32, end.atom, end.other);
            }
            false
        });
        for range in ranges.iter_mut().filter(|range| **range != APART) {
            *range = TIED;
        }
        self.sort_ends();
    }

    /// Orders two tied atoms by their listed pairs; after [`Profile::part_ends`], by those with atoms that
    /// never were tied.
    pub(crate) fn compare_ends(&self, a: u32, b: u32) -> Ordering {
        let seen = |a: u32| {
            let (from, to) = self.ranges[a as usize];
            self.ends[from as usize..to as usize].iter().map(|end| (end.kind, end.other))
        };
        seen(a).cmp(seen(b))
    }
}
