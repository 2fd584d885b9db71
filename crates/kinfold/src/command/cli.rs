//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use budget::{Budget, Limits};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use kinfold::{Plan, TraceFormat};
use lang::Override;
use state::Relations;

use super::output::Output;
use super::{Exit, Failure, progress};

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
    0  done
    1  no: `fmt --check` found a file that is not formatted, `equiv` states that are not equivalent, or
       `replay` a trace that is not the model's
    2  the command line is wrong
   11  a deadlock
   12  an invariant, a bound, reachability or a property of branching time fails
   13  a property of linear time, or of a followed thread, fails
   20  incomplete: a limit or Ctrl-C ended the run, or a property cannot be decided
   70  an internal check failed
  150  the model, or a state, is wrong; or what is said to be a trace is none
  153  the system failed";

#[derive(Subcommand)]
pub enum Command {
    /// Decide the properties of a model, and show runs that violate them
    Check(CheckArgs),
    /// Count the states of a model, folded up to who is who
    Explore(ExploreArgs),
    /// Write the folded state graph
    Graph(GraphArgs),
    /// Run a model at random, or step by step
    Simulate(SimulateArgs),
    /// Check a recorded trace step by step, or write it in another form
    Replay(ReplayArgs),
    /// Print or draw a model as Kinfold understood it
    Show(ShowArgs),
    /// Format models in place
    Fmt(FmtArgs),
    /// Write a model in the other format: .kin as .pnml, .pnml as .kin
    Convert(ConvertArgs),
    /// Write a small model to start from
    New(NewArgs),
    /// Draw the three-layered graph of a state
    Tlg(TlgArgs),
    /// Say whether two states are equivalent, and by which bijection or why not
    Equiv(EquivArgs),
    /// Compare millions of random states, by canonical forms and by graph isomorphism
    Experiment(ExperimentArgs),
    /// Answer an examination of the Model Checking Contest
    Mcc(MccArgs),
    /// Measure Kinfold itself
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Explain the code of a message, such as E0201
    Explain {
        /// The code; all of them are listed without one
        code: Option<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (read it with `man -l -`)
    Man,
}

/// Which model.
#[derive(Args)]
pub struct ModelArgs {
    /// The model: a .kin or .pnml file, or - for standard input
    pub model: PathBuf,
    /// Give a constant of the model another value; PNML has no constants
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = override_of)]
    pub set: Vec<Override>,
}

/// How to explore it.
#[derive(Args)]
pub struct ExplorationArgs {
    /// The relations on pids that are kept: `auto` for those the model observes, or a list such as
    /// parent,next_sibling which must contain them
    #[arg(long, value_name = "auto|LIST", default_value = "auto", value_parser = relations_of)]
    pub relations: RelationsArg,
    /// Explore the concrete states, without folding
    #[arg(long)]
    pub full: bool,
    /// Stop after this many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds_of)]
    pub time: Option<Duration>,
    /// Stop at this much memory, such as 512MiB or 4G [default: four fifths of what is available]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of)]
    pub memory: Option<u64>,
    /// Work on this many threads [default: one for each core]. What is found does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

impl ExplorationArgs {
    pub fn threads(&self) -> usize {
        workers(self.threads)
    }

    /// What the run may use, from now on.
    pub fn budget(&self) -> Budget {
        progress::begin(Limits { time: self.time, memory: self.memory, steps: None })
    }

    /// How to explore, apart from what is looked for.
    pub fn plan(&self, budget: &Budget) -> Plan {
        let relations = match self.relations {
            RelationsArg::Auto => None,
            RelationsArg::Given(relations) => Some(relations),
        };
        Plan {
            relations,
            full: self.full,
            budget: budget.clone(),
            states: self.max_states,
            threads: self.threads(),
            ..Plan::default()
        }
    }
}

/// How states are stored.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// One by one, each class of states by its canonical form
    Explicit,
    /// Sets of states, in decision diagrams; for models without threads
    Ddd,
    /// The first, and if it is not done after a moment the second
    Auto,
}

impl Engine {
    /// The only engine that is to decide, if there is one.
    pub fn only(self) -> Option<kinfold::Engine> {
        match self {
            Engine::Explicit => Some(kinfold::Engine::Explicit),
            Engine::Ddd => Some(kinfold::Engine::Diagrams),
            Engine::Auto => None,
        }
    }
}

/// How decision diagrams are made.
#[derive(Args)]
pub struct DiagramArgs {
    /// For decision diagrams: a file with names of places, one a line, in the order in which diagrams ask for
    /// their tokens [default: found from the net's structure]
    #[arg(long, value_name = "FILE")]
    pub order: Option<PathBuf>,
}

impl DiagramArgs {
    /// The names in the file, if one is given.
    pub fn order(&self) -> Result<Vec<String>, Failure> {
        let Some(path) = &self.order else { return Ok(Vec::new()) };
        let text = super::load::text(path)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(lines.map(str::to_owned).collect())
    }
}

