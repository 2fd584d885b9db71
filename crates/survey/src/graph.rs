//! The graph that was explored, to be drawn or written down.

use std::fmt::Write;
use std::sync::Arc;

use explore::{Exploration, StateId};
use serde_json::{Value as Json, json};
use state::{Relations, State, Value};

use draw::{self, Drawing, Edge, Node, NodeId, NodeLook};

/// An explored graph, and how its nodes and edges are named: one node for each class of states, or for
/// each state if nothing was folded.
pub struct Graph<'a> {
    pub(crate) title: &'a str,
    pub(crate) relations: Relations,
    pub(crate) full: bool,
    pub(crate) exploration: &'a Exploration,
    pub(crate) state: Box<dyn Fn(StateId) -> State + 'a>,
    pub(crate) action: Box<dyn Fn(u32) -> Arc<str> + 'a>,
    /// A state as people read it.
    pub(crate) text: Box<dyn Fn(&State) -> String + 'a>,
}

impl Graph<'_> {
    /// A picture of it. Edges between the same two states share an arrow.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let mut drawing = Drawing::new(self.title);
        for id in self.ids() {
            let node = Node::state(&(self.text)(&(self.state)(id)));
            let node = match self.kind(id) {
                Some(Kind::Deadlock) => node.looking(NodeLook::DEADLOCK),
                Some(Kind::Terminated) => node.looking(NodeLook::TERMINATED),
                Some(Kind::Unexplored) => node.looking(NodeLook::UNEXPLORED),
                None => node,
            };
            let is_initial = id.index() < self.exploration.initial().len();
            drawing.node(if is_initial { node.initial() } else { node });
        }
        let mut edges: Vec<_> = self.edges().collect();
        edges.sort_by_key(|&(source, _, target)| (source, target));
        for group in edges.chunk_by(|a, b| (a.0, a.2) == (b.0, b.2)) {
            let names: Vec<&str> = group.iter().map(|(_, name, _)| &**name).collect();
            let (source, _, target) = group[0];
            let ends = [source, target].map(|id| NodeId(id.index()));
            drawing.edge(Edge::step(ends[0], ends[1], &names.join("\n")));
        }
        drawing.explain();
        drawing
    }

    /// As Graphviz text.
    #[must_use]
    pub fn dot(&self) -> String {
        draw::dot(&self.drawing())
    }

    /// As a picture. Of more than some hundred states it could not be read.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(&self.drawing())
    }

    /// In the Aldebaran format: `des (first, edges, states)`, then a line for each edge. The format
    /// knows no quotation marks inside names, and one first state: quotation marks become `'`, and
    /// the first is that of number 0.
    #[must_use]
    pub fn aut(&self) -> String {
        let Exploration { edges, states, .. } = self.exploration;
        let mut text = format!("des (0, {edges}, {states})\n");
        for (source, name, target) in self.edges() {
            let name = name.replace('"', "'").replace(['\n', '\r'], " ");
            writeln!(text, "({}, \"{name}\", {})", source.0, target.0)
                .expect("strings do not fail");
        }
        text
    }

    /// As JSON, in the form that `kinfold graph --format json` writes.
    #[must_use]
    pub fn json(&self) -> Json {
        let exploration = self.exploration;
        let state = |id: StateId| {
            let mut state = (self.state)(id).to_json();
            state["id"] = id.0.into();
            state["depth"] = exploration.depth_of(id).into();
            state["kind"] = self.kind(id).map(Kind::name).into();
            state
        };
        let edge = |(source, name, target): (StateId, Arc<str>, StateId)| json!({ "source": source.0, "transition": &*name, "target": target.0 });
        json!({
            "schema_version": 1,
            "model": self.title,
            "relations": self.relations.iter().map(|r| r.name()).collect::<Vec<_>>(),
            "full": self.full,
            "complete": exploration.complete,
            "initial": exploration.initial().map(|id| id.0).collect::<Vec<_>>(),
            "states": self.ids().map(state).collect::<Json>(),
            "edges": self.edges().map(edge).collect::<Json>(),
        })
    }

    fn ids(&self) -> impl Iterator<Item = StateId> {
        (0..self.exploration.states as u32).map(StateId)
    }

    fn edges(&self) -> impl Iterator<Item = (StateId, Arc<str>, StateId)> {
        let edges = self.exploration.quotient.iter().flat_map(|quotient| quotient.iter());
        edges.map(|(source, label, target)| (source, (self.action)(label), target))
    }

    fn kind(&self, id: StateId) -> Option<Kind> {
        if self.exploration.deadlock_ids.binary_search(&id).is_ok() {
            Some(Kind::Deadlock)
        } else if self.exploration.terminated_ids.binary_search(&id).is_ok() {
            Some(Kind::Terminated)
        } else if u64::from(id.0) >= self.exploration.expanded {
            Some(Kind::Unexplored)
        } else {
            None
        }
    }
}

/// What is special about a state.
#[derive(Clone, Copy)]
enum Kind {
    Deadlock,
    Terminated,
    Unexplored,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Deadlock => "deadlock",
            Kind::Terminated => "terminated",
            Kind::Unexplored => "unexplored",
        }
    }
}

/// A state with one line for each marked place, in the order of the places given.
#[must_use]
pub fn state_text<'p>(places: impl IntoIterator<Item = &'p Arc<str>>, state: &State) -> String {
    let mut lines = Vec::new();
    for place in places {
        let tokens = state.tokens(place).map(|(token, count)| {
            let values: Vec<String> = token.iter().map(Value::to_string).collect();
            let text = match values.as_slice() {
                [] => return count.to_string(),
                [value] => value.clone(),
                _ => format!("({})", values.join(", ")),
            };
            if count > 1 { format!("{count}×{text}") } else { text }
        });
        let tokens: Vec<String> = tokens.collect();
        if !tokens.is_empty() {
            lines.push(format!("{place}: {}", tokens.join(" ")));
        }
    }
    if lines.is_empty() { "∅".to_owned() } else { lines.join("\n") }
}
