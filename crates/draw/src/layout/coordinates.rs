//! Positions along the layers: long edges straight, nodes near the middle of their neighbours.
//!
//! Brandes and Köpf, *Fast and simple horizontal coordinate assignment*, Graph Drawing 2001. Items
//! are aligned with a median neighbour into vertical blocks, four times: with the layer above or
//! below, leaning left or right. Each alignment gives coordinates; an item ends at the mean of the
//! two middle ones. Where a link between two bends crosses one that has a node at an end, the
//! former wins, so that the inner part of a long edge is straight.
//!
//! We deviate in the compaction: the blocks of an alignment are a directed acyclic graph ("is left
//! of"), and each goes as far left as a longest path allows, then as far right as those to the
//! right of it allow. This avoids the flaw of the published compaction (Brandes, Walter and Zink,
//! *Erratum*, 2020), and takes items of any width, with unlike room to both sides.
//!
//! Least distances hold in each of the four, hence also for the mean of the two middle ones: order
//! statistics are monotone. Cost: O(m log m) for the sorting of neighbours, the rest linear.

use std::collections::HashSet;

use super::acyclic::topological;
use super::layers::{Kind, Layered};

/// The position of each item.
pub(super) fn positions(layered: &Layered) -> Vec<f64> {
    let mut place = vec![0; layered.items.len()];
    for layer in &layered.layers {
        layer.iter().enumerate().for_each(|(at, &item)| place[item] = at);
    }
    let conflicts = conflicts(layered, &place);
    let mut candidates: Vec<Vec<f64>> = Vec::with_capacity(4);
    for down in [true, false] {
        for mirrored in [false, true] {
            let blocks = Alignment { layered, place: &place, conflicts: &conflicts, mirrored };
            let mut x = blocks.compact(&blocks.roots(down));
            if mirrored {
                x.iter_mut().for_each(|x| *x = -*x);
            }
            candidates.push(x);
        }
    }
    // The four are brought over one another at the narrowest: left borders of those that lean left,
    // right borders of those that lean right.
    let extent = |x: &Vec<f64>| {
        layered
            .items
            .iter()
            .zip(x)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (item, &x)| {
                (l.min(x - item.left), h.max(x + item.right))
            })
    };
    let extents: Vec<(f64, f64)> = candidates.iter().map(extent).collect();
    let narrowest = extents.iter().copied().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    if let Some((low, high)) = narrowest {
        for (at, x) in candidates.iter_mut().enumerate() {
            let shift = if at % 2 == 0 { low - extents[at].0 } else { high - extents[at].1 };
            x.iter_mut().for_each(|x| *x += shift);
        }
    }
    (0..layered.items.len())
        .map(|item| {
            let mut four = [0, 1, 2, 3].map(|at| candidates[at][item]);
            four.sort_by(f64::total_cmp);
            (four[1] + four[2]) / 2.0
        })
        .collect()
}

/// The links (upper, lower) that have a node at an end and cross a link between two bends.
fn conflicts(layered: &Layered, place: &[usize]) -> HashSet<(usize, usize)> {
    let mut conflicts = HashSet::new();
    let is_node = |item: usize| layered.items[item].kind == Kind::Node;
    for pair in layered.layers.windows(2) {
        let (upper, lower) = (&pair[0], &pair[1]);
        let mut low = 0;
        let mut next = 0;
        for (at, &item) in lower.iter().enumerate() {
            let inner =
                (!is_node(item)).then(|| layered.above[item][0]).filter(|&above| !is_node(above));
            if inner.is_none() && at + 1 < lower.len() {
                continue;
            }
            // Links that end between two inner ones must also start between them.
            let high = inner.map_or(upper.len(), |above| place[above]);
            for &between in &lower[next..=at] {
                for &above in &layered.above[between] {
                    let outside = place[above] < low || place[above] > high;
                    if outside && (is_node(above) || is_node(between)) {
                        conflicts.insert((above, between));
                    }
                }
            }
            next = at + 1;
            low = if inner.is_some() { high } else { low };
        }
    }
    conflicts
}

