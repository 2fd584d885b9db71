//! SVG, complete in itself.

use std::fmt::Write;

use super::Picture;
use super::layers::Layout;

const LETTER: f64 = 7.5;
const HEIGHT: f64 = 24.0;
const LAYER: f64 = 72.0;
const BORDER: f64 = 16.0;

const HEAD: &str = "<style>
  text { font: 13px sans-serif; text-anchor: middle }
  .value { font-size: 11px; stroke: #fff; stroke-width: 4px; paint-order: stroke; fill: #345 }
  .node { fill: #eef3fb; stroke: #345 }
  .edge { fill: none; stroke: #89a }
</style>
";

pub(super) fn written(picture: &Picture) -> String {
    let half = |i: usize| {
        let letters = picture.vertices[i].label.chars().count() as f64;
        (letters * LETTER / 2.0 + 10.0).max(HEIGHT / 2.0)
    };
    let room = |i: usize| 2.0 * half(i) + 28.0;
    let layout = Layout::of(picture, room, |edge| LETTER * edge.label.chars().count() as f64 + 8.0);
    let point =
        |(layer, x): (usize, f64)| (x + BORDER, layer as f64 * LAYER + HEIGHT / 2.0 + BORDER);
    let width = layout.width + 2.0 * BORDER;
    let height = layout.layers.saturating_sub(1) as f64 * LAYER + HEIGHT + 2.0 * BORDER;

    let (mut edges, mut values, mut nodes) = (String::new(), String::new(), String::new());
    for (edge, bends) in picture.edges.iter().zip(&layout.bends) {
        let (x, y) = point(layout.vertices[edge.from]);
        let mut path = format!("M{x:.1},{:.1}", y + HEIGHT / 2.0);
        let (mut last_x, mut last_y) = (x, y + HEIGHT / 2.0);
        let end = layout.vertices[edge.to];
        for (i, stop) in bends.iter().chain([&end]).enumerate() {
            let (x, y) = point(*stop);
            let y = if i == bends.len() { y - HEIGHT / 2.0 } else { y };
            let middle = (last_y + y) / 2.0;
            put(
                &mut path,
                format_args!(" C{last_x:.1},{middle:.1} {x:.1},{middle:.1} {x:.1},{y:.1}"),
            );
            if i == 0 {
                // Where edges from one node have parted, and edges to one are yet to meet.
                let towards = if bends.is_empty() { 0.5 } else { 0.78 };
                let (x, y) = (mixed(last_x, x, towards), mixed(middle, y, towards - 0.5));
                let label = escaped(&edge.label);
                let text = format_args!(
                    "<text class=\"value\" x=\"{x:.1}\" y=\"{y:.1}\" dy=\".35em\">{label}</text>\n"
                );
                put(&mut values, text);
            }
            (last_x, last_y) = (x, y);
        }
        put(&mut edges, format_args!("<path class=\"edge\" d=\"{path}\"/>\n"));
    }
    for (i, vertex) in picture.vertices.iter().enumerate() {
        let (x, y) = point(layout.vertices[i]);
        let (left, top, width) = (x - half(i), y - HEIGHT / 2.0, 2.0 * half(i));
        let round = if vertex.terminal { 0.0 } else { HEIGHT / 2.0 };
        put(
            &mut nodes,
            format_args!(
                "<rect class=\"node\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
                 height=\"{HEIGHT}\" rx=\"{round}\"/>\n<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\".35em\">{}</text>\n",
                escaped(&vertex.label)
            ),
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n{HEAD}{edges}{values}{nodes}</svg>\n"
    )
}

/// A part of the way from one number to another.
fn mixed(from: f64, to: f64, part: f64) -> f64 {
    from + (to - from) * part
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string can be written");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
