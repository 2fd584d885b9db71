//! Deciding by the structure of the unfolded net: the state equation, and walks that it guides.
//!
//! The equation refutes that something is met, and bounds sums from above; walks meet things, and bound sums from
//! below. Goals take turns, each longer than the last: what is easy is known soon. An equation with the
//! places of a coloured one taken together comes first, since it is small; then one place by place. What they say of
//! atoms makes formulas of branching and linear time simpler ([`Facts`]), and runs that are met on walks decide some
//! ([`MetRuns`]).
//!
//! Nothing is explored, so there are no runs to show: where these are wanted, only what no run could show is
//! decided here.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ::equation::{Game, Halt, Rules, Solution, StateEquation, Upper, Walker};
use budget::{Budget, Phase};
use unfold::{Predicate, UnfoldedNet};

use crate::board::Board;
use crate::facts::Facts;
use crate::goal::Answer;
use crate::met::MetRuns;
use crate::predicate::not;
use crate::watch::Watch;

/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(30);
const LONGER: u32 = 4;
/// How many times as long as for a goal it is asked which atoms never change.
const FOR_ATOMS: u32 = 16;
/// How long the first walks take, how many steps, and how many times more those of the next turn.
const WALKS: Duration = Duration::from_millis(50);
const STEPS_OF_WALKS: u64 = 1 << 14;
const LONGER_WALKS: u32 = 4;
/// The steps of the first walk, and of the longest. One with an aim has fewer, by this factor.
const SHORTEST: u64 = 1 << 8;
const LONGEST: u64 = 1 << 17;
const WITH_AIM: u64 = 8;
/// Walks that are made where nothing is looked for but values of atoms.
const FOR_FACTS: u32 = 8;
/// Walks upwards, for one sum.
const STEPS: u64 = 2_000;
/// Guided walks along one solution at first, how many times more each time after that, and how often.
const ALONG: u64 = 6;
const MORE: u64 = 8;
const TRIALS: u32 = 4;
/// How often a solution that is repeated for ever is looked for, from ever farther away.
const PUMPS: u64 = 8;
/// Raised lower bounds that are tried one after the other in one turn.
const RAISES: usize = 64;

/// A net, those who look at it, and how far they have come.
pub(crate) struct Structure<'n, 'b, 't> {
    net: &'n UnfoldedNet,
    watch: Watch<'b, 't>,
    walker: Walker<'n>,
    facts: Facts,
    /// Runs that are met on walks, if they may decide something.
    met: Option<MetRuns<'b, 't>>,
    /// Whether the equation was asked for a marking in which nothing can fire.
    has_sought_end: bool,
    /// The equation place by place, once it was asked for; nothing if it is too large.
    whole: Option<Option<StateEquation<'n>>>,
    /// The number of turns that there were, and of walks.
    turns: u32,
    walks: u32,
    /// The greatest values for which an upper bound was asked for, by goal, and whether place by place.
    tried: BTreeSet<(usize, bool)>,
    /// How often a goal was tried in vain, place by place.
    trials: BTreeMap<usize, u32>,
}

impl<'n, 'b, 't> Structure<'n, 'b, 't> {
    /// Nothing is known yet; `None` if there are too many tokens. With runs to show, nothing is said to be met. With
    /// fairness, nothing is said of runs.
    pub(crate) fn new(
        rules: &'n Rules<'n>,
        board: &'b Board<'t>,
        (shows_runs, is_fair): (bool, bool),
    ) -> Option<Self> {
        let facts = if shows_runs { Facts::default() } else { Facts::new(board, is_fair) };
        let structure = Structure {
            net: rules.net(),
            watch: Watch::new(board, shows_runs),
            walker: Walker::new(rules, 1)?,
            facts,
            met: (!shows_runs && !is_fair).then(|| MetRuns::new(board)),
            has_sought_end: false,
            whole: None,
            turns: 0,
            walks: 0,
            tried: BTreeSet::new(),
            trials: BTreeMap::new(),
        };
        Some(structure)
    }

    /// Walks, each time for longer, within a budget.
    pub(crate) fn walk(&mut self, budget: &Budget) {
        let factor = LONGER_WALKS.saturating_pow(self.turns);
        let steps = STEPS_OF_WALKS.saturating_mul(u64::from(factor));
        self.walk_for(steps, &budget.within(WALKS.saturating_mul(factor)));
        if let Some(met) = &mut self.met {
            let budget = budget.within(WALKS.saturating_mul(factor));
            met.walk(&mut self.walker, steps, &budget);
        }
    }

    /// Lets all goals have a turn, each longer than the last, within a budget. Whether another may decide more.
    pub(crate) fn turn(&mut self, budget: &Budget) -> bool {
        let _under = budget.progress().during(Phase::Deciding);
        self.watch.refresh();
        let turn = self.turns;
        self.turns += 1;
        let time = FIRST_TURN.saturating_mul(LONGER.saturating_pow(turn));
        if turn == 0 {
            if !self.facts.is_empty() {
                self.restate();
            }
            // The same for all places of a coloured one; where these have one colour, it is the whole equation.
            if let Ok(mut groups) = StateEquation::in_groups(self.net) {
                let is_whole = groups.is_whole();
                self.pass(&mut groups, is_whole, time, budget);
                if is_whole {
                    self.whole = Some(Some(groups));
                }
            }
            return !budget.is_exhausted();
        }
        let made = || StateEquation::of(self.net).ok();
        let Some(mut whole) = self.whole.take().unwrap_or_else(made) else {
            self.whole = Some(None);
            return false;
        };
        let goes_on = self.pass(&mut whole, true, time, budget);
        self.whole = Some(Some(whole));
        goes_on && !budget.is_exhausted()
    }

