//! Runs that cover a model: what is to be covered is read off the folded graph, paths are chosen through it, and the plain
//! interpreter makes a run of each. What is reported as covered is what the runs cover that are there in the end.

use std::collections::BTreeSet;

use budget::{Budget, Exhausted};
use explore::{Exploration, StateId, Stop};
use net::{Net, TransitionId};
use serde_json::{Value as Json, json};
use survey::Survey;
use trace::{Run, Trace, never_executed};

use crate::graph::{Arc, Graph, Item};
use crate::{Bound, Chosen, choose};

/// The version of the JSON form.
const SCHEMA_VERSION: u32 = 1;
/// How many items are listed that are not covered.
const MOST_LISTED: usize = 20;

/// What runs are to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Every transition that fires.
    Transitions,
    /// Every two transitions that fire one right after the other.
    Pairs,
    /// Every class of states that is reached in at most this many steps.
    Classes {
        /// The steps; any number if not given.
        depth: Option<u32>,
    },
}

impl Cover {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Cover::Transitions => "transitions",
            Cover::Pairs => "pairs",
            Cover::Classes { .. } => "classes",
        }
    }
}

/// Runs of a model, and what they cover.
pub struct Suite<'n> {
    net: &'n Net,
    actions: Actions<'n>,
    cover: Cover,
    /// The classes of states that were explored.
    classes: u64,
    /// Why not all of them were.
    stop: Option<Stop>,
    items: BTreeSet<Item>,
    /// What is covered by no run.
    missed: BTreeSet<Item>,
    /// The transitions that were never seen to fire.
    never_fired: Vec<TransitionId>,
    /// Each with what is covered by none before it.
    runs: Vec<(Run, Vec<Item>)>,
    at_least: Bound,
    /// Why not all is covered.
    cut: Option<Exhausted>,
}

