//! Individualisation and refinement with automorphism pruning, for one connected component.
//!
//! The search tree is McKay's (1981; McKay and Piperno 2014): a node is a sequence of
//! individualised vertices, its children individualise the members of one cell, a leaf is a
//! labelling. Each step leaves a trace that isomorphic steps share. The canonical labelling is
//! the leaf with the least (traces, form). Pruned are
//! - nodes whose trace differs from the first path and is greater than that of the best leaf,
//!   often in the middle of a refinement;
//! - children in the orbit of a sibling already tried, under automorphisms that fix the node;
//! - the rest of a subtree that a leaf shows to be the image of one already explored.
//!
//! A node needs no branching once its remainder is loose, or trees, or several components (these
//! are searched apart), so leaves are found early.

mod by_bits;

use std::cmp::Ordering;

use crate::frame::{Frame, Settled};
use crate::graph::Graph;
use crate::partition::Trace;
use crate::union_find::UnionFind;

pub(crate) use by_bits::BitSearch;

/// Automorphisms beyond this number are kept only if they join orbits.
const KEPT: usize = 64;

/// A path from the root, with its traces by level, and the labelling at its end.
#[derive(Debug, Default)]
struct Path {
    vertices: Vec<u32>,
    trace: Vec<u64>,
    /// Where the trace of each level ends.
    ends: Vec<u32>,
    order: Vec<u32>,
    form: Vec<u64>,
}

impl Path {
    fn clear(&mut self) {
        self.vertices.clear();
        self.trace.clear();
        self.ends.clear();
        self.order.clear();
        self.form.clear();
    }

    /// Becomes a copy of `other` in the memory it has.
    fn copy(&mut self, other: &Self) {
        self.vertices.clone_from(&other.vertices);
        self.trace.clone_from(&other.trace);
        self.ends.clone_from(&other.ends);
        self.order.clone_from(&other.order);
        self.form.clone_from(&other.form);
    }

    fn depth(&self) -> usize {
        self.vertices.len()
    }

    /// The trace of the step from `level` to the next.
    fn step(&self, level: usize) -> Option<&[u64]> {
        let end = *self.ends.get(level)? as usize;
        let begin = if level == 0 { 0 } else { self.ends[level - 1] as usize };
        Some(&self.trace[begin..end])
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    mark: usize,
    /// The children are `children[from..]` up to those of the next node; the first `tried` have
    /// been explored, the first `met` have been looked at.
    from: usize,
    to: usize,
    tried: usize,
    met: usize,
    first_path: bool,
    like_first: bool,
    /// How the traces so far compare with those of the best leaf. Greater ones are followed only
    /// while they are like those of the first path.
    order: Ordering,
}

#[derive(Debug, Default)]
pub(crate) struct Search {
    stack: Vec<Node>,
    children: Vec<u32>,
    current: Path,
    first: Path,
    best: Path,
    orbits: UnionFind,
    fixed_orbits: UnionFind,
    /// Automorphisms found, each as the images of all vertices.
    images: Vec<u32>,
    offsets: Vec<u32>,
    cursor: Vec<u32>,
    position: Vec<u32>,
}

impl Search {
    /// Begins to search a graph of `n` vertices.
    fn begin(&mut self, n: usize) {
        self.stack.clear();
        self.children.clear();
        self.images.clear();
        self.current.clear();
        self.first.clear();
        self.best.clear();
        self.orbits.reset(n);
    }

    /// Takes the current path back to the topmost node; its level.
    fn go_back(&mut self) -> usize {
        let level = self.stack.len() - 1;
        self.current.vertices.truncate(level);
        self.current.ends.truncate(level);
        let end = self.current.ends.last().map_or(0, |&end| end as usize);
        self.current.trace.truncate(end);
        level
    }

    /// Takes the current path on to the child `v`, whose trace is written.
    fn go_on(&mut self, v: u32) {
        self.current.vertices.push(v);
        self.current.ends.push(self.current.trace.len() as u32);
    }

    /// Pushes a node with these children.
    fn push_node(
        &mut self,
        children: impl Iterator<Item = u32>,
        mark: usize,
        first_path: bool,
        like_first: bool,
        order: Ordering,
    ) {
        let from = self.children.len();
        self.children.extend(children);
        let to = self.children.len();
        let (tried, met) = (from, from);
        self.stack.push(Node { mark, from, to, tried, met, first_path, like_first, order });
    }

    pub(crate) fn best_order(&self) -> &[u32] {
        &self.best.order
    }

    pub(crate) fn best_form(&self) -> &[u64] {
        &self.best.form
    }

