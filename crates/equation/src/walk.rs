//! Walks through the markings of an unfolded net, some of them with an aim.
//!
//! A solution of the state equation says how often what has to fire, and not in which order. A guided walk fires
//! what is left of it and enabled, anything else where nothing is, and takes that back from nothing: so it comes
//! to the marking of the solution, or to one like it. Whatever is met on a walk is reached.

use budget::Budget;
use random::Random;
use unfold::Predicate;

use crate::game::{Game, Rules};
use crate::query::Solution;

/// What was left of a solution is not worth more steps beside the way than this, and one for each of its firings.
const FEWEST_DETOURS: u64 = 64;
/// One step in so many is any step, where a walk has an aim.
const ANY_STEP: usize = 24;
/// The steps that are tried before one is taken towards a predicate, at most.
const TRIED: usize = 12;
/// How much likelier a transition is to be taken than one of the next smaller weight.
const PREFERENCE: u64 = 16;
const WEIGHTS: u64 = 3;

/// Called with each marking of a walk; whether to end it.
pub type See<'s> = &'s mut dyn FnMut(&Game<'_>) -> bool;

/// Someone who walks.
#[derive(Clone, Debug)]
pub struct Walker<'r> {
    first: Game<'r>,
    random: Random,
    has_effect: Vec<bool>,
}

