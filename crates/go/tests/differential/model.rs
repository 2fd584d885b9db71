//! All outcomes that Kinfold finds for a program: its net is explored to the end, and the states in which nobody can
//! go on are read.
//!
//! What must not happen in a net ends an exploration. Here it is made a step by which nothing changes: whoever stands
//! before it can also be slow, so that the others go on, and a state in which it can be done is not one in which nobody
//! can go on. Which of these steps were done is which panics there are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use explore::StateId;
use net::listing::{Field, Listed};
use net::{Net, TransitionId};
use state::{State, Value};
use survey::{Plan, Survey, survey};
use trace::Hopeless;

use crate::forced;
use crate::random_program::LOG;
use crate::toolchain::{Outcome, kind};

/// What was found of a program.
pub struct Found {
    /// All ways in which it ends.
    pub outcomes: BTreeSet<Outcome>,
    /// The classes of states.
    pub states: u64,
    /// Some of the runs that end with nobody able to go on: how, and the order of steps (`forced.rs`).
    pub runs: Vec<(Outcome, forced::Order)>,
}

/// So many runs of a program are shown.
const RUNS: usize = 3;

/// The most classes that are looked at.
const MOST: u64 = 60_000;

/// The outcomes of a program, or why they are not known.
pub fn outcomes(net: &Net) -> Result<Found, String> {
    let mut lenient = net.clone();
    let mut failures = BTreeMap::new();
    for (number, transition) in lenient.transitions.iter_mut().enumerate() {
        if let Some(message) = transition.failure.take() {
            failures.insert(number, message);
        }
    }
    let lenient = Arc::new(lenient);
    let budget = Budget::unlimited().within(Duration::from_secs(300));
    let plan = Plan { states: Some(MOST), budget, ..Plan::default() };
    let mut survey = survey(&lenient, &plan).map_err(|error| format!("fault: {error}"))?;
    if !survey.exploration().complete {
        return Err(format!("too large: {} classes", survey.exploration().states()));
    }
    let never: BTreeSet<TransitionId> = survey.never_fired().collect();
    let mut outcomes = BTreeSet::new();
    for (number, message) in failures {
        if !never.contains(&TransitionId(number as u32)) {
            outcomes.insert(Outcome::Panic(kind(&message)));
        }
    }
    let exploration = survey.exploration();
    let states = exploration.states();
    let ends = exploration.deadlocks.iter().chain(&exploration.terminated);
    let ends: Vec<StateId> = ends.copied().collect();
    let mut runs = Vec::new();
    // The last ones are the farthest, so that most happens on the way.
    for &id in ends.iter().rev() {
        let outcome = quiet(&survey, &survey.state(id));
        if outcomes.insert(outcome.clone()) && runs.len() < RUNS {
            runs.push((outcome, forced::order(&mut survey, id)));
        }
    }
    Ok(Found { outcomes, states, runs })
}

/// What a state is like in which nobody can go on.
fn quiet(survey: &Survey, state: &State) -> Outcome {
    let active = state.eta().keys().cloned().collect();
    let places = Hopeless::Stuck(active).whereabouts(survey.net(), state);
    let mut blocked: Vec<usize> =
        places.iter().map(|one| one.line.map_or(0, |(line, _)| line)).collect();
    blocked.sort_unstable();
    Outcome::Quiet { log: log(survey.net(), state), blocked }
}

/// The numbers in the channel `log`; -1 if it is full.
fn log(net: &Net, state: &State) -> Vec<i64> {
    let listing = net.listing.as_deref().expect("the net was made of processes");
    let global = listing.places.iter().find_map(|(&place, listed)| match listed {
        Listed::Global(field) if field.name == "log" => Some((place, field)),
        _ => None,
    });
    // What no function mentions is not translated.
    let Some((place, field)) = global else { return Vec::new() };
    let (token, _) = state.tokens(&net.place(place).name).next().expect("it has a value");
    let channel =
        scalars(field, token).into_iter().find(|value| matches!(value, Value::Object(..)));
    let channel = channel.expect("it is a channel");
    for (&place, listed) in &listing.places {
        let Listed::Object { fields, .. } = listed else { continue };
        let Some(items) = fields.iter().find(|field| field.name == "items") else { continue };
        for (token, _) in state.tokens(&net.place(place).name) {
            if token[0] == channel {
                let number = |value: &Value| match value {
                    Value::Int(number) => *number,
                    other => panic!("`{other}` is no number"),
                };
                let all: Vec<i64> = scalars(items, token).iter().map(number).collect();
                // As the harness tells it.
                return if all.len() == LOG { vec![-1] } else { all };
            }
        }
    }
    // Only functions that nobody calls use it: an object that is never used is not kept.
    Vec::new()
}

fn scalars(field: &Field, token: &[Value]) -> Vec<Value> {
    field.scalars(token).into_iter().map(|(_, value)| value.clone()).collect()
}
