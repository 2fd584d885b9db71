//! `kinfold tlg`: the three-layered graph of a state.

use fold::layers::{Arc, ArcLabel, Layers, Vertex};
use kinfold::{layers_dot, layers_svg};
use serde_json::{Value as Json, json};
use state::Value;

use super::cli::{TlgArgs, TlgFormat};
use super::output::Output;
use super::{Exit, Failure, load, states};

/// Larger pictures are of no use to a reader.
const MOST_VERTICES_OF_SVG: usize = 500;

pub fn run(args: &TlgArgs) -> Result<Exit, Failure> {
    let state = states::one(&args.state, args.line)?;
    let graph = Layers::new(&state, args.relations);
    let size = graph.vertices().len();
    if args.format == TlgFormat::Svg && size > MOST_VERTICES_OF_SVG {
        return Err(Failure::usage(format!(
            "a picture of {size} vertices could not be read; over {MOST_VERTICES_OF_SVG} use \
             --format dot (Graphviz) or json"
        )));
    }
    let title = format!("{}, observing {}", load::name(&args.state), args.relations);
    let text = match args.format {
        TlgFormat::Dot => layers_dot(&graph, &title),
        TlgFormat::Svg => layers_svg(&graph, &title),
        TlgFormat::Json => format!("{:#}\n", json(&graph)),
    };
    Output::to(args.output.as_deref()).write(text)?;
    Ok(Exit::Done)
}

fn json(graph: &Layers) -> Json {
    let vertex = |(id, vertex): (usize, &Vertex)| match vertex {
        Vertex::Place(name) => json!({ "id": id, "layer": "place", "place": &**name }),
        Vertex::Token { token, count } => {
            let value = |value: &Value| match value {
                Value::Pid(_) => Json::Null,
                datum => datum.to_json(),
            };
            let values: Vec<Json> = token.iter().map(value).collect();
            json!({ "id": id, "layer": "token", "values": values, "count": count })
        }
        Vertex::Pid { pid, active } => {
            json!({ "id": id, "layer": "pid", "pid": pid.to_string(), "next": false, "active": active })
        }
        Vertex::Next { creator, number } => {
            let pid = format!("{creator}.{number}");
            json!({ "id": id, "layer": "pid", "pid": pid, "next": true, "active": false })
        }
    };
    let arc = |arc: &Arc| {
        let mut json = json!({ "source": arc.source, "target": arc.target });
        match arc.label {
            ArcLabel::Holds => json["kind"] = "holds".into(),
            ArcLabel::Next => json["kind"] = "next".into(),
            ArcLabel::At(position) => {
                json["kind"] = "position".into();
                json["position"] = position.into();
            }
            ArcLabel::Related(relation) => {
                json["kind"] = "relation".into();
                json["relation"] = relation.name().into();
            }
        }
        json
    };
    json!({
        "schema_version": 1,
        "relations": graph.relations().iter().map(|r| r.name()).collect::<Vec<_>>(),
        "vertices": graph.vertices().iter().enumerate().map(vertex).collect::<Vec<_>>(),
        "arcs": graph.arcs().iter().map(arc).collect::<Vec<_>>(),
    })
}
