//! What the subcommands take that are about single states.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use state::Relations;

#[derive(Args)]
pub struct TlgArgs {
    /// The state, as JSON; - for standard input
    pub state: PathBuf,
    /// The relations on pids to observe; an empty list for equality alone
    #[arg(long, value_name = "LIST", default_value = "parent")]
    pub relations: Relations,
    /// If the file holds several states: the line of the one to draw
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub line: Option<u64>,
    /// The format of the graph
    #[arg(long, value_enum, default_value_t = TlgFormat::Dot)]
    pub format: TlgFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TlgFormat {
    /// Graphviz
    Dot,
    /// A picture, for graphs of at most 500 vertices
    Svg,
    /// JSON
    Json,
}

#[derive(Args)]
pub struct EquivArgs {
    /// The first state, as JSON; - for standard input
    pub first: PathBuf,
    /// The second state
    pub second: PathBuf,
    /// The relations on pids to observe; an empty list for equality alone
    #[arg(long, value_name = "LIST", default_value = "parent")]
    pub relations: Relations,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
