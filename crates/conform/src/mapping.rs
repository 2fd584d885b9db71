//! Mapping files: which events of a log are which steps of a model, and what is not logged.
//!
//! `docs/conform.md` describes the form. Nothing here knows a net: what the words stand for in one is found in
//! `vocabulary`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;

use crate::order::Ordering;
use crate::read::Format;

/// A mapping, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a mapping, which is an object")]
pub struct Mapping {
    /// How the log is read.
    pub log: LogForm,
    /// Which events are which steps. If there are none, every event is the step of its name.
    pub events: Vec<EventRule>,
    /// Events that say nothing about the model.
    pub ignored: Vec<String>,
    /// Steps that are not logged; `*` for all that no event is.
    pub unlogged: Vec<String>,
    /// Whether the system gives a name again when the one that had it is gone.
    pub names_reused: bool,
}

/// How a log is read.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "how the log is read, which is an object")]
pub struct LogForm {
    /// Its format.
    pub format: Format,
    /// The field that has the name of the event.
    pub event: Option<String>,
    /// The field that says which thread has logged it.
    pub thread: Option<String>,
    /// The field that has the vector clock.
    pub clock: Option<String>,
    /// What is known of the order; by default, that of the lines.
    pub order: Option<OrderWord>,
    /// For text: the patterns of lines.
    pub lines: Vec<LinePattern>,
    /// For text: whether lines that fit no pattern are left out.
    pub ignore_other_lines: bool,
    /// Fields that say nothing about the model, where events are steps by their names.
    pub ignored_fields: Vec<String>,
}

/// A pattern of lines of text.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a pattern, which is an object")]
pub struct LinePattern {
    /// The pattern: text with `{field}` where there is a field.
    pub pattern: String,
    /// The name of the event, unless a field `event` of the pattern has it.
    pub event: Option<String>,
}

/// Orders, as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderWord {
    /// That of the lines.
    Lines,
    /// That of the lines of each thread.
    Threads,
    /// That of vector clocks.
    Clocks,
}

/// Which steps an event is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an event, which is an object")]
pub struct EventRule {
    /// The name of the event.
    pub event: String,
    /// Fields that must have these values.
    #[serde(default)]
    pub when: BTreeMap<String, Json>,
    /// The step, or several of which it may be any. By default, that of the name of the event.
    #[serde(default)]
    pub step: Option<Words>,
    /// For variables of the step the fields that have their values; with `?` at the end, they may be missing.
    #[serde(default)]
    pub values: Option<BTreeMap<String, String>>,
}

/// A word, or several.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a text, or a list of texts")]
pub enum Words {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Words {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[String] {
        match self {
            Words::One(word) => std::slice::from_ref(word),
            Words::Several(words) => words,
        }
    }
}

/// A mapping does not fit its form, or the model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct MappingError(pub String);

impl Mapping {
    /// Reads a mapping file.
    ///
    /// # Errors
    /// If the text is not of the form; with the line and the column.
    pub fn read(text: &str) -> Result<Mapping, MappingError> {
        let mapping: Mapping =
            serde_json::from_str(text).map_err(|error| MappingError(error.to_string()))?;
        let LogForm { format, thread, clock, lines, .. } = &mapping.log;
        let wrong = match mapping.ordering() {
            Ordering::Threads if thread.is_none() => {
                Some("`log.order` is `threads`: `log.thread` must say which field has the thread")
            }
            Ordering::Clocks if thread.is_none() || clock.is_none() => Some(
                "`log.order` is `clocks`: `log.thread` and `log.clock` must say which fields have them",
            ),
            _ if *format == Format::Text && lines.is_empty() => Some(
                "`log.format` is `text`: `log.lines` must have a pattern for the lines of each event",
            ),
            _ => None,
        };
        wrong.map_or(Ok(mapping), |wrong| Err(MappingError(wrong.to_owned())))
    }

    /// What is known of the order.
    #[must_use]
    pub fn ordering(&self) -> Ordering {
        match self.log.order {
            Some(OrderWord::Threads) => Ordering::Threads,
            Some(OrderWord::Clocks) => Ordering::Clocks,
            Some(OrderWord::Lines) => Ordering::Lines,
            None if self.log.clock.is_some() => Ordering::Clocks,
            None => Ordering::Lines,
        }
    }
}
