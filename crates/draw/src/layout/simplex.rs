//! Integer ranks with the smallest total length of edges, by the network simplex method.
//!
//! Given constraints `rank(head) − rank(tail) ≥ length`, each with a weight, find integer ranks
//! that minimise Σ weight · (rank(head) − rank(tail)). The method is section 2.3 of Gansner,
//! Koutsofios, North and Vo, *A technique for drawing directed graphs*, IEEE Trans. Software Eng.
//! 19(3), 1993: a spanning tree of tight constraints is improved by exchanging one of its edges for
//! another.
//!
//! We deviate in what is kept of the tree: for each node the edge towards the root, and the
//! surplus of the subtree that hangs on it, the weights that leave its nodes less those that enter
//! them. This is the cut value of that edge, up to its direction. An exchange hangs one subtree
//! elsewhere; surpluses change only on the ways from its old and its new place to the root, and on
//! the way within it from the new edge to the old one.
//!
//! Cost: that of the subtree and of these ways for an exchange. The number of exchanges is small in
//! practice but has no good bound; it is limited, and the ranks are valid wherever the method stops.

use super::acyclic::longest_paths;

/// `rank(head) − rank(tail) ≥ length`, at a price of `weight` for each unit of `rank(head) −
/// rank(tail)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Constraint {
    pub tail: usize,
    pub head: usize,
    pub length: i64,
    pub weight: i64,
}

impl Constraint {
    fn other_end(&self, node: usize) -> usize {
        self.tail + self.head - node
    }
}

/// Nodes looked at in all exchanges together, about.
const BUDGET: usize = 40_000_000;
/// Of this many tree edges that could be exchanged, the one that gains most is.
const SEARCHED: usize = 30;

/// Ranks, the smallest being 0. The constraints must have no cycle and connect all nodes. Nodes that
/// are `centred`, and could be at several ranks at the same price, are in the middle of these.
pub(super) fn ranks(
    count: usize,
    constraints: &[Constraint],
    centred: impl Fn(usize) -> bool,
) -> Vec<i64> {
    if count == 0 {
        return Vec::new();
    }
    let mut simplex = Simplex::new(count, constraints);
    simplex.grow_tight_tree();
    let mut looked_at = 0;
    while looked_at < BUDGET
        && let Some(top) = simplex.leaving()
    {
        looked_at += simplex.exchange(top);
    }
    (1..count).filter(|&node| centred(node)).for_each(|node| simplex.centre(node, &centred));
    let low = simplex.rank.iter().copied().min().unwrap_or(0);
    simplex.rank.iter_mut().for_each(|rank| *rank -= low);
    simplex.rank
}

struct Simplex<'a> {
    constraints: &'a [Constraint],
    /// For each node the constraints it is in.
    around: Vec<Vec<usize>>,
    rank: Vec<i64>,
    /// For each node but the root, which is 0, the tree edge towards the root.
    above: Vec<usize>,
    /// For each node the weights that leave its subtree less those that enter it.
    surplus: Vec<i64>,
    /// The nodes of the subtree that is looked at, and for each node whether it is one of them.
    subtree: Vec<usize>,
    inside: Vec<bool>,
    /// Where the search for an edge to exchange begins.
    next: usize,
}

/// What can take the place of a tree edge: how far the subtree must be moved for it to be tight.
struct Entering {
    edge: usize,
    inner: usize,
    shift: i64,
}

impl<'a> Simplex<'a> {
    fn new(count: usize, constraints: &'a [Constraint]) -> Self {
        let mut around = vec![Vec::new(); count];
        let mut surplus = vec![0; count];
        for (at, constraint) in constraints.iter().enumerate() {
            around[constraint.tail].push(at);
            around[constraint.head].push(at);
            surplus[constraint.tail] += constraint.weight;
            surplus[constraint.head] -= constraint.weight;
        }
        let links: Vec<_> = constraints.iter().map(|c| (c.tail, c.head, c.length)).collect();
        let mut rank = longest_paths(count, &links).unwrap_or_default();
        // What nothing enters comes close to what it leads to.
        for (node, around) in around.iter().enumerate() {
            let around = || around.iter().map(|&at| constraints[at]);
            if around().all(|c| c.tail == node) {
                rank[node] = around().map(|c| rank[c.head] - c.length).min().unwrap_or(0);
            }
        }
        Self {
            constraints,
            around,
            rank,
            above: vec![usize::MAX; count],
            surplus,
            subtree: Vec::new(),
            inside: vec![false; count],
            next: 0,
        }
    }

    fn slack(&self, at: usize) -> i64 {
        let c = self.constraints[at];
        self.rank[c.head] - self.rank[c.tail] - c.length
    }

    /// Makes the tree: grown from node 0 along tight constraints; where there are none, the tree is
    /// shifted until one becomes tight.
    fn grow_tight_tree(&mut self) {
        let mut members = vec![0];
        self.inside[0] = true;
        let mut at = 0;
        loop {
            while let Some(&node) = members.get(at) {
                at += 1;
                for &edge in &self.around[node] {
                    let other = self.constraints[edge].other_end(node);
                    if !self.inside[other] && self.slack(edge) == 0 {
                        self.inside[other] = true;
                        self.above[other] = edge;
                        members.push(other);
                    }
                }
            }
            let leaving = |edge: &usize| {
                let c = self.constraints[*edge];
                self.inside[c.tail] != self.inside[c.head]
            };
            let nearest =
                (0..self.constraints.len()).filter(leaving).min_by_key(|&e| self.slack(e));
            let Some(edge) = nearest else { break };
            let slack = self.slack(edge);
            let shift = if self.inside[self.constraints[edge].tail] { slack } else { -slack };
            members.iter().for_each(|&node| self.rank[node] += shift);
            // The constraint is tight now; it is found again from its end in the tree.
            at = 0;
        }
        self.inside.fill(false);
        for &node in members[1..].iter().rev() {
            let parent = self.constraints[self.above[node]].other_end(node);
            self.surplus[parent] += self.surplus[node];
        }
    }

