//! The curves of edges.
//!
//! Each layer is a band as high as its highest item; between bands are gaps that hold nothing but
//! edges. An edge is a function x(y): in a band it passes through the room of its bend, in a gap it
//! is a cubic. Slopes at bends are those of monotone interpolation (Fritsch and Carlson, *Monotone
//! piecewise cubic interpolation*, SIAM J. Numer. Anal. 17(2), 1980), lessened where the room
//! beside the bend is narrow; so a curve never swings beyond its ends in a gap, nor hits a
//! neighbour in a band.
//!
//! Edges end at ports spread along the border of a node in the order of their other ends, as near
//! to straight as they can be with a least distance between them. Cost: linear, but for sorting.

use super::layers::{Kind, Layered, Part};
use super::loops::PORT_DISTANCE;
use super::{LABEL_PAD, Point, Route};

/// Between the bands of nodes, at least.
const GAP: f64 = 44.0;
/// Horizontal travel for each unit of height at the end of an edge, at most.
const END_SLOPE: f64 = 0.7;

/// How much more it matters that an edge is straight than that another is near to it.
const STRAIGHT_WEIGHT: f64 = 4.0;
/// The parts of a piece's height at which its control points are: from a node, and from a bend.
const ARMS: (f64, f64) = (0.33, 0.5);

/// A component drawn: the centres of its nodes, its edges from upper to lower end, its height.
#[derive(Debug)]
pub(super) struct Drawn {
    pub centres: Vec<Point>,
    pub routes: Vec<Route>,
    pub height: f64,
}

/// A point of an edge with its slope dx/dy.
#[derive(Debug, Clone, Copy)]
struct Knot {
    at: Point,
    slope: f64,
}

/// Draws the component whose items have positions `x`.
pub(super) fn draw(part: &Part, layered: &Layered, x: &[f64]) -> Drawn {
    let bands = bands(layered, x);
    let middle = |item: usize| {
        let (top, bottom) = bands[layered.items[item].layer];
        (top + bottom) / 2.0
    };
    let ports = ports(part, layered, x);
    let clearances = clearances(layered, x);
    let routes = layered
        .chains
        .iter()
        .zip(ports)
        .enumerate()
        .map(|(at, (chain, (leaving, entering)))| {
            let edge = &part.edges[at];
            let start = Point {
                x: x[edge.upper] + leaving,
                y: middle(edge.upper) + part.blocks[edge.upper].border_height(leaving),
            };
            let end = Point {
                x: x[edge.lower] + entering,
                y: middle(edge.lower) - part.blocks[edge.lower].border_height(entering),
            };
            let mut knots = vec![Knot { at: start, slope: 0.0 }];
            let bends = &chain[1..chain.len() - 1];
            // A node lower than its band: straight on until the band is left.
            let leave = bands[layered.items[edge.upper].layer].1;
            if leave - start.y > 8.0 {
                knots.push(Knot { at: Point { x: start.x, y: leave }, slope: 0.0 });
            }
            for (index, &bend) in bends.iter().enumerate() {
                let (top, bottom) = bands[layered.items[bend].layer];
                let before = if index == 0 {
                    Point { x: start.x, y: leave }
                } else {
                    let before = bends[index - 1];
                    Point { x: x[before], y: bands[layered.items[before].layer].1 }
                };
                let after = bends.get(index + 1).map_or(end, |&after| Point {
                    x: x[after],
                    y: bands[layered.items[after].layer].0,
                });
                let slope = monotone_slope(
                    (x[bend] - before.x) / (top - before.y),
                    (after.x - x[bend]) / (after.y - bottom),
                );
                let half = (bottom - top) / 2.0;
                let limit = if half > 0.0 { clearances[bend] / half } else { f64::INFINITY };
                let slope = slope.clamp(-limit, limit);
                let knot = |y: f64, shift: f64| Knot { at: Point { x: x[bend] + shift, y }, slope };
                knots.push(knot(top, -slope * half));
                if half > 0.0 {
                    knots.push(knot(bottom, slope * half));
                }
            }
            let enter = bands[layered.items[edge.lower].layer].0;
            if end.y - enter > 8.0 {
                knots.push(Knot { at: Point { x: end.x, y: enter }, slope: 0.0 });
            }
            knots.push(Knot { at: end, slope: 0.0 });
            lean_at_ends(&mut knots);
            let label =
                chain.iter().find(|&&item| layered.items[item].kind == Kind::Label).map(|&item| {
                    let shift = layered.items[item].right + LABEL_PAD;
                    Point { x: x[item] + shift / 2.0, y: middle(item) }
                });
            Route { start, pieces: pieces(&simplified(knots)), label }
        })
        .collect();
    Drawn {
        centres: (0..part.blocks.len()).map(|node| Point { x: x[node], y: middle(node) }).collect(),
        routes,
        height: bands.last().map_or(0.0, |band| band.1),
    }
}

