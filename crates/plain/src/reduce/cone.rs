//! What cannot help to come where a condition holds. Keeps reachability.
//!
//! A transition is *relevant* if it makes the sum of a comparison smaller, or if it removes a reason why a relevant
//! one may not be enabled: it puts tokens where that needs some, or takes tokens that inhibit it. Of a run to where a
//! condition holds, leave out what is not relevant: the others can still fire, since they miss nothing and are
//! inhibited by nothing more, and no sum is larger at the end; conditions hold where their sums are small enough.

use super::Problem;
use crate::stubborn::with_effect;

impl Problem {
    /// Drops what is not relevant; whether there was any.
    pub(super) fn drop_irrelevant(&mut self) -> bool {
        let net = &self.net;
        let places = net.initial.len();
        let (mut putters, mut takers) = (vec![Vec::new(); places], vec![Vec::new(); places]);
        for (number, transition) in (0_u32..).zip(&net.transitions) {
            for arc in &transition.arcs {
                match arc.change {
                    ..0 => takers[arc.place as usize].push(number),
                    0 => {}
                    1.. => putters[arc.place as usize].push(number),
                }
            }
        }
        let mut is_relevant = vec![false; net.transitions.len()];
        let mut open: Vec<u32> = Vec::new();
        let at = net.transitions_at();
        for comparison in self.comparisons() {
            open.extend(with_effect(net, &at, &comparison.terms, |effect| effect < 0));
        }
        while let Some(transition) = open.pop() {
            if std::mem::replace(&mut is_relevant[transition as usize], true) {
                continue;
            }
            let transition = &net.transitions[transition as usize];
            for arc in &transition.arcs {
                if arc.needs() {
                    open.append(&mut putters[arc.place as usize]);
                }
                if arc.inhibits() {
                    open.append(&mut takers[arc.place as usize]);
                }
            }
            for &place in transition.sums.iter().flat_map(|(places, _)| places) {
                open.append(&mut takers[place as usize]);
            }
        }
        let mut is_relevant = is_relevant.into_iter();
        self.retain(|_| is_relevant.next() == Some(true))
    }
}
