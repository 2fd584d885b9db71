//! Who does what with whom in a run of a net.

use std::collections::BTreeMap;
use std::sync::Arc;

use net::Net;
use net::interpret::Mode;
use state::{Pid, State};

use super::transfers::{Transfer, read_arcs, transfers};
use super::{Deed, Lifeline, Owner, Parts, places, shared};
use crate::Trace;
use crate::change::{At, Change, whereabouts};
use crate::run::text_of;
use crate::speech::{self, Speech};

/// What is known of a run of a net, given what its steps change.
pub(crate) fn parts_of_net<'r>(trace: &'r Trace, net: &'r Net, changes: &'r [Change]) -> Parts<'r> {
    let speech = Speech::of(net);
    let mut deeds = Vec::new();
    let mut before = &trace.run.initial;
    let transfers = all_transfers(trace, net, changes).into_iter();
    for ((step, change), transfers) in trace.run.steps.iter().zip(changes).zip(transfers) {
        let seen = read_arcs(net, &step.mode).filter(|(arc, _)| net.place(arc.place).is_flow());
        let seen = seen.filter_map(|(_, token)| token.first()?.as_pid().cloned());
        let [name, binding, text] = event_texts(net, speech.as_ref(), before, &step.mode);
        deeds.push(Deed {
            name,
            binding,
            text,
            actors: actors(net, &step.mode),
            children: step.children.clone(),
            ended: change.ended.iter().map(|(pid, _)| pid.clone()).collect(),
            seen: seen.collect(),
            transfers,
        });
        before = &step.state;
    }
    let lifelines = lifelines(trace, net, changes);
    let resources = speech.as_ref().map(|speech| shared::resources(speech, trace, changes));
    let shared = move |place: &Arc<str>| {
        let resource = resources.as_ref().and_then(|all| all.get(place));
        match (&speech, resource) {
            (Some(speech), Some(resource)) => {
                let name = resource.name(speech, trace);
                let (labels, vacant) = resource.labels(trace);
                let owner = Owner::Place(place.clone());
                Lifeline { noun: "", labels, vacant, ..Lifeline::new(owner, &name) }
            }
            _ => places::lifeline(place, trace, changes),
        }
    };
    Parts { lifelines, deeds, shared: Box::new(shared) }
}

/// The lifelines of threads in the order of their pids, then those of transitions without threads.
fn lifelines(trace: &Trace, net: &Net, changes: &[Change]) -> Vec<Lifeline> {
    let mut lines: BTreeMap<Owner, Lifeline> = BTreeMap::new();
    let speech = Speech::of(net);
    let new = |pid: &Pid, at: Option<&At>| {
        let owner = Owner::Thread(pid.clone());
        match (&speech, at) {
            (Some(speech), Some(at)) => {
                Lifeline { noun: "", ..Lifeline::new(owner, &speech.name_at(pid, &at.place)) }
            }
            _ => Lifeline::new(owner, &pid.to_string()),
        }
    };
    let label = |state: &State, pid: &Pid, at: &At| match &speech {
        Some(speech) => speech.short_place(state, pid, at),
        None => at.text(),
    };
    let first = whereabouts(net, &trace.run.initial);
    for pid in trace.run.initial.eta().keys() {
        let at = first.get(pid);
        let mut line = new(pid, at);
        line.labels.extend(at.map(|at| (None, label(&trace.run.initial, pid, at))));
        lines.insert(line.owner.clone(), line);
    }
    for (i, (step, change)) in trace.run.steps.iter().zip(changes).enumerate() {
        for (pid, at) in &change.born {
            let line = Lifeline { born: Some(i), ..new(pid, at.as_ref()) };
            lines.insert(line.owner.clone(), line);
        }
        let moved = change.moved.iter().map(|(pid, _, to)| (pid, to));
        for (pid, at) in change.born.iter().map(|(pid, at)| (pid, at)).chain(moved) {
            let (Some(line), Some(at)) = (lines.get_mut(&Owner::Thread(pid.clone())), at) else {
                continue;
            };
            let label = label(&step.state, pid, at);
            // Of processes it is not said which of their variables changes.
            if line.labels.last().is_none_or(|(_, old)| *old != label) {
                line.labels.push((Some(i), label));
            }
        }
        for (pid, _) in &change.ended {
            if let Some(line) = lines.get_mut(&Owner::Thread(pid.clone())) {
                line.ended = Some(i);
            }
        }
        for owner in actors(net, &step.mode) {
            if let Owner::Transition(_) = owner {
                let name = &net.transition(step.mode.transition).name;
                lines.entry(owner.clone()).or_insert_with(|| Lifeline::new(owner, name));
            }
        }
    }
    lines.into_values().collect()
}

/// Those who take part in a step: threads, or the transition itself.
fn actors(net: &Net, mode: &Mode) -> Vec<Owner> {
    let threads = mode.tokens.iter().take(net.transition(mode.transition).participants.len());
    let threads = threads.filter_map(|token| token.first()?.as_pid().cloned());
    let threads: Vec<Owner> = threads.map(Owner::Thread).collect();
    if threads.is_empty() { vec![Owner::Transition(mode.transition.0)] } else { threads }
}

/// The name of an event, what is bound, and all of it. Of processes the name is the statement.
fn event_texts(net: &Net, speech: Option<&Speech>, before: &State, mode: &Mode) -> [String; 3] {
    let acts = speech.map(|speech| speech.acts(Some(before), mode)).unwrap_or_default();
    let short = acts.first().map(speech::Act::short_text).unwrap_or_default();
    let acts: Vec<String> = acts.iter().map(speech::Act::text).collect();
    if let [first, others @ ..] = &acts[..] {
        let others: Vec<String> = others.iter().map(|act| format!("with {act}")).collect();
        let others = others.join(", ");
        let comma = if others.is_empty() { "" } else { ", " };
        return [short, others.clone(), format!("{first}{comma}{others}")];
    }
    let name = net.transition(mode.transition).name.clone();
    let text = text_of(net, speech, None, mode);
    let binding = text.strip_prefix(name.as_str()).unwrap_or_default();
    let binding = binding.trim_start_matches('(').trim_end_matches(')').to_owned();
    [name, binding, text]
}

/// What each step does to what is shared: of processes to objects and variables, else to places.
fn all_transfers(trace: &Trace, net: &Net, changes: &[Change]) -> Vec<Vec<Transfer>> {
    let mut all = transfers(trace, net, changes);
    let Some(speech) = Speech::of(net) else { return all };
    for (of_net, of_processes) in all.iter_mut().zip(shared::transfers(&speech, trace, changes)) {
        of_net.retain(|transfer| speech.listed(&transfer.place).is_none());
        of_net.extend(of_processes);
    }
    all
}
