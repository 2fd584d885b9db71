//! Deciding by the structure of the unfolded net: the state equation, and walks that it guides.
//!
//! The equation refutes that something is met, and bounds sums from above; walks meet things, and bound sums from
//! below. A goal takes several turns, each longer than the last: what is easy is known soon. Equations with the
//! places of a coloured one taken together come first, since they are small.
//!
//! Formulas of branching and of linear time come down to such goals, or to constants, if some of their atoms are
//! shown never to change ([`simplify`]).
//!
//! Nothing is explored, so there are no runs to show: where these are wanted, only what no run could show is
//! decided here.

use std::collections::BTreeMap;
use std::time::Duration;

use ::equation::{Game, Halt, Rules, Solution, StateEquation, Upper, Walker};
use budget::{Budget, Phase};
use num_bigint::BigInt;
use survey::Engine;
use symbolic::Translation;
use unfold::{Predicate, UnfoldLimits, UnfoldedNet};

use crate::board::Board;
use crate::goal::{Answer, Goal};
use crate::predicate::not;
use crate::simplify::{self, Reduced};

/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(30);
const LONGER: u32 = 4;
/// The steps of the walks without an aim at first, and how many of these there are.
const STEPS: u64 = 2_000;
const WALKS: u64 = 8;
/// Guided walks along one solution at first, how many times more each time after that, and how often.
const ALONG: u64 = 6;
const MORE: u64 = 8;
const TRIALS: u32 = 4;
/// How often a solution that is repeated for ever is looked for, from ever farther away.
const PUMPS: u64 = 8;
/// Raised lower bounds that are tried one after the other in one turn.
const RAISES: usize = 64;

/// Decides what can be decided by structure. With runs to show, nothing is said to be met. With fairness, nothing
/// is said of runs.
pub(crate) fn explored(
    translation: &Translation,
    board: &Board<'_>,
    (shows_runs, is_fair): (bool, bool),
    budget: &Budget,
) {
    let _under = budget.progress().during(Phase::Deciding);
    let unfold = UnfoldLimits { budget: budget.clone(), ..UnfoldLimits::default() };
    let Ok(net) = UnfoldedNet::of(translation.symmetric_net(), &unfold) else { return };
    let rules = Rules::of(&net);
    let Some(walker) = Walker::new(&rules, 1) else { return };
    let watch = Watch::new(board, shows_runs);
    let (tried, atoms) = (BTreeMap::new(), Atoms::new(board, shows_runs, is_fair));
    let mut structure = Structure { net: &net, watch, walker, tried, atoms };
    structure.walk(budget);
    let Ok(mut groups) = StateEquation::in_groups(&net) else { return };
    if !groups.is_whole() {
        structure.simplify(&mut groups, budget);
        structure.decide(groups, budget, false);
    }
    let Ok(mut whole) = StateEquation::of(&net) else { return };
    structure.simplify(&mut whole, budget);
    structure.decide(whole, budget, true);
}

/// What is known of the atoms of formulas about paths.
struct Atoms {
    goals: Vec<usize>,
    predicates: BTreeMap<u32, Predicate>,
    /// The values that an atom was seen to have: it was false, it was true.
    seen: BTreeMap<u32, [bool; 2]>,
    /// Those that never change.
    constant: BTreeMap<u32, bool>,
}

impl Atoms {
    fn new(board: &Board<'_>, shows_runs: bool, is_fair: bool) -> Atoms {
        let mut atoms = Atoms {
            goals: Vec::new(),
            predicates: BTreeMap::new(),
            seen: BTreeMap::new(),
            constant: BTreeMap::new(),
        };
        if shows_runs {
            return atoms;
        }
        board.read(|goals, pending| {
            for goal in pending {
                let is_one = match goals.goal(goal) {
                    Goal::Branching(_) => true,
                    Goal::Linear(_) => !is_fair,
                    _ => false,
                };
                if is_one {
                    let known = |atom| Some((atom, goals.atoms.predicate(atom, true)?));
                    atoms.predicates.extend(goals.atoms_of(goal).into_iter().filter_map(known));
                    atoms.goals.push(goal);
                }
            }
        });
        atoms
    }

