//! Graphs with much symmetry, made by their definitions.

use canon::Structure;

/// A graph: the number of vertices, and edges.
#[derive(Clone)]
pub struct Graph {
    pub n: usize,
    pub edges: Vec<(usize, usize)>,
}

impl Graph {
    /// The graph whose edges are the pairs `u < v` that satisfy `adjacent`.
    pub fn by(n: usize, adjacent: impl Fn(usize, usize) -> bool) -> Self {
        let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
        Self { n, edges: pairs.filter(|&(u, v)| adjacent(u, v)).collect() }
    }

    /// As a structure of one colour, each edge an arc both ways.
    pub fn structure(&self) -> Structure {
        let mut s = Structure::new();
        for _ in 0..self.n {
            s.atom(0);
        }
        for &(u, v) in &self.edges {
            s.tuple(0, &[u as u32, v as u32]);
            s.tuple(0, &[v as u32, u as u32]);
        }
        s
    }

    /// `k` disjoint copies.
    pub fn copies(&self, k: usize) -> Self {
        let edges = (0..k)
            .flat_map(|i| self.edges.iter().map(move |&(u, v)| (u + i * self.n, v + i * self.n)));
        Self { n: k * self.n, edges: edges.collect() }
    }

    /// Both graphs, side by side.
    pub fn beside(&self, other: &Self) -> Self {
        let shifted = other.edges.iter().map(|&(u, v)| (u + self.n, v + self.n));
        let edges = self.edges.iter().copied().chain(shifted).collect();
        Self { n: self.n + other.n, edges }
    }

    /// Each vertex becomes `k` twins, joined to each other if `joined`.
    pub fn blown_up(&self, k: usize, joined: bool) -> Self {
        let set: std::collections::HashSet<_> = self.edges.iter().copied().collect();
        Self::by(self.n * k, |u, v| {
            let (a, b) = (u / k, v / k);
            if a == b { joined } else { set.contains(&(a, b)) || set.contains(&(b, a)) }
        })
    }

    pub fn complement(&self) -> Self {
        let set: std::collections::HashSet<_> = self.edges.iter().copied().collect();
        Self::by(self.n, |u, v| !set.contains(&(u, v)) && !set.contains(&(v, u)))
    }

    /// Exchanges edges and non-edges between `side` and the rest (Seidel switching).
    pub fn switched(&self, side: &[usize]) -> Self {
        let set: std::collections::HashSet<_> = self.edges.iter().copied().collect();
        let crosses = |u, v| side.contains(&u) != side.contains(&v);
        Self::by(self.n, |u, v| (set.contains(&(u, v)) || set.contains(&(v, u))) != crosses(u, v))
    }
}

pub fn complete(n: usize) -> Graph {
    Graph::by(n, |_, _| true)
}

pub fn complete_bipartite(a: usize, b: usize) -> Graph {
    Graph::by(a + b, |u, v| u < a && v >= a)
}

/// Parts of equal size, all edges between different parts.
pub fn multipartite(parts: usize, size: usize) -> Graph {
    Graph::by(parts * size, |u, v| u / size != v / size)
}

pub fn ring(n: usize) -> Graph {
    Graph { n, edges: (0..n).map(|u| (u, (u + 1) % n)).collect() }
}

pub fn path(n: usize) -> Graph {
    Graph { n, edges: (1..n).map(|u| (u - 1, u)).collect() }
}

pub fn grid(w: usize, h: usize) -> Graph {
    Graph::by(w * h, |u, v| (v == u + 1 && v % w != 0) || v == u + w)
}

pub fn torus(w: usize, h: usize) -> Graph {
    let next = |u: usize, dx: usize, dy: usize| (u % w + dx) % w + (u / w + dy) % h * w;
    let edges = (0..w * h).flat_map(|u| [(u, next(u, 1, 0)), (u, next(u, 0, 1))]);
    Graph { n: w * h, edges: edges.collect() }
}

pub fn hypercube(d: usize) -> Graph {
    Graph::by(1 << d, |u, v| (u ^ v).is_power_of_two())
}

/// Pairs of five things, adjacent when disjoint.
pub fn petersen() -> Graph {
    triangular(5).complement()
}

/// `T(k)`: pairs of `k` things, adjacent when they meet.
pub fn triangular(k: usize) -> Graph {
    let pairs: Vec<(usize, usize)> = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b))).collect();
    Graph::by(pairs.len(), |u, v| {
        let ((a, b), (c, d)) = (pairs[u], pairs[v]);
        a == c || a == d || b == c || b == d
    })
}