#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
    /// How to store states. Only the first gives runs to show
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,
    /// Check this property, and others given so; all when none is given
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Assume that nobody is passed over for ever: `threads`, a transition or a class; `strong:` may come
    /// before. To what the model assumes; `none` drops that
    #[arg(long, value_name = "WHOM")]
    pub fair: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write a JUnit report
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write the run that shows what fails to a file, instead of printing it
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// The form of that run [default: by the name of the file]
    #[arg(long, value_name = "FORM", requires = "trace", value_parser = trace_format_of)]
    pub trace_format: Option<TraceFormat>,
}

fn trace_format_of(text: &str) -> Result<TraceFormat, String> {
    let names = || TraceFormat::ALL.map(TraceFormat::name).join(", ");
    text.parse().map_err(|error| format!("{error}; there are {}", names()))
}

#[derive(Args)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
    /// How to store states
    #[arg(long, value_enum, default_value_t = Engine::Explicit)]
    pub engine: Engine,
    #[command(flatten)]
    pub diagrams: DiagramArgs,
    /// With --engine ddd: explore the unfolded net, also where it has symmetry and symbolic markings would do
    #[arg(long)]
    pub unfold: bool,
    /// Print a shortest run that ends with this transition
    #[arg(long, value_name = "TRANSITION")]
    pub trace_to: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct MccArgs {
    /// The directory of an instance, with its model.pnml [default: this one]; with --self-test, that of a
    /// collection
    pub directory: Option<PathBuf>,
    /// What to find out, such as StateSpace [default: what BK_EXAMINATION says]
    #[arg(long, value_name = "NAME")]
    pub examination: Option<String>,
    /// How to store states
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,
    #[command(flatten)]
    pub diagrams: DiagramArgs,
    /// Compare with the verdicts agreed upon: of Kinfold's own nets, and of a collection with its tables
    /// statespace.tsv and formulas.tsv, if one is given or lies in ../shared/mcc
    #[arg(long, conflicts_with = "examination")]
    pub self_test: bool,
    /// Take a minute for each net of the self-test, not two seconds
    #[arg(long, requires = "self_test")]
    pub all: bool,
    /// Stop after so many seconds [default: what BK_TIME_CONFINEMENT says]
    #[arg(long, value_name = "SECONDS", value_parser = seconds_of)]
    pub time: Option<Duration>,
    /// Stop at so much memory, such as 512MiB or 4G [default: what BK_MEMORY_CONFINEMENT says, in MB]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of)]
    pub memory: Option<u64>,
    /// Work on this many threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

impl MccArgs {
    pub fn threads(&self) -> usize {
        workers(self.threads)
    }
}

/// So many threads as given, or one for each core.
fn workers(given: Option<u16>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, |cores| cores.get().min(256));
    given.map_or_else(all, usize::from)
}

#[derive(Args)]
pub struct GraphArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
    /// The form of the graph
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub format: GraphFormat,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// Graphviz
    Dot,
    /// Aldebaran, as read by CADP, mCRL2 and LTSmin
    Aut,
    /// JSON, with the states
    Json,
    /// A picture, for graphs of at most 500 nodes
    Svg,
}

#[derive(Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// End after so many steps
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: u64,
    /// The seed of the random choices; printed, so that a run can be had again
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Ask at each step which mode to fire
    #[arg(long, short)]
    pub interactive: bool,
}

#[derive(Args)]
pub struct ReplayArgs {
    /// The trace, as JSON; - for standard input
    pub trace: PathBuf,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Write the trace in this form, if it is right
    #[arg(long, value_enum)]
    pub format: Option<TraceForm>,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE", requires = "format")]
    pub output: Option<PathBuf>,
}

/// The forms of a trace.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceForm {
    /// What changed at each step
    Text,
    /// JSON, which `kinfold replay` reads
    Json,
    /// JSON in the Informal Trace Format, as Apalache and Quint have it
    Itf,
    /// A sequence chart, as a picture
    Svg,
    /// A sequence chart, for Mermaid
    Mermaid,
    /// A log with vector clocks, for ShiViz
    Shiviz,
}

impl From<TraceForm> for TraceFormat {
    fn from(form: TraceForm) -> TraceFormat {
        match form {
            TraceForm::Text => TraceFormat::Text,
            TraceForm::Json => TraceFormat::Json,
            TraceForm::Itf => TraceFormat::Itf,
            TraceForm::Svg => TraceFormat::Svg,
            TraceForm::Mermaid => TraceFormat::Mermaid,
            TraceForm::Shiviz => TraceFormat::ShiViz,
        }
    }
}

