//! What `kinfold explore`, `graph`, `simulate` and `mcc` take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::checkpoint::CheckpointArgs;
use super::cluster::ClusterArgs;
use super::model::{
    DiagramArgs, Engine, ExplorationArgs, LimitArgs, MemoryArgs, ModelArgs, SeedArgs,
};
use super::reductions::ReductionArgs;

#[derive(Args)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// How to store states
    #[arg(long, value_enum, default_value_t = Engine::Explicit)]
    pub engine: Engine,
    #[command(flatten)]
    pub diagrams: DiagramArgs,
    /// With --engine ddd: explore the unfolded net, even where symbolic markings could use its symmetry
    #[arg(long)]
    pub unfold: bool,
    /// Print a shortest run that ends with this transition
    #[arg(long, value_name = "TRANSITION")]
    pub trace_to: Option<String>,
    /// Leave states out by stubborn sets, where there are threads: deadlocks, where all have ended, and which transitions
    /// can fire stay as they are, and nothing else that is counted
    #[arg(long, conflicts_with_all = ["full", "checkpoint", "hosts"])]
    pub reduce: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub kept: CheckpointArgs,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
}

#[derive(Args)]
pub struct GraphArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The format of the graph
    #[arg(long, value_enum, default_value_t = GraphFormat::Dot)]
    pub format: GraphFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub exploration: ExplorationArgs,
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
    /// A page to move through, in one file
    Html,
}

#[derive(Args)]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Stop after at most this many steps
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: u64,
    #[command(flatten)]
    pub seed: SeedArgs,
    /// Ask at each step which mode to fire; `help` lists what else can be asked for
    #[arg(long, short)]
    pub interactive: bool,
    #[command(flatten)]
    pub limit: MemoryArgs,
}

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
    /// Draw this many examinations of coloured nets of the collection for the self-test, each with ten seconds
    #[arg(long, value_name = "COUNT", requires = "self_test", conflicts_with = "all")]
    pub draw: Option<usize>,
    /// Which are drawn
    #[arg(long, value_name = "NUMBER", requires = "draw", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub reductions: ReductionArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}
