//! Deciding on the unfolded net, made smaller for each goal, one marking at a time.
//!
//! What is left of a net when all is gone that makes no difference to one goal is often small, or has the answer
//! near its start. So each goal has a net of its own ([`plain::Problem`]), and goals take turns: for each a search of
//! its own, for a while; and for longer the next time. Making the net smaller is part of the turn, and may go on in the
//! next one. A search that comes to an end has found all there is.
//!
//! Making a large net smaller may take longer than finding the answer on it. So formulas about paths are tried on a
//! large net as it is before that ([`Labelled`]), where only answers matter; a very large one is not made smaller in the
//! first turns.
//!
//! Where runs are to be shown, one that was found on a smaller net is mapped back first ([`mapped`]): it shows what is
//! met, and which run violates a formula. Formulas of branching time are decided without.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use budget::{Budget, Exhausted, Phase};
use check::{Automaton, Ctl};
use num_bigint::BigInt;
use plain::{
    BranchingOptions, Comparison, Condition, FiringSequence, LinearOptions, Logic, Mistakes,
    PlainNet, Problem, SearchOptions, Target, Undecided, accepted_run, accepts, satisfies, search,
    search_with_runs,
};
use survey::Engine;
use unfold::UnfoldedNet;

use crate::board::Board;
use crate::diagrams;
use crate::evidence::ShownRun;
use crate::goal::{Answer, Goal, Goals};
use crate::labelled::Labelled;
use crate::mapped::{Mapped, Showing, mapped};
use crate::{Reduction, Reductions};

/// How long a goal is tried at first, and how much longer each time after that.
const FIRST_TURN: Duration = Duration::from_millis(25);
const LONGER: u32 = 5;
/// How many times as long its net may be made smaller before that.
const REDUCING: u32 = 4;
/// The share of memory that a search may use.
const SHARE: f64 = 0.6;

/// A net with so many transitions is searched as it is, too; and one with so many is made smaller only after some turns.
const LARGE: usize = 1 << 12;
const VERY_LARGE: usize = 1 << 14;
const TURNS_AS_IT_IS: u32 = 2;

/// The transitions that the nets of goals have together, at most.
const KEPT: usize = 1 << 20;

/// Goals and their nets.
pub(crate) struct Unfolded<'n, 'b, 't> {
    board: &'b Board<'t>,
    net: &'n UnfoldedNet,
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
    /// Where runs are shown, if they are to be.
    showing: Option<Showing<'n>>,
}

/// A goal, and what is left of the net for it.
struct Pursued {
    problem: Problem,
    kind: Kind,
    logic: Logic,
    /// Whether the rules have done what they can.
    is_reduced: bool,
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

impl<'n, 'b, 't> Unfolded<'n, 'b, 't> {
    /// A net, for the goals of a board.
    pub(crate) fn new(
        net: &'n UnfoldedNet,
        board: &'b Board<'t>,
        is_fair: bool,
        allowed: Reductions,
    ) -> Self {
        let whole = PlainNet::from(net);
        let (problems, used) = (HashMap::new(), BTreeSet::new());
        Unfolded {
            board,
            net,
            whole,
            is_fair,
            allowed,
            problems,
            kept: 0,
            turns: 0,
            used,
            showing: None,
        }
    }

    /// The same, where runs are to be shown.
    pub(crate) fn with_runs(self, showing: Showing<'n>) -> Self {
        Unfolded { showing: Some(showing), ..self }
    }