    /// The cut value of the tree edge above a node.
    fn cut(&self, node: usize) -> i64 {
        let Some(c) = self.constraints.get(self.above[node]) else { return 0 };
        if c.tail == node { self.surplus[node] } else { -self.surplus[node] }
    }

    /// A node above which the tree edge has a negative cut value; `None` if the ranks are optimal.
    fn leaving(&mut self) -> Option<usize> {
        let nodes = (self.next..self.rank.len()).chain(0..self.next);
        let gaining = nodes.filter(|&node| self.cut(node) < 0).take(SEARCHED);
        let top = gaining.min_by_key(|&node| self.cut(node))?;
        self.next = top;
        Some(top)
    }

    /// The tightest constraint that crosses the cut above `top` the other way. The subtree is in
    /// `subtree` afterwards.
    fn entering(&mut self, top: usize) -> Option<Entering> {
        self.subtree.clear();
        self.subtree.push(top);
        let mut at = 0;
        while let Some(&node) = self.subtree.get(at) {
            at += 1;
            self.inside[node] = true;
            for &edge in &self.around[node] {
                let other = self.constraints[edge].other_end(node);
                if self.above[other] == edge {
                    self.subtree.push(other);
                }
            }
        }
        let upwards = self.constraints[self.above[top]].tail == top;
        let mut nearest: Option<(i64, usize, usize)> = None;
        for &inner in &self.subtree {
            for &edge in &self.around[inner] {
                let c = self.constraints[edge];
                let (enters, other) = (c.head == inner, c.other_end(inner));
                if enters == upwards && !self.inside[other] {
                    let slack = self.slack(edge);
                    if nearest.is_none_or(|(least, ..)| slack < least) {
                        nearest = Some((slack, edge, inner));
                    }
                }
            }
        }
        self.subtree.iter().for_each(|&node| self.inside[node] = false);
        let (slack, edge, inner) = nearest?;
        Some(Entering { edge, inner, shift: if upwards { -slack } else { slack } })
    }

    /// Exchanges the tree edge above `top`; returns how many nodes were looked at.
    fn exchange(&mut self, top: usize) -> usize {
        let Some(Entering { edge, inner, shift }) = self.entering(top) else { return BUDGET };
        self.subtree.iter().for_each(|&node| self.rank[node] += shift);
        let total = self.surplus[top];
        let old_place = self.constraints[self.above[top]].other_end(top);
        let new_place = self.constraints[edge].other_end(inner);
        let ways = self.add_above(old_place, -total) + self.add_above(new_place, total);
        // The way from the new edge to the old one is turned round.
        let (mut node, mut above, mut surplus) = (inner, edge, total);
        loop {
            let old_above = std::mem::replace(&mut self.above[node], above);
            let old_surplus = std::mem::replace(&mut self.surplus[node], surplus);
            if node == top {
                return self.subtree.len() + ways;
            }
            node = self.constraints[old_above].other_end(node);
            (above, surplus) = (old_above, total - old_surplus);
        }
    }

    /// Adds to the surplus of all nodes from one to the root; returns how many they are.
    fn add_above(&mut self, mut node: usize, surplus: i64) -> usize {
        for count in 1.. {
            self.surplus[node] += surplus;
            match self.constraints.get(self.above[node]) {
                Some(c) => node = c.other_end(node),
                None => return count,
            }
        }
        0
    }

    /// Moves a subtree that can be moved at no price by half of what there is room for.
    fn centre(&mut self, top: usize, centred: impl Fn(usize) -> bool) {
        if self.cut(top) == 0
            && let Some(Entering { shift, .. }) = self.entering(top)
            && self.subtree.iter().all(|&node| centred(node))
        {
            self.subtree.iter().for_each(|&node| self.rank[node] += shift / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::*;

    fn price(constraints: &[Constraint], rank: &[i64]) -> i64 {
        constraints.iter().map(|c| c.weight * (rank[c.head] - rank[c.tail])).sum()
    }

    /// The smallest price by trying all ranks below `limit`.
    fn best_price(count: usize, constraints: &[Constraint], limit: i64) -> i64 {
        let mut rank = vec![0; count];
        let mut best = i64::MAX;
        loop {
            if constraints.iter().all(|c| rank[c.head] - rank[c.tail] >= c.length) {
                best = best.min(price(constraints, &rank));
            }
            let Some(at) = rank.iter().position(|&r| r + 1 < limit) else { return best };
            rank[at] += 1;
            rank[..at].fill(0);
        }
    }

    #[test]
    fn prices_are_as_small_as_brute_force_finds() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(4);
            let mut constraints = Vec::new();
            for head in 1..count {
                // A tree that connects all, and some more.
                for tail in std::iter::once(random.below(head))
                    .chain((0..head).filter(|_| random.below(3) == 0).collect::<Vec<_>>())
                {
                    constraints.push(Constraint {
                        tail,
                        head,
                        length: random.below(3) as i64,
                        weight: random.below(4) as i64,
                    });
                }
            }
            let found = ranks(count, &constraints, |_| false);
            assert!(
                constraints.iter().all(|c| found[c.head] - found[c.tail] >= c.length),
                "seed {seed}: a constraint is broken"
            );
            let limit = 2 * count as i64 - 1;
            assert_eq!(
                price(&constraints, &found),
                best_price(count, &constraints, limit),
                "seed {seed}"
            );
        }
    }
}
