//! The command line, one file for the arguments of related subcommands.

mod bench;
mod check;
mod checkpoint;
mod cluster;
mod conform;
mod explore;
mod files;
mod lsp;
mod model;
mod reductions;
mod serve;
mod tests;
mod values;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use bench::{
    BenchCanonArgs, BenchCommand, BenchPaperArgs, BenchThreadsArgs, ExperimentArgs, PaperEngine,
};
pub use check::{CheckArgs, ReplayArgs, ReportFormat};
pub use checkpoint::{CheckpointArgs, CheckpointCommand, CheckpointShowArgs, ResumeArgs};
pub use cluster::{ClusterArgs, ClusterCommand, ClusterKeyArgs, ClusterRunArgs};
pub use conform::ConformArgs;
pub use explore::{ExploreArgs, GraphArgs, GraphFormat, MccArgs, SimulateArgs};
pub use files::{
    ConvertArgs, EquivArgs, FmtArgs, ModelFormat, NewArgs, ShowArgs, ShowFormat, TlgArgs, TlgFormat,
};
pub use lsp::LspArgs;
pub use model::{
    Engine, ExplorationArgs, GoArgs, MemoryArgs, ModelArgs, ProgressArgs, ProgressForm,
    RelationsArg,
};
pub use serve::ServeArgs;
pub use tests::{CoverArg, TestsArgs};
pub use values::Setting;

/// Verify systems that create processes while they run.
///
/// Kinfold folds together the states that differ only in who is who, exactly.
#[derive(Parser)]
#[command(name = "kinfold", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
    0  success; all properties hold
    1  the answer is no: `fmt --check` found a file that is not formatted, `equiv` two states that
       are not equivalent, `replay` a trace or `conform` a log that is not one of the model
    2  wrong usage
   11  there is a deadlock, or a thread that is stuck
   12  an invariant, a bound, a reachability property or a branching-time property fails, or a
       thread can never end
   13  a linear-time property, or a property of a followed thread, fails
   14  an assertion fails
   20  incomplete: a limit or Ctrl-C ended the run, or a property cannot be decided
   70  an internal check failed
  150  the model is wrong, or a file does not hold a state, a trace, a log, a mapping or a
       checkpoint
  153  the system failed: a file could not be read or written, or another process of the run was
       lost";

#[derive(Subcommand)]
pub enum Command {
    /// Decide the properties of models, and show counterexamples
    Check(Box<CheckArgs>),
    /// Count the states of a model, folded up to who is who
    Explore(Box<ExploreArgs>),
    /// Go on with a run that was kept by `--checkpoint`
    ///
    /// The model and all options are in the checkpoint. Limits may be given anew.
    Resume(ResumeArgs),
    /// Look at what a run has kept by `--checkpoint`
    #[command(subcommand)]
    Checkpoint(CheckpointCommand),
    /// Explore with several processes
    ///
    /// With --hosts, `explore`, `check` and `resume` are processes of a run on several machines.
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Write the folded state graph
    Graph(GraphArgs),
    /// Run a model at random, or step by step
    Simulate(SimulateArgs),
    /// Write runs that cover a model, to drive an implementation of it
    ///
    /// Few and short runs that together fire every transition, or go through every pair of them or every class of states.
    Tests(TestsArgs),
    /// Walk through models in a browser: runs, states, verdicts, the graph
    ///
    /// Starts a server and prints a link to its page. The server is reached from this machine only, and asked by
    /// those only who have the link. The files of the models are watched: save one, and the page shows it as it is
    /// now. Ctrl-C ends the server.
    Serve(ServeArgs),
    /// Answer editors, as a language server
    ///
    /// Speaks the Language Server Protocol on standard input and output: what is wrong with a model while it is
    /// typed, completion, names, layout, and verdicts beside properties.
    Lsp(LspArgs),
    /// Say whether what a system logged is a run of a model, up to who is who
    ///
    /// The names in the log may be any: they are bound to the threads, objects and members of the model as the log goes
    /// on. Unlogged steps, partial logs and logs without an order between threads are allowed for.
    Conform(Box<ConformArgs>),
    /// Check a recorded trace step by step, or write it in another format
    Replay(ReplayArgs),
    /// Print or draw a model as Kinfold understands it
    Show(ShowArgs),
    /// Format models in place
    Fmt(FmtArgs),
    /// Convert a model: .kin to .pnml, or .pnml to .kin
    Convert(ConvertArgs),
    /// Write a small model to start from
    New(NewArgs),
    /// Draw the three-layered graph of a state
    Tlg(TlgArgs),
    /// Say whether two states are equivalent, and by which bijection, or why not
    Equiv(EquivArgs),
    /// Compare millions of random states, by canonical forms and by graph isomorphism
    Experiment(ExperimentArgs),
    /// Answer an examination of the Model Checking Contest
    ///
    /// What is not given is taken from the environment, as the contest sets it: the examination from
    /// BK_EXAMINATION, the time in seconds from BK_TIME_CONFINEMENT, the memory in MB from
    /// BK_MEMORY_CONFINEMENT.
    Mcc(MccArgs),
    /// Measure Kinfold itself
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Explain the code of a message, such as E0201
    Explain {
        /// The code; without one, all codes are listed
        code: Option<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page (read it with `man -l -`), or write all of them
    Man {
        /// The subcommand, such as `check` or `bench threads`; without one, `kinfold` itself
        #[arg(value_name = "SUBCOMMAND", conflicts_with = "out")]
        subcommand: Vec<String>,
        /// Write the pages of `kinfold` and of all its subcommands to this directory
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}
