//! Structural reductions: smaller nets on which the same is true.
//!
//! A [`Problem`] is a net with conditions and sums of tokens that are asked about. Each [`Rule`] takes places and
//! transitions away, and keeps what formulas of a [`Logic`] say of the conditions; a problem is reduced by those rules
//! that keep enough for what is asked. Places that are compared are *visible*; a rule may ask more of them.
//!
//! Inhibitors (`most`, and sums) are where most published rules end: a token too many can do harm. Here every rule says
//! what it asks of them.
//!
//! G. Berthelot, *Checking properties of nets using transformations*, 1985; T. Murata, *Petri nets*, 1989;
//! F. Bønneland, J. Dyhr, P. Jensen, M. Johannsen, J. Srba, *Stubborn versus structural reductions for Petri nets*,
//! 2019; Y. Thierry-Mieg, *Structural reductions revisited*, Petri Nets 2020.
//!
//! Each rule notes how runs of the smaller net are runs of the one before ([`back`]).
//!
//! Cost: a round looks at all arcs a few times; there are as many rounds as rules make room for each other.

mod agglomerate;
mod alike;
mod back;
mod cone;
mod constant;
mod cycles;
mod loose;
mod seen;

use budget::Budget;
use rustc_hash::FxHashSet;

use crate::condition::compared;
use crate::{Comparison, Condition, PlainNet, PlainTransition};
pub use back::{Back, FiringSequence, Unmapped};

/// What a rule keeps, and what is asked; each keeps what those before it do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Logic {
    /// In which reachable markings conditions hold that say nothing of deadlocks, and the greatest values of sums.
    Reachability,
    /// The same, where conditions may say that nothing can fire.
    Deadlock,
    /// Linear time without `next`.
    Linear,
    /// Branching time without `next`.
    Branching,
    /// All of it.
    Everything,
}

/// The terms of comparisons that are looked at for substitutions in one round, about.
const ROUND: usize = 1 << 23;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Places that never change, and transitions that are never enabled (`constant`).
    Constant,
    /// Transitions that do what another does, where that can (`alike`).
    Dominated,
    /// Places whose tokens another place tells (`alike`).
    Parallel,
    /// Places that nobody looks at (`loose`).
    Untested,
    /// A transition that can be moved forward to right after those it needs, alone (`agglomerate`).
    Sequence,
    /// Several such transitions, of which one is chosen (`agglomerate`).
    Choice,
    /// Transitions without effect (`loose`).
    Effectless,
    /// What cannot help (`cone`).
    Cone,
    /// A transition that can be put off until it is needed (`agglomerate`).
    Delay,
    /// Places between which tokens move freely (`cycles`).
    Cycle,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 10] = [
        Rule::Constant,
        Rule::Untested,
        Rule::Effectless,
        Rule::Cone,
        Rule::Dominated,
        Rule::Parallel,
        Rule::Cycle,
        Rule::Sequence,
        Rule::Choice,
        Rule::Delay,
    ];

    /// What it keeps.
    #[must_use]
    pub fn keeps(self) -> Logic {
        match self {
            Rule::Constant | Rule::Dominated | Rule::Parallel | Rule::Untested => Logic::Everything,
            Rule::Sequence => Logic::Branching,
            Rule::Choice => Logic::Linear,
            Rule::Effectless | Rule::Cone | Rule::Delay | Rule::Cycle => Logic::Reachability,
        }
    }
}

/// A net, and what is asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The net.
    pub net: PlainNet,
    /// Conditions.
    pub conditions: Vec<Condition>,
    /// Sums whose least values are asked for: of each, the sum less the bound stays the same.
    pub sums: Vec<Comparison>,
    /// For each place its number in the net that was given.
    pub origin: Vec<u32>,
    /// How runs of the net are runs of the one that was given.
    pub back: Back,
}

impl Problem {
    /// What is asked about a net as it is.
    #[must_use]
    pub fn new(net: PlainNet, conditions: Vec<Condition>, sums: Vec<Comparison>) -> Problem {
        let origin = (0..net.initial.len() as u32).collect();
        let back = Back::of(&net);
        Problem { net, conditions, sums, origin, back }
    }

    /// The logic that has to be kept, given the one in which the conditions are used: one who asks whether
    /// anything can fire may need more.
    #[must_use]
    pub fn needs(&self, logic: Logic) -> Logic {
        let asks = |wanted: bool| {
            let mut asks = false;
            for condition in &self.conditions {
                asks |= says(condition, wanted);
            }
            asks
        };
        match logic {
            _ if asks(false) => Logic::Everything,
            Logic::Reachability | Logic::Deadlock if asks(true) => Logic::Deadlock,
            Logic::Linear | Logic::Branching if asks(true) => Logic::Everything,
            logic => logic,
        }
    }

    /// Reduces it by the rules that keep a logic.
    pub fn reduce(&mut self, logic: Logic, budget: &Budget) {
        let logic = self.needs(logic);
        let rules: Vec<Rule> = Rule::ALL.into_iter().filter(|rule| rule.keeps() >= logic).collect();
        self.apply(&rules, logic, budget);
    }

    /// Applies rules, for a logic, until none changes anything. Whether they keep the logic is not asked.
    pub fn apply(&mut self, rules: &[Rule], logic: Logic, budget: &Budget) {
        loop {
            let mut changed = false;
            for rule in rules {
                if budget.is_exhausted() {
                    return;
                }
                changed |= match rule {
                    Rule::Constant => self.resolve_constants(),
                    Rule::Dominated => self.drop_dominated(),
                    Rule::Parallel => self.drop_parallel(),
                    Rule::Untested => self.drop_untested(),
                    Rule::Effectless => self.drop_effectless(),
                    Rule::Cone => self.drop_irrelevant(),
                    Rule::Cycle => self.merge_cycles(),
                    Rule::Sequence => self.agglomerate(agglomerate::Kind::Sequence, logic),
                    Rule::Choice => self.agglomerate(agglomerate::Kind::Choice, logic),
                    Rule::Delay => self.agglomerate(agglomerate::Kind::Delay, logic),
                };
            }
            if !changed {
                break;
            }
        }
        self.renumber();
    }

