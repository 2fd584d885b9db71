//! Random walks, which come to states far from the start long before a search does.
//!
//! They can only show that something is reached. Each walk prefers some transitions to others, by weights
//! that it draws at its start, so that some of them drive the tokens into corners where a fair choice would
//! hardly ever come. Walks become longer one after the other. The same are made in every run.

use std::collections::BTreeMap;

use budget::{Budget, Phase};
use explore::{Space, Successors};
use num_bigint::BigInt;
use random::Random;
use survey::Engine;
use symbolic::SymbolicSpace;
use unfold::Predicate;

use crate::board::Board;
use crate::goal::{Answer, Goal};
use crate::view::View;

/// The steps of the first walk, and of the longest.
const SHORTEST: usize = 1 << 8;
const LONGEST: usize = 1 << 16;
/// How much likelier a transition is to be taken than one of the next smaller weight.
const PREFERENCE: u64 = 16;
const WEIGHTS: u64 = 3;

/// Walks until everything that can be met on the way is, or the budget is used up. Spaces walk side by side. A sum
/// that is known never to exceed a bound, by goal, has its greatest value where it comes to that.
pub(crate) fn walk(
    spaces: Vec<SymbolicSpace>,
    board: &Board<'_>,
    bounds: &BTreeMap<usize, i128>,
    budget: &Budget,
) {
    let _under = budget.progress().during(Phase::Walking);
    let lookout = |space| Lookout::new(space, board, bounds);
    let mut lookouts = (1..).zip(spaces.into_iter().map(lookout));
    let Some((seed, mut own)) = lookouts.next() else { return };
    std::thread::scope(|scope| {
        for (seed, mut lookout) in lookouts {
            scope.spawn(move || lookout.walks(Random::new(seed), budget));
        }
        own.walks(Random::new(seed), budget);
    });
}

/// Places with their weights.
type Sum = Vec<(u32, i64)>;

/// What is looked for on the way.
struct Lookout<'b, 't> {
    space: SymbolicSpace,
    board: &'b Board<'t>,
    /// That of the board when the following was read off it.
    version: usize,
    somewhere: Vec<(usize, Predicate)>,
    /// Sums with their bounds.
    greatest: Vec<(usize, Sum, i128)>,
    bounds: &'b BTreeMap<usize, i128>,
    view: View,
}

impl<'b, 't> Lookout<'b, 't> {
    fn new(space: SymbolicSpace, board: &'b Board<'t>, bounds: &'b BTreeMap<usize, i128>) -> Self {
        let (somewhere, greatest, view) = (Vec::new(), Vec::new(), View::default());
        Lookout { space, board, version: 0, somewhere, greatest, bounds, view }
    }

    /// Walks; `None` at the end, and if the net is faulty.
    fn walks(&mut self, mut random: Random, budget: &Budget) -> Option<()> {
        let mut successors = Successors::within(budget);
        self.space.initial(&mut successors).ok()?;
        let first = successors.iter().next()?.2.to_vec();
        let mut length = SHORTEST;
        loop {
            let salt = random.word();
            let weight = |label: u32| {
                let drawn = Random::new(salt ^ u64::from(label)).word();
                PREFERENCE.pow((drawn % WEIGHTS) as u32)
            };
            let mut state = first.clone();
            for _ in 0..length {
                successors.clear();
                self.space.expand(&state, &mut successors).ok()?;
                // Where the budget has cut the expansion short, it is not known what is not enabled.
                budget.check().ok()?;
                self.look(&state, &successors);
                if self.somewhere.is_empty() && self.greatest.is_empty() {
                    return None;
                }
                let all: u64 = successors.iter().map(|(label, ..)| weight(label)).sum();
                if all == 0 {
                    break;
                }
                let mut chosen = random.word() % all;
                let next = successors.iter().find(|(label, ..)| {
                    let weight = weight(*label);
                    let is_it = chosen < weight;
                    chosen = chosen.saturating_sub(weight);
                    is_it
                });
                state.clear();
                state.extend_from_slice(next?.2);
            }
            length = (length * 2).min(LONGEST);
        }
    }

    /// Notes what is met in a state.
    fn look(&mut self, state: &[u8], successors: &Successors) {
        if self.version != self.board.version() {
            self.refresh();
        }
        let Self { space, view, somewhere, greatest, .. } = self;
        view.see(space, state, successors);
        let met = somewhere.iter().filter(|(_, predicate)| view.satisfies(predicate));
        let met = met.map(|(goal, _)| (*goal, Answer::Holds(true)));
        let full = greatest.iter().filter(|(_, terms, bound)| view.sum(terms) == *bound);
        let full = full.map(|(goal, _, bound)| (*goal, Answer::Greatest(BigInt::from(*bound))));
        let met: Vec<_> = met.chain(full).collect();
        if !met.is_empty() {
            self.board.settle(Engine::Explicit, met);
        }
    }

    fn refresh(&mut self) {
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
                    Goal::Greatest(terms) => {
                        let bound = self.bounds.get(&goal);
                        self.greatest.extend(bound.map(|bound| (goal, terms.clone(), *bound)));
                    }
                    _ => {}
                }
            }
        });
    }
}
