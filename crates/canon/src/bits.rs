//! Graphs of up to 64 vertices with rows as bits, and their refinement.
//!
//! A set of vertices is a word. A *relation* has, for each vertex, the set of those it relates to; with each
//! relation there is its converse, which is the relation itself where pairs go both ways. A cell is
//! the set of its members, named by the position of its first. A splitter splits the cells it is
//! related to by how many of its members a vertex relates to, counted exactly: partitions are equitable, and no
//! hash is involved. A round costs as many word operations as vertices are reached.

use crate::mixing::mix2;
use crate::partition::Trace;

/// As many vertices as a word has bits.
pub(crate) const MOST: usize = 64;
/// No more labels of pairs than this.
pub(crate) const LABELS: usize = 4;
/// How far [`BitGraph::surroundings`] looks.
const DISTANCE: usize = 4;

pub(crate) type Set = u64;

/// The members of a set.
#[inline]
pub(crate) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (first < Set::BITS).then_some(first as usize)
    })
}

/// Whether a set has one member or none.
#[inline]
pub(crate) fn is_single(set: Set) -> bool {
    set & set.wrapping_sub(1) == 0
}

/// The number of members of a set, which often has one.
#[inline]
pub(crate) fn size(set: Set) -> u32 {
    if is_single(set) { u32::from(set != 0) } else { set.count_ones() }
}

/// An ordered partition. Copied to go back to it.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// The positions where cells begin.
    starts: Set,
    /// The members of a cell, at its beginning.
    sets: [Set; MOST],
    /// The beginning of the cell of each vertex.
    of: [u8; MOST],
    /// The vertices in cells of two or more.
    undecided: Set,
}

impl Default for Cells {
    fn default() -> Self {
        Self { starts: 0, sets: [0; MOST], of: [0; MOST], undecided: 0 }
    }
}

impl Cells {
    /// Begins without cells; they are added in order by [`Cells::cut`].
    pub(crate) fn clear(&mut self) {
        self.starts = 0;
        self.undecided = 0;
    }

    /// Adds the cell of these members at a position.
    #[inline]
    pub(crate) fn cut(&mut self, at: usize, set: Set) {
        self.starts |= 1 << at;
        members(set).for_each(|v| self.of[v] = at as u8);
        self.shrink(at, set);
    }

    /// Leaves these members in a cell, after others were cut off.
    #[inline]
    fn shrink(&mut self, cell: usize, set: Set) {
        self.sets[cell] = set;
        self.undecided = if is_single(set) { self.undecided & !set } else { self.undecided | set };
    }

    /// The vertices in cells of two or more.
    pub(crate) fn undecided(&self) -> Set {
        self.undecided
    }

    /// The cells that have one of these vertices.
    #[inline]
    pub(crate) fn touched(&self, mut vertices: Set) -> Set {
        let mut touched = 0;
        while vertices != 0 {
            let cell = self.of[vertices.trailing_zeros() as usize];
            touched |= 1 << cell;
            vertices &= !self.sets[cell as usize];
        }
        touched
    }

    pub(crate) fn starts(&self) -> Set {
        self.starts
    }

    #[inline]
    pub(crate) fn set(&self, cell: usize) -> Set {
        self.sets[cell]
    }

    /// The cells of two or more vertices.
    pub(crate) fn large(&self) -> Set {
        self.touched(self.undecided)
    }

