//! The least deterministic automaton of an obligation.
//!
//! An *obligation* is a boolean combination of safety properties. Its words are accepted by a deterministic weak
//! automaton: one of whose components each is as a whole accepting or not. That of Dax, Eisinger and Klaedtke
//! (*Mechanizing the powerset construction for restricted classes of ω-automata*, ATVA 2007) has as states the sets of
//! states that an automaton can be in; a component is accepting if the word of one of its cycles is accepted. There is
//! one with least states (Löding, *Efficient minimization of deterministic weak ω-automata*, 2001): with the right
//! choice for states on no cycle it is found like that of a finite automaton.
//!
//! Cost: up to exponentially many sets of states; given up where there are more than [`MOST_SETS`].

use rustc_hash::FxHashMap;

use super::partition::partition;
use super::prune::numbers;
use crate::bdd::{Bdd, FALSE, Literals, Node, TRUE};
use crate::components::{self, Event};
use crate::draft::{Arc, Draft, Part};

/// The most sets of states.
const MOST_SETS: usize = 1 << 10;
/// The most transitions of a set of states.
const MOST_ARCS: usize = 1 << 10;

impl Draft {
    /// The least deterministic weak automaton of some states, if they are ones of obligations; complete, with one
    /// acceptance set, and for each of the states the one that accepts the same. None if it would be too large.
    pub(crate) fn least_weak(&self, roots: &[u32], bdd: &mut Bdd) -> Option<(Draft, Vec<u32>)> {
        let (subsets, mut least) = self.determinised(roots, bdd)?;
        let parts = least.components();
        let number = numbers(&parts, least.states.len());
        let mut colours = vec![0; least.states.len()];
        for part in &parts {
            let accepts =
                part.is_cyclic && self.accepts_a_cycle(&least, part, &number, &subsets, bdd);
            let colour = least.colour(part, &number, accepts, &colours);
            part.states.iter().for_each(|&state| colours[state as usize] = colour);
        }
        let is_accepting: Vec<bool> = colours.iter().map(|colour| colour % 2 == 0).collect();
        let mut classes = least.merge_equal(&is_accepting, bdd);
        classes.truncate(roots.len());
        Some((least, classes))
    }

    /// The sets of states that it can be in if it starts in one of these, first those with one of these alone; the
    /// deterministic automaton that has them as states, and is complete.
    fn determinised(&self, roots: &[u32], bdd: &mut Bdd) -> Option<(Vec<Vec<u32>>, Draft)> {
        let mut subsets: Vec<Vec<u32>> = roots.iter().map(|&root| vec![root]).collect();
        let mut numbers: FxHashMap<Vec<u32>, u32> = subsets.iter().cloned().zip(0..).collect();
        let mut states = Vec::new();
        while states.len() < subsets.len() {
            let mut parts: Vec<(Node, Vec<u32>)> = vec![(TRUE, Vec::new())];
            for &state in &subsets[states.len()] {
                for arc in &self.states[state as usize] {
                    let mut split = Vec::with_capacity(parts.len());
                    for (label, targets) in parts {
                        let inside = bdd.and(label, arc.label);
                        if targets.contains(&arc.to) || inside == FALSE {
                            split.push((label, targets));
                            continue;
                        }
                        let outside = bdd.without(label, arc.label);
                        let mut more = targets.clone();
                        more.push(arc.to);
                        split.push((inside, more));
                        if outside != FALSE {
                            split.push((outside, targets));
                        }
                    }
                    parts = split;
                    if parts.len() > MOST_ARCS || bdd.is_full() {
                        return None;
                    }
                }
            }
            let mut arcs = Vec::with_capacity(parts.len());
            for (label, mut targets) in parts {
                targets.sort_unstable();
                let next = subsets.len() as u32;
                let to = *numbers.entry(targets.clone()).or_insert(next);
                if to == next {
                    subsets.push(targets);
                }
                arcs.push(Arc { to, sets: 0, label });
            }
            if subsets.len() > MOST_SETS {
                return None;
            }
            states.push(arcs);
        }
        let mut deterministic = Draft { states, sets: 0 };
        deterministic.unite_labels(bdd);
        Some((subsets, deterministic))
    }

    /// Whether the word of some cycle in a component of the deterministic automaton is accepted from there.
    fn accepts_a_cycle(
        &self,
        deterministic: &Draft,
        part: &Part,
        number: &[usize],
        subsets: &[Vec<u32>],
        bdd: &Bdd,
    ) -> bool {
        // From the first state always on by a transition inside, until some state is met again.
        let mut walk: Vec<(u32, Literals)> = Vec::new();
        let mut at = part.states[0];
        let start = loop {
            if let Some(start) = walk.iter().position(|(state, _)| *state == at) {
                break start;
            }
            let arcs = deterministic.states[at as usize].iter();
            let mut inside = arcs.filter(|arc| number[arc.to as usize] == number[at as usize]);
            let arc = inside.next().expect("a step stays in a component with cycles");
            walk.push((at, bdd.example(arc.label)));
            at = arc.to;
        };
        let cycle = &walk[start..];
        // The product of this automaton and the cycle: a state, and a position that it is about to read.
        let length = cycle.len() as u32;
        let steps = |node: u32| {
            let (state, position) = (node / length, node % length);
            let letter = &cycle[position as usize].1;
            let arcs = self.states[state as usize].iter();
            let open = arcs.filter(move |arc| bdd.holds(arc.label, letter));
            open.map(move |arc| (arc.to * length + (position + 1) % length, arc.sets))
        };
        let roots = subsets[cycle[0].0 as usize].iter().map(|state| state * length);
        components::search(roots, |event| match event {
            Event::Expand(node, found) => {
                found.extend(steps(node));
                Ok(())
            }
            Event::Connected(_, sets) if sets == self.all_sets() => Err(()),
            _ => Ok(()),
        })
        .is_err()
    }

