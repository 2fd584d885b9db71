//! Stubborn sets: in each marking some of what is enabled, enough to come wherever it is asked for.
//!
//! A set of transitions is *stubborn* in a marking if, whenever a sequence of others and then one of the set can
//! fire, that one can fire first, and the sequence after it, to the same end. It is closed under two rules, for
//! each of its transitions:
//!
//! - it is enabled: all that it could disable are in the set, those that need what it takes and those that are
//!   inhibited by what it puts;
//! - it is not: for one reason why it is not, all that could remove that reason are in the set.
//!
//! For a target that does not hold yet, the set has *interesting* transitions besides: every path to where it
//! holds contains one. So the first transition of the path that is in the set can be moved to its front, and what
//! is left is shorter; by induction, firing only what is in the set comes to the same marking. No proviso on cycles
//! is needed: where nothing in the set is enabled, the target is out of reach. To a deadlock every path disables
//! what is enabled now, so one enabled transition and all that can disable it are interesting.
//!
//! A. Valmari, *Stubborn sets for reduced state space generation*, 1989; K. Schmidt, *Stubborn sets for standard
//! properties*, 1999; F. Bønneland, P. Jensen, K. Larsen, M. Muñiz, J. Srba, *Start pruning when time gets urgent*,
//! CAV 2018, and *Stubborn versus structural reductions for Petri nets*, 2019. Here tests and effects are apart, so that
//! a transition which only reads a place is in conflict with nobody who reads it, too.
//!
//! Cost: for each marking, the arcs of what comes into the set. For linear time, more is asked: [`ample`].

pub(crate) mod ample;

use rustc_hash::FxHashMap;

use crate::net::{PlainNet, is_below};
use crate::search::Target;
use crate::{Condition, PlainArc, PlainTransition};

/// What the rules look up.
#[derive(Clone, Debug)]
pub(crate) struct Stubborn {
    /// For each place the transitions that take tokens, that put some, that need some, and that are
    /// inhibited by them.
    takers: Vec<Vec<u32>>,
    putters: Vec<Vec<u32>>,
    needing: Vec<Vec<u32>>,
    inhibited: Vec<Vec<u32>>,
    set: Set,
    /// For each target what makes its sums smaller: for each comparison in it, in order, which of the lists.
    interests: Vec<Vec<u32>>,
    lists: Vec<Vec<u32>>,
    /// Whether interesting transitions are left out. That is a fault, for tests.
    is_blind: bool,
}

/// The set that is being made.
#[derive(Clone, Debug)]
struct Set {
    /// Which are in it, by the number of the set that they were last in.
    member: Vec<u32>,
    round: u32,
    /// Those to which no rule was applied yet.
    open: Vec<u32>,
}

impl Set {
    fn begin(&mut self) {
        self.round += 1;
        self.open.clear();
    }

    fn contains(&self, transition: u32) -> bool {
        self.member[transition as usize] == self.round
    }

    fn add(&mut self, transition: u32) {
        let member = &mut self.member[transition as usize];
        if *member != self.round {
            *member = self.round;
            self.open.push(transition);
        }
    }

    fn add_all(&mut self, transitions: &[u32]) {
        transitions.iter().for_each(|&t| self.add(t));
    }
}

/// The number of enabled transitions that are tried as the one that a deadlock has to disable.
const TRIES: usize = 12;

impl Stubborn {
    /// The rules for a net and targets in it.
    pub(crate) fn new(net: &PlainNet, targets: &[Target], is_blind: bool) -> Stubborn {
        let empty = || vec![Vec::new(); net.initial.len()];
        let mut of = Stubborn {
            takers: empty(),
            putters: empty(),
            needing: empty(),
            inhibited: empty(),
            set: Set { member: vec![0; net.transitions.len()], round: 0, open: Vec::new() },
            interests: Vec::new(),
            lists: Vec::new(),
            is_blind,
        };
        for (number, transition) in (0..).zip(&net.transitions) {
            for arc in &transition.arcs {
                let place = arc.place as usize;
                let lists = [
                    (arc.change < 0, &mut of.takers),
                    (arc.change > 0, &mut of.putters),
                    (arc.needs(), &mut of.needing),
                    (arc.inhibits(), &mut of.inhibited),
                ];
                for (is_in, list) in lists {
                    if is_in {
                        list[place].push(number);
                    }
                }
            }
            for &place in transition.sums.iter().flat_map(|(places, _)| places) {
                of.inhibited[place as usize].push(number);
            }
        }
        of.note(net, targets);
        of
    }