impl<'n> Suite<'n> {
    /// Runs that cover what was explored, with its edges, or as much of it as the budget is enough for.
    ///
    /// # Errors
    /// If the budget is used up before there is any run.
    ///
    /// # Panics
    /// If the edges were not kept.
    pub fn of(
        net: &'n Net,
        survey: &mut Survey,
        cover: Cover,
        budget: &Budget,
    ) -> Result<Suite<'n>, Exhausted> {
        let actions = Actions::of(net);
        let graph = graph(cover, survey.exploration(), &actions, budget)?;
        let at_least = Bound::of(&graph, budget)?;
        let Chosen { paths, cut } = choose(&graph, budget)?;
        let items: BTreeSet<Item> = graph.items().iter().copied().collect();
        let mut suite = Suite {
            never_fired: never_fired(survey, &actions),
            net,
            actions,
            cover,
            classes: survey.tally().states,
            stop: survey.exploration().reason,
            missed: items.clone(),
            items,
            runs: Vec::new(),
            at_least,
            cut,
        };
        for path in &paths {
            match run_along(survey, net, path, budget) {
                Ok(run) => suite.add(run, graph.covered(path)),
                Err(why) => {
                    suite.cut = Some(why);
                    break;
                }
            }
        }
        // A class that needs no step needs a run all the same.
        if suite.runs.is_empty() && suite.cut.is_none() && graph.covered(&[]).next().is_some() {
            suite.add(Run::at_start(net), graph.covered(&[]));
        }
        Ok(suite)
    }

    fn add(&mut self, run: Run, covered: impl Iterator<Item = Item>) {
        let new = covered.filter(|item| self.missed.remove(item)).collect();
        self.runs.push((run, new));
    }

    /// The runs.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = &Run> {
        self.runs.iter().map(|(run, _)| run)
    }

    /// How much is to be covered, and how much of it is.
    #[must_use]
    pub fn covered(&self) -> (usize, usize) {
        (self.items.len(), self.items.len() - self.missed.len())
    }

    /// The steps of all runs.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.runs().map(|run| run.steps.len()).sum()
    }

    /// What no set of runs can do without.
    #[must_use]
    pub fn at_least(&self) -> Bound {
        self.at_least
    }

    /// Whether everything was explored, and covered.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stop.is_none() && self.cut.is_none()
    }

    /// The JSON form, which `docs/tests.md` describes.
    #[must_use]
    pub fn json(&self) -> Json {
        let Suite { net, actions, .. } = self;
        let run = |(run, covers): &(Run, Vec<Item>)| {
            let covers: Json = covers.iter().map(|item| actions.json(*item)).collect();
            json!({ "covers": covers, "trace": Trace::from(run.clone()).json(net, None) })
        };
        let start = Trace::from(Run::at_start(net)).json(net, None);
        let depth = match self.cover {
            Cover::Classes { depth } => depth,
            Cover::Transitions | Cover::Pairs => None,
        };
        let reason = self.stop.map(|stop| stop.to_string());
        let (items, covered) = self.covered();
        let mut json = json!({
            "schema_version": SCHEMA_VERSION,
            "model": net.name,
            "constants": start["constants"],
            "cover": self.cover.name(),
            "depth": depth,
            "classes": self.classes,
            "complete": self.is_complete(),
            "reason": reason.or_else(|| self.cut.map(|why| why.to_string())),
            "items": items,
            "covered": covered,
            "missed": self.missed.iter().map(|item| actions.json(*item)).collect::<Vec<_>>(),
            "never_fired": self.never_fired_names(),
            "steps": self.steps(),
            "at_least": { "runs": self.at_least.paths, "steps": self.at_least.steps },
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
        });
        if let Some(statements) = never_executed(net, &self.never_fired) {
            json["never_executed"] = statements.into();
        }
        json
    }

    fn never_fired_names(&self) -> Vec<&str> {
        let first = self.never_fired.iter().filter(|id| self.actions.of_label(id.0) == id.0);
        first.map(|id| self.actions.name(id.0)).collect()
    }

    /// What is covered by how much, a line each.
    #[must_use]
    pub fn summary(&self) -> Vec<String> {
        let (items, covered) = self.covered();
        let mut lines = vec![format!(
            "model {}: {covered} of {items} {} covered by {} of {} in all (it takes at least {} and {})",
            self.net.name,
            self.cover.name(),
            counted(self.runs.len() as u64, "run"),
            counted(self.steps() as u64, "step"),
            counted(self.at_least.paths, "run"),
            counted(self.at_least.steps, "step"),
        )];
        if !self.missed.is_empty() {
            let missed = self.missed.iter().take(MOST_LISTED).map(|item| self.actions.text(*item));
            let missed: Vec<String> = missed.collect();
            let more = if self.missed.len() > MOST_LISTED { ", …" } else { "" };
            lines.push(format!("not covered: {}{more}", missed.join(", ")));
        }
        match never_executed(self.net, &self.never_fired) {
            Some(statements) => {
                lines.extend(statements.iter().map(|text| format!("never executed: {text}")));
            }
            None if self.never_fired.is_empty() => {}
            None => lines.push(format!("never fired: {}", self.never_fired_names().join(", "))),
        }
        if let Some(stop) = self.stop {
            lines.push(format!("INCOMPLETE: {stop}; the coverage is of what was explored"));
        } else if let Some(why) = self.cut {
            lines.push(format!("INCOMPLETE: {why} while runs were chosen"));
        }
        lines
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Which transitions are one action. Where records can be in any order, equivalent states do the same by different
/// transitions of one statement ([`Net::alike`]), so that these cannot be told apart in the folded graph: the first stands
/// for all of them. Elsewhere each transition is an action.
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

/// The transitions of actions that were never seen to fire; not those that stand for what must not happen.
fn never_fired(survey: &Survey, actions: &Actions) -> Vec<TransitionId> {
    let never: BTreeSet<u32> = survey.never_fired().map(|id| id.0).collect();
    let is_probe = |id: u32| actions.net.transition(TransitionId(id)).probe;
    let all = 0..actions.first.len() as u32;
    let fired = all.filter(|&id| !never.contains(&id) && !is_probe(id));
    let fired: BTreeSet<u32> = fired.map(|id| actions.of_label(id)).collect();
    let is_meant = |id: &TransitionId| actions.net.transition(*id).failure.is_none();
    let never = never.into_iter().filter(|&id| !fired.contains(&actions.of_label(id)));
    never.map(TransitionId).filter(is_meant).collect()
}

/// The folded graph, and what of it is to be covered.
fn graph(
    cover: Cover,
    found: &Exploration,
    actions: &Actions,
    budget: &Budget,
) -> Result<Graph, Exhausted> {
    let quotient = found.quotient.as_ref().expect("edges are kept");
    let successors =
        |state: u32| quotient.successors(StateId(state)).map(|(label, target)| (label, target.0));
    let states = found.store.len();
    let action_of = |label| actions.of_label(label);
    match cover {
        Cover::Transitions => Graph::of_actions(states, successors, action_of, budget),
        Cover::Pairs => Graph::of_pairs(states, successors, action_of, budget),
        Cover::Classes { depth } => {
            let most = depth.unwrap_or(u32::MAX);
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
