//! Places that never change, and transitions that are never enabled. Keeps everything.
//!
//! A place that nobody adds to never has more tokens than at first. A transition is possible if all that it needs
//! can be there: at first, or put by a possible transition; the others are never enabled (the places that are never
//! marked are the largest siphon without tokens). Tests at places that never change are resolved.

use super::Problem;
use crate::PlainTransition;

impl Problem {
    /// Resolves what is constant; whether anything was.
    pub(super) fn resolve_constants(&mut self) -> bool {
        let mut changed = self.drop_impossible();
        let mut grows = vec![false; self.net.initial.len()];
        let mut shrinks = grows.clone();
        for arc in self.net.transitions.iter().flat_map(|t| &t.arcs) {
            grows[arc.place as usize] |= arc.change > 0;
            shrinks[arc.place as usize] |= arc.change < 0;
        }
        let initial = self.net.initial.clone();
        let visible = self.visible();
        let mut substitutions = self.affordable_substitutions();
        for place in 0..initial.len() {
            let tokens = i64::from(initial[place]);
            if !grows[place] && !shrinks[place] && visible[place] {
                // The others come in the next round.
                let Some(left) = substitutions.checked_sub(1) else { break };
                substitutions = left;
                changed |= self.substitute(place as u32, None, tokens).is_some();
            }
        }
        self.retain(|transition| {
            let (arcs, sums) = (transition.arcs.len(), transition.sums.len());
            let inhibited = transition.arcs.iter().filter(|arc| arc.inhibits()).count();
            let is_possible = resolve(transition, &initial, &grows, &shrinks);
            let now = transition.arcs.iter().filter(|arc| arc.inhibits()).count();
            changed |= !is_possible;
            changed |=
                (transition.arcs.len(), transition.sums.len(), now) != (arcs, sums, inhibited);
            is_possible
        });
        changed
    }

    /// Drops what is never enabled; whether there was any.
    fn drop_impossible(&mut self) -> bool {
        let net = &self.net;
        let mut grows = vec![false; net.initial.len()];
        for arc in net.transitions.iter().flat_map(|t| &t.arcs) {
            grows[arc.place as usize] |= arc.change > 0;
        }
        // How many of its needs are missing still.
        let mut missing = Vec::new();
        let mut waiting = vec![Vec::new(); net.initial.len()];
        let mut marked: Vec<bool> = net.initial.iter().map(|&tokens| tokens > 0).collect();
        let mut open = Vec::new();
        for (number, transition) in (0_u32..).zip(&net.transitions) {
            let mut count = 0;
            for arc in transition.arcs.iter().filter(|arc| arc.needs()) {
                let place = arc.place as usize;
                if !grows[place] && arc.least > net.initial[place] {
                    // It never gets what it needs.
                    count += 1;
                } else if !marked[place] {
                    count += 1;
                    waiting[place].push(number);
                }
            }
            missing.push(count);
            if count == 0 {
                open.push(number);
            }
        }
        while let Some(transition) = open.pop() {
            for arc in net.transitions[transition as usize].arcs.iter().filter(|arc| arc.change > 0)
            {
                if std::mem::replace(&mut marked[arc.place as usize], true) {
                    continue;
                }
                for &waits in &waiting[arc.place as usize] {
                    missing[waits as usize] -= 1;
                    if missing[waits as usize] == 0 {
                        open.push(waits);
                    }
                }
            }
        }
        let mut missing = missing.into_iter();
        self.retain(|_| missing.next() == Some(0))
    }
}

/// Resolves the tests of a transition at places that do not change; `false` if one fails.
fn resolve(
    transition: &mut PlainTransition,
    initial: &[i32],
    grows: &[bool],
    shrinks: &[bool],
) -> bool {
    let mut is_possible = true;
    for arc in &mut transition.arcs {
        let place = arc.place as usize;
        let tokens = initial[place];
        if !grows[place] {
            is_possible &= arc.least <= tokens;
            if arc.most >= tokens {
                arc.most = i32::MAX;
            }
        }
        if !shrinks[place] {
            is_possible &= arc.most >= tokens;
            if arc.least <= tokens {
                arc.least = 0;
            }
        }
    }
    for (places, bound) in &mut transition.sums {
        places.retain(|&place| {
            let is_fixed = !grows[place as usize] && !shrinks[place as usize];
            if is_fixed {
                *bound = bound.saturating_sub(initial[place as usize]);
            }
            !is_fixed
        });
    }
    is_possible &= transition.sums.iter().all(|(_, bound)| *bound > 0);
    transition.sums.retain(|(places, _)| !places.is_empty());
    *transition = PlainTransition::new(
        std::mem::take(&mut transition.arcs),
        std::mem::take(&mut transition.sums),
    );
    is_possible
}
