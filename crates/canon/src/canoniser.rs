//! From a structure to its canonical labelling.
//!
//! 1. A structure whose pairs are the links of a forest is labelled by `forest`.
//! 2. Otherwise atoms are ordered by `profile`, which usually distinguishes them all.
//! 3. Otherwise its partition is refined exactly, and what that leaves undecided is labelled by
//!    `frame`: interchangeable atoms and trees at once, other components by `search`.

use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::bits::Set;
use crate::forest::{Forest, Nothing};
use crate::frame::Frame;
use crate::incidence::{APART, Incidence, Names};
use crate::partition::NoTrace;
use crate::profile::Profile;
use crate::search::BitSearch;
use crate::structure::Structure;
use crate::symmetry::Symmetry;
use crate::unary::Unary;
use crate::union_find::UnionFind;

/// Computes canonical labellings, and owns all memory this needs.
///
/// Keep one for each thread: after it has seen structures of a size, labelling more of them
/// allocates nothing.
#[derive(Debug, Default)]
pub struct Canoniser {
    /// The bits that hashes do without.
    cut_bits: u32,
    /// Whether positions need not ascend with colours.
    is_regardless: bool,
    profile: Profile,
    /// Atoms by position, and positions by atom, at the front.
    order: Vec<u32>,
    position: Vec<u32>,
    incidence: Incidence,
    /// Taken out while they are used.
    bits: Option<Box<BitSearch<u64, 64>>>,
    more_bits: Option<Box<BitSearch<u128, 128>>>,
    frame: Frame,
    unary: Unary,
    forest: Forest,
    symmetry: Symmetry,
    /// The tied atoms, by vertex; and the vertex of each atom.
    tied: Vec<u32>,
    vertex: Vec<u32>,
}

impl Canoniser {
    /// A canoniser without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A canoniser whose positions need not ascend with colours, which takes less time where many
    /// colours occur. Its labellings are canonical too, but not those of [`Canoniser::new`].
    #[must_use]
    pub fn regardless_of_colours() -> Self {
        Self { is_regardless: true, ..Self::new() }
    }

    /// The canoniser with hashes that keep only this many bits, to test that nothing rests on them. Its
    /// labellings are canonical too, but not those that it gave before.
    #[doc(hidden)]
    #[must_use]
    pub fn with_hash_bits(self, bits: u32) -> Self {
        Self { cut_bits: 64 - bits.clamp(1, 64), ..self }
    }

