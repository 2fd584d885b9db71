//! What is compared, by place.

use std::collections::BTreeMap;

use super::{Logic, Problem};
use crate::PlainTransition;

/// What is compared.
pub(super) struct Seen {
    /// For each place the comparisons that it is in, by number, with its weight there.
    weights: Vec<Vec<(u32, i64)>>,
}

impl Seen {
    pub(super) fn by(problem: &Problem) -> Seen {
        let mut weights = vec![Vec::new(); problem.net.initial.len()];
        for (number, comparison) in (0..).zip(problem.comparisons()) {
            for &(place, weight) in &comparison.terms {
                weights[place as usize].push((number, weight));
            }
        }
        Seen { weights }
    }

    /// Whether a transition may be added or left out, as far as it changes what is compared.
    pub(super) fn does_not_matter(
        &self,
        transition: &PlainTransition,
        logic: Logic,
        does_no_harm: impl Fn(i64) -> bool,
    ) -> bool {
        let mut effects: BTreeMap<u32, i64> = BTreeMap::new();
        for arc in &transition.arcs {
            for &(comparison, weight) in &self.weights[arc.place as usize] {
                *effects.entry(comparison).or_default() += weight * i64::from(arc.change);
            }
        }
        let is_for_reachability = logic <= Logic::Deadlock;
        effects
            .into_values()
            .all(|effect| effect == 0 || is_for_reachability && does_no_harm(effect))
    }

    /// Whether a token counts the same in one place as in the other.
    pub(super) fn are_alike(&self, a: u32, b: u32) -> bool {
        self.weights[a as usize] == self.weights[b as usize]
    }
}
