//! Ordered partitions of vertices, and their refinement to equitable ones.
//!
//! A cell is named by the position of its first vertex. Splitting a cell keeps that name for the
//! first part; the later parts get the names of their own first positions. Splits are logged, so
//! that a search can take them back.
//!
//! Refinement is the usual worklist of splitters (Hopcroft 1971; McKay 1981): a cell splits the
//! cells its arcs reach by the sums of arc weights, and all parts but a largest become splitters
//! in turn. It costs O(m log n) for m arcs.

use crate::graph::Graph;
use crate::mixing::mix2;

/// Receives what refinement meets, in an order that is the same for isomorphic inputs.
pub(crate) trait Trace {
    /// Takes the next word; `false` asks the refinement to stop, as the branch is of no use.
    fn note(&mut self, word: u64) -> bool;
}

/// Listens to nothing.
pub(crate) struct NoTrace;

impl Trace for NoTrace {
    #[inline(always)]
    fn note(&mut self, _word: u64) -> bool {
        true
    }
}

#[derive(Debug, Default)]
pub(crate) struct Partition {
    /// The vertices, cell after cell.
    order: Vec<u32>,
    /// Where each vertex stands in `order`.
    place: Vec<u32>,
    /// The cell of each vertex.
    cell: Vec<u32>,
    /// The length of each cell, at its name.
    length: Vec<u32>,
    cells: usize,
    /// `(first part, later part)` of each split.
    log: Vec<(u32, u32)>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    sums: Vec<u64>,
    touched: Vec<u32>,
    touched_cells: Vec<u32>,
    splitter: Vec<u32>,
}

impl Partition {
    /// Begins with the vertices `0..n` in one order, to be cut into cells by [`Partition::cut`].
    pub(crate) fn reset(&mut self, order: impl Iterator<Item = u32>) {
        self.order.clear();
        self.order.extend(order);
        let n = self.order.len();
        self.place.resize(n, 0);
        self.cell.clear();
        self.cell.resize(n, 0);
        self.length.clear();
        self.length.resize(n, 0);
        self.queued.clear();
        self.queued.resize(n, false);
        self.sums.clear();
        self.sums.resize(n, 0);
        self.touched.clear();
        self.touched.resize(n, 0);
        self.queue.clear();
        self.log.clear();
        self.cells = 0;
        for (i, &v) in self.order.iter().enumerate() {
            self.place[v as usize] = i as u32;
        }
    }

