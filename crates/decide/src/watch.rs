//! What is looked for on walks through the unfolded net, and what is known of greatest values.

use std::collections::BTreeMap;

use ::equation::Game;
use num_bigint::BigInt;
use survey::Engine;
use unfold::Predicate;

use crate::board::Board;
use crate::goal::{Answer, Goal};

/// What is looked for.
pub(crate) struct Watch<'b, 't> {
    pub(crate) board: &'b Board<'t>,
    /// Whether runs are to be shown, so that nothing may be said to be met.
    pub(crate) shows_runs: bool,
    /// That of the board when the following was read off it.
    version: usize,
    /// Goals that hold if the predicate is met.
    pub(crate) somewhere: Vec<(usize, Predicate)>,
    pub(crate) greatest: Vec<(usize, Vec<(u32, i64)>)>,
    /// The greatest value that was met, by goal.
    best: BTreeMap<usize, i128>,
    /// The least value that is known not to be exceeded, by goal.
    upper: BTreeMap<usize, i128>,
}

impl<'b, 't> Watch<'b, 't> {
    pub(crate) fn new(board: &'b Board<'t>, shows_runs: bool) -> Self {
        let mut watch = Watch {
            board,
            shows_runs,
            version: 0,
            somewhere: Vec::new(),
            greatest: Vec::new(),
            best: BTreeMap::new(),
            upper: BTreeMap::new(),
        };
        watch.refresh();
        watch
    }

    /// Reads off the board what is still open, if it has changed.
    pub(crate) fn refresh(&mut self) {
        if self.version == self.board.version() {
            return;
        }
        self.version = self.board.version();
        self.somewhere.clear();
        self.greatest.clear();
        self.board.read(|goals, pending| {
            for goal in pending {
                match goals.goal(goal) {
                    Goal::Somewhere(atom, value) => {
                        let predicate = goals.atoms.predicate(*atom, *value);
                        self.somewhere.extend(predicate.map(|predicate| (goal, predicate)));
                    }
                    Goal::Greatest(terms) => self.greatest.push((goal, terms.clone())),
                    _ => {}
                }
            }
        });
    }

    /// Whether nothing is left to be met.
    pub(crate) fn is_done(&self) -> bool {
        self.somewhere.is_empty() && self.greatest.is_empty()
    }

    pub(crate) fn settle(&mut self, goal: usize, answer: Answer) {
        self.board.settle(Engine::Structure, [(goal, answer)]);
        self.refresh();
    }

    /// Notes what is met in a marking. Whether nothing is left.
    pub(crate) fn see(&mut self, game: &Game<'_>) -> bool {
        self.refresh();
        let mut found = Vec::new();
        if !self.shows_runs {
            let met = self.somewhere.iter().filter(|(_, predicate)| game.satisfies(predicate));
            found.extend(met.map(|(goal, _)| (*goal, Answer::Holds(true))));
        }
        for (goal, terms) in &self.greatest {
            let sum = game.sum(terms);
            let best = self.best.entry(*goal).or_insert(i128::MIN);
            if sum > *best {
                *best = sum;
                if self.upper.get(goal) == Some(&sum) {
                    found.push((*goal, Answer::Greatest(BigInt::from(sum))));
                }
            }
        }
        if !found.is_empty() {
            self.board.settle(Engine::Structure, found);
            self.refresh();
        }
        self.is_done()
    }

    /// The greatest value of a sum that was met.
    pub(crate) fn best(&self, goal: usize) -> Option<i128> {
        self.best.get(&goal).copied()
    }

    /// Notes that a sum is never above this.
    pub(crate) fn bound(&mut self, goal: usize, most: i128) {
        let upper = self.upper.entry(goal).or_insert(most);
        *upper = most.min(*upper);
        if self.best.get(&goal) == Some(upper) {
            let answer = Answer::Greatest(BigInt::from(*upper));
            self.settle(goal, answer);
        }
    }

    pub(crate) fn is_open(&self, goal: usize) -> bool {
        self.somewhere.iter().any(|(open, _)| *open == goal)
            || self.greatest.iter().any(|(open, _)| *open == goal)
    }
}