/// Top and bottom of each layer. A gap is higher where edges travel far, so that they stay apart.
fn bands(layered: &Layered, x: &[f64]) -> Vec<(f64, f64)> {
    let base = if layered.doubled { GAP / 2.0 } else { GAP };
    let mut bands: Vec<(f64, f64)> = Vec::with_capacity(layered.layers.len());
    let mut top = 0.0;
    for layer in &layered.layers {
        let height = layer.iter().map(|&item| layered.items[item].height).fold(0.0, f64::max);
        bands.push((top, top + height));
        let travel = layer
            .iter()
            .flat_map(|&item| {
                layered.below[item].iter().map(move |&other| (x[item] - x[other]).abs())
            })
            .fold(0.0, f64::max);
        top += height + base + (0.1 * travel).min(2.0 * base);
    }
    bands
}

/// How far an edge may stray to either side within the band of each item.
fn clearances(layered: &Layered, x: &[f64]) -> Vec<f64> {
    let mut clearances = vec![6.0f64; layered.items.len()];
    for layer in &layered.layers {
        for pair in layer.windows(2) {
            let (a, b) = (&layered.items[pair[0]], &layered.items[pair[1]]);
            let free = (x[pair[1]] - b.left) - (x[pair[0]] + a.right);
            // Both may stray; what is left is kept between them.
            let share = ((free - 6.0) / 2.0).max(0.0);
            clearances[pair[0]] = clearances[pair[0]].min(share);
            clearances[pair[1]] = clearances[pair[1]].min(share);
        }
    }
    for (clearance, item) in clearances.iter_mut().zip(&layered.items) {
        if item.kind == Kind::Label {
            *clearance = clearance.min(LABEL_PAD - 3.0);
        }
    }
    clearances
}

/// For each edge how far right of the middle of its upper and of its lower node it ends.
fn ports(part: &Part, layered: &Layered, x: &[f64]) -> Vec<(f64, f64)> {
    let mut place = vec![0; layered.items.len()];
    for layer in &layered.layers {
        layer.iter().enumerate().for_each(|(at, &item)| place[item] = at);
    }
    let mut ports = vec![(0.0, 0.0); part.edges.len()];
    let mut leaving = vec![Vec::new(); part.blocks.len()];
    let mut entering = vec![Vec::new(); part.blocks.len()];
    for (at, edge) in part.edges.iter().enumerate() {
        leaving[edge.upper].push(at);
        entering[edge.lower].push(at);
    }
    for node in 0..part.blocks.len() {
        for (edges, leaves) in [(&mut leaving[node], true), (&mut entering[node], false)] {
            let next = |edge: usize| {
                let chain = &layered.chains[edge];
                if leaves { chain[1] } else { chain[chain.len() - 2] }
            };
            edges.sort_by_key(|&edge| (place[next(edge)], edge));
            let range = part.blocks[node].port_range();
            let wanted: Vec<(f64, f64)> = edges
                .iter()
                .map(|&edge| {
                    let other = next(edge);
                    // Two nodes meet halfway; a bend does not move.
                    let share = if layered.items[other].kind == Kind::Node { 0.5 } else { 1.0 };
                    let straight = share * (x[other] - x[node]);
                    let port = straight.clamp(-range, range);
                    (port, if port == straight { STRAIGHT_WEIGHT } else { 1.0 })
                })
                .collect();
            for (&edge, port) in edges.iter().zip(spread(&wanted, range)) {
                let end = if leaves { &mut ports[edge].0 } else { &mut ports[edge].1 };
                *end = port;
            }
        }
    }
    ports
}