    /// Gives `v` a cell of its own at the front of its cell; the cell.
    pub(crate) fn individualise(&mut self, v: usize) -> usize {
        let cell = self.of[v] as usize;
        let rest = self.sets[cell] & !(1 << v);
        self.shrink(cell, 1 << v);
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
pub(crate) struct BitGraph {
    n: usize,
    /// The labels of pairs, ascending once all are there.
    labels: Vec<u32>,
    /// For each relation whom each vertex relates to, and the converse of the relation.
    rows: Vec<[Set; MOST]>,
    converse: Vec<usize>,
    /// Members of a cell by how many of a splitter they relate to, less one.
    parts: Parts,
}

#[derive(Debug)]
struct Parts([Set; MOST]);

impl Default for Parts {
    fn default() -> Self {
        Self([0; MOST])
    }
}

impl BitGraph {
    /// Begins with `n` vertices and no pairs.
    pub(crate) fn begin(&mut self, n: usize) {
        assert!(n <= MOST, "a word has a bit for each vertex");
        self.n = n;
        self.labels.clear();
        self.rows.clear();
    }

    /// Adds a pair of distinct vertices; `false` if it is there, or if there are too many labels.
    #[inline]
    pub(crate) fn add(&mut self, label: u32, from: usize, to: usize) -> bool {
        let Some(at) = self.labels.iter().position(|&known| known == label) else {
            return self.add_label(label, from, to);
        };
        let fresh = self.rows[2 * at][from] & (1 << to) == 0;
        self.rows[2 * at][from] |= 1 << to;
        self.rows[2 * at + 1][to] |= 1 << from;
        fresh
    }

    #[cold]
    fn add_label(&mut self, label: u32, from: usize, to: usize) -> bool {
        if self.labels.len() == LABELS {
            return false;
        }
        self.labels.push(label);
        self.rows.resize(2 * self.labels.len(), [0; MOST]);
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
    pub(crate) fn relations(&self) -> &[[Set; MOST]] {
        &self.rows
    }

    /// The relations without the converses of earlier ones.
    pub(crate) fn own_relations(&self) -> impl Iterator<Item = &[Set; MOST]> {
        let own = self.rows.iter().zip(&self.converse).enumerate();
        own.filter(|(relation, (_, converse))| relation <= *converse).map(|(_, (rows, _))| rows)
    }

    /// Appends the graph as it looks when its vertices are in this order. Of what goes both ways, rows tell of
    /// earlier vertices only.
    pub(crate) fn write(&self, order: &[u32], form: &mut Vec<u64>) {
        let mut bit = [0; MOST];
        order.iter().enumerate().for_each(|(at, &v)| bit[v as usize] = 1_u64 << at);
        for (relation, (rows, &converse)) in self.rows.iter().zip(&self.converse).enumerate() {
            if relation > converse {
                continue;
            }
            let mut told = if relation == converse { 0 } else { Set::MAX };
            for &v in order {
                let row = rows[v as usize] & told;
                form.push(members(row).fold(0, |row, u| row | bit[u]));
                told |= 1 << v;
            }
        }
    }

    /// Refines until no cell of `active` splits another. `false` when the trace stopped it.
    pub(crate) fn refine(
        &mut self,
        cells: &mut Cells,
        mut active: Set,
        trace: &mut impl Trace,
    ) -> bool {
        while active != 0 && cells.undecided != 0 {
            let splitter = active.trailing_zeros() as usize;
            active &= active - 1;
            let set = cells.sets[splitter];
            for relation in 0..self.rows.len() {
                let back = &self.rows[self.converse[relation]];
                let reached = members(set).fold(0, |reached, v| reached | back[v]);
                let place = (splitter << 12 | relation) as u64;
                for cell in members(cells.touched(reached & cells.undecided)) {
                    let hit = cells.sets[cell] & reached;
                    let place = place | (cell as u64) << 6;
                    let going = if is_single(set) {
                        split_in_two(cells, cell, hit, &mut active, place, trace)
                    } else {
                        self.split(cells, cell, hit, (relation, set), &mut active, place, trace)
                    };
                    if !going {
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
        cells: &mut Cells,
        cell: usize,
        hit: Set,
        (relation, splitter): (usize, Set),
        active: &mut Set,
        place: u64,
        trace: &mut impl Trace,
    ) -> bool {
        let (rows, parts) = (&self.rows[relation], &mut self.parts.0);
        let mut counts: Set = 0;
        for v in members(hit) {
            let count = size(rows[v] & splitter) - 1;
            counts |= 1 << count;
            parts[count as usize] |= 1 << v;
        }
        if is_single(counts) {
            let count = counts.trailing_zeros();
            parts[count as usize] = 0;
            return split_in_two(cells, cell, hit, active, place | u64::from(count) << 24, trace);
        }
        let is_waiting = *active >> cell & 1 == 1;
        let rest = cells.sets[cell] & !hit;
        let mut largest = (size(rest), cell);
        let mut at = cell + largest.0 as usize;
        let mut going = true;
        if rest != 0 {
            cells.shrink(cell, rest);
            *active |= 1 << cell;
        }
        for count in members(counts) {
            let part = std::mem::take(&mut parts[count]);
            let size = size(part);
            going &= trace.note(place | (count as u64) << 24 | u64::from(size) << 32);
            cells.cut(at, part);
            *active |= 1 << at;
            if size > largest.0 {
                largest = (size, at);
            }
            at += size as usize;
        }
        if !is_waiting {
            *active &= !(1 << largest.1);
        }
        going
    }

    /// A word for each of these vertices that stands for how many are how far away from it, up to a distance, and
    /// how many of those are reached in an odd number of ways. Isomorphic graphs have the same words.
    pub(crate) fn surroundings(&self, of: Set, mask: u64, mut visit: impl FnMut(usize, u64)) {
        for v in members(of) {
            let mut word = 0;
            for rows in self.own_relations() {
                let (mut seen, mut last) = (1_u64 << v, 1_u64 << v);
                for _ in 0..DISTANCE {
                    let (mut next, mut odd) = (0, 0);
                    for u in members(last) {
                        next |= rows[u];
                        odd ^= rows[u];
                    }
                    last = next & !seen;
                    let counts = (odd & !seen).count_ones() << 16 | (odd & seen).count_ones() << 8;
                    word = mix2(word, u64::from(counts | last.count_ones()));
                    seen |= last;
                }
            }
            visit(v, word & mask);
        }
    }
}

/// Splits a cell into those that are not `hit`, and those that are.
#[inline]
fn split_in_two(
    cells: &mut Cells,
    cell: usize,
    hit: Set,
    active: &mut Set,
    place: u64,
    trace: &mut impl Trace,
) -> bool {
    let size_of_hit = size(hit);
    let rest = cells.sets[cell] & !hit;
    if rest != 0 {
        let kept = size(rest);
        let at = cell + kept as usize;
        cells.shrink(cell, rest);
        cells.cut(at, hit);
        let smaller = if *active >> cell & 1 == 1 || size_of_hit <= kept { at } else { cell };
        *active |= 1 << smaller;
    }
    trace.note(place | u64::from(size_of_hit) << 32)
}
