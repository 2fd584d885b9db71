//! From formulas of linear time to automata.
//!
//! After Couvreur (1999), with decision diagrams as in Duret-Lutz (*LTL translation improvements in Spot 1.0*, 2014): a
//! state is a conjunction of formulas that have to hold from now on. A formula is unrolled into a boolean function of
//! atoms now, of formulas in the next state, and of *promises*: `a U b` holds if b holds now, or if a holds now
//! and `a U b` next, which promises b. There is an acceptance set for each promise, of the transitions
//! that do not make it: a run that makes a promise for ever is not accepted. All untils with the same b share it: where
//! the promise is not made, none of them is put off. `G F b` needs no memory of `F b`, which it asks for again.
//!
//! Conjunctions with the same function are the same state. For each function of next formulas and promises that some
//! letters leave of it, its prime implicants are the transitions for these letters.
//!
//! Cost: up to exponential in the size of the formula, as it must be.

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::automaton::Automaton;
use crate::bdd::{Bdd, FALSE, Node, TRUE};
use crate::draft::{Arc, Draft};
use crate::ltl::{Formula, Ltl, Shape};
use crate::reduce::{Between, Reductions};

/// The most acceptance sets.
const MOST_SETS: usize = 64;
/// The most alternatives of a state, and the most states.
const MOST_ALTERNATIVES: usize = 1 << 16;
const MOST_STATES: usize = 1 << 16;
/// The most transitions.
const MOST_TRANSITIONS: usize = 1 << 20;
/// How many states an automaton has for which it is worth while to translate the formula in other forms, too.
const WORTH_MORE: Range<usize> = 4..64;

/// Why a formula has no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// It has more than 64 untils.
    #[error("the formula has more than {MOST_SETS} operators of the kind until or eventually")]
    Sets,
    /// The automaton has too many states, or too many transitions.
    #[error(
        "the automaton of the formula has more than {MOST_STATES} states or {MOST_TRANSITIONS} transitions"
    )]
    States,
    /// Unrolling gives too many alternatives.
    #[error("a state of the formula's automaton has more than {MOST_ALTERNATIVES} transitions")]
    Alternatives,
}

/// What a variable below the atoms says.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Later {
    /// A formula holds in the next state.
    Next(Formula),
    /// A formula will hold.
    Promise(Formula),
}

struct Unrolling<'l> {
    ltl: &'l mut Ltl,
    bdd: Bdd,
    /// The atom of each level.
    atoms: Vec<u32>,
    /// The variables of the levels after these.
    later: Vec<Later>,
    levels: FxHashMap<Later, u32>,
    known: FxHashMap<Formula, Node>,
}

