//! Three-layered graphs: a state as a labelled directed graph.
//!
//! The definition is that of Klaudel et al. (2008, Def. 8; 2009, Def. 3.2). The first layer has the
//! places that hold a token, the second the tokens, the third the pids; arcs go from a place to its
//! tokens, from a token to the pid at each of its positions, and between pids that are related. Names
//! of pids are no part of the labels, so that two states are equivalent exactly when their graphs are
//! isomorphic. [`Layers`] keeps the names beside the labels, for people.
//!
//! Where the papers' graphs say too little, this one says more:
//!
//! - a present pid's label says whether it is *active*: with few relations nothing else would;
//! - the arc from an active pid to its *next* pid is there whatever Ω is;
//! - `ancestor` and `elder_sibling`, when in Ω, have arcs of their own between the pids that are there,
//!   since the pids in between, along which closures could be followed, may be gone;
//! - one pid at two positions of a token, or two relations between two pids, are two arcs.
//!
//! And where they say more than is needed, less: copies of one token are one vertex whose label counts
//! them. `parent` and `ancestor` relate present pids only, the sibling relations present and next ones.
//!
//! Building the graph costs its size, but for hashing and sorting; the length of pids counts towards it.

mod difference;

use std::collections::{BTreeMap, HashMap, HashSet};

use state::{Pid, Relation, Relations, State, Token, Value};

pub use difference::difference;

/// A vertex, with the names that its label leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// First layer: a place.
    Place(std::sync::Arc<str>),
    /// Second layer: a token, and how many copies of it there are.
    Token {
        /// The token.
        token: Token,
        /// How often it is in its place.
        count: u32,
    },
    /// Third layer: a pid that is present.
    Pid {
        /// The pid.
        pid: Pid,
        /// Whether it is that of a thread that has not ended.
        active: bool,
    },
    /// Third layer: the pid that an active thread would create next.
    Next {
        /// The active thread.
        creator: Pid,
        /// Which of its children that would be. A thread that has used up all numbers of children
        /// still has a next pid in the graph.
        number: u64,
    },
}

/// What isomorphisms keep of a vertex.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label<'a> {
    /// The name of the place.
    Place(&'a str),
    /// The token with its pids blanked, and the number of its copies.
    Token(Vec<Option<&'a Value>>, u32),
    /// Whether the pid is active.
    Pid(bool),
    /// Nothing but being a next pid.
    Next,
}

impl Vertex {
    /// What isomorphisms keep of it.
    #[must_use]
    pub fn label(&self) -> Label<'_> {
        match self {
            Vertex::Place(name) => Label::Place(name),
            Vertex::Token { token, count } => Label::Token(blanked(token), *count),
            Vertex::Pid { active, .. } => Label::Pid(*active),
            Vertex::Next { .. } => Label::Next,
        }
    }

    /// The layer it is in, counted from 0.
    #[must_use]
    pub fn layer(&self) -> usize {
        match self {
            Vertex::Place(_) => 0,
            Vertex::Token { .. } => 1,
            Vertex::Pid { .. } | Vertex::Next { .. } => 2,
        }
    }
}

/// A token without its pids: `None` where one stands.
fn blanked(token: &[Value]) -> Vec<Option<&Value>> {
    token.iter().map(|value| value.as_pid().is_none().then_some(value)).collect()
}

/// What an arc says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArcLabel {
    /// The place holds the token.
    Holds,
    /// The pid stands at this position of the token, counted from 0.
    At(usize),
    /// The second pid is the next pid of the first.
    Next,
    /// The pids are related.
    Related(Relation),
}

/// An arc between two vertices, which are given by their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arc {
    /// Where it starts.
    pub source: usize,
    /// Where it ends.
    pub target: usize,
    /// What it says.
    pub label: ArcLabel,
}

/// The three-layered graph of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    relations: Relations,
    vertices: Vec<Vertex>,
    arcs: Vec<Arc>,
}

impl Layers {
    /// The graph of `state` when `relations` are observed.
    #[must_use]
    pub fn new(state: &State, relations: Relations) -> Layers {
        let mut graph = Layers { relations, vertices: Vec::new(), arcs: Vec::new() };
        let places: Vec<(usize, &str)> = state
            .marked()
            .map(|place| (graph.vertex(Vertex::Place(place.clone())), &**place))
            .collect();
        let mut tokens = Vec::new();
        for (at, place) in places {
            for (token, count) in state.tokens(place) {
                let vertex = graph.vertex(Vertex::Token { token: token.clone(), count });
                graph.arc(at, vertex, ArcLabel::Holds);
                tokens.push((vertex, token));
            }
        }
        let pids: Vec<Pid> = state.pids().into_iter().collect();
        let mut index = HashMap::new();
        for pid in &pids {
            let active = state.eta().contains_key(pid);
            index.insert(pid.digits(), graph.vertex(Vertex::Pid { pid: pid.clone(), active }));
        }
        for (vertex, token) in tokens {
            for (position, pid) in token.iter().enumerate() {
                if let Some(pid) = pid.as_pid() {
                    graph.arc(vertex, index[pid.digits()], ArcLabel::At(position));
                }
            }
        }
        // Siblings, next pids among them, by what they have in common.
        let mut groups: HashMap<&[u32], Vec<(u64, usize)>> = HashMap::new();
        for pid in &pids {
            let sibling = (u64::from(pid.last()), index[pid.digits()]);
            groups.entry(pid.group()).or_default().push(sibling);
        }
        for (creator, &children) in state.eta() {
            let number = u64::from(children) + 1;
            let vertex = graph.vertex(Vertex::Next { creator: creator.clone(), number });
            graph.arc(index[creator.digits()], vertex, ArcLabel::Next);
            groups.entry(creator.digits()).or_default().push((number, vertex));
        }
        graph.relate_descendants(&pids, &index);
        groups.into_values().for_each(|group| graph.relate_siblings(group));
        graph.arcs.sort_unstable();
        graph
    }

