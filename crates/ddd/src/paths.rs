//! Enumeration of the sequences of a set.

use crate::arena::{Id, ONE};
use crate::{Ddd, Forest, Value, Variable};

/// The sequences of a set, in the order of their values. See [`Forest::paths`].
#[derive(Clone, Debug)]
pub struct Paths<'a> {
    forest: &'a Forest,
    /// The nodes on the way, each with the arc to take next.
    way: Vec<(Id, usize)>,
    sequence: Vec<(Variable, Value)>,
    /// The empty sequence is yet to be given.
    at_one: bool,
}

impl Forest {
    /// The sequences of a set, one by one; those that end in ⊤ are left out.
    ///
    /// Each costs its length at most. The forest cannot change meanwhile.
    pub fn paths(&self, d: &Ddd) -> Paths<'_> {
        let id = self.diagrams.id(d);
        let way = if self.nodes.is_node(id) { vec![(id, 0)] } else { Vec::new() };
        Paths { forest: self, way, sequence: Vec::new(), at_one: id == ONE }
    }

    /// Whether a sequence is in the set. O(length · log width).
    pub fn contains(&self, d: &Ddd, sequence: &[(Variable, Value)]) -> bool {
        let mut id = self.diagrams.id(d);
        for (variable, value) in sequence {
            if !self.nodes.is_node(id) || self.nodes.variable(id) != *variable {
                return false;
            }
            let arcs = self.nodes.arcs(id);
            match arcs.binary_search_by_key(value, |arc| arc[0] as Value) {
                Ok(at) => id = arcs[at][1],
                Err(_) => return false,
            }
        }
        id == ONE
    }
}

impl Iterator for Paths<'_> {
    type Item = Vec<(Variable, Value)>;

    fn next(&mut self) -> Option<Self::Item> {
        if std::mem::take(&mut self.at_one) {
            return Some(Vec::new());
        }
        let nodes = &self.forest.nodes;
        while let Some(depth) = self.way.len().checked_sub(1) {
            let (id, next) = &mut self.way[depth];
            self.sequence.truncate(depth);
            let (id, at) = (*id, *next);
            *next += 1;
            if at == nodes.width(id) {
                self.way.pop();
                continue;
            }
            let arc = nodes.arc(id, at);
            self.sequence.push((nodes.variable(id), arc.value));
            if nodes.is_node(arc.child) {
                self.way.push((arc.child, 0));
            } else if arc.child == ONE {
                return Some(self.sequence.clone());
            }
        }
        None
    }
}
