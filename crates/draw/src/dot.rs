//! A drawing as Graphviz text.
//!
//! Every node is named `n` and its number, so no name of the model has to be an identifier. The
//! look and its name are kept: colours and shapes as Graphviz attributes, names as `class`, which
//! Graphviz passes on to SVG. Cost: linear in the drawing.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::look::{INK, class};
use super::{Border, Drawing, Edge, Face, Node, Rank, Shape, Stroke, Tip, text};

/// The drawing in the language of Graphviz.
#[must_use]
pub fn dot(drawing: &Drawing) -> String {
    let mut out = Vec::new();
    let mut write = || {
        let mut writer = DotWriter::new(&drawing.title, &mut out)?;
        drawing.nodes.iter().try_for_each(|node| writer.node(node))?;
        drawing.drawn_edges().try_for_each(|edge| writer.edge(edge))?;
        writer.finish()
    };
    write().expect("memory can be written to");
    String::from_utf8(out).expect("only text was written")
}

/// Writes Graphviz text piece by piece, for drawings that are too large to be held: first nodes, which are
/// numbered in that order, then edges.
pub struct DotWriter<W: Write> {
    out: W,
    nodes: usize,
    /// The nodes of the first and of the last rank.
    ranks: [Vec<usize>; 2],
    text: String,
}

impl<W: Write> DotWriter<W> {
    /// Begins a drawing.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn new(title: &str, out: W) -> io::Result<Self> {
        let mut text = String::from("digraph {\n  graph [fontname=\"sans-serif\"");
        if !title.is_empty() {
            text.push_str(", labelloc=t, label=");
            quoted(&[title], &mut text);
        }
        text.push_str("];\n");
        let _ = writeln!(text, "  node [fontsize=12, fontcolor=\"{INK}\", style=filled];");
        text.push_str("  edge [fontname=\"sans-serif\", fontsize=11, arrowsize=0.8];\n");
        Ok(Self { out, nodes: 0, ranks: Default::default(), text })
    }

    /// Writes the next node.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn node(&mut self, node: &Node) -> io::Result<()> {
        write_node(self.nodes, node, &mut self.text);
        match node.rank {
            Rank::First => self.ranks[0].push(self.nodes),
            Rank::Last => self.ranks[1].push(self.nodes),
            Rank::Free => {}
        }
        self.nodes += 1;
        self.flush()
    }

    /// Writes an edge between nodes that have been written.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn edge(&mut self, edge: &Edge) -> io::Result<()> {
        write_edge(edge, &mut self.text);
        self.flush()
    }

    /// Ends the drawing.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        for (members, word) in self.ranks.iter().zip(["min", "max"]) {
            if !members.is_empty() {
                let _ = write!(self.text, "  {{ rank={word};");
                for at in members {
                    let _ = write!(self.text, " n{at};");
                }
                self.text.push_str(" }\n");
            }
        }
        self.text.push_str("}\n");
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }
}

fn write_node(at: usize, node: &Node, out: &mut String) {
    let _ = write!(out, "  n{at} [label=");
    let lines: Vec<&str> = node.lines.iter().map(|line| line.text.as_str()).collect();
    quoted(&lines, out);
    let (shape, rounded) = match node.look.shape {
        Shape::Box => ("box", ""),
        Shape::Rounded => ("box", ",rounded"),
        Shape::Ellipse => ("ellipse", ""),
        Shape::Hexagon => ("hexagon", ""),
    };
    let dashed = if node.look.border == Border::Dashed { ",dashed" } else { "" };
    let font = match node.lines.first().map(|line| line.face) {
        Some(Face::Mono) => "monospace",
        Some(Face::Strong) => "sans-serif bold",
        _ => "sans-serif",
    };
    let tone = node.look.tone;
    let _ = write!(
        out,
        ", shape={shape}, style=\"filled{rounded}{dashed}\", fontname=\"{font}\", \
         color=\"{}\", fillcolor=\"{}\"",
        tone.line(),
        tone.area()
    );
    match node.look.border {
        Border::Double => out.push_str(", peripheries=2"),
        Border::Heavy => out.push_str(", penwidth=2.5"),
        Border::Single | Border::Dashed => {}
    }
    write_class(node.look.name, out);
    out.push_str("];\n");
    if node.initial {
        let _ = writeln!(out, "  i{at} [shape=point, label=\"\", color=\"{INK}\"];");
        let _ = writeln!(out, "  i{at} -> n{at} [color=\"{INK}\"];");
    }
}

