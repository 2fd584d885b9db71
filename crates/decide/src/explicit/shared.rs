//! Checking by several processes, each of which holds a part of the states.
//!
//! Each process looks at its own states, and all tell each other what they have found: which goals are settled, and for
//! each the nearest state that shows it, the least of those. So all have the same answers at the same time. What needs
//! the steps between states, or who becomes whom, needs the whole graph, which one process gathers (`gathered`).

use std::collections::BTreeMap;

use budget::{Budget, Exhausted, Phase};
use explore::{Control, StateId};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use survey::{
    Destination, Engine, Lost, Plan, Portion, Reader, Shards, Survey, SurveyError, survey_shared,
};
use trace::Trace;

use super::gathered::GraphLook;
use super::valuation::{Needed, Valuation};
use super::{Explored, Subject, reason, to_explore};
use crate::Checking;
use crate::board::Board;
use crate::evidence::ShownRun;
use crate::goal::{Answer, Goal, Goals};

/// Whether the whole graph has to be known for a goal.
fn is_for_one(goals: &Goals, goal: usize, subject: &Subject) -> bool {
    subject.following.is_some()
        || subject.net.has_forgotten()
        || goals.goal(goal).is_about_paths()
        || matches!(goals.goal(goal), Goal::Everyone(_))
        || Needed::of(goals, &[goal]).asks_what_is_enabled(subject.net)
}

/// The goals among these that single states decide.
fn for_all(goals: &Goals, pending: &[usize], subject: &Subject) -> Vec<usize> {
    pending.iter().copied().filter(|goal| !is_for_one(goals, *goal, subject)).collect()
}

/// What a process has seen.
#[derive(Default, Serialize, Deserialize)]
struct Seen {
    /// Why it cannot go on checking.
    problem: Option<String>,
    /// Whether its budget was used up before it had looked at all states.
    is_cut: bool,
    /// Of goals about the initial state, whether they hold.
    initially: Vec<(usize, bool)>,
    /// The nearest states that show goals.
    nearest: BTreeMap<usize, Destination>,
    /// The greatest values of sums, in decimal digits.
    greatest: BTreeMap<usize, String>,
}

/// What is looked for.
struct Look<'s, 'a, 'b, 't> {
    subject: &'s Subject<'a>,
    board: &'b Board<'t>,
    /// What is known of each shard.
    valuations: Vec<Valuation>,
    /// Where goals were found to hold.
    shown: BTreeMap<usize, Destination>,
    problem: Option<String>,
}

/// Explores a net with all processes, and decides what it can on the way. If asked for, the first process has runs that
/// show it.
///
/// # Errors
///
/// If the net cannot be explored, or a process is gone.
pub(crate) fn explored<'a>(
    subject: &Subject<'a>,
    board: &Board<'_>,
    plan: &Plan,
    checking: &Checking,
) -> Result<Explored<'a>, SurveyError> {
    let (by_states, needs_graph) = board.read(|goals, pending| {
        let by_states = for_all(goals, &pending, subject);
        let needs_graph = by_states.len() < pending.len();
        (by_states, needs_graph)
    });
    let (looks, relations) = (!by_states.is_empty(), Some(subject.relations));
    let budget = to_explore(&plan.budget, needs_graph);
    let (observed, keep_edges) = (subject.observed.clone(), needs_graph);
    let exploring = Plan { relations, observed, keep_edges, until: None, budget, ..plan.clone() };
    let team = plan.team.as_ref().expect("there is a team");
    let mut look =
        Look { subject, board, valuations: Vec::new(), shown: BTreeMap::new(), problem: None };
    look.valuations.resize_with(team.network.threads(), Valuation::default);
    let with_threads = Plan { threads: team.network.threads(), ..plan.clone() };
    let mut graph = GraphLook::new(subject, board, &with_threads, checking, by_states);
    let mut survey = survey_shared(subject.net, &exploring, &mut |shards| {
        let mut is_over = looks && look.at(shards, false, &exploring.budget)?;
        if shards.is_gathering() && !board.is_answered() {
            is_over |= graph.at(shards, &exploring.budget)?;
        }
        // What needs the graph is not decided without it.
        let is_vain = needs_graph && !shards.is_gathering() && !look.is_wanted();
        is_over |= look.problem.is_some() || graph.problem.is_some() || board.is_answered();
        Ok(if is_over || is_vain { Control::Interrupt } else { Control::Continue })
    })?;
    let is_complete = survey.exploration().complete;
    if looks && look.problem.is_none() && !board.is_answered() {
        let shards = survey.shards().expect("several have explored");
        let budget = if is_complete { board.budget().clone() } else { checking.plan.showing() };
        look.at(&shards, is_complete, &budget)?;
        look.settle_unbounded(survey.unbounded_place().map(|place| place.0));
    }
    if checking.evidence && !look.shown.is_empty() {
        let showing = checking.plan.showing();
        let _under = showing.progress().during(Phase::Showing);
        let runs = look.runs(&mut survey, &showing);
        board.read(|goals, _| runs.into_iter().for_each(|(goal, run)| goals.show(goal, run)));
    }
    let is_gathered = needs_graph && survey.given_up().is_none();
    if is_gathered && graph.problem.is_none() && !board.is_answered() {
        survey.forget_shards();
        let budget = if is_complete { board.budget() } else { &plan.budget };
        graph.at_end(&mut survey, budget)?;
    }
    let has_no_roots = is_complete && graph.has_no_roots(&survey);
    let problem = look.problem.as_deref().or(graph.problem.as_deref());
    let reason = match survey.given_up() {
        Some(why) if problem.is_none() => {
            Some(format!("the graph is too large for process 0: {why}"))
        }
        _ => reason(problem, subject.net, &survey),
    };
    let (is_given_up, is_projected) = (false, subject.observed.is_some());
    Ok(Explored { survey, has_no_roots, reason, is_given_up, is_projected, failure: None })
}

