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
    /// Where the parts of a cell end.
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
        let cells = self.large_cells(partition);
        let (mut rows, mut ends) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.ends));
        let mut split = false;
        for &cell in &cells {
            rows.clear();
            ends.clear();
            ends.push(0);
            for &v in partition.members(cell) {
                let begin = rows.len();
                rows.extend(graph.arcs(v).iter().map(|arc| (arc.ty, partition.cell_of(arc.to))));
                rows[begin..].sort_unstable();
                ends.push(rows.len());
            }
            let row = |i: u32| &rows[ends[i as usize]..ends[i as usize + 1]];
            split |= self.split_cell(partition, cell, |_, a, b| row(a).cmp(row(b)));
        }
        (self.rows, self.ends, self.cells) = (rows, ends, cells);
        split
    }

    /// Splits every cell by an exact order of its members.
    pub(crate) fn split_by(
        &mut self,
        partition: &mut Partition,
        mut compare: impl FnMut(u32, u32) -> Ordering,
    ) {
        let cells = self.large_cells(partition);
        for &cell in &cells {
            self.split_cell(partition, cell, |members, a, b| {
                compare(members[a as usize], members[b as usize])
            });
        }
        self.cells = cells;
    }

    /// The cells of two or more vertices, in memory that is to be given back.
    fn large_cells(&mut self, partition: &Partition) -> Vec<u32> {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cells.extend(partition.cells().filter(|&c| partition.cell_len(c) > 1));
        cells
    }

    /// Splits one cell by an order of its members, which are compared by their indices in it. Whether
    /// it was split.
    fn split_cell(
        &mut self,
        partition: &mut Partition,
        cell: u32,
        mut compare: impl FnMut(&[u32], u32, u32) -> Ordering,
    ) -> bool {
        let members = partition.members(cell);
        let count = members.len() as u32;
        if (1..count).all(|i| compare(members, 0, i) == Ordering::Equal) {
            return false;
        }
        self.index.clear();
        self.index.extend(0..count);
        self.index.sort_unstable_by(|&a, &b| compare(members, a, b));
        self.members.clear();
        self.members.extend(self.index.iter().map(|&i| members[i as usize]));
        self.parts.clear();
        for (k, pair) in self.index.windows(2).enumerate() {
            if compare(members, pair[0], pair[1]) != Ordering::Equal {
                self.parts.push(k as u32 + 1);
            }
        }
        self.parts.push(count);
        partition.split_ordered(cell, &self.members, &self.parts);
        true
    }
}
