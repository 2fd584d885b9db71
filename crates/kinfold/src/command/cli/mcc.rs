//! What `kinfold mcc` takes.

use std::path::PathBuf;

use clap::Args;

use super::model::{DiagramArgs, Engine, LimitArgs};

#[derive(Args)]
pub struct MccArgs {
    /// The directory of an instance, with its model.pnml, or with --self-test of a collection
    /// [default: the working directory]
    pub directory: Option<PathBuf>,
    /// The examination, such as StateSpace
    #[arg(long, value_name = "NAME")]
    pub examination: Option<String>,
    /// How to store states
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,
    #[command(flatten)]
    pub diagrams: DiagramArgs,
    /// Compare with known verdicts: for Kinfold's own nets, and for a collection with its tables
    /// statespace.tsv and formulas.tsv, if one is given or is in ../shared/mcc
    #[arg(long, conflicts_with = "examination")]
    pub self_test: bool,
    /// Allow a minute for each net of the self-test instead of two seconds
    #[arg(long, requires = "self_test")]
    pub all: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}
