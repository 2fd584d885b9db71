//! From a structure to its canonical labelling.
//!
//! 1. A structure whose pairs are the links of a forest is labelled by `forest`.
//! 2. Otherwise atoms are ordered by `profile`, which mostly tells them all apart.
//! 3. Otherwise its partition is refined exactly, and what that leaves undecided is labelled by
//!    `frame`: interchangeable atoms and trees at once, other components by `search`.

use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::forest::Forest;
use crate::frame::Frame;
use crate::incidence::Incidence;
use crate::partition::NoTrace;
use crate::profile::{Profile, Told};
use crate::structure::Structure;
use crate::symmetry::{Symmetry, UnionFind};
use crate::unary::Unary;

/// Computes canonical labellings, and owns all memory this needs.
///
/// Keep one for each thread: after it has seen structures of a size, labelling more of them
/// allocates nothing.
#[derive(Debug)]
pub struct Canoniser {
    mask: u64,
    profile: Profile,
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
            profile: Profile::default(),
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
        self.profile.begin(s);
        let symmetry = &mut self.frame.symmetry;
        let (unary, order) = (&mut self.unary, &mut self.order);
        let words = &mut self.profile.words;
        let is_forest = self.forest.label(s, words, self.mask, unary, order, &mut symmetry.factors);
        if !is_forest && self.profile.order(s, self.mask, order, unary, symmetry) == Told::Some {
            self.settle(s);
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

    /// Orders the atoms when their words do not tell them all apart.
    fn settle(&mut self, s: &Structure) {
        let n = s.len();
        let frame = &mut self.frame;
        self.incidence.fill(s, &mut frame.graph, self.mask);
        let vertices = frame.graph.len() as u32;
        frame.partition.reset(self.order.iter().copied().chain(n as u32..vertices));
        let mut at = 0;
        for len in self.profile.cells().chain(self.incidence.tuple_runs()) {
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
