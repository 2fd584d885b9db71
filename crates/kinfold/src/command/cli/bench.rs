//! What `kinfold experiment` and `kinfold bench` take.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use state::Relations;

use super::model::{ExplorationArgs, MemoryArgs, ModelArgs, SeedArgs};
use super::values::time_of;

#[derive(Args)]
pub struct ExperimentArgs {
    /// How many pairs of states to compare
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub comparisons: u64,
    #[command(flatten)]
    pub seed: SeedArgs,
    /// The directory for tables, plots and the state of the run
    #[arg(long, value_name = "DIR", default_value = "kinfold-experiment")]
    pub out: PathBuf,
    /// Continue the run in this directory
    #[arg(long)]
    pub resume: bool,
    /// The number of threads to work on; times are best measured on one
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
}

#[derive(Subcommand)]
pub enum BenchCommand {
    /// Measure canonical forms per second of CPU time, over a file of states
    Canon(BenchCanonArgs),
    /// Measure how long exploring a model takes on 1, 2, 4 … threads, up to --threads
    Threads(BenchThreadsArgs),
    /// Print the table of Thierry-Mieg et al. 2004 on symmetric nets, beside ours
    Paper(BenchPaperArgs),
}

#[derive(Args)]
pub struct BenchCanonArgs {
    /// The states: one JSON object per line, or what `kinfold graph --format json` writes; - for
    /// standard input
    pub file: PathBuf,
    /// The relations on pids to keep
    #[arg(long, value_name = "LIST", default_value = "parent")]
    pub relations: Relations,
    /// How long to measure, in seconds of CPU time
    #[arg(long, value_name = "TIME", default_value = "1", value_parser = time_of)]
    pub time: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limit: MemoryArgs,
}

/// How the markings of the paper's models are stored.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PaperEngine {
    /// One by one
    Explicit,
    /// As a set
    Ddd,
}

#[derive(Args)]
pub struct BenchPaperArgs {
    /// Symbolic markings one by one, or as a set in decision diagrams, with the paper's columns
    #[arg(long, value_enum, default_value_t = PaperEngine::Explicit)]
    pub engine: PaperEngine,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limit: MemoryArgs,
}

#[derive(Args)]
pub struct BenchThreadsArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// How often to explore on each number of threads, in turn; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub runs: u16,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
}
