//! The part of a graph that an equitable partition leaves undecided, and its components.
//!
//! An arc into a singleton cell says the same of every vertex of a cell, and so does an arc of a
//! type by which each vertex of one cell reaches all of another. Without these *complete blocks*
//! the partition stays equitable, and what remains usually falls apart. Blocks that are more than
//! half full are replaced by their complements, which say as much with fewer arcs; whether they
//! are is seen alike from both of their cells. The components of the remainder do not see each
//! other, so they are labelled one by one.
//!
//! Vertices without remaining arcs are interchangeable within their cell, and in a component that
//! is a tree the cells are the orbits. Cost: linear in the arcs of undecided vertices.

use crate::graph::{Arc, Graph};
use crate::partition::Partition;

/// A component of two or more vertices: `vertices[start..start + len]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Component {
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// Whether the component has no cycle, parallel arcs counted once.
    pub(crate) tree: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Components {
    rows: Vec<(u32, u32)>,
    arcs: Vec<Arc>,
    near_rows: Vec<(u32, u32)>,
    near: Vec<u32>,
    counts: Vec<u32>,
    seen: Vec<u32>,
    /// The vertices that a type of arcs reaches bear the stamp of the time.
    reached: Vec<u32>,
    stamp: u32,
    vertices: Vec<u32>,
    list: Vec<Component>,
    loose: Vec<u32>,
}

const UNSEEN: u32 = u32::MAX;
/// Stands in `counts` for a block already listed by its complement.
const LISTED: u32 = u32::MAX;

impl Components {
    /// The remaining arcs of an undecided vertex, sorted by type.
    pub(crate) fn arcs(&self, v: u32) -> &[Arc] {
        let (begin, end) = self.rows[v as usize];
        &self.arcs[begin as usize..end as usize]
    }

    /// The distinct vertices at the other ends of these arcs.
    pub(crate) fn near(&self, v: u32) -> &[u32] {
        let (begin, end) = self.near_rows[v as usize];
        &self.near[begin as usize..end as usize]
    }

    pub(crate) fn list(&self) -> &[Component] {
        &self.list
    }

    /// The cells of two or more interchangeable vertices.
    pub(crate) fn loose(&self) -> &[u32] {
        &self.loose
    }

    pub(crate) fn vertices(&self, component: Component) -> &[u32] {
        &self.vertices[component.start as usize..(component.start + component.len) as usize]
    }

    /// Finds the components of what the equitable `partition` leaves undecided.
    pub(crate) fn find(&mut self, graph: &Graph, partition: &Partition) {
        let n = partition.len();
        self.rows.resize(n, (0, 0));
        self.near_rows.resize(n, (0, 0));
        self.counts.resize(n, 0);
        self.reached.resize(n, 0);
        self.seen.clear();
        self.seen.resize(n, UNSEEN);
        self.arcs.clear();
        self.near.clear();
        self.vertices.clear();
        self.list.clear();
        self.loose.clear();
        for cell in partition.cells() {
            if partition.cell_len(cell) == 1 {
                continue;
            }
            for &v in partition.members(cell) {
                self.remaining(graph, partition, v);
            }
            if self.arcs(partition.members(cell)[0]).is_empty() {
                self.loose.push(cell);
            }
        }
        self.seen.fill(UNSEEN);
        for cell in partition.cells() {
            if partition.cell_len(cell) == 1 {
                continue;
            }
            for &v in partition.members(cell) {
                if self.seen[v as usize] == UNSEEN && !self.near(v).is_empty() {
                    self.collect(v);
                }
            }
        }
    }

    /// Lists the arcs of `v` that are in no complete block, complementing dense blocks.
    fn remaining(&mut self, graph: &Graph, partition: &Partition, v: u32) {
        let begin = self.arcs.len();
        let near_begin = self.near.len() as u32;
        let own = partition.cell_of(v);
        let arcs = graph.arcs(v);
        let mut at = 0;
        while at < arcs.len() {
            let ty = arcs[at].ty;
            let from = at;
            while at < arcs.len() && arcs[at].ty == ty {
                self.counts[partition.cell_of(arcs[at].to) as usize] += 1;
                at += 1;
            }
            let run = &arcs[from..at];
            for &arc in run {
                let cell = partition.cell_of(arc.to);
                let whole = partition.cell_len(cell) - u32::from(cell == own);
                let count = self.counts[cell as usize];
                if partition.cell_len(cell) == 1 || count == whole || count == LISTED {
                    continue;
                }
                if 2 * count <= whole {
                    self.arcs.push(arc);
                } else {
                    self.counts[cell as usize] = LISTED;
                    self.complement(partition, v, run, cell);
                }
            }
            for arc in run {
                self.counts[partition.cell_of(arc.to) as usize] = 0;
            }
        }
        for arc in &self.arcs[begin..] {
            if self.seen[arc.to as usize] != v {
                self.seen[arc.to as usize] = v;
                self.near.push(arc.to);
            }
        }
        self.rows[v as usize] = (begin as u32, self.arcs.len() as u32);
        self.near_rows[v as usize] = (near_begin, self.near.len() as u32);
    }

    /// Lists the members of `cell` that the arcs of one type from `v` do *not* reach.
    fn complement(&mut self, partition: &Partition, v: u32, run: &[Arc], cell: u32) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.reached.fill(0);
            self.stamp = 1;
        }
        for arc in run {
            self.reached[arc.to as usize] = self.stamp;
        }
        for &u in partition.members(cell) {
            if u != v && self.reached[u as usize] != self.stamp {
                self.arcs.push(Arc { to: u, ty: run[0].ty });
            }
        }
    }

    /// Collects the component of `v`.
    fn collect(&mut self, v: u32) {
        let start = self.vertices.len();
        let mut ends = 0;
        self.seen[v as usize] = 0;
        self.vertices.push(v);
        let mut head = start;
        while head < self.vertices.len() {
            let (begin, end) = self.near_rows[self.vertices[head] as usize];
            head += 1;
            ends += (end - begin) as usize;
            for i in begin..end {
                let u = self.near[i as usize];
                if self.seen[u as usize] == UNSEEN {
                    self.seen[u as usize] = 0;
                    self.vertices.push(u);
                }
            }
        }
        let len = self.vertices.len() - start;
        self.list.push(Component {
            start: start as u32,
            len: len as u32,
            tree: ends == 2 * (len - 1),
        });
    }
}
