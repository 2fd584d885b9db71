//! Components that are trees.
//!
//! In an equitable partition two vertices of one cell whose components are trees are alike: the
//! tree seen from one is isomorphic to the tree seen from the other (Aho, Hopcroft and Ullman
//! 1974; that refinement decides forests is due to Immerman and Lander 1990). So a tree is
//! written down from its centre with children ordered by cell, and ties may be broken at will.
//! Every automorphism fixes the centre or flips the two centres, hence the group is made by
//! exchanging tied children and by that flip. Cost: O(n log n) for n vertices, for the sorting.

use crate::components::{Component, Components};
use crate::partition::Partition;
use crate::symmetry::Symmetry;

#[derive(Debug, Default)]
pub(crate) struct TreeWalk {
    degree: Vec<u32>,
    peeled: Vec<u32>,
    parent: Vec<u32>,
    stack: Vec<u32>,
    index: Vec<u32>,
    size: Vec<u32>,
    ties: Vec<(u32, u32)>,
    mirror: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl TreeWalk {
    /// Appends the vertices of a tree to `out` in canonical order; gives the root. Adds the
    /// symmetries when they are wanted.
    pub(crate) fn walk(
        &mut self,
        components: &Components,
        partition: &Partition,
        tree: Component,
        out: &mut Vec<u32>,
        symmetry: Option<&mut Symmetry>,
    ) -> u32 {
        let n = partition.len();
        self.parent.resize(n, NONE);
        self.index.resize(n, 0);
        self.size.resize(n, 0);
        let (mut root, mut other) = self.centres(components, tree, n);
        if other != NONE && partition.cell_of(other) < partition.cell_of(root) {
            std::mem::swap(&mut root, &mut other);
        }
        let begin = out.len();
        self.write(components, partition, root, out);
        if let Some(symmetry) = symmetry {
            self.exchange_tied(&out[begin..], symmetry);
            if other != NONE && partition.cell_of(other) == partition.cell_of(root) {
                let mut mirror = std::mem::take(&mut self.mirror);
                mirror.clear();
                self.write(components, partition, other, &mut mirror);
                symmetry.factor(2);
                symmetry.generator(out[begin..].iter().copied().zip(mirror.iter().copied()));
                self.mirror = mirror;
            }
        }
        root
    }

    /// The one or two vertices left when leaves are taken away layer by layer.
    fn centres(&mut self, components: &Components, tree: Component, n: usize) -> (u32, u32) {
        self.degree.resize(n, 0);
        self.peeled.clear();
        for &v in components.vertices(tree) {
            self.degree[v as usize] = components.near(v).len() as u32;
            if self.degree[v as usize] == 1 {
                self.peeled.push(v);
            }
        }
        let (mut begin, mut end) = (0, self.peeled.len());
        while end < tree.len as usize {
            for i in begin..end {
                for &u in components.near(self.peeled[i]) {
                    self.degree[u as usize] = self.degree[u as usize].wrapping_sub(1);
                    if self.degree[u as usize] == 1 {
                        self.peeled.push(u);
                    }
                }
            }
            (begin, end) = (end, self.peeled.len());
        }
        match self.peeled[begin..end] {
            [a, b] => (a, b),
            _ => (self.peeled[end - 1], NONE),
        }
    }

    /// Writes the tree in preorder from `root`, children by cell; notes which are tied.
    fn write(
        &mut self,
        components: &Components,
        partition: &Partition,
        root: u32,
        out: &mut Vec<u32>,
    ) {
        let begin = out.len();
        self.ties.clear();
        self.stack.clear();
        self.stack.push(root);
        self.parent[root as usize] = NONE;
        while let Some(v) = self.stack.pop() {
            self.index[v as usize] = (out.len() - begin) as u32;
            out.push(v);
            let from = self.stack.len();
            for &u in components.near(v) {
                if u != self.parent[v as usize] {
                    self.parent[u as usize] = v;
                    self.stack.push(u);
                }
            }
            let children = &mut self.stack[from..];
            if children.len() > 1 {
                children.sort_unstable_by_key(|&u| std::cmp::Reverse(partition.cell_of(u)));
                for pair in children.windows(2) {
                    if partition.cell_of(pair[0]) == partition.cell_of(pair[1]) {
                        self.ties.push((pair[0], pair[1]));
                    }
                }
            }
        }
        for &v in &out[begin..] {
            self.size[v as usize] = 1;
        }
        for &v in out[begin + 1..].iter().rev() {
            self.size[self.parent[v as usize] as usize] += self.size[v as usize];
        }
    }

    fn exchange_tied(&self, written: &[u32], symmetry: &mut Symmetry) {
        let block = |v: u32| {
            let from = self.index[v as usize] as usize;
            &written[from..from + self.size[v as usize] as usize]
        };
        let mut run = 1;
        for (i, &(a, b)) in self.ties.iter().enumerate() {
            run += 1;
            symmetry.exchange(block(a), block(b));
            let goes_on = self.ties.get(i + 1).is_some_and(|&(next, _)| next == b);
            if !goes_on {
                symmetry.factorial(run);
                run = 1;
            }
        }
    }
}
