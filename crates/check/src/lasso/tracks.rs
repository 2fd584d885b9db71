//! Individuals tracked through a part of the product: who can still be served there.
//!
//! The nodes of the graph of tracks are pairs of a node of the part and an individual of its state, and its
//! arcs follow individuals along every move that stays inside the part. An individual is served where it
//! acts or dies by a move inside the part; under weak fairness also where it is not enabled. What can
//! still come to be served is found backwards. Cost: linear in the arcs that start where nobody is served
//! at once, of which eight bytes each are kept, and one bit for each pair.

use budget::{Budget, Exhausted};

use super::individuals::{Individuals, Strength};
use super::product::Product;
use super::region::Region;
use crate::bits::Bits;
use crate::graph::Graph;
use crate::reverse::Reverse;

pub(super) struct Tracks {
    /// The number of pairs of the nodes before each node of the part, and of all.
    starts: Vec<u32>,
    /// The pairs that can be served.
    hopeful: Bits,
}

impl Tracks {
    pub(super) fn of<G: Graph>(
        region: &Region,
        product: &mut Product<'_, G>,
        strength: Strength,
        individuals: &mut dyn Individuals,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut starts = vec![0];
        for &node in region.nodes() {
            let pairs = individuals.moves(product.state(node))?.enabled.len();
            let end = starts[starts.len() - 1] as usize + pairs;
            starts.push(u32::try_from(end).expect("fewer than 2^32 pairs fit into memory"));
        }
        let mut tracks = Self { hopeful: Bits::new(starts[region.nodes().len()]), starts };
        let mut arcs = Vec::new();
        let (mut ways, mut inside) = (Vec::new(), Vec::new());
        for (position, &node) in (0..).zip(region.nodes()) {
            let moves = individuals.moves(product.state(node))?;
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
                    inside.extend(region.position(to).map(|to| (number, to)));
                }
            }
            budget.check()?;
            for &(number, _) in &inside {
                for (individual, fate) in (0..).zip(&moves.moves[number].fates) {
                    if fate.acts || fate.becomes.is_none() {
                        tracks.hopeful.set(pair(individual));
                    }
                }
            }
            for &(number, to) in &inside {
                let fates = &moves.moves[number].fates;
                budget.check()?;
                for (individual, fate) in (0..).zip(fates) {
                    if let Some(becomes) = fate.becomes
                        && !tracks.hopeful.get(pair(individual))
                    {
                        arcs.push((pair(individual), tracks.starts[to as usize] + becomes));
                    }
                }
            }
        }
        let reverse = Reverse::new(tracks.hopeful.bound(), || arcs.iter().copied(), budget)?;
        reverse.spread(&mut tracks.hopeful, |_, _| true, budget)?;
        Ok(tracks)
    }

    /// Whether an individual can come to be served, from a node given by its position in the part.
    pub(super) fn is_hopeful(&self, position: u32, individual: u32) -> bool {
        self.hopeful.get(self.starts[position as usize] + individual)
    }
}
