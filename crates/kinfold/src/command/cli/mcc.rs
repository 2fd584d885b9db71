//! What `kinfold mcc` takes.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::model::{DiagramArgs, Engine, workers};
use super::values::{bytes_of, seconds_of};

#[derive(Args)]
pub struct MccArgs {
    /// The directory of an instance, with its model.pnml, or with --self-test of a collection
    /// [default: the working directory]
    pub directory: Option<PathBuf>,
    /// The examination, such as StateSpace [default: the value of BK_EXAMINATION]
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
    /// Stop after this time [default: the value of BK_TIME_CONFINEMENT]
    #[arg(long, value_name = "SECONDS", value_parser = seconds_of)]
    pub time: Option<Duration>,
    /// Stop when the process uses this much memory, such as 512MiB or 4G [default: the value of
    /// BK_MEMORY_CONFINEMENT, in MB]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of)]
    pub memory: Option<u64>,
    /// The number of threads to work on [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

impl MccArgs {
    pub fn threads(&self) -> usize {
        workers(self.threads)
    }
}
