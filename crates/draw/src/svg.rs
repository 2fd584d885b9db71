//! A drawing as an SVG picture.
//!
//! Sizes the text, asks [`layout`] for coordinates, and writes them down. The picture stands alone:
//! presentation attributes rather than style sheets, arrowheads as shapes rather than markers, no
//! identifiers (so that several pictures can be put into one page), no scripts. Each node and edge
//! is a group with the class of its look and a `title` that says what it is; classes may be used to
//! restyle a picture from outside.
//!
//! Cost: that of the layout.

mod marks;

use super::layout::{self, EdgeSpec, Frame, INITIAL_MARK, NodeSpec, Point, Request, Route, Size};
use super::look::{INK, class};
use super::{Border, Direction, Drawing, Edge, Face, Node, Sample, Shape, text};
use marks::Pen;

/// Around the picture.
const MARGIN: f64 = 16.0;
const NODE_FONT: f64 = 12.0;
const LABEL_FONT: f64 = 11.0;
const TITLE_FONT: f64 = 15.0;
/// The height of a line in multiples of the font size.
const LEADING: f64 = 1.3;
/// From the middle of a line down to its baseline, in multiples of the font size.
const BASELINE: f64 = 0.35;

/// The drawing as one self-contained SVG document.
#[must_use]
pub fn svg(drawing: &Drawing) -> String {
    let edges: Vec<&Edge> = drawing.drawn_edges().collect();
    let request = Request {
        direction: drawing.direction,
        nodes: drawing.nodes().iter().map(node_spec).collect(),
        edges: edges.iter().map(|edge| edge_spec(edge)).collect(),
    };
    let placement = layout::place(&request);

    let heading = if drawing.title.is_empty() { 0.0 } else { TITLE_FONT * LEADING + 10.0 };
    let title_width = TITLE_FONT * text::width(Face::Strong, &drawing.title);
    let inner = placement.size.width.max(title_width);
    let legend = legend(drawing, inner);
    let inner = inner.max(legend.size.width);
    let below = if drawing.legend.is_empty() { 0.0 } else { 20.0 + legend.size.height };
    let whole = Size {
        width: (inner + 2.0 * MARGIN).ceil(),
        height: (heading + placement.size.height + below + 2.0 * MARGIN).ceil(),
    };

    let mut pen = Pen::new(whole, &drawing.title);
    if !drawing.title.is_empty() {
        let at = Point { x: whole.width / 2.0, y: MARGIN + TITLE_FONT * LEADING / 2.0 };
        pen.text(at, TITLE_FONT, INK, "middle", &[(drawing.title.as_str(), Face::Strong)]);
    }
    pen.begin_shifted(Point { x: (whole.width - placement.size.width) / 2.0, y: MARGIN + heading });
    // Edges first, so that a node's border is drawn over the ends of its edges.
    for (edge, route) in edges.iter().zip(&placement.edges) {
        draw_edge(&mut pen, drawing, edge, route);
    }
    for (node, frame) in drawing.nodes().iter().zip(&placement.nodes) {
        draw_node(&mut pen, node, frame, drawing.direction);
    }
    pen.end();
    if !drawing.legend.is_empty() {
        pen.begin_shifted(Point {
            x: (whole.width - legend.size.width) / 2.0,
            y: whole.height - MARGIN - legend.size.height,
        });
        legend.draw(&mut pen, drawing);
        pen.end();
    }
    pen.finish()
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
    let round = node.look.shape == Shape::Ellipse;
    let size = if round {
        // The text's box is inscribed in the ellipse.
        let height = 1.1 * inside.height.max(NODE_FONT) + 15.0;
        let reach = (1.0 - (inside.height / height).powi(2)).sqrt();
        Size { width: (inside.width / reach + 8.0).max(height), height }
    } else {
        Size { width: (inside.width + 20.0).max(34.0), height: inside.height.max(NODE_FONT) + 12.0 }
    };
    let size = Size { width: size.width + 2.0 * border, height: size.height + 2.0 * border };
    NodeSpec { size, round, initial: node.initial, rank: node.rank }
}

fn edge_spec(edge: &Edge) -> EdgeSpec {
    let label = (!edge.label.is_empty())
        .then(|| text_size(LABEL_FONT, edge.label.iter().map(|line| (line, Face::Plain))));
    EdgeSpec { tail: edge.tail.0, head: edge.head.0, label }
}

