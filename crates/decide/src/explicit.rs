//! Checking on the graph of states, while it is being explored.
//!
//! Each time the number of states has doubled, what is new is looked at ([`valuation`]). What holds somewhere
//! is found then, at the first state in the order of depth; a run that goes on for ever and violates something
//! is one also in the part of the graph that is known ([`linear`]). What holds nowhere, what holds of all
//! paths, and how great sums become is known when all states are.

mod dead_ends;
mod everyone;
mod forgotten;
mod gathered;
mod growing;
mod linear;
mod parts;
mod shared;
mod valuation;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use budget::{Budget, Exhausted, Phase};
use check::{Bits, Branching, Certainty, Ctl, Graph, Hop};
use explore::{Control, Exploration, Quotient, StateId, Stop};
use fold::Lives;
use net::{Compiled, Net, Observed, TransitionId, Var};
use num_bigint::BigInt;
use state::Relations;
use survey::{Engine, FaultyRun, Plan, Reader, Survey, SurveyError, survey_reviewed};

use crate::Checking;
use crate::board::Board;
use crate::evidence::{self, GraphPath};
use crate::fairness::Assumed;
use crate::follow::Following;
use crate::goal::{Answer, Goal};
use crate::individuals::Memory;
use crate::shorten::shortened;
use crate::stubborn::decisive;
use dead_ends::Walks;
use everyone::Look;
use growing::Growing;
use linear::Searches;
use valuation::{Needed, Valuation};

/// The share of the time that exploring may take where paths are to be decided after it.
const TO_EXPLORE: (u32, u32) = (3, 4);

/// A net that is explored, and what goals are about in it.
pub(crate) struct Subject<'a> {
    /// The net.
    pub(crate) net: &'a Arc<Net>,
    /// What is observed of pids.
    pub(crate) relations: Relations,
    /// What is observed of each column, if states are folded by that.
    pub(crate) observed: Option<Arc<Observed>>,
    /// The net remembers a thread: goals are about the runs that begin when it enters a place.
    pub(crate) following: Option<(&'a Following, Var)>,
    /// What is assumed of runs.
    pub(crate) assumed: &'a Assumed,
    /// The net as it fires; made when somebody's names are asked for.
    compiled: OnceLock<Compiled>,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(
        net: &'a Arc<Net>,
        (relations, observed): (Relations, Option<Arc<Observed>>),
        following: Option<(&'a Following, Var)>,
        assumed: &'a Assumed,
    ) -> Subject<'a> {
        Subject { net, relations, observed, following, assumed, compiled: OnceLock::new() }
    }

    /// The same, with states of which all is kept: stubborn sets look at all of a state.
    pub(crate) fn precise(&self) -> Subject<'a> {
        let Subject { net, relations, following, assumed, .. } = *self;
        Subject::new(net, (relations, None), following, assumed)
    }

    /// The net as it fires.
    pub(crate) fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| match &self.observed {
            Some(observed) => Compiled::observing(self.net.clone(), observed),
            None => Compiled::new(self.net.clone(), self.relations),
        })
    }

    /// The net whose states working states are.
    pub(crate) fn projected(&self) -> &Net {
        match self.observed {
            Some(_) => self.compiled().projected(),
            None => self.net,
        }
    }
}

/// What an exploration has shown beside answers.
pub(crate) struct Explored<'a> {
    /// The exploration.
    pub(crate) survey: Survey<'a>,
    /// Whether all states are known, and no run begins that goals are about: nobody ever enters.
    pub(crate) has_no_roots: bool,
    /// Why goals are left without answer, if it is not that a budget was used up.
    pub(crate) reason: Option<String>,
    /// Whether it was given up since `give_up` said so.
    pub(crate) is_given_up: bool,
    /// Whether states were folded by what is still observed of them.
    pub(crate) is_projected: bool,
    /// A failure that a walk has met, where the exploration did not come so far.
    pub(crate) failure: Option<FaultyRun>,
}

