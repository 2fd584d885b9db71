//! Many inputs for one target.

use std::collections::BTreeSet;

use random::Random;

use crate::mutate::Mutator;
use crate::shrink::shrunk;
use crate::{Caught, Target, Watch, attempt};

/// At most this many inputs are kept for being answered in a new way.
const KEPT: usize = 4_000;
/// Inputs longer than this are not kept.
const LONGEST_KEPT: usize = 16_000;

/// Inputs for a target, one after the other. The seed determines all of them.
pub struct Campaign {
    target: Target,
    random: Random,
    mutator: Mutator,
    /// What is mutated: the corpus, and what was answered in a new way.
    pool: Vec<Vec<u8>>,
    corpus: usize,
    answers: BTreeSet<String>,
    tried: u64,
    accepted: u64,
}

/// An input that panics.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The target.
    pub target: Target,
    /// The input, made smaller.
    pub input: Vec<u8>,
    /// The panic.
    pub caught: Caught,
}

impl Campaign {
    /// The campaign of a seed. The files of the corpus are tried first.
    #[must_use]
    pub fn new(target: Target, seed: u64) -> Campaign {
        let pool = target.corpus().0;
        assert!(!pool.is_empty(), "{target} has a corpus");
        Campaign {
            target,
            random: Random::new(seed),
            mutator: Mutator::new(target.syntax()),
            corpus: pool.len(),
            pool,
            answers: BTreeSet::new(),
            tried: 0,
            accepted: 0,
        }
    }

    /// Tries the next input.
    ///
    /// # Errors
    /// If it panics.
    pub fn step(&mut self, watch: &Watch) -> Result<(), Box<Failure>> {
        let next = self.tried as usize;
        let input = if next < self.corpus { self.pool[next].clone() } else { self.mutated() };
        self.tried += 1;
        watch.begin(&input);
        let result = attempt(self.target, &input);
        let answer = result.map_err(|caught| {
            let input = shrunk(self.target, &input, &caught);
            Box::new(Failure { target: self.target, input, caught })
        });
        watch.end();
        let answer = answer?;
        self.accepted += u64::from(answer.starts_with("ok"));
        let is_kept = self.pool.len() < self.corpus + KEPT && input.len() <= LONGEST_KEPT;
        if self.answers.insert(answer) && next >= self.corpus && is_kept {
            self.pool.push(input);
        }
        Ok(())
    }

    fn mutated(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        // What was answered in a new way is mutated as often as the corpus is.
        let base = match random.percent(50) {
            true => random.pick(&self.pool[..self.corpus]),
            false => random.pick(&self.pool),
        };
        let donor = random.pick(&self.pool);
        self.mutator.mutated(base, donor, random)
    }

    /// The number of inputs that were tried.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// How many of them had nothing wrong with them.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// In how many ways they were answered.
    #[must_use]
    pub fn answers(&self) -> usize {
        self.answers.len()
    }
}
