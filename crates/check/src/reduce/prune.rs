//! Acceptance where it matters, component by component.
//!
//! A run stays in one strongly connected component from some point on, so only what it takes there counts. States from
//! which no accepting component is reached are dropped. Transitions that lie in no accepting component are taken out
//! of all sets, or, where they lead from one component to another, put into all of them ([`Between`]). Within an
//! accepting component a set says nothing if every cycle takes it, or if every transition of another set that counts
//! is in it, too; a component needs no more sets than are left, and which sets these are called does not matter: the
//! automaton has as many sets as the component that needs most, and what a component does not need, all of its
//! transitions are in (Duret-Lutz, *LTL translation improvements in Spot 1.0*, 2014). If no set is left but some cycle
//! is not accepting, one stays.
//!
//! Cost: linear in the transitions for each set, and the square of the sets for each transition.

use rustc_hash::FxHashMap;

use crate::draft::{Draft, Part};

/// The sets of transitions from one component to another, which do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Between {
    InNone,
    InAll,
}

impl Draft {
    /// Drops states without a future and memberships without a meaning.
    pub(crate) fn prune(&mut self, between: Between) {
        if self.states.is_empty() {
            return;
        }
        let parts = self.components();
        let hopeful = self.hopeful(&parts);
        self.states.iter_mut().for_each(|arcs| arcs.retain(|arc| hopeful[arc.to as usize]));
        let number = numbers(&parts, self.states.len());
        let useful: Vec<Vec<u32>> = parts.iter().map(|part| self.useful(part, &number)).collect();
        let most = useful.iter().map(Vec::len).max().unwrap_or(0);
        let rejects =
            |part: &Part| part.is_cyclic && !part.is_accepting && hopeful[part.states[0] as usize];
        let sets = most.max(usize::from(parts.iter().any(rejects)));
        let all = u64::MAX.checked_shr(u64::BITS - sets as u32).unwrap_or(0);
        for (from, arcs) in self.states.iter_mut().enumerate() {
            for arc in arcs {
                let part = number[arc.to as usize];
                if number[from] != part || !parts[part].is_accepting {
                    let in_all = number[from] != part && between == Between::InAll;
                    arc.sets = if in_all { all } else { 0 };
                    continue;
                }
                let kept = useful[part].iter().enumerate();
                let missing = kept.filter(|(_, set)| arc.sets >> **set & 1 == 0);
                arc.sets = missing.fold(all, |sets, (place, _)| sets & !(1 << place));
            }
        }
        self.sets = sets as u32;
        self.keep_reachable();
    }

    /// From which states an accepting component is reached.
    fn hopeful(&self, parts: &[Part]) -> Vec<bool> {
        let mut hopeful = vec![false; self.states.len()];
        // Components come after those that are reached from them.
        for part in parts {
            let leads_on = |state: &u32| {
                self.states[*state as usize].iter().any(|arc| hopeful[arc.to as usize])
            };
            if part.is_accepting || part.states.iter().any(leads_on) {
                part.states.iter().for_each(|&state| hopeful[state as usize] = true);
            }
        }
        hopeful
    }

    /// The acceptance sets that say something in a component.
    fn useful(&self, part: &Part, number: &[usize]) -> Vec<u32> {
        if !part.is_accepting {
            return Vec::new();
        }
        let own = number[part.states[0] as usize];
        let inner = || {
            let arcs = part
                .states
                .iter()
                .flat_map(|&state| self.states[state as usize].iter().map(move |arc| (state, arc)));
            arcs.filter(|(_, arc)| number[arc.to as usize] == own)
        };
        // Every transition of the first is in the second.
        let within = |first: u32, second: u32| {
            inner().all(|(_, arc)| arc.sets >> first & 1 == 0 || arc.sets >> second & 1 == 1)
        };
        let says_something = |set: &u32| {
            let without = |state: u32| {
                let arcs = self.states[state as usize].iter();
                let arcs = arcs.filter(move |arc| number[arc.to as usize] == own);
                arcs.filter(|arc| arc.sets >> set & 1 == 0).map(|arc| arc.to)
            };
            has_cycle(&part.states, without)
        };
        let mut useful: Vec<u32> = (0..self.sets).filter(says_something).collect();
        let mut at = 0;
        while at < useful.len() {
            let set = useful[at];
            if useful.iter().any(|&other| other != set && within(other, set)) {
                useful.remove(at);
            } else {
                at += 1;
            }
        }
        useful
    }
}

/// The number of the component of each state.
pub(crate) fn numbers(parts: &[Part], states: usize) -> Vec<usize> {
    let mut number = vec![0; states];
    for (own, part) in parts.iter().enumerate() {
        part.states.iter().for_each(|&state| number[state as usize] = own);
    }
    number
}

/// Whether some of these states are on a cycle; all that follows them is among them.
pub(crate) fn has_cycle<S: Iterator<Item = u32>>(states: &[u32], after: impl Fn(u32) -> S) -> bool {
    let mut before: FxHashMap<u32, usize> = states.iter().map(|&state| (state, 0)).collect();
    let mut come = |to: u32, by: isize| {
        let count = before.get_mut(&to).expect("it is among them");
        *count = count.wrapping_add_signed(by);
        *count
    };
    for &state in states {
        after(state).for_each(|to| _ = come(to, 1));
    }
    let mut open: Vec<u32> = states.iter().copied().filter(|&state| come(state, 0) == 0).collect();
    let mut done = 0;
    while let Some(state) = open.pop() {
        done += 1;
        open.extend(after(state).filter(|&to| come(to, -1) == 0));
    }
    done < states.len()
}
