//! The search on graphs of up to 128 vertices, by bits.
//!
//! Nodes, traces, leaves and automorphisms are those of the search in general; partitions are copied instead of
//! taken back. Before the first branch, cells are split by how many vertices are how far away, unless most are
//! near: random sparse graphs hardly ever branch then. What falls apart into components, and trees, is handed to
//! the frame, which knows the same graph as lists.
//!
//! A child of a node on the first path whose trace is that of the first path is likely its image. So an automorphism
//! is *guessed* first (as Traces does on its experimental paths): further vertices are individualised in the cells of
//! the first path, whichever come first, and the leaf is laid over the first one. If that is an automorphism, which
//! is checked exactly, the child need not be searched. If it is not, nothing was lost but time.

use std::cmp::Ordering;

use super::{Search, StepTrace};
use crate::bits::{BitGraph, Cells, Set, members};
use crate::frame::{Frame, Settled};
use crate::partition::{NoTrace, Trace};

/// Up to this many undecided vertices are searched together, whether or not they fall apart.
const TOGETHER: u32 = 24;

/// A graph that is searched by bits, with the memory this needs.
#[derive(Debug, Default)]
pub(crate) struct BitSearch<S: Set, const N: usize> {
    pub(crate) graph: BitGraph<S, N>,
    /// The partition that is worked on.
    pub(crate) cells: Cells<S, N>,
    /// The partitions of the nodes on the stack.
    saved: Vec<Cells<S, N>>,
    /// The cells on which the first path branches.
    targets: Vec<usize>,
    /// Whether the first path ends with what has to be taken apart.
    ends_in_parts: bool,
    images: Vec<u32>,
    /// For each undecided vertex those it is joined to, complete blocks left out.
    near: Vec<S>,
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
    pub(crate) fn label_bits<S: Set, const N: usize>(
        &mut self,
        bits: &mut BitSearch<S, N>,
        mask: u64,
    ) {
        self.symmetry.clear();
        bits.is_listed = false;
        let active = bits.cells.starts();
        bits.graph.refine(&mut bits.cells, active, &mut NoTrace);
        let mut left = bits.left(0);
        if matches!(left, Left::Branch(_)) && bits.split_by_surroundings(mask) {
            left = bits.left(0);
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
    fn label_loose<S: Set, const N: usize>(&mut self, bits: &BitSearch<S, N>, wanted: bool) {
        self.labelling.clear();
        self.labelling.extend(bits.cells.order());
        if wanted {
            for cell in members(bits.cells.large()) {
                let size = bits.cells.set(cell).count();
                self.symmetry.factorial(size);
                let members = &self.labelling[cell..cell + size as usize];
                for pair in members.windows(2) {
                    self.symmetry.exchange(&pair[..1], &pair[1..]);
                }
            }
        }
    }

    /// Takes over graph and partition as lists.
    fn list<S: Set, const N: usize>(&mut self, bits: &mut BitSearch<S, N>, mask: u64) {
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
            self.partition.cut(cell, cell + bits.cells.set(cell).count() as usize);
        }
    }

    /// Finishes a node of the search; `None` if `labelling` is a leaf, the cell to branch on otherwise.
    fn settle_bits<S: Set, const N: usize>(
        &mut self,
        bits: &mut BitSearch<S, N>,
        learning: bool,
        mask: u64,
    ) -> Option<usize> {
        match bits.left(TOGETHER) {
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
                bits.ends_in_parts |= learning;
                self.list(bits, mask);
                if let Settled::Undecided(cell) = self.settle(false, learning) {
                    return Some(cell as usize);
                }
            }
        }
        None
    }

