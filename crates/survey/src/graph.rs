//! The graph that was explored, to be drawn or written down.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::iter;
use std::sync::Arc;

use draw::{DotWriter, Drawing, EdgeLook, Face, Node, NodeId, NodeLook};
use explore::{Exploration, StateId};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use serde_json::json;
use state::{Relations, State, Value};

/// From which state, by which action, to which.
type Edge = (StateId, Arc<str>, StateId);

/// An explored graph, and how its nodes and edges are named: one node for each class of states, or for
/// each state if nothing was folded.
pub struct Graph<'a> {
    pub(crate) title: &'a str,
    pub(crate) relations: Relations,
    pub(crate) full: bool,
    pub(crate) exploration: &'a Exploration,
    pub(crate) state: Box<dyn Fn(StateId) -> State + 'a>,
    pub(crate) action: Box<dyn Fn(u32) -> Arc<str> + 'a>,
    /// An action as people read it.
    pub(crate) action_text: Box<dyn Fn(u32) -> Arc<str> + 'a>,
    /// A state as people read it.
    pub(crate) text: Box<dyn Fn(&State) -> String + 'a>,
}

impl Graph<'_> {
    /// A picture of it. Edges between the same two states share an arrow.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let mut drawing = Drawing::new(self.title);
        self.ids().for_each(|id| {
            drawing.node(self.node(id));
        });
        self.arrows().for_each(|arrow| drawing.edge(arrow));
        drawing.explain();
        drawing
    }

    /// As a picture. Of more than some hundred states it could not be read.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(&self.drawing())
    }

    /// Writes it as Graphviz text.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write_dot(&self, out: impl Write) -> io::Result<()> {
        let mut writer = DotWriter::new(self.title, out)?;
        self.ids().try_for_each(|id| writer.node(&self.node(id)))?;
        self.arrows().try_for_each(|arrow| writer.edge(&arrow))?;
        writer.finish()
    }

    /// Writes it in the Aldebaran format: `des (first, edges, states)`, then a line for each edge. The format
    /// knows no quotation marks inside names, and one first state: quotation marks become `'`, and
    /// the first is that of number 0.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write_aut(&self, mut out: impl Write) -> io::Result<()> {
        let (edges, states) = (self.exploration.edges, self.exploration.states());
        writeln!(out, "des (0, {edges}, {states})")?;
        for (source, name, target) in self.edges() {
            let name = name.replace('"', "'").replace(['\n', '\r'], " ");
            writeln!(out, "({}, \"{name}\", {})", source.0, target.0)?;
        }
        Ok(())
    }

    /// Writes it as a page to move through, in one file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write_html(&self, out: impl Write) -> io::Result<()> {
        let states = self.exploration.store.len();
        let successors = |id: u32| {
            let quotient = self.exploration.quotient.as_ref();
            let known = quotient.filter(|quotient| (id as usize) < quotient.states());
            let steps = known.into_iter().flat_map(move |known| known.successors(StateId(id)));
            steps.map(|(_, target)| target.0)
        };
        let components = check::cyclic_components(states, successors);
        let class = |id: StateId| {
            let is_initial = id.index() < self.exploration.initial().len();
            let kind = self.kind(id).map(Kind::name).filter(|kind| *kind != "unexplored");
            json!({
                "id": id.0,
                "text": (self.text)(&(self.state)(id)),
                "kind": kind.or(is_initial.then_some("initial")),
                "depth": self.exploration.depth_of(id),
                "component": components[id.index()],
                "is_grown": u64::from(id.0) < self.exploration.expanded,
            })
        };
        let edge = |arrow: draw::Edge| json!({ "from": arrow.tail.0, "to": arrow.head.0, "texts": arrow.label });
        let data = Page {
            classes: Each(|| self.ids().map(class)),
            edges: Each(|| self.arrows().map(edge)),
            at: 0,
            complete: self.exploration.complete,
            known: states,
        };
        page::write_graph_html(out, self.title, &data)
    }

    fn node(&self, id: StateId) -> Node {
        let look = match self.kind(id) {
            Some(Kind::Deadlock) => NodeLook::DEADLOCK,
            Some(Kind::Terminated) => NodeLook::TERMINATED,
            Some(Kind::Unexplored) => NodeLook::UNEXPLORED,
            None => NodeLook::STATE,
        };
        let node = Node::new(look, Face::Mono, &(self.text)(&(self.state)(id)));
        let is_initial = id.index() < self.exploration.initial().len();
        if is_initial { node.initial() } else { node }
    }

    /// The edges, those between the same two states as one.
    fn arrows(&self) -> impl Iterator<Item = draw::Edge> {
        let mut edges = self.edges_by(&self.action_text).peekable();
        let of_source = iter::from_fn(move || {
            let mut of_source = vec![edges.next()?];
            while let Some(edge) = edges.next_if(|edge| edge.0 == of_source[0].0) {
                of_source.push(edge);
            }
            of_source.sort_by_key(|&(_, _, target)| target);
            Some(of_source)
        });
        of_source.flat_map(|edges| {
            let arrow = |group: &[Edge]| {
                let mut seen = BTreeSet::new();
                let names = group.iter().map(|(_, name, _)| &**name);
                let names: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
                let [source, target] = [group[0].0, group[0].2].map(|id| NodeId(id.index()));
                draw::Edge::new(EdgeLook::STEP, source, target, &names.join("\n"))
            };
            edges.chunk_by(|a, b| a.2 == b.2).map(arrow).collect::<Vec<_>>()
        })
    }

    fn ids(&self) -> impl Iterator<Item = StateId> {
        (0..self.exploration.store.len()).map(StateId)
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.edges_by(&self.action)
    }

    fn edges_by(&self, name: &dyn Fn(u32) -> Arc<str>) -> impl Iterator<Item = Edge> {
        let edges = self.exploration.quotient.iter().flat_map(|quotient| quotient.iter());
        edges.map(move |(source, label, target)| (source, name(label), target))
    }

    fn kind(&self, id: StateId) -> Option<Kind> {
        if self.exploration.is_deadlock(id) {
            Some(Kind::Deadlock)
        } else if self.exploration.is_terminated(id) {
            Some(Kind::Terminated)
        } else if u64::from(id.0) >= self.exploration.expanded {
            Some(Kind::Unexplored)
        } else {
            None
        }
    }
}

