//! Individuals tracked through a part of the product: who can still be served there.
//!
//! The nodes of the graph of tracks are pairs of a node of the part and an individual of its state, and its
//! arcs follow individuals along every move that stays inside the part. An individual is served where it
//! acts or dies by a move inside the part; under weak fairness also where it is not enabled. What can
//! still come to be served is found backwards. Cost: linear in the arcs that start where nobody is served
//! at once, of which eight bytes each are kept, and one bit for each pair.

use super::individuals::{Individuals, Strength};
use super::part::Part;
use super::product::Product;
use crate::bits::Bits;
use crate::graph::Graph;
use crate::patience::{Patience, Spent};
use crate::reverse::Reverse;

pub(super) struct Tracks {
    /// The number of pairs of the nodes before each node of the part, and of all.
    starts: Vec<u32>,
    /// The pairs that can be served.
    hopeful: Bits,
}

impl Tracks {
    pub(super) fn of<G: Graph>(
        part: &Part,
        product: &mut Product<'_, G>,
        strength: Strength,
        individuals: &mut dyn Individuals,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Spent> {
        let mut starts = vec![0];
        for &node in part.nodes() {
            let pairs = individuals.moves(product.state(node)).enabled.len();
            let end = starts[starts.len() - 1] as usize + pairs;
            starts.push(u32::try_from(end).expect("fewer than 2^32 pairs fit into memory"));
        }
        let mut tracks = Self { hopeful: Bits::new(starts[part.nodes().len()]), starts };
        let mut arcs = Vec::new();
        let (mut ways, mut inside) = (Vec::new(), Vec::new());
        for (position, &node) in (0..).zip(part.nodes()) {
            let moves = individuals.moves(product.state(node));
            let pair = |individual: u32| tracks.starts[position as usize] + individual;
            if strength == Strength::Weak {
                for (individual, &enabled) in (0..).zip(&moves.enabled) {
                    if !enabled {
                        tracks.hopeful.set(pair(individual));
                    }
                }
            }
            // The moves that stay inside, with where they lead.
            product.ways(node, &mut ways);
            inside.clear();
            for (number, step) in moves.moves.iter().enumerate() {
                for &way in &ways {
                    let to = product.after(way, step.target);
                    inside.extend(part.position(to).map(|to| (number, to)));
                }
            }
            patience.spend(moves.moves.len() * ways.len() + 1)?;
            for &(number, _) in &inside {
                for (individual, fate) in (0..).zip(&moves.moves[number].fates) {
                    if fate.acts || fate.becomes.is_none() {
                        tracks.hopeful.set(pair(individual));
                    }
                }
            }
            for &(number, to) in &inside {
                let fates = &moves.moves[number].fates;
                patience.spend(fates.len())?;
                for (individual, fate) in (0..).zip(fates) {
                    if let Some(becomes) = fate.becomes
                        && !tracks.hopeful.get(pair(individual))
                    {
                        arcs.push((pair(individual), tracks.starts[to as usize] + becomes));
                    }
                }
            }
        }
        let reverse = Reverse::new(tracks.hopeful.bound(), || arcs.iter().copied(), patience)?;
        reverse.spread(&mut tracks.hopeful, |_| true, patience)?;
        Ok(tracks)
    }

    /// Whether an individual can come to be served, from a node given by its position in the part.
    pub(super) fn is_hopeful(&self, position: u32, individual: u32) -> bool {
        self.hopeful.get(self.starts[position as usize] + individual)
    }
}
