//! Three verdicts on a pair of states, and the time each took.
//!
//! - *state*: the canonical states of [`fold::canonical()`] are equal;
//! - *bytes*: the canonical bytes that the explorer stores are equal ([`fold::Folder`]);
//! - *VF2*: the three-layered graphs are isomorphic, by the algorithm of Cordella et al. (2004) that the
//!   paper used, here as `petgraph` has it.
//!
//! The first two share the canonical labelling; the last shares nothing with them but the states. VF2
//! knows one arc between two vertices, so parallel arcs are made one that is labelled by their set. It
//! may take exponential time: after [`MOST_MATCHES`] comparisons of vertices it is stopped, and gives no
//! verdict. Then a *proof* is asked for instead: that the bijection between the canonical states is an
//! isomorphism of the graphs, or an invariant in which they differ.

use std::cell::Cell;
use std::collections::HashMap;

use canon::Canoniser;
use cpu_time::ThreadTime;
use fold::layers::{ArcLabel, Label, Layers, difference};
use fold::{Equivalent, Folder, Working, canonical};
use petgraph::algo::is_isomorphic_matching;
use petgraph::graph::DiGraph;
use state::{Relations, State};

/// How many times VF2 may compare two vertices.
pub const MOST_MATCHES: u64 = 50_000;

/// What was found of one pair. Times are in nanoseconds of the thread's CPU time, since other work on the
/// machine would show in those of the clock; what it costs to read them is taken off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub by_state: bool,
    pub by_bytes: bool,
    /// None if VF2 was stopped.
    pub by_vf2: Option<bool>,
    /// None if there is no need for a proof, or none was found.
    pub by_proof: Option<bool>,
    pub times: [u64; Method::COUNT],
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Two canonical states, from states to verdict.
    State,
    /// Two lists of canonical bytes, from working states to verdict.
    Bytes,
    /// VF2, from graphs to verdict, or until it is stopped.
    Vf2,
    /// The two graphs that VF2 is given, from states.
    Graphs,
}

impl Method {
    /// How many there are.
    pub const COUNT: usize = 4;

    /// All of them.
    pub const ALL: [Method; Method::COUNT] =
        [Method::State, Method::Bytes, Method::Vf2, Method::Graphs];

    /// What it is called in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::State => "canonical_state",
            Method::Bytes => "canonical_bytes",
            Method::Vf2 => "vf2",
            Method::Graphs => "vf2_graphs",
        }
    }
}

/// What a comparison needs besides the pair, kept from one to the next.
pub(super) struct Comparer {
    canoniser: Canoniser,
    bytes: [Vec<u8>; 2],
    stopwatch: Stopwatch,
}

impl Comparer {
    pub fn new() -> Comparer {
        Comparer {
            canoniser: Canoniser::new(),
            bytes: [Vec::new(), Vec::new()],
            stopwatch: Stopwatch::new(),
        }
    }

    /// Compares a pair, given as states and as the same as working states.
    pub fn compare(
        &mut self,
        states: [&State; 2],
        workings: [&Working; 2],
        folder: &mut Folder,
        relations: Relations,
    ) -> Comparison {
        let clock = ThreadTime::now();
        let forms = states.map(|state| canonical(state, relations, &mut self.canoniser));
        let by_state = forms[0].state == forms[1].state;
        let state = self.stopwatch.since(clock);

        let clock = ThreadTime::now();
        for (working, bytes) in workings.into_iter().zip(&mut self.bytes) {
            bytes.clear();
            folder.fold(working, bytes);
        }
        let by_bytes = self.bytes[0] == self.bytes[1];
        let bytes = self.stopwatch.since(clock);

        let clock = ThreadTime::now();
        let layers = states.map(|state| Layers::new(state, relations));
        let pair = Pair::of(&layers[0], &layers[1]);
        let graphs = self.stopwatch.since(clock);

        let clock = ThreadTime::now();
        let by_vf2 = pair.isomorphic();
        let vf2 = self.stopwatch.since(clock);
        let by_proof = if by_vf2.is_none() { proof(&forms, &layers, by_state) } else { None };
        Comparison { by_state, by_bytes, by_vf2, by_proof, times: [state, bytes, vf2, graphs] }
    }
}

