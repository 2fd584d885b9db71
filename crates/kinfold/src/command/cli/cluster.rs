//! What `kinfold cluster` takes, and what makes a run one of several processes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::values::time_of;

/// Which of several processes this is.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Cluster")]
pub struct ClusterArgs {
    /// Explore together with other processes, on this machine and others: a file with a line `host:port` for each,
    /// the first for process 0. Each is started with the same command but for --process (see docs/cluster.md).
    /// Process 0 prints the results
    #[arg(long, value_name = "FILE", requires_all = ["process", "key"])]
    pub hosts: Option<PathBuf>,
    /// Which of them this is, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    pub process: Option<usize>,
    /// The key of the run, by which its processes know each other: a file that nobody else can read, with 32 bytes or
    /// 64 hexadecimal digits (`kinfold cluster key FILE` makes one), or - for standard input
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub key: Option<PathBuf>,
    /// How long to wait until all processes have come [default: 60]
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    pub gather: Option<Duration>,
    /// Give up a process of which nothing is heard for this time, and with it the run [default: 10]
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    pub silence: Option<Duration>,
    /// This process was started by `cluster run`, which says on standard input where the others are.
    #[arg(long, hide = true, conflicts_with = "hosts")]
    pub launched: Option<usize>,
}

impl ClusterArgs {
    /// Whether there are several processes.
    pub fn is_given(&self) -> bool {
        self.index().is_some()
    }

    /// Which of several processes this is.
    pub fn index(&self) -> Option<usize> {
        self.launched.or(self.process)
    }
}

#[derive(Subcommand)]
pub enum ClusterCommand {
    /// Start several processes on this machine that explore together
    ///
    /// For several machines, see docs/cluster.md.
    Run(ClusterRunArgs),
    /// Make a key for the processes of a run, in a file that nobody else can read
    Key(ClusterKeyArgs),
}

#[derive(Args)]
pub struct ClusterRunArgs {
    /// The number of processes
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub processes: u16,
    /// The number of threads of each process [default: the cores of this machine, shared out]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// What they do: `explore MODEL`, `check MODEL` or `resume DIR`, with their options
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

#[derive(Args)]
pub struct ClusterKeyArgs {
    /// The file, which must not exist
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
