//! The arguments of `conform`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use kinfold::TraceFormat;

use super::check::trace_format;
use super::model::{MemoryArgs, ModelArgs};
use super::values::time_of;

#[derive(Args)]
pub struct ConformArgs {
    /// The log; - for standard input
    pub log: PathBuf,
    #[command(flatten)]
    pub model: ModelArgs,
    /// A file that says which events are which steps, and what is not logged [default: each event is the step of its
    /// name, and its fields are the variables of theirs]
    #[arg(long, value_name = "FILE")]
    pub mapping: Option<PathBuf>,
    /// The format of the log [default: that of the mapping, or json]
    #[arg(long, value_enum)]
    pub format: Option<LogFormat>,
    /// A step that is not logged, besides those of the mapping; `*` for all that no event is. May be given several times
    #[arg(long, value_name = "STEP")]
    pub unlogged: Vec<String>,
    /// Go on when the log ends, and wait for more, until Ctrl-C or until it differs
    #[arg(long)]
    pub follow: bool,
    /// Where lines have no order: an event is logged at most this many lines, less one, after it happened [default: any
    /// number, which needs the whole log in memory]
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u64).range(1..))]
    pub window: Option<u64>,
    /// Stop when more states than this explain the log so far
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = at_least_one)]
    pub max_candidates: usize,
    /// Look for an explanation with at most this many changes of the log where it differs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=16))]
    pub changes: u32,
    /// How many events before and after the difference may be changed
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub around: usize,
    /// Write a run that explains the log, or the part of it that can be explained
    #[arg(long, value_name = "FILE")]
    pub run: Option<PathBuf>,
    /// The format of the run [default: by the name of the file]
    #[arg(long, value_parser = trace_format(), value_name = "FORMAT", requires = "run")]
    pub run_format: Option<TraceFormat>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Stop after this time, such as 90, 90s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    pub time: Option<Duration>,
    #[command(flatten)]
    pub limit: MemoryArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A JSON object on each line
    Json,
    /// What the JSON formatter of Rust's tracing-subscriber writes
    Tracing,
    /// OTLP in JSON, as OpenTelemetry's file exporter writes it
    Otel,
    /// Lines of text that fit the patterns of the mapping
    Text,
}

impl LogFormat {
    /// The same for the reader.
    pub fn format(self) -> conform::Format {
        match self {
            LogFormat::Json => conform::Format::Json,
            LogFormat::Tracing => conform::Format::Tracing,
            LogFormat::Otel => conform::Format::Otel,
            LogFormat::Text => conform::Format::Text,
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("give a number from 1 on".to_owned()),
    }
}
