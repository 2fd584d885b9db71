//! What `kinfold resume` and `checkpoint` take, and what keeps a run.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::cluster::ClusterArgs;
use super::model::{LimitArgs, MemoryArgs};
use super::values::time_of;

/// Where a run is kept.
#[derive(Args, Default)]
#[command(next_help_heading = "Long runs")]
pub struct CheckpointArgs {
    /// Keep what is found in this directory, so that the run can go on after it was ended by whatever it may be
    /// (`kinfold resume DIR`). If this run is kept there already, it goes on
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Keep what is found whenever this time has passed [default: 60]
    #[arg(long, value_name = "TIME", requires = "checkpoint", value_parser = time_of)]
    pub every: Option<Duration>,
    /// Put what memory is too small for on disk, into files in this directory that are gone with the process
    /// [default: the directory of --checkpoint, if there is one]
    #[arg(long, value_name = "DIR")]
    pub disk: Option<PathBuf>,
    /// The model as it was kept, where a run is resumed.
    #[arg(skip)]
    pub kept_model: Option<Vec<u8>>,
    /// The command line as it was kept.
    #[arg(skip)]
    pub kept_command: Option<Vec<String>>,
}

#[derive(Args)]
pub struct ResumeArgs {
    /// The directory of the checkpoint
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Stop after at most this many states [default: what the run was begun with]
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Keep what is found whenever this time has passed [default: what the run was begun with]
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    pub every: Option<Duration>,
    /// Put what memory is too small for into files in this directory [default: what the run was begun with, or the
    /// directory of the checkpoint]
    #[arg(long, value_name = "DIR")]
    pub disk: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cluster: ClusterArgs,
}

#[derive(Subcommand)]
pub enum CheckpointCommand {
    /// Print what is in a checkpoint, how far it has come, and whether its files are as they were written
    Show(CheckpointShowArgs),
}

#[derive(Args)]
pub struct CheckpointShowArgs {
    /// The directory of the checkpoint
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limit: MemoryArgs,
}
