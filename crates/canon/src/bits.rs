//! Graphs of up to 128 vertices with rows as bits, and their refinement.
//!
//! A set of vertices is a word, of 64 bits or of 128. A *relation* has, for each vertex, the set of those it
//! relates to; with each relation there is its converse, which is the relation itself where pairs go both ways. A
//! cell is the set of its members, named by the position of its first. A splitter splits the cells it is related to
//! by how many of its members a vertex relates to, counted exactly: partitions are equitable, and no hash is involved. A round costs as many word operations as vertices are reached.

mod set;

use crate::mixing::mix2;
use crate::partition::Trace;

pub(crate) use set::{Set, members};

/// No more labels of pairs than this.
pub(crate) const LABELS: usize = 4;
/// How far [`BitGraph::surroundings`] looks.
const DISTANCE: usize = 4;

/// An ordered partition of up to `N` vertices. Copied to go back to it.
#[derive(Clone, Debug)]
pub(crate) struct Cells<S, const N: usize> {
    /// The positions where cells begin.
    starts: S,
    /// The members of a cell, at its beginning.
    sets: [S; N],
    /// The beginning of the cell of each vertex.
    of: [u8; N],
    /// The vertices in cells of two or more.
    undecided: S,
}

impl<S: Set, const N: usize> Default for Cells<S, N> {
    fn default() -> Self {
        Self { starts: S::NONE, sets: [S::NONE; N], of: [0; N], undecided: S::NONE }
    }
}

impl<S: Set, const N: usize> Cells<S, N> {
    /// Begins without cells; they are added in order by [`Cells::cut`].
    pub(crate) fn clear(&mut self) {
        self.starts = S::NONE;
        self.undecided = S::NONE;
    }

    /// Adds the cell of these members at a position.
    #[inline]
    pub(crate) fn cut(&mut self, at: usize, set: S) {
        self.starts |= S::of(at);
        members(set).for_each(|v| self.of[v] = at as u8);
        self.shrink(at, set);
    }

    /// Leaves these members in a cell, after others were cut off.
    #[inline]
    fn shrink(&mut self, cell: usize, set: S) {
        self.sets[cell] = set;
        self.undecided = if set.is_single() { self.undecided & !set } else { self.undecided | set };
    }

    /// The vertices in cells of two or more.
    pub(crate) fn undecided(&self) -> S {
        self.undecided
    }

    /// The cells that have one of these vertices.
    #[inline]
    pub(crate) fn touched(&self, mut vertices: S) -> S {
        let mut touched = S::NONE;
        while !vertices.is_empty() {
            let cell = self.of[vertices.first()];
            touched |= S::of(cell as usize);
            vertices &= !self.sets[cell as usize];
        }
        touched
    }

    pub(crate) fn starts(&self) -> S {
        self.starts
    }

    #[inline]
    pub(crate) fn set(&self, cell: usize) -> S {
        self.sets[cell]
    }

    /// The cells of two or more vertices.
    pub(crate) fn large(&self) -> S {
        self.touched(self.undecided)
    }

    /// Gives `v` a cell of its own at the front of its cell; the cell.
    pub(crate) fn individualise(&mut self, v: usize) -> usize {
        let cell = self.of[v] as usize;
        let rest = self.sets[cell] & !S::of(v);
        self.shrink(cell, S::of(v));
        self.cut(cell + 1, rest);
        cell
    }

    /// The vertices in the order of cells.
    pub(crate) fn order(&self) -> impl Iterator<Item = u32> {
        members(self.starts).flat_map(|cell| members(self.sets[cell])).map(|v| v as u32)
    }
}

/// A graph.
#[derive(Debug, Default)]
pub(crate) struct BitGraph<S: Set, const N: usize> {
    n: usize,
    /// The labels of pairs, ascending once all are there.
    labels: Vec<u32>,
    /// For each relation whom each vertex relates to, and the converse of the relation.
    rows: Vec<[S; N]>,
    converse: Vec<usize>,
    /// Members of a cell by how many of a splitter they relate to, less one.
    parts: Parts<S, N>,
}

#[derive(Debug)]
struct Parts<S, const N: usize>([S; N]);

impl<S: Set, const N: usize> Default for Parts<S, N> {
    fn default() -> Self {
        Self([S::NONE; N])
    }
}

impl<S: Set, const N: usize> BitGraph<S, N> {
    /// Begins with `n` vertices and no pairs.
    pub(crate) fn begin(&mut self, n: usize) {
        assert!(n <= N, "a word has a bit for each vertex");
        self.n = n;
        self.labels.clear();
        self.rows.clear();
    }