/// Whether an exploration is better given up, as far as it has come; asked until it says so, each time the number of states
/// has doubled.
pub(crate) type GiveUp<'g> = &'g mut dyn FnMut(&Exploration, &mut dyn Reader) -> bool;

/// Explores a net by a plan, and decides what it can on the way. If asked for, runs show what was found.
///
/// # Errors
///
/// If the net cannot be explored.
pub(crate) fn explored<'a>(
    subject: &Subject<'a>,
    board: &Board<'_>,
    plan: &Plan,
    checking: &Checking,
    give_up: GiveUp<'_>,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Explored<'a>, SurveyError> {
    let needs_steps = subject.following.is_some()
        || subject.net.has_forgotten()
        || board.read(|goals, pending| {
            pending.iter().any(|goal| goals.goal(*goal).is_about_paths())
                || Needed::of(goals, &pending).asks_what_is_enabled(subject.net)
        });
    let follows_threads = board.read(|goals, pending| {
        pending.iter().any(|goal| matches!(goals.goal(*goal), Goal::Everyone(_)))
    });
    let budget = &plan.budget;
    let to_explore = to_explore(budget, needs_steps || follows_threads);
    let plan = Plan {
        relations: Some(subject.relations),
        observed: subject.observed.clone(),
        keep_edges: needs_steps,
        until: None,
        budget: to_explore,
        ..plan.clone()
    };
    let mut explicit = Explicit::new(subject, board, &plan, checking);
    let mut is_given_up = false;
    let mut survey = survey_reviewed(subject.net, &plan, watch, &mut |so_far, reader| {
        let looked = explicit.look(so_far, reader, Stage::Exploring, &plan.budget);
        let looked = looked.and_then(|()| explicit.walk(so_far.states(), &plan.budget));
        let is_over = looked.is_err() || explicit.problem.is_some() || board.is_over();
        is_given_up = !is_over && give_up(so_far, reader);
        if is_over || is_given_up { Control::Interrupt } else { Control::Continue }
    })?;
    let meets_limit = meets_limit(subject.net, &survey);
    let is_complete = survey.exploration().complete && !meets_limit;
    if explicit.problem.is_none() && !board.is_answered() && !is_given_up {
        // Where all states are known, deciding may take as long as there is. A budget that is used up leaves
        // some without answer; what is known is kept.
        let budget = if is_complete { board.budget() } else { budget };
        let stage = if is_complete { Stage::Complete } else { Stage::Cut };
        let _ = survey.review(|so_far, reader| explicit.look(so_far, reader, stage, budget));
        explicit.settle_unbounded(&survey);
    }
    let has_no_roots = is_complete && explicit.roots.is_empty();
    let limit =
        meets_limit.then_some("what comes after something that was met on some runs is not known");
    let reason = reason(explicit.problem.as_deref().or(limit), subject.net, &survey);
    if !is_given_up {
        explicit.settle_walked();
    }
    let is_projected = subject.observed.is_some();
    let failure = explicit.walks.failure;
    Ok(Explored { survey, has_no_roots, reason, is_given_up, is_projected, failure })
}

/// Whether a limit was met that ends everything: what would come instead is not known.
fn meets_limit(net: &Net, survey: &Survey) -> bool {
    if !net.has_ends_of_all() {
        return false;
    }
    let is_limit = |id: &TransitionId| net.transition(*id).is_limit && net.transition(*id).ends_all;
    let never = survey.never_fired().filter(is_limit).count();
    (0..net.transitions.len() as u32).map(TransitionId).filter(is_limit).count() > never
}

/// What exploring may take, where paths are to be decided after it or not.
fn to_explore(budget: &Budget, decides_paths: bool) -> Budget {
    match budget.time_left() {
        Some(left) if decides_paths => budget.within(left * TO_EXPLORE.0 / TO_EXPLORE.1),
        _ => budget.clone(),
    }
}

pub(crate) use shared::explored as explored_shared;

/// A state in which runs begin that goals are about, and the step into it, source and label, if it matters by which.
type Root = (u32, Option<(u32, u32)>);

