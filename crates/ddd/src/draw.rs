//! Drawings of diagrams, for people to look at.
//!
//! A drawing has a vertex for each node and terminal, and between two vertices one edge, labelled
//! with all values that lead from the one to the other (`0, 3..7`).

use draw::{Border, Shape, Stroke, Tip, Tone};
use draw::{Drawing, Edge, EdgeLook, Face, Node, NodeId, NodeLook, Rank};
use rustc_hash::FxHashMap;

use crate::arena::{Id, ONE, ZERO};
use crate::{Ddd, Forest, Value, Variable};

const NODE: NodeLook = NodeLook::new("node", Shape::Ellipse, Border::Single, Tone::Blue);
const TERMINAL: NodeLook = NodeLook::new("terminal", Shape::Box, Border::Single, Tone::Grey);
const ARC: EdgeLook = EdgeLook::new("arc", Stroke::Solid, Tone::Grey, Tip::Arrow);

impl Forest {
    /// The diagram in the language of Graphviz. `name` gives the names of variables. O(arcs).
    pub fn dot(&self, d: &Ddd, name: impl Fn(Variable) -> String) -> String {
        draw::dot(&self.drawing(d, name))
    }

    /// The diagram as a picture in SVG, from top to bottom. `name` gives the names of variables.
    ///
    /// The layout is for diagrams of up to some hundred nodes; larger ones could not be read.
    pub fn svg(&self, d: &Ddd, name: impl Fn(Variable) -> String) -> String {
        draw::svg(&self.drawing(d, name))
    }

    /// The diagram as a graph to be drawn. `name` gives the names of variables. O(arcs).
    pub fn drawing(&self, d: &Ddd, name: impl Fn(Variable) -> String) -> Drawing {
        let mut order = self.bottom_up(vec![self.diagrams.id(d)]);
        order.reverse();
        let place: FxHashMap<Id, NodeId> =
            order.iter().enumerate().map(|(i, id)| (*id, NodeId(i))).collect();
        let mut drawing = Drawing::default();
        for id in &order {
            let terminal = |text: &str| Node::new(TERMINAL, Face::Plain, text).at(Rank::Last);
            drawing.node(match *id {
                id if self.nodes.is_node(id) => {
                    Node::new(NODE, Face::Plain, &name(self.nodes.variable(id)))
                }
                ZERO => terminal("0"),
                ONE => terminal("1"),
                _ => terminal("⊤"),
            });
        }
        for id in order.iter().filter(|id| self.nodes.is_node(**id)) {
            let mut targets: Vec<(NodeId, Vec<Value>)> = Vec::new();
            for [value, child] in self.nodes.arcs(*id) {
                let to = place[child];
                match targets.iter_mut().find(|(known, _)| *known == to) {
                    Some((_, values)) => values.push(*value as Value),
                    None => targets.push((to, vec![*value as Value])),
                }
            }
            for (to, values) in targets {
                drawing.edge(Edge::new(ARC, place[id], to, &runs(&values)));
            }
        }
        drawing
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
