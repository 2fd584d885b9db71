//! The reachable markings of an unfolded net, in a decision diagram.
//!
//! A marking is a sequence of assignments, one for each place that may change, in an order found
//! from the structure of the net ([`PlaceOrder`]) or given. A transition is a chain of guarded
//! shifts ([`step`]), and the reachable set is the closure of their sum, by saturation. What is
//! asked of it is counted on its nodes ([`table`]), exactly: nothing is enumerated.
//!
//! Y. Thierry-Mieg, J.-M. Ilié, D. Poitrenaud, *A Symbolic Symbolic State Space Representation*,
//! FORTE 2004, has such diagrams of symbolic markings; this is for nets that have too little
//! symmetry for it, and for those whose unfolded markings share more than their symbolic ones.

mod climb;
mod ctl;
mod force;
mod lasso;
mod ltl;
mod machines;
mod names;
mod order;
mod predicate;
mod query;
mod race;
mod relation;
mod simplify;
mod step;
mod table;
mod walk;

use budget::Phase;
use ddd::{Ddd, Forest};
use num_bigint::BigUint;

use climb::Climb;
pub use ddd::{Error as DiagramError, Limits as DiagramLimits};
pub use order::PlaceOrder;
pub use predicate::Predicate;
use relation::Relation;
use table::Table;

use crate::UnfoldedNet;

/// The reachable markings of an unfolded net.
///
/// A question ends with an error if a limit is reached; the diagram can be asked again. It panics if it names a
/// place that the symmetric net does not have, or an atom that is not given.
#[derive(Debug)]
pub struct Diagram {
    net: UnfoldedNet,
    order: PlaceOrder,
    forest: Forest,
    markings: Ddd,
    table: Table,
    peak_nodes: usize,
    relation: Option<Relation>,
}

/// What there is to be known of all reachable markings; compare [`Census`](symbolic::Census).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagramCensus {
    /// The number of markings.
    pub states: BigUint,
    /// The number of pairs of a marking and an enabled binding.
    pub edges: BigUint,
    /// The number of markings in which nothing is enabled.
    pub deadlocks: BigUint,
    /// The largest number of tokens in a marking.
    pub most_tokens: BigUint,
    /// The largest number of tokens in an unfolded place.
    pub most_in_place: u64,
    /// The nodes of the diagram, its terminal among them.
    pub final_nodes: usize,
    /// The most nodes there were at once on the way, garbage included, in the order that was taken.
    pub peak_nodes: usize,
}

impl Diagram {
    /// Computes the reachable markings, in the first of some orders that comes to an end; see
    /// [`PlaceOrder::candidates`].
    ///
    /// If there are infinitely many, or just too many, one of the limits ends this.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or a place would have more than 2^31 - 1 tokens.
    ///
    /// # Panics
    ///
    /// If there is no order, or one is that of another net.
    pub fn of(
        net: UnfoldedNet,
        orders: Vec<PlaceOrder>,
        limits: &DiagramLimits,
    ) -> Result<Self, DiagramError> {
        for order in &orders {
            assert_eq!(order.places().len(), net.places.len(), "an order of another net");
        }
        let _under = limits.budget.progress().during(Phase::Diagram);
        let Climb { order, mut forest, markings, .. } = race::first_at_end(&net, orders, limits)?;
        forest.set_limits(limits.clone());
        let peak_nodes = forest.statistics().peak_nodes;
        let table = Table::of(&forest, &markings, net.places.len());
        Ok(Self { net, order, forest, markings, table, peak_nodes, relation: None })
    }

    /// Changes what questions may use: the next one has a deadline of its own, for example.
    pub fn set_limits(&mut self, limits: DiagramLimits) {
        self.forest.set_limits(limits);
    }

    /// Counts. What is enabled costs, for each transition, a visit to the nodes between the first and the last
    /// of its places.
    pub fn census(&mut self) -> Result<DiagramCensus, DiagramError> {
        let _under = self.forest.limits().budget.progress().during(Phase::Counting);
        let dead = self.satisfying(&Predicate::Dead)?;
        let places = (0..self.net.fixed.len() as u32).map(|place| (place, 1));
        let (_, most) = self.range(&places.collect::<Vec<_>>());
        let most_in_place = self.table.greatest_value().unsigned_abs().into();
        Ok(DiagramCensus {
            states: self.forest.count(&self.markings),
            edges: self.edges()?,
            deadlocks: self.forest.count(&dead),
            most_tokens: most.to_biguint().expect("no place has less than no tokens"),
            most_in_place: self.net.most_fixed.max(most_in_place),
            final_nodes: self.table.len(),
            peak_nodes: self.peak_nodes,
        })
    }

    fn edges(&mut self) -> Result<BigUint, DiagramError> {
        let mut sum = BigUint::ZERO;
        let mut guards = Vec::new();
        for transition in &self.net.transitions {
            if transition.sums.is_empty() {
                guards.push((step::guards(transition, &self.order), transition.bindings));
            } else {
                let enabled = step::enabled(&mut self.forest, transition, &self.order)?;
                let enabled = self.forest.apply(&enabled, &self.markings)?;
                sum += self.forest.count(&enabled) * transition.bindings;
            }
        }
        Ok(sum + self.table.count_enabled(&guards, self.forest.limits())?)
    }
}