fn draw_node(pen: &mut Pen, node: &Node, frame: &Frame, direction: Direction) {
    let name: Vec<&str> = node.lines.iter().map(|line| line.text.as_str()).collect();
    let said = if node.hint.is_empty() { name.join(" ") } else { node.hint.clone() };
    pen.begin(&format!("node {}", class(node.look.name)), &said);
    pen.outline(&node.look, frame);
    let lines: Vec<(&str, Face)> =
        node.lines.iter().map(|line| (line.text.as_str(), line.face)).collect();
    pen.text(frame.centre, NODE_FONT, INK, "middle", &lines);
    if node.initial {
        let Frame { centre, size } = *frame;
        let (from, to) = match direction {
            Direction::Down => {
                let x = centre.x - size.width / 2.0;
                (Point { x: x - INITIAL_MARK + 3.0, y: centre.y }, Point { x, y: centre.y })
            }
            Direction::Right => {
                let y = centre.y - size.height / 2.0;
                (Point { x: centre.x, y: y - INITIAL_MARK + 3.0 }, Point { x: centre.x, y })
            }
        };
        pen.initial_mark(from, to);
    }
    pen.end();
}

fn draw_edge(pen: &mut Pen, drawing: &Drawing, edge: &Edge, route: &Route) {
    let name = |at: usize| drawing.nodes()[at].lines.first().map_or("", |line| line.text.as_str());
    let mut said = format!("{} → {}", name(edge.tail.0), name(edge.head.0));
    if !edge.label.is_empty() {
        said = format!("{said}: {}", edge.label.join(" "));
    }
    pen.begin(&format!("edge {}", class(edge.look.name)), &said);
    pen.route(&edge.look, route);
    if let Some(at) = route.label {
        let lines: Vec<(&str, Face)> =
            edge.label.iter().map(|line| (line.as_str(), Face::Plain)).collect();
        pen.text(at, LABEL_FONT, edge.look.tone.line(), "middle", &lines);
    }
    pen.end();
}

/// The legend in rows: where each entry begins, and how large it is.
struct Legend {
    corners: Vec<Point>,
    size: Size,
}

const SAMPLE: Size = Size { width: 30.0, height: 16.0 };
const ENTRY_HEIGHT: f64 = 22.0;
const ENTRY_GAP: f64 = 22.0;

/// Arranges the legend to the width of the picture, or a readable one if that is small.
fn legend(drawing: &Drawing, width: f64) -> Legend {
    let limit = width.max(340.0);
    let mut legend = Legend { corners: Vec::new(), size: Size { width: 0.0, height: 0.0 } };
    let (mut x, mut y) = (0.0, 0.0);
    for (_, words) in &drawing.legend {
        let width = SAMPLE.width + 7.0 + LABEL_FONT * text::width(Face::Plain, words);
        if x > 0.0 && x + width > limit {
            (x, y) = (0.0, y + ENTRY_HEIGHT);
        }
        legend.corners.push(Point { x, y });
        legend.size.width = legend.size.width.max(x + width);
        legend.size.height = y + ENTRY_HEIGHT;
        x += width + ENTRY_GAP;
    }
    legend
}

impl Legend {
    fn draw(&self, pen: &mut Pen, drawing: &Drawing) {
        for ((sample, words), corner) in drawing.legend.iter().zip(&self.corners) {
            let middle = corner.y + ENTRY_HEIGHT / 2.0;
            let from = Point { x: corner.x, y: middle };
            let to = Point { x: corner.x + SAMPLE.width, y: middle };
            pen.begin("legend", "");
            match sample {
                Sample::Node(look) => {
                    let centre = Point { x: corner.x + SAMPLE.width / 2.0, y: middle };
                    pen.outline(look, &Frame { centre, size: SAMPLE });
                }
                Sample::Edge(look) => {
                    let third = SAMPLE.width / 3.0;
                    let control = |x: f64| Point { x, y: middle };
                    let pieces = vec![[control(from.x + third), control(to.x - third), to]];
                    pen.route(look, &Route { start: from, pieces, label: None });
                }
                Sample::Initial => pen.initial_mark(from, to),
            }
            let at = Point { x: to.x + 7.0, y: middle };
            pen.text(at, LABEL_FONT, INK, "start", &[(words.as_str(), Face::Plain)]);
            pen.end();
        }
    }
}

#[cfg(test)]
mod tests;
