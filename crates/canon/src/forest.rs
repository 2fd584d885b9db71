//! Forests, labelled without refinement.
//!
//! Sorting children bottom-up decides everything (Aho, Hopcroft and Ullman 1974). Children are
//! sorted by a *key* that sums up their subtree. Siblings with equal keys are compared in full, and
//! sorted in full where they differ, so ties are exact: tied subtrees are isomorphic, and the group
//! is made by exchanging them. The canonical order goes level by level. A tied subtree is compared
//! with one of its own size, so the cost is O(n log n).
//!
//! The children of an atom have a row of places, their number rounded up to whole blocks. A row is
//! sorted and written by blocks: what is beyond its children is filled with a key above all others.
//! So small rows, which most are, take the same instructions whatever their length.

mod linked;

use std::cmp::Ordering;

use crate::few::{sort_eight, sort_four, sort_words};
use crate::mixing::{mix, spread};

/// Rows have room for a multiple of this.
const BLOCK: usize = 4;
/// The bits of a key that hold the atom.
const ATOM: u64 = (1 << 30) - 1;
/// Tells apart neighbours whose keys are equal and whose subtrees are not.
const COLLIDED: u64 = 1 << 30;
/// Says that equal keys need not mean isomorphic subtrees.
const HASHED: u64 = 1 << 31;
/// Above all keys of atoms.
const BEYOND: u64 = !HASHED;

/// What is known of atoms beside their codes and parents.
pub(crate) trait Others {
    /// Whether there is nothing else.
    const NOTHING: bool;

    /// Orders two atoms by it.
    fn compare(&mut self, a: usize, b: usize) -> Ordering;
}

/// Codes and parents are all there is.
pub(crate) struct Nothing;

impl Others for Nothing {
    const NOTHING: bool = true;

    fn compare(&mut self, _: usize, _: usize) -> Ordering {
        Ordering::Equal
    }
}

/// An atom, and the row of its children: `children[start..start + count]`.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// The words of the subtrees of the children, added up.
    sum: u64,
    start: u32,
    count: u32,
    /// The number of children that are not yet there.
    waiting: u32,
    parent: u32,
    code: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Forest {
    /// The row of each atom, and of the roots at `n`.
    rows: Vec<Row>,
    children: Vec<u64>,
    /// For each position one more than that of the parent, 0 for roots; and the code.
    written: Vec<(u32, u32)>,
    collided: Vec<u64>,
    pairs: Vec<(u32, u32)>,
    links: linked::Links,
}

impl Forest {
    /// Labels the forest of atoms with these codes and parents, which for roots is the number of
    /// atoms. `false` if there is a cycle. Leaves the canonical order at the front of `order`, and
    /// the positions at that of `position`.
    pub(crate) fn label(
        &mut self,
        atoms: impl ExactSizeIterator<Item = (u32, u32)>,
        others: &mut impl Others,
        mask: u64,
        order: &mut Vec<u32>,
        position: &mut Vec<u32>,
    ) -> bool {
        let n = atoms.len();
        if order.len().min(position.len()).min(self.written.len()) < n + BLOCK {
            order.resize(n + BLOCK, 0);
            position.resize(n + BLOCK, 0);
            self.written.resize(n + BLOCK, (0, 0));
        }
        let (order, position) = (&mut order[..n + BLOCK], &mut position[..n]);
        let leaves = self.make_rows(atoms, order);
        let is_forest = self.sort(others, mask, order, leaves);
        if is_forest {
            self.write(order, position);
        }
        is_forest
    }

    /// Makes room for the children of each atom. Writes the leaves to `queue`, and gives their number.
    fn make_rows(
        &mut self,
        atoms: impl ExactSizeIterator<Item = (u32, u32)>,
        queue: &mut [u32],
    ) -> usize {
        let n = atoms.len();
        assert!(n < ATOM as usize, "fewer than 2³⁰ atoms");
        self.rows.clear();
        self.rows.resize(n + 1, Row::default());
        let rows = &mut self.rows[..=n];
        for (v, (code, parent)) in atoms.take(n).enumerate() {
            rows[v].code = code;
            rows[v].parent = parent;
            rows[parent as usize].count += 1;
        }
        let (mut start, mut leaves) = (0, 0);
        for (v, row) in rows.iter_mut().enumerate() {
            row.start = start;
            row.waiting = row.count;
            start += row.count.next_multiple_of(BLOCK as u32);
            queue[leaves] = v as u32;
            leaves += usize::from(row.count == 0);
        }
        // Another block, because writing reads one even where there is no child.
        self.children.clear();
        self.children.resize(start as usize + BLOCK, BEYOND);
        // The row of the roots came last; that it is empty does not make it a leaf.
        leaves - usize::from(self.rows[n].count == 0)
    }