    /// Lets all goals have a turn, each longer than the last, within a budget.
    pub(crate) fn turn(&mut self, budget: &Budget) {
        let _under = budget.progress().during(Phase::Deciding);
        let time = FIRST_TURN.saturating_mul(LONGER.saturating_pow(self.turns));
        for goal in self.open() {
            if budget.is_exhausted() {
                break;
            }
            if !self.open().contains(&goal) {
                continue;
            }
            if self.showing.is_none() {
                if self.is_decided_as_it_is(goal, &budget.share(SHARE).within(time)) {
                    continue;
                }
                if self.whole.transitions.len() > VERY_LARGE && self.turns < TURNS_AS_IT_IS {
                    continue;
                }
            }
            let size = |one: &Option<Pursued>| {
                one.as_ref().map_or(0, |one| one.problem.net.transitions.len())
            };
            let pursued = match self.problems.remove(&goal) {
                Some(known) => {
                    self.kept -= size(&known);
                    known
                }
                None => self.pursued(goal),
            };
            let pursued = pursued.map(|pursued| self.reduced(pursued, time * REDUCING, budget));
            let goes_on = pursued.and_then(|mut pursued| {
                let turn = budget.share(SHARE).within(time);
                self.pursue(goal, &mut pursued, &turn).then_some(pursued)
            });
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

    /// Tries to decide a formula about paths on the net as it is, if that is large.
    fn is_decided_as_it_is(&self, goal: usize, budget: &Budget) -> bool {
        if self.whole.transitions.len() <= LARGE {
            return false;
        }
        let asked = self.board.read(|goals, _| {
            let kind = path_kind(goals, goals.goal(goal))?;
            Some((kind, Labelled::of(goals, &goals.atoms_of(goal), self.net)?))
        });
        let Some((kind, atoms)) = asked else { return false };
        let seed = (self.turns > 0).then_some(u64::from(self.turns));
        let found = match &kind {
            Kind::Linear(violations) => {
                let options = LinearOptions { seed, ..LinearOptions::default() };
                accepts(&self.whole, &atoms, violations, options, budget)
                    .map(|(is_violated, _)| !is_violated)
            }
            Kind::Branching(formula) => {
                let options = BranchingOptions { seed, guided: false };
                satisfies(&self.whole, &atoms, formula, options, budget)
            }
            Kind::Reach | Kind::Greatest => return false,
        };
        if let Ok(holds) = found {
            self.board.settle(Engine::Explicit, [(goal, Answer::Holds(holds))]);
        }
        found.is_ok()
    }

    /// What a goal asks of the net as it is.
    fn pursued(&self, goal: usize) -> Option<Pursued> {
        let (kind, logic, conditions, sums) =
            self.board.read(|goals, _| asked(goals, goal, self.net))?;
        let problem = Problem::new(self.whole.clone(), conditions, sums);
        Some(Pursued { problem, kind, logic, is_reduced: !self.allowed.structural })
    }

    /// The same on a smaller net, as far as there is time.
    fn reduced(&self, mut pursued: Pursued, time: Duration, budget: &Budget) -> Pursued {
        if !pursued.is_reduced {
            let turn = budget.within(time);
            pursued.problem.reduce(pursued.logic, &turn);
            pursued.is_reduced = !turn.is_exhausted();
        }
        pursued
    }

    /// Tries to decide a goal; whether it can be tried again.
    fn pursue(&mut self, goal: usize, pursued: &mut Pursued, budget: &Budget) -> bool {
        let is_smaller = pursued.problem.net != self.whole;
        let stubborn = self.allowed.stubborn && pursued.allows_stubborn_sets();
        let (answer, run) = match self.searched(pursued, stubborn, budget) {
            Ok(found) => found,
            Err(Undecided::TooManyTokens) => return false,
            Err(Undecided::Exhausted(_)) => return true,
        };
        let run = match run.map(|run| self.mapped(goal, &pursued.problem, &run)) {
            Some(Mapped::Wrong) => {
                debug_assert!(false, "a run of a reduced net is none of the given one");
                return is_smaller && self.start_again(goal, pursued);
            }
            Some(Mapped::Shows(run)) => Some(run),
            Some(Mapped::Unshown) | None => None,
        };
        let used = [(stubborn, Reduction::Stubborn), (is_smaller, Reduction::Structural)];
        self.used.extend(used.into_iter().filter(|(is, _)| *is).map(|(_, one)| one));
        let run = run.and_then(|run| self.shown(&run));
        self.board.settle_shown(Engine::Explicit, [(goal, answer, run)]);
        false
    }

    /// What a search says of a goal, and the run that shows it, where there is one to be shown.
    fn searched(
        &self,
        pursued: &Pursued,
        stubborn: bool,
        budget: &Budget,
    ) -> Result<(Answer, Option<FiringSequence>), Undecided> {
        let Pursued { problem, kind, .. } = pursued;
        let Problem { net, conditions, .. } = problem;
        // Another order each time.
        let seed = (self.turns > 0).then_some(u64::from(self.turns));
        let options = SearchOptions { stubborn, latest_first: self.turns % 2 == 1, blind: false };
        let linear = LinearOptions { stubborn, seed, mistakes: Mistakes::default() };
        let shows_runs = self.showing.is_some();
        Ok(match kind {
            Kind::Reach if shows_runs => {
                let run = run_to(problem, options, budget)?;
                (Answer::Holds(run.is_some()), run)
            }
            Kind::Reach => (Answer::Holds(reached(problem, options, budget)?), None),
            Kind::Greatest => (Answer::Greatest(greatest(problem, options, budget)?), None),
            Kind::Linear(violations) if shows_runs => {
                let run = accepted_run(net, conditions, violations, linear, budget)?;
                (Answer::Holds(run.is_none()), run)
            }
            Kind::Linear(violations) => {
                let (is_violated, _) = accepts(net, conditions, violations, linear, budget)?;
                (Answer::Holds(!is_violated), None)
            }
            Kind::Branching(formula) => {
                let options = BranchingOptions { seed, guided: self.turns.is_multiple_of(2) };
                (Answer::Holds(satisfies(net, conditions, formula, options, budget)?), None)
            }
        })
    }
}

impl Pursued {
    fn allows_stubborn_sets(&self) -> bool {
        match self.kind {
            Kind::Reach | Kind::Greatest => true,
            Kind::Linear(_) => self.logic == Logic::Linear,
            Kind::Branching(_) => false,
        }
    }
}

impl Unfolded<'_, '_, '_> {
    /// A run of the net of a goal, as one of the given net.
    fn mapped(&self, goal: usize, problem: &Problem, run: &FiringSequence) -> Mapped {
        self.board.read(|goals, _| match asked(goals, goal, self.net) {
            Some((_, _, conditions, _)) => {
                mapped(problem, run, self.net, (&*goals, goal), &conditions)
            }
            None => Mapped::Unshown,
        })
    }

    /// Has a goal pursued on the net as it is; whether it can be.
    fn start_again(&self, goal: usize, pursued: &mut Pursued) -> bool {
        match self.pursued(goal) {
            Some(again) => {
                *pursued = Pursued { is_reduced: true, ..again };
                true
            }
            None => false,
        }
    }

    /// A run as it is executed on the model, to be shown.
    fn shown(&self, run: &FiringSequence) -> Option<Result<ShownRun, Exhausted>> {
        let shown = self.showing.as_ref()?.executed(self.net, run);
        debug_assert!(!matches!(shown, Ok(None)), "the interpreter cannot follow a run");
        shown.transpose()
    }
}

/// A run to where the only condition is met, if it is met somewhere.
fn run_to(
    problem: &Problem,
    options: SearchOptions,
    budget: &Budget,
) -> Result<Option<FiringSequence>, Undecided> {
    if let Condition::Constant(value) = problem.conditions[0] {
        return Ok(value.then(FiringSequence::default));
    }
    let mut targets = [Target::reach(problem.conditions[0].clone())];
    let mut found = None;
    search_with_runs(&problem.net, &mut targets, options, budget, &mut |_, _, run| {
        found = Some(run.clone());
    })?;
    Ok(found)
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
            let kind = path_kind(goals, goals.goal(goal))?;
            let logic = if ltl.has_next(*formula) { Logic::Everything } else { Logic::Linear };
            (kind, logic, all(&ltl.atoms(*formula))?, Vec::new())
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

/// How a formula about paths is asked; `None` if the goal is none, or has no automaton of sensible size.
pub(crate) fn path_kind(goals: &Goals, goal: &Goal) -> Option<Kind> {
    match goal {
        Goal::Linear(formula) => {
            let ltl = &goals.ltl;
            let violations = Automaton::of(ltl, ltl.not(*formula)).ok()?;
            // Nothing violates what is always true.
            (!violations.states.is_empty()).then_some(Kind::Linear(violations))
        }
        Goal::Branching(formula) => Some(Kind::Branching(formula.clone())),
        _ => None,
    }
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
