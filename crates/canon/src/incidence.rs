//! The graph of a structure: atoms, and a vertex for each tuple of three or more atoms.
//!
//! A pair is an arc; its type stands for its label and multiplicity. A wider tuple becomes a
//! vertex coloured by label, arity and multiplicity, with an arc to each of its atoms whose type
//! stands for the place in the tuple. Equal tuples are merged first, so an automorphism of the
//! graph is determined by what it does to the atoms.

use crate::graph::Graph;
use crate::structure::{Structure, Wide};

#[derive(Debug, Default)]
pub(crate) struct Incidence {
    pairs: Vec<(u32, u32, u32)>,
    /// `(label, multiplicity, from, to)`.
    merged: Vec<(u32, u32, u32, u32)>,
    arcs: Vec<(u32, u32, u32)>,
    wide: Vec<Wide>,
    /// `(label, arity, multiplicity, tuple)`.
    tuples: Vec<(u32, u32, u32, Wide)>,
    /// The tuples that have an atom at the place at hand.
    open: Vec<u32>,
}

impl Incidence {
    /// Fills `graph`; the tuple vertices follow the atoms, sorted by colour.
    pub(crate) fn fill(&mut self, s: &Structure, graph: &mut Graph, mask: u64) {
        self.merge_pairs(s);
        self.merge_tuples(s);
        self.arcs.clear();
        let mut ty = 0;
        for run in self.merged.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            self.arcs.extend(run.iter().map(|&(_, _, u, v)| (ty, u, v)));
            ty += 2;
        }
        let n = s.len() as u32;
        let arity = self.tuples.iter().map(|t| t.1).max().unwrap_or(0);
        self.open.clear();
        self.open.extend(0..self.tuples.len() as u32);
        for place in 0..arity {
            self.open.retain(|&i| place < self.tuples[i as usize].1);
            for &i in &self.open {
                let atom = s.wide_tuple_atoms(&self.tuples[i as usize].3)[place as usize];
                self.arcs.push((ty + 2 * place, n + i, atom));
            }
        }
        let vertices = s.len() + self.tuples.len();
        graph.fill(vertices, &self.arcs, ty + 2 * arity, mask);
    }

    /// The lengths of the runs of tuple vertices of one colour.
    pub(crate) fn tuple_runs(&self) -> impl Iterator<Item = usize> {
        self.tuples.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)).map(<[_]>::len)
    }

    fn merge_pairs(&mut self, s: &Structure) {
        self.pairs.clone_from(&s.arcs);
        self.pairs.sort_unstable();
        self.merged.clear();
        for run in self.pairs.chunk_by(|a, b| a == b) {
            let (label, u, v) = run[0];
            self.merged.push((label, run.len() as u32, u, v));
        }
        self.merged.sort_unstable();
    }

    fn merge_tuples(&mut self, s: &Structure) {
        self.tuples.clear();
        if s.wide.is_empty() {
            return;
        }
        self.wide.clone_from(&s.wide);
        let key = |w: &Wide| (w.label, w.arity, s.wide_tuple_atoms(w));
        self.wide.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        for run in self.wide.chunk_by(|a, b| key(a) == key(b)) {
            let wide = run[0];
            self.tuples.push((wide.label, wide.arity, run.len() as u32, wide));
        }
        self.tuples.sort_unstable_by_key(|t| (t.0, t.1, t.2));
    }
}