impl<'l> Unrolling<'l> {
    fn new(ltl: &'l mut Ltl, formula: Formula) -> Self {
        let mut atoms = Vec::new();
        for atom in ltl.atoms(formula) {
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        Self {
            ltl,
            bdd: Bdd::new(),
            atoms,
            later: Vec::new(),
            levels: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    fn later(&mut self, what: Later) -> Node {
        let next = (self.atoms.len() + self.later.len()) as u32;
        let level = *self.levels.entry(what).or_insert(next);
        if level == next {
            self.later.push(what);
        }
        self.bdd.variable(level)
    }

    /// That a formula holds in the next state.
    fn next(&mut self, formula: Formula) -> Node {
        match self.ltl.shape(formula) {
            Shape::True => TRUE,
            Shape::False => FALSE,
            Shape::And(a, b) => {
                let (a, b) = (self.next(a), self.next(b));
                self.bdd.and(a, b)
            }
            _ => self.later(Later::Next(formula)),
        }
    }

    /// The function of a formula.
    fn of(&mut self, formula: Formula) -> Node {
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        let function = match self.ltl.shape(formula) {
            Shape::True => TRUE,
            Shape::False => FALSE,
            Shape::Atom(atom, holds) => {
                let level = self.atoms.iter().position(|&other| other == atom);
                self.bdd.literal(level.expect("it is an atom of the formula") as u32, holds)
            }
            Shape::Next(a) => self.next(a),
            Shape::And(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.bdd.and(a, b)
            }
            Shape::Or(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.bdd.or(a, b)
            }
            Shape::Until(a, b) => {
                let (first, second) = (self.of(a), self.of(b));
                let (next, promise) = (self.next(formula), self.later(Later::Promise(b)));
                let put_off = self.bdd.and(next, promise);
                let put_off = self.bdd.and(first, put_off);
                self.bdd.or(second, put_off)
            }
            Shape::Release(a, b) => {
                let next = self.next(formula);
                match self.ltl.shape(b) {
                    Shape::Until(c, d) if a == self.ltl.falsehood() && c == self.ltl.truth() => {
                        let (now, promise) = (self.of(d), self.later(Later::Promise(d)));
                        let either = self.bdd.or(now, promise);
                        self.bdd.and(either, next)
                    }
                    _ => {
                        let (first, second) = (self.of(a), self.of(b));
                        let either = self.bdd.or(first, next);
                        self.bdd.and(second, either)
                    }
                }
            }
        };
        self.known.insert(formula, function);
        function
    }

    /// The automaton, and for each state whether it is one of an obligation.
    fn draft(&mut self, formula: Formula) -> Result<(Draft, Vec<bool>), TooLarge> {
        let first = self.of(formula);
        let mut is_obligation = vec![self.ltl.class(formula).obligation];
        let mut numbers: FxHashMap<Node, u32> = FxHashMap::from_iter([(first, 0)]);
        let mut waiting = vec![first];
        // For each state the transitions: target, label, promises.
        let mut states: Vec<Vec<(u32, Node, Vec<Formula>)>> = Vec::new();
        let mut targets: FxHashMap<Vec<Formula>, (Node, bool)> = FxHashMap::default();
        let mut count = 0;
        while states.len() < waiting.len() {
            let function = waiting[states.len()];
            let mut arcs = Vec::new();
            let parts = self.bdd.split(function, self.atoms.len() as u32, MOST_ALTERNATIVES);
            for (rest, label) in parts.ok_or(TooLarge::Alternatives)? {
                for cube in self.bdd.cubes(rest) {
                    let (mut next, mut promises) = (Vec::new(), Vec::new());
                    for (level, _) in cube {
                        match self.later[level as usize - self.atoms.len()] {
                            Later::Next(formula) => next.push(formula),
                            Later::Promise(formula) => promises.push(formula),
                        }
                    }
                    let (target, obliges) = match targets.get(&next) {
                        Some(&known) => known,
                        None => {
                            let all = next.iter().fold(TRUE, |all, &formula| {
                                let more = self.of(formula);
                                self.bdd.and(all, more)
                            });
                            let obliges = |&formula| self.ltl.class(formula).obligation;
                            let obliges = next.iter().all(obliges);
                            targets.insert(next, (all, obliges));
                            (all, obliges)
                        }
                    };
                    let found = numbers.len() as u32;
                    let to = *numbers.entry(target).or_insert(found);
                    if to == found {
                        waiting.push(target);
                        is_obligation.push(false);
                    }
                    is_obligation[to as usize] |= obliges;
                    arcs.push((to, label, promises));
                }
                if arcs.len() > MOST_ALTERNATIVES || self.bdd.is_full() {
                    return Err(TooLarge::Alternatives);
                }
            }
            count += arcs.len();
            states.push(arcs);
            if waiting.len() > MOST_STATES || count > MOST_TRANSITIONS {
                return Err(TooLarge::States);
            }
        }
        let promises: BTreeSet<Formula> =
            states.iter().flatten().flat_map(|(.., promises)| promises).copied().collect();
        let promises: Vec<Formula> = promises.into_iter().collect();
        if promises.len() > MOST_SETS {
            return Err(TooLarge::Sets);
        }
        let arc = |(to, label, made): (u32, Node, Vec<Formula>)| {
            let kept = promises.iter().enumerate().filter(|(_, promise)| !made.contains(promise));
            Arc { to, label, sets: kept.fold(0, |sets, (set, _)| sets | 1 << set) }
        };
        let arcs = |arcs: Vec<_>| arcs.into_iter().map(arc).collect();
        let states = states.into_iter().map(arcs).collect();
        let mut draft = Draft { states, sets: promises.len() as u32 };
        draft.unite_labels(&mut self.bdd);
        Ok((draft, is_obligation))
    }

    /// The automaton, made smaller.
    fn reduced(&mut self, formula: Formula, reductions: Reductions) -> Result<Draft, TooLarge> {
        let (mut draft, is_obligation) = self.draft(formula)?;
        let mixed = match reductions.obligations {
            true => draft.with_weak(&is_obligation, &mut self.bdd),
            false => None,
        };
        draft.reduce(reductions, &mut self.bdd);
        if let Some(mut mixed) = mixed {
            mixed.reduce(reductions, &mut self.bdd);
            if mixed.size() < draft.size() {
                draft = mixed;
            }
        }
        let least = match reductions.obligations {
            true => self.least_weak(&draft, formula),
            false => None,
        };
        Ok(least.unwrap_or(draft))
    }

    /// The least deterministic weak automaton of a formula, if there is one and it is not larger than this one of it.
    fn least_weak(&mut self, draft: &Draft, formula: Formula) -> Option<Draft> {
        let (weak, _) = draft.least_weak(&[0], &mut self.bdd)?;
        let mut least = weak.clone();
        least.prune(Between::InNone);
        if least.states.len() > draft.states.len() {
            return None;
        }
        // If it is not known to be an obligation, it is tried whether the same words are accepted.
        if !self.ltl.class(formula).obligation {
            if draft.sets == u64::BITS || draft.meets(&weak, false, &mut self.bdd) {
                return None;
            }
            let opposite = self.ltl.not(formula);
            let (mut others, _) = self.draft(opposite).ok()?;
            others.prune(Between::InNone);
            if others.sets == u64::BITS || others.meets(&weak, true, &mut self.bdd) {
                return None;
            }
        }
        Some(least)
    }
}

impl Automaton {
    /// The automaton that accepts the words on which a formula holds.
    ///
    /// # Errors
    ///
    /// If it would be too large.
    pub fn of(ltl: &Ltl, formula: Formula) -> Result<Automaton, TooLarge> {
        Automaton::reduced(ltl, formula, Reductions::ALL)
    }

    /// The same, made smaller by some means only.
    ///
    /// # Errors
    ///
    /// If it would be too large.
    pub fn reduced(
        ltl: &Ltl,
        formula: Formula,
        reductions: Reductions,
    ) -> Result<Automaton, TooLarge> {
        let mut own = ltl.clone();
        let translated = |formula: Formula, ltl: &mut Ltl| {
            let mut unrolling = Unrolling::new(ltl, formula);
            let draft = unrolling.reduced(formula, reductions)?;
            Ok(draft.finished(&mut unrolling.bdd, &unrolling.atoms))
        };
        if !reductions.formulas {
            return translated(formula, &mut own);
        }
        // What a rule makes of a formula is not always better.
        let candidates = [own.simplified(formula, false), formula, own.simplified(formula, true)];
        let mut best: Result<Automaton, TooLarge> = Err(TooLarge::States);
        for (at, &candidate) in candidates.iter().enumerate() {
            let is_worth_it = match &best {
                Ok(best) => WORTH_MORE.contains(&best.states.len()),
                Err(_) => true,
            };
            if !is_worth_it || candidates[..at].contains(&candidate) {
                continue;
            }
            best = match (best, translated(candidate, &mut own)) {
                (Ok(best), Ok(other)) if size(&other) >= size(&best) => Ok(best),
                (Ok(best), Err(_)) => Ok(best),
                (_, other) => other,
            };
        }
        best
    }
}

/// States and transitions, for comparing.
fn size(automaton: &Automaton) -> (usize, usize) {
    (automaton.states.len(), automaton.states.iter().map(Vec::len).sum())
}