struct Alignment<'a> {
    layered: &'a Layered,
    place: &'a [usize],
    conflicts: &'a HashSet<(usize, usize)>,
    /// Whether left and right are exchanged.
    mirrored: bool,
}

impl Alignment<'_> {
    /// The items of a layer from left to right, or the other way if mirrored.
    fn layer(&self, at: usize) -> impl Iterator<Item = usize> {
        let layer = &self.layered.layers[at];
        (0..layer.len()).map(move |i| layer[if self.mirrored { layer.len() - 1 - i } else { i }])
    }

    /// For each item the first of the block in which it is aligned, with the layer above it if
    /// `down`.
    fn roots(&self, down: bool) -> Vec<usize> {
        let count = self.layered.layers.len();
        let mut root: Vec<usize> = (0..self.layered.items.len()).collect();
        let mut neighbours: Vec<usize> = Vec::new();
        for step in 1..count {
            let at = if down { step } else { count - 1 - step };
            let fixed = if down { at - 1 } else { at + 1 };
            let width = self.layered.layers[fixed].len();
            let side = |item: usize| {
                if self.mirrored { width - 1 - self.place[item] } else { self.place[item] }
            };
            // The first place of the fixed layer that is still free.
            let mut free = 0;
            for item in self.layer(at) {
                let links = if down { &self.layered.above } else { &self.layered.below };
                neighbours.clear();
                neighbours.extend(&links[item]);
                neighbours.sort_unstable_by_key(|&other| side(other));
                let Some(last) = neighbours.len().checked_sub(1) else { continue };
                for other in [neighbours[last / 2], neighbours[last.div_ceil(2)]] {
                    let link = if down { (other, item) } else { (item, other) };
                    if !self.conflicts.contains(&link) && side(other) >= free {
                        root[item] = root[other];
                        free = side(other) + 1;
                        break;
                    }
                }
            }
        }
        root
    }

    /// Positions in which every block is straight, as narrow as the order allows.
    fn compact(&self, root: &[usize]) -> Vec<f64> {
        let mut links = Vec::new();
        let mut lengths = Vec::new();
        for at in 0..self.layered.layers.len() {
            let mut before = None;
            for item in self.layer(at) {
                if let Some(before) = before {
                    links.push((root[before], root[item]));
                    lengths.push(if self.mirrored {
                        self.layered.distance(item, before)
                    } else {
                        self.layered.distance(before, item)
                    });
                }
                before = Some(item);
            }
        }
        let count = root.len();
        let order = topological(count, &links);
        assert!(order.is_some(), "blocks that do not cross are in a partial order");
        let order = order.unwrap_or_default();
        let mut out: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
        for (&(left, right), &length) in links.iter().zip(&lengths) {
            out[left].push((right, length));
        }
        let mut x = vec![0.0f64; count];
        for &block in &order {
            for &(right, length) in &out[block] {
                x[right] = x[right].max(x[block] + length);
            }
        }
        for &block in order.iter().rev() {
            let room = out[block].iter().map(|&(right, length)| x[right] - length);
            let room = room.fold(f64::INFINITY, f64::min);
            if room.is_finite() {
                x[block] = x[block].max(room);
            }
        }
        root.iter().map(|&block| x[block]).collect()
    }
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::order;
    use super::super::tests::{assert_distances, layered, plain_edges, random_edges};
    use super::*;

    #[test]
    fn neighbours_keep_their_distance() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(40);
            let mut layered = layered(count, &random_edges(&mut random, count));
            order::reduce_crossings(&mut layered);
            assert_distances(&layered, &positions(&layered), 1e-6, seed);
        }
    }

    #[test]
    fn a_path_and_the_edge_beside_it_are_straight() {
        let path = (0..6).map(|upper| (upper, upper + 1));
        let mut layered = layered(7, &plain_edges(path.chain([(0, 6)])));
        order::reduce_crossings(&mut layered);
        let x = positions(&layered);
        for items in [&layered.chains[1][..], &layered.chains[4], &layered.chains[6][1..6]] {
            assert!(items.windows(2).all(|pair| (x[pair[0]] - x[pair[1]]).abs() < 1e-9));
        }
    }
}
