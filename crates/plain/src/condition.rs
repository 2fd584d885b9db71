//! Statements about a marking of a [`PlainNet`](crate::PlainNet), in terms of its places.
//!
//! Negations are worked out: what is left are comparisons of weighted sums of tokens, whether nothing or
//! something can fire, conjunctions and disjunctions. That a transition can fire is a conjunction of
//! comparisons, so that a net may be changed in all but the places that are compared.

use num_bigint::BigInt;
use unfold::{Predicate, UnfoldedNet, UnfoldedTransition};

/// The comparisons in a condition, at most: what is larger is left to others.
const LARGEST: usize = 1 << 20;

/// A weighted sum of tokens, and the most that it may be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Comparison {
    /// Places with their weights, ascending, none of them 0.
    pub terms: Vec<(u32, i64)>,
    /// The most that the sum may be.
    pub bound: i64,
}

/// A statement about a marking.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// It holds, or it does not.
    Constant(bool),
    /// A sum is at most a bound.
    AtMost(Comparison),
    /// Nothing can fire, or something can.
    Dead(bool),
    /// All hold.
    And(Vec<Condition>),
    /// One of them holds.
    Or(Vec<Condition>),
}

impl Comparison {
    /// The sum in a marking. It does not overflow: see [`Condition::of`].
    #[must_use]
    pub fn sum(&self, marking: &[i32]) -> i64 {
        let term = |&(place, weight): &(u32, i64)| weight * i64::from(marking[place as usize]);
        self.terms.iter().map(term).sum()
    }

    /// Whether it holds in a marking.
    #[must_use]
    pub fn holds(&self, marking: &[i32]) -> bool {
        self.sum(marking) <= self.bound
    }

    /// The opposite.
    #[must_use]
    pub fn opposite(&self) -> Comparison {
        let terms = self.terms.iter().map(|&(place, weight)| (place, -weight)).collect();
        Comparison { terms, bound: -1 - self.bound }
    }
}

impl Condition {
    /// The condition that a predicate on a net, or its opposite, is on its unfolded places; `None` if it
    /// is too large, or has numbers that are.
    #[must_use]
    pub fn of(predicate: &Predicate, holds: bool, net: &UnfoldedNet) -> Option<Condition> {
        let condition = match predicate {
            Predicate::True => Condition::Constant(holds),
            Predicate::AtMost { terms, bound } => {
                let Comparison { terms, bound } = Comparison::of(terms, *bound, net)?;
                let condition = compared(terms, bound)?;
                if holds { condition } else { condition.opposite() }
            }
            Predicate::Enabled(label) => {
                let of_label = net.transitions.iter().filter(|t| t.labels.contains(label));
                let some = Condition::any(weakest(of_label.map(enabled).collect()));
                if holds { some } else { some.opposite() }
            }
            Predicate::Dead => Condition::Dead(holds),
            Predicate::Not(inner) => return Condition::of(inner, !holds, net),
            Predicate::And(parts) | Predicate::Or(parts) => {
                let of = |part: &Predicate| Condition::of(part, holds, net);
                let parts = parts.iter().map(of).collect::<Option<Vec<_>>>()?;
                match matches!(predicate, Predicate::And(_)) == holds {
                    true => Condition::all(parts),
                    false => Condition::any(parts),
                }
            }
        };
        (condition.size() <= LARGEST).then_some(condition)
    }

    /// The opposite.
    #[must_use]
    pub fn opposite(&self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::AtMost(comparison) => Condition::AtMost(comparison.opposite()),
            Condition::Dead(value) => Condition::Dead(!value),
            Condition::And(parts) => Condition::Or(parts.iter().map(Self::opposite).collect()),
            Condition::Or(parts) => Condition::And(parts.iter().map(Self::opposite).collect()),
        }
    }

    /// All of them.
    pub fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
        joined(parts, true)
    }

    /// One of them.
    pub fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
        joined(parts, false)
    }

    /// Whether it holds in a marking in which nothing can fire, or something can.
    #[must_use]
    pub fn holds(&self, marking: &[i32], is_dead: bool) -> bool {
        match self {
            Condition::Constant(value) => *value,
            Condition::AtMost(comparison) => comparison.holds(marking),
            Condition::Dead(value) => *value == is_dead,
            Condition::And(parts) => parts.iter().all(|part| part.holds(marking, is_dead)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(marking, is_dead)),
        }
    }

    /// How far a marking is from one in which it holds: 0 where it holds, and the more tokens have to be
    /// moved the more it is. It is a guess that guides searches.
    #[must_use]
    pub fn distance(&self, marking: &[i32], is_dead: bool) -> u64 {
        match self {
            Condition::Constant(true) => 0,
            Condition::Constant(false) => u64::MAX,
            Condition::AtMost(comparison) => {
                let excess = comparison.sum(marking).saturating_sub(comparison.bound);
                excess.max(0).unsigned_abs()
            }
            Condition::Dead(value) => u64::from(*value != is_dead),
            Condition::And(parts) => parts
                .iter()
                .fold(0, |sum, part| sum.saturating_add(part.distance(marking, is_dead))),
            Condition::Or(parts) => {
                let distances = parts.iter().map(|part| part.distance(marking, is_dead));
                distances.min().unwrap_or(u64::MAX)
            }
        }
    }

    /// Whether it asks whether anything can fire.
    #[must_use]
    pub fn asks_for_deadlock(&self) -> bool {
        match self {
            Condition::Dead(_) => true,
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().any(Condition::asks_for_deadlock)
            }
            Condition::Constant(_) | Condition::AtMost(_) => false,
        }
    }

    /// Visits the comparisons.
    pub fn for_each_comparison<'c>(&'c self, visit: &mut dyn FnMut(&'c Comparison)) {
        match self {
            Condition::AtMost(comparison) => visit(comparison),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().for_each(|part| part.for_each_comparison(visit));
            }
            Condition::Constant(_) | Condition::Dead(_) => {}
        }
    }

    /// The condition with something else in place of each comparison, and of what is said of deadlocks.
    #[must_use]
    pub fn replaced(
        &self,
        comparison: &dyn Fn(&Comparison) -> Condition,
        dead: &dyn Fn(bool) -> Condition,
    ) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(*value),
            Condition::AtMost(compared) => comparison(compared),
            Condition::Dead(value) => dead(*value),
            Condition::And(parts) => {
                Condition::all(parts.iter().map(|part| part.replaced(comparison, dead)))
            }
            Condition::Or(parts) => {
                Condition::any(parts.iter().map(|part| part.replaced(comparison, dead)))
            }
        }
    }

    fn size(&self) -> usize {
        match self {
            Condition::And(parts) | Condition::Or(parts) => {
                1 + parts.iter().map(Condition::size).sum::<usize>()
            }
            _ => 1,
        }
    }
}

