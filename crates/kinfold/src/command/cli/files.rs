//! What the subcommands take that show, format, convert and write models.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::model::ModelArgs;

#[derive(Args)]
pub struct ShowArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Text, or a drawing
    #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
    pub format: ShowFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// The model as .kin text, what it observes of pids, and what is symmetric
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelFormat {
    /// The language of Kinfold
    Kin,
    /// PNML, ISO/IEC 15909-2: a symmetric net, or a P/T net if it has no colours
    Pnml,
}

#[derive(Args)]
pub struct NewArgs {
    /// The name of the model; the file is NAME.kin
    pub name: String,
}
