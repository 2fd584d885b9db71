//! Isomorphism against petgraph's VF2, up to 16 vertices.

use canon::{Canoniser, isomorphic};
use petgraph::algo::is_isomorphic;
use petgraph::graph::UnGraph;

use crate::families::Graph;
use crate::random::Random;
use crate::{WIDTHS, form};

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
    let mut canonisers = WIDTHS.map(Canoniser::with_hash_bits);
    let (mut same, mut different) = (0, 0);
    for seed in 0..600 {
        let mut random = Random(seed);
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
        let (s, t) = (a.structure(), random.shuffled(&b.structure()));
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
    }
    assert!(same > 100 && different > 100, "both answers occur: {same} {different}");
}
