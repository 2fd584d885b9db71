//! Pictures of three-layered graphs, as in figure 4 of Klaudel et al. (2008): places above, tokens in
//! the middle, pids below, next pids grey.
//!
//! [`layers_svg`] lays the graph out itself. Pids stand in the order of their names, in which a thread
//! is followed by its children, so that arcs drawn under the row do not cross where the relation is
//! that of a forest. Tokens stand near their pids and places near their tokens: the positions that are
//! nearest to the wished-for ones in the sense of least squares (`settle`). [`layers_drawing`] gives
//! Graphviz the same graph with its three ranks.
//!
//! The names of the pids are written for people; they are no part of the graph.

mod layout;
mod settle;

use fold::layers::{Arc, ArcLabel, Layers, Vertex};
use state::{Relation, Value};

use draw::{
    Anchor, Border, Drawing, Edge, EdgeLook, Face, Font, INK, Ink, Legend, Node, NodeId, NodeLook,
    Rank, Shape, Sheet, Stroke, Tip, Tone, mono_width,
};
use layout::{Layout, Span};

const FONT: f64 = 12.0;
const SMALL: f64 = 10.0;
const HEIGHT: f64 = 26.0;
/// Room for the names of the rows.
const LEFT: f64 = 78.0;
const MARGIN: f64 = 16.0;
const HEADING: f64 = 44.0;
/// Behind each row.
const BAND: &str = "#f6f7f9";

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

/// What kind of vertex it is, as the legend has it.
fn kind(vertex: &Vertex) -> &'static str {
    match vertex {
        Vertex::Place(_) => "place",
        Vertex::Token { .. } => "token",
        Vertex::Pid { active: true, .. } => "active pid",
        Vertex::Pid { active: false, .. } => "pid of no active thread",
        Vertex::Next { .. } => "next pid",
    }
}

fn look(vertex: &Vertex) -> NodeLook {
    let look = |shape, border, tone| NodeLook { name: kind(vertex), shape, border, tone };
    match vertex {
        Vertex::Place(_) => look(Shape::Ellipse, Border::Single, Tone::Plain),
        Vertex::Token { .. } => look(Shape::Box, Border::Single, Tone::Plain),
        Vertex::Pid { active: true, .. } => look(Shape::Hexagon, Border::Heavy, Tone::Blue),
        Vertex::Pid { active: false, .. } => look(Shape::Hexagon, Border::Single, Tone::Plain),
        Vertex::Next { .. } => look(Shape::Hexagon, Border::Dashed, Tone::Grey),
    }
}

fn edge_look(label: ArcLabel) -> EdgeLook {
    let look = |name, stroke, tone, head| EdgeLook { name, stroke, tone, tail: Tip::None, head };
    match label {
        ArcLabel::Holds => look("", Stroke::Solid, Tone::Plain, Tip::Arrow),
        ArcLabel::At(_) => look("pid at position", Stroke::Solid, Tone::Plain, Tip::Arrow),
        ArcLabel::Next => look("to its next pid", Stroke::Dotted, Tone::Grey, Tip::Arrow),
        ArcLabel::Related(relation) => match relation {
            Relation::Parent => look("parent", Stroke::Solid, Tone::Blue, Tip::Arrow),
            Relation::Ancestor => look("ancestor", Stroke::Dashed, Tone::Blue, Tip::Arrow),
            Relation::NextSibling => look("next_sibling", Stroke::Solid, Tone::Violet, Tip::Hollow),
            Relation::ElderSibling => {
                look("elder_sibling", Stroke::Dashed, Tone::Violet, Tip::Hollow)
            }
        },
    }
}

