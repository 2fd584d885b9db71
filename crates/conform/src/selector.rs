//! Steps of a model by the words that people have for them.
//!
//! A transition is meant by its name. Of processes, `worker:33` means the statements of `worker` at line 33, `worker.asking`
//! the statement after the label `asking`, `worker: lock.lock()` the statements of `worker` with this text, and
//! `lock.lock()` those of any process. All transitions that stand for a statement are meant, also those that differ
//! only in the order of records. `worker:33 -> end` means those of them after which the process has ended,
//! `worker:33 -> worker:35` those after which it is there.

use std::collections::BTreeSet;

use diagnostics::nearest;
use net::listing::{Line, Listed, Listing};
use net::{Fate, Net, TransitionId};

/// The transitions that can be steps of a run: not those that stand for what must not happen, nor probes.
pub(crate) fn steps(net: &Net) -> impl Iterator<Item = TransitionId> + '_ {
    let all = (0..net.transitions.len() as u32).map(TransitionId);
    all.filter(|&id| {
        let transition = net.transition(id);
        transition.failure.is_none() && !transition.probe
    })
}

/// What is meant by a word, or what might have been. After `->` may stand where the thread is then, or `end`.
pub(crate) fn select(net: &Net, word: &str) -> Result<BTreeSet<TransitionId>, String> {
    if let Some(found) = named(net, word) {
        return Ok(found);
    }
    let Some((step, to)) = word.rsplit_once("->") else { return Err(no_such_step(net, word)) };
    let (step, to) = (step.trim(), to.trim());
    let found = named(net, step).ok_or_else(|| no_such_step(net, step))?;
    let ends: BTreeSet<String> = found.iter().flat_map(|&id| ends(net, id)).collect();
    let led: BTreeSet<TransitionId> =
        found.into_iter().filter(|&id| self::ends(net, id).iter().any(|end| end == to)).collect();
    if led.is_empty() {
        let ends: Vec<String> = ends.into_iter().collect();
        return Err(format!("`{step}` does not lead to `{to}`, but to `{}`", ends.join("`, `")));
    }
    Ok(led)
}

/// The transitions that have a name.
fn named(net: &Net, word: &str) -> Option<BTreeSet<TransitionId>> {
    let is_meant = |id: &TransitionId| names(net, *id).iter().any(|name| name == word);
    let found: Vec<TransitionId> = steps(net).filter(is_meant).collect();
    let copies = found.iter().flat_map(|&id| net.copies(id));
    // Where it is not known where a transition is written, none is known to be written at the same place.
    let is_written = |id: TransitionId| net.transition(id).origin.range().is_some();
    let alike =
        copies.flat_map(|id| net.alike(id).take(if is_written(id) { usize::MAX } else { 1 }));
    let found: BTreeSet<TransitionId> =
        alike.filter(|id| net.transition(*id).failure.is_none()).collect();
    (!found.is_empty()).then_some(found)
}

/// The words for where the first of those who act is after a transition.
fn ends(net: &Net, id: TransitionId) -> Vec<String> {
    let Some(first) = net.transition(id).participants.iter().find(|one| !one.passive) else {
        return Vec::new();
    };
    let to = match &first.fate {
        Fate::End | Fate::Crash => return vec!["end".to_owned()],
        Fate::Move { to, .. } => *to,
        Fate::Stay => first.from,
    };
    let mut words = vec![net.place(to).name.to_string()];
    let listed = net.listing.as_ref().and_then(|listing| listing.places.get(&to));
    if let Some(Listed::Point { process, label, line, .. }) = listed {
        words.push(format!("{process}:{}", line.line));
        words.extend(label.as_ref().map(|label| format!("{process}.{label}")));
    }
    words
}

fn no_such_step(net: &Net, word: &str) -> String {
    let known: BTreeSet<String> = steps(net).flat_map(|id| names(net, id)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let what = if net.listing.is_some() { "statement" } else { "transition" };
    let help = match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.len() > 24 => {
            format!("there are `{}` and others", known[..24].join("`, `"))
        }
        None => format!("there are `{}`", known.join("`, `")),
    };
    format!("the model has no {what} `{word}`; {help}")
}

/// The words for a transition, the shortest first.
pub(crate) fn names(net: &Net, id: TransitionId) -> Vec<String> {
    let mut names = vec![net.transition(id).name.clone()];
    if let Some(listing) = &net.listing {
        let participants = net.transition(id).participants.iter().filter(|one| !one.passive);
        for (nth, one) in participants.enumerate() {
            names.extend(names_of(listing, id, nth, listing.places.get(&one.from)));
        }
    }
    names
}

/// The words for what the `nth` of those who act does, who stands at a point.
fn names_of(listing: &Listing, id: TransitionId, nth: usize, at: Option<&Listed>) -> Vec<String> {
    let Some(Listed::Point { process, label, line: point, .. }) = at else { return Vec::new() };
    let own = match nth {
        0 => listing.statements.get(id.index()).and_then(Option::as_ref),
        1 => listing.partners.get(&id.index()),
        _ => None,
    };
    let mut names = Vec::new();
    names.extend(label.as_ref().map(|label| format!("{process}.{label}")));
    let lines = own.into_iter().chain([point]).filter(|line| !line.in_prelude && line.line > 0);
    for line in lines.take(1) {
        names.push(format!("{process}:{}", line.line));
        names.push(format!("{process}: {}", statement(line)));
        names.push(statement(line).to_owned());
    }
    names
}

fn statement(line: &Line) -> &str {
    line.text.trim_end_matches([' ', '{'])
}
