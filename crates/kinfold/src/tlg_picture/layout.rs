//! Where the vertices and arcs of a three-layered graph are drawn.
//!
//! Cost: arcs squared for the levels of the arcs below the pids, else the arcs but for sorting.

use std::collections::BTreeMap;

use fold::layers::{Arc, ArcLabel, Layers, Vertex};

use super::settle::settled;
use super::{FONT, HEADING, HEIGHT, LEFT, MARGIN, text};
use draw::mono_width;

/// Between neighbours in a row.
const GAP: f64 = 18.0;
/// From row to row.
const RISE: f64 = 92.0;

/// Where everything is.
pub(super) struct Layout {
    pub x: Vec<f64>,
    pub widths: Vec<f64>,
    pub width: f64,
    pub spans: Vec<Span>,
    /// How far arcs hang below the row of pids.
    pub depth: f64,
}

/// Where an arc begins and ends, and how far it hangs down (0 for arcs from row to row).
pub(super) struct Span {
    pub from: [f64; 2],
    pub to: [f64; 2],
    pub sag: f64,
}

/// An end of an arc: where it would like to be among others, the arc, and which end it is.
type End = (f64, usize, usize);

impl Layout {
    pub fn row(&self, layer: usize) -> f64 {
        HEADING + 24.0 + RISE * layer as f64
    }

    pub fn of(graph: &Layers) -> Layout {
        let vertices = graph.vertices();
        let widths: Vec<f64> = (vertices.iter())
            .map(|vertex| (mono_width(&text(vertex), FONT) + 26.0).max(44.0))
            .collect();
        let mut x = vec![0.0; vertices.len()];
        let rows = ordered_rows(graph);
        let neighbours = neighbours(graph);
        // Pids close to each other first, then all rows in turn where their neighbours pull them.
        for row in [2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0] {
            let wishes: Vec<f64> =
                rows[row].iter().map(|&at| mean(neighbours[at].iter().map(|&n| x[n]))).collect();
            let sizes: Vec<f64> = rows[row].iter().map(|&at| widths[at]).collect();
            for (&at, x_of) in rows[row].iter().zip(settled(&wishes, &sizes, GAP)) {
                x[at] = x_of;
            }
        }
        let edge = |at: usize, side: f64| x[at] + side * widths[at] / 2.0;
        let least = (0..x.len()).map(|at| edge(at, -1.0)).fold(f64::MAX, f64::min);
        let most = (0..x.len()).map(|at| edge(at, 1.0)).fold(f64::MIN, f64::max);
        let width = (most - least).max(0.0);
        x.iter_mut().for_each(|x| *x += MARGIN + LEFT - least);
        let mut layout = Layout { x, widths, width, spans: Vec::new(), depth: 10.0 };
        layout.spans = layout.routed(graph);
        layout.depth += layout.spans.iter().map(|span| span.sag).fold(0.0, f64::max);
        layout
    }

    fn routed(&self, graph: &Layers) -> Vec<Span> {
        let levels = levels(graph, &self.x);
        let ends = self.ends(graph);
        let edge =
            |at: usize, side: f64| self.row(graph.vertices()[at].layer()) + side * HEIGHT / 2.0;
        let span = |(at, arc): (usize, &Arc)| {
            let [a, b] = ends[at];
            let (sag, side) = match is_below(arc) {
                true => (13.0 + 11.0 * levels[at] as f64, 1.0),
                false => (0.0, -1.0),
            };
            Span { from: [a, edge(arc.source, 1.0)], to: [b, edge(arc.target, side)], sag }
        };
        graph.arcs().iter().enumerate().map(span).collect()
    }