    fn vertex(&mut self, vertex: Vertex) -> usize {
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }

    fn arc(&mut self, source: usize, target: usize, label: ArcLabel) {
        self.arcs.push(Arc { source, target, label });
    }

    fn relate_descendants(&mut self, pids: &[Pid], index: &HashMap<&[u32], usize>) {
        let parent = self.relations.contains(Relation::Parent);
        let ancestor = self.relations.contains(Relation::Ancestor);
        for pid in pids {
            let (digits, target) = (pid.digits(), index[pid.digits()]);
            let shortest = if ancestor { 1 } else { digits.len().saturating_sub(1).max(1) };
            for length in shortest..digits.len() {
                let Some(&source) = index.get(&digits[..length]) else { continue };
                if ancestor {
                    self.arc(source, target, ArcLabel::Related(Relation::Ancestor));
                }
                if parent && length + 1 == digits.len() {
                    self.arc(source, target, ArcLabel::Related(Relation::Parent));
                }
            }
        }
    }

    fn relate_siblings(&mut self, mut group: Vec<(u64, usize)>) {
        group.sort_unstable();
        if self.relations.contains(Relation::NextSibling) {
            for pair in group.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0) {
                self.arc(pair[0].1, pair[1].1, ArcLabel::Related(Relation::NextSibling));
            }
        }
        if self.relations.contains(Relation::ElderSibling) {
            for (at, younger) in group.iter().enumerate() {
                for elder in &group[..at] {
                    self.arc(elder.1, younger.1, ArcLabel::Related(Relation::ElderSibling));
                }
            }
        }
    }

    /// Ω, as far as the graph shows it.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// The vertices: places by name, tokens by place, present pids in their order, next pids by their
    /// creators.
    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The arcs, by source, target and label.
    #[must_use]
    pub fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    /// The arcs without parallel ones: those from one vertex to another are given together. This is
    /// the graph for algorithms that know at most one arc between two vertices.
    pub fn bundles(&self) -> impl Iterator<Item = &[Arc]> {
        self.arcs.chunk_by(|a, b| (a.source, a.target) == (b.source, b.target))
    }

    /// Whether the bijection `renamed` of the present pids, continued to next pids, is an isomorphism
    /// onto `other`: a proof, to be checked in linear time but for sorting, that both states are
    /// equivalent.
    #[must_use]
    pub fn is_carried_by(&self, renamed: &BTreeMap<Pid, Pid>, other: &Layers) -> bool {
        let named = self.named(|pid| renamed.get(pid).cloned());
        self.relations == other.relations
            && self.vertices.len() == other.vertices.len()
            && named.is_some()
            && named == other.named(|pid| Some(pid.clone()))
    }

    /// The graph with names for its vertices after a renaming of pids, which tell them apart unless two pids
    /// have got the same name; nothing if a pid has got none.
    fn named(&self, rename: impl Fn(&Pid) -> Option<Pid>) -> Option<NamedGraph<'_>> {
        let holders = self.holders();
        let value = |value: &Value| match value {
            Value::Pid(pid) => rename(pid).map(Value::Pid),
            datum => Some(datum.clone()),
        };
        let name = |(at, vertex): (usize, &'_ Vertex)| {
            Some(match vertex {
                Vertex::Place(_) => Name::Place(self.place_name(at)),
                Vertex::Token { token, .. } => {
                    Name::Token(holders[at], token.iter().map(value).collect::<Option<Token>>()?)
                }
                Vertex::Pid { pid, .. } => Name::Pid(rename(pid)?),
                Vertex::Next { creator, .. } => Name::Next(rename(creator)?),
            })
        };
        let names = self.vertices.iter().enumerate().map(name);
        let names: Vec<Name> = names.collect::<Option<_>>()?;
        let arc = |arc: &Arc| (names[arc.source].clone(), names[arc.target].clone(), arc.label);
        let arcs = self.arcs.iter().map(arc).collect();
        Some((names.into_iter().zip(self.vertices.iter().map(Vertex::label)).collect(), arcs))
    }

    /// The name of the place that holds each token; of other vertices, nothing.
    fn holders(&self) -> Vec<&str> {
        let mut holders = vec![""; self.vertices.len()];
        for arc in self.arcs.iter().filter(|arc| arc.label == ArcLabel::Holds) {
            holders[arc.target] = self.place_name(arc.source);
        }
        holders
    }

    fn place_name(&self, at: usize) -> &str {
        match &self.vertices[at] {
            Vertex::Place(name) => name,
            _ => "",
        }
    }
}

/// The labels of vertices, and the arcs between them.
type NamedGraph<'a> = (HashMap<Name<'a>, Label<'a>>, HashSet<(Name<'a>, Name<'a>, ArcLabel)>);

/// What tells the vertices of one graph apart.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Name<'a> {
    Place(&'a str),
    Token(&'a str, Token),
    Pid(Pid),
    Next(Pid),
}

#[cfg(test)]
mod tests;
