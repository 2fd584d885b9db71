//! `kinfold tests`: runs that cover a model, to drive an implementation of it.
//!
//! What is to be covered is read off the folded graph, the paths are chosen by the crate `cover`, and the plain interpreter
//! makes a run of each. What is reported as covered is what the runs that are written cover.

use std::collections::BTreeSet;

use ::explore::{Exploration, StateId, Stop};
use budget::{Budget, Exhausted, Phase};
use cover::{Arc, Bound, Chosen, Graph, Item};
use kinfold::trace::never_executed;
use kinfold::{Plan, Run, Survey, Trace};
use net::{Net, TransitionId};
use serde_json::{Value as Json, json};

use super::cli::{Cover, TestsArgs};
use super::output::{self, Output};
use super::progress::About;
use super::{Exit, Failure, explore as exploring, load, progress};

/// The version of the JSON form.
const SCHEMA_VERSION: u32 = 1;

pub fn run(args: &TestsArgs) -> Result<Exit, Failure> {
    let budget = args.exploration.budget();
    let about = About::new("tests", &args.model.model, args.exploration.max_states);
    let shown = &args.exploration.limits.progress;
    progress::reported(shown, about, &budget, || within(args, &budget), Exit::of)
}

fn within(args: &TestsArgs, budget: &Budget) -> Result<Exit, Failure> {
    if args.depth.is_some() && args.cover != Cover::Classes {
        return Err(Failure::usage("--depth goes with --cover classes"));
    }
    let net = progress::preparing(budget, || load::net(&args.model))?;
    let plan = Plan { keep_edges: true, ..args.exploration.plan(budget) };
    let (mut survey, stop) = exploring::explored(&net, plan.clone())?;
    let showing = plan.showing();
    let _under = budget.progress().during(Phase::Showing);
    let actions = Actions::of(&net);
    let suite = Suite::of(args, &mut survey, &actions, &showing);
    let suite = match suite {
        Ok(suite) => suite,
        Err(why) => {
            let states = survey.exploration().states();
            output::tell(format_args!(
                "kinfold: INCOMPLETE: {why} after {states} states; no runs are written: use --max-states for the part \
                 nearest to the start"
            ));
            return Ok(Exit::Incomplete);
        }
    };
    let never = never_fired(&survey, &actions);
    let json = suite.json(args, &survey, &actions, &never, stop);
    Output::to(args.output.as_deref()).write_by(|out| {
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)
    })?;
    suite.summary(args, &net, &actions, &never, stop).iter().for_each(output::tell);
    let is_all = stop.is_none() && suite.cut.is_none();
    Ok(if is_all { Exit::Done } else { Exit::Incomplete })
}

/// Which transitions are one action. Where records can be in any order, equivalent states do the same by different
/// transitions of one statement ([`Net::alike`]), so that these cannot be told apart in the folded graph: the first stands for all
/// of them. Elsewhere each transition is an action.
struct Actions<'n> {
    net: &'n Net,
    first: Vec<u32>,
}

impl<'n> Actions<'n> {
    fn of(net: &'n Net) -> Actions<'n> {
        let all = (0..net.transitions.len() as u32).map(TransitionId);
        let first = all.map(|id| net.alike(id).map(|alike| alike.0).min().unwrap_or(id.0));
        Actions { net, first: first.collect() }
    }

    fn of_label(&self, label: u32) -> u32 {
        self.first[label as usize]
    }

    fn name(&self, action: u32) -> &'n str {
        &self.net.transition(TransitionId(action)).name
    }

    fn json(&self, item: Item) -> Json {
        match item {
            Item::Action(action) => self.name(action).into(),
            Item::Pair(first, second) => json!([self.name(first), self.name(second)]),
            Item::State(state) => state.into(),
        }
    }

    fn text(&self, item: Item) -> String {
        match item {
            Item::Action(action) => self.name(action).to_owned(),
            Item::Pair(first, second) => format!("{} then {}", self.name(first), self.name(second)),
            Item::State(state) => format!("class {state}"),
        }
    }
}

/// The actions that were never seen to fire, by all their transitions; not those that stand for what must not happen.
fn never_fired(survey: &Survey, actions: &Actions) -> Vec<TransitionId> {
    let never: BTreeSet<u32> = survey.never_fired().map(|id| id.0).collect();
    let all = 0..actions.first.len() as u32;
    let fired: BTreeSet<u32> =
        all.filter(|id| !never.contains(id)).map(|id| actions.of_label(id)).collect();
    let is_meant = |id: &TransitionId| actions.net.transition(*id).failure.is_none();
    let never = never.into_iter().filter(|&id| !fired.contains(&actions.of_label(id)));
    never.map(TransitionId).filter(is_meant).collect()
}

/// Runs, and what they cover.
struct Suite {
    items: BTreeSet<Item>,
    /// What is covered by no run.
    missed: BTreeSet<Item>,
    /// Each with what is covered by none before it.
    runs: Vec<(Run, Vec<Item>)>,
    at_least: Bound,
    /// Why not all is covered.
    cut: Option<Exhausted>,
}