impl<'r> Walker<'r> {
    /// Begins at the initial marking; `None` if that has too many tokens. The seed says which way to go.
    #[must_use]
    pub fn new(rules: &'r Rules<'r>, seed: u64) -> Option<Walker<'r>> {
        let has_effect = rules.net().transitions.iter().map(|t| t.has_effect()).collect();
        Some(Walker { first: Game::new(rules)?, random: Random::new(seed), has_effect })
    }

    /// The initial marking.
    #[must_use]
    pub fn start(&self) -> &Game<'r> {
        &self.first
    }

    /// One of the transitions with the best score, at random; those without effect are left out.
    fn best(&mut self, game: &Game<'_>, score: &dyn Fn(u32) -> i64) -> Option<(u32, i64)> {
        let enabled = game.enabled();
        let from = self.random.below(enabled.len().max(1));
        let mut best: Option<(u32, i64)> = None;
        for t in enabled[from..].iter().chain(&enabled[..from]) {
            if self.has_effect[*t as usize] {
                let score = score(*t);
                if best.is_none_or(|(_, most)| score > most) {
                    best = Some((*t, score));
                }
            }
        }
        best
    }

    /// A walk that prefers some transitions to others, as it happens. Whether it was ended.
    pub fn at_random(&mut self, steps: u64, budget: &Budget, see: See<'_>) -> bool {
        let mut game = self.first.clone();
        let salt = self.random.word();
        let weights: Vec<u64> = (0..self.has_effect.len() as u64)
            .map(|t| PREFERENCE.pow((Random::new(salt ^ t).word() % WEIGHTS) as u32))
            .collect();
        for _ in 0..steps {
            if see(&game) || budget.is_exhausted() {
                return true;
            }
            let open = || game.enabled().iter().filter(|t| self.has_effect[**t as usize]);
            let all: u64 = open().map(|t| weights[*t as usize]).sum();
            if all == 0 {
                return false;
            }
            let mut chosen = self.random.word() % all;
            let next = open().find(|t| {
                let weight = weights[**t as usize];
                let is_it = chosen < weight;
                chosen = chosen.saturating_sub(weight);
                is_it
            });
            let next = *next.expect("the weights add up");
            if !game.fire(next) {
                return false;
            }
        }
        see(&game)
    }

    /// A walk that is at random for some steps, and then goes on with what became enabled last, so that what was begun is
    /// finished, and markings come back; but one step in `any` is any step. Whether it was ended.
    pub fn finishing(
        &mut self,
        (at_random, steps): (u64, u64),
        any: usize,
        budget: &Budget,
        see: See<'_>,
    ) -> bool {
        let mut game = self.first.clone();
        for step in 0..steps {
            if see(&game) || budget.is_exhausted() {
                return true;
            }
            let enabled = game.enabled();
            let is_any = step < at_random || self.random.below(any) == 0;
            let from = if is_any { self.random.below(enabled.len().max(1)) } else { 0 };
            let (later, earlier) = enabled.split_at(enabled.len() - from);
            let mut all = later.iter().rev().chain(earlier.iter().rev());
            match all.find(|t| self.has_effect[**t as usize]).copied() {
                Some(t) if game.fire(t) => {}
                _ => return false,
            }
        }
        see(&game)
    }

    /// A walk that raises a sum over unfolded places where it can: `gains` has what each transition adds.
    /// Whether it was ended.
    pub fn upwards(&mut self, gains: &[i64], steps: u64, budget: &Budget, see: See<'_>) -> bool {
        let mut game = self.first.clone();
        for _ in 0..steps {
            if see(&game) || budget.is_exhausted() {
                return true;
            }
            let is_any = self.random.below(ANY_STEP) == 0;
            let score = |t: u32| if is_any { 0 } else { gains[t as usize].signum() };
            match self.best(&game, &score) {
                Some((t, _)) if game.fire(t) => {}
                _ => return false,
            }
        }
        see(&game)
    }

    /// A walk that comes nearer to where a predicate holds, where it can. Whether it was ended.
    pub fn towards(
        &mut self,
        predicate: &Predicate,
        steps: u64,
        budget: &Budget,
        see: See<'_>,
    ) -> bool {
        let mut game = self.first.clone();
        for _ in 0..steps {
            if see(&game) || budget.is_exhausted() {
                return true;
            }
            let count = game.enabled().len();
            if count == 0 {
                return false;
            }
            let tried = match self.random.below(ANY_STEP) {
                0 => 1,
                _ => TRIED.min(count),
            };
            let from = self.random.below(count);
            let mut best: Option<(u64, u32)> = None;
            for nth in 0..tried {
                // What is enabled is the same after a step was taken back, though perhaps in another order.
                let t = game.enabled()[(from + nth) % count];
                if tried > 1 && game.fire(t) {
                    let distance = game.distance(predicate, true);
                    if best.is_none_or(|(least, _)| distance < least) {
                        best = Some((distance, t));
                    }
                }
                if tried > 1 {
                    game.take_back(t);
                } else {
                    best = Some((0, t));
                }
            }
            match best {
                Some((_, t)) if game.fire(t) => {}
                _ => return false,
            }
        }
        see(&game)
    }

    /// A walk that fires a solution, as far as it can. Whether it was ended.
    pub fn guided(
        &mut self,
        column_of: &[Option<u32>],
        solution: &Solution,
        budget: &Budget,
        see: See<'_>,
    ) -> bool {
        let mut game = self.first.clone();
        let mut left = Left::new(column_of, solution);
        let mut detours = FEWEST_DETOURS.saturating_add(left.all);
        loop {
            if see(&game) || budget.is_exhausted() {
                return true;
            }
            if left.all == 0 || detours == 0 {
                return false;
            }
            let Some((t, score)) = self.best(&game, &|t| left.score(t)) else { return false };
            if score == 0 {
                detours -= 1;
            }
            left.fired(t);
            if !game.fire(t) {
                return false;
            }
        }
    }

    /// Whether a sum is shown to have no greatest value: after some steps, firing what is given leads to a marking
    /// that covers the one before, with a greater sum, and so can be done again, for ever (Karp and Miller
    /// 1969). That is so where more tokens never disable anything.
    pub fn pumps(
        &mut self,
        column_of: &[Option<u32>],
        repeated: &Solution,
        terms: &[(u32, i64)],
        steps: u64,
        budget: &Budget,
    ) -> bool {
        if !self.first.rules().are_monotone() {
            return false;
        }
        let mut game = self.first.clone();
        for _ in 0..steps {
            let Some((t, _)) = self.best(&game, &|_| 0) else { break };
            if budget.is_exhausted() || !game.fire(t) {
                return false;
            }
        }
        let (before, sum) = (game.tokens().to_vec(), game.sum(terms));
        let mut left = Left::new(column_of, repeated);
        while left.all > 0 && !budget.is_exhausted() {
            match self.best(&game, &|t| left.score(t)) {
                Some((t, 1)) => {
                    left.fired(t);
                    if !game.fire(t) {
                        return false;
                    }
                }
                _ => return false,
            }
            let covers = || game.tokens().iter().zip(&before).all(|(now, before)| now >= before);
            if game.sum(terms) > sum && covers() {
                return true;
            }
        }
        false
    }
}

/// What is left to be fired.
struct Left<'c> {
    column_of: &'c [Option<u32>],
    times: Vec<u64>,
    all: u64,
}

impl<'c> Left<'c> {
    fn new(column_of: &'c [Option<u32>], solution: &Solution) -> Self {
        let columns = column_of.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        let mut left = Left { column_of, times: vec![0; columns], all: 0 };
        for &(column, times) in &solution.firings {
            left.times[column as usize] = times;
            left.all = left.all.saturating_add(times);
        }
        left
    }

    /// 1 if the transition is still to be fired, 0 otherwise.
    fn score(&self, t: u32) -> i64 {
        let column = self.column_of[t as usize];
        i64::from(column.is_some_and(|column| self.times[column as usize] > 0))
    }

    fn fired(&mut self, t: u32) {
        if let Some(column) = self.column_of[t as usize]
            && self.times[column as usize] > 0
        {
            self.times[column as usize] -= 1;
            self.all -= 1;
        }
    }
}
