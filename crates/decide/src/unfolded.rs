//! Deciding on the unfolded net, made smaller for each goal, one marking at a time.
//!
//! What is left of a net when all is gone that makes no difference to one goal is often small, or has the answer
//! near its start. So each goal has a net of its own ([`plain::Problem`]), and goals take turns: walks for all that
//! can be met on the way, then for each goal a search of its own, for a while; and for longer the next time. A
//! search that comes to an end has found all there is.
//!
//! Of what is found there is no run to show.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use budget::{Budget, Phase};
use check::{Automaton, Ctl, Formula, Ltl, Shape};
use num_bigint::BigInt;
use plain::{
    Comparison, Condition, Logic, PlainNet, Problem, SearchOptions, Target, Undecided, accepts,
    satisfies, search, walk,
};
use survey::Engine;
use symbolic::Translation;
use unfold::{UnfoldLimits, UnfoldedNet};

use crate::board::Board;
use crate::diagrams;
use crate::goal::{Answer, Goal, Goals};
use crate::{Reduction, Reductions};

/// How long the first walks take, and how much longer the next ones; their steps, at most.
const WALKS: Duration = Duration::from_millis(60);
const STEPS: u64 = 1 << 24;
/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(25);
const LONGER: u32 = 5;
/// The share of memory that a search may use.
const SHARE: f64 = 0.6;

/// The transitions that the nets of goals have together, at most.
const KEPT: usize = 1 << 20;

/// Goals and their nets.
pub(crate) struct Unfolded<'b, 't> {
    board: &'b Board<'t>,
    net: UnfoldedNet,
    whole: PlainNet,
    is_fair: bool,
    allowed: Reductions,
    /// What goals that were tried have become; nothing if this is not for them.
    problems: HashMap<usize, Option<Pursued>>,
    /// The transitions of these nets.
    kept: usize,
    /// The number of turns that there were.
    turns: u32,
    /// The reductions by which something was decided.
    pub(crate) used: BTreeSet<Reduction>,
}

/// A goal, and what is left of the net for it.
struct Pursued {
    problem: Problem,
    kind: Kind,
    /// Whether the net is smaller than it was.
    is_smaller: bool,
}

/// What is asked of a net.
pub(crate) enum Kind {
    /// Whether the only condition is met.
    Reach,
    /// What the only sum is at most.
    Greatest,
    /// Whether a run is accepted, which violates the formula.
    Linear(Automaton),
    Branching(Ctl),
}

impl<'b, 't> Unfolded<'b, 't> {
    /// Unfolds a net, for the goals of a board; `None` if the net is too large.
    pub(crate) fn new(
        translation: &Translation,
        board: &'b Board<'t>,
        is_fair: bool,
        allowed: Reductions,
        budget: &Budget,
    ) -> Option<Self> {
        let limits = UnfoldLimits { budget: budget.clone(), ..UnfoldLimits::default() };
        let net = UnfoldedNet::of(translation.symmetric_net(), &limits).ok()?;
        let whole = PlainNet::from(&net);
        let (problems, used) = (HashMap::new(), BTreeSet::new());
        Some(Unfolded { board, net, whole, is_fair, allowed, problems, kept: 0, turns: 0, used })
    }

    /// Lets all goals have a turn, each longer than the last, within a budget.
    pub(crate) fn turn(&mut self, budget: &Budget) {
        let factor = LONGER.saturating_pow(self.turns);
        self.turn_for(FIRST_TURN.saturating_mul(factor), budget);
    }

    /// Lets all goals have a turn of some length.
    pub(crate) fn turn_for(&mut self, time: Duration, budget: &Budget) {
        let _under = budget.progress().during(Phase::Deciding);
        let open = self.open();
        let factor = 2_u32.saturating_pow(self.turns);
        self.walk(&open, &budget.within(WALKS.saturating_mul(factor)));
        for goal in open {
            if budget.is_exhausted() {
                return;
            }
            if !self.open().contains(&goal) {
                continue;
            }
            let size = |one: &Option<Pursued>| {
                one.as_ref().map_or(0, |one| one.problem.net.transitions.len())
            };
            let pursued = match self.problems.remove(&goal) {
                Some(known) => {
                    self.kept -= size(&known);
                    known
                }
                None => self.pursued(goal, budget),
            };
            let goes_on = pursued
                .filter(|pursued| self.pursue(goal, pursued, &budget.share(SHARE).within(time)));
            // What is not kept is made again.
            if self.kept + size(&goes_on) <= KEPT {
                self.kept += size(&goes_on);
                self.problems.insert(goal, goes_on);
            }
        }
        self.turns += 1;
    }

