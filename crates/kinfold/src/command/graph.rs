//! `kinfold graph`: the graph that `explore` counts.

use std::fmt::Write;

use ::explore::StateId;
use kinfold::{Plan, Survey, draw, quotient_drawing};
use serde_json::{Value, json};

use super::cli::{GraphArgs, GraphFormat};
use super::output::Output;
use super::{Exit, Failure, explore, load};

/// Larger pictures are of no use to a reader.
const MOST_NODES_OF_SVG: u64 = 500;

pub fn run(args: &GraphArgs) -> Result<Exit, Failure> {
    let net = load::net(&args.model)?;
    let plan = Plan { keep_edges: true, ..Plan::default() };
    let (survey, reason) = explore::explored(&net, &args.exploration, plan)?;
    let states = survey.exploration().states;
    if args.format == GraphFormat::Svg && states > MOST_NODES_OF_SVG {
        return Err(Failure::usage(format!(
            "a picture of {states} states could not be read; over {MOST_NODES_OF_SVG} use \
             --format dot (Graphviz), aut or json, smaller constants (--set), or \
             --max-states {MOST_NODES_OF_SVG} for the part nearest to the start"
        )));
    }
    let text = match args.format {
        GraphFormat::Dot => draw::dot(&quotient_drawing(&survey)),
        GraphFormat::Svg => draw::svg(&quotient_drawing(&survey)),
        GraphFormat::Aut => aut(&survey),
        GraphFormat::Json => json(&survey),
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

fn edges<'s>(survey: &'s Survey) -> impl Iterator<Item = (StateId, &'s str, StateId)> {
    let quotient = survey.exploration().quotient.as_ref().expect("edges are kept");
    let name = |label: u32| survey.net().transitions[label as usize].name.as_str();
    quotient.iter().map(move |(source, label, target)| (source, name(label), target))
}

/// The Aldebaran format: `des (first, edges, states)`, then a line for each edge.
fn aut(survey: &Survey) -> String {
    let exploration = survey.exploration();
    let mut text = format!("des (0, {}, {})\n", exploration.edges, exploration.states);
    for (source, name, target) in edges(survey) {
        writeln!(text, "({}, \"{name}\", {})", source.0, target.0).expect("strings do not fail");
    }
    text
}

fn json(survey: &Survey) -> String {
    let exploration = survey.exploration();
    let kind = |id: StateId| {
        if exploration.deadlock_ids.binary_search(&id).is_ok() {
            Some("deadlock")
        } else if exploration.terminated_ids.binary_search(&id).is_ok() {
            Some("terminated")
        } else if u64::from(id.0) >= exploration.expanded {
            Some("unexplored")
        } else {
            None
        }
    };
    let state = |id: StateId| {
        let mut state = survey.state(id).to_json();
        state["id"] = id.0.into();
        state["depth"] = exploration.depth_of(id).into();
        state["kind"] = kind(id).into();
        state
    };
    let edge = |(source, name, target): (StateId, &str, StateId)| json!({ "source": source.0, "transition": name, "target": target.0 });
    let graph = json!({
        "schema_version": 1,
        "model": survey.net().name,
        "relations": survey.relations().iter().map(|r| r.name()).collect::<Vec<_>>(),
        "full": survey.is_full(),
        "complete": exploration.complete,
        "initial": exploration.initial().map(|id| id.0).collect::<Vec<_>>(),
        "states": (0..exploration.states as u32).map(|id| state(StateId(id))).collect::<Value>(),
        "edges": edges(survey).map(edge).collect::<Value>(),
    });
    format!("{graph:#}\n")
}