/// The three Chang graphs: `T(8)` switched by a 4-matching, an 8-cycle, and a 3-cycle with a
/// 5-cycle, each read as a set of pairs.
pub fn chang() -> Vec<Graph> {
    let number = |a: usize, b: usize| {
        let (a, b) = (a.min(b), a.max(b));
        (0..a).map(|x| 7 - x).sum::<usize>() + b - a - 1
    };
    let sides: [Vec<(usize, usize)>; 3] = [
        (0..4).map(|i| (i, i + 4)).collect(),
        (0..8).map(|i| (i, (i + 1) % 8)).collect(),
        (0..3).map(|i| (i, (i + 1) % 3)).chain((0..5).map(|i| (3 + i, 3 + (i + 1) % 5))).collect(),
    ];
    let t8 = triangular(8);
    let switch = |side: &Vec<(usize, usize)>| {
        t8.switched(&side.iter().map(|&(a, b)| number(a, b)).collect::<Vec<_>>())
    };
    sides.iter().map(switch).collect()
}

/// `q` a prime that is 1 modulo 4: numbers modulo `q`, adjacent when they differ by a square.
pub fn paley(q: usize) -> Graph {
    let squares: Vec<usize> = (1..q).map(|x| x * x % q).collect();
    Graph::by(q, |u, v| squares.contains(&(v - u)))
}

/// Squares of a board, adjacent when in one row or column.
pub fn rook(k: usize) -> Graph {
    Graph::by(k * k, |u, v| u / k == v / k || u % k == v % k)
}

/// The other strongly regular graph with the parameters of the 4 × 4 rook's graph.
pub fn shrikhande() -> Graph {
    Graph::by(16, |u, v| {
        let (dx, dy) = ((v % 4 + 4 - u % 4) % 4, (v / 4 + 4 - u / 4) % 4);
        matches!((dx, dy), (1, 0) | (3, 0) | (0, 1) | (0, 3) | (1, 1) | (3, 3))
    })
}

/// Latin square graph of a group of order `k`: cells adjacent when they share row, column or sum.
/// `xor` takes the group of bit strings, otherwise the cyclic group.
pub fn latin_square(k: usize, xor: bool) -> Graph {
    let entry = move |u: usize| if xor { (u / k) ^ (u % k) } else { (u / k + u % k) % k };
    Graph::by(k * k, move |u, v| u / k == v / k || u % k == v % k || entry(u) == entry(v))
}

/// A random cubic graph by matching half-edges anew until the graph is simple.
pub fn cubic(n: usize, mut below: impl FnMut(usize) -> usize) -> Graph {
    loop {
        let mut ends: Vec<usize> = (0..3 * n).map(|i| i / 3).collect();
        for i in (1..ends.len()).rev() {
            ends.swap(i, below(i + 1));
        }
        let mut edges: Vec<(usize, usize)> =
            ends.chunks(2).map(|e| (e[0].min(e[1]), e[0].max(e[1]))).collect();
        edges.sort_unstable();
        let simple = edges.iter().all(|e| e.0 != e.1) && edges.windows(2).all(|w| w[0] != w[1]);
        if simple {
            return Graph { n, edges };
        }
    }
}

/// The construction of Cai, Fürer and Immerman (1992) over a base graph: each vertex becomes its
/// even sets of incident edges, each edge two ends; the twisted form crosses one edge.
pub fn cai_furer_immerman(base: &Graph, twisted: bool) -> Graph {
    let mut edges = Vec::new();
    let mut n = 2 * 2 * base.edges.len();
    // Vertex of edge `e`, side 0 or 1 of it, and value 0 or 1.
    let end = |e: usize, side: usize, value: usize| 4 * e + 2 * side + value;
    for v in 0..base.n {
        let incident: Vec<(usize, usize)> = base
            .edges
            .iter()
            .enumerate()
            .filter_map(
                |(e, &(a, b))| {
                    if a == v { Some((e, 0)) } else { (b == v).then_some((e, 1)) }
                },
            )
            .collect();
        for set in 0..1usize << incident.len() {
            if set.count_ones() % 2 == 0 {
                for (i, &(e, side)) in incident.iter().enumerate() {
                    edges.push((n, end(e, side, set >> i & 1)));
                }
                n += 1;
            }
        }
    }
    for e in 0..base.edges.len() {
        for value in 0..2 {
            let cross = usize::from(twisted && e == 0);
            edges.push((end(e, 0, value), end(e, 1, value ^ cross)));
        }
    }
    // The two values of an edge's end belong together.
    for e in 0..base.edges.len() {
        edges.push((end(e, 0, 0), end(e, 0, 1)));
        edges.push((end(e, 1, 0), end(e, 1, 1)));
    }
    Graph { n, edges }
}