    /// The goals without answer that this is for.
    fn open(&self) -> Vec<usize> {
        let mut open = self.board.read(|goals, pending| {
            let is_ours = |goal: &usize| diagrams::refusal(goals, *goal, self.is_fair).is_none();
            pending.into_iter().filter(is_ours).collect::<Vec<_>>()
        });
        open.retain(|goal| !matches!(self.problems.get(goal), Some(None)));
        open
    }

    /// What a goal becomes on a net of its own.
    fn pursued(&self, goal: usize, budget: &Budget) -> Option<Pursued> {
        let (kind, logic, conditions, sums) =
            self.board.read(|goals, _| asked(goals, goal, &self.net))?;
        let net = self.whole.clone();
        let mut problem = Problem::new(net, conditions, sums);
        if self.allowed.structural {
            problem.reduce(logic, budget);
        }
        let is_smaller = problem.net != self.whole;
        Some(Pursued { problem, kind, is_smaller })
    }

    /// Walks on the whole net, to meet what can be met on the way.
    fn walk(&mut self, open: &[usize], budget: &Budget) {
        let _under = budget.progress().during(Phase::Walking);
        let of = |goal: &usize| {
            let asked = self.board.read(|goals, _| match goals.goal(*goal) {
                Goal::Somewhere(..) => asked(goals, *goal, &self.net),
                _ => None,
            });
            let (_, _, conditions, _) = asked?;
            Some((*goal, Target::reach(conditions.into_iter().next()?)))
        };
        let (goals, mut targets): (Vec<usize>, Vec<Target>) = open.iter().filter_map(of).unzip();
        if goals.is_empty() {
            return;
        }
        let board = self.board;
        let seed = u64::from(self.turns) + 1;
        walk(&self.whole, &mut targets, seed, STEPS, budget, &mut |number, _| {
            board.settle(Engine::Explicit, [(goals[number], Answer::Holds(true))]);
        });
    }

    /// Tries to decide a goal; whether it can be tried again.
    fn pursue(&mut self, goal: usize, pursued: &Pursued, budget: &Budget) -> bool {
        let Pursued { problem, kind, is_smaller } = pursued;
        // Another order each time.
        let seed = (self.turns > 0).then_some(u64::from(self.turns));
        let stubborn =
            self.allowed.stubborn && !matches!(kind, Kind::Linear(_) | Kind::Branching(_));
        let options = SearchOptions { stubborn, latest_first: self.turns % 2 == 1, blind: false };
        let answer = match kind {
            Kind::Reach => reached(problem, options, budget).map(Answer::Holds),
            Kind::Greatest => greatest(problem, options, budget).map(Answer::Greatest),
            Kind::Linear(violations) => {
                let Problem { net, conditions, .. } = problem;
                accepts(net, conditions, violations, seed, budget).map(|is| Answer::Holds(!is))
            }
            Kind::Branching(formula) => {
                let Problem { net, conditions, .. } = problem;
                satisfies(net, conditions, formula, seed, budget).map(Answer::Holds)
            }
        };
        let used = [(stubborn, Reduction::Stubborn), (*is_smaller, Reduction::Structural)];
        match answer {
            Ok(answer) => {
                self.used.extend(used.into_iter().filter(|(is, _)| *is).map(|(_, one)| one));
                self.board.settle(Engine::Explicit, [(goal, answer)]);
                false
            }
            Err(Undecided::TooManyTokens) => false,
            Err(Undecided::Exhausted(_)) => true,
        }
    }
}

/// Whether the only condition is met somewhere.
fn reached(problem: &Problem, options: SearchOptions, budget: &Budget) -> Result<bool, Undecided> {
    if let Condition::Constant(value) = problem.conditions[0] {
        return Ok(value);
    }
    let mut targets = [Target::reach(problem.conditions[0].clone())];
    let mut is_met = false;
    search(&problem.net, &mut targets, options, budget, &mut |_, _| is_met = true)?;
    Ok(is_met)
}

