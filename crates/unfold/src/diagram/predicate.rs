//! Statements about a marking, and the markings of a set that satisfy them.
//!
//! They are made in terms of the symmetric net: the tokens in its places, whatever they are, and its
//! transitions, however they are bound. A place is the sum of its unfolded places and of the tokens in it
//! that never change; a transition is enabled where one of its unfolded ones is, and never if there are
//! none. In what is looked up, negations are at the atoms ([`simplify`](super::simplify)), so that sets are not
//! complemented where a comparison can be turned round.
//!
//! Cost: for each comparison a visit to the nodes of the set, or a few
//! ([`Forest::select_sum`](ddd::Forest::select_sum)); for each transition what its guards leave is taken
//! away, from below. Whether a predicate holds anywhere costs less than where it does.

use ddd::{Ddd, Result, Variable};
use net::TransitionId;
use num_bigint::BigInt;

use super::simplify::as_literal;
use super::{Diagram, step};
use crate::UnfoldedTransition;

/// A statement about a marking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// It holds.
    True,
    /// Tokens in places of the symmetric net, each place times a factor, are together at most `bound`.
    AtMost {
        /// Places, by their index, with their factors.
        terms: Vec<(u32, i64)>,
        /// The most they may be together.
        bound: i64,
    },
    /// Some binding of this transition can fire, by the [label](symbolic::SymmetricNet::labelled) of the
    /// symmetric net.
    Enabled(TransitionId),
    /// Nothing can fire.
    Dead,
    /// It does not hold.
    Not(Box<Predicate>),
    /// All hold.
    And(Vec<Predicate>),
    /// One of them holds.
    Or(Vec<Predicate>),
}

impl Diagram {
    /// What a weighted sum over places of the symmetric net is: the weight of each position, and the part
    /// that is the same in all markings.
    pub(super) fn weighted(&self, terms: &[(u32, i64)]) -> (Vec<i128>, BigInt) {
        let mut factors = vec![0_i128; self.net.fixed.len()];
        for (place, factor) in terms {
            factors[*place as usize] += i128::from(*factor);
        }
        let always = self.net.fixed.iter().zip(&factors);
        let always = always.map(|(tokens, factor)| BigInt::from(tokens.clone()) * *factor).sum();
        let positions = self.order.places().iter();
        let weight = |place: &u32| factors[self.net.places[*place as usize].place.0 as usize];
        (positions.map(weight).collect(), always)
    }

    /// The markings of a set in which a predicate, which was simplified, holds.
    pub(super) fn those(&mut self, set: &Ddd, predicate: &Predicate) -> Result<Ddd> {
        match predicate {
            Predicate::And(parts) => {
                let (transitions, others) = enabled_apart(parts, false);
                let mut those = set.clone();
                if !transitions.is_empty() {
                    those = self.with_enabled(set, &transitions, false)?;
                }
                for part in others {
                    if self.forest.is_empty(&those) {
                        break;
                    }
                    those = self.those(&those, part)?;
                }
                Ok(those)
            }
            Predicate::Or(parts) => {
                let (transitions, others) = enabled_apart(parts, true);
                let mut those = self.forest.zero();
                if !transitions.is_empty() {
                    those = self.with_enabled(set, &transitions, true)?;
                }
                for part in others {
                    if those == *set {
                        break;
                    }
                    let more = self.those(set, part)?;
                    those = self.forest.union(&those, &more)?;
                }
                Ok(those)
            }
            Predicate::Not(atom) => self.those_of_atom(set, atom, false),
            atom => self.those_of_atom(set, atom, true),
        }
    }

    /// The markings of a set in which an atom holds, or in which it does not.
    fn those_of_atom(&mut self, set: &Ddd, atom: &Predicate, holds: bool) -> Result<Ddd> {
        match atom {
            Predicate::AtMost { terms, bound } => {
                let (weights, bound) = self.compared(terms, *bound, holds);
                match i128::try_from(&bound) {
                    Ok(bound) => self.forest.select_sum(set, &weights, bound),
                    // No sum comes near it.
                    Err(_) if bound > BigInt::ZERO => Ok(set.clone()),
                    Err(_) => Ok(self.forest.zero()),
                }
            }
            Predicate::Enabled(transition) => self.with_enabled(set, &[*transition], holds),
            Predicate::Dead if holds => self.dead_of(set),
            Predicate::Dead => {
                let dead = self.dead_of(set)?;
                self.forest.difference(set, &dead)
            }
            _ if holds => Ok(set.clone()),
            _ => Ok(self.forest.zero()),
        }
    }

    /// A comparison, or its opposite, as weights of positions and the most that their sum may be.
    fn compared(
        &self,
        terms: &[(u32, i64)],
        bound: i64,
        holds: bool,
    ) -> (Vec<(Variable, i128)>, BigInt) {
        let (weights, always) = self.weighted(terms);
        let listed = (0..).zip(weights).filter(|(_, weight)| *weight != 0);
        let bound = BigInt::from(bound) - always;
        if holds {
            (listed.collect(), bound)
        } else {
            (listed.map(|(x, weight)| (x, -weight)).collect(), BigInt::from(-1) - bound)
        }
    }

