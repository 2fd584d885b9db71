//! What `kinfold tests` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::model::{ExplorationArgs, ModelArgs};

#[derive(Args)]
pub struct TestsArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// What the runs are to cover
    #[arg(long, value_enum, default_value_t = CoverArg::Transitions)]
    pub cover: CoverArg,
    /// With --cover classes: cover only those that can be reached in this many steps
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
}

/// What runs can cover.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CoverArg {
    /// Every transition
    Transitions,
    /// Every two transitions that can fire one right after the other
    Pairs,
    /// Every class of states
    Classes,
}