    /// Labels a structure canonically.
    pub fn canonise(&mut self, s: &Structure) -> Canonical<'_> {
        let (n, mask) = (s.len(), self.mask());
        self.symmetry.clear();
        self.profile.begin(s);
        let symmetry = &mut self.symmetry;
        let (unary, order) = (&mut self.unary, &mut self.order);
        let (words, mask, by_colour) = (&self.profile.words, mask, !self.is_regardless);
        let to = (&mut *order, &mut self.position);
        let is_forest = self.forest.label_structure(s, words, mask, by_colour, unary, to);
        if !is_forest && !self.profile.order(s, mask, by_colour, order, unary, symmetry) {
            self.invert(n);
            self.settle(s);
        }
        self.invert(n);
        self.labelled(n, is_forest)
    }

    /// Labels a forest canonically: atoms of these colours, each with its parent, which for roots is
    /// the number of atoms. Isomorphic forests are [written](Canonical::written) the same, and others
    /// are not; positions do not ascend with colours, and are not those that
    /// [`canonise`](Self::canonise) gives. No structure need be built for it. `None` if there is a
    /// cycle.
    ///
    /// ```
    /// # use canon::Canoniser;
    /// let mut canoniser = Canoniser::new();
    /// // A root of colour 7 with three leaves, two of them alike.
    /// let one = canoniser.canonise_forest([(7, 4), (1, 0), (2, 0), (1, 0)].into_iter());
    /// let written = one.expect("there is no cycle").written().to_vec();
    /// let other = canoniser.canonise_forest([(2, 3), (1, 3), (1, 3), (7, 4)].into_iter());
    /// let other = other.expect("there is no cycle");
    /// assert_eq!(other.written(), written);
    /// assert_eq!(other.group_order(), 2u32.into());
    /// ```
    ///
    /// # Panics
    ///
    /// When a parent is larger than the number of atoms.
    pub fn canonise_forest(
        &mut self,
        atoms: impl ExactSizeIterator<Item = (u32, u32)>,
    ) -> Option<Canonical<'_>> {
        let (n, mask) = (atoms.len(), self.mask());
        self.symmetry.clear();
        let (order, position) = (&mut self.order, &mut self.position);
        let is_forest = self.forest.label(atoms, &mut Nothing, mask, order, position);
        is_forest.then(|| self.labelled(n, true))
    }

    /// The bits that hashes keep.
    fn mask(&self) -> u64 {
        u64::MAX >> self.cut_bits
    }

    /// The labelling of `n` atoms that was found.
    fn labelled(&self, n: usize, is_forest: bool) -> Canonical<'_> {
        Canonical {
            order: &self.order[..n],
            position: &self.position[..n],
            symmetry: &self.symmetry,
            forest: is_forest.then_some(&self.forest),
        }
    }

    /// Makes positions of the first `n` of the order.
    fn invert(&mut self, n: usize) {
        if self.position.len() < n {
            self.position.resize(n, 0);
        }
        let position = &mut self.position[..n];
        for (i, &a) in self.order[..n].iter().enumerate() {
            position[a as usize] = i as u32;
        }
    }

    /// Orders the atoms that their words left tied, each cell within its positions.
    fn settle(&mut self, s: &Structure) {
        self.name_tied(s);
        let is_settled = match self.tied.len() {
            0..=64 => {
                let mut bits = self.bits.take().unwrap_or_default();
                let is_settled = self.settle_by_bits(s, &mut bits);
                self.bits = Some(bits);
                is_settled
            }
            65..=128 => {
                let mut bits = self.more_bits.take().unwrap_or_default();
                let is_settled = self.settle_by_bits(s, &mut bits);
                self.more_bits = Some(bits);
                is_settled
            }
            _ => false,
        };
        if !is_settled {
            self.profile.list_ends(s);
            self.settle_by_lists(s);
        }
        let frame = &self.frame;
        self.symmetry.absorb(&frame.symmetry, &self.tied);
        let mut labelled = frame.labelling.iter();
        for place in &mut self.order[..s.len()] {
            if self.vertex[*place as usize] != APART {
                let vertex = labelled.next().expect("as many vertices as tied atoms");
                *place = self.tied[*vertex as usize];
            }
        }
    }

    /// Labels the tied atoms by `bits`, if there are no tuples of three, few labels, and no pair twice.
    fn settle_by_bits<S: Set, const N: usize>(
        &mut self,
        s: &Structure,
        bits: &mut BitSearch<S, N>,
    ) -> bool {
        let (count, mask) = (self.tied.len(), self.mask());
        let vertex = &self.vertex;
        let is_tied = |a: &u32| vertex[*a as usize] != APART;
        if s.wide_atoms.iter().any(is_tied) {
            return false;
        }
        bits.graph.begin(count);
        self.profile.clear_ends();
        for &(label, a, b) in &s.arcs {
            let (from, to) = (vertex[a as usize], vertex[b as usize]);
            if from != APART && to != APART {
                if !bits.graph.add(label, from as usize, to as usize) {
                    return false;
                }
            } else if from != APART {
                self.profile.add_end(label, false, a, self.position[b as usize]);
            } else if to != APART {
                self.profile.add_end(label, true, b, self.position[a as usize]);
            }
        }
        bits.graph.end();
        self.profile.sort_ends();
        bits.cells.clear();
        let (unary, tied, profile) = (&mut self.unary, &self.tied, &self.profile);
        unary.reset();
        let (mut at, mut place) = (0, 0);
        for len in profile.cells() {
            if profile.was_tied(self.order[place]) {
                bits.cut_by(at, len, |a, b| {
                    let (a, b) = (tied[a as usize], tied[b as usize]);
                    unary.compare(s, a, b).then_with(|| profile.compare_ends(a, b))
                });
                at += len;
            }
            place += len;
        }
        self.frame.label_bits(bits, mask);
        true
    }

    /// Labels the tied atoms by lists.
    fn settle_by_lists(&mut self, s: &Structure) {
        let (count, mask) = (self.tied.len() as u32, self.mask());
        self.incidence.clear();
        self.profile.part_ends(&self.position, |label, from, to| {
            let vertex = |a: u32| self.vertex[a as usize];
            self.incidence.pair(label, vertex(from), vertex(to));
        });
        let (frame, profile) = (&mut self.frame, &self.profile);
        let names = Names { vertex: &self.vertex, position: &self.position };
        self.incidence.fill(s, &names, count, &mut frame.graph, mask);
        frame.partition.reset(0..frame.graph.len() as u32);
        let mut at = 0;
        let mut place = 0;
        for len in profile.cells() {
            if profile.was_tied(self.order[place]) {
                frame.partition.cut(at, at + len);
                at += len;
            }
            place += len;
        }
        for len in self.incidence.tuple_runs() {
            frame.partition.cut(at, at + len);
            at += len;
        }
        let (unary, tied) = (&mut self.unary, &self.tied);
        unary.reset();
        frame.exact.split_by(&mut frame.partition, |a, b| {
            if a >= count {
                return Ordering::Equal;
            }
            let (a, b) = (tied[a as usize], tied[b as usize]);
            unary.compare(s, a, b).then_with(|| profile.compare_ends(a, b))
        });
        frame.partition.enqueue_all();
        frame.partition.refine(&frame.graph, &mut NoTrace);
        frame.exact.settle(&frame.graph, &mut frame.partition);
        frame.symmetry.clear();
        frame.settle(true, true);
    }

    /// Numbers the tied atoms in their order.
    fn name_tied(&mut self, s: &Structure) {
        self.tied.clear();
        self.vertex.clear();
        self.vertex.resize(s.len(), APART);
        for &a in &self.order[..s.len()] {
            if self.profile.was_tied(a) {
                self.vertex[a as usize] = self.tied.len() as u32;
                self.tied.push(a);
            }
        }
    }
}

