//! Vertices and typed arcs, the form in which structures are refined and searched.
//!
//! Each arc is stored at both ends; the type at the head is the type at the tail with its lowest
//! bit set (`ty ^ 1`), so even types leave and odd types enter. There is at most one arc of a
//! type between two vertices, and none from a vertex to itself: multiplicities are part of the
//! type. The arcs of a vertex are sorted by type.

use crate::mixing::mix;

/// One end of an arc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arc {
    pub(crate) to: u32,
    pub(crate) ty: u32,
}

/// A graph in compressed rows.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    start: Vec<u32>,
    arcs: Vec<Arc>,
    weights: Vec<u64>,
    exact: bool,
    mask: u64,
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.start.len() - 1
    }

    #[inline]
    pub(crate) fn arcs(&self, v: u32) -> &[Arc] {
        &self.arcs[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
    }

    /// What an arc of type `ty` adds to the sum by which refinement tells vertices apart.
    #[inline]
    pub(crate) fn weight(&self, ty: u32) -> u64 {
        self.weights[ty as usize]
    }

    /// The number of types, leaving and entering.
    pub(crate) fn types(&self) -> usize {
        self.weights.len()
    }

    /// The bits that hashes keep.
    pub(crate) fn mask(&self) -> u64 {
        self.mask
    }

    /// Whether sums of weights are equal only if the numbers of arcs of each type are.
    pub(crate) fn exact_weights(&self) -> bool {
        self.exact
    }

    /// Fills the graph with `n` vertices and the given arcs `(type, from, to)`, whose even types
    /// ascend and lie below `types`.
    pub(crate) fn fill(&mut self, n: usize, arcs: &[(u32, u32, u32)], types: u32, mask: u64) {
        self.start.clear();
        self.start.resize(n + 1, 0);
        for &(_, u, v) in arcs {
            self.start[u as usize] += 1;
            self.start[v as usize] += 1;
        }
        let mut sum = 0;
        for s in &mut self.start {
            sum += *s;
            *s = sum;
        }
        self.arcs.clear();
        self.arcs.resize(sum as usize, Arc::default());
        // Filled from the back, so that `start` ends where it should and types ascend: the
        // entering end of a type has the greater number, hence comes first on the way back.
        let mut end = arcs.len();
        while end > 0 {
            let ty = arcs[end - 1].0;
            let mut begin = end;
            while begin > 0 && arcs[begin - 1].0 == ty {
                begin -= 1;
                let (_, u, v) = arcs[begin];
                let slot = &mut self.start[v as usize];
                *slot -= 1;
                self.arcs[*slot as usize] = Arc { to: u, ty: ty | 1 };
            }
            for &(_, u, v) in arcs[begin..end].iter().rev() {
                let slot = &mut self.start[u as usize];
                *slot -= 1;
                self.arcs[*slot as usize] = Arc { to: v, ty };
            }
            end = begin;
        }
        self.weigh(types, mask);
    }

    /// Starts filling row by row; see [`Graph::push_row`].
    pub(crate) fn begin_rows(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.arcs.clear();
    }

    /// Adds the next vertex with its arcs at both ends, sorted by type.
    pub(crate) fn push_row(&mut self, row: impl Iterator<Item = Arc>) {
        self.arcs.extend(row);
        self.start.push(self.arcs.len() as u32);
    }

    /// Ends filling row by row, taking over the weights of the graph the rows come from.
    pub(crate) fn end_rows(&mut self, parent: &Graph) {
        self.weights.clone_from(&parent.weights);
        self.exact = parent.exact;
        self.mask = parent.mask;
    }

    fn weigh(&mut self, types: u32, mask: u64) {
        let degree = self.start.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
        let bits = 32 - degree.leading_zeros();
        self.exact = mask == u64::MAX && bits * types <= 64;
        self.mask = mask;
        self.weights.clear();
        if self.exact {
            self.weights.extend((0..types).map(|ty| 1 << (bits * ty)));
        } else {
            self.weights.extend((0..types).map(|ty| mix(u64::from(ty)) & mask));
        }
    }
}
