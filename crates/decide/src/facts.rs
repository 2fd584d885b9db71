//! What is known of the atoms of formulas about paths, and what these formulas come down to by it.
//!
//! On walks it is seen which values an atom has; one of which only one value was seen may be shown to have no other.
//! Then formulas are restated ([`simplify`]), on the board, for all engines.

use std::collections::BTreeMap;
use std::time::Duration;

use ::equation::Game;
use budget::Budget;
use unfold::Predicate;

use crate::board::Board;
use crate::goal::{Claim, Goal};
use crate::predicate::not;
use crate::simplify::{self, Light};

/// How long it is tried to show that an atom never changes.
const TURN: Duration = Duration::from_millis(20);

/// What is known of atoms.
#[derive(Default)]
pub(crate) struct Facts {
    predicates: BTreeMap<u32, Predicate>,
    /// The values that an atom was seen to have: it was false, it was true.
    seen: BTreeMap<u32, [bool; 2]>,
    /// Those that never change.
    constant: BTreeMap<u32, bool>,
    /// Whether formulas of linear time are left as they are.
    is_fair: bool,
}

impl Facts {
    /// Nothing but which atoms there are.
    pub(crate) fn new(board: &Board<'_>, is_fair: bool) -> Facts {
        let mut facts = Facts { is_fair, ..Facts::default() };
        board.read(|goals, pending| {
            for goal in pending {
                if facts.is_for(goals.goal(goal)) {
                    let known = |atom| Some((atom, goals.atoms.predicate(atom, true)?));
                    facts.predicates.extend(goals.atoms_of(goal).into_iter().filter_map(known));
                }
            }
        });
        facts
    }

    fn is_for(&self, goal: &Goal) -> bool {
        match goal {
            Goal::Branching(_) => true,
            Goal::Linear(_) => !self.is_fair,
            _ => false,
        }
    }

    /// Whether there is nothing to be known.
    pub(crate) fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// Notes which values atoms have in a marking.
    pub(crate) fn see(&mut self, game: &Game<'_>) {
        for (atom, predicate) in &self.predicates {
            let seen = self.seen.entry(*atom).or_default();
            if *seen != [true, true] {
                seen[usize::from(game.satisfies(predicate))] = true;
            }
        }
    }

    /// Asks which atoms never change. `never` says that no reachable marking satisfies a predicate, if it can show that
    /// within a budget.
    pub(crate) fn ask(
        &mut self,
        never: &mut dyn FnMut(&Predicate, &Budget) -> bool,
        budget: &Budget,
    ) {
        for (atom, predicate) in &self.predicates {
            if budget.is_exhausted() {
                return;
            }
            let seen = self.seen.get(atom).copied().unwrap_or_default();
            if self.constant.contains_key(atom) || seen == [true, true] {
                continue;
            }
            let turn = &budget.within(TURN);
            if !seen[1] && never(predicate, turn) {
                self.constant.insert(*atom, false);
            } else if !seen[0] && never(&not(predicate.clone()), turn) {
                self.constant.insert(*atom, true);
            }
        }
    }

    /// Restates formulas by what is known; `at_start` says what holds in the initial marking.
    pub(crate) fn restate(&self, board: &Board<'_>, at_start: &dyn Fn(&Predicate) -> bool) {
        let always = |atom: u32| self.constant.get(&atom).copied();
        let at_first = |atom: u32| self.predicates.get(&atom).map(at_start);
        let light = Light { always: &always, at_first: &at_first };
        board.read(|goals, pending| {
            for goal in pending {
                let claim = match goals.goal(goal).clone() {
                    Goal::Branching(formula) => simplify::branching(goals, &formula, light),
                    Goal::Linear(formula) if !self.is_fair => {
                        simplify::linear(goals, formula, light)
                    }
                    _ => continue,
                };
                if !matches!(claim, Claim::Goal(same) if same == goal) {
                    goals.restate(goal, claim);
                }
            }
        });
        board.settle(survey::Engine::Structure, []);
    }
}
