//! A component cut into layers, every edge going from one layer to the next.
//!
//! Ranks come from [`simplex`]. An edge that spans several layers is replaced by a
//! chain of bends, one in each layer between. Where some edge has a label, every edge spans at
//! least two layers, so that there are layers for labels between those of the nodes, and one bend
//! of each labelled edge is as wide as the label: the label then has its own room, and nothing
//! crosses it.
//!
//! Cost: that of the ranks, and linear in the bends, of which there may be as many as edges times
//! layers.

use super::loops::Block;
use super::simplex::{self, Constraint};
use super::{LABEL_PAD, Size};
use crate::Rank;

/// An edge of a component, in the direction of the layers.
#[derive(Debug, Clone)]
pub(super) struct PartEdge {
    pub upper: usize,
    pub lower: usize,
    pub label: Option<Size>,
}

/// One connected component: no self loops, no cycles.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub blocks: &'a [Block],
    pub ranks: &'a [Rank],
    pub edges: &'a [PartEdge],
}

/// What an item of a layer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Node,
    Bend,
    Label,
}

/// A member of a layer: the room it takes on both sides of its position, and in height.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub kind: Kind,
    pub layer: usize,
    pub left: f64,
    pub right: f64,
    pub height: f64,
}

/// A component in layers. The first items are the component's nodes.
#[derive(Debug)]
pub(super) struct Layered {
    pub items: Vec<Item>,
    /// For each item its neighbours in the layer above, one for each edge.
    pub above: Vec<Vec<usize>>,
    /// For each item its neighbours in the layer below, one for each edge.
    pub below: Vec<Vec<usize>>,
    /// For each edge its items from the upper to the lower end.
    pub chains: Vec<Vec<usize>>,
    /// The items of each layer from left to right.
    pub layers: Vec<Vec<usize>>,
    /// Whether layers between those of nodes were made for labels.
    pub doubled: bool,
}

impl Layered {
    /// Cuts the component into layers; the order in each is that in which items were made.
    pub fn new(part: &Part) -> Self {
        let doubled = part.edges.iter().any(|edge| edge.label.is_some());
        let layer = layers_of_nodes(part, if doubled { 2 } else { 1 });
        let count = layer.iter().max().map_or(0, |&last| last + 1);
        let mut has_nodes = vec![false; count];
        layer.iter().for_each(|&layer| has_nodes[layer] = true);

        let items = part
            .blocks
            .iter()
            .zip(&layer)
            .map(|(block, &layer)| Item {
                kind: Kind::Node,
                layer,
                left: block.left,
                right: block.right,
                height: block.height,
            })
            .collect();
        let mut layered = Self {
            items,
            above: Vec::new(),
            below: Vec::new(),
            chains: Vec::with_capacity(part.edges.len()),
            layers: vec![Vec::new(); count],
            doubled,
        };
        for edge in part.edges {
            let (first, last) = (layer[edge.upper], layer[edge.lower]);
            let label_layer = edge.label.and_then(|_| {
                // The middle, or the layer without nodes that is nearest to it.
                (first + 1..last).min_by_key(|&at| (has_nodes[at], (2 * at).abs_diff(first + last)))
            });
            let mut chain = vec![edge.upper];
            for at in first + 1..last {
                chain.push(layered.items.len());
                let label = edge.label.filter(|_| label_layer == Some(at));
                layered.items.push(bend(at, label));
            }
            chain.push(edge.lower);
            layered.chains.push(chain);
        }
        layered.above = vec![Vec::new(); layered.items.len()];
        layered.below = vec![Vec::new(); layered.items.len()];
        for pair in layered.chains.iter().flat_map(|chain| chain.windows(2)) {
            layered.below[pair[0]].push(pair[1]);
            layered.above[pair[1]].push(pair[0]);
        }
        for (at, item) in layered.items.iter().enumerate() {
            layered.layers[item.layer].push(at);
        }
        layered
    }