#[derive(Args)]
pub struct ShowArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Text, or a drawing
    #[arg(long, value_enum, default_value_t = ShowFormat::Text)]
    pub format: ShowFormat,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// The model as .kin text, what is observed of pids, and what is symmetric
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
    #[arg(long, value_enum)]
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

#[derive(Args)]
pub struct TlgArgs {
    /// The state, as JSON; - for standard input
    pub state: PathBuf,
    /// The relations on pids that are observed; an empty list for equality alone
    #[arg(long, value_name = "LIST", default_value = "parent")]
    pub relations: Relations,
    /// Which state, when the file holds several: the one on this line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub line: Option<u64>,
    /// The form of the graph
    #[arg(long, value_enum, default_value_t = TlgFormat::Dot)]
    pub format: TlgFormat,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TlgFormat {
    /// Graphviz
    Dot,
    /// A picture, for graphs of at most 500 vertices
    Svg,
    /// JSON
    Json,
}

#[derive(Args)]
pub struct EquivArgs {
    /// The first state, as JSON; - for standard input
    pub first: PathBuf,
    /// The second state
    pub second: PathBuf,
    /// The relations on pids that are observed; an empty list for equality alone
    #[arg(long, value_name = "LIST", default_value = "parent")]
    pub relations: Relations,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ExperimentArgs {
    /// How many pairs of states to compare
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub comparisons: u64,
    /// The seed of the random states; printed, so that a run can be had again
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The folder for tables, plots and the state of the run
    #[arg(long, value_name = "DIR", default_value = "kinfold-experiment")]
    pub out: PathBuf,
    /// Go on with the run in the folder
    #[arg(long)]
    pub resume: bool,
    /// Work on so many threads; times are best taken on one
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
}

#[derive(Subcommand)]
pub enum BenchCommand {
    /// Measure canonical forms per second of CPU time, over a file of states (JSON lines)
    Canon(BenchCanonArgs),
    /// Measure how long exploring a model takes on 1, 2, 4 … threads, as far as --threads goes
    Threads(BenchThreadsArgs),
    /// The table of Thierry-Mieg et al. 2004 on symmetric nets, beside ours
    Paper(BenchPaperArgs),
}

#[derive(Args)]
pub struct BenchCanonArgs {
    /// The states, one a line
    pub file: PathBuf,
    /// The relations on pids that are kept
    #[arg(long, value_name = "LIST", default_value = "parent")]
    pub relations: Relations,
    /// How long to measure, in seconds of CPU time
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds_of)]
    pub time: Duration,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
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
}

#[derive(Args)]
pub struct BenchThreadsArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
    /// Explore so many times on each number of threads, in turn, and take the shortest
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub runs: u16,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Ω as given.
#[derive(Clone, Copy)]
pub enum RelationsArg {
    Auto,
    Given(Relations),
}

fn relations_of(text: &str) -> Result<RelationsArg, String> {
    match text {
        "auto" => Ok(RelationsArg::Auto),
        list => list.parse().map(RelationsArg::Given).map_err(|error| format!("{error}")),
    }
}

fn override_of(text: &str) -> Result<Override, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok(Override { name: name.trim().into(), value: value.trim().into() })
        }
        _ => Err("write NAME=VALUE, such as k=3".into()),
    }
}

fn seconds_of(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>().ok();
    number
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "write a number of seconds, such as 60 or 0.5".into())
}

fn bytes_of(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kb" | "kib" => Some(10),
        "m" | "mb" | "mib" => Some(20),
        "g" | "gb" | "gib" => Some(30),
        "t" | "tb" | "tib" => Some(40),
        _ => None,
    };
    let number = digits.parse::<u64>().ok();
    shift
        .zip(number)
        .and_then(|(shift, number)| number.checked_mul(1 << shift))
        .ok_or_else(|| "write a number of bytes, such as 268435456, 256MiB or 4G".into())
}

pub fn explain(code: Option<&str>) -> Result<Exit, Failure> {
    let all = || lang::EXPLANATIONS.iter().chain(pnml::EXPLANATIONS.iter());
    let text = match code {
        None => all().map(|one| format!("{}  {}\n", one.code, one.title)).collect(),
        Some(code) => match all().find(|one| one.code.eq_ignore_ascii_case(code)) {
            Some(one) => format!("{}: {}\n\n{}\n", one.code, one.title, one.text),
            None => {
                return Err(Failure::usage(format!(
                    "there is no code `{code}`; `kinfold explain` lists them"
                )));
            }
        },
    };
    Output::stdout().write(text)?;
    Ok(Exit::Done)
}

pub fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "kinfold", &mut script);
    Output::stdout().write(&script)?;
    Ok(Exit::Done)
}

pub fn man() -> Result<Exit, Failure> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(Cli::command()).render(&mut page);
    rendered.map_err(|error| Failure::system(error.to_string()))?;
    Output::stdout().write(&page)?;
    Ok(Exit::Done)
}