fn write_edge(edge: &Edge, out: &mut String) {
    let tip = |tip: Tip| match tip {
        Tip::None => "none",
        Tip::Arrow => "normal",
        Tip::Hollow => "empty",
        Tip::Circle => "odot",
    };
    let colour = edge.look.tone.line();
    let _ = write!(
        out,
        "  n{} -> n{} [color=\"{colour}\", fontcolor=\"{colour}\", arrowhead={}",
        edge.tail.0,
        edge.head.0,
        tip(edge.look.head)
    );
    if edge.look.tail != Tip::None {
        let _ = write!(out, ", dir=both, arrowtail={}", tip(edge.look.tail));
    }
    match edge.look.stroke {
        Stroke::Solid => {}
        Stroke::Dashed => out.push_str(", style=dashed"),
        Stroke::Dotted => out.push_str(", style=dotted"),
        Stroke::Heavy => out.push_str(", penwidth=2"),
    }
    if !edge.label.is_empty() {
        out.push_str(", label=");
        quoted(&edge.label, out);
    }
    write_class(edge.look.name, out);
    out.push_str("];\n");
}

fn write_class(name: &str, out: &mut String) {
    if !name.is_empty() {
        let _ = write!(out, ", class=\"{}\"", class(name));
    }
}

fn quoted<S: AsRef<str>>(lines: &[S], out: &mut String) {
    out.push('"');
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push_str("\\n");
        }
        text::graphviz(line.as_ref(), out);
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EdgeLook, NodeLook, Sample};

    #[test]
    fn a_net_is_written_with_its_looks() {
        let mut drawing = Drawing::new("net \"N\"");
        let node = |look, text| Node::new(look, Face::Plain, text);
        let p = drawing.node(node(NodeLook::FLOW_PLACE, "p").initial());
        let q = drawing.node(node(NodeLook::PLACE, "q\nx\\y"));
        let t = drawing.node(node(NodeLook::TRANSITION, "t").at(Rank::Last));
        drawing.edge(Edge::new(EdgeLook::READ, p, t, "(x, y)\nz"));
        drawing.edge(Edge::new(EdgeLook::INHIBITOR, q, t, ""));
        let text = dot(&drawing);
        for part in [
            r#"label="net \"N\"""#,
            r#"n1 [label="q\nx\\y", shape=ellipse"#,
            "peripheries=2",
            "i0 -> n0",
            "{ rank=min; n0; }",
            "{ rank=max; n2; }",
            r#"style=dashed, label="(x, y)\nz""#,
            "arrowhead=odot",
            r#"class="flow-place""#,
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn quotes_are_balanced_whatever_the_text() {
        let mut drawing = Drawing::new("\\");
        let a = drawing.node(Node::new(NodeLook::DEADLOCK, Face::Mono, "\"\\\"\\"));
        drawing.edge(Edge::new(EdgeLook::STEP, a, a, "\\\""));
        drawing.legend.push((Sample::Initial, "\"".into()));
        let text = dot(&drawing);
        let (mut open, mut chars) = (false, text.chars());
        while let Some(c) = chars.next() {
            match c {
                '\\' if open => {
                    chars.next();
                }
                '"' => open = !open,
                '\n' => assert!(!open, "a string runs over the end of a line in\n{text}"),
                _ => {}
            }
        }
        assert!(!open);
    }

    #[test]
    fn nothing_is_still_a_graph() {
        let text = dot(&Drawing::default());
        assert!(text.starts_with("digraph {") && text.ends_with("}\n"));
    }
}
