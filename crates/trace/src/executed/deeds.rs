//! Who does what with whom in a run of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interpret::{Next, Step};

use super::act::acts;
use super::resource::{Resource, transfers};
use super::scene::Scene;
use super::tale::ProgramTale;
use crate::interaction::{Deed, Lifeline, Owner, Parts};

/// What is known of a run of a program.
pub(super) fn parts<'t>(tale: &'t ProgramTale) -> Parts<'t> {
    let steps = tale.steps().enumerate().zip(transfers(tale));
    let deeds = steps.map(|((at, (next, step)), transfers)| {
        let before = tale.scene(at);
        let [name, binding, text] = event_texts(before, next);
        let pid = |pid: &interpret::Pid| tale.names.pid(*pid).clone();
        let mut actors: Vec<interpret::Pid> = next.actors.iter().map(|actor| actor.pid).collect();
        actors.extend(step.killed.iter().chain(&step.crashed));
        let mut seen = BTreeSet::new();
        actors.retain(|one| seen.insert(*one));
        let ended = before.threads().into_iter().map(|standing| standing.pid);
        let ended = ended.filter(|one| step.state.thread(*one).is_none());
        Deed {
            name,
            binding,
            text,
            actors: actors.iter().map(|one| Owner::Thread(pid(one))).collect(),
            children: step.births.iter().map(|birth| pid(&birth.child)).collect(),
            ended: ended.map(|one| pid(&one)).collect(),
            seen: Vec::new(),
            transfers,
        }
    });
    let deeds = deeds.collect();
    let resources = Resource::all(tale);
    let shared = move |key: &Arc<str>| {
        let owner = Owner::Place(key.clone());
        let Some(resource) = resources.get(key) else {
            // It is the end of a thread, at which nobody puts anything.
            let labels = vec![(None, "empty".to_owned())];
            return Lifeline { labels, vacant: [None].into(), ..Lifeline::new(owner, key) };
        };
        let (labels, vacant) = resource.labels(tale);
        let name = resource.name(tale);
        Lifeline { noun: "", labels, vacant, ..Lifeline::new(owner, &name) }
    };
    Parts { lifelines: lifelines(tale), deeds, shared: Box::new(shared) }
}

/// The name of an event, what others do with it, and all of it.
fn event_texts(before: Scene, next: &Next) -> [String; 3] {
    let acts = acts(before, next);
    let texts: Vec<String> = acts.iter().map(super::act::Act::text).collect();
    let others: Vec<String> = texts[1..].iter().map(|act| format!("with {act}")).collect();
    let others = others.join(", ");
    let comma = if others.is_empty() { "" } else { ", " };
    let text = format!("{}{comma}{others}", texts[0]);
    [acts[0].short_text(), others, text]
}

/// The lifelines of threads, in the order of their names.
fn lifelines(tale: &ProgramTale) -> Vec<Lifeline> {
    let mut lines: BTreeMap<state::Pid, Lifeline> = BTreeMap::new();
    let new = |scene: Scene, pid| {
        let owner = Owner::Thread(scene.names.pid(pid).clone());
        Lifeline { noun: "", ..Lifeline::new(owner, &scene.name(pid)) }
    };
    for (at, _) in tale.moments.iter().enumerate() {
        let scene = tale.scene(at);
        let event = at.checked_sub(1);
        for standing in scene.threads() {
            let line = lines.entry(scene.names.pid(standing.pid).clone());
            let line = line.or_insert_with(|| Lifeline { born: event, ..new(scene, standing.pid) });
            let label = standing.short();
            // It is not said which of their variables changes.
            if line.labels.last().is_none_or(|(_, old)| *old != label) {
                line.labels.push((event, label));
            }
        }
        for line in lines.values_mut().filter(|line| line.ended.is_none()) {
            let Owner::Thread(pid) = &line.owner else { continue };
            let pid = scene.names.thread(pid).expect("it has a name");
            if scene.moment.standing(pid).is_none() {
                line.ended = event;
            }
        }
    }
    lines.into_values().collect()
}

/// How many children each thread has had that runs after so many steps.
pub(super) fn children(tale: &ProgramTale, at: usize) -> BTreeMap<state::Pid, u32> {
    let running = tale.moments[at].standings.iter().map(|standing| standing.pid);
    let steps: Vec<&Step> = tale.steps().take(at).map(|(_, step)| step).collect();
    let births = steps.iter().flat_map(|step| &step.births);
    let mut counts: BTreeMap<interpret::Pid, u32> = running.map(|pid| (pid, 0)).collect();
    for birth in births {
        if let Some(count) = counts.get_mut(&birth.parent) {
            *count += 1;
        }
    }
    counts.into_iter().map(|(pid, count)| (tale.names.pid(pid).clone(), count)).collect()
}