    /// Finds the transitions that make sums smaller.
    fn note(&mut self, net: &PlainNet, targets: &[Target]) {
        let at = net.transitions_at();
        let mut known: FxHashMap<Vec<(u32, i64)>, u32> = FxHashMap::default();
        for target in targets {
            let mut interests = Vec::new();
            let mut of = |terms: Vec<(u32, i64)>| {
                let next = self.lists.len() as u32;
                let list = *known.entry(terms).or_insert_with_key(|terms| {
                    self.lists.push(with_effect(net, &at, terms, |effect| effect < 0));
                    next
                });
                interests.push(list);
            };
            match target {
                Target::Reach { condition, .. } => {
                    condition.for_each_comparison(&mut |comparison| of(comparison.terms.clone()));
                }
                Target::Greatest { terms, .. } => {
                    of(terms.iter().map(|&(place, weight)| (place, -weight)).collect());
                }
            }
            self.interests.push(interests);
        }
    }

    /// Keeps of what is enabled in a marking that which is in a stubborn set for some targets.
    pub(crate) fn reduce(
        &mut self,
        net: &PlainNet,
        marking: &[i32],
        targets: &[Target],
        enabled: &mut Vec<u32>,
    ) {
        let is_open = |(_, target): &(usize, &Target)| target.is_open();
        let open: Vec<(usize, &Target)> = targets.iter().enumerate().filter(is_open).collect();
        // Of a deadlock alone several sets can be tried.
        if let [(_, Target::Reach { condition: Condition::Dead(true), .. })] = open.as_slice()
            && !self.is_blind
        {
            let tried = enabled.iter().take(TRIES).map(|&t| {
                self.set.begin();
                self.add_with_rivals(net, t);
                self.close(net, marking);
                let kept = enabled.iter().copied().filter(|&t| self.set.contains(t));
                kept.collect::<Vec<u32>>()
            });
            if let Some(fewest) = tried.min_by_key(Vec::len) {
                *enabled = fewest;
            }
            return;
        }
        self.set.begin();
        for (number, target) in open {
            match target {
                Target::Reach { condition, .. } => {
                    self.add_interesting(net, condition, &mut (number, 0), marking, enabled);
                }
                Target::Greatest { .. } => {
                    let list = self.interests[number][0];
                    self.set.add_all(&self.lists[list as usize]);
                }
            }
        }
        self.close(net, marking);
        enabled.retain(|&t| self.set.contains(t));
    }

    /// Adds a transition, and all that can disable it.
    fn add_with_rivals(&mut self, net: &PlainNet, transition: u32) {
        self.set.add(transition);
        let of = &net.transitions[transition as usize];
        for arc in &of.arcs {
            if arc.needs() {
                self.set.add_all(&self.takers[arc.place as usize]);
            }
            if arc.inhibits() {
                self.set.add_all(&self.putters[arc.place as usize]);
            }
        }
        for &place in of.sums.iter().flat_map(|(places, _)| places) {
            self.set.add_all(&self.putters[place as usize]);
        }
    }

