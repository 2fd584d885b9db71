//! Stubborn sets for linear time without `next`: in each marking some of what is enabled, such that every run has
//! one with the same atoms, up to repetition, among those that are left.
//!
//! What is fired in a marking is all that is enabled, or a set for which
//!
//! 1. it is not empty, if something is enabled;
//! 2. no sequence of others disables, enables or is disabled by one of them: the set is what is enabled of one that
//!    is closed, where with an enabled transition come all that it could disable and all that could disable it, and with
//!    one that is not enabled, for one reason, all that could remove that reason;
//! 3. none of them is *visible*: none changes a sum that is compared;
//! 4. none of them is *sticky*: every cycle of markings has a step by a sticky transition.
//!
//! These are the conditions of ample sets, with the last one a matter of the net. On the usual proviso on the search
//! stack there is a catch: the product with an automaton meets a marking several times, with different stacks, and may
//! not choose differently (S. Siegel, *What's wrong with on-the-fly partial order reduction*, CAV 2019). Here what is
//! fired depends on the marking alone. Nor are sets weak, for which a published proof is wrong (T. Neele, A. Valmari,
//! T. Willemse, *The inconsistent labelling problem of stutter-preserving partial-order reduction*, FoSSaCS 2020):
//! transitions are deterministic, and nobody outside disables what is in the set. A marking in which nothing can fire
//! is repeated for ever; the set is not empty before, so that none comes too early.
//!
//! *Sticky transitions.* A cycle fires transitions whose changes add up to nothing. A transition that puts tokens into a
//! place from which no other takes any is in none, nor one that takes where nobody puts; without it, the same may be
//! true of others. If that comes to an end, one of those that are left becomes sticky, and so on. The first of a cycle
//! that went in this way would have gone while all others of the cycle were there, which change the place the other
//! way: so no cycle is without a sticky transition (R. Kurshan, V. Levin, M. Minea, D. Peled, H. Yenigün, *Static
//! partial order reduction*, TACAS 1998, for processes). Visible transitions go first, since no set has them
//! anyway.
//!
//! D. Peled, *All from one, one for all*, CAV 1993; E. Clarke, O. Grumberg, D. Peled, *Model checking*, 1999, ch. 10.
//! Cost: for each marking and each set that is tried, the arcs of what comes into it.

use super::{Stubborn, TRIES, effect};
use crate::{Comparison, Condition, PlainNet};

/// Finds such sets.
#[derive(Clone, Debug)]
pub(crate) struct Ample {
    rules: Stubborn,
    /// The transitions that no set has, unless it has all.
    is_excluded: Vec<bool>,
}

/// Mistakes to be made on purpose, by which tests show that they notice them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// No transition counts as visible.
    pub blind: bool,
    /// No transition counts as sticky.
    pub ignores_cycles: bool,
}

impl Ample {
    /// For a net and the conditions that a formula is about; `None` if these ask whether anything can fire, or every
    /// set would have all.
    pub(crate) fn of(
        net: &PlainNet,
        conditions: &[Condition],
        mistakes: Mistakes,
    ) -> Option<Ample> {
        if conditions.iter().any(Condition::asks_for_deadlock) {
            return None;
        }
        let mut compared: Vec<&Comparison> = Vec::new();
        conditions.iter().for_each(|c| c.for_each_comparison(&mut |one| compared.push(one)));
        compared.sort_unstable();
        compared.dedup();
        let is_visible = |t| compared.iter().any(|one| effect(t, &one.terms) != 0);
        let mut is_excluded: Vec<bool> =
            net.transitions.iter().map(|t| !mistakes.blind && is_visible(t)).collect();
        if !mistakes.ignores_cycles {
            add_sticky(net, &mut is_excluded);
        }
        let rules = Stubborn::new(net, &[], false);
        is_excluded.contains(&false).then_some(Ample { rules, is_excluded })
    }

    /// Keeps of what is enabled in a marking that which is in a set, if one has less.
    pub(crate) fn reduce(&mut self, net: &PlainNet, marking: &[i32], enabled: &mut Vec<u32>) {
        if enabled.len() < 2 {
            return;
        }
        let mut fewest: Option<Vec<u32>> = None;
        let begins = enabled.iter().filter(|t| !self.is_excluded[**t as usize]);
        for &first in begins.take(TRIES) {
            if fewest.as_ref().is_some_and(|fewest| fewest.contains(&first)) {
                continue;
            }
            if close(&mut self.rules, &self.is_excluded, net, marking, first) {
                let is_in = |t: &u32| self.rules.set.contains(*t);
                let kept: Vec<u32> = enabled.iter().copied().filter(is_in).collect();
                if fewest.as_ref().is_none_or(|fewest| kept.len() < fewest.len()) {
                    fewest = Some(kept);
                }
            }
            if fewest.as_ref().is_some_and(|fewest| fewest.len() == 1) {
                break;
            }
        }
        if let Some(fewest) = fewest {
            *enabled = fewest;
        }
    }
}

/// Makes the closed set around a transition. Whether it is one: it has nothing enabled that it may not have.
fn close(
    rules: &mut Stubborn,
    is_excluded: &[bool],
    net: &PlainNet,
    marking: &[i32],
    first: u32,
) -> bool {
    rules.set.begin();
    rules.set.add(first);
    while let Some(transition) = rules.set.open.pop() {
        let of = &net.transitions[transition as usize];
        if !of.is_enabled(marking) {
            rules.add_enabling(net, transition, marking);
            continue;
        }
        if is_excluded[transition as usize] {
            return false;
        }
        rules.add_with_rivals(net, transition);
        rules.add_disabled(net, transition);
    }
    true
}

/// Adds transitions to those that are excluded until every cycle has one.
fn add_sticky(net: &PlainNet, is_excluded: &mut [bool]) {
    let at = net.transitions_at();
    let mut is_left: Vec<bool> = is_excluded.iter().map(|is| !is).collect();
    // For each place how many of those that are left take from it, and put into it.
    let mut takers = vec![0_u32; net.initial.len()];
    let mut putters = takers.clone();
    let changes = |t: usize| net.transitions[t].arcs.iter().filter(|arc| arc.change != 0);
    for t in (0..is_left.len()).filter(|&t| is_left[t]) {
        for arc in changes(t) {
            let side = if arc.change < 0 { &mut takers } else { &mut putters };
            side[arc.place as usize] += 1;
        }
    }
    // Those that may go, of which some have gone.
    let mut open: Vec<usize> = (0..is_left.len()).collect();
    // Where one is made sticky, those come first that are at many places.
    let mut order = open.clone();
    order.sort_by_key(|&t| std::cmp::Reverse(changes(t).count()));
    let mut order = order.into_iter();
    loop {
        let gone = match open.pop() {
            Some(t) => {
                let is_in_none = changes(t).any(|arc| {
                    let others = if arc.change < 0 { &putters } else { &takers };
                    others[arc.place as usize] == 0
                });
                if !is_left[t] || !is_in_none {
                    continue;
                }
                t
            }
            None => match order.find(|&t| is_left[t]) {
                Some(t) => {
                    is_excluded[t] = true;
                    t
                }
                None => return,
            },
        };
        is_left[gone] = false;
        for arc in changes(gone) {
            let side = if arc.change < 0 { &mut takers } else { &mut putters };
            side[arc.place as usize] -= 1;
            if side[arc.place as usize] == 0 {
                open.extend(at[arc.place as usize].iter().map(|&t| t as usize));
            }
        }
    }
}