impl Look<'_, '_, '_, '_> {
    /// Whether something is pending that single states decide.
    fn is_wanted(&self) -> bool {
        self.board.read(|goals, pending| !for_all(goals, &pending, self.subject).is_empty())
    }

    /// Runs that show what was found, on the first process.
    fn runs(
        &mut self,
        survey: &mut Survey,
        showing: &Budget,
    ) -> BTreeMap<usize, Result<ShownRun, Exhausted>> {
        let shown = std::mem::take(&mut self.shown);
        let (goals, states): (Vec<usize>, Vec<Destination>) = shown.into_iter().unzip();
        let paths = survey.paths_to_far(&states, showing);
        let is_first = survey.shards().is_some_and(|shards| shards.process() == 0);
        let mut run = |path| {
            let run = survey.run_along_far(path, showing)?;
            Ok(ShownRun { trace: Trace::from(run), followed: None })
        };
        match paths {
            _ if !is_first => BTreeMap::new(),
            Ok(paths) => goals.into_iter().zip(paths.into_iter().map(&mut run)).collect(),
            Err(why) => goals.into_iter().map(|goal| (goal, Err(why))).collect(),
        }
    }

    /// Looks at the states that were expanded since the last time, and settles what all have found. Says whether a
    /// budget was used up before all were looked at.
    fn at(
        &mut self,
        shards: &Shards<'_>,
        is_complete: bool,
        budget: &Budget,
    ) -> Result<bool, Lost> {
        let _under = budget.progress().during(Phase::Deciding);
        let (needed, mine) = self.board.read(|goals, pending| {
            let mine = for_all(goals, &pending, self.subject);
            let needed = Needed::of(goals, &mine);
            (needed, mine.into_iter().map(|goal| (goal, goals.goal(goal).clone())).collect())
        });
        let mine: Vec<(usize, Goal)> = mine;
        let mut seen = Seen::default();
        for shard in 0..shards.count() {
            let Look { subject, valuations, .. } = self;
            let valuation = &mut valuations[shard];
            shards.look(shard, &mut |portion, reader| {
                let before = valuation.seen();
                match valuation.look(subject, &needed, portion.found(), reader, budget) {
                    Ok(Ok(())) => {}
                    Ok(Err(fault)) => {
                        let what = fault.describe(subject.net);
                        seen.problem = Some(format!("in a state it asks for, {what}"));
                    }
                    Err(_) => seen.is_cut = true,
                }
                seen.see(&mine, valuation, before, portion, reader);
            });
        }
        let said = serde_json::to_vec(&seen).expect("it is made of numbers and texts");
        let mut is_cut = false;
        let mut greatest: BTreeMap<usize, BigInt> = BTreeMap::new();
        let mut nearest: BTreeMap<usize, Destination> = BTreeMap::new();
        for said in shards.exchange(said)? {
            let nonsense = |error| Lost(format!("another process makes no sense: {error}"));
            let seen: Seen = serde_json::from_slice(&said).map_err(nonsense)?;
            is_cut |= seen.is_cut;
            self.problem = self.problem.take().or(seen.problem);
            for (goal, holds) in seen.initially {
                self.board.settle(Engine::Explicit, [(goal, Answer::Holds(holds))]);
                // The initial state shows it.
                self.shown.entry(goal).or_insert(Destination { depth: 0, state: Vec::new() });
            }
            for (goal, state) in seen.nearest {
                let held = nearest.entry(goal).or_insert_with(|| state.clone());
                if state < *held {
                    *held = state;
                }
            }
            for (goal, value) in seen.greatest {
                let value: BigInt =
                    value.parse().map_err(|_| Lost(format!("{value} is no number")))?;
                let held = greatest.entry(goal).or_insert_with(|| value.clone());
                if *held < value {
                    *held = value;
                }
            }
        }
        for (goal, state) in nearest {
            self.shown.insert(goal, state);
            self.board.settle(Engine::Explicit, [(goal, Answer::Holds(true))]);
        }
        if is_complete && !is_cut && self.problem.is_none() {
            for (goal, what) in mine {
                let answer = match what {
                    Goal::Somewhere(..) if !self.shown.contains_key(&goal) => Answer::Holds(false),
                    Goal::Greatest(_) => match greatest.remove(&goal) {
                        Some(value) => Answer::Greatest(value),
                        None => continue,
                    },
                    _ => continue,
                };
                self.board.settle(Engine::Explicit, [(goal, answer)]);
            }
        }
        Ok(is_cut)
    }