    /// Fills and sorts the rows, from the leaves that are in the `queue` upward; `false` if there is
    /// a cycle.
    fn sort<O: Others>(
        &mut self,
        others: &mut O,
        mask: u64,
        queue: &mut [u32],
        leaves: usize,
    ) -> bool {
        let n = self.rows.len() - 1;
        let hashed = if O::NOTHING { 0 } else { HASHED };
        let mut tail = leaves;
        for head in 0..leaves {
            let v = queue[head];
            let Row { code, parent, .. } = self.rows[v as usize];
            let key = u64::from(code) << 32 | hashed | u64::from(v);
            let is_last = self.place(parent, key, mix(spread(code)) & mask);
            queue[tail] = parent;
            tail += usize::from(is_last);
        }
        let mut head = leaves;
        while head < tail {
            let v = queue[head];
            head += 1;
            let Row { code, parent, sum, count, .. } = self.rows[v as usize];
            if count > 1 {
                self.sort_row(others, v as usize);
            }
            if v as usize == n {
                break;
            }
            let word = mix(spread(code).wrapping_add(sum)) & mask;
            let is_last = self.place(parent, word << 32 | HASHED | u64::from(v), word);
            queue[tail] = parent;
            tail += usize::from(is_last);
        }
        head == n + usize::from(n > 0)
    }

    /// Places an atom in the row of its parent; says whether it is the last one there.
    #[inline(always)]
    fn place(&mut self, parent: u32, key: u64, word: u64) -> bool {
        let row = &mut self.rows[parent as usize];
        row.sum = row.sum.wrapping_add(word);
        row.waiting -= 1;
        self.children[(row.start + row.waiting) as usize] = key;
        row.waiting == 0
    }

    /// Sorts the children of `v`, whose own children are sorted. Afterwards neighbours with equal
    /// keys have isomorphic subtrees.
    #[inline]
    fn sort_row(&mut self, others: &mut impl Others, v: usize) {
        let Row { start, count, .. } = self.rows[v];
        let (from, to) = (start as usize, (start + count) as usize);
        let row = &mut self.children[from..];
        let may_collide = if count as usize <= BLOCK {
            sort_and_check(row.first_chunk_mut().expect("a block"), sort_four)
        } else if count as usize <= 2 * BLOCK {
            sort_and_check(row.first_chunk_mut().expect("two blocks"), sort_eight)
        } else {
            sort_words(&mut row[..count as usize]);
            true
        };
        if may_collide {
            self.settle_row(others, from, to);
        }
    }

    /// Compares sorted children with equal keys.
    fn settle_row(&mut self, others: &mut impl Others, from: usize, to: usize) {
        for i in from + 1..to {
            let (a, b) = (self.children[i - 1], self.children[i]);
            if (a ^ b) <= ATOM && a & HASHED > 0 && self.compare(others, a, b).is_ne() {
                return self.sort_collided(others, from, to);
            }
        }
    }

    /// Sorts children with equal keys by all that is below them, and makes their keys differ where
    /// this does.
    #[cold]
    fn sort_collided(&mut self, others: &mut impl Others, from: usize, to: usize) {
        let mut row = std::mem::take(&mut self.collided);
        row.clear();
        row.extend_from_slice(&self.children[from..to]);
        for run in row.chunk_by_mut(|a, b| (a ^ b) <= ATOM) {
            run.sort_unstable_by(|&a, &b| self.compare(others, a, b));
            let mut differs = false;
            for i in 1..run.len() {
                differs ^= self.compare(others, run[i - 1], run[i]) != Ordering::Equal;
                run[i] |= if differs { COLLIDED } else { 0 };
            }
        }
        self.children[from..to].copy_from_slice(&row);
        self.collided = row;
    }

