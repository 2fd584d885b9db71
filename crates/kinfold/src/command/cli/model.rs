//! What several subcommands take: a model, and how to explore it.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use budget::{Budget, Limits};
use clap::{Args, ValueEnum};
use kinfold::Plan;
use lang::Override;
use state::Relations;

use super::values::{bytes_of, override_of, relations_of, time_of};
use crate::command::{Failure, load, progress};

/// Which model.
#[derive(Args)]
pub struct ModelArgs {
    /// The model: a .kin, .pnml or .go file, a folder with the files of a Go package, or - for standard input
    pub model: PathBuf,
    /// Give a constant of the model another value (PNML has no constants)
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = override_of)]
    pub set: Vec<Override>,
    #[command(flatten)]
    pub go: GoArgs,
}

/// How a Go program is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Go programs")]
pub struct GoArgs {
    /// Start with this function [default: `main`, or the only test]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// Look at goroutines that are left behind when `main` returns, too
    #[arg(long)]
    pub leaks: bool,
    /// Take a function to do nothing and to return zero values; may be given several times
    #[arg(long, value_name = "FUNCTION")]
    pub assume: Vec<String>,
}

impl GoArgs {
    /// The same for the front end.
    pub fn options(&self) -> go::Options {
        let GoArgs { entry, leaks, assume } = self.clone();
        go::Options { entry, leaks, assume, minor: None }
    }
}

/// How to explore it.
#[derive(Args)]
#[command(next_help_heading = "Exploration")]
pub struct ExplorationArgs {
    /// The relations on pids to keep: `auto` for those that the model observes, or a list such as
    /// parent,next_sibling that contains them
    #[arg(long, value_name = "auto|LIST", default_value = "auto", value_parser = relations_of)]
    pub relations: RelationsArg,
    /// Fold states up to these relations everywhere, also where nothing can observe them any more; so it is if
    /// --relations has a list
    #[arg(long)]
    pub precise: bool,
    /// Explore the concrete states, without folding
    #[arg(long)]
    pub full: bool,
    /// Stop after at most this many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What a run may use.
#[derive(Args)]
pub struct LimitArgs {
    /// Stop after this time, such as 90, 90s, 5m or 1h [default: 60s for Go programs, none for models]
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    pub time: Option<Duration>,
    /// Stop when the process uses this much memory, such as 512MiB or 4G [default: four fifths of what
    /// is available]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of)]
    pub memory: Option<u64>,
    /// The number of threads to work on [default: one for each core]. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// What a command may use that is soon done, mostly.
#[derive(Args)]
pub struct MemoryArgs {
    /// Stop when the process uses this much memory, such as 512MiB or 4G [default: four fifths of what is
    /// available]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of)]
    pub memory: Option<u64>,
}

/// How progress is shown.
#[derive(Args, Clone, Default)]
pub struct ProgressArgs {
    /// What to show on standard error while the run is under way [default: auto]
    #[arg(long, value_enum, value_name = "FORM")]
    pub progress: Option<ProgressForm>,
    /// The time between two lines of progress [default: 10s; with --progress line or json 1s]
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    pub progress_every: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressForm {
    /// One line of a terminal; a line of text every ten seconds, if standard error is something else
    Auto,
    /// One line of a terminal; lines of text, if standard error is something else
    Line,
    /// Lines of JSON, for programs
    Json,
    /// Nothing
    None,
}

impl LimitArgs {
    /// These limits, but for those that are given anew.
    pub fn replaced_by(&mut self, given: &LimitArgs) {
        self.time = given.time.or(self.time);
        self.memory = given.memory.or(self.memory);
        self.threads = given.threads.or(self.threads);
        let ProgressArgs { progress, progress_every } = &mut self.progress;
        *progress = given.progress.progress.or(*progress);
        *progress_every = given.progress.progress_every.or(*progress_every);
    }

    /// Whether a number of threads is given.
    pub fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    /// The number of threads given, or one for each core.
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, |cores| cores.get().min(256));
        self.threads.map_or_else(all, usize::from)
    }
}

impl ExplorationArgs {
    /// What the run may use, from now on.
    pub fn budget(&self, is_go: bool) -> Budget {
        let LimitArgs { time, memory, .. } = self.limits;
        let budget = progress::begin(Limits { time, memory, steps: None });
        match time {
            None if is_go => budget.within_default(progress::TIME_FOR_GO),
            _ => budget,
        }
    }

    /// How to explore, apart from what is looked for.
    pub fn plan(&self, budget: &Budget) -> Plan {
        let relations = match self.relations {
            RelationsArg::Auto => None,
            RelationsArg::Given(relations) => Some(relations),
        };
        Plan {
            relations,
            precise: self.precise,
            full: self.full,
            budget: budget.clone(),
            states: self.max_states,
            threads: self.limits.threads(),
            ..Plan::default()
        }
    }
}

/// How states are stored.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// One by one, each class of states by its canonical form
    Explicit,
    /// Sets of states in decision diagrams, for models without threads
    Ddd,
    /// No states at all: the state equation of the net, its traps, and walks, for formulas about models without
    /// threads
    Structure,
    /// `explicit` for a few seconds, and then `structure` and `ddd`, too
    Auto,
}

impl Engine {
    /// The only engine that is to decide, if there is one.
    pub fn only(self) -> Option<kinfold::Engine> {
        match self {
            Engine::Explicit => Some(kinfold::Engine::Explicit),
            Engine::Ddd => Some(kinfold::Engine::Diagrams),
            Engine::Structure => Some(kinfold::Engine::Structure),
            Engine::Auto => None,
        }
    }
}

/// How decision diagrams are made.
#[derive(Args)]
pub struct DiagramArgs {
    /// For decision diagrams: a file with the names of the places, one per line, in the order of the
    /// variables [default: found from the structure of the net]
    #[arg(long, value_name = "FILE")]
    pub order: Option<PathBuf>,
}

impl DiagramArgs {
    /// The names in the file, if one is given.
    pub fn order(&self) -> Result<Vec<String>, Failure> {
        let Some(path) = &self.order else { return Ok(Vec::new()) };
        let text = load::text(path)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(lines.map(str::to_owned).collect())
    }
}

/// Ω as given.
#[derive(Clone, Copy)]
pub enum RelationsArg {
    Auto,
    Given(Relations),
}

/// What random choices depend on.
#[derive(Args)]
pub struct SeedArgs {
    /// The seed of the random choices; it is printed, so that a run can be repeated
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

impl SeedArgs {
    /// The seed given, or one that the clock gives.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            u64::from(now.subsec_nanos()) ^ now.as_secs() << 20
        })
    }
}
