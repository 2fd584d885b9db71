//! Drawings of diagrams, for people to look at.
//!
//! A drawing has a vertex for each node and terminal, and between two vertices one edge, labelled
//! with all values that lead from the one to the other (`0, 3..7`).

mod dot;
mod layers;
mod svg;

use rustc_hash::FxHashMap;

use crate::arena::{Id, ONE, ZERO};
use crate::{Ddd, Forest, Value, Variable};

/// A diagram as a graph with texts, root first, every vertex before those it leads to.
struct Picture {
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
}

struct Vertex {
    label: String,
    terminal: bool,
}

struct Edge {
    from: usize,
    to: usize,
    label: String,
}

impl Forest {
    /// The diagram in the language of Graphviz. `name` gives the names of variables. O(arcs).
    pub fn dot(&self, d: &Ddd, name: impl Fn(Variable) -> String) -> String {
        dot::written(&self.picture(d, name))
    }

    /// The diagram as a drawing in SVG, from top to bottom. `name` gives the names of variables.
    ///
    /// Layers are laid out with a few passes over all edges, an edge that passes layers counting
    /// for each of them: for diagrams of up to some thousand nodes.
    pub fn svg(&self, d: &Ddd, name: impl Fn(Variable) -> String) -> String {
        svg::written(&self.picture(d, name))
    }

    fn picture(&self, d: &Ddd, name: impl Fn(Variable) -> String) -> Picture {
        let mut order = self.bottom_up(vec![self.diagrams.id(d)]);
        order.reverse();
        let place: FxHashMap<Id, usize> =
            order.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let vertex = |id: &Id| match *id {
            id if self.nodes.is_node(id) => {
                Vertex { label: name(self.nodes.variable(id)), terminal: false }
            }
            ZERO => Vertex { label: "0".into(), terminal: true },
            ONE => Vertex { label: "1".into(), terminal: true },
            _ => Vertex { label: "⊤".into(), terminal: true },
        };
        let vertices = order.iter().map(vertex).collect();
        let mut edges = Vec::new();
        for (from, id) in order.iter().enumerate().filter(|(_, id)| self.nodes.is_node(**id)) {
            let mut targets: Vec<(usize, Vec<Value>)> = Vec::new();
            for [value, child] in self.nodes.arcs(*id) {
                let to = place[child];
                match targets.iter_mut().find(|(known, _)| *known == to) {
                    Some((_, values)) => values.push(*value as Value),
                    None => targets.push((to, vec![*value as Value])),
                }
            }
            let labelled =
                |(to, values): (usize, Vec<Value>)| Edge { from, to, label: runs(&values) };
            edges.extend(targets.into_iter().map(labelled));
        }
        Picture { vertices, edges }
    }
}

/// Ascending values, three and more in a row as a range.
fn runs(values: &[Value]) -> String {
    let mut texts = Vec::new();
    for run in values.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
        match run {
            [first, _, .., last] => texts.push(format!("{first}..{last}")),
            _ => texts.extend(run.iter().map(Value::to_string)),
        }
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_in_a_row_are_a_range() {
        assert_eq!(super::runs(&[-1, 0, 2, 3, 4, 9]), "-1, 0, 2..4, 9");
        assert_eq!(super::runs(&[i32::MAX]), "2147483647");
    }
}
