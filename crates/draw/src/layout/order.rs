//! The order of items within layers: few crossings.
//!
//! The layer-by-layer sweep of Sugiyama, Tagawa and Toda (1981): going down, then up, each layer is
//! sorted by the mean position of its items' neighbours in the layer before; after each sweep,
//! neighbours in a layer are exchanged while that removes crossings (the transposition of Gansner
//! et al. 1993). The best order seen is kept. Ties are treated now from the left, now from the right,
//! which gets out of many local minima; nothing is random.
//!
//! Two layers are a bipartite graph whose crossings are the inversions of its edges in
//! lexicographic order, counted in O(m log n) with a Fenwick tree (Barth, Jünger and Mutzel,
//! *Simple and efficient bilayer cross counting*, 2002).
//!
//! Cost: O(m log n) for a sweep; the number of sweeps falls as the graph grows.

use super::layers::Layered;

/// Chain links looked at by all sweeps together, about.
const BUDGET: usize = 3_000_000;
const MAX_ROUNDS: usize = 600;
const MIN_ROUNDS: usize = 8;
/// Rounds without a better order after which it is given up.
const PATIENCE: usize = 200;

/// Whether ties in a layer are treated from right to left. The first rounds go from left to right;
/// then a fixed scramble of round and layer decides, since what is mirrored in all layers at once
/// is merely mirrored.
fn is_mirrored(round: usize, layer: usize) -> bool {
    let mixed = (round as u64 / 2 * 64 + layer as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    round >= 2 && (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
}

/// Orders every layer.
pub(super) fn reduce_crossings(layered: &mut Layered) {
    let links: usize = layered.below.iter().map(Vec::len).sum();
    let rounds = (BUDGET / links.max(1)).clamp(MIN_ROUNDS, MAX_ROUNDS);
    let mut sweeper = Sweeper::new(layered);
    let (mut fewest, mut best) = (sweeper.crossings(), sweeper.layers.clone());
    let mut tired = 0;
    for round in 0..rounds {
        if fewest == 0 || tired == PATIENCE {
            break;
        }
        sweeper.sweep(round);
        sweeper.transpose(round % 4 >= 2);
        tired += 1;
        let now = sweeper.crossings();
        if now < fewest {
            (fewest, best, tired) = (now, sweeper.layers.clone(), 0);
        }
    }
    layered.layers = best;
}

/// An item of the layer being transposed, and where the places of its neighbours are.
struct Member {
    item: usize,
    start: usize,
    middle: usize,
    end: usize,
}

struct Sweeper<'a> {
    layered: &'a Layered,
    layers: Vec<Vec<usize>>,
    /// For each item its place in its layer.
    place: Vec<usize>,
}

impl<'a> Sweeper<'a> {
    fn new(layered: &'a Layered) -> Self {
        let (layers, place) = (layered.layers.clone(), vec![0; layered.items.len()]);
        let mut sweeper = Self { layered, layers, place };
        (0..sweeper.layers.len()).for_each(|layer| sweeper.number(layer));
        sweeper
    }

    fn number(&mut self, layer: usize) {
        for (at, &item) in self.layers[layer].iter().enumerate() {
            self.place[item] = at;
        }
    }

    /// Sorts each layer by its neighbours in the one before, downwards in even rounds.
    fn sweep(&mut self, round: usize) {
        let down = round.is_multiple_of(2);
        let count = self.layers.len();
        for step in 1..count {
            let layer = if down { step } else { count - 1 - step };
            self.sort(layer, down, is_mirrored(round, layer));
            self.number(layer);
        }
    }

    /// Sorts a layer by the means of its items' neighbours; items without any stay where they are.
    fn sort(&mut self, layer: usize, down: bool, mirrored: bool) {
        let neighbours = if down { &self.layered.above } else { &self.layered.below };
        let mut keyed: Vec<(f64, usize)> = self.layers[layer]
            .iter()
            .filter(|&&item| !neighbours[item].is_empty())
            .map(|&item| {
                let sum: usize = neighbours[item].iter().map(|&other| self.place[other]).sum();
                (sum as f64 / neighbours[item].len() as f64, item)
            })
            .collect();
        if mirrored {
            keyed.reverse();
        }
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sorted = keyed.into_iter();
        for slot in &mut self.layers[layer] {
            if !neighbours[*slot].is_empty()
                && let Some((_, item)) = sorted.next()
            {
                *slot = item;
            }
        }
    }

    /// Exchanges neighbours in a layer while there are fewer crossings for it, at most twice along
    /// each layer; if `eager`, also when there are as many, to leave plateaus.
    fn transpose(&mut self, eager: bool) {
        // The layers around do not move meanwhile, so their places are looked up and sorted once:
        // of each member, those above and then those below.
        let mut places: Vec<usize> = Vec::new();
        let mut members: Vec<Member> = Vec::new();
        for layer in 0..self.layers.len() {
            places.clear();
            members.clear();
            for &item in &self.layers[layer] {
                let start = places.len();
                places.extend(self.layered.above[item].iter().map(|&other| self.place[other]));
                let middle = places.len();
                places.extend(self.layered.below[item].iter().map(|&other| self.place[other]));
                places[start..middle].sort_unstable();
                places[middle..].sort_unstable();
                members.push(Member { item, start, middle, end: places.len() });
            }
            let crossings = |a: &Member, b: &Member| {
                inversions(&places[a.start..a.middle], &places[b.start..b.middle])
                    + inversions(&places[a.middle..a.end], &places[b.middle..b.end])
            };
            for _ in 0..2 {
                let mut exchanged = false;
                for at in 1..members.len() {
                    let kept = crossings(&members[at - 1], &members[at]);
                    if kept == 0 {
                        continue;
                    }
                    let exchange = crossings(&members[at], &members[at - 1]);
                    if exchange < kept || (eager && exchange == kept) {
                        members.swap(at - 1, at);
                        exchanged = true;
                    }
                }
                if !exchanged {
                    break;
                }
            }
            for (slot, member) in self.layers[layer].iter_mut().zip(&members) {
                *slot = member.item;
            }
            self.number(layer);
        }
    }

    fn crossings(&self) -> usize {
        self.layers.windows(2).map(|pair| self.crossings_between(&pair[0], pair[1].len())).sum()
    }

    /// The crossings between a layer and the next, which has `width` items.
    fn crossings_between(&self, layer: &[usize], width: usize) -> usize {
        let mut fenwick = vec![0usize; width + 1];
        let (mut crossings, mut seen) = (0, 0);
        let mut ends = Vec::new();
        for &item in layer {
            ends.clear();
            ends.extend(self.layered.below[item].iter().map(|&other| self.place[other]));
            ends.sort_unstable();
            for &end in &ends {
                // How many earlier edges end at or before this one.
                let mut at = end + 1;
                let mut before = 0;
                while at > 0 {
                    before += fenwick[at];
                    at &= at - 1;
                }
                crossings += seen - before;
                seen += 1;
                let mut at = end + 1;
                while at <= width {
                    fenwick[at] += 1;
                    at += at & at.wrapping_neg();
                }
            }
        }
        crossings
    }
}

/// The number of pairs (x in `a`, y in `b`) with x > y; both are sorted.
fn inversions(a: &[usize], b: &[usize]) -> usize {
    let (mut at, mut count) = (0, 0);
    for &x in a {
        while at < b.len() && b[at] < x {
            at += 1;
        }
        count += at;
    }
    count
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::tests::{layered, plain_edges};
    use super::*;

    /// The definition: pairs of links that change sides.
    fn crossings_by_definition(layered: &Layered) -> usize {
        let mut place = vec![0; layered.items.len()];
        for layer in &layered.layers {
            layer.iter().enumerate().for_each(|(at, &item)| place[item] = at);
        }
        let links: Vec<(usize, usize, usize)> = layered
            .chains
            .iter()
            .flat_map(|chain| chain.windows(2))
            .map(|pair| (layered.items[pair[0]].layer, place[pair[0]], place[pair[1]]))
            .collect();
        let cross = |a: &(usize, usize, usize), b: &(usize, usize, usize)| {
            a.0 == b.0 && ((a.1 < b.1 && a.2 > b.2) || (a.1 > b.1 && a.2 < b.2))
        };
        (0..links.len())
            .map(|at| links[..at].iter().filter(|other| cross(&links[at], other)).count())
            .sum()
    }

    #[test]
    fn crossings_are_counted_right_and_never_become_more() {
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(25);
            let mut ends: Vec<(usize, usize)> =
                (1..count).map(|lower| (random.below(lower), lower)).collect();
            for _ in 0..random.below(25) {
                let lower = 1 + random.below(count - 1);
                ends.push((random.below(lower), lower));
            }
            let mut graph = layered(count, &plain_edges(ends));
            let before = Sweeper::new(&graph).crossings();
            assert_eq!(before, crossings_by_definition(&graph), "seed {seed}");
            let mut members: Vec<Vec<usize>> = graph.layers.clone();
            reduce_crossings(&mut graph);
            assert!(Sweeper::new(&graph).crossings() <= before, "seed {seed}");
            for (old, new) in members.iter_mut().zip(&graph.layers) {
                let mut new = new.clone();
                old.sort_unstable();
                new.sort_unstable();
                assert_eq!(*old, new, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_small_planar_graph_has_no_crossings() {
        // Planar, but 5 and 6 have the same mean and so do the links that cross above them.
        let ends = [(0, 1), (0, 2), (1, 3), (2, 4), (3, 6), (3, 5), (4, 6), (6, 7), (5, 7)];
        let mut graph = layered(8, &plain_edges(ends));
        reduce_crossings(&mut graph);
        assert_eq!(Sweeper::new(&graph).crossings(), 0);
    }

    #[test]
    fn a_tree_has_no_crossings() {
        // Children are numbered so that the order in which items are made has crossings.
        let ends = (1..40).map(|node| ((node * 7) % 39 % node, node));
        let mut graph = layered(40, &plain_edges(ends));
        reduce_crossings(&mut graph);
        assert_eq!(Sweeper::new(&graph).crossings(), 0);
    }
}
