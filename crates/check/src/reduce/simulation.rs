//! States that another can replace.
//!
//! A state is *simulated* by another if for each transition of it and each letter of the label the other has a
//! transition for the letter, in at least the same acceptance sets, to a state that simulates the target: then it
//! accepts all that the first does (Etessami, Wilke and Schuller 2001). States that simulate each other are made one, and
//! of the transitions of a state those are dropped, letter by letter, for which there is a better one (Somenzi and Bloem
//! 2000). *Reverse* simulation is the same against the direction of transitions; what simulates the initial state is
//! initial.
//!
//! At first everything simulates everything; pairs for which that is wrong are taken out until there are no more.
//!
//! Cost: a round takes, for each two states, each two of their transitions; there are as many rounds as pairs at most,
//! and hardly ever more than a few. Above [`MOST_ORDERED`] states or transitions only those states are made one that
//! have the same transitions (bisimulation).

use rustc_hash::FxHashMap;

use super::partition::partition;
use crate::bdd::{Bdd, FALSE};
use crate::draft::{Arc, Draft};

/// The most states and transitions for which it is worked out who simulates whom.
const MOST_ORDERED: (usize, usize) = (256, 1 << 11);

/// Along transitions, or against them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Direct,
    Reverse,
}

/// Who simulates whom.
struct Simulation {
    states: usize,
    /// For each state and each other whether the other simulates it.
    better: Vec<bool>,
}

impl Draft {
    /// Makes one state of those that simulate each other, and drops transitions for which there is a better one.
    pub(crate) fn simulate(&mut self, direction: Direction, bdd: &mut Bdd) {
        if self.states.is_empty() {
            return;
        }
        let arcs = match direction {
            Direction::Direct => self.states.clone(),
            Direction::Reverse => self.turned(),
        };
        let is_initial = |state: usize| direction == Direction::Reverse && state == 0;
        let (states, transitions) = self.size();
        let simulation = if states <= MOST_ORDERED.0 && transitions <= MOST_ORDERED.1 {
            Simulation::of(&arcs, is_initial, bdd)
        } else {
            let classes = (0..states).map(|state| u32::from(is_initial(state))).collect();
            let classes = partition(&arcs, classes, bdd);
            Simulation::equal(&classes)
        };
        let mut reduced = vec![Vec::new(); states];
        let becomes = simulation.representatives();
        for state in (0..states).filter(|&state| becomes[state] == state as u32) {
            for arc in simulation.best(&arcs[state], &becomes, bdd) {
                let (from, to) = match direction {
                    Direction::Direct => (state as u32, arc.to),
                    Direction::Reverse => (arc.to, state as u32),
                };
                reduced[from as usize].push(Arc { to, ..arc });
            }
        }
        self.states = reduced;
        self.keep_reachable();
    }

    /// For each state the transitions that lead to it, with where they come from as their target.
    fn turned(&self) -> Vec<Vec<Arc>> {
        let mut turned = vec![Vec::new(); self.states.len()];
        for (from, arcs) in (0..).zip(&self.states) {
            for arc in arcs {
                turned[arc.to as usize].push(Arc { to: from, ..*arc });
            }
        }
        turned
    }
}

impl Simulation {
    /// The greatest one. Those that are initial are simulated only by such.
    fn of(arcs: &[Vec<Arc>], is_initial: impl Fn(usize) -> bool, bdd: &mut Bdd) -> Simulation {
        let states = arcs.len();
        let pairs = (0..states).flat_map(|state| (0..states).map(move |other| (state, other)));
        let may = |(state, other)| !is_initial(state) || is_initial(other);
        let mut simulation = Simulation { states, better: pairs.map(may).collect() };
        loop {
            let mut is_stable = true;
            for (state, own) in arcs.iter().enumerate() {
                for (other, others) in arcs.iter().enumerate() {
                    let place = state * states + other;
                    if state != other
                        && simulation.better[place]
                        && !simulation.covers(own, others, bdd)
                    {
                        simulation.better[place] = false;
                        is_stable = false;
                    }
                }
            }
            if is_stable {
                return simulation;
            }
        }
    }

    /// That in which only states of the same class simulate each other.
    fn equal(classes: &[u32]) -> Simulation {
        let alike = |class| classes.iter().map(move |other| class == other);
        Simulation { states: classes.len(), better: classes.iter().flat_map(alike).collect() }
    }

    /// Whether the second simulates the first.
    fn is_better(&self, state: u32, other: u32) -> bool {
        self.better[state as usize * self.states + other as usize]
    }

    /// Whether the second transition is as good as the first, where its label holds.
    fn is_as_good(&self, arc: &Arc, other: &Arc) -> bool {
        arc.sets & !other.sets == 0 && self.is_better(arc.to, other.to)
    }

    /// Whether for each transition there are as good ones among others.
    fn covers(&self, arcs: &[Arc], others: &[Arc], bdd: &mut Bdd) -> bool {
        arcs.iter().all(|arc| {
            let mut label = arc.label;
            for other in others.iter().filter(|other| self.is_as_good(arc, other)) {
                label = bdd.without(label, other.label);
                if label == FALSE {
                    return true;
                }
            }
            false
        })
    }

    /// For each state the first of those that it simulates and that simulate it.
    fn representatives(&self) -> Vec<u32> {
        let states = 0..self.states as u32;
        let alike =
            |state: u32, other: u32| self.is_better(state, other) && self.is_better(other, state);
        let first = |state: u32| (0..state).find(|&other| alike(state, other)).unwrap_or(state);
        states.map(first).collect()
    }

    /// Of some transitions, between those that states become, the best ones for each letter.
    fn best(&self, arcs: &[Arc], becomes: &[u32], bdd: &mut Bdd) -> Vec<Arc> {
        let mut places: FxHashMap<(u32, u64), usize> = FxHashMap::default();
        let mut united: Vec<Arc> = Vec::new();
        for arc in arcs {
            let to = becomes[arc.to as usize];
            match places.get(&(to, arc.sets)) {
                Some(&at) => united[at].label = bdd.or(united[at].label, arc.label),
                None => {
                    places.insert((to, arc.sets), united.len());
                    united.push(Arc { to, ..*arc });
                }
            }
        }
        // Of two different ones here, not each is as good as the other.
        let mut best = Vec::new();
        for (at, arc) in united.iter().enumerate() {
            let mut label = arc.label;
            for (_, other) in united.iter().enumerate().filter(|(other, _)| *other != at) {
                if self.is_as_good(arc, other) {
                    label = bdd.without(label, other.label);
                }
            }
            if label != FALSE {
                best.push(Arc { label, ..*arc });
            }
        }
        best
    }
}
