//! A drawing as an SVG picture.
//!
//! Sizes the text, asks [`layout`] for coordinates, and draws on a [`Sheet`]. Each node and edge is a group
//! with the class of its look and a `title` that says what it is; classes may be used to restyle a picture
//! from outside.
//!
//! Cost: that of the layout.

use super::layout::{self, EdgeSpec, Frame, INITIAL_MARK, NodeSpec, Point, Request, Route, Size};
use super::look::{INK, class};
use super::sheet::LEADING;
use super::{Border, Drawing, Edge, Face, Legend, Node, Shape, Sheet, text};

/// Around the picture.
const MARGIN: f64 = 16.0;
const NODE_FONT: f64 = 12.0;
const LABEL_FONT: f64 = 11.0;
const TITLE_FONT: f64 = 15.0;

/// The drawing as one self-contained SVG document.
#[must_use]
pub fn svg(drawing: &Drawing) -> String {
    let edges: Vec<&Edge> = drawing.drawn_edges().collect();
    let request = Request {
        nodes: drawing.nodes.iter().map(node_spec).collect(),
        edges: edges.iter().map(|edge| edge_spec(edge)).collect(),
    };
    let placement = layout::place(&request);

    let title = drawing.title.as_str();
    let heading = if title.is_empty() { 0.0 } else { TITLE_FONT * LEADING + 10.0 };
    let title_width = TITLE_FONT * text::width(Face::Strong, title);
    let inner = placement.size.width.max(title_width);
    let legend = Legend::new(&drawing.legend, inner);
    let width = (inner.max(legend.width) + 2.0 * MARGIN).ceil();
    let below = if drawing.legend.is_empty() { 0.0 } else { 20.0 + legend.height };
    let height = (heading + placement.size.height + below + 2.0 * MARGIN).ceil();

    let mut sheet = Sheet::new(width, height, if title.is_empty() { "graph" } else { title });
    if !title.is_empty() {
        let at = [width / 2.0, MARGIN + TITLE_FONT * LEADING / 2.0];
        sheet.lines(at, (TITLE_FONT, INK), [(title, Face::Strong)].into_iter());
    }
    sheet.begin_at((width - placement.size.width) / 2.0, MARGIN + heading);
    // Edges first, so that a node's border is drawn over the ends of its edges.
    for (edge, route) in edges.iter().zip(&placement.edges) {
        draw_edge(&mut sheet, drawing, edge, route);
    }
    for (node, frame) in drawing.nodes.iter().zip(&placement.nodes) {
        draw_node(&mut sheet, node, frame);
    }
    sheet.end();
    if !drawing.legend.is_empty() {
        let corner = ((width - legend.width) / 2.0, height - MARGIN - legend.height);
        legend.draw(&mut sheet, corner.0, corner.1);
    }
    sheet.finish()
}

fn text_size(font: f64, lines: impl Iterator<Item = (impl AsRef<str>, Face)>) -> Size {
    lines.fold(Size { width: 0.0, height: 0.0 }, |size, (line, face)| Size {
        width: size.width.max(font * text::width(face, line.as_ref())),
        height: size.height + font * LEADING,
    })
}

fn node_spec(node: &Node) -> NodeSpec {
    let inside = text_size(NODE_FONT, node.lines.iter().map(|line| (&line.text, line.face)));
    let border = match node.look.border {
        Border::Double => 4.0,
        Border::Heavy => 1.0,
        Border::Single | Border::Dashed => 0.0,
    };
    let size = if node.look.shape == Shape::Ellipse {
        // The text's box is inscribed in the ellipse.
        let height = 1.1 * inside.height.max(NODE_FONT) + 15.0;
        let reach = (1.0 - (inside.height / height).powi(2)).sqrt();
        Size { width: (inside.width / reach + 8.0).max(height), height }
    } else {
        Size { width: (inside.width + 20.0).max(34.0), height: inside.height.max(NODE_FONT) + 12.0 }
    };
    let size = Size { width: size.width + 2.0 * border, height: size.height + 2.0 * border };
    NodeSpec { size, shape: node.look.shape, initial: node.initial, rank: node.rank }
}

fn edge_spec(edge: &Edge) -> EdgeSpec {
    let label = (!edge.label.is_empty())
        .then(|| text_size(LABEL_FONT, edge.label.iter().map(|line| (line, Face::Plain))));
    EdgeSpec { tail: edge.tail.0, head: edge.head.0, label }
}

fn draw_node(sheet: &mut Sheet, node: &Node, frame: &Frame) {
    let name: Vec<&str> = node.lines.iter().map(|line| line.text.as_str()).collect();
    let Frame { centre: Point { x, y }, size: Size { width, height } } = *frame;
    sheet.begin(&format!("node {}", class(node.look.name)), &name.join(" "));
    sheet.outline(&node.look, [x, y, width, height]);
    let lines = node.lines.iter().map(|line| (&line.text, line.face));
    sheet.lines([x, y], (NODE_FONT, INK), lines);
    if node.initial {
        let left = x - width / 2.0;
        sheet.initial_mark([left - INITIAL_MARK + 3.0, y], [left, y]);
    }
    sheet.end();
}

fn draw_edge(sheet: &mut Sheet, drawing: &Drawing, edge: &Edge, route: &Route) {
    let name = |at: usize| drawing.nodes[at].lines.first().map_or("", |line| line.text.as_str());
    let mut said = format!("{} → {}", name(edge.tail.0), name(edge.head.0));
    if !edge.label.is_empty() {
        said = format!("{said}: {}", edge.label.join(" "));
    }
    sheet.begin(&format!("edge {}", class(edge.look.name)), &said);
    let points = std::iter::once(&route.start).chain(route.pieces.iter().flatten());
    let points: Vec<[f64; 2]> = points.map(|point| [point.x, point.y]).collect();
    sheet.route(&edge.look, &points);
    if let Some(at) = route.label {
        let lines = edge.label.iter().map(|line| (line, Face::Plain));
        sheet.lines([at.x, at.y], (LABEL_FONT, edge.look.tone.line()), lines);
    }
    sheet.end();
}

#[cfg(test)]
mod tests;
