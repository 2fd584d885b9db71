//! From a structure to its canonical labelling.
//!
//! 1. Each atom gets a word from its colour and unary tuples; a few rounds mix in the words of
//!    the atoms it shares a tuple with. Sorting by colour and word is the first partition. When
//!    it is discrete we are done: the words are the same in isomorphic structures, and a
//!    relabelled structure determines its class whatever the labelling was.
//! 2. Otherwise the partition is refined exactly, and what it leaves undecided is labelled by
//!    `frame`: interchangeable atoms and trees at once, other components by `search`.

use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::forest::Forest;
use crate::frame::Frame;
use crate::incidence::Incidence;
use crate::mixing::{mix, mix2};
use crate::partition::NoTrace;
use crate::structure::Structure;
use crate::symmetry::{Symmetry, UnionFind};
use crate::unary::Unary;

/// How often words are mixed before the first partition.
const ROUNDS: usize = 3;

/// Computes canonical labellings, and owns all memory this needs.
///
/// Keep one for each thread: after it has seen structures of a size, labelling more of them
/// allocates nothing.
#[derive(Debug)]
pub struct Canoniser {
    mask: u64,
    words: Vec<u64>,
    sums: Vec<u64>,
    keys: Vec<(u32, u64, u32)>,
    order: Vec<u32>,
    position: Vec<u32>,
    incidence: Incidence,
    frame: Frame,
    unary: Unary,
    forest: Forest,
}

impl Default for Canoniser {
    fn default() -> Self {
        Self::new()
    }
}

impl Canoniser {
    /// A canoniser without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            mask: u64::MAX,
            words: Vec::new(),
            sums: Vec::new(),
            keys: Vec::new(),
            order: Vec::new(),
            position: Vec::new(),
            incidence: Incidence::default(),
            frame: Frame::default(),
            unary: Unary::default(),
            forest: Forest::default(),
        }
    }

    /// A canoniser whose hashes keep only so many bits, to test that nothing rests on them. Its
    /// labellings are canonical too, but not those of [`Canoniser::new`].
    #[doc(hidden)]
    #[must_use]
    pub fn with_hash_bits(bits: u32) -> Self {
        Self { mask: u64::MAX >> (64 - bits.clamp(1, 64)), ..Self::new() }
    }

    /// Labels a structure canonically.
    pub fn canonise(&mut self, s: &Structure) -> Canonical<'_> {
        let n = s.len();
        self.frame.symmetry.clear();
        self.sum_unary(s);
        let factors = &mut self.frame.symmetry.factors;
        let is_forest = self.forest.label(
            s,
            &mut self.words,
            self.mask,
            &mut self.unary,
            &mut self.order,
            factors,
        );
        if !is_forest {
            self.refine(s);
        }
        self.position.resize(n, 0);
        for (i, &a) in self.order.iter().enumerate() {
            self.position[a as usize] = i as u32;
        }
        Canonical {
            order: &self.order,
            position: &self.position[..n],
            symmetry: &self.frame.symmetry,
            forest: is_forest.then_some(&self.forest),
        }
    }

    /// Gives each atom a word that stands for its unary tuples and loops.
    fn sum_unary(&mut self, s: &Structure) {
        self.words.clear();
        self.words.resize(s.len() + 1, 0);
        for &(label, a) in &s.unary {
            let word = &mut self.words[a as usize];
            *word = word.wrapping_add(mix(u64::from(label)));
        }
        for &(label, a) in &s.loops {
            let word = &mut self.words[a as usize];
            *word = word.wrapping_add(mix2(1, u64::from(label)));
        }
    }

    /// Orders the atoms by words that are the same in isomorphic structures, then settles ties.
    fn refine(&mut self, s: &Structure) {
        self.mix_words(s);
        self.keys.clear();
        let coloured = s.colours.iter().zip(&self.words).enumerate();
        self.keys.extend(coloured.map(|(a, (&c, &w))| (c, w & self.mask, a as u32)));
        self.keys.sort_unstable();
        self.order.clear();
        self.order.extend(self.keys.iter().map(|key| key.2));
        if self.keys.windows(2).any(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
            self.settle(s);
        }
    }

    /// Mixes into the word of each atom those of the atoms it shares tuples with.
    fn mix_words(&mut self, s: &Structure) {
        for (word, &colour) in self.words.iter_mut().zip(&s.colours) {
            *word = mix2(*word, u64::from(colour));
        }
        self.sums.clear();
        self.sums.resize(s.len(), 0);
        for _ in 0..ROUNDS {
            for &(label, u, v) in &s.arcs {
                let (from, to) = (self.words[u as usize], self.words[v as usize]);
                let sum = &mut self.sums[u as usize];
                *sum = sum.wrapping_add(mix2(u64::from(label), to));
                let sum = &mut self.sums[v as usize];
                *sum = sum.wrapping_add(mix2(!u64::from(label), from));
            }
            for wide in &s.wide {
                let atoms = s.wide_tuple_atoms(wide);
                let mut word = u64::from(wide.label);
                for &a in atoms {
                    word = mix2(word, self.words[a as usize]);
                }
                for (i, &a) in atoms.iter().enumerate() {
                    let sum = &mut self.sums[a as usize];
                    *sum = sum.wrapping_add(mix2(i as u64, word));
                }
            }
            for (word, sum) in self.words.iter_mut().zip(&mut self.sums) {
                *word = mix2(*word, std::mem::take(sum));
            }
        }
    }

    /// Orders the atoms when their words do not tell them all apart.
    fn settle(&mut self, s: &Structure) {
        let n = s.len();
        let frame = &mut self.frame;
        self.incidence.fill(s, &mut frame.graph, self.mask);
        let vertices = frame.graph.len() as u32;
        frame.partition.reset(self.order.iter().copied().chain(n as u32..vertices));
        let mut at = 0;
        for run in self.keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            frame.partition.cut(at, at + run.len());
            at += run.len();
        }
        for len in self.incidence.tuple_runs() {
            frame.partition.cut(at, at + len);
            at += len;
        }
        self.split_by_unary(s);
        let frame = &mut self.frame;
        frame.partition.enqueue_all();
        frame.partition.refine(&frame.graph, &mut NoTrace);
        frame.exact.settle(&frame.graph, &mut frame.partition);
        frame.settle(true, true);
        self.order.clear();
        self.order.extend_from_slice(&frame.labelling[..n]);
    }

    /// Makes sure that the atoms of a cell have the same unary tuples and loops.
    fn split_by_unary(&mut self, s: &Structure) {
        let (unary, n) = (&mut self.unary, s.len() as u32);
        unary.reset();
        self.frame.exact.split_by(&mut self.frame.partition, |a, b| {
            if a < n { unary.compare(s, a, b) } else { Ordering::Equal }
        });
    }
}