    /// Leaves out transitions, and may rewrite those that stay; whether some went.
    fn retain(&mut self, keep: impl FnMut(&mut PlainTransition) -> bool) -> bool {
        let keep: Vec<bool> = self.net.transitions.iter_mut().map(keep).collect();
        let mut kept = keep.iter();
        self.net.transitions.retain(|_| kept.next() == Some(&true));
        self.back.retain(&keep);
        keep.contains(&false)
    }

    /// All comparisons.
    fn comparisons(&self) -> Vec<&Comparison> {
        let mut all: FxHashSet<&Comparison> = self.sums.iter().collect();
        for condition in &self.conditions {
            condition.for_each_comparison(&mut |comparison| {
                all.insert(comparison);
            });
        }
        let mut all: Vec<&Comparison> = all.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// For each place whether it is compared.
    fn visible(&self) -> Vec<bool> {
        let mut visible = vec![false; self.net.initial.len()];
        for (place, _) in self.comparisons().iter().flat_map(|comparison| &comparison.terms) {
            visible[*place as usize] = true;
        }
        visible
    }

    /// For each place whether too many tokens there inhibit somebody.
    fn inhibiting(&self) -> Vec<bool> {
        let mut inhibiting = vec![false; self.net.initial.len()];
        for transition in &self.net.transitions {
            for arc in transition.arcs.iter().filter(|arc| arc.inhibits()) {
                inhibiting[arc.place as usize] = true;
            }
            for &place in transition.sums.iter().flat_map(|(places, _)| places) {
                inhibiting[place as usize] = true;
            }
        }
        inhibiting
    }

    /// How many substitutions there is time for in one round. Each looks at all comparisons.
    fn affordable_substitutions(&self) -> usize {
        let size: usize = self.comparisons().iter().map(|one| 1 + one.terms.len()).sum();
        ROUND / size.max(1) + 1
    }

    /// Puts something else in place of some tokens: `place` has `constant`, and `of.1` times the tokens of `of.0`.
    fn substitute(&mut self, place: u32, of: Option<(u32, i64)>, constant: i64) -> Option<()> {
        let replaced = |comparison: &Comparison| -> Option<Comparison> {
            let Ok(at) = comparison.terms.binary_search_by_key(&place, |(place, _)| *place) else {
                return Some(comparison.clone());
            };
            let Comparison { mut terms, bound } = comparison.clone();
            let (_, weight) = terms.remove(at);
            if let Some((other, factor)) = of {
                let more = weight.checked_mul(factor)?;
                match terms.binary_search_by_key(&other, |(place, _)| *place) {
                    Ok(at) => terms[at].1 = terms[at].1.checked_add(more)?,
                    Err(at) => terms.insert(at, (other, more)),
                }
                terms.retain(|(_, weight)| *weight != 0);
            }
            let bound = bound.checked_sub(weight.checked_mul(constant)?)?;
            Some(Comparison { terms, bound })
        };
        // All of them, or none.
        for comparison in self.comparisons() {
            let Comparison { terms, bound } = replaced(comparison)?;
            compared(terms, bound)?;
        }
        let again = |comparison: &Comparison| {
            let Comparison { terms, bound } = replaced(comparison).expect("tried before");
            compared(terms, bound).expect("tried before")
        };
        for condition in &mut self.conditions {
            *condition = condition.replaced(&again, &Condition::Dead);
        }
        for sum in &mut self.sums {
            *sum = replaced(sum).expect("tried before");
        }
        Some(())
    }

    /// Leaves out the places that are nowhere mentioned.
    fn renumber(&mut self) {
        let mut is_used = self.visible();
        for transition in &self.net.transitions {
            let sums = transition.sums.iter().flat_map(|(places, _)| places);
            for &place in transition.arcs.iter().map(|arc| &arc.place).chain(sums) {
                is_used[place as usize] = true;
            }
        }
        let mut next = 0;
        let number: Vec<u32> = is_used
            .iter()
            .map(|&used| {
                let n = next;
                next += u32::from(used);
                n
            })
            .collect();
        let of = |place: u32| number[place as usize];
        for transition in &mut self.net.transitions {
            transition.arcs.iter_mut().for_each(|arc| arc.place = of(arc.place));
            for (places, _) in &mut transition.sums {
                places.iter_mut().for_each(|place| *place = of(*place));
            }
        }
        let renamed = |comparison: &Comparison| {
            let terms = comparison.terms.iter().map(|&(place, weight)| (of(place), weight));
            Comparison { terms: terms.collect(), bound: comparison.bound }
        };
        for condition in &mut self.conditions {
            *condition = condition.replaced(&|c| Condition::AtMost(renamed(c)), &Condition::Dead);
        }
        for sum in &mut self.sums {
            *sum = renamed(sum);
        }
        let mut used = is_used.iter();
        self.net.initial.retain(|_| *used.next().expect("one for each place"));
        let mut used = is_used.iter();
        self.origin.retain(|_| *used.next().expect("one for each place"));
    }
}

/// Whether a condition says that something can fire (`false`), or nothing (`true`).
fn says(condition: &Condition, wanted: bool) -> bool {
    match condition {
        Condition::Dead(value) => *value == wanted,
        Condition::And(parts) | Condition::Or(parts) => parts.iter().any(|part| says(part, wanted)),
        Condition::Constant(_) | Condition::AtMost(_) => false,
    }
}