/// The canonical labelling of a structure, borrowed from the [`Canoniser`] that found it.
///
/// For isomorphic structures, renaming atoms by [`position`](Canonical::position) gives the same
/// colours by position and the same multiset of tuples; for others it does not. Positions ascend
/// with colours, unless the canoniser is [regardless](Canoniser::regardless_of_colours) of them.
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

    /// Of a forest that was given by parents, what stands at each position: one more than the
    /// position of the parent, or 0 for roots; and the colour.
    #[must_use]
    pub fn written(&self) -> &'a [(u32, u32)] {
        self.forest.map_or(&[], Forest::written)
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
    pub fn for_each_generator(&self, visit: impl FnMut(&[(u32, u32)])) {
        match self.forest {
            Some(forest) => forest.for_each_generator(visit),
            None => self.symmetry.generators().for_each(visit),
        }
    }

    /// Calls `visit` with whole numbers above one whose product is the order of the automorphism group.
    pub fn for_each_factor(&self, visit: impl FnMut(u32)) {
        match self.forest {
            Some(forest) => forest.for_each_factor(visit),
            None => self.symmetry.factors.iter().copied().for_each(visit),
        }
    }

    /// The number of automorphisms.
    #[must_use]
    pub fn group_order(&self) -> BigUint {
        let mut order = BigUint::from(1_u32);
        self.for_each_factor(|factor| order *= factor);
        order
    }
}
