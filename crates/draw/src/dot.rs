//! A drawing as Graphviz text.
//!
//! Every node is named `n` and its number, so no name of the model has to be an identifier. The
//! look and its name are kept: colours and shapes as Graphviz attributes, names as `class`, which
//! Graphviz passes on to SVG. Cost: linear in the drawing.

use std::fmt::Write as _;

use super::look::{INK, class};
use super::{Border, Drawing, Edge, Face, Node, Rank, Shape, Stroke, Tip, text};

/// The drawing in the language of Graphviz.
#[must_use]
pub fn dot(drawing: &Drawing) -> String {
    let mut out = String::from("digraph {\n");
    out.push_str("  graph [fontname=\"sans-serif\"");
    if !drawing.title.is_empty() {
        out.push_str(", labelloc=t, label=");
        quoted(&[&drawing.title], &mut out);
    }
    out.push_str("];\n");
    let _ = writeln!(out, "  node [fontsize=12, fontcolor=\"{INK}\", style=filled];");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=11, arrowsize=0.8];\n");
    for (at, node) in drawing.nodes().iter().enumerate() {
        write_node(at, node, &mut out);
    }
    for (rank, word) in [(Rank::First, "min"), (Rank::Last, "max")] {
        let mut members =
            drawing.nodes().iter().enumerate().filter(|(_, node)| node.rank == rank).peekable();
        if members.peek().is_some() {
            let _ = write!(out, "  {{ rank={word};");
            for (at, _) in members {
                let _ = write!(out, " n{at};");
            }
            out.push_str(" }\n");
        }
    }
    for edge in drawing.drawn_edges() {
        write_edge(edge, &mut out);
    }
    out.push_str("}\n");
    out
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
    use crate::{NodeLook, Sample};

    #[test]
    fn a_net_is_written_with_its_looks() {
        let mut drawing = Drawing::new("net \"N\"");
        let p = drawing.node(Node::flow_place("p").initial());
        let q = drawing.node(Node::place("q\nx\\y"));
        let t = drawing.node(Node::transition("t").at(Rank::Last));
        drawing.edge(Edge::read(p, t, "(x, y)\nz"));
        drawing.edge(Edge::inhibitor(q, t, ""));
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
        let a = drawing.node(Node::state("\"\\\"\\").looking(NodeLook::DEADLOCK));
        drawing.edge(Edge::step(a, a, "\\\""));
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
