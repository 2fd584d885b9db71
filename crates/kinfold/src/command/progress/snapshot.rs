//! What is known of a run at one moment, and the two forms in which it is shown.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use budget::{Budget, Known, Phase, Process, resident_memory};
use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use super::estimate::{Estimate, estimate};
use super::peak_memory;
use super::report::About;
use crate::command::Exit;

/// The version of the JSON lines.
const SCHEMA_VERSION: u32 = 1;
/// The time over which the recent rate is taken.
const RECENT: Duration = Duration::from_secs(10);

/// What a line of JSON tells of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    Begin,
    Progress,
    End(Exit),
}

/// How far one exploration had come at one time.
#[derive(Clone, Copy)]
struct Sample {
    at: Instant,
    states: u64,
    expanded: u64,
}

/// What is needed to tell how fast a run is.
#[derive(Default)]
pub struct History {
    exploration: u32,
    /// When the exploration was first looked at. What was there then was found before.
    first: Option<Sample>,
    recent: VecDeque<Sample>,
    /// The largest memory that was told. The system may tell a little less later, as it counts in several places.
    peak: Option<u64>,
}

/// States found and expanded, each second.
#[derive(Clone, Copy, Default)]
struct Rate {
    found: f64,
    expanded: f64,
}

impl History {
    fn see(&mut self, known: &Known, at: Instant) {
        let sample = Sample { at, states: known.states, expanded: known.expanded };
        if self.exploration != known.explorations || self.first.is_none() {
            let peak = self.peak;
            *self = History { exploration: known.explorations, peak, ..History::default() };
            // Found since a moment ago, unless much was there at once: then it was kept from another run.
            self.first = Some(sample);
        }
        self.peak = self.peak.max(peak_memory());
        self.recent.push_back(sample);
        while self.recent.len() > 2 && at.duration_since(self.recent[1].at) >= RECENT {
            self.recent.pop_front();
        }
    }

    fn rates(&self) -> (Rate, Rate) {
        let rate = |first: Option<&Sample>| {
            let (Some(first), Some(last)) = (first, self.recent.back()) else {
                return Rate::default();
            };
            let seconds = last.at.duration_since(first.at).as_secs_f64();
            let of = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
            Rate {
                found: of(last.states.saturating_sub(first.states)),
                expanded: of(last.expanded.saturating_sub(first.expanded)),
            }
        };
        (rate(self.recent.front()), rate(self.first.as_ref()))
    }
}

/// What is known of a run at one moment.
pub struct Snapshot<'r> {
    about: &'r About,
    budget: &'r Budget,
    seconds: f64,
    seconds_left: Option<f64>,
    phases: Vec<Phase>,
    known: Known,
    recent: Rate,
    overall: Rate,
    memory: Option<u64>,
    peak: Option<u64>,
    estimate: Option<Estimate>,
}

impl<'r> Snapshot<'r> {
    /// What is known now.
    pub fn take(
        about: &'r About,
        budget: &'r Budget,
        began: Instant,
        history: &mut History,
    ) -> Self {
        let (known, now) = (budget.progress().known(), Instant::now());
        history.see(&known, now);
        let (recent, overall) = history.rates();
        let phases = budget.progress().phases();
        let is_exploring = phases.contains(&Phase::Exploring);
        Snapshot {
            about,
            budget,
            seconds: now.duration_since(began).as_secs_f64(),
            seconds_left: budget.time_left().map(|left| left.as_secs_f64()),
            phases,
            estimate: is_exploring.then(|| estimate(&known)).flatten(),
            known,
            recent,
            overall,
            memory: resident_memory(),
            peak: history.peak,
        }
    }

    /// Whether there is no sign that the run comes to an end.
    pub fn is_endless(&self) -> bool {
        self.estimate.is_none()
    }

    /// States found of late, each second.
    pub fn found_each_second(&self) -> f64 {
        self.recent.found
    }