    /// Writes the arcs as they look under the labelling of the current path: the rows in order
    /// of position, each sorted. Rows of one position have one length in all leaves, since
    /// vertices of one cell have as many arcs.
    fn write_form(&mut self, graph: &Graph) {
        let order = &self.current.order;
        for (i, &v) in order.iter().enumerate() {
            self.position[v as usize] = i as u32;
        }
        self.cursor.clone_from(&self.offsets);
        let total = *self.offsets.last().expect("one more offset than vertices") as usize;
        self.current.form.resize(total, 0);
        for (i, &v) in order.iter().enumerate() {
            for arc in graph.arcs(v) {
                if arc.ty & 1 == 1 {
                    let row = &mut self.cursor[self.position[arc.to as usize] as usize];
                    self.current.form[*row as usize] = (i as u64) << 32 | u64::from(arc.ty);
                    *row += 1;
                }
            }
        }
    }

    /// The next child to explore of the topmost node.
    fn next_child(&mut self, n: usize) -> Option<u32> {
        let prefix = &self.current.vertices;
        let node = self.stack.last_mut().expect("a node on the stack");
        if node.met == node.to {
            return None;
        }
        if node.met == node.from {
            // Whatever the orbits are, the first child is in one that was not tried.
            node.met += 1;
            node.tried += 1;
            return Some(self.children[node.from]);
        }
        let orbits = if node.first_path {
            &mut self.orbits
        } else {
            self.fixed_orbits.reset(n);
            for image in self.images.chunks_exact(n) {
                if prefix.iter().all(|&v| image[v as usize] == v) {
                    for (v, &w) in image.iter().enumerate() {
                        self.fixed_orbits.join(v as u32, w);
                    }
                }
            }
            &mut self.fixed_orbits
        };
        while node.met < node.to {
            let v = self.children[node.met];
            let orbit = orbits.find(v);
            let tried = &self.children[node.from..node.tried];
            let fresh = tried.iter().all(|&u| orbits.find(u) != orbit);
            if fresh {
                self.children.swap(node.met, node.tried);
                node.tried += 1;
            }
            node.met += 1;
            if fresh {
                return Some(v);
            }
        }
        None
    }

    /// Notes the automorphism that takes the labelling of `from` to the current one.
    fn automorphism(&mut self, to_first: bool) {
        let from = if to_first { &self.first.order } else { &self.best.order };
        let n = from.len();
        let at = self.images.len();
        self.images.resize(at + n, 0);
        let mut joined = false;
        for (&a, &b) in from.iter().zip(&self.current.order) {
            self.images[at + a as usize] = b;
            joined |= self.orbits.join(a, b);
        }
        if !joined && at >= KEPT * n {
            self.images.truncate(at);
        }
    }

    /// Notes that the nodes on the stack are those above the best leaf.
    fn follow_best(&mut self) {
        for node in &mut self.stack {
            node.order = Ordering::Equal;
        }
    }

    /// How many levels the current path shares with `other`.
    fn shared(&self, other: &Path) -> usize {
        let pairs = self.current.vertices.iter().zip(&other.vertices);
        pairs.take_while(|(a, b)| a == b).count()
    }

    /// Compares the leaf at the end of the current path, whose form is written. Gives the number
    /// of stack levels to keep when the leaf shows an automorphism.
    fn judge(&mut self, like_first: bool, order: Ordering) -> Option<usize> {
        let depth = self.current.depth();
        if like_first && depth == self.first.depth() && self.current.form == self.first.form {
            self.automorphism(true);
            return Some(self.shared(&self.first) + 1);
        }
        let order = order
            .then_with(|| depth.cmp(&self.best.depth()))
            .then_with(|| self.current.form.cmp(&self.best.form));
        match order {
            Ordering::Less => {
                self.best.copy(&self.current);
                self.follow_best();
                None
            }
            Ordering::Equal => {
                self.automorphism(false);
                Some(self.shared(&self.best) + 1)
            }
            Ordering::Greater => None,
        }
    }
}

/// Compares the trace of a step with those of the first path and of the best leaf.
struct StepTrace<'a> {
    words: &'a mut Vec<u64>,
    mask: u64,
    at: usize,
    first: Option<&'a [u64]>,
    best: &'a [u64],
    like_first: bool,
    order: Ordering,
}

impl<'a> StepTrace<'a> {
    /// Begins the trace of a step from a node; `None` if no such step is of use.
    fn new(
        search: &'a mut Search,
        node: Node,
        level: usize,
        learning: bool,
        mask: u64,
    ) -> Option<Self> {
        let best = search.best.step(level);
        let first = search.first.step(level);
        // A path longer than the best leaf's, alike so far, is greater.
        let longer = if best.is_none() { Ordering::Greater } else { Ordering::Equal };
        let trace = Self {
            words: &mut search.current.trace,
            mask,
            at: 0,
            first: if learning { None } else { Some(first.unwrap_or(&[])) },
            best: best.unwrap_or(&[]),
            like_first: learning || (node.like_first && first.is_some()),
            order: node.order.then(longer),
        };
        (trace.like_first || trace.order != Ordering::Greater).then_some(trace)
    }