/// The verdict that can be proved without a search. A bijection that should be an isomorphism and is
/// none says no, which the canonical states then disagree with.
fn proof(forms: &[Equivalent; 2], layers: &[Layers; 2], equivalent: bool) -> Option<bool> {
    if equivalent {
        Some(layers[0].is_carried_by(&forms[0].onto(&forms[1]), &layers[1]))
    } else {
        difference(&layers[0], &layers[1]).map(|_| false)
    }
}

/// Measures CPU time, less what measuring it costs.
struct Stopwatch {
    cost: u64,
}

impl Stopwatch {
    fn new() -> Stopwatch {
        let free = Stopwatch { cost: 0 };
        let mut costs: Vec<u64> = (0..31).map(|_| free.since(ThreadTime::now())).collect();
        costs.sort_unstable();
        Stopwatch { cost: costs[costs.len() / 2] }
    }

    fn since(&self, start: ThreadTime) -> u64 {
        let spent = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        spent.saturating_sub(self.cost)
    }
}

/// Two graphs as VF2 gets them: labels have become numbers, the same ones in both.
pub(super) struct Pair([DiGraph<u32, u32>; 2]);

impl Pair {
    pub fn of(first: &Layers, second: &Layers) -> Pair {
        let mut labels: HashMap<Label, u32> = HashMap::new();
        let mut bundles: HashMap<Vec<ArcLabel>, u32> = HashMap::new();
        Pair([first, second].map(|layers| {
            let mut graph = DiGraph::with_capacity(layers.vertices().len(), layers.arcs().len());
            let mut vertices = Vec::with_capacity(layers.vertices().len());
            for vertex in layers.vertices() {
                let fresh = labels.len() as u32;
                vertices.push(graph.add_node(*labels.entry(vertex.label()).or_insert(fresh)));
            }
            for bundle in layers.bundles() {
                let fresh = bundles.len() as u32;
                let set: Vec<ArcLabel> = bundle.iter().map(|arc| arc.label).collect();
                let label = *bundles.entry(set).or_insert(fresh);
                graph.add_edge(vertices[bundle[0].source], vertices[bundle[0].target], label);
            }
            graph
        }))
    }

    /// Whether they are isomorphic; none if that took too long to find out.
    pub fn isomorphic(&self) -> Option<bool> {
        let left = Cell::new(MOST_MATCHES);
        let vertices_match = |a: &u32, b: &u32| {
            // With nothing left no vertex matches, and the search is soon at its end.
            left.set(left.get().saturating_sub(1));
            left.get() > 0 && a == b
        };
        let found =
            is_isomorphic_matching(&self.0[0], &self.0[1], vertices_match, |a: &u32, b: &u32| {
                a == b
            });
        (found || left.get() > 0).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(first: &str, second: &str, relations: &str) -> Option<bool> {
        let graph =
            |text: &str| Layers::new(&State::from_json(text).unwrap(), relations.parse().unwrap());
        Pair::of(&graph(first), &graph(second)).isomorphic()
    }

    #[test]
    fn parallel_arcs_are_told_apart() {
        let first = r#"{"tokens":{"p":[["1","1","2"],["2","1","2"]]},"eta":{}}"#;
        let second = r#"{"tokens":{"p":[["1","1","2"],["1","2","2"]]},"eta":{}}"#;
        assert_eq!(verdict(first, first, ""), Some(true));
        assert_eq!(verdict(first, second, ""), Some(false));
    }

    #[test]
    fn a_search_without_end_gives_no_verdict() {
        // Many pairs that are alike, and one cycle cut in two: VF2 tries all ways to match the pairs.
        let pairs: Vec<String> =
            (0..40).map(|n| format!(r#"["{}","{}"]"#, 100 + n, 200 + n)).collect();
        let state = |links: &str| {
            format!(r#"{{"tokens":{{"l":[{links},{}]}},"eta":{{}}}}"#, pairs.join(","))
        };
        let cycle = |links: [(u32, u32); 6]| {
            let links = links.map(|(a, b)| format!(r#"["{}","{}"]"#, 900 + a, 900 + b));
            state(&links.join(","))
        };
        let six = cycle([(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)]);
        let threes = cycle([(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4)]);
        assert_eq!(verdict(&six, &threes, ""), None);
    }
}