    /// The least distance between the positions of two items that are neighbours in a layer.
    pub fn distance(&self, left: usize, right: usize) -> f64 {
        let (a, b) = (&self.items[left], &self.items[right]);
        let gap = match (a.kind, b.kind) {
            (Kind::Node, Kind::Node) => 30.0,
            (Kind::Node, _) | (_, Kind::Node) => 18.0,
            (Kind::Bend, Kind::Bend) => 13.0,
            (Kind::Label, _) | (_, Kind::Label) => 12.0,
        };
        a.right + gap + b.left
    }
}

fn bend(layer: usize, label: Option<Size>) -> Item {
    let Some(label) = label else {
        return Item { kind: Kind::Bend, layer, left: 0.0, right: 0.0, height: 0.0 };
    };
    let right = LABEL_PAD + label.width;
    Item { kind: Kind::Label, layer, left: 0.0, right, height: label.height }
}

/// The layer of each node. Wishes to be first or last are constraints of great weight to a node
/// before (after) all others, which is forgotten afterwards.
fn layers_of_nodes(part: &Part, span: i64) -> Vec<usize> {
    const WISH: i64 = 1000;
    let count = part.blocks.len();
    let mut constraints: Vec<Constraint> = part
        .edges
        .iter()
        .map(|edge| Constraint { tail: edge.upper, head: edge.lower, length: span, weight: 1 })
        .collect();
    let mut total = count;
    let mut wish = |rank: Rank, constraint: fn(usize, usize) -> (usize, usize)| {
        if part.ranks.contains(&rank) {
            constraints.extend((0..count).map(|node| {
                let (tail, head) = constraint(total, node);
                let weight = if part.ranks[node] == rank { WISH } else { 0 };
                Constraint { tail, head, length: 0, weight }
            }));
            total += 1;
        }
    };
    wish(Rank::First, |extreme, node| (extreme, node));
    wish(Rank::Last, |extreme, node| (node, extreme));
    let mut ranks = simplex::ranks(total, &constraints, |_| false);
    ranks.truncate(count);
    let low = ranks.iter().copied().min().unwrap_or(0);
    ranks.iter().map(|rank| usize::try_from(rank - low).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::super::tests::{layered, node, plain_edges, random_edges};
    use super::*;
    use crate::Shape;

    #[test]
    fn edges_go_down_one_layer_at_a_time_and_labels_have_room() {
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(20);
            let edges = random_edges(&mut random, count);
            let layered = layered(count, &edges);
            for (edge, chain) in edges.iter().zip(&layered.chains) {
                assert_eq!((chain[0], chain[chain.len() - 1]), (edge.upper, edge.lower));
                for pair in chain.windows(2) {
                    let [a, b] = [pair[0], pair[1]].map(|at| layered.items[at].layer);
                    assert_eq!(a + 1, b, "seed {seed}");
                }
                let labels =
                    chain.iter().filter(|&&at| layered.items[at].kind == Kind::Label).count();
                assert_eq!(labels, usize::from(edge.label.is_some()), "seed {seed}");
            }
            assert!(layered.layers.iter().all(|layer| !layer.is_empty()), "seed {seed}");
        }
    }

    #[test]
    fn wishes_are_granted() {
        let blocks = vec![Block::new(&node(Shape::Box)); 5];
        // 0 → 1 → 2 and 3 → 2, 0 → 4: left alone, 3 would be beside 1 and so would 4.
        let edges = plain_edges([(0, 1), (1, 2), (3, 2), (0, 4)]);
        let ranks = [Rank::Free, Rank::Free, Rank::Free, Rank::First, Rank::Last];
        let part = Part { blocks: &blocks, ranks: &ranks, edges: &edges };
        let layers: Vec<usize> =
            Layered::new(&part).items[..5].iter().map(|item| item.layer).collect();
        assert_eq!(layers, [0, 1, 2, 0, 2]);
    }
}