    fn search_bits<S: Set, const N: usize>(
        &mut self,
        bits: &mut BitSearch<S, N>,
        target: usize,
        mask: u64,
    ) {
        let n = bits.graph.len();
        self.search.begin(n);
        bits.saved.clear();
        bits.targets.clear();
        bits.ends_in_parts = false;
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
            if !bits.graph.refine(&mut bits.cells, S::of(cell), &mut trace) {
                continue;
            }
            let Some((like_first, order)) = trace.verdict() else { continue };
            if !learning && node.first_path && like_first {
                if bits.guess(&mut self.search, level + 1, mask) {
                    continue;
                }
                bits.cells.clone_from(&bits.saved[level]);
                let cell = bits.cells.individualise(v as usize);
                bits.graph.refine(&mut bits.cells, S::of(cell), &mut NoTrace);
            }
            self.search.go_on(v);
            if let Some(target) = self.settle_bits(bits, learning, mask) {
                bits.push(&mut self.search, target, learning, like_first, order);
                continue;
            }
            self.search.current.order.clone_from(&self.labelling);
            if !learning {
                bits.write_forms(&mut self.search);
            }
            self.arrive(&mut learning, like_first, order);
        }
        self.keep_automorphisms(n);
    }
}

/// Compares a step with that of the first path.
struct Like<'a> {
    first: std::slice::Iter<'a, u64>,
    mask: u64,
}

impl Trace for Like<'_> {
    #[inline]
    fn note(&mut self, word: u64) -> bool {
        self.first.next() == Some(&(word & self.mask))
    }
}

impl<S: Set, const N: usize> BitSearch<S, N> {
    /// Whether the partition at hand, which is one at this level of the search, is the image of that of the first path,
    /// by the leaf that is found when vertices are individualised where the first path does. Notes the automorphism.
    fn guess(&mut self, search: &mut Search, level: usize, mask: u64) -> bool {
        if self.ends_in_parts {
            return false;
        }
        for level in level..search.first.depth() {
            let set = self.cells.set(self.targets[level]);
            if !self.cells.starts().has(self.targets[level]) || set.is_single() {
                return false;
            }
            let cell = self.cells.individualise(set.first());
            let first = search.first.step(level).expect("a step of the first path").iter();
            let mut like = Like { first, mask };
            if !self.graph.refine(&mut self.cells, S::of(cell), &mut like)
                || like.first.next().is_some()
            {
                return false;
            }
        }
        if !self.cells.undecided().is_empty() {
            self.decide_forest();
        }
        search.current.order.clear();
        search.current.order.extend(self.cells.order());
        self.images.resize(self.graph.len(), 0);
        for (&a, &b) in search.first.order.iter().zip(&search.current.order) {
            self.images[a as usize] = b;
        }
        let is_kept = self.graph.is_kept_by(&self.images);
        if is_kept {
            search.automorphism(true);
        }
        is_kept
    }

    /// Writes the form of the leaf at hand, and that of the first, which is not needed before.
    fn write_forms(&self, search: &mut Search) {
        if search.first.form.is_empty() {
            self.graph.write(&search.first.order, &mut search.first.form);
            search.best.form.clone_from(&search.first.form);
        }
        search.current.form.clear();
        self.graph.write(&search.current.order, &mut search.current.form);
    }

    /// Pushes a node whose children are the members of `target`.
    fn push(
        &mut self,
        search: &mut Search,
        target: usize,
        first_path: bool,
        like_first: bool,
        order: Ordering,
    ) {
        if first_path {
            self.targets.push(target);
        }
        // Whoever the first child relates to comes next: steps along pairs generate more than others do.
        let set = self.cells.set(target);
        let first = S::of(set.first());
        let rows = self.graph.relations().iter().map(|rows| rows[set.first()]);
        let near = rows.fold(S::NONE, |near, row| near | row) & set;
        let children = [first, near, set & !near & !first].into_iter().flat_map(members);
        let children = children.map(|v| v as u32);
        search.push_node(children, 0, first_path, like_first, order);
        self.saved.push(self.cells.clone());
    }

    /// Decides what is left where all members of a cell are alike: any of them may come first.
    fn decide_forest(&mut self) {
        while let Left::Forest = self.left(0) {
            let mut large = members(self.cells.large());
            let cell = large.find(|&cell| self.is_joined(cell)).expect("a forest has vertices");
            let cell = self.cells.individualise(self.cells.set(cell).first());
            self.graph.refine(&mut self.cells, S::of(cell), &mut NoTrace);
        }
    }

    /// Whether the vertices of a large cell are in a component of two or more.
    fn is_joined(&self, cell: usize) -> bool {
        !self.near[self.cells.set(cell).first()].is_empty()
    }