/// The greatest value that the only sum stands for.
fn greatest(
    problem: &Problem,
    options: SearchOptions,
    budget: &Budget,
) -> Result<BigInt, Undecided> {
    let sum = &problem.sums[0];
    let terms = sum.terms.iter().map(|&(place, weight)| (place, -weight)).collect();
    let mut targets = [Target::greatest(terms)];
    let mut greatest = i64::MIN;
    search(&problem.net, &mut targets, options, budget, &mut |_, target| {
        if let Target::Greatest { best, .. } = target {
            greatest = *best;
        }
    })?;
    Ok(BigInt::from(greatest) + sum.bound)
}

/// How it is asked, what has to be kept, and conditions and sums that it is about.
type Asked = (Kind, Logic, Vec<Condition>, Vec<Comparison>);

/// What a goal asks, in terms of the unfolded net; `None` if that cannot be said, or is too large.
pub(crate) fn asked(goals: &Goals, goal: usize, net: &UnfoldedNet) -> Option<Asked> {
    let condition =
        |atom: u32, value: bool| Condition::of(&goals.atoms.predicate(atom, true)?, value, net);
    // Those that are not mentioned do not matter.
    let all = |mentioned: &[u32]| {
        let count = goals.atoms.all().len() as u32;
        let of = |atom: u32| match mentioned.contains(&atom) {
            true => condition(atom, true),
            false => Some(Condition::Constant(false)),
        };
        (0..count).map(of).collect::<Option<Vec<_>>>()
    };
    Some(match goals.goal(goal) {
        Goal::Somewhere(atom, value) => {
            (Kind::Reach, Logic::Reachability, vec![condition(*atom, *value)?], Vec::new())
        }
        Goal::Greatest(terms) => {
            let Comparison { terms, bound } = Comparison::of(terms, 0, net)?;
            let terms = terms.into_iter().map(|(place, weight)| (place, -weight)).collect();
            let least = Comparison { terms, bound: bound.checked_neg()? };
            (Kind::Greatest, Logic::Reachability, Vec::new(), vec![least])
        }
        Goal::Linear(formula) => {
            let ltl = &goals.ltl;
            let violations = Automaton::of(ltl, ltl.not(*formula)).ok()?;
            let logic = if has_next(ltl, *formula) { Logic::Everything } else { Logic::Linear };
            // Nothing violates what is always true.
            if violations.states.is_empty() {
                return None;
            }
            (Kind::Linear(violations), logic, all(&ltl.atoms(*formula))?, Vec::new())
        }
        Goal::Branching(formula) => {
            let logic = match asks_for_next(formula) {
                true => Logic::Everything,
                false => Logic::Branching,
            };
            (Kind::Branching(formula.clone()), logic, all(&formula.atoms())?, Vec::new())
        }
        Goal::Initially(atom) => {
            let formula = Ctl::Atom(*atom);
            (Kind::Branching(formula), Logic::Everything, all(&[*atom])?, Vec::new())
        }
        Goal::Everyone(_) => return None,
    })
}

/// Whether a formula of linear time speaks of the next state.
pub(crate) fn has_next(ltl: &Ltl, formula: Formula) -> bool {
    let mut visited = BTreeSet::from([formula]);
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        let (a, b) = match ltl.shape(formula) {
            Shape::True | Shape::False | Shape::Atom(..) => continue,
            Shape::Next(_) => return true,
            Shape::And(a, b) | Shape::Or(a, b) | Shape::Until(a, b) | Shape::Release(a, b) => {
                (a, b)
            }
        };
        open.extend([a, b].into_iter().filter(|inner| visited.insert(*inner)));
    }
    false
}

/// Whether a formula of branching time speaks of next states.
fn asks_for_next(formula: &Ctl) -> bool {
    match formula {
        Ctl::True | Ctl::Atom(_) => false,
        Ctl::SomeNext(_) => true,
        Ctl::Not(a) | Ctl::SomeGlobally(a) => asks_for_next(a),
        Ctl::And(a, b) | Ctl::SomeUntil(a, b) => asks_for_next(a) || asks_for_next(b),
    }
}
