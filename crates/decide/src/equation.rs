//! Deciding by the structure of the unfolded net: the state equation, and walks that it guides.
//!
//! The equation refutes that something is met, and bounds sums from above; walks meet things, and bound sums from
//! below. A goal takes several turns, each longer than the last: what is easy is known soon. Equations with the
//! places of a coloured one taken together come first, since they are small.
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

/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(30);
const LONGER: u32 = 4;
/// The steps of the walks without an aim at first, and how many of these there are.
const STEPS: u64 = 2_000;
const WALKS: u64 = 8;
/// Guided walks along one solution, and steps of a walk upwards.
const ALONG: u64 = 6;
/// How often a solution that is repeated for ever is looked for, from ever farther away.
const PUMPS: u64 = 8;
/// Raised lower bounds that are tried one after the other in one turn.
const RAISES: usize = 64;

/// Decides what can be decided by structure. With runs to show, nothing is said to be met.
pub(crate) fn explored(
    translation: &Translation,
    board: &Board<'_>,
    shows_runs: bool,
    budget: &Budget,
) {
    let _under = budget.progress().during(Phase::Deciding);
    let unfold = UnfoldLimits { budget: budget.clone(), ..UnfoldLimits::default() };
    let Ok(net) = UnfoldedNet::of(translation.symmetric_net(), &unfold) else { return };
    let rules = Rules::of(&net);
    let Some(walker) = Walker::new(&rules, 1) else { return };
    let watch = Watch::new(board, shows_runs);
    let mut structure = Structure { net: &net, watch, walker, tried: BTreeMap::new() };
    structure.walk(budget);
    let Ok(groups) = StateEquation::in_groups(&net) else { return };
    structure.decide(groups, budget, FIRST_TURN, false);
    let Ok(whole) = StateEquation::of(&net) else { return };
    structure.decide(whole, budget, FIRST_TURN, true);
}

/// What is looked for on walks.
struct Watch<'b, 't> {
    board: &'b Board<'t>,
    shows_runs: bool,
    /// That of the board when the following was read off it.
    version: usize,
    somewhere: Vec<(usize, Predicate)>,
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
                        self.somewhere.extend(predicate.map(|predicate| (goal, predicate)));
                    }
                    Goal::Greatest(terms) => self.greatest.push((goal, terms.clone())),
                    _ => {}
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
        self.somewhere.iter().any(|(open, _)| *open == goal)
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
}

impl Structure<'_, '_, '_> {
    /// Some walks without an aim.
    fn walk(&mut self, budget: &Budget) {
        let Structure { watch, walker, .. } = self;
        for _ in 0..WALKS {
            if watch.is_done() || walker.at_random(STEPS, budget, &mut |game| watch.see(game)) {
                return;
            }
        }
    }

    /// Asks an equation, goal by goal, for ever longer; in groups once.
    fn decide(
        &mut self,
        mut equation: StateEquation<'_>,
        budget: &Budget,
        first_turn: Duration,
        is_whole: bool,
    ) {
        let mut turn = first_turn;
        let mut given_up: Vec<usize> = Vec::new();
        while !budget.is_exhausted() {
            self.watch.refresh();
            let somewhere = self.watch.somewhere.clone();
            let greatest = self.watch.greatest.clone();
            let mut is_anything_left = false;
            for (goal, predicate) in somewhere {
                if self.watch.is_open(goal) && !given_up.contains(&goal) {
                    match self.somewhere(goal, &predicate, &mut equation, &budget.within(turn)) {
                        Err(Halt::Exhausted(_)) => is_anything_left = true,
                        _ => given_up.push(goal),
                    }
                }
            }
            for (goal, terms) in greatest {
                if self.watch.is_open(goal) && !given_up.contains(&goal) {
                    let turn = &budget.within(turn);
                    match self.greatest(goal, &terms, &mut equation, is_whole, turn) {
                        Err(Halt::Exhausted(_)) => is_anything_left = true,
                        _ => given_up.push(goal),
                    }
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
        predicate: &Predicate,
        equation: &mut StateEquation<'_>,
        budget: &Budget,
    ) -> Result<(), Halt> {
        match equation.solve(predicate, budget)? {
            None => self.watch.settle(goal, Answer::Holds(false)),
            Some(solution) if !self.watch.shows_runs => {
                self.follow(goal, &solution, equation, budget);
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
        equation: &StateEquation<'_>,
        budget: &Budget,
    ) {
        let Structure { watch, walker, .. } = self;
        for _ in 0..ALONG {
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
        terms: &[(u32, i64)],
        equation: &mut StateEquation<'_>,
        is_whole: bool,
        budget: &Budget,
    ) -> Result<(), Halt> {
        if self.tried.insert((goal, is_whole), ()).is_none() {
            match equation.upper_bound(terms, budget) {
                Ok(Upper::AtMost(most, solution)) => {
                    self.watch.bound(goal, most);
                    self.follow(goal, &solution, equation, budget);
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
                Some(solution) => self.follow(goal, &solution, equation, budget),
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
