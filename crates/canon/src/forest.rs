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
use crate::mixing::{link, mix, spread};
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
    /// The words of subtrees, where the forest is given by parents.
    words: Vec<u64>,
    /// `(parent, label of the link)`; roots have the parent `n`.
    links: Vec<(u32, u32)>,
    /// The row of each atom, and of the roots at `n`.
    rows: Vec<Row>,
    /// The word of the child's subtree, with the atom in the low bits. The bit above the atom is
    /// left out of the word: it tells apart neighbours whose words collide.
    children: Vec<u64>,
    /// The bits that hold the atom.
    low: u64,
    /// Children before parents, when atoms are not numbered that way.
    upward: Vec<u32>,
    waiting: Vec<u32>,
    row: Vec<u64>,
    pairs: Vec<(u32, u32)>,
    keys: Vec<u64>,
}

impl Forest {
    /// Labels `s` if its pairs are the links of a forest; `false` if they are not. `words` holds
    /// the words of colours and unary tuples, and one more for the roots. Leaves the canonical
    /// order in `order`.
    pub(crate) fn label(
        &mut self,
        s: &Structure,
        words: &mut [u64],
        mask: u64,
        by_colour: bool,
        unary: &mut Unary,
        order: &mut Vec<u32>,
    ) -> bool {
        let n = s.len();
        if s.arcs.len() >= n || !s.wide.is_empty() || !self.link(s) {
            return false;
        }
        self.children.resize(n, 0);
        self.low = u64::MAX >> n.leading_zeros();
        unary.reset();
        let numbered_downward = self.waiting.is_empty();
        let (keep, words) = (!(self.low << 1 | 1), &mut words[..=n]);
        for i in (0..n).rev() {
            let v = if numbered_downward { i } else { self.upward[n - 1 - i] as usize };
            if self.rows[v].count > 1 {
                self.sort_row(s, v, unary);
            }
            let (links, rows) = (&self.links[..n], &mut self.rows[..=n]);
            let (parent, label) = links[v];
            let parent = parent as usize;
            let word = mix(words[v].wrapping_add(link(label))) & mask;
            words[parent] = words[parent].wrapping_add(word);
            rows[parent].start -= 1;
            let place = rows[parent].start as usize;
            self.children[..n][place] = word.rotate_right(32) & keep | v as u64;
        }
        self.sort_row(s, n, unary);
        self.write(order);
        if by_colour {
            self.sort_by_colour(s, order);
        }
        true
    }

    /// Labels the forest in which `parents[v]` is the parent of `v`, or `n` for roots, and all else
    /// that is known of an atom is its colour. `false` if there is a cycle.
    pub(crate) fn label_rooted(
        &mut self,
        colours: &[u32],
        parents: &[u32],
        mask: u64,
        order: &mut Vec<u32>,
    ) -> bool {
        let n = colours.len();
        self.low = u64::MAX.checked_shr(n.leading_zeros()).unwrap_or(0);
        self.make_rows(parents);
        self.words.clear();
        self.words.resize(n + 1, 0);
        self.children.resize(n, 0);
        // Leaves first, and then whoever has all children in its row.
        order.clear();
        order.extend((0..n as u32).filter(|&v| self.rows[v as usize].count == 0));
        let keep = !(self.low << 1 | 1);
        let mut head = 0;
        while head < order.len() {
            let v = order[head] as usize;
            head += 1;
            if self.rows[v].count > 1 {
                self.sort_children(colours, v);
            }
            let word = mix(spread(colours[v]).wrapping_add(self.words[v])) & mask;
            let parent = parents[v] as usize;
            self.words[parent] = self.words[parent].wrapping_add(mix(word));
            let row = &mut self.rows[parent];
            row.start -= 1;
            self.children[row.start as usize] = word.rotate_right(32) & keep | v as u64;
            self.waiting[parent] -= 1;
            if self.waiting[parent] == 0 && parent < n {
                order.push(parent as u32);
            }
        }
        if head < n {
            return false;
        }
        self.sort_children(colours, n);
        self.write(order);
        true
    }

    /// Makes room for the children of each atom; rows are filled from their ends.
    fn make_rows(&mut self, parents: &[u32]) {
        let n = parents.len();
        self.rows.clear();
        self.rows.resize(n + 1, Row::default());
        for &parent in parents {
            self.rows[parent as usize].count += 1;
        }
        self.waiting.clear();
        let mut sum = 0;
        for row in &mut self.rows {
            self.waiting.push(row.count);
            sum += row.count;
            row.start = sum;
        }
    }

    /// Sorts the children of `v`, whose own children are sorted. Afterwards neighbours with equal
    /// words have isomorphic subtrees.
    fn sort_children(&mut self, colours: &[u32], v: usize) {
        let Row { start, count } = self.rows[v];
        let (from, to) = (start as usize, (start + count) as usize);
        sort_words(&mut self.children[from..to]);
        for i in from + 1..to {
            if self.is_tied(i) && self.compare_rooted(colours, i) != Ordering::Equal {
                return self.sort_collided_rooted(colours, from, to);
            }
        }
    }

    #[inline]
    fn compare_rooted(&mut self, colours: &[u32], i: usize) -> Ordering {
        let (a, b) = (self.child(i - 1), self.child(i));
        if self.rows[a as usize].count | self.rows[b as usize].count == 0 {
            return colours[a as usize].cmp(&colours[b as usize]);
        }
        self.compare_trees_by(a, b, |x, y| colours[x].cmp(&colours[y]))
    }

