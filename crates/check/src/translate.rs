//! From formulas of linear time to automata.
//!
//! After Couvreur (1999): a state is a set of formulas that have to hold from now on. Each formula is
//! unrolled into alternatives, each a label for now, formulas for the next state, and the *promises* it
//! makes: `a U b` holds if b holds now, or if a holds now and `a U b` next, which promises b. There is an
//! acceptance set for each promise, of the transitions that do not make it: a run that makes a promise
//! for ever is not accepted. Alternatives of a set are those of its formulas, combined.
//!
//! Cost: up to exponential in the size of the formula, as it must be.

use std::collections::{BTreeSet, HashMap};

use crate::automaton::{Automaton, Edge, Label, weed};
use crate::ltl::{Formula, Ltl, Shape};

/// The most acceptance sets.
const MOST_SETS: usize = 64;
/// The most alternatives of a state, and the most states.
const MOST_ALTERNATIVES: usize = 1 << 16;
const MOST_STATES: usize = 1 << 16;

/// Why a formula has no automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// It has more than 64 untils.
    #[error("the formula has more than {MOST_SETS} operators of the kind until or eventually")]
    Sets,
    /// The automaton has too many states.
    #[error("the automaton of the formula has more than {MOST_STATES} states")]
    States,
    /// Unrolling gives too many alternatives.
    #[error("a state of the formula's automaton has more than {MOST_ALTERNATIVES} transitions")]
    Alternatives,
}

/// A way in which formulas may come to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Alternative {
    label: Label,
    next: BTreeSet<Formula>,
    promises: BTreeSet<Formula>,
}

impl Alternative {
    /// Both, unless they contradict each other.
    fn with(&self, other: &Alternative) -> Option<Alternative> {
        Some(Alternative {
            label: self.label.and(&other.label)?,
            next: &self.next | &other.next,
            promises: &self.promises | &other.promises,
        })
    }

    /// Whether it asks for nothing that the other does not ask for.
    fn is_weaker_than(&self, other: &Alternative) -> bool {
        self.label.is_implied_by(&other.label)
            && self.next.is_subset(&other.next)
            && self.promises.is_subset(&other.promises)
    }
}

struct Unrolling<'l> {
    ltl: &'l Ltl,
    known: HashMap<Formula, Vec<Alternative>>,
}

impl Unrolling<'_> {
    /// The alternatives of a formula.
    fn of(&mut self, formula: Formula) -> Result<Vec<Alternative>, TooLarge> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        let mut alternatives = match self.ltl.shape(formula) {
            Shape::True => vec![Alternative::default()],
            Shape::False => Vec::new(),
            Shape::Atom(atom, holds) => {
                vec![Alternative { label: Label::of(atom, holds), ..Alternative::default() }]
            }
            Shape::Next(a) => {
                vec![Alternative { next: BTreeSet::from([a]), ..Alternative::default() }]
            }
            Shape::And(a, b) => both(&self.of(a)?, &self.of(b)?)?,
            Shape::Or(a, b) => [self.of(a)?, self.of(b)?].concat(),
            Shape::Until(a, b) => {
                let postponed = Alternative {
                    next: BTreeSet::from([formula]),
                    promises: BTreeSet::from([formula]),
                    ..Alternative::default()
                };
                let later = both(&self.of(a)?, &[postponed])?;
                [self.of(b)?, later].concat()
            }
            Shape::Release(a, b) => {
                let on = Alternative { next: BTreeSet::from([formula]), ..Alternative::default() };
                let now = [self.of(a)?, vec![on]].concat();
                both(&self.of(b)?, &now)?
            }
        };
        weed(&mut alternatives, Alternative::is_weaker_than);
        self.known.insert(formula, alternatives.clone());
        Ok(alternatives)
    }

    /// The alternatives of a set of formulas.
    fn of_set(&mut self, formulas: &BTreeSet<Formula>) -> Result<Vec<Alternative>, TooLarge> {
        let mut alternatives = vec![Alternative::default()];
        for &formula in formulas {
            alternatives = both(&alternatives, &self.of(formula)?)?;
            weed(&mut alternatives, Alternative::is_weaker_than);
        }
        Ok(alternatives)
    }
}

fn both(a: &[Alternative], b: &[Alternative]) -> Result<Vec<Alternative>, TooLarge> {
    let mut combined = Vec::new();
    for x in a {
        combined.extend(b.iter().filter_map(|y| x.with(y)));
        if combined.len() > MOST_ALTERNATIVES {
            return Err(TooLarge::Alternatives);
        }
    }
    Ok(combined)
}

impl Automaton {
    /// The automaton that accepts the words on which a formula holds.
    ///
    /// # Errors
    ///
    /// If it would be too large.
    pub fn of(ltl: &Ltl, formula: Formula) -> Result<Automaton, TooLarge> {
        let mut unrolling = Unrolling { ltl, known: HashMap::new() };
        let start = BTreeSet::from([formula]);
        let mut numbers: HashMap<BTreeSet<Formula>, u32> = HashMap::from([(start.clone(), 0)]);
        let mut waiting = vec![start];
        let mut states: Vec<Vec<(Alternative, u32)>> = Vec::new();
        while states.len() < waiting.len() {
            let formulas = waiting[states.len()].clone();
            let mut edges = Vec::new();
            for alternative in unrolling.of_set(&formulas)? {
                let found = numbers.len() as u32;
                let to = *numbers.entry(alternative.next.clone()).or_insert(found);
                if to == found {
                    waiting.push(alternative.next.clone());
                }
                edges.push((alternative, to));
            }
            states.push(edges);
            if waiting.len() > MOST_STATES {
                return Err(TooLarge::States);
            }
        }
        let promises = states.iter().flatten().flat_map(|(alternative, _)| &alternative.promises);
        let promises: Vec<Formula> =
            promises.copied().collect::<BTreeSet<_>>().into_iter().collect();
        if promises.len() > MOST_SETS {
            return Err(TooLarge::Sets);
        }
        let edge = |(alternative, to): (Alternative, u32)| {
            let kept =
                promises.iter().enumerate().filter(|(_, p)| !alternative.promises.contains(p));
            Edge {
                to,
                accepting: kept.fold(0, |sets, (i, _)| sets | 1 << i),
                label: alternative.label,
            }
        };
        let states =
            states.into_iter().map(|edges| edges.into_iter().map(edge).collect()).collect();
        let mut automaton = Automaton { states, sets: promises.len() as u32 };
        automaton.simplify();
        Ok(automaton)
    }
}
