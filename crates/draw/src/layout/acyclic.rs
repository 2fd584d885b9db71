//! Which edges to turn round so that the graph has no cycle.
//!
//! Two orders of the nodes are tried, and in each the edges against it are turned:
//!
//! * depth-first: an edge is turned if it leads back to a node on the path of the search. Only
//!   edges that close a cycle are turned, but where most steps can be undone the paths get long;
//! * breadth-first: an edge inside a strongly connected component is turned if it leads to a node
//!   found earlier. The picture is as low as can be, but more edges may point upwards.
//!
//! The one with the smaller sum of turned edges and longest path is taken, depth-first on a tie.
//! Finding the smallest set of edges to turn is NP-hard (Karp 1972), and not what a reader wants:
//! the search starts at the nodes that want to be first, so that time flows downwards from them.
//!
//! Cost: linear in nodes and edges.

use std::collections::VecDeque;

use crate::Rank;

/// For each edge, whether it is to be turned round. No edge may be a self loop.
pub(super) fn reversed(ranks: &[Rank], ends: &[(usize, usize)]) -> Vec<bool> {
    // Nothing goes into a first node or out of a last one, whatever the cycles.
    let wish: Vec<bool> = ends
        .iter()
        .map(|&(tail, head)| {
            (ranks[head] == Rank::First && ranks[tail] != Rank::First)
                || (ranks[tail] == Rank::Last && ranks[head] != Rank::Last)
        })
        .collect();
    let ends = turned(ends, &wish);
    let graph = Graph::new(ranks, &ends);
    let candidates = [graph.against_depth_first(), graph.against_breadth_first()];
    let cost = |turned: &Vec<bool>| turned.iter().filter(|&&t| t).count() + graph.depth(turned);
    let [deep, broad] = candidates;
    let best = if cost(&broad) < cost(&deep) { broad } else { deep };
    best.iter().zip(wish).map(|(&turn, wished)| turn != wished).collect()
}

/// The edges, some of them turned round.
fn turned(ends: &[(usize, usize)], turn: &[bool]) -> Vec<(usize, usize)> {
    ends.iter().zip(turn).map(|(&(a, b), &turn)| if turn { (b, a) } else { (a, b) }).collect()
}

struct Graph<'a> {
    ends: &'a [(usize, usize)],
    /// For each node the edges that leave it.
    out: Vec<Vec<usize>>,
    /// The nodes in the order in which searches start from them.
    roots: Vec<usize>,
}

impl<'a> Graph<'a> {
    fn new(ranks: &[Rank], ends: &'a [(usize, usize)]) -> Self {
        let mut out = vec![Vec::new(); ranks.len()];
        let mut entered = vec![false; ranks.len()];
        for (at, &(tail, head)) in ends.iter().enumerate() {
            out[tail].push(at);
            entered[head] = true;
        }
        let mut roots: Vec<usize> = (0..ranks.len()).collect();
        roots.sort_by_key(|&node| (ranks[node] != Rank::First, entered[node], node));
        Self { ends, out, roots }
    }

    /// The edges that lead back into the path of a depth-first search.
    fn against_depth_first(&self) -> Vec<bool> {
        let mut turned = vec![false; self.ends.len()];
        self.depth_first(|edge, on_path, _| turned[edge] = on_path, |_| {});
        turned
    }

    /// The edges inside strongly connected components that lead to nodes found earlier,
    /// breadth-first.
    fn against_breadth_first(&self) -> Vec<bool> {
        let component = self.strong_components();
        let mut found = vec![usize::MAX; self.out.len()];
        let mut count = 0;
        let mut queue = VecDeque::new();
        for &root in &self.roots {
            if found[root] != usize::MAX {
                continue;
            }
            found[root] = count;
            count += 1;
            queue.push_back(root);
            while let Some(node) = queue.pop_front() {
                for &edge in &self.out[node] {
                    let head = self.ends[edge].1;
                    if found[head] == usize::MAX {
                        found[head] = count;
                        count += 1;
                        queue.push_back(head);
                    }
                }
            }
        }
        let against = |&(tail, head): &(usize, usize)| {
            component[tail] == component[head] && found[head] < found[tail]
        };
        self.ends.iter().map(against).collect()
    }