    #[cold]
    fn sort_collided_rooted(&mut self, colours: &[u32], from: usize, to: usize) {
        self.sort_collided_by(from, to, |forest, a, b| {
            forest.compare_trees_by(a, b, |x, y| colours[x].cmp(&colours[y]))
        });
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
        let (rows, links) = (&mut self.rows[..=n], &mut self.links[..n]);
        let downward = s.arcs.iter().all(|&(label, u, v)| {
            numbered_downward &= u < v;
            rows[u as usize].count += 1;
            std::mem::replace(&mut links[v as usize], (u, label)).0 == root
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

    /// Whether the children at two neighbouring places have equal words.
    #[inline]
    fn is_tied(&self, at: usize) -> bool {
        (self.children[at - 1] ^ self.children[at]) & !self.low == 0
    }

    /// Sorts the children of `v`, whose own children are sorted. Afterwards neighbours with equal
    /// words have isomorphic subtrees.
    fn sort_row(&mut self, s: &Structure, v: usize, unary: &mut Unary) {
        let Row { start, count } = self.rows[v];
        let (from, to) = (start as usize, (start + count) as usize);
        sort_words(&mut self.children[from..to]);
        for i in from + 1..to {
            if self.is_tied(i) && self.compare(s, unary, i - 1, i) != Ordering::Equal {
                return self.sort_collided(s, from, to, unary);
            }
        }
    }

    #[cold]
    fn sort_collided(&mut self, s: &Structure, from: usize, to: usize, unary: &mut Unary) {
        self.sort_collided_by(from, to, |forest, a, b| forest.compare_trees(s, unary, a, b));
    }

    /// Sorts children with equal words by all that is below them, and makes their words differ
    /// where this does.
    fn sort_collided_by(
        &mut self,
        from: usize,
        to: usize,
        mut compare: impl FnMut(&mut Self, u32, u32) -> Ordering,
    ) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend_from_slice(&self.children[from..to]);
        let low = self.low;
        let atom = |child: u64| (child & low) as u32;
        for run in row.chunk_by_mut(|a, b| (a ^ b) & !low == 0) {
            run.sort_unstable_by(|&a, &b| compare(self, atom(a), atom(b)));
            let mut differs = false;
            for i in 1..run.len() {
                let (a, b) = (atom(run[i - 1]), atom(run[i]));
                differs ^= compare(self, a, b) != Ordering::Equal;
                run[i] |= u64::from(differs) * (low + 1);
            }
        }
        self.children[from..to].copy_from_slice(&row);
        self.row = row;
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
        let links = std::mem::take(&mut self.links);
        let order = self.compare_trees_by(a, b, |x, y| {
            (s.colours[x], links[x].1)
                .cmp(&(s.colours[y], links[y].1))
                .then_with(|| unary.compare(s, x as u32, y as u32))
        });
        self.links = links;
        order
    }

    /// Orders two subtrees by what `compare` sees of their atoms, and by shape, top-down.
    fn compare_trees_by(
        &mut self,
        a: u32,
        b: u32,
        mut compare: impl FnMut(usize, usize) -> Ordering,
    ) -> Ordering {
        self.pairs.clear();
        self.pairs.push((a, b));
        while let Some((a, b)) = self.pairs.pop() {
            let (x, y) = (a as usize, b as usize);
            let (p, q) = (self.rows[x], self.rows[y]);
            let order = p.count.cmp(&q.count).then_with(|| compare(x, y));
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

    /// Writes the atoms level by level.
    fn write(&mut self, order: &mut Vec<u32>) {
        let n = self.rows.len() - 1;
        order.resize(n, 0);
        let (rows, children) = (&self.rows[..=n], &self.children[..n]);
        let low = self.low;
        let (mut tail, mut above) = (0, n);
        for head in 0..=n {
            let Row { start, count } = rows[above];
            if count > 0 {
                let row = &children[start as usize..(start + count) as usize];
                for (place, &child) in order[tail..].iter_mut().zip(row) {
                    *place = (child & low) as u32;
                }
                tail += row.len();
            }
            let Some(&next) = order.get(head) else { break };
            above = next as usize;
        }
    }

    /// Brings colours together.
    fn sort_by_colour(&mut self, s: &Structure, order: &mut [u32]) {
        let colour = |a: u32| s.colours[a as usize];
        if order.is_sorted_by_key(|&a| colour(a)) {
            return;
        }
        self.keys.clear();
        let keyed = order.iter().enumerate();
        self.keys.extend(keyed.map(|(i, &a)| u64::from(colour(a)) << 32 | i as u64));
        self.keys.sort_unstable();
        self.upward.clear();
        self.upward.extend(self.keys.iter().map(|&key| order[key as u32 as usize]));
        order.copy_from_slice(&self.upward);
    }

    /// Calls `visit` for neighbouring siblings with isomorphic subtrees: how many siblings there
    /// are so far that are alike, and the two.
    fn for_each_tie(&self, mut visit: impl FnMut(u32, u32, u32)) {
        for &Row { start, count } in &self.rows {
            let mut alike = 1;
            for i in start as usize + 1..(start + count) as usize {
                alike = if self.is_tied(i) { alike + 1 } else { 1 };
                if alike > 1 {
                    visit(alike, self.child(i - 1), self.child(i));
                }
            }
        }
    }

    /// The factors of the order of the group.
    pub(crate) fn factors(&self) -> Vec<u32> {
        let mut factors = Vec::new();
        self.for_each_tie(|alike, _, _| factors.push(alike));
        factors
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
                    let child = |row: Row| self.child((row.start + i) as usize);
                    moves.extend([(child(p), child(q)), (child(q), child(p))]);
                }
            }
            visit(&moves);
        });
    }
}
