//! What `kinfold check` and `replay` take, and the formats of traces.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use kinfold::TraceFormat;

use super::checkpoint::CheckpointArgs;
use super::cluster::ClusterArgs;
use super::model::{Engine, ExplorationArgs, GoArgs, MemoryArgs, ModelArgs};
use super::reductions::ReductionArgs;
use super::values::{Setting, setting_of};

#[derive(Args)]
pub struct CheckArgs {
    /// The models: .kin, .pnml or .go files, folders with the files of a Go package, or - for standard input. Go files
    /// of one folder and package are one program
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,
    /// Give a constant of the models another value, or each of several: k=3, k=1..=5, colour=red,blue.
    /// The models are checked for every combination
    #[arg(long = "set", value_name = "NAME=VALUES", value_parser = setting_of)]
    pub set: Vec<Setting>,
    #[command(flatten)]
    pub go: GoArgs,
    /// Stop at the first failure, of a property or of an assertion
    #[arg(long)]
    pub first: bool,
    /// Check only this property; may be given several times
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Assume fairness towards `threads`, a transition, a class or an arm, besides what the model assumes;
    /// `strong:` before it makes it strong, and `none` drops what was assumed so far
    #[arg(long, value_name = "WHOM")]
    pub fair: Vec<String>,
    /// How to store states. Only `explicit` finds counterexamples to show
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, help_heading = "Reports")]
    pub format: ReportFormat,
    /// Short for --format json
    #[arg(long, conflicts_with = "format", help_heading = "Reports")]
    pub json: bool,
    /// Write a JUnit report to this file, too
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub junit: Option<PathBuf>,
    /// Write the findings to this file as SARIF, too
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub sarif: Option<PathBuf>,
    /// Write what was covered to this file, as JSON: which transitions never fired, which places were
    /// never marked, and what kept growing
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub coverage: Option<PathBuf>,
    /// Write the run of the first property that fails to this file instead of printing it; - for
    /// standard output, and then the report goes to standard error
    #[arg(long, value_name = "FILE", help_heading = "Traces")]
    pub trace: Option<PathBuf>,
    /// Write every run to a file in this directory, named after its property
    #[arg(long, value_name = "DIR", help_heading = "Traces")]
    pub trace_dir: Option<PathBuf>,
    /// The format of these files [default: for --trace by the name of the file, for --trace-dir both
    /// svg and json]
    #[arg(long, value_parser = trace_format(), value_name = "FORMAT", help_heading = "Traces")]
    pub trace_format: Option<TraceFormat>,
    #[command(flatten)]
    pub kept: CheckpointArgs,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub reductions: ReductionArgs,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
}

impl CheckArgs {
    /// The format of the report.
    pub fn format(&self) -> ReportFormat {
        if self.json { ReportFormat::Json } else { self.format }
    }
}

/// The formats of a report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// Workflow commands, which GitHub shows as annotations
    Github,
    /// SARIF 2.1.0, which code-scanning services read
    Sarif,
}

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
    #[command(flatten)]
    pub limit: MemoryArgs,
}

/// One of the formats of a trace.
pub(super) fn trace_format() -> impl TypedValueParser<Value = TraceFormat> {
    let formats = TraceFormat::ALL.map(|one| PossibleValue::new(one.name()).help(one.about()));
    PossibleValuesParser::new(formats).try_map(|name| {
        let known = TraceFormat::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or("there is no such format")
    })
}
