//! What is there twice. Keeps everything.
//!
//! - A transition is *dominated* if another has the same effect and asks for no more: wherever it can fire the other
//!   can, and comes to the same marking.
//! - A place is *parallel* to another if every transition changes it by the same multiple of what it changes the other
//!   by: its tokens are that multiple of the other's and a constant, so every test of it, and every comparison, is one
//!   of the other.

use rustc_hash::FxHashMap;

use super::Problem;
use crate::{PlainArc, PlainTransition};

/// Transitions with the same effect that are compared with each other, at most.
const COMPARED: usize = 64;

/// What places a transition changes, or what transitions change a place, and by how much.
type Changes = Vec<(u32, i32)>;

impl Problem {
    /// Drops dominated transitions; whether there were any.
    pub(super) fn drop_dominated(&mut self) -> bool {
        let mut alike: FxHashMap<Changes, Vec<u32>> = FxHashMap::default();
        for (number, transition) in (0..).zip(&self.net.transitions) {
            let changing = transition.arcs.iter().filter(|arc| arc.change != 0);
            let effect = changing.map(|arc| (arc.place, arc.change)).collect();
            alike.entry(effect).or_default().push(number);
        }
        let mut is_dropped = vec![false; self.net.transitions.len()];
        for group in alike.values_mut() {
            // Those that ask for less come first; equal ones are together however many there are.
            group.sort_by_key(|&t| {
                let transition = &self.net.transitions[t as usize];
                (transition.arcs.len(), transition)
            });
            let mut kept: Vec<u32> = Vec::new();
            for &number in group.iter() {
                let transition = &self.net.transitions[number as usize];
                let is_less = |other: &&u32| {
                    asks_no_more(&self.net.transitions[**other as usize], transition)
                };
                if kept.iter().rev().take(COMPARED).any(|other| is_less(&other)) {
                    is_dropped[number as usize] = true;
                } else {
                    kept.push(number);
                }
            }
        }
        let mut dropped = is_dropped.into_iter();
        self.retain(|_| dropped.next() == Some(false))
    }

    /// Replaces parallel places by the others; whether there were any.
    pub(super) fn drop_parallel(&mut self) -> bool {
        let mut columns: Vec<Vec<(u32, i32)>> = vec![Vec::new(); self.net.initial.len()];
        for (number, transition) in (0..).zip(&self.net.transitions) {
            for arc in transition.arcs.iter().filter(|arc| arc.change != 0) {
                columns[arc.place as usize].push((number, arc.change));
            }
        }
        let mut in_sums = vec![false; columns.len()];
        for &place in
            self.net.transitions.iter().flat_map(|t| &t.sums).flat_map(|(places, _)| places)
        {
            in_sums[place as usize] = true;
        }
        let mut alike: FxHashMap<Changes, Vec<(i32, u32)>> = FxHashMap::default();
        for (place, mut column) in (0..).zip(columns) {
            if column.is_empty() {
                continue;
            }
            let common =
                column.iter().fold(0, |common, (_, change)| gcd(common, change.unsigned_abs()));
            let Ok(common) = i32::try_from(common) else { continue };
            column.iter_mut().for_each(|(_, change)| *change /= common);
            alike.entry(column).or_default().push((common, place));
        }
        let mut groups: Vec<_> = alike.into_values().filter(|group| group.len() > 1).collect();
        groups.sort_unstable();
        let mut changed = false;
        let at = self.net.transitions_at();
        let mut visible = self.visible();
        let mut substitutions = self.affordable_substitutions();
        for mut group in groups {
            group.sort_unstable();
            let (unit, base) = group[0];
            for &(common, place) in &group[1..] {
                if common % unit == 0 && !in_sums[place as usize] {
                    let factor = i64::from(common / unit);
                    let is_visible = visible[place as usize];
                    if is_visible {
                        // The others come in the next round.
                        let Some(left) = substitutions.checked_sub(1) else { continue };
                        substitutions = left;
                    }
                    let is_done =
                        self.replace_place(place, base, factor, &at[place as usize], is_visible);
                    visible[base as usize] |= is_visible && is_done.is_some();
                    changed |= is_done.is_some();
                }
            }
        }
        changed
    }

    /// Puts a constant and `factor` times the tokens of `base` in place of those of a place; `None` if numbers are
    /// too large for that.
    fn replace_place(
        &mut self,
        place: u32,
        base: u32,
        factor: i64,
        at: &[u32],
        is_visible: bool,
    ) -> Option<()> {
        let initial = |place: u32| i64::from(self.net.initial[place as usize]);
        let constant = initial(place) - factor * initial(base);
        let mut rewritten = Vec::new();
        for &number in at {
            let transition = &self.net.transitions[number as usize];
            rewritten.push((number, moved(transition, place, base, factor, constant)?));
        }
        if is_visible {
            self.substitute(place, Some((base, factor)), constant)?;
        }
        for (number, transition) in rewritten {
            self.net.transitions[number as usize] = transition;
        }
        Some(())
    }
}

/// The transition with its tests of one place as tests of another.
fn moved(
    transition: &PlainTransition,
    place: u32,
    base: u32,
    factor: i64,
    constant: i64,
) -> Option<PlainTransition> {
    let of = *transition.arc(place)?;
    let at_base = transition.arc(base).copied();
    let mut arc = at_base.unwrap_or(PlainArc { place: base, least: 0, most: i32::MAX, change: 0 });
    if of.needs() {
        // factor · tokens + constant ≥ least, rounded up.
        let least = -(-(i64::from(of.least) - constant)).div_euclid(factor);
        arc.least = arc.least.max(i32::try_from(least.max(0)).ok()?);
    }
    if of.inhibits() {
        let most = (i64::from(of.most) - constant).div_euclid(factor);
        arc.most = arc.most.min(i32::try_from(most.clamp(-1, i64::from(i32::MAX))).ok()?);
    }
    let others = transition.arcs.iter().filter(|arc| arc.place != place && arc.place != base);
    let arcs = others.copied().chain([arc]).collect();
    Some(PlainTransition::new(arcs, transition.sums.clone()))
}

/// Whether the first transition can fire wherever the second can.
fn asks_no_more(less: &PlainTransition, more: &PlainTransition) -> bool {
    let is_weaker = |arc: &PlainArc| match more.arc(arc.place) {
        Some(other) => arc.least <= other.least && arc.most >= other.most,
        None => !arc.needs() && !arc.inhibits(),
    };
    less.arcs.iter().all(is_weaker) && less.sums.iter().all(|sum| more.sums.contains(sum))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
