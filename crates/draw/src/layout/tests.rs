//! What holds of every layout, on random graphs.

use random::Random;

use super::*;

/// A node of some size.
pub(super) fn node(shape: Shape) -> NodeSpec {
    let size = Size { width: 60.0, height: 30.0 };
    NodeSpec { size, shape, initial: false, rank: Rank::Free }
}

/// Nodes and edges of one size, cut into layers.
pub(super) fn layered(count: usize, edges: &[PartEdge]) -> Layered {
    let blocks = vec![Block::new(&node(Shape::Box)); count];
    Layered::new(&Part { blocks: &blocks, ranks: &vec![Rank::Free; count], edges })
}

/// Edges that connect as many nodes, some with labels.
pub(super) fn random_edges(random: &mut Random, count: usize) -> Vec<PartEdge> {
    let mut edges = Vec::new();
    for lower in 1..count {
        for _ in 0..1 + random.below(3) {
            let width = 5.0 * random.below(12) as f64;
            let label = (width > 0.0).then_some(Size { width, height: 10.0 });
            edges.push(PartEdge { upper: random.below(lower), lower, label });
        }
    }
    edges
}

/// Edges without labels.
pub(super) fn plain_edges(ends: impl IntoIterator<Item = (usize, usize)>) -> Vec<PartEdge> {
    let edge = |(upper, lower)| PartEdge { upper, lower, label: None };
    ends.into_iter().map(edge).collect()
}

/// A graph with self loops, parallel edges, cycles, several components and every kind of node.
fn random_request(seed: u64) -> Request {
    let mut random = Random::new(seed);
    let count = 1 + random.below(40);
    let nodes = (0..count)
        .map(|_| NodeSpec {
            size: Size {
                width: 20.0 + random.below(120) as f64,
                height: 20.0 + random.below(60) as f64,
            },
            shape: [Shape::Box, Shape::Ellipse, Shape::Hexagon][random.below(3)],
            initial: random.below(8) == 0,
            rank: [Rank::First, Rank::Last, Rank::Free][random.below(20).min(2)],
        })
        .collect();
    let labelled = random.below(3);
    let edges = (0..random.below(2 * count + 1))
        .map(|_| EdgeSpec {
            tail: random.below(count),
            head: random.below(count),
            label: (random.below(2) < labelled)
                .then(|| Size { width: 10.0 + random.below(70) as f64, height: 14.0 }),
        })
        .collect();
    Request { nodes, edges }
}

fn overlap(a: &Frame, b: &Frame) -> bool {
    let slack = 1e-6;
    (a.centre.x - b.centre.x).abs() + slack < (a.size.width + b.size.width) / 2.0
        && (a.centre.y - b.centre.y).abs() + slack < (a.size.height + b.size.height) / 2.0
}

/// 1 on the border of the node, less inside, more outside.
pub(super) fn depth(frame: &Frame, shape: Shape, point: Point) -> f64 {
    let x = 2.0 * (point.x - frame.centre.x) / frame.size.width;
    let y = 2.0 * (point.y - frame.centre.y) / frame.size.height;
    match shape {
        Shape::Ellipse => x.hypot(y),
        Shape::Hexagon => {
            let tip = hexagon_tip(frame.size.width, frame.size.height) / frame.size.width;
            y.abs().max(x.abs() + tip * y.abs())
        }
        Shape::Box | Shape::Rounded => x.abs().max(y.abs()),
    }
}

/// Points along a route.
fn samples(route: &Route) -> Vec<Point> {
    let mut points = vec![route.start];
    for &[b, c, d] in &route.pieces {
        let a = points[points.len() - 1];
        for step in 1..=16 {
            let t = f64::from(step) / 16.0;
            let s = 1.0 - t;
            let mix = |f: fn(&Point) -> f64| {
                s * s * s * f(&a)
                    + 3.0 * s * s * t * f(&b)
                    + 3.0 * s * t * t * f(&c)
                    + t * t * t * f(&d)
            };
            points.push(Point { x: mix(|p| p.x), y: mix(|p| p.y) });
        }
    }
    points
}

