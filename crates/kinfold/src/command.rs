//! The subcommands, and what they share: loading models, writing results, ending with a status.

mod bench;
mod check;
mod checkpoint;
mod cli;
mod cluster;
mod conform;
mod convert;
mod coverage;
mod equiv;
mod experiment;
mod explore;
mod fmt;
mod graph;
mod load;
mod lsp;
mod manual;
mod mcc;
mod new;
mod output;
mod progress;
mod replay;
mod resume;
mod serve;
mod show;
mod simulate;
mod states;
mod table;
mod tests;
mod tlg;
mod trace;

use std::io::ErrorKind;

use clap::Parser;
use diagnostics::Diagnostic;

use cli::{CheckpointCommand, Cli, ClusterCommand, Command};

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done, completely.
    Done = 0,
    /// The answer is no: `fmt --check` found a file that is not formatted, `equiv` two states that are
    /// not equivalent, `replay` a trace that is not the model's, `conform` a log that is not.
    No = 1,
    /// The command line is wrong, or asks for what cannot be.
    Usage = 2,
    /// The model has a deadlock, or a thread that is stuck.
    Deadlock = 11,
    /// A property of states fails: an invariant, a bound, reachability, branching time.
    StateFails = 12,
    /// A property of runs fails: linear time, a followed thread.
    RunFails = 13,
    /// An assertion of the model fails.
    AssertionFails = 14,
    /// A limit or an interruption ended the run: what was found is true, but something may be missing.
    Incomplete = 20,
    /// An internal check failed: a fault of Kinfold.
    Internal = 70,
    /// The model is wrong.
    ModelWrong = 150,
    /// The system failed: a file could not be read or written.
    SystemFailed = 153,
}

impl Exit {
    /// The status with which a command ends.
    fn of(done: &Result<Exit, Failure>) -> Exit {
        match done {
            Ok(exit) => *exit,
            Err(failure) => failure.exit,
        }
    }
    /// Those that call for attention first come first.
    const ALL: [Exit; 11] = [
        Exit::Internal,
        Exit::SystemFailed,
        Exit::ModelWrong,
        Exit::Usage,
        Exit::Deadlock,
        Exit::StateFails,
        Exit::RunFails,
        Exit::AssertionFails,
        Exit::Incomplete,
        Exit::No,
        Exit::Done,
    ];

    /// The status that calls for attention first, where there are several.
    fn most_severe(all: impl Iterator<Item = Exit>) -> Exit {
        let rank = |exit: &Exit| Exit::ALL.iter().position(|other| other == exit);
        all.min_by_key(rank).unwrap_or(Exit::Done)
    }

    /// The status with this number.
    fn of_status(status: u8) -> Option<Exit> {
        Exit::ALL.into_iter().find(|exit| *exit as u8 == status)
    }
}

/// Why a subcommand could not do its work.
#[derive(Clone, Debug)]
pub struct Failure {
    exit: Exit,
    message: String,
    /// What is wrong with the text of a model, where that is the reason.
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    fn new(exit: Exit, message: impl Into<String>) -> Failure {
        Failure { exit, message: message.into(), diagnostics: Vec::new() }
    }

    fn usage(message: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, message)
    }

    fn model(message: impl Into<String>) -> Failure {
        Failure::new(Exit::ModelWrong, message)
    }

    fn system(message: impl Into<String>) -> Failure {
        Failure::new(Exit::SystemFailed, message)
    }

    fn print(&self) {
        if !self.message.is_empty() {
            output::tell(format_args!("kinfold: {}", self.message.trim_end()));
        }
    }
}

/// Does what the command line says. What has no limits of its own keeps those that always hold.
pub fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(said) => return shown(&said),
    };
    let done = match cli.command {
        Command::Check(args) => check::run(args),
        Command::Explore(args) => explore::run(&args),
        Command::Resume(args) => resume::run(&args),
        Command::Checkpoint(CheckpointCommand::Show(args)) => checkpoint::show(&args),
        Command::Cluster(ClusterCommand::Run(args)) => cluster::run(&args),
        Command::Cluster(ClusterCommand::Key(args)) => cluster::make_key(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Simulate(args) => progress::limited(&args.limit, || simulate::run(&args)),
        Command::Tests(args) => tests::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Lsp(args) => lsp::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::Replay(args) => progress::limited(&args.limit, || replay::run(&args)),
        Command::Show(args) => progress::limited(&args.limit, || show::run(&args)),
        Command::Fmt(args) => progress::limited(&args.limit, || fmt::run(&args)),
        Command::Convert(args) => progress::limited(&args.limit, || convert::run(&args)),
        Command::New(args) => new::run(&args),
        Command::Tlg(args) => progress::limited(&args.limit, || tlg::run(&args)),
        Command::Equiv(args) => progress::limited(&args.limit, || equiv::run(&args)),
        Command::Experiment(args) => experiment::run(&args),
        Command::Mcc(args) => mcc::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Explain { code } => manual::explain(code.as_deref()),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { subcommand, out } => manual::man(&subcommand, out.as_deref()),
    };
    if let Err(failure) = &done {
        failure.print();
        cluster::leave(failure);
    }
    Exit::of(&done)
}

/// Shows what the command line asks for, or what is wrong with it.
fn shown(said: &clap::Error) -> Exit {
    match said.print() {
        Err(error) if !said.use_stderr() && error.kind() != ErrorKind::BrokenPipe => {
            let failure = Failure::system(format!("cannot write standard output: {error}"));
            failure.print();
            failure.exit
        }
        _ if said.use_stderr() => Exit::Usage,
        _ => Exit::Done,
    }
}