/// The part of the graph that is known.
#[derive(Clone, Copy)]
struct Known<'q> {
    quotient: Option<&'q Quotient>,
    states: u32,
    expanded: u32,
    /// The states in which data is tested that is not kept.
    choices: &'q Bits,
    /// Whether runs are followed that make no such test, and no others.
    without_tests: bool,
}

impl Known<'_> {
    fn is_followed(&self, state: u32) -> bool {
        state < self.expanded && !(self.without_tests && self.choices.get(state))
    }
}

impl Graph for Known<'_> {
    fn states(&self) -> u32 {
        self.states
    }

    fn is_expanded(&self, state: u32) -> bool {
        self.is_followed(state)
    }

    fn is_forgotten_choice(&self, state: u32) -> bool {
        self.choices.get(state)
    }

    fn successors(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let quotient = self.quotient.expect("edges are kept where paths are asked for");
        let row = self.is_followed(state).then(|| quotient.successors(StateId(state)));
        row.into_iter().flatten().map(|(label, target)| (label, target.0))
    }
}

/// How far an exploration has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// There will be more.
    Exploring,
    /// It has ended, and not everything was seen.
    Cut,
    /// All states are known.
    Complete,
}

struct Explicit<'s, 'a, 'b, 't> {
    subject: &'s Subject<'a>,
    findings: Findings<'b, 't>,
    valuation: Valuation,
    memory: Memory,
    /// What is known of threads that were followed by families.
    lives: Option<Lives>,
    /// For each goal about everyone the part of the graph in which nobody hopeless was found.
    everyone: BTreeMap<usize, u32>,
    /// What was found out of families, where states do not come to an end.
    growing: Vec<Growing>,
    searches: Searches,
    /// Why it cannot go on checking: a statement of a property has no value in a state, or a formula has no
    /// automaton of sensible size.
    problem: Option<String>,
    roots: Vec<Root>,
    walks: Walks,
    threads: usize,
    /// What showing runs may take, if they are to be shown.
    showing: Option<Budget>,
    /// Whether runs may have steps that they do not need.
    is_stubborn: bool,
}

/// What is asked, and what was found.
struct Findings<'b, 't> {
    board: &'b Board<'t>,
    /// What the board does not have yet: goals, and the paths through the graph that show what was found of them.
    new: Vec<(usize, Answer, Option<GraphPath>)>,
    /// The goals that were found, in this order.
    settled: Vec<usize>,
    /// The goals that others look for.
    left_out: Vec<usize>,
}

impl Findings<'_, '_> {
    fn found(&mut self, goal: usize, answer: Answer, path: Option<GraphPath>) {
        self.settled.push(goal);
        self.new.push((goal, answer, path));
    }

    fn pending(&self) -> Vec<(usize, Goal)> {
        let is_new = |goal: usize| self.new.iter().any(|(other, ..)| *other == goal);
        self.board.read(|goals, pending| {
            let mine = pending.into_iter();
            let mine = mine.filter(|goal| !self.left_out.contains(goal) && !is_new(*goal));
            mine.map(|goal| (goal, goals.goal(goal).clone())).collect()
        })
    }
}

impl<'s, 'a, 'b, 't> Explicit<'s, 'a, 'b, 't> {
    fn new(
        subject: &'s Subject<'a>,
        board: &'b Board<'t>,
        plan: &Plan,
        checking: &Checking,
    ) -> Self {
        let (new, settled, left_out) = Default::default();
        Explicit {
            subject,
            findings: Findings { board, new, settled, left_out },
            valuation: Valuation::default(),
            memory: Memory::default(),
            lives: None,
            everyone: BTreeMap::new(),
            growing: Vec::new(),
            searches: Searches::default(),
            problem: None,
            roots: Vec::new(),
            walks: Walks::default(),
            threads: plan.threads.max(1),
            showing: checking.evidence.then(|| checking.plan.showing()),
            is_stubborn: plan.stubborn.is_some(),
        }
    }
}

