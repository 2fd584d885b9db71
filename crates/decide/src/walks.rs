//! Random walks, which come to states far from the start long before a search does.
//!
//! They can only show that something is reached. Each walk prefers some transitions to others, by weights
//! that it draws at its start, so that some of them drive the tokens into corners where a fair choice would
//! hardly ever come. Walks become longer one after the other. The same are made in every run.

use budget::{Budget, Phase};
use explore::{Space, Successors};
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

/// Walks until everything that can be met on the way is, or the budget is used up. Spaces walk side by side.
pub(crate) fn walk(spaces: Vec<SymbolicSpace>, board: &Board<'_>, budget: &Budget) {
    let _under = budget.progress().during(Phase::Walking);
    let mut lookouts = (1..).zip(spaces.into_iter().map(|space| Lookout::new(space, board)));
    let Some((seed, mut own)) = lookouts.next() else { return };
    std::thread::scope(|scope| {
        for (seed, mut lookout) in lookouts {
            scope.spawn(move || lookout.walks(Random::new(seed), budget));
        }
        own.walks(Random::new(seed), budget);
    });
}

/// What is looked for on the way.
struct Lookout<'b, 't> {
    space: SymbolicSpace,
    board: &'b Board<'t>,
    /// That of the board when the following was read off it.
    version: usize,
    somewhere: Vec<(usize, Predicate)>,
    view: View,
}

impl<'b, 't> Lookout<'b, 't> {
    fn new(space: SymbolicSpace, board: &'b Board<'t>) -> Self {
        Lookout { space, board, version: 0, somewhere: Vec::new(), view: View::default() }
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
                if self.somewhere.is_empty() {
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
        let Self { space, view, somewhere, .. } = self;
        view.see(space, state, successors);
        let met = somewhere.iter().filter(|(_, predicate)| view.satisfies(predicate));
        let met: Vec<_> = met.map(|(goal, _)| (*goal, Answer::Holds(true))).collect();
        if !met.is_empty() {
            self.board.settle(Engine::Explicit, met);
        }
    }

    fn refresh(&mut self) {
        self.version = self.board.version();
        self.somewhere = self.board.read(|goals, pending| {
            let wanted = pending.into_iter().filter_map(|goal| match goals.goal(goal) {
                Goal::Somewhere(atom, value) => Some((goal, goals.atoms.predicate(*atom, *value)?)),
                _ => None,
            });
            wanted.collect()
        });
    }
}