    /// One line of JSON.
    pub fn json(&self, event: Event) -> Value {
        let Snapshot { about, budget, known, .. } = self;
        let left = self.budget.memory_limit().zip(self.memory);
        let memory_left = left.map(|(limit, memory)| limit.saturating_sub(memory));
        let names: Vec<&str> = self.phases.iter().map(|phase| phase.name()).collect();
        let (name, exit) = match event {
            Event::Begin => ("begin", None),
            Event::Progress => ("progress", None),
            Event::End(exit) => ("end", Some(exit as u8)),
        };
        let phase = match event {
            Event::End(_) => "done",
            _ => names.last().copied().unwrap_or("waiting"),
        };
        json!({
            "schema_version": SCHEMA_VERSION,
            "event": name,
            "command": about.command,
            "model": about.model,
            "phase": phase,
            "phases": names,
            "seconds": rounded(self.seconds),
            "exploration": known.explorations,
            "classes": self.classes(),
            "expanded": known.expanded,
            "edges": known.edges,
            "frontier": known.waiting(),
            "depth": known.depth,
            "levels": known.levels,
            "rate": rounded(self.recent.found),
            "rate_overall": rounded(self.overall.found),
            "growing": known.growing,
            "nodes": known.nodes,
            "memory_bytes": self.memory,
            "peak_memory_bytes": self.peak,
            "disk_bytes": known.disk_bytes,
            "limits": {
                "seconds": self.seconds_left.map(|left| rounded(self.seconds + left)),
                "seconds_left": self.seconds_left.map(rounded),
                "memory_bytes": budget.memory_limit(),
                "memory_left_bytes": memory_left,
                "states": about.states,
                "states_left": about.states.map(|most| most.saturating_sub(known.states)),
            },
            "estimate": self.estimate.map(|estimate| json!({
                "classes_left": estimate.new_states,
                "expansions_left": estimate.states,
                "seconds_left": self.seconds_of(&estimate).map(rounded),
                "ratio": rounded(estimate.ratio),
                "fall": rounded(estimate.fall),
            })),
            "bytes_exchanged": known.bytes_exchanged(),
            "skew": known.skew().map(rounded),
            "processes": known.processes.iter().map(process).collect::<Vec<_>>(),
            "exit": exit,
        })
    }

    /// The number of states, or of what a complete set has: as a string where it is too large for others to read.
    fn classes(&self) -> Value {
        match &self.known.elements {
            None => self.known.states.into(),
            Some(text) => text.parse::<u64>().map_or_else(|_| text.as_str().into(), Value::from),
        }
    }

    /// How long what is left takes, if it goes on as it did of late.
    fn seconds_of(&self, estimate: &Estimate) -> Option<f64> {
        (self.recent.expanded > 0.0).then(|| estimate.states as f64 / self.recent.expanded)
    }

    /// What a person wants to see, in one line.
    pub fn text(&self) -> String {
        let known = &self.known;
        let mut parts = Vec::new();
        parts.extend(self.phases.last().map(|phase| phase.name().to_owned()));
        parts.push(format!("{} s", self.seconds as u64));
        if let Some(memory) = self.memory {
            let memory = HumanBytes(memory);
            parts.push(match self.budget.memory_limit() {
                Some(limit) => format!("{memory} of {}", HumanBytes(limit)),
                None => memory.to_string(),
            });
        }
        if known.states > 0 {
            parts.push(format!("{} states", HumanCount(known.states)));
            parts.push(format!("{}/s", HumanCount(self.recent.found as u64)));
            parts.push(format!("queue {}", HumanCount(known.waiting())));
            parts.push(format!("depth {}", known.depth));
        }
        parts.extend(known.nodes.map(|nodes| format!("{} nodes", HumanCount(nodes))));
        parts.extend(known.disk_bytes.map(|bytes| format!("{} on disk", HumanBytes(bytes))));
        let exchanged = known.bytes_exchanged();
        parts.extend(exchanged.map(|bytes| format!("{} exchanged", HumanBytes(bytes))));
        parts.extend(known.skew().map(|skew| format!("skew {skew:.2}")));
        // An estimate of the end, and the limit that would come before it.
        let estimated = self.estimate.as_ref().and_then(|estimate| self.seconds_of(estimate));
        let by_states = self
            .about
            .states
            .map(|most| most.saturating_sub(known.states) as f64 / self.recent.found.max(1e-3));
        let by_limit = self.seconds_left.into_iter().chain(by_states).reduce(f64::min);
        match (estimated, by_limit) {
            (Some(estimated), limit) if limit.is_none_or(|limit| estimated < limit) => {
                parts.push(format!("about {} s left, by estimate", estimated as u64 + 1));
            }
            (_, Some(limit)) => parts.push(format!("at most {} s left", limit as u64 + 1)),
            (_, None) => {}
        }
        parts.join(", ")
    }
}

fn process(process: &Process) -> Value {
    json!({
        "classes": process.states,
        "expanded": process.expanded,
        "frontier": process.states.saturating_sub(process.expanded),
        "bytes_sent": process.bytes_sent,
        "bytes_received": process.bytes_received,
        "memory_bytes": process.memory_bytes,
        "disk_bytes": process.disk_bytes,
    })
}

/// To a thousandth.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
