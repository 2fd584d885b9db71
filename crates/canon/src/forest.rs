//! Structures whose pairs are the parent links of a forest: labelled without refinement.
//!
//! If every atom is the head of at most one pair (or every atom the tail of at most one), there
//! is no cycle and no wider tuple, then sorting children bottom-up decides everything (Aho,
//! Hopcroft and Ullman 1974). Children are sorted by a word that sums up their subtree. Siblings
//! with equal words are compared in full, and sorted in full where they differ, so ties are
//! exact: tied subtrees are isomorphic, and the group is made by exchanging them. The canonical
//! order goes level by level, then colours are brought together. A tied subtree is compared with
//! one of its own size, so the cost is O(n log n).

use std::cmp::Ordering;

use crate::few::sort_words;
use crate::mixing::{link, mix};
use crate::structure::Structure;
use crate::unary::Unary;

/// The children of an atom: `children[start..start + count]`.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    start: u32,
    count: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Forest {
    /// `(parent, label of the link)`; roots have the parent `n`.
    links: Vec<(u32, u32)>,
    /// The row of each atom, and of the roots at `n`.
    rows: Vec<Row>,
    /// The word of the child's subtree, with the atom in the low bits.
    children: Vec<u64>,
    /// The bits that hold the atom.
    low: u64,
    /// Children before parents, when atoms are not numbered that way.
    upward: Vec<u32>,
    waiting: Vec<u32>,
    /// Neighbouring siblings whose subtrees are isomorphic.
    ties: Vec<(u32, u32)>,
    run: Vec<u64>,
    pairs: Vec<(u32, u32)>,
    keys: Vec<u64>,
}

impl Forest {
    /// Labels `s` if its pairs are the links of a forest; `false` if they are not. `words` holds
    /// the words of colours and unary tuples, and one more for the roots. Leaves the canonical order in `order`
    /// and the factors of the order of the group in `factors`.
    pub(crate) fn label(
        &mut self,
        s: &Structure,
        words: &mut [u64],
        mask: u64,
        unary: &mut Unary,
        order: &mut Vec<u32>,
        factors: &mut Vec<u32>,
    ) -> bool {
        let n = s.len();
        if s.arcs.len() >= n || !s.wide.is_empty() || !self.link(s) {
            return false;
        }
        self.ties.clear();
        self.children.resize(n, 0);
        self.low = u64::MAX >> n.leading_zeros();
        unary.reset();
        let numbered_downward = self.waiting.is_empty();
        for i in (0..n).rev() {
            let v = if numbered_downward { i } else { self.upward[n - 1 - i] as usize };
            if self.rows[v].count > 1 {
                self.sort_row(s, v, unary, factors);
            }
            let (parent, label) = self.links[v];
            let word = mix(words[v].wrapping_add(link(label))) & mask;
            words[parent as usize] = words[parent as usize].wrapping_add(word);
            let row = &mut self.rows[parent as usize];
            row.start -= 1;
            self.children[row.start as usize] = word.rotate_right(32) & !self.low | v as u64;
        }
        self.sort_row(s, n, unary, factors);
        self.write(s, order);
        true
    }

    /// Finds the parents and makes room for the rows. `false` unless it is a forest. Leaves
    /// `waiting` empty when atoms are numbered from parents to children, else fills `upward`.
    fn link(&mut self, s: &Structure) -> bool {
        let n = s.len();
        let root = n as u32;
        let mut numbered_downward = true;
        self.waiting.clear();
        self.rows.clear();
        self.rows.resize(n + 1, Row::default());
        self.links.clear();
        self.links.resize(n, (root, 0));
        let downward = s.arcs.iter().all(|&(label, u, v)| {
            numbered_downward &= u < v;
            self.rows[u as usize].count += 1;
            std::mem::replace(&mut self.links[v as usize], (u, label)).0 == root
        });
        if !downward {
            numbered_downward = true;
            self.rows.fill(Row::default());
            self.links.clear();
            self.links.resize(n, (root, 0));
            let upward = s.arcs.iter().all(|&(label, u, v)| {
                numbered_downward &= v < u;
                self.rows[v as usize].count += 1;
                std::mem::replace(&mut self.links[u as usize], (v, label)).0 == root
            });
            if !upward {
                return false;
            }
        }
        self.rows[n].count = (n - s.arcs.len()) as u32;
        if !numbered_downward && !self.sort_upward() {
            return false;
        }
        let mut sum = 0;
        for row in &mut self.rows {
            sum += row.count;
            row.start = sum;
        }
        true
    }

    /// Lists children before their parents; `false` when there is a cycle.
    fn sort_upward(&mut self) -> bool {
        let n = self.links.len();
        self.waiting.extend(self.rows.iter().map(|row| row.count));
        self.upward.clear();
        self.upward.extend((0..n as u32).filter(|&v| self.waiting[v as usize] == 0));
        let mut head = 0;
        while head < self.upward.len() {
            let parent = self.links[self.upward[head] as usize].0;
            head += 1;
            self.waiting[parent as usize] -= 1;
            if self.waiting[parent as usize] == 0 && (parent as usize) < n {
                self.upward.push(parent);
            }
        }
        head == n
    }

    /// The atom at a place of `children`.
    #[inline]
    fn child(&self, at: usize) -> u32 {
        (self.children[at] & self.low) as u32
    }

