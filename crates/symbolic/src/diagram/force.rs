//! Orders of the vertices of a hypergraph in which edges are short.
//!
//! FORCE (Aloul, Markov, Sakallah, *FORCE: a fast and easy-to-implement variable-ordering
//! heuristic*, GLSVLSI 2003): each edge pulls its vertices towards its centre of gravity; vertices
//! are sorted by where they are pulled to, again and again. The best order met is kept. Each round
//! costs a visit to all edges, and sorting.

/// Rounds at most, and rounds without improvement after which it ends.
const ROUNDS: usize = 200;
const PATIENCE: usize = 20;

/// The sum of spans of all edges.
pub(super) fn cost(order: &[u32], edges: &[Vec<u32>]) -> u64 {
    let positions = positions(order);
    let spans = edges.iter().map(|edge| {
        let (least, most) = edge.iter().fold((u32::MAX, 0), |(least, most), vertex| {
            let position = positions[*vertex as usize];
            (least.min(position), most.max(position))
        });
        u64::from(most - least)
    });
    spans.sum()
}

fn positions(order: &[u32]) -> Vec<u32> {
    let mut positions = vec![0; order.len()];
    for (vertex, position) in order.iter().zip(0..) {
        positions[*vertex as usize] = position;
    }
    positions
}

/// An order that is at least as good, and its cost.
pub(super) fn improved(mut order: Vec<u32>, edges: &[Vec<u32>]) -> (Vec<u32>, u64) {
    let mut best = (order.clone(), cost(&order, edges));
    let mut idle = 0;
    for _ in 0..ROUNDS {
        let positions = positions(&order);
        let mut pulls = vec![(0.0_f64, 0_u32); order.len()];
        for edge in edges {
            let sum: f64 = edge.iter().map(|v| f64::from(positions[*v as usize])).sum();
            let centre = sum / edge.len() as f64;
            for vertex in edge {
                let pull = &mut pulls[*vertex as usize];
                *pull = (pull.0 + centre, pull.1 + 1);
            }
        }
        let target = |vertex: &u32| match pulls[*vertex as usize] {
            (_, 0) => f64::from(positions[*vertex as usize]),
            (sum, count) => sum / f64::from(count),
        };
        order.sort_by(|a, b| target(a).total_cmp(&target(b)));
        let cost = cost(&order, edges);
        if cost < best.1 {
            best = (order.clone(), cost);
            idle = 0;
        } else {
            idle += 1;
            if idle == PATIENCE {
                break;
            }
        }
    }
    best
}

/// The vertices as a walk along edges meets them: after each vertex those it shares small edges
/// with, depth first.
pub(super) fn walked(vertices: usize, edges: &[Vec<u32>]) -> Vec<u32> {
    let mut of_vertex: Vec<Vec<u32>> = vec![Vec::new(); vertices];
    let mut by_size: Vec<u32> = (0..edges.len() as u32).collect();
    by_size.sort_by_key(|edge| edges[*edge as usize].len());
    for edge in by_size {
        edges[edge as usize].iter().for_each(|vertex| of_vertex[*vertex as usize].push(edge));
    }
    let mut order = Vec::with_capacity(vertices);
    let mut met = vec![false; vertices];
    for start in 0..vertices as u32 {
        let mut open = vec![start];
        while let Some(vertex) = open.pop() {
            if std::mem::replace(&mut met[vertex as usize], true) {
                continue;
            }
            order.push(vertex);
            let neighbours = of_vertex[vertex as usize].iter().rev();
            open.extend(neighbours.flat_map(|edge| edges[*edge as usize].iter().rev()));
        }
    }
    order
}