impl Explicit<'_, '_, '_, '_> {
    /// Looks at what is known of the graph, which may be all.
    fn look(
        &mut self,
        so_far: &Exploration,
        reader: &mut dyn Reader,
        stage: Stage,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let looked = self.look_for_all(so_far, reader, stage, budget);
        self.publish(so_far, reader);
        looked
    }

    /// Puts on the board what was found, with the runs that show it.
    fn publish(&mut self, so_far: &Exploration, reader: &mut dyn Reader) {
        for (goal, answer, path) in std::mem::take(&mut self.findings.new) {
            let run = path.zip(self.showing.clone());
            let run = run.map(|(path, showing)| {
                let _under = showing.progress().during(Phase::Showing);
                let mut run = evidence::shown_run(&path, self.subject, so_far, reader, &showing)?;
                if self.is_stubborn
                    && let Some(places) =
                        self.findings.board.read(|goals, _| decisive(goals, goal, self.subject.net))
                {
                    let trace = &mut run.trace;
                    let (net, run) = (self.subject.net, trace.run.clone());
                    trace.run = shortened(net, run, &places, &showing);
                }
                Ok(run)
            });
            self.findings.board.settle_shown(Engine::Explicit, [(goal, answer, run)]);
        }
    }

    fn look_for_all(
        &mut self,
        so_far: &Exploration,
        reader: &mut dyn Reader,
        stage: Stage,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let _under = budget.progress().during(Phase::Deciding);
        let is_complete = stage == Stage::Complete;
        let before = self.valuation.seen();
        let pending: Vec<usize> = self.findings.pending().into_iter().map(|(n, _)| n).collect();
        let needed = self.findings.board.read(|goals, _| Needed::of(goals, &pending));
        let looked = self.valuation.look(self.subject, &needed, so_far, reader, budget)?;
        if let Err(fault) = looked {
            let what = fault.describe(self.subject.net);
            self.problem = Some(format!("in a state it asks for, {what}"));
            return Ok(());
        }
        let known = Known {
            quotient: so_far.quotient.as_ref(),
            states: so_far.store.len(),
            expanded: self.valuation.seen(),
            choices: &self.valuation.choices().clone(),
            without_tests: false,
        };
        self.roots = self.roots(&known);
        let everyone = Look { expanded: known.expanded, found: so_far, stage, budget };
        if !is_complete {
            self.settle_growing(&known, everyone, reader)?;
            self.publish(so_far, reader);
        }
        if self.subject.net.has_forgotten() {
            return self.settle_uncertain(&known, everyone, reader);
        }
        self.settle_states(before, is_complete);
        self.publish(so_far, reader);
        if is_complete {
            self.settle_branching(&known, budget)?;
            self.publish(so_far, reader);
        }
        // Where no runs are to be shown, looking for them in all that will be known is enough.
        if stage == Stage::Exploring && self.showing.is_none() {
            return Ok(());
        }
        self.settle_everyone(everyone, reader)?;
        self.publish(so_far, reader);
        self.settle_linear(&known, so_far, reader, is_complete, budget)
    }

    /// Settles what single states decide. Those below `before` were looked at.
    fn settle_states(&mut self, before: u32, is_complete: bool) {
        let Self { findings, valuation, .. } = self;
        for (goal, what) in findings.pending() {
            match what {
                Goal::Initially(atom) if valuation.seen() > 0 => {
                    let holds = valuation.holds(atom, 0);
                    findings.found(goal, Answer::Holds(holds), Some(GraphPath::to(0)));
                }
                Goal::Somewhere(atom, value) => {
                    let mut new = before..valuation.seen();
                    match new.find(|&state| valuation.holds(atom, state) == value) {
                        Some(state) => {
                            findings.found(goal, Answer::Holds(true), Some(GraphPath::to(state)));
                        }
                        None if is_complete => findings.found(goal, Answer::Holds(false), None),
                        None => {}
                    }
                }
                Goal::Greatest(terms) if is_complete => {
                    if let Some(most) = valuation.greatest(&terms) {
                        findings.found(goal, Answer::Greatest(BigInt::from(most)), None);
                    }
                }
                _ => {}
            }
        }
    }

