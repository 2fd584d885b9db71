//! What is asked of the reachable markings.
//!
//! A set of markings that satisfy something is a subset of the reachable ones. Whether it is empty, or
//! has the initial marking in it, decides reachability and invariants; how large a sum of tokens may be is
//! read off the nodes without making a set.

use ddd::{Ddd, Result};
use num_bigint::{BigInt, BigUint};

use super::simplify::simplified;
use super::{Diagram, Predicate};

impl Diagram {
    /// The reachable markings in which a predicate holds.
    pub fn satisfying(&mut self, predicate: &Predicate) -> Result<Ddd> {
        let all = self.markings.clone();
        self.those(&all, &simplified(predicate, true))
    }

    /// Whether a predicate holds in some reachable marking.
    pub fn holds_somewhere(&mut self, predicate: &Predicate) -> Result<bool> {
        let all = self.markings.clone();
        self.any(&all, &simplified(predicate, true))
    }

    /// The number of markings in a set that was [found here](Self::satisfying). O(nodes).
    #[must_use]
    pub fn count(&self, set: &Ddd) -> BigUint {
        self.forest.count(set)
    }

    /// The least and the greatest number of tokens that places of the symmetric net, each times a factor,
    /// have together in a reachable marking. O(nodes between the first and the last of them).
    #[must_use]
    pub fn range(&self, terms: &[(u32, i64)]) -> (BigInt, BigInt) {
        let (weights, always) = self.weighted(terms);
        let (least, greatest) = self.table.range(&weights);
        (&always + least, always + greatest)
    }

    /// The initial marking, as a set.
    pub(super) fn initial(&mut self) -> Result<Ddd> {
        let places = self.order.places().iter().zip(0..);
        let assignments: Vec<_> = places
            .map(|(place, position)| (position, self.net.places[*place as usize].initial))
            .collect();
        self.forest.sequence(&assignments)
    }
}