    /// The unfolded transitions of some transitions of the symmetric net.
    fn unfolded(&self, transitions: &[TransitionId]) -> Vec<UnfoldedTransition> {
        let is_one =
            |t: &&UnfoldedTransition| t.labels.iter().any(|label| transitions.contains(label));
        self.net.transitions.iter().filter(is_one).cloned().collect()
    }

    /// The markings of a set in which one of some transitions of the symmetric net is enabled, or none of
    /// them.
    fn with_enabled(
        &mut self,
        set: &Ddd,
        transitions: &[TransitionId],
        holds: bool,
    ) -> Result<Ddd> {
        let unfolded = self.unfolded(transitions);
        if let ([only], true) = (unfolded.as_slice(), holds) {
            let enabled = step::enabled(&mut self.forest, only, &self.order)?;
            return self.forest.apply(&enabled, set);
        }
        let none = self.without(set, &unfolded)?;
        if holds { self.forest.difference(set, &none) } else { Ok(none) }
    }

    /// The markings of a set in which none of some transitions is enabled.
    fn without(&mut self, set: &Ddd, transitions: &[UnfoldedTransition]) -> Result<Ddd> {
        let Self { order, forest, .. } = self;
        let none = step::none(forest, transitions.iter(), order)?;
        let mut none = forest.apply(&none, set)?;
        for transition in transitions.iter().filter(|t| !t.sums.is_empty()) {
            let enabled = step::enabled(forest, transition, order)?;
            let enabled = forest.apply(&enabled, &none)?;
            none = forest.difference(&none, &enabled)?;
        }
        Ok(none)
    }

    /// The markings of a set in which nothing is enabled.
    pub(super) fn dead_of(&mut self, set: &Ddd) -> Result<Ddd> {
        let transitions = std::mem::take(&mut self.net.transitions);
        let dead = self.without(set, &transitions);
        self.net.transitions = transitions;
        dead
    }

    /// Whether a predicate, which was simplified, holds in some marking of a set. It is not found out in
    /// which.
    pub(super) fn any(&mut self, set: &Ddd, predicate: &Predicate) -> Result<bool> {
        if self.forest.is_empty(set) {
            return Ok(false);
        }
        let (atom, holds) = match predicate {
            Predicate::Not(atom) => (&**atom, false),
            other => (other, true),
        };
        match atom {
            Predicate::Or(parts) => {
                for part in by_effort(parts) {
                    if self.any(set, part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Predicate::And(parts) => {
                let mut those = set.clone();
                let parts = by_effort(parts);
                let Some((last, others)) = parts.split_last() else { return Ok(true) };
                for part in others {
                    those = self.those(&those, part)?;
                }
                self.any(&those, last)
            }
            Predicate::AtMost { terms, bound } => {
                let (weights, bound) = self.compared(terms, *bound, holds);
                let range = self.forest.sum_range(set, &weights)?;
                Ok(range.is_some_and(|(least, _)| BigInt::from(least) <= bound))
            }
            Predicate::Enabled(transition) if holds => {
                for transition in self.unfolded(&[*transition]) {
                    let enabled = step::enabled(&mut self.forest, &transition, &self.order)?;
                    let enabled = self.forest.apply(&enabled, set)?;
                    if !self.forest.is_empty(&enabled) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => {
                let those = self.those(set, predicate)?;
                Ok(!self.forest.is_empty(&those))
            }
        }
    }
}

/// Predicates in the order of what it takes to find out where they hold.
fn by_effort(parts: &[Predicate]) -> Vec<&Predicate> {
    fn effort(predicate: &Predicate) -> usize {
        match predicate {
            Predicate::True => 0,
            Predicate::AtMost { .. } => 1,
            Predicate::Enabled(_) => 2,
            Predicate::Dead => 3,
            Predicate::Not(inner) => effort(inner),
            Predicate::And(parts) | Predicate::Or(parts) => {
                4 + parts.iter().map(effort).sum::<usize>()
            }
        }
    }
    let mut parts: Vec<&Predicate> = parts.iter().collect();
    parts.sort_by_cached_key(|part| effort(part));
    parts
}

/// The transitions that some predicates say are enabled, or not enabled, and the other predicates.
fn enabled_apart(parts: &[Predicate], holds: bool) -> (Vec<TransitionId>, Vec<&Predicate>) {
    let mut transitions = Vec::new();
    let mut others = Vec::new();
    for part in parts {
        match as_literal(part) {
            Some((Predicate::Enabled(transition), value)) if value == holds => {
                transitions.push(*transition);
            }
            _ => others.push(part),
        }
    }
    (transitions, others)
}