    /// Where each arc begins and ends on the edges of its vertices, in an order in which arcs that need not
    /// cross do not. Arcs from row to row are in the order of what is at the other end. Of the arcs below
    /// the pids, at one pid, from left to right: short ones to the left, long ones to the left, long ones to
    /// the right, short ones to the right.
    fn ends(&self, graph: &Layers) -> Vec<[f64; 2]> {
        let x = |arc: &Arc| [self.x[arc.source], self.x[arc.target]];
        let mut ends: Vec<[f64; 2]> = graph.arcs().iter().map(x).collect();
        // By vertex and the distance of neighbours, which is another at each edge.
        let mut edges: BTreeMap<(usize, u8), Vec<End>> = BTreeMap::new();
        for (at, arc) in graph.arcs().iter().enumerate() {
            let [from, to] = x(arc);
            let [first, second] = match arc.label {
                ArcLabel::Holds => continue,
                ArcLabel::At(_) => [(15, to), (8, from)],
                ArcLabel::Next | ArcLabel::Related(_) => {
                    [(9, 1.0 / (to - from)), (9, 1.0 / (from - to))]
                }
            };
            edges.entry((arc.source, first.0)).or_default().push((first.1, at, 0));
            edges.entry((arc.target, second.0)).or_default().push((second.1, at, 1));
        }
        for ((vertex, step), mut order) in edges {
            order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let gaps = order.len() as f64 - 1.0;
            let room = (self.widths[vertex] - 22.0).min(f64::from(step) * gaps);
            let step = if gaps > 0.0 { room / gaps } else { 0.0 };
            for (nth, (_, at, end)) in order.into_iter().enumerate() {
                ends[at][end] = self.x[vertex] - room / 2.0 + step * nth as f64;
            }
        }
        ends
    }
}

fn is_below(arc: &Arc) -> bool {
    matches!(arc.label, ArcLabel::Next | ArcLabel::Related(_))
}

/// For each arc below the pids, one level more than those it spans.
fn levels(graph: &Layers, x: &[f64]) -> Vec<usize> {
    let mut levels = vec![0; graph.arcs().len()];
    let ends = |at: usize| {
        let arc = &graph.arcs()[at];
        let (a, b) = (x[arc.source], x[arc.target]);
        (a.min(b), a.max(b))
    };
    let mut below: Vec<usize> =
        (0..graph.arcs().len()).filter(|&at| is_below(&graph.arcs()[at])).collect();
    let length = |at: usize| ends(at).1 - ends(at).0;
    below.sort_by(|&a, &b| length(a).total_cmp(&length(b)).then(a.cmp(&b)));
    for (nth, &at) in below.iter().enumerate() {
        let (left, right) = ends(at);
        let inside = below[..nth].iter().filter(|&&other| {
            let (a, b) = ends(other);
            a < right && b > left
        });
        levels[at] = inside.map(|&other| levels[other] + 1).max().unwrap_or(0);
    }
    levels
}

/// The vertices of each row from left to right.
fn ordered_rows(graph: &Layers) -> [Vec<usize>; 3] {
    let vertices = graph.vertices();
    let mut pids: Vec<usize> =
        (0..vertices.len()).filter(|&at| vertices[at].layer() == 2).collect();
    let digits = |at: &usize| -> Vec<u64> {
        match &vertices[*at] {
            Vertex::Pid { pid, .. } => pid.digits().iter().map(|&d| d.into()).collect(),
            Vertex::Next { creator, number } => {
                creator.digits().iter().map(|&d| d.into()).chain([*number]).collect()
            }
            _ => Vec::new(),
        }
    };
    pids.sort_by_key(digits);
    let mut rank = vec![0.0; vertices.len()];
    pids.iter().enumerate().for_each(|(nth, &at)| rank[at] = nth as f64);
    let neighbours = neighbours(graph);
    let below = |at: usize, layer: usize| {
        neighbours[at].iter().copied().filter(move |&n| vertices[n].layer() == layer)
    };
    let of_token = |at: usize, rank: &[f64]| mean(below(at, 2).map(|n| rank[n]));
    let mut places: Vec<usize> =
        (0..vertices.len()).filter(|&at| vertices[at].layer() == 0).collect();
    let of_place = |at: &usize| mean(below(*at, 1).map(|token| of_token(token, &rank)));
    places.sort_by(|a, b| of_place(a).total_cmp(&of_place(b)).then(a.cmp(b)));
    let mut tokens = Vec::new();
    for &place in &places {
        let mut held: Vec<usize> = below(place, 1).collect();
        held.sort_by(|a, b| of_token(*a, &rank).total_cmp(&of_token(*b, &rank)).then(a.cmp(b)));
        tokens.extend(held);
    }
    [places, tokens, pids]
}

/// The vertices of the rows above and below that each vertex has arcs with.
fn neighbours(graph: &Layers) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); graph.vertices().len()];
    for arc in graph.arcs().iter().filter(|arc| !is_below(arc)) {
        neighbours[arc.source].push(arc.target);
        neighbours[arc.target].push(arc.source);
    }
    neighbours
}

/// The mean, or not a number for nothing, which is no wish.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}