    /// Settles formulas of branching time; all states are known.
    fn settle_branching(&mut self, known: &Known, budget: &Budget) -> Result<(), Exhausted> {
        let Self { findings, roots, .. } = self;
        let pending = findings.pending().into_iter().filter_map(|(goal, what)| match what {
            Goal::Branching(formula) => Some((goal, formula)),
            _ => None,
        });
        let pending: Vec<(usize, Ctl)> = pending.collect();
        if pending.is_empty() {
            return Ok(());
        }
        let mut checker = Branching::new(known, self.valuation.values(), budget)?;
        for (goal, formula) in pending {
            let satisfying = checker.satisfying(&formula, Certainty::Must, budget)?;
            let bad = roots.iter().find(|(root, _)| !satisfying.get(*root)).copied();
            // One state shows what some path does; that all do, none can.
            let (shown, start) = match bad {
                Some(bad) => (formula.not(), Some(bad)),
                None => (formula, roots.first().filter(|_| roots.len() == 1).copied()),
            };
            let path = start.and_then(|(root, entered)| {
                let evidence = checker.evidence(&shown, Certainty::May, root, budget).ok();
                let steps = evidence.as_ref().map(|evidence| evidence.path.as_slice());
                let hop = |&(label, target): &(u32, u32)| Hop {
                    label: Some(label),
                    target,
                    chosen: None,
                };
                let hops: Vec<Hop> = steps.unwrap_or_default().iter().map(hop).collect();
                let back = evidence.and_then(|evidence| evidence.back);
                let shows = !hops.is_empty() || bad.is_some();
                shows.then_some(GraphPath { entered, hops, back, ..GraphPath::to(root) })
            });
            findings.found(goal, Answer::Holds(bad.is_none()), path);
        }
        Ok(())
    }

    /// What grows without end has no greatest value.
    fn settle_unbounded(&mut self, survey: &Survey) {
        let Some(place) = survey.unbounded_place() else { return };
        for (goal, what) in self.findings.pending() {
            if let Goal::Greatest(terms) = what
                && terms.iter().all(|(_, factor)| *factor > 0)
                && terms.iter().any(|(index, _)| *index == place.0)
            {
                self.findings.board.settle(Engine::Explicit, [(goal, Answer::Unbounded)]);
            }
        }
    }

    /// Where runs begin that goals are about: at the initial state, or where a thread has entered that is
    /// followed from then on; then with the step by which it did.
    fn roots(&self, known: &Known) -> Vec<Root> {
        let following = self.subject.following.map(|(following, _)| following);
        let Some(following) = following.filter(|following| following.has_choice()) else {
            return vec![(0, None)];
        };
        let mut roots = BTreeMap::new();
        for state in 0..known.expanded {
            for (label, target) in known.successors(state).filter(|(l, _)| following.enters(*l)) {
                // What follows such a state has to be known, or nothing can be said of it.
                if target < known.expanded {
                    roots.entry(target).or_insert((state, label));
                }
            }
        }
        roots.into_iter().map(|(root, entered)| (root, Some(entered))).collect()
    }
}

/// Why goals are left without answer, if it is not that a budget was used up.
fn reason(problem: Option<&str>, net: &Net, survey: &Survey) -> Option<String> {
    match (problem, survey.exploration().reason) {
        (Some(why), _) => Some(why.to_owned()),
        (None, _) if survey.has_failure() => {
            Some("an assertion fails, and nothing was explored after that".into())
        }
        (None, _) if survey.has_fault() => Some("the model has a fault".into()),
        (None, _) if survey.is_unbounded() => Some(
            "there is no end of tokens, and of states; what was seen does not decide it".into(),
        ),
        (None, None) if net.has_ends_of_all() => {
            Some("an assertion fails, and what all runs do is decided only where none can".into())
        }
        (None, None | Some(Stop::Exhausted(_))) => None,
        (None, Some(stop)) => Some(stop.to_string()),
    }
}
