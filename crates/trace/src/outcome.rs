//! What a run comes to: how it goes on for ever, what fails, who races, or who waits for what.

use std::collections::BTreeSet;
use std::sync::Arc;

use net::Net;
use state::Pid;

use crate::interaction::Owner;
use crate::race::{self, Race};
use crate::run::text_of;
use crate::speech::Speech;
use crate::waits::{Wait, is_dead, waits};
use crate::{Back, Trace, brief};

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
    /// Whether steps happen again and again.
    pub is_loop: bool,
}

/// What it means that nothing can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quiet {
    Ended,
    Idle,
    Deadlock,
}

/// What is said of processes that do nothing: that they do not, and all of them.
pub(crate) const OF_PROCESSES: [&str; 2] = ["nobody can go on", "all processes"];

/// In pictures, details that are longer are broken into lines.
const LONGEST_LINE: usize = 100;

impl Outcome {
    /// It goes on for ever from the state after some steps; if these are all, nothing happens any more.
    pub fn add_back(&mut self, back: &Back, steps: usize, name: impl Fn(&Pid) -> String) {
        self.is_loop = back.to < steps;
        if self.is_loop {
            self.said.push("and so on for ever, from ↻".to_owned());
            self.details = replacements(back, name);
        } else {
            self.said.push("and nothing happens any more".to_owned());
        }
    }

    /// Something fails, by whom, where this is known, and this value is wrong.
    pub fn add_failure(
        &mut self,
        message: String,
        who: &str,
        known: &[String],
        wrong: Option<String>,
    ) {
        self.said.push(message);
        let known = if known.is_empty() { "".into() } else { format!(" ({})", known.join(", ")) };
        let wrong = wrong.map(|value| format!(", where it is {value}")).unwrap_or_default();
        self.details.push(format!("by {who}{known}{wrong}"));
    }

    /// Some race.
    pub fn add_races(&mut self, races: &[Race]) {
        let [first, others @ ..] = races else { return };
        self.said.push(format!("{}: nothing orders what they do", first.summary()));
        self.details.extend(first.lines());
        let resource: Arc<str> = first.resource.as_str().into();
        let owner = || Owner::Place(resource.clone());
        let accesses = first.accesses.iter();
        let pending = accesses.map(|access| (access.thread.clone(), owner(), access.verb()));
        self.pending.extend(pending);
        self.awaited.insert(resource.clone());
        self.details.extend(others.iter().map(|race| format!("and {}", race.summary())));
    }

    /// Nothing can happen.
    pub fn add_quiet(&mut self, quiet: Quiet, [nothing, all]: [&str; 2]) {
        self.said.push(match quiet {
            Quiet::Ended => format!("{all} have ended"),
            Quiet::Idle => format!("{nothing}, and {all} are idle"),
            Quiet::Deadlock => format!("deadlock: {nothing}"),
        });
    }

    /// Some get no further; perhaps nobody does.
    pub fn add_hopeless(
        &mut self,
        summary: String,
        meaning: &str,
        is_dead: bool,
        [nothing, _]: [&str; 2],
    ) {
        if is_dead {
            self.said.push(nothing.to_owned());
        }
        self.said.push(format!("{summary}: {meaning}"));
    }

    /// Who waits for what, and since when that is as it is.
    pub fn add_waits(&mut self, waits: Vec<Wait>, since: Vec<String>) {
        self.details = waits.iter().map(ToString::to_string).chain(since).collect();
        for wait in waits.iter().filter(|wait| !wait.names.is_empty()) {
            let places = wait.places.iter().map(|place| Owner::Place(place.clone()));
            let ends = wait.ends.iter().map(|pid| Owner::Thread(pid.clone()));
            let whats: Vec<Owner> = places.chain(ends).collect();
            let threads = wait.threads.iter();
            let pairs = threads.flat_map(|pid| whats.iter().map(move |what| (pid, what)));
            self.pending.extend(pairs.map(|(pid, what)| (pid.clone(), what.clone(), "waits")));
        }
        self.awaited = waits.into_iter().flat_map(|wait| wait.places).collect();
    }

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

/// How a run of a net goes on, and what is to be said of a last state in which nothing can fire.
pub(super) fn outcome_of_net(trace: &Trace, net: &Net) -> Outcome {
    let speech = Speech::of(net);
    let last = trace.run.last();
    let mut outcome = Outcome::default();
    if let Some(back) = &trace.back {
        let name = |pid: &Pid| match &speech {
            Some(speech) => speech.name(last, pid),
            None => pid.to_string(),
        };
        outcome.add_back(back, trace.run.steps.len(), name);
    }
    if outcome.is_loop {
        return outcome;
    }
    if let Some((message, mode)) = &trace.failure {
        let known = speech.as_ref().map_or_else(Vec::new, |speech| speech.known(last, mode));
        let wrong = speech.as_ref().and_then(|speech| speech.wrong(mode));
        let who = text_of(net, speech.as_ref(), Some(last), mode);
        outcome.add_failure(message.clone(), &who, &known, wrong);
        return outcome;
    }
    let races = race::told(net, last, &trace.races);
    if !races.is_empty() {
        outcome.add_races(&races);
        return outcome;
    }
    let words = match &speech {
        Some(speech) if speech.is_translated() => ["nobody can go on", "all goroutines"],
        Some(_) => OF_PROCESSES,
        None => ["nothing can fire", "all threads"],
    };
    let is_dead = is_dead(net, last);
    let mut waits = if is_dead && net.has_threads() && last.eta().is_empty() {
        outcome.add_quiet(Quiet::Ended, words);
        return outcome;
    } else if is_dead && net.has_threads() && net.may_rest(last) {
        outcome.add_quiet(Quiet::Idle, words);
        return outcome;
    } else if let Some(hopeless) = &trace.hopeless {
        outcome.add_hopeless(hopeless.summary(net, last), hopeless.meaning(), is_dead, words);
        hopeless.waits(net, last)
    } else if is_dead {
        outcome.add_quiet(Quiet::Deadlock, words);
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
    outcome.add_waits(waits, since);
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
