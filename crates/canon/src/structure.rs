//! The structures that are labelled: coloured atoms and a multiset of labelled tuples over them.
//!
//! Tuples are kept apart by arity, because each arity takes another road later: a unary tuple
//! colours its atom, a binary one is an arc, and a wider one becomes a vertex of its own.

/// A finite coloured relational structure.
///
/// Atoms are numbered from zero in the order they are added. Two structures are *isomorphic* when
/// a bijection of atoms preserves colours and maps the multiset of labelled tuples of one onto
/// that of the other.
///
/// `==` compares structures as they are written down, tuples in the order they were added; see
/// [`Structure::relabelled`] for one that does not depend on that order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Structure {
    pub(crate) colours: Vec<u32>,
    /// `(label, atom)`.
    pub(crate) unary: Vec<(u32, u32)>,
    /// `(label, atom)`, standing for the pair `(atom, atom)`.
    pub(crate) loops: Vec<(u32, u32)>,
    /// `(label, from, to)` with two distinct atoms.
    pub(crate) arcs: Vec<(u32, u32, u32)>,
    pub(crate) wide: Vec<Wide>,
    pub(crate) wide_atoms: Vec<u32>,
}

/// A tuple of three or more atoms: `wide_atoms[start..start + arity]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wide {
    pub(crate) label: u32,
    pub(crate) start: u32,
    pub(crate) arity: u32,
}

impl Structure {
    /// A structure without atoms.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all atoms and tuples, and keeps the memory.
    pub fn clear(&mut self) {
        self.colours.clear();
        self.unary.clear();
        self.loops.clear();
        self.arcs.clear();
        self.wide.clear();
        self.wide_atoms.clear();
    }

    /// Adds an atom of the given colour, and gives its index.
    #[inline]
    pub fn atom(&mut self, colour: u32) -> u32 {
        let index = self.colours.len() as u32;
        self.colours.push(colour);
        index
    }

    /// Adds atoms of the given colours.
    #[inline]
    pub fn atoms(&mut self, colours: impl IntoIterator<Item = u32>) {
        self.colours.extend(colours);
    }

    /// Gives all atoms other colours.
    ///
    /// # Panics
    ///
    /// When there are not as many colours as atoms.
    pub fn recolour(&mut self, colours: impl IntoIterator<Item = u32>) {
        let n = self.colours.len();
        self.colours.clear();
        self.colours.extend(colours);
        assert_eq!(self.colours.len(), n, "one colour for each atom");
    }

    /// Adds a labelled tuple. Adding the same tuple again counts: tuples form a multiset.
    ///
    /// # Panics
    ///
    /// When the tuple is empty or names an atom that does not exist.
    #[inline]
    pub fn tuple(&mut self, label: u32, atoms: &[u32]) {
        match *atoms {
            [a] => {
                assert!((a as usize) < self.colours.len(), "no atom {a}");
                self.unary.push((label, a));
            }
            [a, b] => {
                assert!((a.max(b) as usize) < self.colours.len(), "no atom {}", a.max(b));
                if a == b {
                    self.loops.push((label, a));
                } else {
                    self.arcs.push((label, a, b));
                }
            }
            _ => self.wide_tuple(label, atoms),
        }
    }

    /// Adds tuples of two atoms: label, first and second atom of each.
    ///
    /// # Panics
    ///
    /// When one names an atom that does not exist.
    #[inline]
    pub fn tuples_of_two(&mut self, tuples: impl Iterator<Item = (u32, u32, u32)>) {
        let Self { colours, loops, arcs, .. } = self;
        let atoms = colours.len();
        arcs.extend(tuples.filter(|&(label, a, b)| {
            assert!((a.max(b) as usize) < atoms, "no atom {}", a.max(b));
            if a == b {
                loops.push((label, a));
            }
            a != b
        }));
    }

    fn wide_tuple(&mut self, label: u32, atoms: &[u32]) {
        assert!(!atoms.is_empty(), "a tuple has at least one atom");
        for &a in atoms {
            assert!((a as usize) < self.colours.len(), "no atom {a}");
        }
        let start = self.wide_atoms.len() as u32;
        self.wide.push(Wide { label, start, arity: atoms.len() as u32 });
        self.wide_atoms.extend_from_slice(atoms);
    }

    /// The number of atoms.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.colours.len()
    }

    /// Whether there is no atom (and hence no tuple).
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.colours.is_empty()
    }

    /// The colour of each atom.
    #[must_use]
    pub fn colours(&self) -> &[u32] {
        &self.colours
    }

    /// The number of tuples, each counted as often as it was added.
    #[must_use]
    pub fn tuple_count(&self) -> usize {
        self.unary.len() + self.loops.len() + self.arcs.len() + self.wide.len()
    }

    /// The pairs of distinct atoms: label, first and second atom of each.
    #[must_use]
    pub fn pairs(&self) -> &[(u32, u32, u32)] {
        &self.arcs
    }

    /// Calls `visit` for each tuple, with its label and atoms.
    #[inline]
    pub fn for_each_tuple(&self, mut visit: impl FnMut(u32, &[u32])) {
        self.for_each_other_tuple(&mut visit);
        for &(label, a, b) in &self.arcs {
            visit(label, &[a, b]);
        }
    }

    /// Calls `visit` for each tuple other than [pairs of distinct atoms](Self::pairs), with its label and
    /// atoms.
    #[inline]
    pub fn for_each_other_tuple(&self, mut visit: impl FnMut(u32, &[u32])) {
        for &(label, a) in &self.unary {
            visit(label, &[a]);
        }
        for &(label, a) in &self.loops {
            visit(label, &[a, a]);
        }
        for wide in &self.wide {
            visit(wide.label, self.wide_tuple_atoms(wide));
        }
    }

    pub(crate) fn wide_tuple_atoms(&self, wide: &Wide) -> &[u32] {
        &self.wide_atoms[wide.start as usize..(wide.start + wide.arity) as usize]
    }

    /// The structure with atom `a` renamed `position[a]`, its tuples sorted. Two relabelled
    /// structures are equal (`==`) exactly when they have the same colours by atom and the same
    /// multiset of tuples.
    ///
    /// # Panics
    ///
    /// When `position` is not a permutation of the atoms.
    #[must_use]
    pub fn relabelled(&self, position: &[u32]) -> Self {
        let n = self.len();
        assert_eq!(position.len(), n, "one position for each atom");
        let mut taken = vec![false; n];
        let mut colours = vec![0; n];
        for (a, &p) in position.iter().enumerate() {
            assert!(!std::mem::replace(&mut taken[p as usize], true), "position {p} twice");
            colours[p as usize] = self.colours[a];
        }
        let at = |a: u32| position[a as usize];
        let mut out = Self { colours, ..Self::default() };
        out.unary.extend(self.unary.iter().map(|&(l, a)| (l, at(a))));
        out.loops.extend(self.loops.iter().map(|&(l, a)| (l, at(a))));
        out.arcs.extend(self.arcs.iter().map(|&(l, a, b)| (l, at(a), at(b))));
        out.unary.sort_unstable();
        out.loops.sort_unstable();
        out.arcs.sort_unstable();
        let mut wide: Vec<(u32, Vec<u32>)> = self
            .wide
            .iter()
            .map(|w| (w.label, self.wide_tuple_atoms(w).iter().map(|&a| at(a)).collect()))
            .collect();
        wide.sort_unstable();
        for (label, atoms) in &wide {
            out.wide_tuple(*label, atoms);
        }
        out
    }
}