impl Suite {
    fn of(
        args: &TestsArgs,
        survey: &mut Survey,
        actions: &Actions,
        budget: &Budget,
    ) -> Result<Suite, Exhausted> {
        let graph = graph(args, survey.exploration(), actions, budget)?;
        let at_least = Bound::of(&graph, budget)?;
        let Chosen { paths, mut cut } = cover::choose(&graph, budget)?;
        let items: BTreeSet<Item> = graph.items().iter().copied().collect();
        let mut missed = items.clone();
        let mut runs = Vec::new();
        for path in paths {
            match run_along(survey, actions.net, &path, budget) {
                Ok(run) => {
                    let new = graph.covered(&path).filter(|item| missed.remove(item)).collect();
                    runs.push((run, new));
                }
                Err(why) => {
                    cut = Some(why);
                    break;
                }
            }
        }
        // The only class there is needs no step.
        if runs.is_empty() && cut.is_none() {
            let new: Vec<Item> = graph.covered(&[]).filter(|item| missed.remove(item)).collect();
            runs.extend((!new.is_empty()).then(|| (Run::at_start(actions.net), new)));
        }
        Ok(Suite { items, missed, runs, at_least, cut })
    }

    fn steps(&self) -> usize {
        self.runs.iter().map(|(run, _)| run.steps.len()).sum()
    }

    fn json(
        &self,
        args: &TestsArgs,
        survey: &Survey,
        actions: &Actions,
        never: &[TransitionId],
        stop: Option<Stop>,
    ) -> Json {
        let net = actions.net;
        let list = |items: &mut dyn Iterator<Item = Item>| -> Json {
            items.map(|item| actions.json(item)).collect()
        };
        let run = |(run, covers): &(Run, Vec<Item>)| {
            let trace = Trace::from(run.clone()).json(net, None);
            json!({ "covers": list(&mut covers.iter().copied()), "trace": trace })
        };
        let start = Trace::from(Run::at_start(net)).json(net, None);
        let mut json = json!({
            "schema_version": SCHEMA_VERSION,
            "model": net.name,
            "constants": start["constants"],
            "cover": args.cover.name(),
            "depth": args.depth,
            "classes": survey.tally().states,
            "complete": stop.is_none() && self.cut.is_none(),
            "reason": self.reason(stop),
            "items": self.items.len(),
            "covered": self.items.len() - self.missed.len(),
            "missed": list(&mut self.missed.iter().copied()),
            "never_fired": names(actions, never),
            "steps": self.steps(),
            "at_least": { "runs": self.at_least.paths, "steps": self.at_least.steps },
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
        });
        if let Some(statements) = never_executed(net, never) {
            json["never_executed"] = statements.into();
        }
        json
    }

    fn reason(&self, stop: Option<Stop>) -> Option<String> {
        let cut = self.cut.map(|why| why.to_string());
        stop.map(|stop| stop.to_string()).or(cut)
    }

    /// What was done, for people.
    fn summary(
        &self,
        args: &TestsArgs,
        net: &Net,
        actions: &Actions,
        never: &[TransitionId],
        stop: Option<Stop>,
    ) -> Vec<String> {
        let (items, covered) = (self.items.len(), self.items.len() - self.missed.len());
        let what = args.cover.name();
        let (runs, steps) = (counted(self.runs.len() as u64, "run"), self.steps() as u64);
        let least = (counted(self.at_least.paths, "run"), counted(self.at_least.steps, "step"));
        let mut lines = vec![format!(
            "model {}: {covered} of {items} {what} covered by {runs} of {} in all (no way with fewer than {} or {})",
            net.name,
            counted(steps, "step"),
            least.0,
            least.1,
        )];
        let missed = self.missed.iter().take(MOST_LISTED).map(|item| actions.text(*item));
        let missed: Vec<String> = missed.collect();
        if !missed.is_empty() {
            let more = if self.missed.len() > MOST_LISTED { ", …" } else { "" };
            lines.push(format!("not covered: {}{more}", missed.join(", ")));
        }
        match never_executed(net, never) {
            Some(statements) => {
                lines.extend(statements.iter().map(|text| format!("never executed: {text}")));
            }
            None if never.is_empty() => {}
            None => lines.push(format!("never fired: {}", names(actions, never).join(", "))),
        }
        if let Some(stop) = stop {
            lines.push(format!("INCOMPLETE: {stop}; the coverage is of what was explored"));
        } else if let Some(why) = self.cut {
            lines.push(format!("INCOMPLETE: {why} while runs were chosen"));
        }
        lines
    }
}

/// How many items are listed that are not covered.
const MOST_LISTED: usize = 20;

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn names<'n>(actions: &Actions<'n>, never: &[TransitionId]) -> Vec<&'n str> {
    let first = never.iter().filter(|id| actions.of_label(id.0) == id.0);
    first.map(|id| actions.name(id.0)).collect()
}

/// The folded graph, and what of it is to be covered.
fn graph(
    args: &TestsArgs,
    found: &Exploration,
    actions: &Actions,
    budget: &Budget,
) -> Result<Graph, Exhausted> {
    let quotient = found.quotient.as_ref().expect("edges are kept");
    let successors = |state: u32| {
        quotient.successors(StateId(state)).map(|(label, target)| (label, target.0))
    };
    let states = found.store.len();
    let action_of = |label| actions.of_label(label);
    match args.cover {
        Cover::Transitions => Graph::of_actions(states, successors, action_of, budget),
        Cover::Pairs => Graph::of_pairs(states, successors, action_of, budget),
        Cover::Classes => {
            let most = args.depth.unwrap_or(u32::MAX);
            let is_wanted = |state| found.depth_of(StateId(state)) <= most;
            Graph::of_classes(states, successors, is_wanted, budget)
        }
    }
}

/// The run that the plain interpreter makes of a path.
fn run_along(
    survey: &mut Survey,
    net: &Net,
    path: &[Arc],
    budget: &Budget,
) -> Result<Run, Exhausted> {
    survey.review(|found, reader| {
        let path = path.iter().map(|arc| (TransitionId(arc.label), StateId(arc.state)));
        Run::along(net, path, budget, |state, target| {
            reader.stored(state) == found.store.get(*target)
        })
    })
}