    /// Walks at random, and towards what is looked for, in turn.
    fn walk_for(&mut self, mut steps: u64, budget: &Budget) {
        let _under = budget.progress().during(Phase::Walking);
        self.watch.refresh();
        while steps > 0 && !budget.is_exhausted() {
            let Structure { watch, walker, facts, walks, .. } = self;
            if watch.is_done() && (facts.is_empty() || *walks >= FOR_FACTS) {
                return;
            }
            let length = (SHORTEST << (*walks / 2).min(16)).min(LONGEST);
            let aim = match watch.somewhere.len() {
                0 => None,
                count => Some(watch.somewhere[*walks as usize / 2 % count].1.clone()),
            };
            let aim = aim.filter(|_| *walks % 2 == 1);
            let length = if aim.is_some() { length / WITH_AIM } else { length };
            steps = steps.saturating_sub(length);
            *walks += 1;
            let see = &mut |game: &Game<'_>| {
                facts.see(game);
                watch.see(game) && facts.is_empty()
            };
            match aim {
                Some(aim) => walker.towards(&aim, length, budget, see),
                None => walker.at_random(length, budget, see),
            };
        }
    }

    /// Asks an equation, goal by goal. Whether another time may decide more.
    fn pass(
        &mut self,
        equation: &mut StateEquation<'n>,
        is_whole: bool,
        time: Duration,
        budget: &Budget,
    ) -> bool {
        if !self.facts.is_empty() {
            let never = &mut |predicate: &Predicate, budget: &Budget| {
                equation.solve(predicate, budget) == Ok(None)
            };
            self.facts.ask(never, &budget.within(time.saturating_mul(FOR_ATOMS)));
            self.restate();
            self.watch.refresh();
        }
        if is_whole && !self.has_sought_end && self.met.as_mut().is_some_and(MetRuns::wants_end) {
            self.seek_end(equation, &budget.within(time.saturating_mul(FOR_ATOMS)));
        }
        let mut is_anything_left = false;
        let trial = |of: &Self, goal| match is_whole {
            true => of.trials.get(&goal).copied().unwrap_or(0),
            false => 0,
        };
        for (goal, predicate) in self.watch.somewhere.clone() {
            let trial = trial(self, goal);
            if self.watch.is_open(goal) && trial < TRIALS && !budget.is_exhausted() {
                let walks = ALONG * MORE.pow(trial);
                let turn = &budget.within(time);
                let tried = self.somewhere(goal, (&predicate, walks), equation, turn);
                self.note(goal, is_whole, trial, tried);
                is_anything_left = true;
            }
        }
        for (goal, terms) in self.watch.greatest.clone() {
            let trial = trial(self, goal);
            if self.watch.is_open(goal) && trial < TRIALS && !budget.is_exhausted() {
                let asked = (&*terms, ALONG * MORE.pow(trial));
                let turn = &budget.within(time);
                let tried = self.greatest(goal, asked, equation, is_whole, turn);
                self.note(goal, is_whole, trial, tried);
                is_anything_left = true;
            }
        }
        is_anything_left
    }

    /// Walks to where nothing can fire, if the equation says how: that shows something of formulas about paths.
    fn seek_end(&mut self, equation: &mut StateEquation<'_>, budget: &Budget) {
        let found = equation.solve(&Predicate::Dead, budget);
        self.has_sought_end = !matches!(found, Err(Halt::Exhausted(_)));
        let (Ok(Some(solution)), Some(met)) = (found, &mut self.met) else { return };
        for _ in 0..ALONG * MORE {
            let mut is_end = false;
            self.walker.guided(equation.column_of(), &solution, budget, &mut |game| {
                is_end = game.enabled().is_empty();
                if is_end {
                    met.end(game);
                }
                is_end
            });
            if is_end || budget.is_exhausted() {
                return;
            }
        }
    }

    /// Restates formulas by what is known.
    fn restate(&self) {
        let start = self.walker.start();
        self.facts.restate(self.watch.board, &|predicate| start.satisfies(predicate));
    }

    fn note(&mut self, goal: usize, is_whole: bool, trial: u32, tried: Result<(), Halt>) {
        if is_whole {
            self.trials.insert(goal, next_trial(tried, trial));
        }
    }

    /// Refutes that a predicate is met, or walks to where it may be.
    fn somewhere(
        &mut self,
        goal: usize,
        (predicate, walks): (&Predicate, u64),
        equation: &mut StateEquation<'_>,
        budget: &Budget,
    ) -> Result<(), Halt> {
        match equation.solve(predicate, budget)? {
            None => self.watch.settle(goal, Answer::Holds(false)),
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
        if self.tried.insert((goal, is_whole)) {
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
            let best = self.watch.best(goal);
            let (true, Some(best)) = (self.watch.is_open(goal), best) else { return Ok(()) };
            let Ok(bound) = i64::try_from(best) else { return Err(Halt::Overflow) };
            let more = not(Predicate::AtMost { terms: terms.to_vec(), bound });
            match equation.solve(&more, budget)? {
                None => self.watch.bound(goal, best),
                Some(solution) => self.follow(goal, &solution, walks, equation, budget),
            }
            if self.watch.best(goal) == Some(best) {
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
