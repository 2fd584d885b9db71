//! Layers with the smallest total length of edges, by the network simplex method.
//!
//! Given constraints `rank(head) − rank(tail) ≥ length`, each with a weight, find integer ranks
//! that minimise Σ weight · (rank(head) − rank(tail)). The method is section 2.3 of Gansner,
//! Koutsofios, North and Vo, *A technique for drawing directed graphs*, IEEE Trans. Software Eng.
//! 19(3), 1993: a spanning tree of tight constraints is improved by exchanging one of its edges for
//! another.
//!
//! We deviate in how cut values are found. With s(v) = Σ weights leaving v − Σ weights entering v,
//! the cut value of the tree edge above a subtree is, up to the edge's direction, the sum of s over
//! the subtree. So all of them cost O(n) anew after each exchange, and nothing has to be kept up to
//! date.
//!
//! Cost: O(n + m) for an exchange. The number of exchanges is small in practice but has no good
//! bound; it is limited, and the ranks are valid wherever the method stops.

use super::acyclic::topological;

/// `rank(head) − rank(tail) ≥ length`, at a price of `weight` for each unit of `rank(head) −
/// rank(tail)`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Constraint {
    pub tail: usize,
    pub head: usize,
    pub length: i64,
    pub weight: i64,
}

/// Constraints looked at in all exchanges together, at most.
const BUDGET: usize = 40_000_000;

/// Ranks, the smallest being 0. The constraints must have no cycle and connect all nodes.
pub(super) fn ranks(count: usize, constraints: &[Constraint]) -> Vec<i64> {
    if count == 0 {
        return Vec::new();
    }
    let mut simplex = Simplex::new(count, constraints);
    simplex.grow_tight_tree();
    for _ in 0..BUDGET / (count + constraints.len()) {
        if !simplex.exchange() {
            break;
        }
    }
    let low = simplex.rank.iter().copied().min().unwrap_or(0);
    simplex.rank.iter_mut().for_each(|rank| *rank -= low);
    simplex.rank
}

struct Simplex<'a> {
    constraints: &'a [Constraint],
    /// For each node the constraints it is in.
    around: Vec<Vec<usize>>,
    /// For each node what leaves it less what enters it.
    surplus: Vec<i64>,
    rank: Vec<i64>,
    in_tree: Vec<bool>,
}

/// The spanning tree hung up at node 0.
struct Hanging {
    /// The nodes, each before those below it; a subtree is a range.
    order: Vec<usize>,
    /// For each node its place in `order`.
    place: Vec<usize>,
    /// For each node the end of its subtree in `order`.
    end: Vec<usize>,
    /// For each node but 0 the tree edge above it.
    above: Vec<usize>,
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
        let mut rank = vec![0; count];
        let ends: Vec<(usize, usize)> = constraints.iter().map(|c| (c.tail, c.head)).collect();
        for node in topological(count, &ends).unwrap_or_default() {
            for constraint in around[node].iter().map(|&at| constraints[at]) {
                if constraint.tail == node {
                    rank[constraint.head] =
                        rank[constraint.head].max(rank[node] + constraint.length);
                }
            }
        }
        Self { constraints, around, surplus, rank, in_tree: vec![false; constraints.len()] }
    }

    fn slack(&self, at: usize) -> i64 {
        let c = self.constraints[at];
        self.rank[c.head] - self.rank[c.tail] - c.length
    }

    /// Makes the tree: grown from node 0 along tight constraints; where there are none, the tree is
    /// shifted until one becomes tight.
    fn grow_tight_tree(&mut self) {
        let mut reached = vec![false; self.rank.len()];
        let mut members = vec![0];
        let mut at = 0;
        reached[0] = true;
        loop {
            while at < members.len() {
                let node = members[at];
                at += 1;
                for index in 0..self.around[node].len() {
                    let edge = self.around[node][index];
                    let c = self.constraints[edge];
                    let other = c.tail + c.head - node;
                    if !reached[other] && self.slack(edge) == 0 {
                        reached[other] = true;
                        self.in_tree[edge] = true;
                        members.push(other);
                    }
                }
            }
            let leaving = |edge: &usize| {
                reached[self.constraints[*edge].tail] != reached[self.constraints[*edge].head]
            };
            let nearest =
                (0..self.constraints.len()).filter(leaving).min_by_key(|&e| self.slack(e));
            let Some(edge) = nearest else { return };
            let slack = self.slack(edge);
            let shift = if reached[self.constraints[edge].tail] { slack } else { -slack };
            members.iter().for_each(|&node| self.rank[node] += shift);
            // The constraint is tight now; it is found again from its end in the tree.
            at = 0;
        }
    }

    fn hang(&self) -> Hanging {
        let count = self.rank.len();
        let mut hanging = Hanging {
            order: Vec::with_capacity(count),
            place: vec![0; count],
            end: vec![0; count],
            above: vec![usize::MAX; count],
        };
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            hanging.place[node] = hanging.order.len();
            hanging.order.push(node);
            for &edge in &self.around[node] {
                if self.in_tree[edge] && hanging.above[node] != edge {
                    let c = self.constraints[edge];
                    let child = c.tail + c.head - node;
                    hanging.above[child] = edge;
                    stack.push(child);
                }
            }
        }
        for &node in hanging.order.iter().rev() {
            hanging.end[node] = hanging.end[node].max(hanging.place[node] + 1);
            if let Some(c) = self.constraints.get(hanging.above[node]) {
                let parent = c.tail + c.head - node;
                hanging.end[parent] = hanging.end[parent].max(hanging.end[node]);
            }
        }
        hanging
    }

    /// Exchanges the tree edge of smallest cut value for the tightest that replaces it; `false` if
    /// no cut value is negative, so that the ranks are optimal.
    fn exchange(&mut self) -> bool {
        let hanging = self.hang();
        let mut below = self.surplus.clone();
        let mut worst: Option<(i64, usize)> = None;
        for &node in hanging.order.iter().rev() {
            let Some(c) = self.constraints.get(hanging.above[node]) else { continue };
            below[c.tail + c.head - node] += below[node];
            let cut = if c.tail == node { below[node] } else { -below[node] };
            if cut < worst.map_or(0, |(cut, _)| cut) {
                worst = Some((cut, node));
            }
        }
        let Some((_, top)) = worst else { return false };
        let subtree = hanging.place[top]..hanging.end[top];
        let inside = |node: usize| subtree.contains(&hanging.place[node]);
        let leaving = hanging.above[top];
        let upwards = self.constraints[leaving].tail == top;
        // What replaces it crosses the cut the other way.
        let crosses = |c: &Constraint| {
            if upwards {
                !inside(c.tail) && inside(c.head)
            } else {
                inside(c.tail) && !inside(c.head)
            }
        };
        let entering = (0..self.constraints.len())
            .filter(|&edge| crosses(&self.constraints[edge]))
            .min_by_key(|&edge| self.slack(edge));
        let Some(entering) = entering else { return false };
        let shift = if upwards { -self.slack(entering) } else { self.slack(entering) };
        for &node in &hanging.order[subtree] {
            self.rank[node] += shift;
        }
        self.in_tree[leaving] = false;
        self.in_tree[entering] = true;
        true
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
            let found = ranks(count, &constraints);
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

    #[test]
    fn one_node_is_in_layer_zero() {
        assert_eq!(ranks(1, &[]), [0]);
        assert!(ranks(0, &[]).is_empty());
    }
}