    /// The colour of a component: even where it accepts, at most those of components that follow, and as great as it
    /// may be. States on no cycle have that of what follows.
    fn colour(&self, part: &Part, number: &[usize], accepts: bool, colours: &[u32]) -> u32 {
        // Even: there are not more components than states.
        let most = 2 * self.states.len() as u32;
        let after = part.states.iter().flat_map(|&state| &self.states[state as usize]);
        let own = number[part.states[0] as usize];
        let after = after.filter(|arc| number[arc.to as usize] != own);
        let least = after.map(|arc| colours[arc.to as usize]).min();
        match (part.is_cyclic, least) {
            (false, least) => least.unwrap_or(most),
            (true, None) => most + u32::from(!accepts),
            (true, Some(least)) if least.is_multiple_of(2) == accepts => least,
            (true, Some(least)) => least - 1,
        }
    }

    /// Makes one state of those that cannot be told apart, and writes acceptance on transitions.
    /// The state that each becomes.
    fn merge_equal(&mut self, is_accepting: &[bool], bdd: &mut Bdd) -> Vec<u32> {
        let kinds = is_accepting.iter().map(|&accepts| u32::from(accepts)).collect();
        let classes = partition(&self.states, kinds, bdd);
        let count = classes.iter().max().map_or(0, |&most| most as usize + 1);
        let mut states = vec![None; count];
        let mut accepts = vec![false; count];
        for (state, &class) in classes.iter().enumerate() {
            accepts[class as usize] = is_accepting[state];
            states[class as usize].get_or_insert_with(|| {
                let arcs = self.states[state].iter();
                arcs.map(|arc| Arc { to: classes[arc.to as usize], ..*arc }).collect::<Vec<_>>()
            });
        }
        self.states = states.into_iter().flatten().collect();
        self.unite_labels(bdd);
        let parts = self.components();
        let number = numbers(&parts, count);
        self.sets = 1;
        for (from, arcs) in self.states.iter_mut().enumerate() {
            for arc in arcs {
                let stays = number[from] == number[arc.to as usize];
                arc.sets = u64::from(stays && accepts[from]);
            }
        }
        classes
    }

    /// This automaton with those of its states that are ones of obligations replaced by the least deterministic weak
    /// automaton. None if it would be too large, or if there are none.
    pub(crate) fn with_weak(&self, is_obligation: &[bool], bdd: &mut Bdd) -> Option<Draft> {
        let others = || (0..self.states.len()).filter(|&state| !is_obligation[state]);
        let mut roots: Vec<u32> =
            others().flat_map(|state| &self.states[state]).map(|arc| arc.to).collect();
        roots.retain(|&state| is_obligation[state as usize]);
        roots.sort_unstable();
        roots.dedup();
        if roots.is_empty() || is_obligation[0] {
            return None;
        }
        let (weak, becomes) = self.least_weak(&roots, bdd)?;
        let offset = self.states.len() as u32;
        let mut joined = self.clone();
        joined.states.extend(weak.states.into_iter().map(|mut arcs| {
            for arc in &mut arcs {
                arc.to += offset;
                arc.sets = if arc.sets == 1 { self.all_sets() } else { 0 };
            }
            arcs
        }));
        if joined.sets == 0 {
            return None;
        }
        for state in others() {
            for arc in &mut joined.states[state] {
                if let Ok(root) = roots.binary_search(&arc.to) {
                    arc.to = offset + becomes[root];
                }
            }
        }
        joined.unite_labels(bdd);
        joined.keep_reachable();
        Some(joined)
    }

    /// Whether some word is accepted that a complete deterministic weak automaton accepts, or else does not.
    pub(crate) fn meets(&self, weak: &Draft, accepted: bool, bdd: &mut Bdd) -> bool {
        // A cycle of the other stays in one of its components: all its transitions are accepting, or none is.
        let extra = 1_u64.checked_shl(self.sets).expect("there are fewer than 64 sets");
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::from_iter([((0, 0), 0)]);
        let mut pairs = vec![(0, 0)];
        components::search([0], |event| match event {
            Event::Expand(node, steps) => {
                let (state, other) = pairs[node as usize];
                for arc in &self.states[state as usize] {
                    for with in &weak.states[other as usize] {
                        if bdd.and(arc.label, with.label) == FALSE {
                            continue;
                        }
                        let next = pairs.len() as u32;
                        let to = *numbers.entry((arc.to, with.to)).or_insert(next);
                        if to == next {
                            pairs.push((arc.to, with.to));
                        }
                        let marked = (with.sets == 1) == accepted;
                        steps.push((to, arc.sets | if marked { extra } else { 0 }));
                    }
                }
                Ok(())
            }
            Event::Connected(_, sets) if sets == self.all_sets() | extra => Err(()),
            _ => Ok(()),
        })
        .is_err()
    }
}
