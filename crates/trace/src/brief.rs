//! Runs of programs that were translated, told in brief: by statements, not by the steps that these become.
//!
//! A step that changes nothing that is told is left out if the same thread goes on with the same statement right after it, or
//! if nothing of what it reads ever changes in the run. What is left out keeps its number, so that the steps have the same
//! numbers in all forms of a run. Of where a thread is after a step nothing is said, since its next step says so, unless it
//! is all that there is to say.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use net::listing::Listed;
use state::{Pid, State, Value};

use crate::change::Change;
use crate::interaction::accessed;
use crate::speech::Speech;
use crate::waits::Wait;
use crate::{Run, RunStep};

/// What of a state may change: a global variable, or an object.
type Shared = (Arc<str>, Option<Value>);

/// The steps of a run that are left out.
pub(crate) fn left_out(speech: &Speech, run: &Run, changes: &[Change]) -> BTreeSet<usize> {
    let changing = changing(speech, run, changes);
    let mut found = BTreeSet::new();
    for (number, (step, change)) in run.steps.iter().zip(changes).enumerate() {
        let before = run.state(number);
        let told = speech.changes_and_places(change, before, step);
        if !told.lines.is_empty() {
            continue;
        }
        let goes_on = run.steps.get(number + 1).is_some_and(|next| {
            let statement = statement(speech, before, step);
            statement.is_some() && statement == self::statement(speech, &step.state, next)
        });
        let reads = accessed(speech.net(), step).into_iter();
        let mut reads = reads.filter_map(|(place, token)| shared(speech, &place, token));
        if goes_on || !reads.any(|one| changing.contains(&one)) {
            found.insert(number);
        }
    }
    found
}

/// What changes in a run after it was made.
fn changing(speech: &Speech, run: &Run, changes: &[Change]) -> BTreeSet<Shared> {
    let mut found = BTreeSet::new();
    for (number, change) in changes.iter().enumerate() {
        let was_there = |one: &Shared| {
            let is_it = |token: &[Value]| one.1.as_ref().is_none_or(|object| token[0] == *object);
            run.state(number).tokens(&one.0).any(|(token, _)| is_it(token))
        };
        let gained = change.gained.iter();
        let gained = gained.filter_map(|one| shared(speech, &one.place, &one.values));
        found.extend(gained.filter(was_there));
    }
    found
}

fn shared(speech: &Speech, place: &Arc<str>, token: &[Value]) -> Option<Shared> {
    match speech.listed(place)? {
        Listed::Global(field) if !field.is_hidden() => Some((place.clone(), None)),
        Listed::Object { .. } => Some((place.clone(), Some(token[0].clone()))),
        _ => None,
    }
}

/// Who executes which statement in a step, if it is one thread.
fn statement(speech: &Speech, before: &State, step: &RunStep) -> Option<(Pid, String)> {
    match &speech.acts(Some(before), &step.mode)[..] {
        [only] => Some((only.pid.clone(), only.text())),
        _ => None,
    }
}

/// What a step has changed, a line for each.
pub(crate) fn lines(
    speech: &Speech,
    change: &Change,
    before: &State,
    step: &RunStep,
) -> Vec<String> {
    let told = speech.changes_and_places(change, before, step);
    match told.lines.is_empty() {
        true => speech.changes(change, before, step),
        false => told.lines,
    }
}

/// How many steps are left out.
pub(crate) fn said(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("(one step that changes nothing is not shown)".to_owned()),
        _ => Some(format!("({count} steps that change nothing are not shown)")),
    }
}

/// Says of those who wait where they were started.
pub(crate) fn add_starts(speech: &Speech, run: &Run, waits: &mut [Wait]) {
    let mut starts: BTreeMap<&Pid, String> = BTreeMap::new();
    for (number, step) in run.steps.iter().enumerate() {
        for child in &step.children {
            let acts = speech.acts(Some(run.state(number)), &step.mode);
            let line = acts.first().and_then(|act| act.line());
            starts.extend(line.map(|line| (child, line.place())));
        }
    }
    for wait in waits {
        for (pid, name) in wait.threads.iter().zip(&mut wait.names) {
            if let Some(place) = starts.get(pid) {
                *name += &format!(" (started at {place})");
            }
        }
    }
}

/// Since when what they wait for is as it is: the last step that has changed it.
pub(crate) fn since(speech: &Speech, run: &Run, waits: &[Wait]) -> Vec<String> {
    let all: BTreeSet<&(Arc<str>, String)> = waits.iter().flat_map(|wait| &wait.since).collect();
    let told = all.into_iter().filter_map(|(key, variable)| {
        let mut steps = (0..run.steps.len()).rev();
        let number = steps.find(|number| {
            let states = [run.state(*number), run.state(*number + 1)];
            let [old, new] = states.map(|state| value(speech, state, key, variable));
            old.is_some() && old != new
        })?;
        let text = speech.step(Some(run.state(number)), &run.steps[number].mode)?;
        Some(format!("{key}: since step {}: {text}", number + 1))
    });
    told.collect()
}

/// The value of a variable of an object in a state.
fn value(speech: &Speech, state: &State, key: &str, variable: &str) -> Option<String> {
    speech.shared(state).find_map(|shared| {
        let is_it = shared.of.is_some() && speech.value(&shared.token[0]) == key;
        let mut fields = shared.fields.into_iter().filter(|_| is_it);
        fields.find_map(|(name, value)| (name == variable).then_some(value))
    })
}
