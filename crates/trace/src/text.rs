//! A trace as text: for each step what it has changed, and nothing else.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use net::Net;
use state::{Pid, State};

use super::brief;
use super::change::Change;
use super::interaction::Owner;
use super::race;
use super::speech::Speech;
use super::told::Contents;
use super::waits::{is_dead, waits};
use super::{Back, RunStep, Trace};
use crate::run::text_of;

/// How many tokens of a place, and threads at one place, are listed of the initial state.
const MOST_LISTED: usize = 8;

/// The trace, step by step: what fired and what changed. Where it goes on for ever, from where and as whom;
/// where it ends in a deadlock, who waits for what.
pub(super) fn text(trace: &Trace, net: &Net) -> String {
    let mut out = Lines(String::new());
    let speech = Speech::of(net);
    out.line("initially");
    let first = Contents::of(net, speech.as_ref(), &trace.run.initial, None);
    first.lines(speech.is_some()).iter().for_each(|line| out.under(line));
    let mut before = &trace.run.initial;
    let changes = Change::along(net, &trace.run);
    let left_out = match &speech {
        Some(speech) if speech.is_translated() => brief::left_out(speech, &trace.run, &changes),
        _ => BTreeSet::new(),
    };
    for (i, (step, change)) in trace.run.steps.iter().zip(&changes).enumerate() {
        if trace.back.as_ref().is_some_and(|back| back.to == i) {
            out.line("↻ from here for ever");
        }
        if left_out.contains(&i) {
            before = &step.state;
            continue;
        }
        let text = text_of(net, speech.as_ref(), Some(before), &step.mode);
        out.line(&format!("step {}: {text}", i + 1));
        let lines = match &speech {
            Some(speech) if speech.is_translated() => brief::lines(speech, change, before, step),
            _ => change_lines(speech.as_ref(), change, before, step),
        };
        lines.iter().for_each(|line| out.under(line));
        before = &step.state;
    }
    if let Some(said) = brief::said(left_out.len()) {
        out.line(&said);
    }
    let outcome = outcome(trace, net);
    outcome.said.iter().for_each(|said| out.line(said));
    outcome.details.iter().for_each(|detail| out.under(detail));
    out.0
}

struct Lines(String);

impl Lines {
    fn line(&mut self, text: &str) {
        writeln!(self.0, "{text}").expect("strings do not fail");
    }

    fn under(&mut self, text: &str) {
        writeln!(self.0, "    {text}").expect("strings do not fail");
    }
}

/// The first few, and how many more there are.
pub(super) fn some(texts: &[String], separator: &str) -> String {
    match texts.len().checked_sub(MOST_LISTED) {
        None | Some(0) => texts.join(separator),
        Some(more) => {
            format!("{}{separator}and {more} more", texts[..MOST_LISTED].join(separator))
        }
    }
}

/// What a step has changed, a line for each.
pub(super) fn change_lines(
    speech: Option<&Speech>,
    change: &Change,
    before: &State,
    step: &RunStep,
) -> Vec<String> {
    match speech {
        Some(speech) => speech.changes(change, before, step),
        None => change.lines(),
    }
}

/// What a trace comes to.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// How it goes on, or that it does not.
    pub said: Vec<String>,
    /// Who has taken whose place, or waits for what.
    pub details: Vec<String>,
    /// The places whose tokens somebody waits for.
    pub awaited: BTreeSet<Arc<str>>,
    /// What processes would do next, but wait for or race for: who, with whom or what, and in a word.
    pub pending: Vec<(Pid, Owner, &'static str)>,
}

/// In pictures, details that are longer are broken into lines.
const LONGEST_LINE: usize = 100;

impl Outcome {
    /// All of it, in lines, if there is something to say.
    pub(super) fn text(&self) -> Option<String> {
        let lines: Vec<&str> = self.said.iter().chain(&self.details).map(String::as_str).collect();
        (!self.said.is_empty()).then(|| lines.join("\n"))
    }

    /// The same in lines of a length for pictures; what several reasons say is broken between them.
    pub(super) fn in_lines(mut self) -> Outcome {
        let mut lines: Vec<String> = Vec::new();
        for detail in &self.details {
            let mut line = String::new();
            for reason in detail.split_inclusive("; ") {
                let length = line.chars().count() + reason.trim_end().chars().count();
                if length > LONGEST_LINE && !line.is_empty() {
                    lines.push(line.trim_end().to_owned());
                    // Blanks that pictures keep.
                    line = "\u{a0}\u{a0}\u{a0}\u{a0}".to_owned();
                }
                line.push_str(reason);
            }
            lines.push(line);
        }
        self.details = lines;
        self
    }
}