/// The canonical labelling of a structure, borrowed from the [`Canoniser`] that found it.
///
/// For isomorphic structures, renaming atoms by [`position`](Canonical::position) gives the same
/// colours by position and the same multiset of tuples; for others it does not. Positions ascend
/// with colours.
#[derive(Clone, Copy, Debug)]
pub struct Canonical<'a> {
    order: &'a [u32],
    position: &'a [u32],
    symmetry: &'a Symmetry,
    forest: Option<&'a Forest>,
}

impl<'a> Canonical<'a> {
    /// The atom at each canonical position.
    #[must_use]
    pub fn order(&self) -> &'a [u32] {
        self.order
    }

    /// The canonical position of each atom.
    #[must_use]
    pub fn position(&self) -> &'a [u32] {
        self.position
    }

    /// For each atom, the least atom that an automorphism takes it to.
    #[must_use]
    pub fn orbits(&self) -> Vec<u32> {
        let n = self.order.len();
        let mut classes = UnionFind::default();
        classes.reset(n);
        self.for_each_generator(|moves| {
            for &(a, b) in moves {
                classes.join(a, b);
            }
        });
        (0..n as u32).map(|a| classes.find(a)).collect()
    }

    /// Automorphisms that generate the group, each as the images of all atoms.
    #[must_use]
    pub fn generators(&self) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        self.for_each_generator(|moves| {
            let mut image: Vec<u32> = (0..self.order.len() as u32).collect();
            for &(a, b) in moves {
                image[a as usize] = b;
            }
            all.push(image);
        });
        all
    }

    /// Calls `visit` with the atoms that each generator moves, and where to. There may be many
    /// generators that each move few atoms.
    pub fn for_each_generator(&self, mut visit: impl FnMut(&[(u32, u32)])) {
        let n = self.order.len() as u32;
        let mut moves = Vec::new();
        for pairs in self.forest.iter().flat_map(|forest| forest.generators()) {
            moves.clear();
            moves.extend(pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
            visit(&moves);
        }
        for all in self.symmetry.generators() {
            moves.clear();
            moves.extend(all.iter().filter(|m| m.0 < n));
            visit(&moves);
        }
    }

    /// Whole numbers above one whose product is the order of the automorphism group.
    #[must_use]
    pub fn group_order_factors(&self) -> &'a [u32] {
        &self.symmetry.factors
    }

    /// The number of automorphisms.
    #[must_use]
    pub fn group_order(&self) -> BigUint {
        self.group_order_factors().iter().map(|&k| BigUint::from(k)).product()
    }
}
