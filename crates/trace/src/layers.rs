//! Pictures of three-layered graphs, as in figure 4 of Klaudel et al. (2008): places above, tokens in
//! the middle, pids below, next pids grey. Graphviz is told to put all pids into one rank; in the
//! picture that is laid out here they hang below the tokens, as the forest that they are.
//!
//! The names of the pids are written for people; they are no part of the graph.

use fold::layers::{ArcLabel, Layers, Vertex};
use state::{Relation, Value};

use draw::{
    Border, Drawing, Edge, EdgeLook, Face, Node, NodeId, NodeLook, Rank, Shape, Stroke, Tip, Tone,
};

/// What a vertex says to people. Pids in tokens are blank, as in the labels.
fn text(vertex: &Vertex) -> String {
    match vertex {
        Vertex::Place(name) => name.to_string(),
        Vertex::Token { token, count } => {
            let value = |value: &Value| match value {
                Value::Pid(_) => "ε".to_owned(),
                datum => datum.to_string(),
            };
            let values: Vec<String> = token.iter().map(value).collect();
            let copies = if *count == 1 { String::new() } else { format!("{count}×") };
            format!("{copies}⟨{}⟩", values.join(", "))
        }
        Vertex::Pid { pid, .. } => pid.to_string(),
        Vertex::Next { creator, number } => format!("{creator}.{number}"),
    }
}

fn look(vertex: &Vertex) -> NodeLook {
    let (name, shape, border, tone) = match vertex {
        Vertex::Place(_) => ("place", Shape::Ellipse, Border::Single, Tone::Plain),
        Vertex::Token { .. } => ("token", Shape::Box, Border::Single, Tone::Plain),
        Vertex::Pid { active: true, .. } => {
            ("active pid", Shape::Hexagon, Border::Heavy, Tone::Blue)
        }
        Vertex::Pid { active: false, .. } => {
            ("pid of no active thread", Shape::Hexagon, Border::Single, Tone::Plain)
        }
        Vertex::Next { .. } => ("next pid", Shape::Hexagon, Border::Dashed, Tone::Grey),
    };
    NodeLook::new(name, shape, border, tone)
}

fn edge_look(label: ArcLabel) -> EdgeLook {
    let (name, stroke, tone, head) = match label {
        ArcLabel::Holds => ("", Stroke::Solid, Tone::Plain, Tip::Arrow),
        ArcLabel::At(_) => ("pid at position", Stroke::Solid, Tone::Plain, Tip::Arrow),
        ArcLabel::Next => ("to its next pid", Stroke::Dotted, Tone::Grey, Tip::Arrow),
        ArcLabel::Related(relation) => match relation {
            Relation::Parent => ("parent", Stroke::Solid, Tone::Blue, Tip::Arrow),
            Relation::Ancestor => ("ancestor", Stroke::Dashed, Tone::Blue, Tip::Arrow),
            Relation::NextSibling => ("next_sibling", Stroke::Solid, Tone::Violet, Tip::Hollow),
            Relation::ElderSibling => ("elder_sibling", Stroke::Dashed, Tone::Violet, Tip::Hollow),
        },
    };
    EdgeLook::new(name, stroke, tone, head)
}

/// The graph in the language of Graphviz.
#[must_use]
pub fn layers_dot(graph: &Layers, title: &str) -> String {
    draw::dot(&drawing(graph, title, [Rank::First, Rank::Free, Rank::Last]))
}

/// The graph as a picture.
#[must_use]
pub fn layers_svg(graph: &Layers, title: &str) -> String {
    // Tokens are as near to the first layer as the places allow, which is in one row below them.
    draw::svg(&drawing(graph, title, [Rank::First, Rank::First, Rank::Free]))
}

fn drawing(graph: &Layers, title: &str, ranks: [Rank; 3]) -> Drawing {
    let mut drawing = Drawing::new(title);
    for vertex in graph.vertices() {
        let node = Node::new(look(vertex), Face::Mono, &text(vertex));
        drawing.node(node.at(ranks[vertex.layer()]));
    }
    for arc in graph.arcs() {
        let label = match arc.label {
            ArcLabel::At(position) => position.to_string(),
            ArcLabel::Holds => String::new(),
            ArcLabel::Next => "next".into(),
            ArcLabel::Related(relation) => relation.to_string(),
        };
        let (tail, head) = (NodeId(arc.source), NodeId(arc.target));
        drawing.edge(Edge::new(edge_look(arc.label), tail, head, &label));
    }
    drawing.explain();
    for (_, words) in drawing.legend.iter_mut().filter(|(_, words)| words == "token") {
        words.push_str(", its pids as ε");
    }
    drawing
}
