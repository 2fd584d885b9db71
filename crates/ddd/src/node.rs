//! Looking at diagrams, and building them, node by node.

use rustc_hash::FxHashMap;

use crate::arena::{Arc, Id, ONE, TOP, ZERO};
use crate::forest::check;
use crate::{Ddd, Forest, Result, Value, Variable};

/// What a diagram is, by Definition 1 of the paper; or what something else that is said of
/// diagrams by induction is made of ([`Forest::fold`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node<D = Ddd> {
    /// 0.
    Zero,
    /// 1.
    One,
    /// ⊤.
    Top,
    /// ⟨x, α⟩: a variable, and the values for which α is not 0, in ascending order.
    Arcs(Variable, Vec<(Value, D)>),
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

    /// What is said of a diagram by induction: of terminals, and of nodes by what is said of their
    /// children. Each node is asked about once; what is said of it is kept until the end.
    ///
    /// ```
    /// use ddd::{Forest, Node};
    ///
    /// // The greatest sum of values in a sequence.
    /// let mut forest = Forest::new();
    /// let (d, e) = (forest.sequence(&[(0, 3), (1, 4)])?, forest.sequence(&[(0, 5), (1, 1)])?);
    /// let both = forest.union(&d, &e)?;
    /// let greatest = forest.fold(&both, |node: Node<&i64>| match node {
    ///     Node::Arcs(_, arcs) => arcs.iter().map(|(v, rest)| i64::from(*v) + **rest).max().unwrap(),
    ///     _ => 0,
    /// });
    /// assert_eq!(greatest, 7);
    /// # Ok::<(), ddd::Error>(())
    /// ```
    pub fn fold<T>(&self, d: &Ddd, said: impl FnMut(Node<&T>) -> T) -> T {
        let order = self.bottom_up(vec![self.diagrams.id(d)]);
        self.fold_in(&order, said)
    }

    /// The same over nodes in an order, children first; of the last.
    pub(crate) fn fold_in<T>(&self, order: &[Id], mut said: impl FnMut(Node<&T>) -> T) -> T {
        let mut results: FxHashMap<Id, T> = FxHashMap::default();
        for id in order {
            let result = said(match *id {
                ZERO => Node::Zero,
                ONE => Node::One,
                TOP => Node::Top,
                id => {
                    let arcs = self.nodes.arcs(id).iter();
                    let arcs = arcs.map(|[value, child]| (*value as Value, &results[child]));
                    Node::Arcs(self.nodes.variable(id), arcs.collect())
                }
            });
            results.insert(*id, result);
        }
        let last = order.last().and_then(|last| results.remove(last));
        last.expect("a diagram has a root")
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
