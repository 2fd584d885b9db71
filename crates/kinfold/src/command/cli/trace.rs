//! What `kinfold replay` takes, and the formats of traces.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kinfold::TraceFormat;

use super::model::ModelArgs;

#[derive(Args)]
pub struct ReplayArgs {
    /// The trace, as JSON; - for standard input
    pub trace: PathBuf,
    #[command(flatten)]
    pub model: ModelArgs,
    /// If the trace is right, write it in this format
    #[arg(long, value_parser = trace_format())]
    pub format: Option<TraceFormat>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", requires = "format")]
    pub output: Option<PathBuf>,
}

/// One of the formats of a trace.
pub(super) fn trace_format() -> impl TypedValueParser<Value = TraceFormat> {
    let formats = TraceFormat::ALL.map(|one| PossibleValue::new(one.name()).help(one.about()));
    PossibleValuesParser::new(formats).try_map(|name| {
        let known = TraceFormat::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or("there is no such format")
    })
}