/// The points in −range..=range nearest to the wanted ones (in the weighted sum of squares) that
/// are in the given order and as far apart as ports should be, if there is room. By pooling
/// adjacent violators.
fn spread(wanted: &[(f64, f64)], range: f64) -> Vec<f64> {
    let Some(last) = wanted.len().checked_sub(1) else { return Vec::new() };
    let distance = if last == 0 { 0.0 } else { PORT_DISTANCE.min(2.0 * range / last as f64) };
    // Without the distances the points need only not decrease.
    let mut pools: Vec<Pool> = Vec::new();
    for (at, &(point, weight)) in wanted.iter().enumerate() {
        let moment = weight * (point - distance * at as f64);
        let mut pool = Pool { moment, weight, count: 1 };
        while let Some(last) = pools.pop_if(|last| last.mean() > pool.mean()) {
            pool.moment += last.moment;
            pool.weight += last.weight;
            pool.count += last.count;
        }
        pools.push(pool);
    }
    let means = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.mean(), pool.count));
    let room = (-range, range - distance * last as f64);
    means
        .enumerate()
        .map(|(at, mean)| mean.max(room.0).min(room.1.max(room.0)) + distance * at as f64)
        .collect()
}

/// Points that have come together.
struct Pool {
    moment: f64,
    weight: f64,
    count: usize,
}

impl Pool {
    fn mean(&self) -> f64 {
        self.moment / self.weight
    }
}

/// The slope at a point between two secants: none where they point to different sides.
fn monotone_slope(before: f64, after: f64) -> f64 {
    if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
}

/// Lets a curve leave and enter its nodes in the direction it goes on.
fn lean_at_ends(knots: &mut [Knot]) {
    let count = knots.len();
    for (end, next) in [(0, 1), (count - 1, count - 2)] {
        let (a, b) = (knots[end], knots[next]);
        let height = b.at.y - a.at.y;
        if height != 0.0 {
            let secant = (b.at.x - a.at.x) / height;
            knots[end].slope = secant.clamp(-END_SLOPE, END_SLOPE);
        }
    }
}

/// The knots without those in the middle of a vertical line.
fn simplified(knots: Vec<Knot>) -> Vec<Knot> {
    let mut kept: Vec<Knot> = Vec::with_capacity(knots.len());
    for (at, knot) in knots.iter().enumerate() {
        let same = |other: Option<&Knot>| other.is_some_and(|o| (o.at.x - knot.at.x).abs() < 0.01);
        let inner = same(kept.last()) && same(knots.get(at + 1)) && knot.slope == 0.0;
        if !inner {
            kept.push(*knot);
        }
    }
    kept
}

/// The cubics through the knots. Control points are farther from bends than from nodes, which makes
/// the turns rounder.
fn pieces(knots: &[Knot]) -> Vec<[Point; 3]> {
    let last = knots.len() - 1;
    let arm = |at: usize| if at == 0 || at == last { ARMS.0 } else { ARMS.1 };
    (0..last)
        .map(|at| {
            let (a, b) = (knots[at], knots[at + 1]);
            let height = b.at.y - a.at.y;
            let (from, to) = (height * arm(at), height * arm(at + 1));
            [
                Point { x: a.at.x + a.slope * from, y: a.at.y + from },
                Point { x: b.at.x - b.slope * to, y: b.at.y - to },
                b.at,
            ]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_keep_order_distance_and_range() {
        let even = |wanted: &[f64], range: f64| {
            spread(&wanted.iter().map(|&port| (port, 1.0)).collect::<Vec<_>>(), range)
        };
        let d = PORT_DISTANCE;
        assert_eq!(even(&[], 10.0), Vec::<f64>::new());
        assert_eq!(even(&[4.0], 10.0), [4.0]);
        assert_eq!(even(&[0.0, 0.0, 0.0], 50.0), [-d, 0.0, d]);
        assert_eq!(even(&[-30.0, 0.0, 30.0], 50.0), [-30.0, 0.0, 30.0]);
        assert_eq!(even(&[9.0, 9.0, 9.0], 10.0), [-10.0, 0.0, 10.0]);
        assert_eq!(even(&[50.0, 50.0], 50.0), [50.0 - d, 50.0]);
        assert_eq!(even(&[0.0, 0.0], 0.0), [0.0, 0.0]);
        // The heavier of two moves less.
        assert_eq!(spread(&[(0.0, 3.0), (0.0, 1.0)], 50.0), [-d / 4.0, d - d / 4.0]);
    }

    #[test]
    fn slopes_do_not_swing() {
        assert_eq!(monotone_slope(1.0, -1.0), 0.0);
        assert_eq!(monotone_slope(0.0, 5.0), 0.0);
        assert_eq!(monotone_slope(2.0, 2.0), 2.0);
        assert!(monotone_slope(0.1, 100.0) < 0.3);
    }
}