    /// Depth-first search without recursion. `edge` is called with each edge, whether its head is on
    /// the path, and whether it is new; `leave` with each node when all its edges have been seen.
    fn depth_first(&self, mut edge: impl FnMut(usize, bool, bool), mut leave: impl FnMut(usize)) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            OnPath,
            Left,
        }
        let mut mark = vec![Mark::New; self.out.len()];
        let mut path: Vec<(usize, usize)> = Vec::new();
        for &root in &self.roots {
            if mark[root] != Mark::New {
                continue;
            }
            mark[root] = Mark::OnPath;
            path.push((root, 0));
            while let Some((node, next)) = path.last_mut() {
                let Some(&at) = self.out[*node].get(*next) else {
                    mark[*node] = Mark::Left;
                    leave(*node);
                    path.pop();
                    continue;
                };
                *next += 1;
                let head = self.ends[at].1;
                edge(at, mark[head] == Mark::OnPath, mark[head] == Mark::New);
                if mark[head] == Mark::New {
                    mark[head] = Mark::OnPath;
                    path.push((head, 0));
                }
            }
        }
    }

    /// The strongly connected component of each node, by the two searches of Kosaraju and Sharir.
    fn strong_components(&self) -> Vec<usize> {
        let mut left = Vec::with_capacity(self.out.len());
        self.depth_first(|_, _, _| {}, |node| left.push(node));
        let mut into = vec![Vec::new(); self.out.len()];
        for &(tail, head) in self.ends {
            into[head].push(tail);
        }
        let mut component = vec![usize::MAX; self.out.len()];
        let mut stack = Vec::new();
        for &root in left.iter().rev() {
            if component[root] != usize::MAX {
                continue;
            }
            component[root] = root;
            stack.push(root);
            while let Some(node) = stack.pop() {
                for &tail in &into[node] {
                    if component[tail] == usize::MAX {
                        component[tail] = root;
                        stack.push(tail);
                    }
                }
            }
        }
        component
    }

    /// The number of edges on a longest path once the edges are turned.
    fn depth(&self, turn: &[bool]) -> usize {
        let ends = turned(self.ends, turn);
        let links = ends.iter().map(|&(tail, head)| (tail, head, 1));
        let longest = longest_paths(self.out.len(), &links.collect::<Vec<_>>());
        longest.map_or(usize::MAX / 2, |longest| longest.into_iter().max().unwrap_or(0) as usize)
    }
}

/// For each node the length of the longest path to it, along links (tail, head, length); `None` if
/// there is a cycle.
pub(super) fn longest_paths(count: usize, links: &[(usize, usize, i64)]) -> Option<Vec<i64>> {
    let mut waiting = vec![0usize; count];
    let mut out = vec![Vec::new(); count];
    for &(tail, head, length) in links {
        waiting[head] += 1;
        out[tail].push((head, length));
    }
    let mut longest = vec![0; count];
    let mut order: Vec<usize> = (0..count).filter(|&node| waiting[node] == 0).collect();
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        for &(head, length) in &out[node] {
            longest[head] = longest[head].max(longest[node] + length);
            waiting[head] -= 1;
            if waiting[head] == 0 {
                order.push(head);
            }
        }
    }
    (order.len() == count).then_some(longest)
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::*;

    #[test]
    fn no_cycle_is_left() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(30);
            let ranks: Vec<Rank> = (0..count)
                .map(|_| match random.below(12) {
                    0 => Rank::First,
                    1 => Rank::Last,
                    _ => Rank::Free,
                })
                .collect();
            let ends: Vec<(usize, usize)> = (0..random.below(90))
                .map(|_| (random.below(count), random.below(count)))
                .filter(|(a, b)| a != b)
                .collect();
            let ends = turned(&ends, &reversed(&ranks, &ends));
            let depth = Graph::new(&ranks, &ends).depth(&vec![false; ends.len()]);
            assert!(depth < count, "seed {seed}");
            for (tail, head) in ends {
                assert!(ranks[head] != Rank::First || ranks[tail] == Rank::First, "seed {seed}");
                assert!(ranks[tail] != Rank::Last || ranks[head] == Rank::Last, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_ring_is_cut_once_before_its_first_node() {
        let ends: Vec<(usize, usize)> = (0..7).map(|at| (at, (at + 1) % 7)).collect();
        let mut ranks = [Rank::Free; 7];
        ranks[3] = Rank::First;
        let turned = reversed(&ranks, &ends);
        assert_eq!(turned.iter().filter(|&&t| t).count(), 1);
        assert!(turned[2]);
    }

    #[test]
    fn what_has_no_cycle_is_left_alone() {
        let ends = [(0, 1), (0, 2), (1, 3), (2, 3), (4, 3)];
        assert_eq!(reversed(&[Rank::Free; 5], &ends), [false; 5]);
    }

    #[test]
    fn steps_that_can_be_undone_do_not_make_a_tower() {
        // A grid of 6 by 6 in which every step has its inverse is 10 steps deep, not 35.
        let mut ends = Vec::new();
        for node in 0..36 {
            for next in [(node % 6 < 5).then_some(node + 1), (node < 30).then_some(node + 6)] {
                ends.extend(next.map(|next| (node, next)));
                ends.extend(next.map(|next| (next, node)));
            }
        }
        let ends = turned(&ends, &reversed(&[Rank::Free; 36], &ends));
        let graph = Graph::new(&[Rank::Free; 36], &ends);
        assert_eq!(graph.depth(&vec![false; ends.len()]), 10);
    }
}