    /// Makes the positions `from..to` a cell; every position must be in exactly one.
    pub(crate) fn cut(&mut self, from: usize, to: usize) {
        self.length[from] = (to - from) as u32;
        for &v in &self.order[from..to] {
            self.cell[v as usize] = from as u32;
        }
        self.cells += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    pub(crate) fn is_discrete(&self) -> bool {
        self.cells == self.order.len()
    }

    #[inline]
    pub(crate) fn cell_of(&self, v: u32) -> u32 {
        self.cell[v as usize]
    }

    #[inline]
    pub(crate) fn cell_len(&self, cell: u32) -> u32 {
        self.length[cell as usize]
    }

    pub(crate) fn members(&self, cell: u32) -> &[u32] {
        &self.order[cell as usize..(cell + self.length[cell as usize]) as usize]
    }

    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The names of the cells, in order.
    pub(crate) fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let cell = at;
            (at < self.order.len()).then(|| {
                at += self.length[cell] as usize;
                cell as u32
            })
        })
    }

    /// How many splits there have been; [`Partition::undo`] goes back to it.
    pub(crate) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back all splits since `mark`.
    pub(crate) fn undo(&mut self, mark: usize) {
        for (first, later) in self.log.drain(mark..).rev() {
            let length = self.length[later as usize];
            self.length[first as usize] += length;
            self.cells -= 1;
            for &v in &self.order[later as usize..(later + length) as usize] {
                self.cell[v as usize] = first;
            }
        }
    }

    fn swap_to(&mut self, v: u32, to: usize) {
        let from = self.place[v as usize] as usize;
        let other = self.order[to];
        self.order[from] = other;
        self.place[other as usize] = from as u32;
        self.order[to] = v;
        self.place[v as usize] = to as u32;
    }

    /// Cuts the cell `first` at the position `later`, inside it.
    fn split_at(&mut self, first: u32, later: u32) {
        let whole = self.length[first as usize];
        let left = later - first;
        self.length[first as usize] = left;
        self.length[later as usize] = whole - left;
        for &v in &self.order[later as usize..(first + whole) as usize] {
            self.cell[v as usize] = later;
        }
        self.cells += 1;
        self.log.push((first, later));
    }

    fn enqueue(&mut self, cell: u32) {
        if !self.queued[cell as usize] {
            self.queued[cell as usize] = true;
            self.queue.push(cell);
        }
    }

    /// Makes every cell a splitter.
    pub(crate) fn enqueue_all(&mut self) {
        let mut at = 0;
        while at < self.order.len() {
            self.enqueue(at as u32);
            at += self.length[at] as usize;
        }
    }

    /// Gives `v` a cell of its own at the front of its cell, and makes it a splitter.
    pub(crate) fn individualise(&mut self, v: u32) {
        let cell = self.cell[v as usize];
        self.swap_to(v, cell as usize);
        self.split_at(cell, cell + 1);
        self.enqueue(cell);
    }

    /// Splits the cell of sorted members by a key, making all parts splitters. The members must
    /// already be ordered so that equal keys are together: `ends` are the ends of the parts.
    pub(crate) fn split_ordered(&mut self, cell: u32, members: &[u32], ends: &[u32]) {
        for (i, &v) in members.iter().enumerate() {
            self.order[cell as usize + i] = v;
            self.place[v as usize] = cell + i as u32;
        }
        let mut first = cell;
        for &end in &ends[..ends.len() - 1] {
            self.split_at(first, cell + end);
            self.enqueue(first);
            first = cell + end;
        }
        self.enqueue(first);
    }

    /// Refines until no cell of the worklist splits another. `false` when the trace stopped it;
    /// the partition is then fit only for [`Partition::undo`].
    pub(crate) fn refine(&mut self, graph: &Graph, trace: &mut impl Trace) -> bool {
        let mut head = 0;
        let mut going = true;
        while head < self.queue.len() && self.cells < self.order.len() {
            let splitter = self.queue[head];
            head += 1;
            self.queued[splitter as usize] = false;
            if !self.split_by(graph, splitter, trace) {
                going = false;
                break;
            }
        }
        for &cell in &self.queue[head..] {
            self.queued[cell as usize] = false;
        }
        self.queue.clear();
        going
    }

    /// Splits all cells by their arcs from one splitter.
    fn split_by(&mut self, graph: &Graph, splitter: u32, trace: &mut impl Trace) -> bool {
        let mut members = std::mem::take(&mut self.splitter);
        members.clear();
        members.extend_from_slice(self.members(splitter));
        let mut alone = 0u64;
        for &x in &members {
            for arc in graph.arcs(x) {
                let y = arc.to as usize;
                let cell = self.cell[y];
                let weight = graph.weight(arc.ty);
                let length = self.length[cell as usize];
                if length == 1 {
                    alone = alone.wrapping_add(mix2(weight, u64::from(cell)));
                    continue;
                }
                if self.sums[y] == 0 {
                    // A sum that wraps to zero would be met again as new: the vertex must not be
                    // counted twice, so look where it stands.
                    let tail = cell + length - self.touched[cell as usize];
                    if self.place[y] < tail {
                        if self.touched[cell as usize] == 0 {
                            self.touched_cells.push(cell);
                        }
                        self.touched[cell as usize] += 1;
                        self.swap_to(arc.to, tail as usize - 1);
                    }
                }
                self.sums[y] = self.sums[y].wrapping_add(weight);
            }
        }
        self.splitter = members;
        let mut going = trace.note(mix2(alone, u64::from(splitter)));
        let mut cells = std::mem::take(&mut self.touched_cells);
        if cells.len() > 1 {
            cells.sort_unstable();
        }
        for &cell in &cells {
            going &= self.split_touched(cell, trace);
        }
        cells.clear();
        self.touched_cells = cells;
        going
    }

    /// Splits one cell whose tail was touched, by the sums; resets the sums.
    fn split_touched(&mut self, cell: u32, trace: &mut impl Trace) -> bool {
        let length = self.length[cell as usize];
        let count = std::mem::take(&mut self.touched[cell as usize]);
        let end = (cell + length) as usize;
        let tail = end - count as usize;
        let first = self.sums[self.order[tail] as usize];
        let uniform = self.order[tail..end].iter().all(|&v| self.sums[v as usize] == first);
        if uniform {
            for &v in &self.order[tail..end] {
                self.sums[v as usize] = 0;
            }
            let going = trace.note(mix2(first ^ u64::from(count) << 32, u64::from(cell)));
            if count < length {
                self.split_at(cell, tail as u32);
                if self.queued[cell as usize] || count <= length - count {
                    self.enqueue(tail as u32);
                } else {
                    self.enqueue(cell);
                }
            }
            return going;
        }
        let sums = &self.sums;
        self.order[tail..end].sort_unstable_by_key(|&v| sums[v as usize]);
        for i in tail..end {
            self.place[self.order[i] as usize] = i as u32;
        }
        let waiting = self.queued[cell as usize];
        let mut going = true;
        // The largest part, the first of them, need not become a splitter.
        let mut largest = (tail as u32 - cell, cell);
        let mut part = cell;
        let mut i = tail;
        while i < end {
            let sum = self.sums[self.order[i] as usize];
            let begin = i;
            while i < end && self.sums[self.order[i] as usize] == sum {
                self.sums[self.order[i] as usize] = 0;
                i += 1;
            }
            going &= trace.note(mix2(sum ^ ((i - begin) as u64) << 32, begin as u64));
            if begin as u32 > cell {
                self.split_at(part, begin as u32);
                part = begin as u32;
            }
            if (i - begin) as u32 > largest.0 {
                largest = ((i - begin) as u32, begin as u32);
            }
        }
        let mut at = cell;
        while (at as usize) < end {
            if waiting || at != largest.1 {
                self.enqueue(at);
            }
            at += self.length[at as usize];
        }
        going
    }
}