    /// Whether the whole step is like that of the first path, and how it compares with the best
    /// leaf's; `None` if it is of no use.
    fn verdict(self) -> Option<(bool, Ordering)> {
        let is_shorter = self.order == Ordering::Equal && self.at < self.best.len();
        let order = if is_shorter { Ordering::Less } else { self.order };
        let is_whole = self.first.is_none_or(|first| first.len() == self.at);
        let like_first = self.like_first && is_whole;
        (like_first || order != Ordering::Greater).then_some((like_first, order))
    }
}

impl Trace for StepTrace<'_> {
    #[inline]
    fn note(&mut self, word: u64) -> bool {
        let word = word & self.mask;
        self.words.push(word);
        let i = self.at;
        self.at += 1;
        if self.like_first {
            self.like_first = self.first.is_none_or(|first| first.get(i) == Some(&word));
        }
        if self.order == Ordering::Equal {
            self.order = self.best.get(i).map_or(Ordering::Greater, |best| word.cmp(best));
        }
        self.like_first || self.order != Ordering::Greater
    }
}

impl Frame {
    /// Labels the graph from its equitable partition, searching if need be. Leaves the result in
    /// `search` and `symmetry`.
    pub(crate) fn run_search(&mut self) {
        let n = self.graph.len();
        let search = &mut self.search;
        search.begin(n);
        search.position.resize(n, 0);
        search.offsets.clear();
        search.offsets.push(0);
        let mut sum = 0;
        for &v in self.partition.order() {
            sum += self.graph.arcs(v).iter().filter(|arc| arc.ty & 1 == 0).count() as u32;
            search.offsets.push(sum);
        }
        self.symmetry.clear();
        let settled = self.settle(false, true);
        let (false, Settled::Undecided(target)) =
            (settled == Settled::Labelled || self.fold_twins(), settled)
        else {
            self.search.current.order.clone_from(&self.labelling);
            self.search.write_form(&self.graph);
            self.search.best.copy(&self.search.current);
            return;
        };
        self.push_node(target, true, true, Ordering::Less);
        let mut learning = true;
        while let Some(&node) = self.search.stack.last() {
            self.partition.undo(node.mark);
            let level = self.search.go_back();
            let Some(v) = self.search.next_child(n) else {
                self.pop_node();
                continue;
            };
            let Some((like_first, order)) = self.step(node, level, v, learning) else { continue };
            self.search.go_on(v);
            if let Settled::Undecided(target) = self.settle(false, learning) {
                self.push_node(target, learning, like_first, order);
                continue;
            }
            self.search.current.order.clone_from(&self.labelling);
            self.search.write_form(&self.graph);
            self.arrive(&mut learning, like_first, order);
        }
        self.keep_automorphisms(n);
    }

    /// Judges the leaf at the end of the current path, whose order and form are written. The first one ends the
    /// learning of symmetries on the way down.
    fn arrive(&mut self, learning: &mut bool, like_first: bool, order: Ordering) {
        let search = &mut self.search;
        if std::mem::take(learning) {
            search.first.copy(&search.current);
            search.best.copy(&search.current);
            search.follow_best();
            for moves in self.symmetry.generators() {
                for &(a, b) in moves {
                    search.orbits.join(a, b);
                }
            }
        } else if let Some(keep) = search.judge(like_first, order) {
            search.drop_nodes(keep);
        }
    }

    /// Adds the automorphisms that leaves have shown to the symmetries.
    fn keep_automorphisms(&mut self, n: usize) {
        for image in self.search.images.chunks_exact(n) {
            self.symmetry.generator(image.iter().enumerate().map(|(v, &w)| (v as u32, w)));
        }
    }

    fn push_node(&mut self, target: u32, first_path: bool, like_first: bool, order: Ordering) {
        let children = self.partition.members(target).iter().copied();
        let mark = self.partition.mark();
        self.search.push_node(children, mark, first_path, like_first, order);
    }

    fn pop_node(&mut self) {
        let search = &mut self.search;
        let node = search.stack.pop().expect("a node on the stack");
        if node.first_path {
            let children = &search.children[node.from..node.to];
            let orbit = search.orbits.find(children[0]);
            let size = children.iter().filter(|&&v| search.orbits.find(v) == orbit).count();
            self.symmetry.factor(size as u32);
        }
        search.children.truncate(node.from);
    }

    /// Individualises `v` and refines; `None` when the trace rules the child out.
    fn step(
        &mut self,
        node: Node,
        level: usize,
        v: u32,
        learning: bool,
    ) -> Option<(bool, Ordering)> {
        let mask = self.graph.mask();
        let mut trace = StepTrace::new(&mut self.search, node, level, learning, mask)?;
        self.partition.individualise(v);
        if !self.partition.refine(&self.graph, &mut trace) {
            return None;
        }
        let verdict = trace.verdict()?;
        self.exact.settle(&self.graph, &mut self.partition);
        Some(verdict)
    }
}

impl Search {
    /// Drops all but the first `keep` nodes, without counting orbits: they are off the first path.
    fn drop_nodes(&mut self, keep: usize) {
        while self.stack.len() > keep {
            let node = self.stack.pop().expect("more nodes than are kept");
            self.children.truncate(node.from);
        }
    }
}
