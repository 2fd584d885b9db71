//! The search on graphs of up to 64 vertices, by bits.
//!
//! Nodes, traces, leaves and automorphisms are those of the search in general; partitions are copied instead of
//! taken back. Before the first branch, cells are split by how many vertices are how far away, unless most are
//! near: random sparse graphs hardly ever branch then. What falls apart into components, and trees, is handed to
//! the frame, which knows the same graph as lists.

use std::cmp::Ordering;

use super::{Search, StepTrace};
use crate::bits::{BitGraph, Cells, Set, members, size};
use crate::frame::{Frame, Settled};
use crate::partition::NoTrace;

/// A graph that is searched by bits, with the memory this needs.
#[derive(Debug, Default)]
pub(crate) struct BitSearch {
    pub(crate) graph: BitGraph,
    /// The partition that is worked on.
    pub(crate) cells: Cells,
    /// The partitions of the nodes on the stack.
    saved: Vec<Cells>,
    /// For each undecided vertex those it is joined to, complete blocks left out.
    near: Vec<Set>,
    words: Vec<(u64, u32)>,
    arcs: Vec<(u32, u32, u32)>,
    /// Whether the frame knows the graph.
    is_listed: bool,
}

/// What is left to do at a node.
enum Left {
    /// The members of each cell are interchangeable.
    Nothing,
    /// All that is undecided is in one component, best searched from this cell.
    Branch(usize),
    /// All components are trees, so that cells are orbits.
    Forest,
    /// There are several components.
    Parts,
}

impl Frame {
    /// Labels the graph of `bits`, whose cells need not be equitable yet. Leaves the result in `labelling` and
    /// `symmetry`.
    pub(crate) fn label_bits(&mut self, bits: &mut BitSearch, mask: u64) {
        self.symmetry.clear();
        bits.is_listed = false;
        let active = bits.cells.starts();
        bits.graph.refine(&mut bits.cells, active, &mut NoTrace);
        let mut left = bits.left();
        if matches!(left, Left::Branch(_)) && bits.split_by_surroundings(mask) {
            left = bits.left();
        }
        match left {
            Left::Nothing => self.label_loose(bits, true),
            Left::Forest | Left::Parts => {
                self.list(bits, mask);
                self.settle(true, true);
            }
            Left::Branch(cell) => {
                self.search_bits(bits, cell, mask);
                std::mem::swap(&mut self.labelling, &mut self.search.best.order);
            }
        }
    }

    /// Labels vertices that are interchangeable within their cells.
    fn label_loose(&mut self, bits: &BitSearch, wanted: bool) {
        self.labelling.clear();
        self.labelling.extend(bits.cells.order());
        if wanted {
            for cell in members(bits.cells.large()) {
                let size = bits.cells.set(cell).count_ones();
                self.symmetry.factorial(size);
                let members = &self.labelling[cell..cell + size as usize];
                for pair in members.windows(2) {
                    self.symmetry.exchange(&pair[..1], &pair[1..]);
                }
            }
        }
    }

    /// Takes over graph and partition as lists.
    fn list(&mut self, bits: &mut BitSearch, mask: u64) {
        if !bits.is_listed {
            bits.is_listed = true;
            bits.arcs.clear();
            let mut ty = 0;
            for rows in bits.graph.own_relations() {
                for (v, &row) in (0..).zip(&rows[..bits.graph.len()]) {
                    bits.arcs.extend(members(row).map(|u| (ty, v, u as u32)));
                }
                ty += 2;
            }
            self.graph.fill(bits.graph.len(), &bits.arcs, ty, mask);
        }
        self.partition.reset(bits.cells.order());
        for cell in members(bits.cells.starts()) {
            self.partition.cut(cell, cell + bits.cells.set(cell).count_ones() as usize);
        }
    }

    /// Finishes a node of the search; `None` if `labelling` is a leaf, the cell to branch on otherwise.
    fn settle_bits(&mut self, bits: &mut BitSearch, learning: bool, mask: u64) -> Option<usize> {
        match bits.left() {
            Left::Nothing => self.label_loose(bits, learning),
            Left::Branch(cell) => return Some(cell),
            Left::Forest => {
                if learning {
                    self.list(bits, mask);
                    self.settle(false, true);
                }
                bits.decide_forest();
                self.label_loose(bits, false);
            }
            Left::Parts => {
                self.list(bits, mask);
                if let Settled::Undecided(cell) = self.settle(false, learning) {
                    return Some(cell as usize);
                }
            }
        }
        None
    }

    fn search_bits(&mut self, bits: &mut BitSearch, target: usize, mask: u64) {
        let n = bits.graph.len();
        self.search.begin(n);
        bits.saved.clear();
        bits.push(&mut self.search, target, true, true, Ordering::Less);
        let mut learning = true;
        while let Some(&node) = self.search.stack.last() {
            let level = self.search.go_back();
            bits.saved.truncate(level + 1);
            let Some(v) = self.search.next_child(n) else {
                self.pop_node();
                continue;
            };
            bits.cells.clone_from(&bits.saved[level]);
            let Some(mut trace) = StepTrace::new(&mut self.search, node, level, learning, mask)
            else {
                continue;
            };
            let cell = bits.cells.individualise(v as usize);
            if !bits.graph.refine(&mut bits.cells, 1 << cell, &mut trace) {
                continue;
            }
            let Some((like_first, order)) = trace.verdict() else { continue };
            self.search.go_on(v);
            if let Some(target) = self.settle_bits(bits, learning, mask) {
                bits.push(&mut self.search, target, learning, like_first, order);
                continue;
            }
            self.search.current.order.clone_from(&self.labelling);
            self.search.current.form.clear();
            bits.graph.write(&self.search.current.order, &mut self.search.current.form);
            self.arrive(&mut learning, like_first, order);
        }
        self.keep_automorphisms(n);
    }
}