/// All of them, or one of them.
fn joined(parts: impl IntoIterator<Item = Condition>, is_all: bool) -> Condition {
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Condition::Constant(value) if value == is_all => {}
            Condition::Constant(value) => return Condition::Constant(value),
            Condition::And(inner) if is_all => kept.extend(inner),
            Condition::Or(inner) if !is_all => kept.extend(inner),
            other => kept.push(other),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    match kept.len() {
        0 => Condition::Constant(is_all),
        1 => kept.remove(0),
        _ if is_all => Condition::And(kept),
        _ => Condition::Or(kept),
    }
}

/// The largest sum of weights with which no sum of tokens overflows.
const MOST_WEIGHT: i64 = 1 << 31;

/// That a sum is at most a bound; constants where tokens, of which there are never fewer than none, cannot
/// make a difference. `None` if the weights are too large.
#[must_use]
pub fn compared(terms: Vec<(u32, i64)>, bound: i64) -> Option<Condition> {
    let weight =
        terms.iter().try_fold(0_i64, |sum, (_, weight)| sum.checked_add(weight.checked_abs()?))?;
    if weight >= MOST_WEIGHT || bound.checked_neg()?.checked_sub(1).is_none() {
        return None;
    }
    if bound < 0 && terms.iter().all(|(_, weight)| *weight >= 0) {
        return Some(Condition::Constant(false));
    }
    if bound >= 0 && terms.iter().all(|(_, weight)| *weight <= 0) {
        return Some(Condition::Constant(true));
    }
    Some(Condition::AtMost(Comparison { terms, bound }))
}

impl Comparison {
    /// A comparison of places of the symmetric net, of which tokens that never change are part; `None` if it has
    /// numbers that are too large.
    #[must_use]
    pub fn of(terms: &[(u32, i64)], bound: i64, net: &UnfoldedNet) -> Option<Comparison> {
        let mut weights = vec![0_i64; net.fixed.len()];
        for &(place, weight) in terms {
            let sum = &mut weights[place as usize];
            *sum = sum.checked_add(weight)?;
        }
        let fixed = net.fixed.iter().zip(&weights);
        let always: BigInt =
            fixed.map(|(tokens, weight)| BigInt::from(tokens.clone()) * *weight).sum();
        let bound = i64::try_from(BigInt::from(bound) - always).ok()?;
        let weight = |place: usize| weights[net.places[place].place.0 as usize];
        let terms = (0..net.places.len()).map(|place| (place as u32, weight(place)));
        let terms: Vec<(u32, i64)> = terms.filter(|(_, weight)| *weight != 0).collect();
        compared(terms.clone(), bound)?;
        Some(Comparison { terms, bound })
    }
}

/// Conjunctions without those that imply another: whether one of them holds is the same. What would take too long is
/// left as it is.
fn weakest(mut conditions: Vec<Condition>) -> Vec<Condition> {
    fn parts(condition: &Condition) -> &[Condition] {
        match condition {
            Condition::And(parts) => parts,
            single => std::slice::from_ref(single),
        }
    }
    conditions.sort_unstable_by_key(|condition| parts(condition).len());
    let mut kept: Vec<Condition> = Vec::new();
    let mut tries = 0;
    for condition in conditions {
        let all = parts(&condition);
        tries += kept.len();
        let implies =
            |other: &Condition| parts(other).iter().all(|part| all.binary_search(part).is_ok());
        if tries > MOST_TRIES || !kept.iter().any(implies) {
            kept.push(condition);
        }
    }
    kept
}

/// How often two conjunctions are compared, at most.
const MOST_TRIES: usize = 1 << 16;

/// That an unfolded transition can fire.
fn enabled(transition: &UnfoldedTransition) -> Condition {
    let compared = |terms, bound| compared(terms, bound).expect("small numbers");
    let arcs = transition.arcs.iter().flat_map(|arc| {
        let least = compared(vec![(arc.place, -1)], -i64::from(arc.least.max(0)));
        let most = match arc.most {
            i32::MAX => Condition::Constant(true),
            most => compared(vec![(arc.place, 1)], i64::from(most)),
        };
        [least, most]
    });
    let sums = transition.sums.iter().map(|(places, bound)| {
        compared(places.iter().map(|&place| (place, 1)).collect(), i64::from(*bound) - 1)
    });
    Condition::all(arcs.chain(sums))
}
