//! Runs that are met on walks through the unfolded net, and what they show of formulas about paths.
//!
//! A walk that comes back to a marking can be repeated from there for ever; one that meets a marking in which nothing can
//! fire, or something without effect, may stay there. On such a run every formula of linear time is true or false, by the
//! definition ([`check::Ltl::holds_on`]), and one that is false does not hold of the net. A formula of branching time
//! may be shown to hold by a run, or not to hold ([`check::Ctl::shown_by`]). Walks that finish what was begun come back
//! soon, also where there are far too many markings to be searched.
//!
//! Cost of a step: the size of the marking, which is kept as long as the walk; of a run: its length times the sizes of the
//! formulas.

use std::collections::HashMap;

use ::equation::{Game, Walker};
use budget::{Budget, Phase};
use check::Ending;
use random::Random;
use survey::Engine;
use unfold::Predicate;

use crate::board::Board;
use crate::goal::{Answer, Goal};

/// The steps of a walk, at most, and the tokens that are kept of it.
const STEPS: u64 = 1 << 11;
const KEPT: u64 = 1 << 22;
/// A walk begins with fewer steps at random than this.
const AT_RANDOM: u64 = 1 << 6;
/// One step in two to the power of some number below this is any step.
const ANY: u32 = 7;

/// What is looked for on runs.
pub(crate) struct MetRuns<'b, 't> {
    board: &'b Board<'t>,
    /// That of the board when the following was read off it.
    version: usize,
    /// Formulas about paths that are open.
    goals: Vec<usize>,
    /// Their atoms.
    atoms: Vec<(u32, Predicate)>,
    random: Random,
}

/// A walk so far.
#[derive(Default)]
struct Path {
    positions: HashMap<Vec<i64>, usize>,
    /// For each marking whether atoms hold.
    truths: Vec<Vec<bool>>,
}

impl<'b, 't> MetRuns<'b, 't> {
    pub(crate) fn new(board: &'b Board<'t>) -> Self {
        let random = Random::new(1);
        let mut runs = MetRuns { board, version: 0, goals: Vec::new(), atoms: Vec::new(), random };
        runs.refresh();
        runs
    }

    /// Reads off the board what is still open, if it has changed.
    fn refresh(&mut self) {
        if self.version == self.board.version() {
            return;
        }
        self.version = self.board.version();
        self.goals.clear();
        let mut numbers = Vec::new();
        self.atoms = self.board.read(|goals, pending| {
            for goal in pending {
                let atoms = goals.atoms_of(goal);
                let is_said = |atom: &u32| goals.atoms.predicate(*atom, true).is_some();
                if goals.goal(goal).is_about_paths() && atoms.iter().all(is_said) {
                    self.goals.push(goal);
                    numbers.extend(atoms);
                }
            }
            numbers.sort_unstable();
            numbers.dedup();
            let said = numbers.iter().filter_map(|a| Some((*a, goals.atoms.predicate(*a, true)?)));
            said.collect()
        });
    }

    /// Walks for so many steps, within a budget.
    pub(crate) fn walk(&mut self, walker: &mut Walker<'_>, mut steps: u64, budget: &Budget) {
        let _under = budget.progress().during(Phase::Walking);
        self.refresh();
        let size = walker.start().tokens().len() as u64;
        let most = STEPS.min(KEPT / size.max(1));
        while steps > 0 && most > 1 && !self.goals.is_empty() && !budget.is_exhausted() {
            let at_random = self.random.below(AT_RANDOM).min(most / 2);
            let any = 1 << self.random.below(ANY);
            let mut path = Path::default();
            let (mut ending, mut has_stayed) = (Ending::Open, false);
            walker.finishing((at_random, most), any, budget, &mut |game| {
                if let Some(back) = path.add(game, &self.atoms) {
                    ending = Ending::Back(back);
                } else if game.enabled().is_empty() {
                    ending = Ending::Last;
                } else if !has_stayed && can_stay(game) {
                    has_stayed = true;
                    self.judge(&path, Ending::Back(path.truths.len() - 1));
                }
                ending != Ending::Open
            });
            self.judge(&path, ending);
            steps = steps.saturating_sub(path.truths.len() as u64);
            self.refresh();
        }
    }

    /// Whether a marking in which nothing can fire may show something.
    pub(crate) fn wants_end(&mut self) -> bool {
        self.refresh();
        let is_reaching = |goal: &usize| {
            self.board.read(|goals, _| matches!(goals.goal(*goal), Goal::Branching(of) if of.finally().is_some()))
        };
        self.goals.iter().any(is_reaching)
    }

    /// Looks what a reachable marking shows in which nothing can fire: what is true there can be reached.
    pub(crate) fn end(&self, game: &Game<'_>) {
        let mut path = Path::default();
        path.add(game, &self.atoms);
        let holds = |atom: u32, at: usize| self.holds(&path, atom, at);
        let found: Vec<(usize, Answer)> = self.board.read(|goals, _| {
            let is_shown = |goal: &&usize| match goals.goal(**goal) {
                Goal::Branching(of) => of
                    .finally()
                    .is_some_and(|later| later.shown_by(1, Ending::Last, &holds) == Some(true)),
                _ => false,
            };
            self.goals.iter().filter(is_shown).map(|goal| (*goal, Answer::Holds(true))).collect()
        });
        self.board.settle(Engine::Structure, found);
    }

    fn holds(&self, path: &Path, atom: u32, at: usize) -> bool {
        let nth = self.atoms.binary_search_by_key(&atom, |(number, _)| *number);
        path.truths[at][nth.expect("all atoms are looked at")]
    }

    /// Looks what a run shows.
    fn judge(&self, path: &Path, ending: Ending) {
        let positions = path.truths.len();
        let found: Vec<(usize, Answer)> = self.board.read(|goals, _| {
            let holds = |atom: u32, at: usize| self.holds(path, atom, at);
            let shown = |goal: usize| match (goals.goal(goal), ending) {
                (Goal::Branching(formula), _) => formula.shown_by(positions, ending, &holds),
                (Goal::Linear(formula), Ending::Back(_) | Ending::Last) => {
                    let back = if let Ending::Back(to) = ending { to } else { positions - 1 };
                    let is_false = !goals.ltl.holds_on(*formula, positions, back, &holds);
                    is_false.then_some(false)
                }
                _ => None,
            };
            let open = self.goals.iter().filter(|goal| goals.answer(**goal).is_none());
            open.filter_map(|goal| Some((*goal, Answer::Holds(shown(*goal)?)))).collect()
        });
        if !found.is_empty() {
            self.board.settle(Engine::Structure, found);
        }
    }
}

impl Path {
    /// Adds a marking, unless it is there already: then where.
    fn add(&mut self, game: &Game<'_>, atoms: &[(u32, Predicate)]) -> Option<usize> {
        let next = self.truths.len();
        let at = *self.positions.entry(game.tokens().to_vec()).or_insert(next);
        if at < next {
            return Some(at);
        }
        self.truths.push(atoms.iter().map(|(_, predicate)| game.satisfies(predicate)).collect());
        None
    }
}

/// Whether a run may stay in a marking for ever, since something can fire without effect.
fn can_stay(game: &Game<'_>) -> bool {
    let transitions = &game.rules().net().transitions;
    game.enabled().iter().any(|t| !transitions[*t as usize].has_effect())
}