    /// Adds a pair of distinct vertices; `false` if it is there, or if there are too many labels.
    #[inline]
    pub(crate) fn add(&mut self, label: u32, from: usize, to: usize) -> bool {
        let at = if self.labels.first() == Some(&label) {
            0
        } else if let Some(at) = self.labels.iter().position(|&known| known == label) {
            at
        } else {
            return self.add_label(label, from, to);
        };
        let fresh = !self.rows[2 * at][from].has(to);
        self.rows[2 * at][from] |= S::of(to);
        self.rows[2 * at + 1][to] |= S::of(from);
        fresh
    }

    #[cold]
    fn add_label(&mut self, label: u32, from: usize, to: usize) -> bool {
        if self.labels.len() == LABELS {
            return false;
        }
        self.labels.push(label);
        self.rows.resize(2 * self.labels.len(), [S::NONE; N]);
        self.add(label, from, to)
    }

    /// All pairs are there: sorts the labels, and drops converses that are the relation itself.
    pub(crate) fn end(&mut self) {
        for i in 1..self.labels.len() {
            let mut j = i;
            while j > 0 && self.labels[j] < self.labels[j - 1] {
                self.labels.swap(j, j - 1);
                self.rows.swap(2 * j, 2 * j - 2);
                self.rows.swap(2 * j + 1, 2 * j - 1);
                j -= 1;
            }
        }
        self.converse.clear();
        let mut kept = 0;
        for label in 0..self.labels.len() {
            let goes_both_ways =
                self.rows[2 * label][..self.n] == self.rows[2 * label + 1][..self.n];
            self.rows.swap(kept, 2 * label);
            if goes_both_ways {
                self.converse.push(kept);
                kept += 1;
            } else {
                self.rows.swap(kept + 1, 2 * label + 1);
                self.converse.extend([kept + 1, kept]);
                kept += 2;
            }
        }
        self.rows.truncate(kept);
    }

    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// Whom each vertex relates to, relation by relation, converses included.
    pub(crate) fn relations(&self) -> &[[S; N]] {
        &self.rows
    }

    /// The relations without the converses of earlier ones.
    pub(crate) fn own_relations(&self) -> impl Iterator<Item = &[S; N]> {
        let own = self.rows.iter().zip(&self.converse).enumerate();
        own.filter(|(relation, (_, converse))| relation <= *converse).map(|(_, (rows, _))| rows)
    }

    /// Appends the graph as it looks when its vertices are in this order. Of what goes both ways, rows tell of
    /// earlier vertices only.
    pub(crate) fn write(&self, order: &[u32], form: &mut Vec<u64>) {
        let mut bit = [S::NONE; N];
        order.iter().enumerate().for_each(|(at, &v)| bit[v as usize] = S::of(at));
        for (relation, (rows, &converse)) in self.rows.iter().zip(&self.converse).enumerate() {
            if relation > converse {
                continue;
            }
            let mut told = if relation == converse { S::NONE } else { !S::NONE };
            for &v in order {
                let row = rows[v as usize] & told;
                members(row).fold(S::NONE, |row, u| row | bit[u]).push_to(form);
                told |= S::of(v as usize);
            }
        }
    }

    /// Whether a permutation of the vertices, given by their images, keeps all relations.
    pub(crate) fn is_kept_by(&self, images: &[u32]) -> bool {
        self.rows.iter().zip(&self.converse).enumerate().all(|(relation, (rows, &converse))| {
            let goes_both_ways = relation == converse;
            let mut told = if goes_both_ways { S::NONE } else { !S::NONE };
            let mut told_images = told;
            relation > converse
                || images.iter().enumerate().all(|(v, &image)| {
                    let row = members(rows[v] & told)
                        .fold(S::NONE, |row, u| row | S::of(images[u] as usize));
                    let is_kept = row == rows[image as usize] & told_images;
                    if goes_both_ways {
                        told |= S::of(v);
                        told_images |= S::of(image as usize);
                    }
                    is_kept
                })
        })
    }