/// The graph for Graphviz: places in the first rank, pids in the last.
#[must_use]
pub fn layers_drawing(graph: &Layers, title: &str) -> Drawing {
    let mut drawing = Drawing::new(title);
    for vertex in graph.vertices() {
        let rank = [Rank::First, Rank::Free, Rank::Last][vertex.layer()];
        drawing.node(Node::new(look(vertex), Face::Mono, &text(vertex)).at(rank));
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
    drawing
}

/// The graph as a picture.
#[must_use]
pub fn layers_svg(graph: &Layers, title: &str) -> String {
    let layout = Layout::of(graph);
    let mut entries = layers_drawing(graph, title).legend;
    for (_, words) in entries.iter_mut().filter(|(_, words)| words == "token") {
        words.push_str(", its pids as ε");
    }
    let legend = Legend::new(&entries, layout.width + LEFT);
    let title_width = mono_width(title, 14.0);
    let width = (layout.width + LEFT).max(legend.width).max(title_width) + 2.0 * MARGIN;
    let below = layout.row(2) + HEIGHT / 2.0 + layout.depth;
    let height = below + 20.0 + legend.height + MARGIN;
    let mut sheet = Sheet::new(width, height, title);
    sheet.text(MARGIN, MARGIN + 8.0, Font::sans(14.0, INK).bold(), Anchor::Start, title);
    for (row, name) in ["places", "tokens", "pids"].into_iter().enumerate() {
        let (y, deeper) = (layout.row(row), if row == 2 { layout.depth } else { 0.0 });
        let band = [MARGIN / 2.0, y - 24.0, width - MARGIN, 54.0 + deeper];
        sheet.rectangle(band, 6.0, Ink::area(BAND));
        sheet.text(MARGIN, y, Font::sans(11.0, Tone::Grey.line()), Anchor::Start, name);
    }
    for (arc, span) in graph.arcs().iter().zip(&layout.spans) {
        draw_arc(&mut sheet, graph, arc, span);
    }
    for (at, vertex) in graph.vertices().iter().enumerate() {
        let said = format!("{} {}", kind(vertex), text(vertex));
        sheet.begin(["place", "token", "pid"][vertex.layer()], &said);
        let (x, y) = (layout.x[at], layout.row(vertex.layer()));
        sheet.outline(&look(vertex), [x, y, layout.widths[at], HEIGHT]);
        sheet.text(x, y, Font::mono(FONT, INK), Anchor::Middle, &text(vertex));
        sheet.end();
    }
    legend.draw(&mut sheet, MARGIN, below + 20.0);
    sheet.finish()
}

fn draw_arc(sheet: &mut Sheet, graph: &Layers, arc: &Arc, span: &Span) {
    let said = match arc.label {
        ArcLabel::Holds => "holds".to_owned(),
        ArcLabel::At(position) => format!("has at position {position}"),
        ArcLabel::Next => "would next create".to_owned(),
        ArcLabel::Related(relation) => format!("is {relation} of"),
    };
    let [a, b] = [arc.source, arc.target].map(|at| text(&graph.vertices()[at]));
    sheet.begin("arc", &format!("{a} {said} {b}"));
    let ([x1, y1], [x2, y2]) = (span.from, span.to);
    // A cubic curve goes three quarters of the way to its control points.
    let bend = if span.sag > 0.0 { span.sag * 4.0 / 3.0 } else { (y2 - y1) * 0.5 };
    let up = if span.sag > 0.0 { bend } else { -bend };
    let curve = [[x1, y1], [x1, y1 + bend], [x2, y2 + up], [x2, y2]];
    sheet.route(&edge_look(arc.label), &curve);
    if let ArcLabel::At(position) = arc.label {
        // Close to the token, where its arcs are still apart.
        let (x, y) = (x1 + (x2 - x1) * 0.03, y1 + 10.0);
        let number = position.to_string();
        let w = mono_width(&number, SMALL) + 4.0;
        sheet.rectangle([x - w / 2.0, y - 5.5, w, 11.0], 3.0, Ink::area(BAND));
        sheet.text(x, y, Font::mono(SMALL, Tone::Plain.line()), Anchor::Middle, &number);
    }
    sheet.end();
}
