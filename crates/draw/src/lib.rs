//! Pictures of labelled directed graphs: thread nets, quotient graphs, anything with nodes and
//! edges.
//!
//! A [`Drawing`] says *what* is to be seen: nodes with lines of text and a [`NodeLook`], edges with
//! a label and an [`EdgeLook`], a title, a legend. It says nothing of coordinates. Two renderers
//! read it:
//!
//! * [`dot()`] writes Graphviz text, for those who have Graphviz or want to edit the graph;
//! * [`svg()`] lays the graph out in layers itself and writes one self-contained SVG file, without
//!   scripts, fonts or links, so that a picture needs no other program.
//!
//! Both are functions of the drawing alone: the same drawing gives the same bytes. Any text is
//! allowed anywhere; it is escaped, and characters that XML cannot hold are replaced.
//!
//! Pictures that are no graphs (charts, plots) are drawn on a [`Sheet`] with given coordinates;
//! [`svg()`] does so too. [`xml`] escapes text for every XML document that is written.
//!
//! ```
//! use draw::{self, Drawing, Edge, EdgeLook, Face, Node, NodeLook};
//!
//! let mut drawing = Drawing::new("a door");
//! let open = drawing.node(Node::new(NodeLook::STATE, Face::Plain, "open").initial());
//! let shut = drawing.node(Node::new(NodeLook::STATE, Face::Plain, "shut"));
//! drawing.edge(Edge::new(EdgeLook::STEP, open, shut, "close"));
//! drawing.edge(Edge::new(EdgeLook::STEP, shut, open, "open"));
//! assert!(draw::svg(&drawing).starts_with("<svg"));
//! assert!(draw::dot(&drawing).contains("n0 -> n1"));
//! ```

mod dot;
mod layout;
mod legend;
mod look;
mod path;
mod sheet;
mod svg;
mod text;
pub mod xml;

pub use dot::{DotWriter, dot};
use legend::Legend;
pub use look::{Border, EdgeLook, INK, NodeLook, Shape, Stroke, Tip, Tone};
pub use path::Path;
pub use sheet::{Anchor, Font, Ink, Sheet};
pub use svg::svg;
pub use text::{cut, mono_width};

/// A node of a [`Drawing`], as [`Drawing::node`] returned it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub usize);

/// How a line of text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Face {
    /// Upright sans-serif.
    #[default]
    Plain,
    /// Bold sans-serif, for names.
    Strong,
    /// Fixed width, for states, guards and expressions.
    Mono,
}

/// One line of a node's text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// How it is set.
    pub face: Face,
}

/// Where in the direction of flow a node would like to be. A wish, not a constraint: an edge
/// between two nodes that both want to be first still goes from one layer to a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rank {
    /// Wherever its edges put it.
    #[default]
    Free,
    /// In the first layer.
    First,
    /// In the last layer.
    Last,
}

/// A node: its looks and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Shape, border and colours.
    pub look: NodeLook,
    /// The text, line by line, centred.
    pub lines: Vec<Line>,
    /// Whether an arrow from nowhere points at it.
    pub initial: bool,
    /// Where it would like to be.
    pub rank: Rank,
}

impl Node {
    /// A node of the given looks whose text has one line for each line of `text`.
    #[must_use]
    pub fn new(look: NodeLook, face: Face, text: &str) -> Self {
        let node = Self { look, lines: Vec::new(), initial: false, rank: Rank::Free };
        node.and(face, text)
    }

    /// The same node with further lines of text.
    #[must_use]
    pub fn and(mut self, face: Face, text: &str) -> Self {
        self.lines.extend(text.lines().map(|text| Line { text: text.to_owned(), face }));
        self
    }

    /// The same node, marked as initial and wanting to be first.
    #[must_use]
    pub fn initial(mut self) -> Self {
        self.initial = true;
        self.at(Rank::First)
    }

    /// The same node with a wish for its layer.
    #[must_use]
    pub fn at(mut self, rank: Rank) -> Self {
        self.rank = rank;
        self
    }
}

/// An edge: its ends, its looks and its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub tail: NodeId,
    /// Where it ends; may be `tail`.
    pub head: NodeId,
    /// Line, colour and tips.
    pub look: EdgeLook,
    /// The label, line by line; empty for none.
    pub label: Vec<String>,
}

impl Edge {
    /// An edge whose label has one line for each line of `label`.
    #[must_use]
    pub fn new(look: EdgeLook, tail: NodeId, head: NodeId, label: &str) -> Self {
        Self { tail, head, look, label: label.lines().map(str::to_owned).collect() }
    }
}

/// What an entry of the legend shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sample {
    /// A node of these looks.
    Node(NodeLook),
    /// An edge of these looks.
    Edge(EdgeLook),
    /// The arrow that marks initial nodes.
    Initial,
}

/// A graph to be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawing {
    /// What the picture shows; written above it unless empty.
    pub title: String,
    /// What is explained below it, in order.
    pub legend: Vec<(Sample, String)>,
    /// The nodes, in the order they were added.
    pub nodes: Vec<Node>,
    /// The edges. One that names a node which is not in the drawing is not drawn.
    pub edges: Vec<Edge>,
}

impl Drawing {
    /// A drawing with a title and nothing in it.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// Adds a node.
    pub fn node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// Adds an edge.
    pub fn edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Replaces the legend by one entry for each named look that occurs, in order of first
    /// occurrence: nodes, then the initial mark, then edges.
    pub fn explain(&mut self) {
        let mut legend: Vec<(Sample, String)> = Vec::new();
        let mut add = |sample: Sample, name: &str| {
            if !name.is_empty() && legend.iter().all(|(seen, _)| *seen != sample) {
                legend.push((sample, name.to_owned()));
            }
        };
        for node in &self.nodes {
            add(Sample::Node(node.look), node.look.name);
        }
        if self.nodes.iter().any(|node| node.initial) {
            add(Sample::Initial, "initial");
        }
        for edge in &self.edges {
            add(Sample::Edge(edge.look), edge.look.name);
        }
        self.legend = legend;
    }

    /// The edges both of whose ends are in the drawing.
    fn drawn_edges(&self) -> impl Iterator<Item = &Edge> {
        let count = self.nodes.len();
        self.edges.iter().filter(move |edge| edge.tail.0 < count && edge.head.0 < count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_names_each_look_once() {
        let mut drawing = Drawing::new("");
        let look = [NodeLook::FLOW_PLACE, NodeLook::FLOW_PLACE, NodeLook::TRANSITION];
        let [p, q, t] = look.map(|look| drawing.node(Node::new(look, Face::Plain, "").initial()));
        for (look, tail, head) in
            [(EdgeLook::ARC, p, t), (EdgeLook::ARC, t, q), (EdgeLook::SPAWN, t, p)]
        {
            drawing.edge(Edge::new(look, tail, head, ""));
        }
        drawing.explain();
        let names: Vec<&str> = drawing.legend.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["flow place", "transition", "initial", "arc", "spawn"]);
    }

    #[test]
    fn an_edge_to_a_missing_node_is_not_drawn() {
        let mut drawing = Drawing::new("");
        let a = drawing.node(Node::new(NodeLook::STATE, Face::Mono, "a"));
        drawing.edge(Edge::new(EdgeLook::STEP, a, NodeId(7), "gone"));
        assert_eq!(drawing.drawn_edges().count(), 0);
        assert!(!svg(&drawing).contains("gone"));
        assert!(!dot(&drawing).contains("gone"));
    }
}
