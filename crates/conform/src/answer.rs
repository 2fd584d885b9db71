//! What is found about a log, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value as Json, json};
use trace::Trace;

/// The version of the JSON form.
const SCHEMA_VERSION: u64 = 1;

/// Whether a log is one of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There is a run that explains it.
    Conforms,
    /// There is none.
    Differs,
    /// None was found, and something may have been missed.
    Incomplete,
}

/// What is found about a log.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether it is one of the model.
    pub verdict: Verdict,
    /// Why something may have been missed.
    pub incomplete: Option<String>,
    /// How many events were read, and how many entries that say nothing about the model.
    pub events: u64,
    /// Entries that say nothing about the model.
    pub ignored: u64,
    /// How many of the events a run explains, at most: the first ones, where they have an order.
    pub explained: u64,
    /// The most candidates at a time.
    pub candidates: usize,
    /// How many lines late an event was taken to be logged, at most, where lines have no order.
    pub window: Option<u64>,
    /// Where it differs.
    pub difference: Option<Difference>,
    /// A run that explains what can be explained, if one was asked for.
    pub run: Option<Explained>,
}

/// Where a log stops being one of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The line of the first event that cannot be explained together with those before it.
    pub line: u64,
    /// What it says.
    pub text: String,
    /// What was possible then, as the log would tell it.
    pub possible: Vec<String>,
    /// Whether more was possible than is listed.
    pub more: bool,
    /// Where those are that have names, in one of the states that explain what comes before.
    pub names: Vec<(String, String)>,
    /// The nearest explanation, if one was found.
    pub nearest: Option<Nearest>,
    /// What was tried to find one.
    pub tried: String,
}

/// The fewest edits by which a part of the log conforms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Nearest {
    /// The edits, in their order.
    pub edits: Vec<Edit>,
    /// The last line that is explained then.
    pub to_line: u64,
}

/// An edit of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// The line; where one is missing, the line before which it is; nothing at the end of the log.
    pub line: Option<u64>,
    /// `dropped`, `missing` or `changed`.
    pub kind: &'static str,
    /// What the line says, unless one is missing.
    pub logged: Option<String>,
    /// What has happened instead.
    pub happened: Option<String>,
}

/// A concrete run that explains events.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The run, as the plain interpreter has executed it.
    pub trace: Trace,
    /// For each of its steps the line of the event that it is, unless it is not logged.
    pub lines: Vec<Option<u64>>,
}

impl Answer {
    /// The answer in words.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut line = |text: String| writeln!(out, "{text}").expect("strings do not fail");
        let events =
            |count: u64| if count == 1 { "1 event".into() } else { format!("{count} events") };
        match self.verdict {
            Verdict::Conforms => {
                line(format!("the log conforms: {} explained", events(self.events)))
            }
            Verdict::Differs => line(format!(
                "the log is not one of the model: {} of {} explained",
                self.explained,
                events(self.events)
            )),
            Verdict::Incomplete => line(format!(
                "INCOMPLETE: {}; {} of {} explained",
                self.incomplete.as_deref().unwrap_or("stopped"),
                self.explained,
                events(self.events)
            )),
        }
        if self.ignored > 0 {
            line(format!("{} entries say nothing about the model", self.ignored));
        }
        if let Some(window) = self.window.filter(|window| *window > 1) {
            line(format!("events were taken to be logged at most {} lines late", window - 1));
        }
        let Some(difference) = &self.difference else { return out };
        line(format!("line {}: {}", difference.line, difference.text));
        if difference.possible.is_empty() {
            line("    nothing that is logged was possible then".into());
        } else {
            line("    possible then:".into());
            difference.possible.iter().for_each(|one| line(format!("        {one}")));
            if difference.more {
                line("        and more".into());
            }
        }
        if !difference.names.is_empty() {
            line(
                "    who is where then, in one of the states that explain what comes before:"
                    .into(),
            );
            difference.names.iter().for_each(|(name, at)| line(format!("        {name}: {at}")));
        }
        match &difference.nearest {
            None => line(format!("    {}", difference.tried)),
            Some(nearest) => {
                let count = nearest.edits.len();
                let changes = if count == 1 { "one change" } else { "these changes" };
                line(format!(
                    "    with {changes} all is explained up to line {}:",
                    nearest.to_line
                ));
                nearest.edits.iter().for_each(|edit| line(format!("        {}", edit.text())));
            }
        }
        out
    }

    /// The answer as JSON, with the name of the model and of the log.
    #[must_use]
    pub fn json(&self, model: &str, log: &str) -> Json {
        json!({
            "schema_version": SCHEMA_VERSION,
            "model": model,
            "log": log,
            "verdict": self.verdict,
            "complete": self.verdict != Verdict::Incomplete,
            "reason": self.incomplete,
            "events": self.events,
            "ignored": self.ignored,
            "explained": self.explained,
            "candidates": self.candidates,
            "window": self.window,
            "difference": self.difference,
        })
    }
}

impl Edit {
    /// The edit in words.
    #[must_use]
    pub fn text(&self) -> String {
        let happened = self.happened.as_deref().unwrap_or_default();
        let logged = self.logged.as_deref().unwrap_or_default();
        match (self.kind, self.line) {
            ("dropped", Some(line)) => format!("line {line}: it did not happen: {logged}"),
            ("changed", Some(line)) => format!("line {line}: instead of it: {happened}"),
            (_, Some(line)) => format!("before line {line} is missing: {happened}"),
            (_, None) => format!("at the end is missing: {happened}"),
        }
    }
}
