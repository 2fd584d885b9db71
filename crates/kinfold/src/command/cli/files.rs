//! What the subcommands take that show, format, convert and write models, or are about single states.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lang::Override;
use state::Relations;

use super::model::{GoArgs, MemoryArgs, ModelArgs};
use super::values::override_of;

#[derive(Args)]
pub struct ShowArgs {
    /// The model: a .kin, .pnml or .go file, or - for standard input
    #[arg(required_unless_present = "prelude")]
    pub model: Option<PathBuf>,
    /// Give a constant of the model another value (PNML has no constants)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = override_of)]
    pub set: Vec<Override>,
    #[command(flatten)]
    pub go: GoArgs,
    /// Print the objects that every model with processes has, such as mutexes and channels
    #[arg(long, conflicts_with_all = ["model", "set", "format"])]
    pub prelude: bool,
    /// Text, or a drawing
    #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
    pub format: ShowFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limit: MemoryArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// The model as .kin text, what it observes of pids, and what is symmetric; processes with the points at
    /// which they stop, and the net that they are
    Text,
    /// Graphviz
    Dot,
    /// A picture
    Svg,
}

#[derive(Args)]
pub struct FmtArgs {
    /// The files; - formats standard input to standard output
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; list the files that are not formatted, and end with status 1 if there are any
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub limit: MemoryArgs,
}

#[derive(Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The file to write: .kin or .pnml, or - for standard output
    pub output: PathBuf,
    /// The format, where the name of the file does not say it
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<ModelFormat>,
    /// Where to write the properties, which PNML keeps apart from nets, in the format of the Model Checking
    /// Contest; without this option, beside the .pnml file
    #[arg(long, value_name = "FILE", conflicts_with = "net_only")]
    pub properties: Option<PathBuf>,
    /// Leave the properties out
    #[arg(long)]
    pub net_only: bool,
    #[command(flatten)]
    pub limit: MemoryArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelFormat {
    /// The language of Kinfold
    Kin,
    /// PNML, ISO/IEC 15909-2: a symmetric net, or a P/T net if it has no colours
    Pnml,
    /// A Go program, which can only be read
    #[value(skip)]
    Go,
}

#[derive(Args)]
pub struct NewArgs {
    /// The name of the model; the file is NAME.kin
    pub name: String,
    /// A net of threads, instead of processes
    #[arg(long)]
    pub net: bool,
}

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
    #[command(flatten)]
    pub limit: MemoryArgs,
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
    #[command(flatten)]
    pub limit: MemoryArgs,
}