    /// Adds what every path has that leads to where a condition holds. `at` says which comparison of which target is
    /// the first of this condition, and then which comes after it.
    fn add_interesting(
        &mut self,
        net: &PlainNet,
        condition: &Condition,
        at: &mut (usize, usize),
        marking: &[i32],
        enabled: &[u32],
    ) {
        match condition {
            Condition::Constant(_) => {}
            Condition::AtMost(comparison) => {
                if !comparison.holds(marking) && !self.is_blind {
                    let list = self.interests[at.0][at.1];
                    self.set.add_all(&self.lists[list as usize]);
                }
                at.1 += 1;
            }
            Condition::Dead(wanted) => {
                if let (true, Some(&first)) = (*wanted, enabled.first()) {
                    self.add_with_rivals(net, first);
                }
            }
            Condition::Or(parts) => {
                for part in parts {
                    self.add_interesting(net, part, at, marking, enabled);
                }
            }
            Condition::And(parts) => {
                let mut best: Option<(usize, (usize, usize), &Condition)> = None;
                for part in parts {
                    let begin = *at;
                    let cost = self.cost(part, at, marking);
                    let is_wanted = !part.holds(marking, enabled.is_empty());
                    if is_wanted && best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, begin, part));
                    }
                }
                if let Some((_, mut at, part)) = best {
                    self.add_interesting(net, part, &mut at, marking, enabled);
                }
            }
        }
    }

    /// How many transitions are interesting for a condition, about.
    fn cost(&self, condition: &Condition, at: &mut (usize, usize), marking: &[i32]) -> usize {
        match condition {
            Condition::Constant(_) => 0,
            Condition::Dead(_) => 1,
            Condition::AtMost(comparison) => {
                let list = self.interests[at.0][at.1];
                at.1 += 1;
                if comparison.holds(marking) { 0 } else { self.lists[list as usize].len() }
            }
            Condition::Or(parts) => {
                parts.iter().fold(0, |sum, part| sum + self.cost(part, at, marking))
            }
            Condition::And(parts) => {
                let costs = parts.iter().map(|part| self.cost(part, at, marking));
                // All of them, so that `at` comes to the end.
                costs.fold(0, |least, cost| if least == 0 || cost < least { cost } else { least })
            }
        }
    }

    /// Closes the set under the rules.
    fn close(&mut self, net: &PlainNet, marking: &[i32]) {
        while let Some(transition) = self.set.open.pop() {
            let of = &net.transitions[transition as usize];
            match of.is_enabled(marking) {
                true => self.add_disabled(net, transition),
                false => self.add_enabling(net, transition, marking),
            }
        }
    }

    /// Adds all that a transition could disable.
    fn add_disabled(&mut self, net: &PlainNet, transition: u32) {
        for arc in &net.transitions[transition as usize].arcs {
            let place = arc.place as usize;
            let list = match arc.change {
                ..0 => &self.needing[place],
                0 => continue,
                1.. => &self.inhibited[place],
            };
            self.set.add_all(list);
        }
    }

    /// Adds all that can remove one reason why a transition is not enabled: the one that the fewest can.
    fn add_enabling(&mut self, net: &PlainNet, transition: u32, marking: &[i32]) {
        let of = &net.transitions[transition as usize];
        let reasons = of.arcs.iter().filter_map(|arc| {
            let tokens = marking[arc.place as usize];
            if tokens < arc.least {
                Some(&self.putters[arc.place as usize])
            } else if tokens > arc.most {
                Some(&self.takers[arc.place as usize])
            } else {
                None
            }
        });
        let new = |list: &&Vec<u32>| list.iter().filter(|t| !self.set.contains(**t)).count();
        if let Some(fewest) = reasons.min_by_key(new) {
            self.set.add_all(fewest);
            return;
        }
        let sum = of.sums.iter().find(|sum| !is_below(sum, marking)).expect("a reason");
        for &place in &sum.0 {
            self.set.add_all(&self.takers[place as usize]);
        }
    }
}

/// The transitions whose effect on a sum is as wanted.
pub(crate) fn with_effect(
    net: &PlainNet,
    at: &[Vec<u32>],
    terms: &[(u32, i64)],
    is_wanted: impl Fn(i64) -> bool,
) -> Vec<u32> {
    let mut found: Vec<u32> =
        terms.iter().flat_map(|(place, _)| &at[*place as usize]).copied().collect();
    found.sort_unstable();
    found.dedup();
    found.retain(|&t| is_wanted(effect(&net.transitions[t as usize], terms)));
    found
}

/// What a transition adds to a weighted sum of tokens.
pub(crate) fn effect(transition: &PlainTransition, terms: &[(u32, i64)]) -> i64 {
    let at = |place: u32| terms.binary_search_by_key(&place, |(place, _)| *place).ok();
    let part = |arc: &PlainArc| at(arc.place).map_or(0, |at| terms[at].1 * i64::from(arc.change));
    transition.arcs.iter().map(part).sum()
}