    /// Looks at what an equitable partition leaves undecided, without complete blocks between cells, and with
    /// dense ones complemented; see `components`. Up to `together` vertices are not parted.
    fn left(&mut self, together: u32) -> Left {
        let undecided = self.cells.undecided();
        if undecided.is_empty() {
            return Left::Nothing;
        }
        self.near.resize(self.graph.len().max(self.near.len()), S::NONE);
        let (mut joined, mut ends) = (S::NONE, 0);
        self.near[..self.graph.len()].fill(S::NONE);
        for cell in members(self.cells.touched(undecided)) {
            let set = self.cells.set(cell);
            for rows in self.graph.relations() {
                // All members of a cell relate to as many of another, so one of them tells what a block is like.
                let first = set.first();
                let (mut sparse, mut dense) = (S::NONE, S::NONE);
                for other in members(self.cells.touched(rows[first] & undecided)) {
                    let members = self.cells.set(other);
                    let there = (rows[first] & members).size();
                    let whole = members.size() - u32::from(other == cell);
                    if there != whole {
                        let kind = if 2 * there > whole { &mut dense } else { &mut sparse };
                        *kind |= members;
                    }
                }
                if !(sparse | dense).is_empty() {
                    for v in members(set) {
                        let there = rows[v];
                        self.near[v] |= there & sparse | dense & !there & !S::of(v);
                    }
                }
            }
            for v in members(set) {
                if !self.near[v].is_empty() {
                    joined |= S::of(v);
                    ends += self.near[v].size();
                }
            }
        }
        if joined.is_empty() {
            return Left::Nothing;
        }
        let components = self.count_components(joined);
        if ends == 2 * (joined.count() - components) {
            return Left::Forest;
        }
        if components > 1 && joined.count() > together {
            return Left::Parts;
        }
        // The cell joined to most other cells, then the smallest, then the first.
        let mut best = (u32::MAX, u32::MAX, usize::MAX);
        for cell in members(self.cells.touched(joined)) {
            let set = self.cells.set(cell);
            let near = self.near[set.first()];
            let joins = self.cells.touched(near).count();
            best = best.min((u32::MAX - joins, set.count(), cell));
        }
        Left::Branch(best.2)
    }

    /// The number of components that these vertices make up.
    fn count_components(&self, mut vertices: S) -> u32 {
        let mut count = 0;
        while !vertices.is_empty() {
            let mut last = S::of(vertices.first());
            while !last.is_empty() {
                vertices &= !last;
                last = members(last).fold(S::NONE, |next, v| next | self.near[v]) & vertices;
            }
            count += 1;
        }
        count
    }

    /// Splits cells by [`BitGraph::surroundings`], unless a vertex relates to so many that all are near, or none to more
    /// than one, so that all are on a cycle. Whether it did.
    fn split_by_surroundings(&mut self, mask: u64) -> bool {
        let n = self.graph.len();
        let rows = self.graph.relations().iter().flat_map(|rows| &rows[..n]);
        let degree = rows.map(|row| row.count()).max().unwrap_or(0);
        if degree < 2 || (degree * degree) as usize > n {
            return false;
        }
        let mut active = S::NONE;
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
                let set = part.iter().fold(S::NONE, |set, &(_, v)| set | S::of(v as usize));
                self.cells.cut(at, set);
                active |= S::of(at);
                at += part.len();
            }
        }
        self.graph.refine(&mut self.cells, active, &mut NoTrace);
        !active.is_empty()
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
            let set = (at..at + len).fold(S::NONE, |set, v| set | S::of(v));
            return self.cells.cut(at, set);
        }
        let mut order = [0; N];
        let order = &mut order[..len];
        order.iter_mut().zip(first..last).for_each(|(place, v)| *place = v);
        order.sort_unstable_by(|&a, &b| compare(a, b));
        let mut at = at;
        for part in order.chunk_by(|&a, &b| compare(a, b) == Ordering::Equal) {
            self.cells.cut(at, part.iter().fold(S::NONE, |set, &v| set | S::of(v as usize)));
            at += part.len();
        }
    }
}