impl BitSearch {
    /// Pushes a node whose children are the members of `target`.
    fn push(
        &mut self,
        search: &mut Search,
        target: usize,
        first_path: bool,
        like_first: bool,
        order: Ordering,
    ) {
        let children = members(self.cells.set(target)).map(|v| v as u32);
        search.push_node(children, 0, first_path, like_first, order);
        self.saved.push(self.cells.clone());
    }

    /// Decides what is left where all members of a cell are alike: any of them may come first.
    fn decide_forest(&mut self) {
        while let Left::Forest = self.left() {
            let mut large = members(self.cells.large());
            let cell = large.find(|&cell| self.is_joined(cell)).expect("a forest has vertices");
            let v = self.cells.set(cell).trailing_zeros() as usize;
            let cell = self.cells.individualise(v);
            self.graph.refine(&mut self.cells, 1 << cell, &mut NoTrace);
        }
    }

    /// Whether the vertices of a large cell are in a component of two or more.
    fn is_joined(&self, cell: usize) -> bool {
        self.near[self.cells.set(cell).trailing_zeros() as usize] != 0
    }

    /// Looks at what an equitable partition leaves undecided, without complete blocks between cells, and with
    /// dense ones complemented; see `components`.
    fn left(&mut self) -> Left {
        let undecided = self.cells.undecided();
        self.near.resize(self.graph.len(), 0);
        let (mut joined, mut ends): (Set, u32) = (0, 0);
        for v in members(undecided) {
            let mut near = 0;
            for rows in self.graph.relations() {
                for cell in members(self.cells.touched(rows[v] & undecided)) {
                    let whole = self.cells.set(cell) & !(1 << v);
                    let there = rows[v] & whole;
                    if there != whole {
                        let is_dense = 2 * size(there) > size(whole);
                        near |= if is_dense { whole & !there } else { there };
                    }
                }
            }
            self.near[v] = near;
            joined |= u64::from(near != 0) << v;
            ends += size(near);
        }
        if joined == 0 {
            return Left::Nothing;
        }
        let components = self.count_components(joined);
        if ends == 2 * (joined.count_ones() - components) {
            return Left::Forest;
        }
        if components > 1 {
            return Left::Parts;
        }
        // The cell joined to most other cells, then the smallest, then the first.
        let mut best = (u32::MAX, u32::MAX, usize::MAX);
        for cell in members(self.cells.touched(joined)) {
            let set = self.cells.set(cell);
            let near = self.near[set.trailing_zeros() as usize];
            let joins = self.cells.touched(near).count_ones();
            best = best.min((u32::MAX - joins, set.count_ones(), cell));
        }
        Left::Branch(best.2)
    }

    /// The number of components that these vertices make up.
    fn count_components(&self, mut vertices: Set) -> u32 {
        let mut count = 0;
        while vertices != 0 {
            let mut last = vertices & vertices.wrapping_neg();
            while last != 0 {
                vertices &= !last;
                last = members(last).fold(0, |next, v| next | self.near[v]) & vertices;
            }
            count += 1;
        }
        count
    }

    /// Splits cells by [`BitGraph::surroundings`], unless a vertex relates to so many that all are near. Whether
    /// it did.
    fn split_by_surroundings(&mut self, mask: u64) -> bool {
        let n = self.graph.len();
        let rows = self.graph.relations().iter().flat_map(|rows| &rows[..n]);
        let degree = rows.map(|row| row.count_ones()).max().unwrap_or(0);
        if (degree * degree) as usize > n {
            return false;
        }
        let mut active = 0;
        for cell in members(self.cells.large()) {
            let words = &mut self.words;
            words.clear();
            let set = self.cells.set(cell);
            self.graph.surroundings(set, mask, |v, word| words.push((word, v as u32)));
            if words.iter().all(|word| word.0 == words[0].0) {
                continue;
            }
            words.sort_unstable();
            let mut at = cell;
            for part in words.chunk_by(|a, b| a.0 == b.0) {
                let set = part.iter().fold(0, |set: Set, &(_, v)| set | 1 << v);
                self.cells.cut(at, set);
                active |= 1 << at;
                at += part.len();
            }
        }
        self.graph.refine(&mut self.cells, active, &mut NoTrace);
        active != 0
    }

    /// Splits a cell of two or more vertices, all of which are new, by an exact order.
    pub(crate) fn cut_by(
        &mut self,
        at: usize,
        len: usize,
        mut compare: impl FnMut(u32, u32) -> Ordering,
    ) {
        let (first, last) = (at as u32, (at + len) as u32);
        if (first + 1..last).all(|v| compare(first, v) == Ordering::Equal) {
            let set = (first..last).fold(0, |set: Set, v| set | 1 << v);
            return self.cells.cut(at, set);
        }
        let mut order = [0; Set::BITS as usize];
        let order = &mut order[..len];
        order.iter_mut().zip(first..last).for_each(|(place, v)| *place = v);
        order.sort_unstable_by(|&a, &b| compare(a, b));
        let mut at = at;
        for part in order.chunk_by(|&a, &b| compare(a, b) == Ordering::Equal) {
            self.cells.cut(at, part.iter().fold(0, |set: Set, &v| set | 1 << v));
            at += part.len();
        }
    }
}
