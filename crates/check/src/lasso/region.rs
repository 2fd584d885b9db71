//! Parts of the product: sets of nodes in which runs are to stay.

use super::product::{Product, Step};
use crate::graph::Graph;

/// A set of nodes. Made and emptied in time linear in the set, whatever the size of the product.
#[derive(Default)]
pub(super) struct Region {
    nodes: Vec<u32>,
    /// The position of each node of the product in the set, and one more.
    positions: Vec<u32>,
}

impl Region {
    /// Makes it the set of these nodes.
    pub(super) fn put(&mut self, nodes: Vec<u32>) {
        self.nodes.iter().for_each(|&node| self.positions[node as usize] = 0);
        let most = nodes.iter().max().map_or(0, |&most| most as usize + 1);
        if self.positions.len() < most {
            self.positions.resize(most, 0);
        }
        (1..).zip(&nodes).for_each(|(position, &node)| self.positions[node as usize] = position);
        self.nodes = nodes;
    }

    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The position of a node, if it is in the set.
    #[inline]
    pub(super) fn position(&self, node: u32) -> Option<u32> {
        self.positions.get(node as usize)?.checked_sub(1)
    }

    /// The steps from a node that stay inside.
    #[inline]
    pub(super) fn steps<G: Graph>(
        &self,
        product: &mut Product<'_, G>,
        node: u32,
        mut each: impl FnMut(Step, u32),
    ) {
        product.steps(node, |step, to| {
            if self.position(to).is_some() {
                each(step, to);
            }
        });
    }
}
