//! Isomorphism against petgraph's VF2, up to 16 vertices, and groups against backtracking.

use canon::isomorphic;
use petgraph::algo::is_isomorphic;
use petgraph::graph::UnGraph;
use random::for_seeds;

use crate::families::{Graph, cubic};
use crate::structures::shuffled;
use crate::{WAYS, Way, form};

fn oracle(g: &Graph) -> UnGraph<(), ()> {
    let mut out = UnGraph::default();
    let nodes: Vec<_> = (0..g.n).map(|_| out.add_node(())).collect();
    for &(u, v) in &g.edges {
        out.add_edge(nodes[u], nodes[v], ());
    }
    out
}

/// Pairs of one degree sequence, made by exchanging the ends of two edges.
#[test]
fn agrees_with_vf2() {
    let mut canonisers = WAYS.map(Way::canoniser);
    let (mut same, mut different) = (0, 0);
    for_seeds(0..600, |seed, random| {
        let n = 4 + random.below(13);
        let edges = n + random.below(n);
        let mut a = Graph { n, edges: vec![] };
        while a.edges.len() < edges.min(n * (n - 1) / 2) {
            let (u, v) = (random.below(n), random.below(n));
            if u < v && !a.edges.contains(&(u, v)) {
                a.edges.push((u, v));
            }
        }
        let mut b = a.clone();
        for _ in 0..random.below(3) {
            let (i, j) = (random.below(b.edges.len()), random.below(b.edges.len()));
            let ((u, v), (x, y)) = (b.edges[i], b.edges[j]);
            let (p, q) = ((u.min(y), u.max(y)), (x.min(v), x.max(v)));
            if p.0 != p.1 && q.0 != q.1 && p != q && !b.edges.contains(&p) && !b.edges.contains(&q)
            {
                (b.edges[i], b.edges[j]) = (p, q);
            }
        }
        let (s, t) = (a.structure(), shuffled(random, &b.structure()));
        let expected = is_isomorphic(&oracle(&a), &oracle(&b));
        if expected {
            same += 1
        } else {
            different += 1
        }
        assert_eq!(isomorphic(&s, &t).is_some(), expected, "seed {seed}");
        for canoniser in &mut canonisers {
            let equal = form(canoniser, &s) == form(canoniser, &t);
            assert_eq!(equal, expected, "seed {seed}");
        }
    });
    assert!(same > 100 && different > 100, "both answers occur: {same} {different}");
}

/// All automorphisms by trying images vertex after vertex.
struct Backtracking {
    adjacent: Vec<Vec<bool>>,
    image: Vec<usize>,
    count: u64,
    /// The least image of each vertex.
    least: Vec<u32>,
}

impl Backtracking {
    fn run(g: &Graph) -> Self {
        let mut adjacent = vec![vec![false; g.n]; g.n];
        for &(u, v) in &g.edges {
            adjacent[u][v] = true;
            adjacent[v][u] = true;
        }
        let least = (0..g.n as u32).collect();
        let mut out = Self { adjacent, image: vec![], count: 0, least };
        out.extend();
        out
    }

    fn extend(&mut self) {
        let v = self.image.len();
        if v == self.adjacent.len() {
            self.count += 1;
            for (least, &image) in self.least.iter_mut().zip(&self.image) {
                *least = (*least).min(image as u32);
            }
            return;
        }
        for w in 0..self.adjacent.len() {
            let fits = !self.image.contains(&w)
                && (0..v).all(|u| self.adjacent[u][v] == self.adjacent[self.image[u]][w]);
            if fits {
                self.image.push(w);
                self.extend();
                self.image.pop();
            }
        }
    }
}

/// Circulant graphs, cubic graphs and unions of them: regular, so that the search has to decide.
#[test]
fn groups_agree_with_backtracking() {
    let mut canonisers = WAYS.map(Way::canoniser);
    for_seeds(0..120, |seed, random| {
        let graph = match seed % 4 {
            0 => cubic(8 + 2 * random.below(3), |n| random.below(n)),
            1 => {
                let n = 8 + random.below(6);
                let jumps = [1 + random.below(n / 2), 1 + random.below(n / 2)];
                Graph::by(n, |u, v| jumps.contains(&(v - u)) || jumps.contains(&(n + u - v)))
            }
            2 => cubic(6, |n| random.below(n)).beside(&cubic(6, |n| random.below(n))),
            _ => cubic(8, |n| random.below(n)).complement(),
        };
        let expected = Backtracking::run(&graph);
        let s = graph.structure();
        for canoniser in &mut canonisers {
            let canonical = canoniser.canonise(&s);
            assert_eq!(canonical.group_order(), expected.count.into(), "seed {seed}");
            assert_eq!(canonical.orbits(), expected.least, "seed {seed}");
        }
    });
}
