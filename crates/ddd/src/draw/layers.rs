//! Places for vertices: layers from the root down, and within a layer an order in which edges
//! cross little.
//!
//! A vertex is in the layer given by the longest way to it. An edge that passes layers gets a
//! point in each of them, which takes part in the ordering (Sugiyama's method). Orders are found
//! by sorting each layer by the mean place of its neighbours in the layer above, then below, a few
//! times over; then every point is pulled towards the mean of its neighbours as far as the
//! distance to the points beside it lets it.

use super::{Edge, Picture};

const PASSES: usize = 8;

/// A point of the drawing: a vertex, or where an edge passes a layer.
struct Point {
    layer: usize,
    /// How much room it takes in its layer.
    width: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// Where everything is.
pub(super) struct Layout {
    /// For each vertex, its layer and the middle of its place in the layer.
    pub(super) vertices: Vec<(usize, f64)>,
    /// For each edge, the points between its ends.
    pub(super) bends: Vec<Vec<(usize, f64)>>,
    /// How many layers there are, and how wide they are.
    pub(super) layers: usize,
    pub(super) width: f64,
}

impl Layout {
    /// `width` is how much room each vertex takes, `passing` an edge where it passes a layer.
    pub(super) fn of(
        picture: &Picture,
        width: impl Fn(usize) -> f64,
        passing: impl Fn(&Edge) -> f64,
    ) -> Self {
        let mut points: Vec<Point> = (0..picture.vertices.len())
            .map(|i| Point { layer: 0, width: width(i), above: Vec::new(), below: Vec::new() })
            .collect();
        // Vertices come before those they lead to.
        for edge in &picture.edges {
            points[edge.to].layer = points[edge.to].layer.max(points[edge.from].layer + 1);
        }
        let mut bends = Vec::new();
        for edge in &picture.edges {
            let mut last = edge.from;
            let mut passed = Vec::new();
            for layer in points[edge.from].layer + 1..points[edge.to].layer {
                points.push(Point {
                    layer,
                    width: passing(edge),
                    above: Vec::new(),
                    below: Vec::new(),
                });
                passed.push(points.len() - 1);
                join(&mut points, last, passed[passed.len() - 1]);
                last = points.len() - 1;
            }
            join(&mut points, last, edge.to);
            bends.push(passed);
        }
        let depth = points.iter().map(|point| point.layer + 1).max().unwrap_or(0);
        let mut layers = vec![Vec::new(); depth];
        for (i, point) in points.iter().enumerate() {
            layers[point.layer].push(i);
        }
        let places = placed(&points, &mut layers);
        let left = edge_of(&points, &places, -1.0);
        let at = |i: &usize| (points[*i].layer, places[*i] - left);
        Self {
            vertices: (0..picture.vertices.len()).map(|i| at(&i)).collect(),
            bends: bends.iter().map(|passed| passed.iter().map(at).collect()).collect(),
            layers: depth,
            width: edge_of(&points, &places, 1.0) - left,
        }
    }
}

fn join(points: &mut [Point], from: usize, to: usize) {
    points[from].below.push(to);
    points[to].above.push(from);
}

/// The outermost places, to the left (-1) or to the right (1).
fn edge_of(points: &[Point], places: &[f64], side: f64) -> f64 {
    let ends = points.iter().zip(places).map(|(point, place)| side * place + point.width / 2.0);
    side * ends.fold(0.0, f64::max)
}

fn mean(neighbours: &[usize], places: &[f64]) -> Option<f64> {
    let sum: f64 = neighbours.iter().map(|i| places[*i]).sum();
    (!neighbours.is_empty()).then(|| sum / neighbours.len() as f64)
}

fn placed(points: &[Point], layers: &mut [Vec<usize>]) -> Vec<f64> {
    let mut places = vec![0.0; points.len()];
    for layer in &*layers {
        spread(points, layer, &mut places);
    }
    for pass in 0..PASSES {
        let down = pass % 2 == 0;
        let count = layers.len();
        for i in 0..count {
            let layer = &mut layers[if down { i } else { count - 1 - i }];
            let wish = |i: &usize| {
                let neighbours = if down { &points[*i].above } else { &points[*i].below };
                mean(neighbours, &places).unwrap_or(places[*i])
            };
            let mut wishes: Vec<(f64, usize)> = layer.iter().map(|i| (wish(i), *i)).collect();
            // Stable: what has the same neighbours stays in order.
            wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
            layer.clear();
            layer.extend(wishes.iter().map(|(_, i)| *i));
            for (wish, i) in wishes {
                places[i] = wish;
            }
            spread(points, layer, &mut places);
        }
    }
    places
}

/// Moves the points of a layer apart so that none overlap, about as far to either side.
fn spread(points: &[Point], layer: &[usize], places: &mut [f64]) {
    let before: f64 = layer.iter().map(|i| places[*i]).sum();
    for pair in layer.windows(2) {
        let gap = (points[pair[0]].width + points[pair[1]].width) / 2.0;
        places[pair[1]] = places[pair[1]].max(places[pair[0]] + gap);
    }
    let after: f64 = layer.iter().map(|i| places[*i]).sum();
    let back = (after - before) / layer.len().max(1) as f64;
    for i in layer {
        places[*i] -= back;
    }
}
