//! What `kinfold replay` takes, and the formats of traces.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kinfold::TraceFormat;

use super::model::ModelArgs;

#[derive(Args)]
pub struct ReplayArgs {
    /// The trace, as JSON; - for standard input
    pub trace: PathBuf,
    #[command(flatten)]
    pub model: ModelArgs,
    /// If the trace is right, write it in this format
    #[arg(long, value_enum)]
    pub format: Option<TraceForm>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", requires = "format")]
    pub output: Option<PathBuf>,
}

/// The formats of a trace.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceForm {
    /// What changed at each step
    Text,
    /// JSON, which `kinfold replay` reads
    Json,
    /// JSON in the Informal Trace Format of Apalache and Quint
    Itf,
    /// A sequence chart, as a picture
    Svg,
    /// A sequence chart, for Mermaid
    Mermaid,
    /// A log with vector clocks, for ShiViz
    Shiviz,
}

impl From<TraceForm> for TraceFormat {
    fn from(form: TraceForm) -> TraceFormat {
        match form {
            TraceForm::Text => TraceFormat::Text,
            TraceForm::Json => TraceFormat::Json,
            TraceForm::Itf => TraceFormat::Itf,
            TraceForm::Svg => TraceFormat::Svg,
            TraceForm::Mermaid => TraceFormat::Mermaid,
            TraceForm::Shiviz => TraceFormat::ShiViz,
        }
    }
}