    /// Sorts the children of `v`, whose own children are sorted, and notes the ties.
    #[inline]
    fn sort_row(&mut self, s: &Structure, v: usize, unary: &mut Unary, factors: &mut Vec<u32>) {
        let Row { start, count } = self.rows[v];
        let (from, to) = (start as usize, (start + count) as usize);
        let row = &mut self.children[from..to];
        sort_words(row);
        let low = self.low;
        let ties = row.windows(2).filter(|w| (w[0] ^ w[1]) & !low == 0).count();
        if ties > 0 {
            self.tie_row(s, from, to, unary, factors);
        }
    }

    /// Compares the children in `from..to` that have equal words.
    fn tie_row(
        &mut self,
        s: &Structure,
        mut from: usize,
        to: usize,
        unary: &mut Unary,
        factors: &mut Vec<u32>,
    ) {
        while from < to {
            let word = self.children[from] & !self.low;
            let row = &self.children[from..to];
            let same = row.iter().take_while(|&child| child & !self.low == word).count();
            let end = from + same;
            let all_alike =
                (from + 1..end).all(|i| self.compare(s, unary, i - 1, i) == Ordering::Equal);
            if !all_alike {
                self.sort_run(s, from, end, unary);
            }
            let mut alike = 1;
            for i in from + 1..end {
                if all_alike || self.compare(s, unary, i - 1, i) == Ordering::Equal {
                    alike += 1;
                    factors.push(alike);
                    self.ties.push((self.child(i - 1), self.child(i)));
                } else {
                    alike = 1;
                }
            }
            from = end;
        }
    }

    /// Sorts children whose words collide by all that is below them.
    fn sort_run(&mut self, s: &Structure, from: usize, to: usize, unary: &mut Unary) {
        let mut run = std::mem::take(&mut self.run);
        run.clear();
        run.extend_from_slice(&self.children[from..to]);
        let low = self.low;
        run.sort_unstable_by(|a, b| {
            self.compare_trees(s, unary, (a & low) as u32, (b & low) as u32)
        });
        self.children[from..to].copy_from_slice(&run);
        self.run = run;
    }

    #[inline]
    fn compare(&mut self, s: &Structure, unary: &mut Unary, i: usize, j: usize) -> Ordering {
        let (a, b) = (self.child(i), self.child(j));
        let (x, y) = (a as usize, b as usize);
        if self.rows[x].count | self.rows[y].count == 0 {
            return (s.colours[x], self.links[x].1)
                .cmp(&(s.colours[y], self.links[y].1))
                .then_with(|| unary.compare(s, a, b));
        }
        self.compare_trees(s, unary, a, b)
    }

    /// Orders two subtrees by colours, links, unary tuples and shape, top-down.
    fn compare_trees(&mut self, s: &Structure, unary: &mut Unary, a: u32, b: u32) -> Ordering {
        self.pairs.clear();
        self.pairs.push((a, b));
        while let Some((a, b)) = self.pairs.pop() {
            let (x, y) = (a as usize, b as usize);
            let (p, q) = (self.rows[x], self.rows[y]);
            let order = (s.colours[x], self.links[x].1, p.count)
                .cmp(&(s.colours[y], self.links[y].1, q.count))
                .then_with(|| unary.compare(s, a, b));
            if order != Ordering::Equal {
                return order;
            }
            for i in (0..p.count).rev() {
                let child = |row: Row| self.child((row.start + i) as usize);
                self.pairs.push((child(p), child(q)));
            }
        }
        Ordering::Equal
    }

    /// Writes the atoms level by level, then brings colours together.
    fn write(&mut self, s: &Structure, order: &mut Vec<u32>) {
        let n = s.len();
        order.resize(n, 0);
        let (mut head, mut tail) = (0, 0);
        let mut above = n;
        let (mut sorted, mut last) = (true, 0);
        loop {
            let Row { start, count } = self.rows[above];
            for &child in &self.children[start as usize..(start + count) as usize] {
                order[tail] = (child & self.low) as u32;
                tail += 1;
            }
            if head == n {
                break;
            }
            above = order[head] as usize;
            head += 1;
            sorted &= last <= s.colours[above];
            last = s.colours[above];
        }
        if sorted {
            return;
        }
        let colour = |a: u32| s.colours[a as usize];
        self.keys.clear();
        let keyed = order.iter().enumerate();
        self.keys.extend(keyed.map(|(i, &a)| u64::from(colour(a)) << 32 | i as u64));
        self.keys.sort_unstable();
        self.upward.clear();
        self.upward.extend(self.keys.iter().map(|&key| order[key as u32 as usize]));
        order.copy_from_slice(&self.upward);
    }

    /// For each generator of the group, the pairs of atoms it exchanges.
    pub(crate) fn generators(&self) -> impl Iterator<Item = Vec<(u32, u32)>> {
        self.ties.iter().map(|&(a, b)| {
            let mut pairs = vec![(a, b)];
            let mut head = 0;
            while head < pairs.len() {
                let (a, b) = pairs[head];
                head += 1;
                let (p, q) = (self.rows[a as usize], self.rows[b as usize]);
                for i in 0..p.count {
                    let child = |row: Row| self.child((row.start + i) as usize);
                    pairs.push((child(p), child(q)));
                }
            }
            pairs
        })
    }
}
