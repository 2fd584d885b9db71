//! States as commands read them: JSON objects one after the other, as in JSON lines, or the graph that
//! `kinfold graph --format json` writes, for its states.

use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::{Deserializer, StreamDeserializer, Value as Json};
use state::{JsonError, State};

use super::{Failure, load, output};

/// All states of a file, or of standard input for `-`.
pub fn all(path: &Path) -> Result<Vec<State>, Failure> {
    let (name, text) = read(path)?;
    let mut states = Vec::new();
    for document in Documents::of(&text) {
        let document = document.map_err(|error| Failure::model(format!("{name}: {error}")))?;
        states.extend(document.states(&name)?);
    }
    if states.is_empty() {
        return Err(Failure::model(format!(
            "{name} holds no state; write one JSON object per line"
        )));
    }
    Ok(states)
}

/// The first state of a file, or of standard input for `-`, or the one on the given line.
pub fn one(path: &Path, line: Option<u64>) -> Result<State, Failure> {
    let (name, text) = read(path)?;
    let mut found: Vec<u64> = Vec::new();
    let mut documents = Documents::of(&text);
    while let Some(document) = documents.next() {
        let document = document.map_err(|error| Failure::model(format!("{name}: {error}")))?;
        found.push(document.first);
        if line.is_some_and(|line| !(document.first..=document.last).contains(&line)) {
            continue;
        }
        let states = document.states(&name)?;
        if let Some(line) = line.filter(|line| *line > document.first && states.len() > 1) {
            return Err(Failure::usage(format!(
                "line {line} of {name} is inside a graph, of which only the first state can be taken"
            )));
        }
        let more = states.len() > 1 || line.is_none() && documents.are_left();
        if let Some(state) = states.into_iter().next() {
            if more {
                let first = document.first;
                output::tell(format_args!(
                    "note: {name} holds more than one state; this is the first on line {first}"
                ));
            }
            return Ok(state);
        }
    }
    Err(match (line, found.as_slice()) {
        (Some(line), [_, ..]) => {
            let lines: Vec<String> = found.iter().take(10).map(u64::to_string).collect();
            let more = if found.len() > 10 { ", …" } else { "" };
            let lines = lines.join(", ");
            Failure::usage(format!(
                "{name} has no state on line {line}; states begin on lines {lines}{more}"
            ))
        }
        _ => Failure::model(format!("{name} holds no state")),
    })
}

/// What a file is called, and its text, if it is not that of a model.
fn read(path: &Path) -> Result<(String, String), Failure> {
    let name = load::name(path);
    if load::format_of(path).is_some() {
        return Err(Failure::model(format!(
            "{name} is a model, not a state; `kinfold graph {name} --format json` writes its states"
        )));
    }
    Ok((name, load::whole_text(path)?))
}

/// A value of a JSON text, and the lines it begins and ends on.
struct Document<'t> {
    text: &'t str,
    first: u64,
    last: u64,
}

impl Document<'_> {
    /// The state that it is, or the states of the graph that it is.
    fn states(&self, name: &str) -> Result<Vec<State>, Failure> {
        let first = self.first;
        let json: Option<Json> = serde_json::from_str(self.text).ok();
        let graph = json.as_ref().filter(|json| json.get("tokens").is_none());
        let Some(states) = graph.and_then(|json| json["states"].as_array()) else {
            let state = State::from_json(self.text);
            let wrong = |error: JsonError| format!("{name}, state on line {first}: {error}");
            return Ok(vec![state.map_err(|error| Failure::model(wrong(error)))?]);
        };
        let state = |(nth, json): (usize, &Json)| {
            let wrong =
                |error: JsonError| format!("{name}, graph on line {first}, states[{nth}]: {error}");
            State::from_json(&json.to_string()).map_err(|error| Failure::model(wrong(error)))
        };
        states.iter().enumerate().map(state).collect()
    }
}

/// The values of a JSON text, one after the other.
struct Documents<'t> {
    text: &'t str,
    stream: StreamDeserializer<'t, serde_json::de::StrRead<'t>, IgnoredAny>,
    /// The line on which the last one ended.
    line: u64,
}

impl<'t> Documents<'t> {
    fn of(text: &'t str) -> Documents<'t> {
        Documents { text, stream: Deserializer::from_str(text).into_iter(), line: 1 }
    }

    fn are_left(&self) -> bool {
        !self.text[self.stream.byte_offset()..].trim().is_empty()
    }
}

impl<'t> Iterator for Documents<'t> {
    type Item = Result<Document<'t>, serde_json::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let before = self.stream.byte_offset();
        let found = self.stream.next()?;
        let read = &self.text[before..self.stream.byte_offset()];
        let text = read.trim_start();
        let lines = |text: &str| text.matches('\n').count() as u64;
        let first = self.line + lines(&read[..read.len() - text.len()]);
        self.line = first + lines(text);
        Some(found.map(|IgnoredAny| Document { text, first, last: self.line }))
    }
}