/// The form that `kinfold graph --format json` writes, state by state.
impl Serialize for Graph<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exploration = self.exploration;
        let state = |id: StateId| {
            let mut state = (self.state)(id).to_json();
            state["id"] = id.0.into();
            state["depth"] = exploration.depth_of(id).into();
            state["kind"] = self.kind(id).map(Kind::name).into();
            state
        };
        let edge = |(source, name, target): Edge| json!({ "source": source.0, "transition": &*name, "target": target.0 });
        let names: Vec<_> = self.relations.iter().map(|relation| relation.name()).collect();
        let initial: Vec<_> = exploration.initial().map(|id| id.0).collect();
        let mut graph = serializer.serialize_struct("Graph", 8)?;
        graph.serialize_field("schema_version", &1)?;
        graph.serialize_field("model", self.title)?;
        graph.serialize_field("relations", &names)?;
        graph.serialize_field("full", &self.full)?;
        graph.serialize_field("complete", &exploration.complete)?;
        graph.serialize_field("initial", &initial)?;
        graph.serialize_field("states", &Each(|| self.ids().map(state)))?;
        graph.serialize_field("edges", &Each(|| self.edges().map(edge)))?;
        graph.end()
    }
}

/// What a page has of a graph.
#[derive(Serialize)]
struct Page<C, E> {
    classes: C,
    edges: E,
    at: u32,
    complete: bool,
    known: u32,
}

/// What an iterator gives, as a sequence.
struct Each<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plan, survey};

    #[test]
    fn an_arrow_has_each_name_once() {
        let text = "model m\nplace p = 1\nplace q\n\
                    transition a { take p  put q }\ntransition b { take p  put q }\n\
                    transition c { take p  put q }\n";
        let net = Arc::new(lang::compile(text, &[]).net.expect("a model"));
        let plan = Plan { keep_edges: true, ..Plan::default() };
        let survey = survey(&net, &plan).expect("a survey");
        let told = |label: u32| ["one", "other", "one"][label as usize].into();
        let graph = Graph { action_text: Box::new(told), ..survey.graph() };
        let mut dot = Vec::new();
        graph.write_dot(&mut dot).expect("a string");
        let dot = String::from_utf8(dot).expect("a text");
        assert_eq!((dot.matches("one").count(), dot.matches("other").count()), (1, 1), "{dot}");
    }
}