#[test]
fn nodes_and_labels_do_not_overlap_and_stay_inside() {
    for seed in 0..400 {
        let request = random_request(seed);
        let placement = place(&request);
        let mut frames = placement.nodes.clone();
        for (edge, route) in request.edges.iter().zip(&placement.edges) {
            assert_eq!(edge.label.is_some(), route.label.is_some(), "seed {seed}");
            if let (Some(size), Some(centre)) = (edge.label, route.label) {
                frames.push(Frame { centre, size });
            }
        }
        for (at, a) in frames.iter().enumerate() {
            for (other, b) in frames[..at].iter().enumerate() {
                assert!(!overlap(a, b), "seed {seed}: {other} {b:?} and {at} {a:?}");
            }
            let inside = |centre: f64, size: f64, whole: f64| {
                centre - size / 2.0 >= -1e-6 && centre + size / 2.0 <= whole + 1e-6
            };
            assert!(inside(a.centre.x, a.size.width, placement.size.width), "seed {seed}");
            assert!(inside(a.centre.y, a.size.height, placement.size.height), "seed {seed}");
        }
    }
}

#[test]
fn edges_start_and_end_on_borders() {
    for seed in 0..400 {
        let request = random_request(seed);
        let placement = place(&request);
        for (edge, route) in request.edges.iter().zip(&placement.edges) {
            for (node, point) in [(edge.tail, route.start), (edge.head, route.end())] {
                let depth = depth(&placement.nodes[node], request.nodes[node].shape, point);
                assert!((depth - 1.0).abs() < 1e-6, "seed {seed}: {edge:?} ends at depth {depth}");
            }
        }
    }
}

#[test]
fn edges_pass_no_node_and_no_label() {
    for seed in 0..200 {
        let request = random_request(seed);
        let placement = place(&request);
        for (at, (edge, route)) in request.edges.iter().zip(&placement.edges).enumerate() {
            for point in samples(route) {
                for (node, frame) in placement.nodes.iter().enumerate() {
                    let own = node == edge.tail || node == edge.head;
                    // The curve of an edge may graze the box of its own node below the port.
                    let limit = if own { 0.9 } else { 1.0 };
                    let depth = depth(frame, request.nodes[node].shape, point);
                    assert!(depth >= limit - 1e-6, "seed {seed}: {edge:?} enters node {node}");
                }
                for (other, route) in placement.edges.iter().enumerate() {
                    let Some((size, centre)) = request.edges[other].label.zip(route.label) else {
                        continue;
                    };
                    let hit = depth(&Frame { centre, size }, Shape::Box, point) < 1.0;
                    assert!(!hit, "seed {seed}: edge {at} passes the label of {other}");
                }
            }
        }
    }
}

#[test]
fn edges_go_down_unless_turned() {
    for seed in 0..200 {
        let mut request = random_request(seed);
        // Edges to greater numbers only: nothing needs turning.
        request
            .edges
            .iter_mut()
            .for_each(|e| (e.tail, e.head) = (e.tail.min(e.head), e.tail.max(e.head)));
        request.edges.retain(|e| e.tail != e.head);
        request.nodes.iter_mut().for_each(|n| n.rank = Rank::Free);
        let placement = place(&request);
        for edge in &request.edges {
            let [a, b] = [edge.tail, edge.head].map(|at| placement.nodes[at]);
            let gap = b.centre.y - a.centre.y - (a.size.height + b.size.height) / 2.0;
            assert!(gap > 0.0, "seed {seed}: {edge:?}");
        }
    }
}

#[test]
fn the_reverse_of_a_route_is_the_same_curve() {
    let p = |x: f64| Point { x, y: x * x };
    let route = Route {
        start: p(0.0),
        pieces: vec![[p(1.0), p(2.0), p(3.0)], [p(4.0), p(5.0), p(6.0)]],
        label: None,
    };
    let back = route.clone().reversed();
    assert_eq!(back.start, p(6.0));
    assert_eq!(back.pieces, [[p(5.0), p(4.0), p(3.0)], [p(2.0), p(1.0), p(0.0)]]);
    assert_eq!(back.reversed(), route);
}

#[test]
fn a_large_graph_is_laid_out() {
    let mut random = Random::new(1);
    let edges = (0..1200)
        .map(|_| EdgeSpec { tail: random.below(300), head: random.below(300), label: None })
        .collect();
    let request = Request { nodes: vec![node(Shape::Box); 300], edges };
    let placement = place(&request);
    assert!(placement.edges.iter().all(|route| !route.pieces.is_empty()));
}
