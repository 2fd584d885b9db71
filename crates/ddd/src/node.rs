//! Looking at diagrams, and building them, node by node.

use crate::arena::{Arc, Id, ONE, TOP, ZERO};
use crate::forest::check;
use crate::{Ddd, Forest, Result, Value, Variable};

/// What a diagram is, by Definition 1 of the paper.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// 0.
    Zero,
    /// 1.
    One,
    /// ⊤.
    Top,
    /// ⟨x, α⟩: a variable, and the values for which α is not 0, in ascending order.
    Arcs(Variable, Vec<(Value, Ddd)>),
}

impl Forest {
    /// The root of a diagram. O(width).
    pub fn node(&mut self, d: &Ddd) -> Node {
        match self.diagrams.id(d) {
            ZERO => Node::Zero,
            ONE => Node::One,
            TOP => Node::Top,
            id => {
                let Self { nodes, diagrams, .. } = self;
                let arcs = nodes.arcs(id).iter();
                let arcs = arcs.map(|[value, child]| (*value as Value, diagrams.hold(*child)));
                Node::Arcs(nodes.variable(id), arcs.collect())
            }
        }
    }

    /// ⟨x, α⟩ for the given α: the sum of x –v→ d over all pairs (v, d). O(width · log width), and
    /// unions where a value comes more than once.
    pub fn arcs<'a>(
        &mut self,
        variable: Variable,
        arcs: impl IntoIterator<Item = (Value, &'a Ddd)>,
    ) -> Result<Ddd> {
        check(variable)?;
        let arcs = arcs.into_iter().map(|(value, d)| (value, self.diagrams.id(d)));
        let arcs: Vec<(Value, Id)> = arcs.filter(|(_, id)| *id != ZERO).collect();
        let id = self.run(|forest| {
            let base = forest.stack.len();
            forest.stack.extend(arcs.iter().map(|(value, id)| Arc::new(*value, *id)));
            forest.finish_sum(variable, base)
        })?;
        Ok(self.diagrams.hold(id))
    }
}