    /// Refines until no cell of `active` splits another. `false` when the trace stopped it.
    pub(crate) fn refine(
        &mut self,
        cells: &mut Cells<S, N>,
        mut active: S,
        trace: &mut impl Trace,
    ) -> bool {
        while !active.is_empty() && !cells.undecided.is_empty() {
            let splitter = active.first();
            active &= !S::of(splitter);
            let set = cells.sets[splitter];
            for relation in 0..self.rows.len() {
                let back = &self.rows[self.converse[relation]];
                let place = (splitter << 12 | relation) as u64;
                if set.is_single() {
                    let reached = back[set.first()] & cells.undecided;
                    if reached.is_single() {
                        if !reached.is_empty() {
                            let cell = cells.of[reached.first()] as usize;
                            let place = place | (cell as u64) << 4;
                            if !split_in_two(cells, cell, reached, &mut active, place, trace) {
                                return false;
                            }
                        }
                        continue;
                    }
                    for cell in members(cells.touched(reached)) {
                        let hit = cells.sets[cell] & reached;
                        let place = place | (cell as u64) << 4;
                        if !split_in_two(cells, cell, hit, &mut active, place, trace) {
                            return false;
                        }
                    }
                    continue;
                }
                let reached = members(set).fold(S::NONE, |reached, v| reached | back[v]);
                for cell in members(cells.touched(reached & cells.undecided)) {
                    let hit = cells.sets[cell] & reached;
                    let place = place | (cell as u64) << 4;
                    if !self.split(cells, cell, hit, (relation, set), &mut active, place, trace) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Splits a cell by how many of the splitter each of its members relates to. Those not `hit` relate to none.
    #[allow(clippy::too_many_arguments)]
    fn split(
        &mut self,
        cells: &mut Cells<S, N>,
        cell: usize,
        hit: S,
        (relation, splitter): (usize, S),
        active: &mut S,
        place: u64,
        trace: &mut impl Trace,
    ) -> bool {
        let (rows, parts) = (&self.rows[relation], &mut self.parts.0);
        let mut counts = S::NONE;
        for v in members(hit) {
            let count = (rows[v] & splitter).size() as usize - 1;
            counts |= S::of(count);
            parts[count] |= S::of(v);
        }
        if counts.is_single() {
            let count = counts.first();
            parts[count] = S::NONE;
            return split_in_two(cells, cell, hit, active, place | (count as u64) << 20, trace);
        }
        let is_waiting = active.has(cell);
        let rest = cells.sets[cell] & !hit;
        let mut largest = (rest.size(), cell);
        let mut at = cell + largest.0 as usize;
        let mut going = true;
        if !rest.is_empty() {
            cells.shrink(cell, rest);
            *active |= S::of(cell);
        }
        for count in members(counts) {
            let part = std::mem::replace(&mut parts[count], S::NONE);
            let size = part.size();
            going &= trace.note(place | (count as u64) << 20 | u64::from(size) << 32);
            cells.cut(at, part);
            *active |= S::of(at);
            if size > largest.0 {
                largest = (size, at);
            }
            at += size as usize;
        }
        if !is_waiting {
            *active &= !S::of(largest.1);
        }
        going
    }

    /// A word for each of these vertices that stands for how many are how far away from it, up to a distance, and
    /// how many of those are reached in an odd number of ways. Isomorphic graphs have the same words.
    pub(crate) fn surroundings(&self, of: S, mask: u64, mut visit: impl FnMut(usize, u64)) {
        for v in members(of) {
            let mut word = 0;
            for rows in self.own_relations() {
                let (mut seen, mut last) = (S::of(v), S::of(v));
                for _ in 0..DISTANCE {
                    let (mut next, mut odd) = (S::NONE, S::NONE);
                    for u in members(last) {
                        next |= rows[u];
                        odd ^= rows[u];
                    }
                    last = next & !seen;
                    let counts = (odd & !seen).size() << 16 | (odd & seen).size() << 8;
                    word = mix2(word, u64::from(counts | last.size()));
                    seen |= last;
                }
            }
            visit(v, word & mask);
        }
    }
}

/// Splits a cell into those that are not `hit`, and those that are.
#[inline]
fn split_in_two<S: Set, const N: usize>(
    cells: &mut Cells<S, N>,
    cell: usize,
    hit: S,
    active: &mut S,
    place: u64,
    trace: &mut impl Trace,
) -> bool {
    let size_of_hit = hit.size();
    let rest = cells.sets[cell] & !hit;
    if !rest.is_empty() {
        let kept = rest.size();
        let at = cell + kept as usize;
        cells.shrink(cell, rest);
        cells.cut(at, hit);
        let smaller = if active.has(cell) || size_of_hit <= kept { at } else { cell };
        *active |= S::of(smaller);
    }
    trace.note(place | u64::from(size_of_hit) << 32)
}
