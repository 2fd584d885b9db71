//! Logs as they are written: JSON lines, those of Rust's `tracing`, OpenTelemetry's, and text.
//!
//! A log is read line by line, in memory for one line; but OpenTelemetry exports spans when they end, so that such a log
//! is read to its end and sorted by time.

mod otel;
mod text;

use std::collections::VecDeque;
use std::io::{self, BufRead};

use serde::Deserialize;
use serde_json::{Map, Value as Json};
use thiserror::Error;

use crate::entry::{Entry, Fields, LogError, lookup};
use crate::mapping::{LogForm, MappingError};
use text::Patterns;

/// A line may have this many bytes.
const LONGEST_LINE: usize = 16 << 20;

/// The formats of logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A JSON object on each line.
    #[default]
    Json,
    /// What `tracing_subscriber::fmt().json()` writes.
    Tracing,
    /// OTLP in JSON, as the file exporter writes it.
    Otel,
    /// Lines that fit patterns.
    Text,
}

/// Why a log cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What it says cannot be understood.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// A log that is being read.
pub struct Reader<'r> {
    input: Box<dyn BufRead + 'r>,
    form: LogForm,
    patterns: Patterns,
    line: u64,
    buffer: Vec<u8>,
    /// Entries that were read, where a line has several.
    pending: VecDeque<Entry>,
    is_sorted: bool,
}

impl<'r> Reader<'r> {
    /// Reads a log in this form.
    ///
    /// # Errors
    /// If a pattern is wrong.
    pub fn new(input: Box<dyn BufRead + 'r>, form: &LogForm) -> Result<Reader<'r>, MappingError> {
        Ok(Reader {
            input,
            patterns: Patterns::new(&form.lines)?,
            form: form.clone(),
            line: 0,
            buffer: Vec::new(),
            pending: VecDeque::new(),
            is_sorted: false,
        })
    }

    /// The next entry; nothing at the end of the log.
    ///
    /// # Errors
    /// If the file cannot be read, or an entry not understood.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, ReadError> {
        if self.form.format == Format::Otel && !std::mem::replace(&mut self.is_sorted, true) {
            let mut entries = Vec::new();
            while let Some(line) = self.next_line()?.map(str::to_owned) {
                otel::read(&line, self.line, self.form.event.as_deref(), &mut entries)?;
            }
            entries.sort_by_key(|(time, _)| *time);
            self.pending.extend(entries.into_iter().map(|(_, entry)| entry));
        }
        if self.form.format == Format::Otel {
            return Ok(self.pending.pop_front());
        }
        loop {
            let Some(line) = self.next_line()? else { return Ok(None) };
            let line = line.to_owned();
            let entry = match self.form.format {
                Format::Text => self.text(&line)?,
                _ => Some(self.json(&line)?),
            };
            if entry.is_some() {
                return Ok(entry);
            }
        }
    }

    /// The next line that is not empty.
    fn next_line(&mut self) -> Result<Option<&str>, ReadError> {
        loop {
            self.buffer.clear();
            let mut limited = io::Read::take(&mut self.input, LONGEST_LINE as u64 + 1);
            if limited.read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            if self.buffer.len() > LONGEST_LINE {
                let what = "the line is longer than 16 MiB; a log has one entry on each line";
                return Err(LogError::new(self.line, what).into());
            }
            if !self.buffer.trim_ascii().is_empty() {
                break;
            }
        }
        let text = str::from_utf8(&self.buffer).map_err(|_| {
            LogError::new(self.line, "the line is not UTF-8; save the log as UTF-8 text")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Some(text.trim_end_matches(['\n', '\r'])))
    }

    fn text(&self, line: &str) -> Result<Option<Entry>, LogError> {
        let Some((event, fields)) = self.patterns.fields(line) else {
            if self.form.ignore_other_lines {
                return Ok(None);
            }
            let what =
                "the line fits no pattern of `log.lines`; add one, or set `log.ignore_other_lines`";
            return Err(LogError::new(self.line, what));
        };
        let fields = Fields::of(fields);
        Ok(Some(Entry { line: self.line, text: line.to_owned(), event, fields }))
    }

    fn json(&self, line: &str) -> Result<Entry, LogError> {
        let wrong = |what: String| LogError::new(self.line, what);
        let all: Map<String, Json> = match serde_json::from_str(line) {
            Ok(Json::Object(all)) => all,
            Ok(_) => return Err(wrong("an entry must be a JSON object".to_owned())),
            Err(error) => {
                let (column, what) = (error.column(), error.to_string());
                let what = what.split(" at line ").next().unwrap_or_default();
                return Err(wrong(format!("not JSON, at column {column}: {what}")));
            }
        };
        let mut scopes = Vec::new();
        let is_tracing = self.form.format == Format::Tracing;
        if is_tracing {
            let object = |value: Option<&Json>| value.and_then(Json::as_object).cloned();
            scopes.extend(object(all.get("fields")));
            scopes.extend(object(all.get("span")));
            let spans = all.get("spans").and_then(Json::as_array).into_iter().flatten();
            scopes.extend(spans.rev().filter_map(|span| object(Some(span))));
        }
        let default = if is_tracing { "fields.message" } else { "event" };
        let path = self.form.event.as_deref().unwrap_or(default);
        let Some(event) = lookup(&all, path).and_then(Json::as_str) else {
            let what = match lookup(&all, path) {
                Some(_) => "must be a text, the name of the event",
                None => "is missing: it must have the name of the event",
            };
            return Err(wrong(format!(
                "the field `{path}` {what} (`log.event` says which field it is)"
            )));
        };
        let event = event.to_owned();
        let fields = Fields { all, scopes };
        Ok(Entry { line: self.line, text: line.to_owned(), event, fields })
    }
}
