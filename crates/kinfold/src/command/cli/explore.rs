//! What `kinfold explore`, `graph` and `simulate` take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::model::{DiagramArgs, Engine, ExplorationArgs, ModelArgs, SeedArgs};

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
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
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
}
