//! `kinfold tlg`: the three-layered graph of a state.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use fold::layers::{Arc, ArcLabel, Layers, Vertex};
use kinfold::{draw, layers_drawing, layers_svg};
use serde_json::{Value as Json, json};
use state::{State, Value};

use super::cli::{TlgArgs, TlgFormat};
use super::output::Output;
use super::{Exit, Failure, load};

/// Larger pictures are of no use to a reader.
const MOST_VERTICES_OF_SVG: usize = 500;

pub fn run(args: &TlgArgs) -> Result<Exit, Failure> {
    let state = read_state(&args.state, args.line)?;
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
        TlgFormat::Dot => draw::dot(&layers_drawing(&graph, &title)),
        TlgFormat::Svg => layers_svg(&graph, &title),
        TlgFormat::Json => format!("{:#}\n", json(&graph)),
    };
    Output::to(args.output.as_deref()).write(text)?;
    Ok(Exit::Done)
}

/// The state of a file, or of standard input for `-`: the first, or the one on the given line. States
/// may follow each other, as in JSON lines.
pub fn read_state(path: &Path, line: Option<u64>) -> Result<State, Failure> {
    let name = load::name(path);
    let text = read(path)?;
    let line_of = |offset: usize| text[..offset].matches('\n').count() as u64 + 1;
    let mut found: Vec<u64> = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(&text).into_iter::<serde::de::IgnoredAny>();
    loop {
        let before = stream.byte_offset();
        let start = before + text[before..].len() - text[before..].trim_start().len();
        match stream.next() {
            None => break,
            Some(Err(error)) => return Err(Failure::model(format!("{name}: {error}"))),
            Some(Ok(_)) => {}
        }
        let (first, last) = (line_of(start), line_of(stream.byte_offset()));
        found.push(first);
        if line.is_none_or(|line| (first..=last).contains(&line)) {
            let rest = &text[stream.byte_offset()..];
            if line.is_none() && !rest.trim().is_empty() {
                eprintln!(
                    "note: {name} holds more than one state; this is the one on line {first}"
                );
            }
            let state = State::from_json(&text[start..stream.byte_offset()]);
            return state.map_err(|error| {
                Failure::model(format!("{name}, state on line {first}: {error}"))
            });
        }
    }
    Err(match (line, found.as_slice()) {
        (Some(line), [_, ..]) => {
            let lines: Vec<String> = found.iter().take(10).map(u64::to_string).collect();
            let more = if found.len() > 10 { ", …" } else { "" };
            let lines = lines.join(", ");
            Failure::usage(format!(
                "{name} has no state on line {line}; states begin on lines {lines}{more}"
            ))
        }
        _ => Failure::model(format!("{name} holds no state")),
    })
}

/// The text of a file, or of standard input for `-`, however long.
pub fn read(path: &Path) -> Result<String, Failure> {
    let name = load::name(path);
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| Failure::system(format!("cannot read {name}: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        Failure::model(format!("{name}, line {line}: not UTF-8"))
    })
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
