//! Maximal paths that never leave a set.
//!
//! Such a path ends in a marking without successors, or, since sets are finite, goes round. Markings from
//! which there is one are the greatest fixpoint Z of "is dead, or has a successor in Z", which may take as many rounds
//! as a path is long. So most of it is found otherwise: dead markings, those with an idle step, and cycles that an
//! explicit walk comes upon; all that leads to these within the set is on such a path, by one closure. What
//! is left is trimmed: markings without successors in it go, and then only those that led to them are looked at
//! again. Walks and trimming take turns, the latter for more and more rounds.

use std::collections::HashSet;

use ddd::{Ddd, Result, Value, Variable};

use super::Diagram;
use crate::UnfoldedTransition;

/// Rounds of trimming between two walks, at first.
const ROUNDS: u32 = 4;
/// Steps of a walk, and what they may cost: transitions tried, and tokens written down, in all.
const STEPS: usize = 4096;
const TRIES: usize = 1 << 24;
const TOKENS: usize = 1 << 22;

impl Diagram {
    /// The markings of a set from which a maximal path stays in it.
    pub(super) fn with_path_in(&mut self, set: &Ddd) -> Result<Ddd> {
        let ends = self.ends_of(set)?;
        let mut found = self.leading_to(&ends, set)?;
        let mut rest = self.forest.difference(set, &found)?;
        let (mut rounds, mut fresh) = (ROUNDS, rest.clone());
        while !self.forest.is_empty(&rest) {
            if self.trim(&mut rest, &mut fresh, rounds)? {
                // Each marking that is left has a successor that is.
                return self.forest.union(&found, &rest);
            }
            rounds = rounds.saturating_mul(2);
            if let Some(cycle) = self.cycle_in(&rest, None)? {
                let leading = self.leading_to(&cycle, &rest)?;
                found = self.forest.union(&found, &leading)?;
                rest = self.forest.difference(&rest, &leading)?;
                // Nothing that is left leads to what was taken away.
                fresh = self.forest.intersection(&fresh, &rest)?;
            }
        }
        Ok(found)
    }

    /// Whether a maximal path stays in a set, all of which is reached from `start` within it.
    pub(super) fn has_path_in(&mut self, set: &Ddd, start: &Ddd) -> Result<bool> {
        let ends = self.ends_of(set)?;
        if !self.forest.is_empty(&ends) || self.cycle_in(set, Some(start))?.is_some() {
            return Ok(true);
        }
        let (mut rounds, mut rest, mut fresh) = (ROUNDS, set.clone(), set.clone());
        while !self.forest.is_empty(&rest) {
            if self.trim(&mut rest, &mut fresh, rounds)? || self.cycle_in(&rest, None)?.is_some() {
                return Ok(!self.forest.is_empty(&rest));
            }
            rounds = rounds.saturating_mul(2);
        }
        Ok(false)
    }

    /// The markings of a set at which a path may stay for ever, or end.
    fn ends_of(&mut self, set: &Ddd) -> Result<Ddd> {
        let dead = self.dead_of(set)?;
        let idle = self.idle_of(set)?;
        self.forest.union(&dead, &idle)
    }

    /// Takes away markings without successors in the set, for some rounds; whether there are no more of
    /// them. Only those in `fresh` may be without.
    fn trim(&mut self, rest: &mut Ddd, fresh: &mut Ddd, rounds: u32) -> Result<bool> {
        for _ in 0..rounds {
            let staying = self.before(rest, fresh)?;
            let gone = self.forest.difference(fresh, &staying)?;
            if self.forest.is_empty(&gone) {
                return Ok(true);
            }
            *rest = self.forest.difference(rest, &gone)?;
            *fresh = self.before(&gone, rest)?;
        }
        Ok(false)
    }

    /// A marking on a cycle within a set, if a walk comes upon one: from the first marking of `start`, or of
    /// the set.
    fn cycle_in(&mut self, set: &Ddd, start: Option<&Ddd>) -> Result<Option<Ddd>> {
        let Some(mut marking) = self.forest.paths(start.unwrap_or(set)).next() else {
            return Ok(None);
        };
        let mut met = HashSet::new();
        let transitions = self.net.transitions.iter().filter(|t| t.has_effect());
        let transitions: Vec<&UnfoldedTransition> = transitions.collect();
        let (tries, tokens) = (TRIES / transitions.len().max(1), TOKENS / marking.len().max(1));
        for turn in 1..=STEPS.min(tries).min(tokens) {
            if !met.insert(marking.clone()) {
                return self.forest.sequence(&marking).map(Some);
            }
            // Another one first each time, so that not all walks are the same few transitions.
            let from = (turn * 7919) % transitions.len().max(1);
            let in_turn = transitions[from..].iter().chain(&transitions[..from]);
            let next = in_turn.filter_map(|transition| self.fire(transition, &marking));
            match next.into_iter().find(|next| self.forest.contains(set, next)) {
                Some(next) => marking = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Where a transition leads from a marking, if it is enabled.
    fn fire(
        &self,
        transition: &UnfoldedTransition,
        marking: &[(Variable, Value)],
    ) -> Option<Vec<(Variable, Value)>> {
        let position = |place: u32| self.order.position(place) as usize;
        let tokens = |place: u32| marking[position(place)].1;
        let arcs = &transition.arcs;
        let enough = arcs.iter().all(|arc| (arc.least..=arc.most).contains(&tokens(arc.place)));
        let few = |(places, less_than): &(Vec<u32>, i32)| {
            let sum: i64 = places.iter().map(|place| i64::from(tokens(*place))).sum();
            sum < i64::from(*less_than)
        };
        if !enough || !transition.sums.iter().all(few) {
            return None;
        }
        let mut after = marking.to_vec();
        for arc in arcs {
            let tokens = &mut after[position(arc.place)].1;
            *tokens = tokens.checked_add(arc.change)?;
        }
        Some(after)
    }
}
