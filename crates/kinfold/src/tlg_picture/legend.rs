//! The legend of a picture of a three-layered graph.

use fold::layers::{ArcLabel, Layers, Vertex};

use super::{MARGIN, edge_look, head, kind, line_ink, node_ink};
use draw::{Anchor, Font, INK, Sheet, Short};

/// What is explained below the picture: each kind of vertex and arc that occurs.
pub(super) struct Legend {
    vertices: Vec<Vertex>,
    arcs: Vec<ArcLabel>,
    pub width: f64,
    pub height: f64,
}

const ENTRY: f64 = 22.0;
const SAMPLE: f64 = 34.0;
const COLUMNS: usize = 3;
const COLUMN: f64 = 210.0;

impl Legend {
    pub fn of(graph: &Layers) -> Legend {
        let mut vertices: Vec<Vertex> = Vec::new();
        for vertex in graph.vertices() {
            if vertices.iter().all(|seen| kind(seen) != kind(vertex)) {
                vertices.push(vertex.clone());
            }
        }
        let mut arcs: Vec<ArcLabel> = Vec::new();
        for arc in graph.arcs() {
            let name = edge_look(arc.label).name;
            if !name.is_empty() && arcs.iter().all(|&seen| edge_look(seen).name != name) {
                arcs.push(arc.label);
            }
        }
        arcs.sort_unstable();
        let entries = vertices.len() + arcs.len();
        let height = entries.div_ceil(COLUMNS) as f64 * ENTRY;
        Legend { vertices, arcs, width: COLUMNS as f64 * COLUMN, height }
    }

    pub fn draw(&self, sheet: &mut Sheet, top: f64) {
        let entries = self.vertices.len() + self.arcs.len();
        let rows = entries.div_ceil(COLUMNS).max(1);
        let place = |nth: usize| {
            (MARGIN + COLUMN * (nth / rows) as f64, top + ENTRY * ((nth % rows) as f64 + 0.5))
        };
        let words = |sheet: &mut Sheet, x: f64, y: f64, words: &str| {
            sheet.text(x + SAMPLE + 8.0, y, Font::sans(11.0, INK), Anchor::Start, words);
        };
        for (nth, vertex) in self.vertices.iter().enumerate() {
            let (x, y) = place(nth);
            sheet.begin("legend", kind(vertex));
            small_outline(sheet, vertex, [x + SAMPLE / 2.0, y]);
            let note = if vertex.layer() == 1 { ", its pids as ε" } else { "" };
            words(sheet, x, y, &format!("{}{note}", kind(vertex)));
            sheet.end();
        }
        for (nth, &label) in self.arcs.iter().enumerate() {
            let ((x, y), look) = (place(self.vertices.len() + nth), edge_look(label));
            sheet.begin("legend", look.name);
            let path = format!("M{} {}H{}", Short(x), Short(y), Short(x + SAMPLE - 4.0));
            sheet.path(&path, line_ink(&look));
            head(sheet, &look, [x, y], [x + SAMPLE, y]);
            words(sheet, x, y, look.name);
            sheet.end();
        }
    }
}

/// A vertex without text, for the legend.
fn small_outline(sheet: &mut Sheet, vertex: &Vertex, [x, y]: [f64; 2]) {
    let ink = node_ink(vertex);
    let (w, h) = (SAMPLE / 2.0, 7.5);
    match vertex {
        Vertex::Place(_) => sheet.ellipse([x, y, w, h], ink),
        Vertex::Token { .. } => sheet.rectangle([x - w, y - h, SAMPLE, 15.0], 0.0, ink),
        Vertex::Pid { .. } | Vertex::Next { .. } => {
            let path = format!(
                "M{} {}l6 -7.5h{}l6 7.5l-6 7.5h-{}Z",
                Short(x - w),
                Short(y),
                Short(SAMPLE - 12.0),
                Short(SAMPLE - 12.0)
            );
            sheet.path(&path, ink);
        }
    }
}