    /// Notes which values atoms have in a marking.
    fn see(&mut self, game: &Game<'_>) {
        for (atom, predicate) in &self.predicates {
            let seen = self.seen.entry(*atom).or_default();
            if *seen != [true, true] {
                seen[usize::from(game.satisfies(predicate))] = true;
            }
        }
    }
}

/// What is looked for on walks.
struct Watch<'b, 't> {
    board: &'b Board<'t>,
    shows_runs: bool,
    /// That of the board when the following was read off it.
    version: usize,
    /// Goals that have the answer given if the predicate is met, and the other one if it never is.
    somewhere: Vec<(usize, Predicate, bool)>,
    /// Goals about paths that come down to that.
    reduced: BTreeMap<usize, (Predicate, bool)>,
    greatest: Vec<(usize, Vec<(u32, i64)>)>,
    /// The greatest value that was met, by goal.
    best: BTreeMap<usize, i128>,
    /// The least value that is known not to be exceeded, by goal.
    upper: BTreeMap<usize, i128>,
}

impl<'b, 't> Watch<'b, 't> {
    fn new(board: &'b Board<'t>, shows_runs: bool) -> Self {
        let mut watch = Watch {
            board,
            shows_runs,
            version: 0,
            somewhere: Vec::new(),
            reduced: BTreeMap::new(),
            greatest: Vec::new(),
            best: BTreeMap::new(),
            upper: BTreeMap::new(),
        };
        watch.refresh();
        watch
    }

    /// Reads off the board what is still open, if it has changed.
    fn refresh(&mut self) {
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
                        self.somewhere.extend(predicate.map(|predicate| (goal, predicate, true)));
                    }
                    Goal::Greatest(terms) => self.greatest.push((goal, terms.clone())),
                    _ => {
                        let reduced = self.reduced.get(&goal).cloned();
                        self.somewhere
                            .extend(reduced.map(|(predicate, then)| (goal, predicate, then)));
                    }
                }
            }
        });
    }

    /// Whether nothing is left to be decided here.
    fn is_done(&self) -> bool {
        self.somewhere.is_empty() && self.greatest.is_empty()
    }

    fn settle(&mut self, goal: usize, answer: Answer) {
        self.board.settle(Engine::Structure, [(goal, answer)]);
        self.refresh();
    }

    /// Notes what is met in a marking. Whether nothing is left.
    fn see(&mut self, game: &Game<'_>) -> bool {
        if self.version != self.board.version() {
            self.refresh();
        }
        let mut found = Vec::new();
        if !self.shows_runs {
            let met = self.somewhere.iter().filter(|(_, predicate, _)| game.satisfies(predicate));
            found.extend(met.map(|(goal, _, then)| (*goal, Answer::Holds(*then))));
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

    /// Notes that a sum is never above this.
    fn bound(&mut self, goal: usize, most: i128) {
        let upper = self.upper.entry(goal).or_insert(most);
        *upper = most.min(*upper);
        if self.best.get(&goal) == Some(upper) {
            let answer = Answer::Greatest(BigInt::from(*upper));
            self.settle(goal, answer);
        }
    }

    fn is_open(&self, goal: usize) -> bool {
        self.somewhere.iter().any(|(open, ..)| *open == goal)
            || self.greatest.iter().any(|(open, _)| *open == goal)
    }
}

/// A net, and those who look at it.
struct Structure<'n, 'b, 't> {
    net: &'n UnfoldedNet,
    watch: Watch<'b, 't>,
    walker: Walker<'n>,
    /// Whether an upper bound was asked for, by goal and equation.
    tried: BTreeMap<(usize, bool), ()>,
    atoms: Atoms,
}