/// How a trace goes on, and what is to be said of a last state in which nothing can fire.
pub(super) fn outcome(trace: &Trace, net: &Net) -> Outcome {
    let mut outcome = Outcome::default();
    let speech = Speech::of(net);
    let last = trace.run.last();
    if let Some(back) = &trace.back {
        if back.to < trace.run.steps.len() {
            outcome.said.push("and so on for ever, from ↻".to_owned());
            outcome.details = replacements(back, |pid| match &speech {
                Some(speech) => speech.name(last, pid),
                None => pid.to_string(),
            });
            return outcome;
        }
        outcome.said.push("and nothing happens any more".to_owned());
    }
    if let Some((message, mode)) = &trace.failure {
        outcome.said.push(message.clone());
        let known = speech.as_ref().map_or_else(Vec::new, |speech| speech.known(last, mode));
        let known = if known.is_empty() { "".into() } else { format!(" ({})", known.join(", ")) };
        let wrong = speech.as_ref().and_then(|speech| speech.wrong(mode));
        let wrong = wrong.map(|value| format!(", where it is {value}")).unwrap_or_default();
        let who = text_of(net, speech.as_ref(), Some(last), mode);
        outcome.details.push(format!("by {who}{known}{wrong}"));
        return outcome;
    }
    let races = race::told(net, last, &trace.races);
    if let [first, others @ ..] = &races[..] {
        outcome.said.push(format!("{}: nothing orders what they do", first.summary()));
        outcome.details.extend(first.lines());
        let resource: Arc<str> = first.resource.as_str().into();
        outcome.pending.extend(
            first.accesses.iter().map(|access| {
                (access.thread.clone(), Owner::Place(resource.clone()), access.verb())
            }),
        );
        outcome.awaited.insert(resource);
        outcome.details.extend(others.iter().map(|race| format!("and {}", race.summary())));
        return outcome;
    }
    let (nothing, all) = match &speech {
        Some(speech) if speech.is_translated() => ("nobody can go on", "all goroutines"),
        Some(_) => ("nobody can go on", "all processes"),
        None => ("nothing can fire", "all threads"),
    };
    let is_dead = is_dead(net, last);
    let mut waits = if is_dead && net.has_threads() && last.eta().is_empty() {
        outcome.said.push(format!("{all} have ended"));
        return outcome;
    } else if is_dead && net.has_threads() && net.may_rest(last) {
        outcome.said.push(format!("{nothing}, and {all} are idle"));
        return outcome;
    } else if let Some(hopeless) = &trace.hopeless {
        if is_dead {
            outcome.said.push(nothing.to_owned());
        }
        outcome.said.push(format!("{}: {}", hopeless.summary(net, last), hopeless.meaning()));
        hopeless.waits(net, last)
    } else if is_dead {
        outcome.said.push(format!("deadlock: {nothing}"));
        waits(net, last)
    } else {
        return outcome;
    };
    let since = match &speech {
        Some(speech) if speech.is_translated() => {
            brief::add_starts(speech, &trace.run, &mut waits);
            brief::since(speech, &trace.run, &waits)
        }
        _ => Vec::new(),
    };
    outcome.details = waits.iter().map(ToString::to_string).chain(since).collect();
    for wait in waits.iter().filter(|wait| !wait.names.is_empty()) {
        let places = wait.places.iter().map(|place| Owner::Place(place.clone()));
        let ends = wait.ends.iter().map(|pid| Owner::Thread(pid.clone()));
        let whats: Vec<Owner> = places.chain(ends).collect();
        let pairs = wait.threads.iter().flat_map(|pid| whats.iter().map(move |what| (pid, what)));
        outcome.pending.extend(pairs.map(|(pid, what)| (pid.clone(), what.clone(), "waits")));
    }
    outcome.awaited = waits.into_iter().flat_map(|wait| wait.places).collect();
    outcome
}

/// Who has taken whose place at the end of a loop.
fn replacements(back: &Back, name: impl Fn(&Pid) -> String) -> Vec<String> {
    let others = back.replaced.iter().filter(|(now, then)| now != then);
    let others: Vec<String> =
        others.map(|(now, then)| format!("{} is now where {then} was", name(now))).collect();
    if others.is_empty() && !back.replaced.is_empty() {
        return vec!["every thread is where it was".to_owned()];
    }
    others
}
