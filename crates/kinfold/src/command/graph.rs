//! `kinfold graph`: the graph that `explore` counts.

use kinfold::Plan;

use super::cli::{GraphArgs, GraphFormat};
use super::output::Output;
use super::{Exit, Failure, explore, load, progress};

/// Larger pictures are of no use to a reader.
const MOST_NODES_OF_SVG: u64 = 500;

pub fn run(args: &GraphArgs) -> Result<Exit, Failure> {
    let budget = args.exploration.budget();
    let net = progress::preparing(&budget, || load::net(&args.model))?;
    let plan = Plan { keep_edges: true, ..args.exploration.plan(&budget) };
    let (survey, reason) = explore::explored(&net, plan)?;
    let states = survey.exploration().states;
    if args.format == GraphFormat::Svg && states > MOST_NODES_OF_SVG {
        return Err(Failure::usage(format!(
            "a picture of {states} states could not be read; over {MOST_NODES_OF_SVG} use \
             --format dot (Graphviz), aut or json, smaller constants (--set), or \
             --max-states {MOST_NODES_OF_SVG} for the part nearest to the start"
        )));
    }
    let text = match args.format {
        GraphFormat::Dot => survey.graph().dot(),
        GraphFormat::Svg => survey.graph().svg(),
        GraphFormat::Aut => survey.graph().aut(),
        GraphFormat::Json => format!("{:#}\n", survey.graph().json()),
    };
    Output::to(args.output.as_deref()).write(text)?;
    match reason {
        None => Ok(Exit::Done),
        Some(reason) => {
            eprintln!("kinfold: INCOMPLETE: {reason}; the graph is of what was seen");
            Ok(Exit::Incomplete)
        }
    }
}