    /// What grows without end has no greatest value.
    fn settle_unbounded(&mut self, place: Option<u32>) {
        let Some(place) = place else { return };
        let pending = self.board.read(|goals, pending| {
            let of = |goal: usize| (goal, goals.goal(goal).clone());
            pending.into_iter().map(of).collect::<Vec<_>>()
        });
        for (goal, what) in pending {
            if let Goal::Greatest(terms) = what
                && terms.iter().all(|(_, factor)| *factor > 0)
                && terms.iter().any(|(index, _)| *index == place)
            {
                self.board.settle(Engine::Explicit, [(goal, Answer::Unbounded)]);
            }
        }
    }
}

impl Seen {
    /// Notes what a shard shows of goals. The states below `before` were looked at earlier.
    fn see(
        &mut self,
        goals: &[(usize, Goal)],
        valuation: &Valuation,
        before: u32,
        portion: &Portion,
        reader: &mut dyn Reader,
    ) {
        for (goal, what) in goals {
            match what {
                // The initial state is the only one of depth 0.
                Goal::Initially(atom) if !portion.level(0).is_empty() && valuation.seen() > 0 => {
                    self.initially.push((*goal, valuation.holds(*atom, 0)));
                }
                Goal::Somewhere(atom, value) => {
                    let shows = |state: &u32| valuation.holds(*atom, *state) == *value;
                    let Some(first) = (before..valuation.seen()).find(shows) else { continue };
                    let depth = portion.depth_of(StateId(first));
                    let level = first..portion.level(depth).end.min(valuation.seen());
                    let store = &portion.found().store;
                    let states = level.filter(shows);
                    let states = states.map(|state| reader.portable(store.get(StateId(state))));
                    let Some(state) = states.min() else { continue };
                    let found = Destination { depth, state };
                    let held = self.nearest.entry(*goal).or_insert_with(|| found.clone());
                    if found < *held {
                        *held = found;
                    }
                }
                Goal::Greatest(terms) => {
                    if let Some(most) = valuation.greatest(terms) {
                        let held = self.greatest.entry(*goal).or_insert_with(|| most.to_string());
                        if held.parse::<i128>().is_ok_and(|held| held < most) {
                            *held = most.to_string();
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
