//! The graph of what ties are left: tied atoms, and a vertex for each wider tuple that has one.
//!
//! A pair of tied atoms is an arc; its type stands for its label and multiplicity. A tuple of
//! three or more atoms becomes a vertex coloured by label, arity, multiplicity and the places of
//! atoms that are not tied, with an arc to each tied atom whose type stands for the place in the
//! tuple. Equal tuples are merged first, so an automorphism of the graph is determined by what it
//! does to the atoms. Pairs with atoms that are not tied are left out: the caller must have seen
//! to it that they are the same within cells.

use std::cmp::Ordering;

use crate::graph::Graph;
use crate::structure::{Structure, Wide};

/// Stands for an atom that is not tied.
pub(crate) const APART: u32 = u32::MAX;

/// Which vertex an atom is, and where atoms stand that are not tied.
pub(crate) struct Names<'a> {
    /// The vertex of each atom, or [`APART`].
    pub(crate) vertex: &'a [u32],
    /// The position of each atom, canonical for those that are not tied.
    pub(crate) position: &'a [u32],
}

#[derive(Debug, Default)]
pub(crate) struct Incidence {
    /// Label, from, to, 32 bits each.
    pairs: Vec<u128>,
    /// `(label, multiplicity, from, to)`.
    merged: Vec<(u32, u32, u32, u32)>,
    arcs: Vec<(u32, u32, u32)>,
    wide: Vec<Wide>,
    /// Merged tuples with their multiplicities.
    tuples: Vec<(u32, Wide)>,
    /// The tuples that have an atom at the place at hand.
    open: Vec<u32>,
    runs: Vec<u32>,
}

impl Incidence {
    /// Forgets the pairs of the last graph.
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Adds a pair of vertices.
    #[inline]
    pub(crate) fn pair(&mut self, label: u32, from: u32, to: u32) {
        self.pairs.push(u128::from(label) << 64 | u128::from(from) << 32 | u128::from(to));
    }

    /// Fills `graph` with the pairs added and the tuples of `s`; tuple vertices follow the
    /// `count` tied atoms, sorted by colour.
    pub(crate) fn fill(
        &mut self,
        s: &Structure,
        names: &Names,
        count: u32,
        graph: &mut Graph,
        mask: u64,
    ) {
        self.merge_pairs();
        self.merge_tuples(s, names);
        self.arcs.clear();
        let mut ty = 0;
        for run in self.merged.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            self.arcs.extend(run.iter().map(|&(_, _, u, v)| (ty, u, v)));
            ty += 2;
        }
        let arity = self.tuples.iter().map(|t| t.1.arity).max().unwrap_or(0);
        self.open.clear();
        self.open.extend(0..self.tuples.len() as u32);
        for place in 0..arity {
            self.open.retain(|&i| place < self.tuples[i as usize].1.arity);
            for &i in &self.open {
                let atom = s.wide_tuple_atoms(&self.tuples[i as usize].1)[place as usize];
                let vertex = names.vertex[atom as usize];
                if vertex != APART {
                    self.arcs.push((ty + 2 * place, count + i, vertex));
                }
            }
        }
        let vertices = count as usize + self.tuples.len();
        graph.fill(vertices, &self.arcs, ty + 2 * arity, mask);
    }

    /// The lengths of the runs of tuple vertices of one colour.
    pub(crate) fn tuple_runs(&self) -> impl Iterator<Item = usize> {
        self.runs.iter().map(|&run| run as usize)
    }

    fn merge_pairs(&mut self) {
        self.pairs.sort_unstable();
        self.merged.clear();
        let mut simple = true;
        for run in self.pairs.chunk_by(|a, b| a == b) {
            let (label, u, v) = ((run[0] >> 64) as u32, (run[0] >> 32) as u32, run[0] as u32);
            simple &= run.len() == 1;
            self.merged.push((label, run.len() as u32, u, v));
        }
        if !simple {
            self.merged.sort_unstable();
        }
    }

    fn merge_tuples(&mut self, s: &Structure, names: &Names) {
        self.tuples.clear();
        self.runs.clear();
        let is_tied = |&a: &u32| names.vertex[a as usize] != APART;
        self.wide.clear();
        self.wide.extend(s.wide.iter().filter(|w| s.wide_tuple_atoms(w).iter().any(is_tied)));
        if self.wide.is_empty() {
            return;
        }
        let key = |w: &Wide| (w.label, w.arity, s.wide_tuple_atoms(w));
        self.wide.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        for run in self.wide.chunk_by(|a, b| key(a) == key(b)) {
            self.tuples.push((run.len() as u32, run[0]));
        }
        let seen = |&a: &u32| if is_tied(&a) { APART } else { names.position[a as usize] };
        let colours = |a: &(u32, Wide), b: &(u32, Wide)| {
            (a.1.label, a.1.arity, a.0).cmp(&(b.1.label, b.1.arity, b.0)).then_with(|| {
                let (a, b) = (s.wide_tuple_atoms(&a.1), s.wide_tuple_atoms(&b.1));
                a.iter().map(seen).cmp(b.iter().map(seen))
            })
        };
        self.tuples.sort_unstable_by(colours);
        let same = |a: &_, b: &_| colours(a, b) == Ordering::Equal;
        self.runs.extend(self.tuples.chunk_by(same).map(|run| run.len() as u32));
    }
}