    /// Orders two subtrees with sorted rows by what is known of their atoms, and by shape, top-down. Those
    /// that are equal are isomorphic.
    fn compare(&mut self, others: &mut impl Others, a: u64, b: u64) -> Ordering {
        self.pairs.clear();
        self.pairs.push((atom(a), atom(b)));
        while let Some((a, b)) = self.pairs.pop() {
            let (x, y) = (a as usize, b as usize);
            let (p, q) = (self.rows[x], self.rows[y]);
            let order = (p.count, p.code).cmp(&(q.count, q.code));
            let order = order.then_with(|| others.compare(x, y));
            if order != Ordering::Equal {
                return order;
            }
            let row = |row: Row| &self.children[row.start as usize..][..row.count as usize];
            for (&a, &b) in row(p).iter().zip(row(q)) {
                let (a, b) = (a & !COLLIDED, b & !COLLIDED);
                if (a ^ b) > ATOM {
                    return a.cmp(&b);
                }
                if a & HASHED > 0 {
                    self.pairs.push((atom(a), atom(b)));
                }
            }
        }
        Ordering::Equal
    }

    /// For each position one more than that of the parent, 0 for roots; and the code.
    pub(crate) fn written(&self) -> &[(u32, u32)] {
        &self.written[..self.rows.len() - 1]
    }

    /// Writes the atoms level by level.
    fn write(&mut self, order: &mut [u32], position: &mut [u32]) {
        let Forest { rows, children, written, .. } = self;
        let n = rows.len() - 1;
        let (order, written) = (&mut order[..n + BLOCK], &mut written[..n + BLOCK]);
        let (mut tail, mut next) = (0, n);
        for head in 0..n {
            let Row { start, count, .. } = rows[next];
            let (start, count) = (start as usize, count as usize);
            let block = children[start..start + BLOCK].first_chunk::<BLOCK>().expect("a block");
            order[tail..tail + BLOCK].copy_from_slice(&block.map(atom));
            written[tail..tail + BLOCK].copy_from_slice(&[(head as u32, 0); BLOCK]);
            if count > BLOCK {
                let to = (&mut order[tail..tail + count], &mut written[tail..tail + count]);
                write_row(&children[start..start + count], head as u32, to.0, to.1);
            }
            tail += count;
            next = order[head] as usize;
            position[next] = head as u32;
            written[head].1 = rows[next].code;
        }
    }

    /// Calls `visit` for neighbouring siblings with isomorphic subtrees: how many siblings there
    /// are so far that are alike, and the two.
    fn for_each_tie(&self, mut visit: impl FnMut(u32, u32, u32)) {
        for row in &self.rows {
            let mut alike = 1;
            for pair in self.children[row.start as usize..][..row.count as usize].windows(2) {
                alike = if (pair[0] ^ pair[1]) <= ATOM { alike + 1 } else { 1 };
                if alike > 1 {
                    visit(alike, atom(pair[0]), atom(pair[1]));
                }
            }
        }
    }

    /// Calls `visit` with each factor of the order of the group.
    pub(crate) fn for_each_factor(&self, mut visit: impl FnMut(u32)) {
        self.for_each_tie(|alike, _, _| visit(alike));
    }

    /// Calls `visit` for each generator of the group with the atoms it moves, and where to.
    pub(crate) fn for_each_generator(&self, mut visit: impl FnMut(&[(u32, u32)])) {
        let mut moves = Vec::new();
        self.for_each_tie(|_, a, b| {
            moves.clear();
            moves.extend([(a, b), (b, a)]);
            let mut head = 0;
            while head < moves.len() {
                let (a, b) = moves[head];
                head += 2;
                let (p, q) = (self.rows[a as usize], self.rows[b as usize]);
                for i in 0..p.count {
                    let child = |row: Row| atom(self.children[(row.start + i) as usize]);
                    moves.extend([(child(p), child(q)), (child(q), child(p))]);
                }
            }
            visit(&moves);
        });
    }
}

/// Sorts keys, and says whether neighbours may have equal keys and subtrees that are not isomorphic.
#[inline(always)]
fn sort_and_check<const N: usize>(row: &mut [u64; N], sort: impl Fn([u64; N]) -> [u64; N]) -> bool {
    *row = sort(*row);
    let tied = |pair: &[u64]| (pair[0] ^ pair[1]) <= ATOM && pair[0] & HASHED > 0;
    row.windows(2).fold(false, |any, pair| any | tied(pair))
}

/// The atom of a key.
#[inline]
fn atom(key: u64) -> u32 {
    (key & ATOM) as u32
}

#[inline(never)]
fn write_row(children: &[u64], head: u32, order: &mut [u32], written: &mut [(u32, u32)]) {
    order.iter_mut().zip(children).for_each(|(place, &child)| *place = atom(child));
    written.fill((head, 0));
}