impl Structure<'_, '_, '_> {
    /// Some walks without an aim.
    fn walk(&mut self, budget: &Budget) {
        let Structure { watch, walker, atoms, .. } = self;
        let see = &mut |game: &Game<'_>| {
            atoms.see(game);
            watch.see(game) && atoms.goals.is_empty()
        };
        for _ in 0..WALKS {
            if walker.at_random(STEPS, budget, see) {
                return;
            }
        }
    }

    /// Looks for atoms that never change, and for what formulas about paths come down to.
    fn simplify(&mut self, equation: &mut StateEquation<'_>, budget: &Budget) {
        let Structure { watch, walker, atoms, .. } = self;
        for (atom, predicate) in &atoms.predicates {
            if budget.is_exhausted() {
                return;
            }
            let seen = atoms.seen.get(atom).copied().unwrap_or_default();
            let turn = budget.within(FIRST_TURN);
            let mut never = |predicate: &Predicate| equation.solve(predicate, &turn) == Ok(None);
            if !atoms.constant.contains_key(atom) {
                if !seen[1] && never(predicate) {
                    atoms.constant.insert(*atom, false);
                } else if !seen[0] && never(&not(predicate.clone())) {
                    atoms.constant.insert(*atom, true);
                }
            }
        }
        let start = walker.start();
        let constant = |atom: u32| atoms.constant.get(&atom).copied();
        let at_first = |atom: u32| Some(start.satisfies(atoms.predicates.get(&atom)?));
        for goal in &atoms.goals {
            let reduced = watch.board.read(|goals, pending| {
                let is_open = pending.binary_search(goal).is_ok();
                match goals.goal(*goal).clone() {
                    _ if !is_open => None,
                    Goal::Branching(formula) => simplify::branching(&formula, &constant, &at_first),
                    Goal::Linear(formula) => {
                        simplify::linear(&mut goals.ltl, formula, &constant, &at_first)
                    }
                    _ => None,
                }
            });
            match reduced {
                Some(Reduced::Constant(value)) => watch.settle(*goal, Answer::Holds(value)),
                Some(Reduced::Somewhere { atom, value, then }) => {
                    let Some(predicate) = atoms.predicates.get(&atom) else { continue };
                    let predicate = if value { predicate.clone() } else { not(predicate.clone()) };
                    watch.reduced.insert(*goal, (predicate, then));
                }
                None => {}
            }
        }
        watch.version = 0;
        watch.refresh();
    }

    /// Asks an equation, goal by goal, for ever longer; in groups once.
    fn decide(&mut self, mut equation: StateEquation<'_>, budget: &Budget, is_whole: bool) {
        let mut turn = FIRST_TURN;
        // How often a goal was tried in vain.
        let mut trials: BTreeMap<usize, u32> = BTreeMap::new();
        while !budget.is_exhausted() {
            self.watch.refresh();
            let somewhere = self.watch.somewhere.clone();
            let greatest = self.watch.greatest.clone();
            let mut is_anything_left = false;
            for (goal, predicate, then) in somewhere {
                let trial = trials.get(&goal).copied().unwrap_or(0);
                if self.watch.is_open(goal) && trial < TRIALS {
                    let asked = (&predicate, then, ALONG * MORE.pow(trial));
                    let tried = self.somewhere(goal, asked, &mut equation, &budget.within(turn));
                    trials.insert(goal, next_trial(tried, trial));
                    is_anything_left = true;
                }
            }
            for (goal, terms) in greatest {
                let trial = trials.get(&goal).copied().unwrap_or(0);
                if self.watch.is_open(goal) && trial < TRIALS {
                    let asked = (&*terms, ALONG * MORE.pow(trial));
                    let turn = &budget.within(turn);
                    let tried = self.greatest(goal, asked, &mut equation, is_whole, turn);
                    trials.insert(goal, next_trial(tried, trial));
                    is_anything_left = true;
                }
            }
            if !is_whole || !is_anything_left {
                return;
            }
            turn *= LONGER;
        }
    }

    /// Refutes that a predicate is met, or walks to where it may be.
    fn somewhere(
        &mut self,
        goal: usize,
        (predicate, then, walks): (&Predicate, bool, u64),
        equation: &mut StateEquation<'_>,
        budget: &Budget,
    ) -> Result<(), Halt> {
        match equation.solve(predicate, budget)? {
            None => self.watch.settle(goal, Answer::Holds(!then)),
            Some(solution) if !self.watch.shows_runs => {
                self.follow(goal, &solution, walks, equation, budget);
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// Walks along a solution, some times.
    fn follow(
        &mut self,
        goal: usize,
        solution: &Solution,
        walks: u64,
        equation: &StateEquation<'_>,
        budget: &Budget,
    ) {
        let Structure { watch, walker, .. } = self;
        for _ in 0..walks {
            let see = &mut |game: &Game<'_>| watch.see(game) || !watch.is_open(goal);
            if walker.guided(equation.column_of(), solution, budget, see) {
                return;
            }
        }
    }

    /// Bounds a sum from above and from below.
    fn greatest(
        &mut self,
        goal: usize,
        (terms, walks): (&[(u32, i64)], u64),
        equation: &mut StateEquation<'_>,
        is_whole: bool,
        budget: &Budget,
    ) -> Result<(), Halt> {
        if self.tried.insert((goal, is_whole), ()).is_none() {
            match equation.upper_bound(terms, budget) {
                Ok(Upper::AtMost(most, solution)) => {
                    self.watch.bound(goal, most);
                    self.follow(goal, &solution, walks, equation, budget);
                    self.upwards(goal, terms, budget);
                }
                Ok(Upper::Unlimited(repeated)) => {
                    self.pump(goal, terms, &repeated, equation, budget);
                    return Ok(());
                }
                Err(why) => {
                    self.tried.remove(&(goal, is_whole));
                    return Err(why);
                }
            }
        }
        for _ in 0..RAISES {
            let best = self.watch.best.get(&goal).copied();
            let (true, Some(best)) = (self.watch.is_open(goal), best) else { return Ok(()) };
            let Ok(bound) = i64::try_from(best) else { return Err(Halt::Overflow) };
            let more = not(Predicate::AtMost { terms: terms.to_vec(), bound });
            match equation.solve(&more, budget)? {
                None => self.watch.bound(goal, best),
                Some(solution) => self.follow(goal, &solution, walks, equation, budget),
            }
            if self.watch.best.get(&goal) == Some(&best) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Walks that raise a sum where they can.
    fn upwards(&mut self, goal: usize, terms: &[(u32, i64)], budget: &Budget) {
        let Structure { net, watch, walker, .. } = self;
        let factors: BTreeMap<u32, i64> = terms.iter().copied().collect();
        let factor =
            |place: u32| factors.get(&net.places[place as usize].place.0).copied().unwrap_or(0);
        let gains = net.transitions.iter().map(|transition| {
            let arcs = transition.arcs.iter();
            arcs.map(|arc| factor(arc.place).saturating_mul(i64::from(arc.change))).sum()
        });
        let gains: Vec<i64> = gains.collect();
        for _ in 0..ALONG {
            let see = &mut |game: &Game<'_>| watch.see(game) || !watch.is_open(goal);
            if walker.upwards(&gains, STEPS, budget, see) {
                return;
            }
        }
    }

    /// Shows that a sum has no greatest value, if what the equation says can be repeated.
    fn pump(
        &mut self,
        goal: usize,
        terms: &[(u32, i64)],
        repeated: &Solution,
        equation: &StateEquation<'_>,
        budget: &Budget,
    ) {
        for nth in 0..PUMPS {
            let steps = nth * nth * 4;
            if self.walker.pumps(equation.column_of(), repeated, terms, steps, budget) {
                return self.watch.settle(goal, Answer::Unbounded);
            }
        }
    }
}

/// The number of trials after another: one that ran out of time does not count, one that cannot be repeated is the
/// last.
fn next_trial(tried: Result<(), Halt>, trial: u32) -> u32 {
    match tried {
        Ok(()) => trial + 1,
        Err(Halt::Exhausted(_)) => trial,
        Err(Halt::Overflow | Halt::TooLarge | Halt::Uncertified) => TRIALS,
    }
}
