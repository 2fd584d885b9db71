//! Graphviz.

use std::fmt::Write;

use super::Picture;

pub(super) fn written(picture: &Picture) -> String {
    let mut out = String::from("digraph ddd {\n");
    for (i, vertex) in picture.vertices.iter().enumerate() {
        let shape = if vertex.terminal { "box" } else { "ellipse" };
        let label = quoted(&vertex.label);
        writeln!(out, "  n{i} [label={label}, shape={shape}];").expect("a string can be written");
    }
    for edge in &picture.edges {
        let (from, to, label) = (edge.from, edge.to, quoted(&edge.label));
        writeln!(out, "  n{from} -> n{to} [label={label}];").expect("a string can be written");
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
