//! States that another can replace.
//!
//! A state is *simulated* by another if for each transition of it and each letter of the label the other has a
//! transition for the letter, in at least the same acceptance sets, to a state that simulates the target: then it
//! accepts all that the first does (Etessami, Wilke and Schuller 2001). States that simulate each other are made one, and
//! of the transitions of a state those are dropped for which there is a better one. *Reverse* simulation is the same
//! against the direction of transitions; what simulates the initial state is initial.
//!
//! As in Babiak, Badie, Duret-Lutz, Křetínský and Strejček (*Compositional approach to suspension and other
//! improvements to LTL translation*, SPIN 2013) a state has a signature: the disjunction over its transitions of the
//! label, of a variable for each set that the transition is not in, and of variables for all classes of states
//! that simulate the target. Then simulation is implication between signatures, and their prime implicants are the
//! transitions of the smaller automaton. Starting with everything simulating everything, signatures and implications
//! are worked out until nothing changes.
//!
//! Cost: a round takes an implication for each two classes; there are as many rounds as classes at most. Above
//! [`MOST_ORDERED`] states and transitions only those are made one that have the same signature (bisimulation).

use rustc_hash::FxHashMap;

use crate::bdd::{Bdd, FALSE, Node};
use crate::draft::{Arc, Draft};

/// The most states and transitions for which it is worked out who simulates whom.
const MOST_ORDERED: (usize, usize) = (256, 1 << 13);

/// Along transitions, or against them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Direct,
    Reverse,
}

/// Classes of states that simulate each other.
struct Classes {
    /// The class of each state, numbered by their first states.
    of: Vec<u32>,
    /// For each class those that simulate it, itself among them, ascending.
    better: Vec<Vec<u32>>,
}

/// The variables of signatures: whether the state is initial, then one for each set, then one for each class.
struct Levels {
    initial: u32,
    sets: u32,
    classes: u32,
}

impl Draft {
    /// Makes one state of those that simulate each other, and drops transitions for which there is a better one.
    /// The levels of `bdd` below `first` are atoms.
    pub(crate) fn simulate(&mut self, direction: Direction, bdd: &mut Bdd, first: u32) {
        if self.states.is_empty() {
            return;
        }
        let levels = Levels { initial: first, sets: first + 1, classes: first + 1 + self.sets };
        let arcs = match direction {
            Direction::Direct => self.states.clone(),
            Direction::Reverse => self.turned(),
        };
        let (states, transitions) = self.size();
        let is_ordered = states <= MOST_ORDERED.0 && transitions <= MOST_ORDERED.1;
        let is_initial = |state: usize| direction == Direction::Reverse && state == 0;
        let mut classes = Classes { of: vec![0; arcs.len()], better: vec![vec![0]] };
        let signatures = loop {
            let targets: Vec<Node> =
                classes.better.iter().map(|better| levels.classes(better, bdd)).collect();
            let mut signatures = Vec::with_capacity(arcs.len());
            for (state, arcs) in arcs.iter().enumerate() {
                let mut signature =
                    if is_initial(state) { bdd.variable(levels.initial) } else { FALSE };
                for arc in arcs {
                    let target = targets[classes.of[arc.to as usize] as usize];
                    let missing = levels.missing(self.all_sets() & !arc.sets, bdd);
                    let then = bdd.and(missing, target);
                    let part = bdd.and(arc.label, then);
                    signature = bdd.or(signature, part);
                }
                signatures.push(signature);
            }
            let refined = classes.refined(&signatures, is_ordered, bdd);
            let is_stable = refined.of == classes.of && refined.better == classes.better;
            classes = refined;
            if is_stable {
                break signatures;
            }
            if bdd.is_full() {
                return;
            }
        };
        self.states = classes.quotient(&signatures, direction, &levels, self.all_sets(), bdd);
        self.unite_labels(bdd);
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

impl Levels {
    /// That all of these classes are meant.
    fn classes(&self, classes: &[u32], bdd: &mut Bdd) -> Node {
        let levels: Vec<u32> = classes.iter().map(|class| self.classes + class).collect();
        bdd.conjunction(&levels)
    }

    /// That these sets are missing.
    fn missing(&self, sets: u64, bdd: &mut Bdd) -> Node {
        let levels: Vec<u32> =
            (0..u64::BITS).filter(|set| sets >> set & 1 == 1).map(|set| self.sets + set).collect();
        bdd.conjunction(&levels)
    }
}

impl Classes {
    /// The classes of states with the same signature. Classes that simulated each other before may no longer.
    fn refined(&self, signatures: &[Node], is_ordered: bool, bdd: &mut Bdd) -> Classes {
        let mut numbers: FxHashMap<Node, u32> = FxHashMap::default();
        // The first state of each class.
        let mut firsts = Vec::new();
        let mut of = Vec::with_capacity(signatures.len());
        for (state, &signature) in signatures.iter().enumerate() {
            let next = firsts.len() as u32;
            let class = *numbers.entry(signature).or_insert(next);
            if class == next {
                firsts.push(state);
            }
            of.push(class);
        }
        let mut better = Vec::with_capacity(firsts.len());
        for (own, &state) in (0..).zip(&firsts) {
            let before = &self.better[self.of[state] as usize];
            let mut simulates = |(class, &other): (u32, &usize)| {
                let is_better = class == own
                    || is_ordered
                        && before.binary_search(&self.of[other]).is_ok()
                        && bdd.implies(signatures[state], signatures[other]);
                is_better.then_some(class)
            };
            better.push((0..).zip(&firsts).filter_map(&mut simulates).collect());
        }
        Classes { of, better }
    }

    /// One state for each class, with the prime implicants of its signature as transitions.
    fn quotient(
        &self,
        signatures: &[Node],
        direction: Direction,
        levels: &Levels,
        all_sets: u64,
        bdd: &mut Bdd,
    ) -> Vec<Vec<Arc>> {
        let targets: FxHashMap<&[u32], u32> =
            self.better.iter().map(Vec::as_slice).zip(0..).collect();
        let mut states = vec![Vec::new(); self.better.len()];
        let mut is_done = vec![false; self.better.len()];
        for (&class, &signature) in self.of.iter().zip(signatures) {
            if std::mem::replace(&mut is_done[class as usize], true) {
                continue;
            }
            let parts =
                bdd.split(signature, levels.initial, usize::MAX).expect("there is no limit");
            for (rest, label) in parts {
                for cube in bdd.cubes(rest) {
                    if cube[0].0 == levels.initial {
                        continue;
                    }
                    let (missing, meant): (Vec<u32>, Vec<u32>) =
                        cube.iter().map(|&(level, _)| level).partition(|l| *l < levels.classes);
                    let missing =
                        missing.iter().fold(0, |sets, set| sets | 1 << (set - levels.sets));
                    let meant: Vec<u32> =
                        meant.iter().map(|level| level - levels.classes).collect();
                    let other = targets[meant.as_slice()];
                    let sets = all_sets & !missing;
                    let (from, to) = match direction {
                        Direction::Direct => (class, other),
                        Direction::Reverse => (other, class),
                    };
                    states[from as usize].push(Arc { to, sets, label });
                }
            }
        }
        states
    }
}
