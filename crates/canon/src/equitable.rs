//! Exact splitting of cells by the cells their arcs lead to.
//!
//! Refinement by hashed sums may stop short of an equitable partition when hashes collide. The
//! shortcuts that never branch (interchangeable vertices, trees, complete blocks) need the real
//! thing, so where sums are not exact this pass compares the arcs themselves.

use std::cmp::Ordering;

use crate::graph::Graph;
use crate::partition::{NoTrace, Partition};

/// Scratch memory of the exact pass.
#[derive(Debug, Default)]
pub(crate) struct ExactSplit {
    rows: Vec<(u32, u32)>,
    ends: Vec<usize>,
    index: Vec<u32>,
    members: Vec<u32>,
    parts: Vec<u32>,
    cells: Vec<u32>,
}

impl ExactSplit {
    /// Refines an already refined partition until it is exactly equitable.
    pub(crate) fn settle(&mut self, graph: &Graph, partition: &mut Partition) {
        if graph.exact_weights() {
            return;
        }
        while self.split_all(graph, partition) {
            partition.refine(graph, &mut NoTrace);
        }
    }

    fn split_all(&mut self, graph: &Graph, partition: &mut Partition) -> bool {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.extend(partition.cells().filter(|&c| partition.cell_len(c) > 1));
        let mut split = false;
        for &cell in &cells {
            self.rows.clear();
            self.ends.clear();
            self.ends.push(0);
            for &v in partition.members(cell) {
                let begin = self.rows.len();
                self.rows
                    .extend(graph.arcs(v).iter().map(|arc| (arc.ty, partition.cell_of(arc.to))));
                self.rows[begin..].sort_unstable();
                self.ends.push(self.rows.len());
            }
            split |= self.split_cell(partition, cell);
        }
        self.cells = cells;
        split
    }

    /// Splits one cell by the rows of its members, in their order.
    fn split_cell(&mut self, partition: &mut Partition, cell: u32) -> bool {
        let row = |i: u32| &self.rows[self.ends[i as usize]..self.ends[i as usize + 1]];
        let members = partition.members(cell);
        let count = members.len() as u32;
        if (1..count).all(|i| row(i) == row(0)) {
            return false;
        }
        self.index.clear();
        self.index.extend(0..count);
        self.index.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
        self.members.clear();
        self.members.extend(self.index.iter().map(|&i| members[i as usize]));
        self.parts.clear();
        for (k, pair) in self.index.windows(2).enumerate() {
            if row(pair[0]) != row(pair[1]) {
                self.parts.push(k as u32 + 1);
            }
        }
        self.parts.push(count);
        partition.split_ordered(cell, &self.members, &self.parts);
        true
    }

    /// Splits every cell by an exact order of its members.
    pub(crate) fn split_by(
        &mut self,
        partition: &mut Partition,
        mut compare: impl FnMut(u32, u32) -> Ordering,
    ) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.extend(partition.cells().filter(|&c| partition.cell_len(c) > 1));
        for &cell in &cells {
            let members = partition.members(cell);
            if members[1..].iter().all(|&v| compare(members[0], v) == Ordering::Equal) {
                continue;
            }
            self.members.clear();
            self.members.extend_from_slice(members);
            self.members.sort_unstable_by(|&a, &b| compare(a, b));
            self.parts.clear();
            for (k, pair) in self.members.windows(2).enumerate() {
                if compare(pair[0], pair[1]) != Ordering::Equal {
                    self.parts.push(k as u32 + 1);
                }
            }
            self.parts.push(self.members.len() as u32);
            partition.split_ordered(cell, &self.members, &self.parts);
        }
        self.cells = cells;
    }
}
