//! Orders of the vertices of a hypergraph in which edges are short.
//!
//! FORCE (Aloul, Markov, Sakallah, *FORCE: a fast and easy-to-implement variable-ordering
//! heuristic*, GLSVLSI 2003): each edge pulls its vertices towards its centre of gravity; vertices
//! are sorted by where they are pulled to, again and again. The best order met is kept. Each round
//! costs a visit to all edges, and sorting.

use budget::Budget;

/// Rounds at most, and rounds without improvement after which it ends.
const ROUNDS: usize = 200;
const PATIENCE: usize = 20;
/// Ends of edges looked at in all rounds together, unless one round takes more.
const LOOKS: usize = 1 << 25;

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

/// An order or its reverse: that in which edges begin later. What they have in common should be
/// near the end, where it is closed once, and not again for all that comes before.
pub(super) fn turned(mut order: Vec<u32>, edges: &[Vec<u32>]) -> Vec<u32> {
    let positions = positions(&order);
    let of_edge = |edge: &Vec<u32>| {
        let positions = edge.iter().map(|vertex| positions[*vertex as usize]);
        let (first, last) = (positions.clone().min(), positions.max());
        u64::from(first.unwrap_or(0)) + u64::from(last.unwrap_or(0))
    };
    let middle = edges.len() as u64 * (order.len() as u64).saturating_sub(1);
    if edges.iter().map(of_edge).sum::<u64>() < middle {
        order.reverse();
    }
    order
}

fn positions(order: &[u32]) -> Vec<u32> {
    let mut positions = vec![0; order.len()];
    for (vertex, position) in order.iter().zip(0..) {
        positions[*vertex as usize] = position;
    }
    positions
}

/// An order that is at least as good, and its cost.
/// Where the budget is used up, the best that was found so far.
pub(super) fn improved(
    mut order: Vec<u32>,
    edges: &[Vec<u32>],
    budget: &Budget,
) -> (Vec<u32>, u64) {
    let mut best = (order.clone(), cost(&order, edges));
    let mut idle = 0;
    let ends = order.len() + edges.iter().map(Vec::len).sum::<usize>();
    for _ in 0..ROUNDS.min(1 + LOOKS / ends.max(1)) {
        if budget.is_exhausted() {
            break;
        }
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
