//! Search for markings that satisfy conditions, and for the greatest values of sums.
//!
//! Markings are found one by one, those first that look nearest to a target ([`Condition::distance`]), the latest or
//! the earliest of equals. With stubborn sets only a part of what is enabled is fired ([`stubborn`](crate::stubborn)).
//! What was not met when there is nothing left to expand is met nowhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::{Account, Budget, Exhausted};

use crate::firing::Firing;
use crate::store::Store;
use crate::stubborn::Stubborn;
use crate::{Condition, FiringSequence, PlainNet};

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Target {
    /// A marking in which this holds.
    Reach {
        /// What is to hold.
        condition: Condition,
        /// Whether such a marking was met.
        met: bool,
    },
    /// The greatest value of a weighted sum of tokens.
    Greatest {
        /// Places with their weights.
        terms: Vec<(u32, i64)>,
        /// The greatest value so far.
        best: i64,
    },
}

impl Target {
    /// A marking in which a condition holds.
    #[must_use]
    pub fn reach(condition: Condition) -> Target {
        Target::Reach { condition, met: false }
    }

    /// The greatest value of a sum, whose terms are by ascending place.
    #[must_use]
    pub fn greatest(terms: Vec<(u32, i64)>) -> Target {
        Target::Greatest { terms, best: i64::MIN }
    }

    /// Whether there may be more to find.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Target::Reach { met, .. } => !met,
            Target::Greatest { .. } => true,
        }
    }

    /// Looks at a marking; whether something new was met.
    pub(crate) fn look(&mut self, marking: &[i32], is_dead: bool) -> bool {
        match self {
            Target::Reach { met: true, .. } => false,
            Target::Reach { condition, met, .. } => {
                *met = condition.holds(marking, is_dead);
                *met
            }
            Target::Greatest { terms, best, .. } => {
                let value = value(terms, marking);
                let is_greater = value > *best;
                *best = value.max(*best);
                is_greater
            }
        }
    }

    pub(crate) fn distance(&self, marking: &[i32]) -> u64 {
        match self {
            Target::Reach { met: true, .. } => u64::MAX,
            Target::Reach { condition, .. } => condition.distance(marking, false),
            Target::Greatest { terms, best, .. } => {
                (*best).saturating_sub(value(terms, marking)).max(0).unsigned_abs()
            }
        }
    }
}

fn value(terms: &[(u32, i64)], marking: &[i32]) -> i64 {
    terms.iter().map(|&(place, weight)| weight * i64::from(marking[place as usize])).sum()
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Whether stubborn sets are used.
    pub stubborn: bool,
    /// Whether the latest of equals is expanded first, and not the earliest.
    pub latest_first: bool,
    /// Whether interesting transitions are left out of stubborn sets. That is a fault, by which tests show that
    /// they notice it.
    pub blind: bool,
}

/// Why something is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The budget is used up.
    Exhausted(Exhausted),
    /// A place would have more tokens than can be counted.
    TooManyTokens,
}

impl From<Exhausted> for Undecided {
    fn from(why: Exhausted) -> Self {
        Undecided::Exhausted(why)
    }
}

/// Looks for targets, until all are met or none is left that can be. `met` is called with the number of each that
/// is met, or has become greater. Returns how many markings were found.
///
/// # Errors
///
/// If it does not come to an end. What was met by then is met.
pub fn search(
    net: &PlainNet,
    targets: &mut [Target],
    options: SearchOptions,
    budget: &Budget,
    met: &mut dyn FnMut(usize, &Target),
) -> Result<usize, Undecided> {
    searched(net, targets, options, None, budget, &mut |number, target, _| met(number, target))
}

/// The same, where `met` is also told the run that leads to where a target is met.
///
/// # Errors
///
/// If it does not come to an end. What was met by then is met.
pub fn search_with_runs(
    net: &PlainNet,
    targets: &mut [Target],
    options: SearchOptions,
    budget: &Budget,
    met: &mut dyn FnMut(usize, &Target, &FiringSequence),
) -> Result<usize, Undecided> {
    let steps = Some(Steps { account: budget.account(), into: vec![(0, 0)] });
    searched(net, targets, options, steps, budget, &mut |number, target, run| {
        met(number, target, run.expect("steps are kept"));
    })
}

/// For each marking but the first the step by which it was found: from where, and by which transition.
struct Steps {
    account: Account,
    into: Vec<(u32, u32)>,
}

impl Steps {
    fn push(&mut self, from: u32, transition: u32) {
        if self.into.len() == self.into.capacity() {
            let held = 2 * size_of::<(u32, u32)>() * self.into.len();
            self.account.set(held as u64);
        }
        self.into.push((from, transition));
    }

    fn run_to(&self, mut marking: u32) -> FiringSequence {
        let mut steps = Vec::new();
        while marking != 0 {
            let (from, transition) = self.into[marking as usize];
            steps.push(transition);
            marking = from;
        }
        steps.reverse();
        FiringSequence { steps, back: None }
    }
}

fn searched(
    net: &PlainNet,
    targets: &mut [Target],
    options: SearchOptions,
    mut steps: Option<Steps>,
    budget: &Budget,
    met: &mut dyn FnMut(usize, &Target, Option<&FiringSequence>),
) -> Result<usize, Undecided> {
    let firing = Firing::new(net);
    let mut stubborn = options.stubborn.then(|| Stubborn::new(net, targets, options.blind));
    let mut store = Store::new(budget);
    let mut open = BinaryHeap::new();
    let mut marking = net.initial.clone();
    let mut next = marking.clone();
    let mut enabled = Vec::new();
    store.insert(&marking)?;
    open.push((Reverse(0_u64), 0_i64));
    while let Some((_, rank)) = open.pop() {
        budget.check()?;
        let at = rank.unsigned_abs() as u32;
        store.read(at, &mut marking);
        firing.enabled(net, &marking, &mut enabled);
        let mut is_over = true;
        for (number, target) in targets.iter_mut().enumerate() {
            if target.look(&marking, enabled.is_empty()) {
                let run = steps.as_ref().map(|steps| steps.run_to(at));
                met(number, target, run.as_ref());
            }
            is_over &= !target.is_open();
        }
        if is_over {
            break;
        }
        if let Some(stubborn) = &mut stubborn {
            stubborn.reduce(net, &marking, targets, &mut enabled);
        }
        for &transition in &enabled {
            next.copy_from_slice(&marking);
            let fired = net.transitions[transition as usize].fire(&mut next);
            fired.ok_or(Undecided::TooManyTokens)?;
            let (number, is_new) = store.insert(&next)?;
            if is_new {
                if let Some(steps) = &mut steps {
                    steps.push(at, transition);
                }
                let distance = targets.iter().map(|target| target.distance(&next)).min();
                let rank = i64::from(number);
                let rank = if options.latest_first { rank } else { -rank };
                open.push((Reverse(distance.unwrap_or(0)), rank));
            }
        }
    }
    Ok(store.len())
}
