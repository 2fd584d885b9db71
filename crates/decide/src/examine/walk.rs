//! Random walks, which come to states far from the start long before a search does.
//!
//! They can only show that something is reached. Each walk prefers some transitions to others, by weights
//! that it draws at its start, so that some of them drive the tokens into corners where a fair choice would
//! hardly ever come. Walks become longer one after the other. The same are made in every run.

use budget::Budget;
use explore::{Space, Successors};
use random::Random;

use super::ledger::Ledger;
use super::lookout::{Counting, Lookout};

/// The steps of the first walk, and of the longest.
const SHORTEST: usize = 1 << 8;
const LONGEST: usize = 1 << 16;
/// A transition is this many times as likely to be taken as one of the next smaller weight.
const PREFERENCE: u64 = 16;
const WEIGHTS: u32 = 3;

/// Walks until everything that can be met on the way is, or the budget is used up. Spaces walk side by side.
pub fn walk<S: Counting + Send>(spaces: Vec<S>, ledger: &Ledger<'_>, budget: &Budget) {
    std::thread::scope(|scope| {
        for (seed, space) in (1..).zip(spaces) {
            scope.spawn(move || walks(space, ledger, budget, Random::new(seed)));
        }
    });
}

/// Walks; `None` at the end, and if the net is faulty.
fn walks<S: Counting>(
    space: S,
    ledger: &Ledger<'_>,
    budget: &Budget,
    mut random: Random,
) -> Option<()> {
    let mut lookout = Lookout::new(space, ledger);
    let mut found = Successors::within(budget);
    lookout.initial(&mut found).ok()?;
    let first = found.iter().next()?.2.to_vec();
    let mut length = SHORTEST;
    loop {
        let salt = random.word();
        let weight =
            |label: u32| PREFERENCE.pow(Random::new(salt ^ u64::from(label)).below(WEIGHTS));
        let mut state = first.clone();
        for _ in 0..length {
            if budget.is_exhausted() {
                return None;
            }
            found.clear();
            lookout.expand(&state, &mut found).ok()?;
            if lookout.is_idle() {
                return None;
            }
            let all: u64 = found.iter().map(|(label, ..)| weight(label)).sum();
            if all == 0 {
                break;
            }
            let mut chosen = random.below(all);
            let next = found.iter().find(|(label, ..)| {
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
