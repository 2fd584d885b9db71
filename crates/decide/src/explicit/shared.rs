//! Checking by several processes, each of which holds a part of the states.
//!
//! Each process looks at its own states, and all tell each other what they have found: which goals are settled, and for
//! each the nearest state that shows it, the least of those. So all have the same answers at the same time. What needs
//! the steps between states, or who becomes whom, needs the whole graph, and is for one process.

use std::collections::BTreeMap;

use budget::Budget;
use explore::{Control, StateId};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use survey::{
    Destination, Engine, Lost, Plan, Portion, Reader, Shards, SurveyError, survey_shared,
};
use trace::Trace;

use super::valuation::{Needed, Valuation};
use super::{Explored, Subject, reason};
use crate::Checking;
use crate::board::Board;
use crate::evidence::ShownRun;
use crate::goal::{Answer, Goal, Goals};

/// Whether the whole graph has to be known for a goal.
fn is_for_one(goals: &Goals, goal: usize, subject: &Subject) -> bool {
    subject.following.is_some()
        || goals.goal(goal).is_about_paths()
        || matches!(goals.goal(goal), Goal::Everyone(_))
        // What is said of premises is part of it.
        || Needed::of(goals, &[goal], subject).asks_what_is_enabled(subject.net)
}

/// The goals among these that single states decide.
pub(crate) fn for_all(goals: &Goals, pending: &[usize], subject: &Subject) -> Vec<usize> {
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
    /// The premises that occur, by their numbers.
    premises: Vec<usize>,
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
    /// The premises that occur.
    premises: Vec<usize>,
}

/// Explores a net with all processes, and decides what single states decide. If asked for, the first process has runs
/// that show it.
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
    let relations = Some(subject.relations);
    let plan = Plan { relations, keep_edges: false, until: None, ..plan.clone() };
    let team = plan.team.as_ref().expect("there is a team");
    let mut look = Look {
        subject,
        board,
        valuations: Vec::new(),
        shown: BTreeMap::new(),
        problem: None,
        premises: Vec::new(),
    };
    look.valuations.resize_with(team.network.threads(), Valuation::default);
    let mut survey = survey_shared(subject.net, &plan, &mut |shards| {
        let is_cut = look.at(shards, false, &plan.budget)?;
        let is_over = is_cut || look.problem.is_some() || board.is_answered();
        Ok(if is_over { Control::Interrupt } else { Control::Continue })
    })?;
    let is_complete = survey.exploration().complete;
    let mut is_cut = false;
    if look.problem.is_none() && !board.is_answered() {
        let shards = survey.shards().expect("several have explored");
        let budget = if is_complete { board.budget().clone() } else { checking.plan.showing() };
        is_cut = look.at(&shards, is_complete, &budget)?;
        look.settle_unbounded(survey.unbounded_place().map(|place| place.0));
    }
    let has_all = is_complete && !is_cut;
    let never = subject.premises.iter().enumerate();
    let never = never.filter(|(at, _)| !look.premises.contains(at)).map(|(_, (n, ..))| *n);
    let vacuous = if has_all { never.collect() } else { Vec::new() };
    let reason = reason(look.problem.as_deref(), &survey);
    let showing = checking.plan.showing();
    let mut runs = BTreeMap::new();
    if checking.evidence && !look.shown.is_empty() {
        let (goals, states): (Vec<usize>, Vec<Destination>) = look.shown.into_iter().unzip();
        let paths = survey.paths_to_far(&states, &showing);
        if team.network.process() == 0 {
            let mut run = |path| {
                let run = survey.run_along_far(path, &showing)?;
                Ok(ShownRun { trace: Trace::from(run), followed: None })
            };
            match paths {
                Ok(paths) => runs.extend(goals.into_iter().zip(paths.into_iter().map(&mut run))),
                Err(why) => runs.extend(goals.into_iter().map(|goal| (goal, Err(why)))),
            }
        }
    }
    Ok(Explored { survey, runs, vacuous, reason })
}

impl Look<'_, '_, '_, '_> {
    /// Looks at the states that were expanded since the last time, and settles what all have found. Says whether a
    /// budget was used up before all were looked at.
    fn at(
        &mut self,
        shards: &Shards<'_>,
        is_complete: bool,
        budget: &Budget,
    ) -> Result<bool, Lost> {
        let (needed, mine) = self.board.read(|goals, pending| {
            let mine = for_all(goals, &pending, self.subject);
            let needed = Needed::of(goals, &mine, self.subject);
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
                for (at, (_, atom, value)) in subject.premises.iter().enumerate() {
                    if valuation.occurs(*atom, *value) {
                        seen.premises.push(at);
                    }
                }
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
            self.premises.extend(seen.premises);
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
