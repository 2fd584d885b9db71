//! The product of a graph and an automaton, made as it is asked for.
//!
//! A node is a state of the graph with one of the automaton, which has yet to read the state. Nodes are
//! numbered as they are found (`numbers.rs`). The atoms that the automaton speaks of are gathered into a
//! letter of one bit each, so that a transition's label is tested by one mask and one comparison for each 64
//! of them.

use super::Question;
use super::numbers::Numbers;
use crate::acceptance::Acceptance;
use crate::automaton::Automaton;
use crate::bits::Bits;
use crate::graph::Graph;

/// The most nodes: the last numbers have other meanings.
const MOST: u32 = u32::MAX - 2;

/// A step of the product.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The label of the graph's step; none where the last state is repeated.
    pub(super) label: Option<u32>,
    /// The acceptance sets it is in.
    pub(super) sets: u64,
}

/// A way on for the automaton: its next state, and the acceptance sets.
#[derive(Clone, Copy)]
pub(super) struct Way {
    to: u32,
    pub(super) sets: u64,
}

pub(super) struct Product<'a, G> {
    graph: &'a G,
    /// The atoms that the automaton speaks of.
    atoms: Vec<&'a Bits>,
    /// Where the transitions of each state of the automaton end.
    ends: Vec<usize>,
    ways: Vec<Way>,
    /// Where the conjunctions of each transition's label end.
    cubes: Vec<usize>,
    /// For each conjunction as many words as a letter has, first what of it matters, then what is wanted.
    labels: Vec<u64>,
    /// The letter that was read last.
    letter: Vec<u64>,
    /// State and automaton's state of each node.
    nodes: Vec<(u32, u32)>,
    numbers: Numbers,
    /// What was open to the automaton in the node whose steps were asked for last.
    open: Vec<Way>,
}

impl<'a, G: Graph> Product<'a, G> {
    pub(super) fn new(question: &Question<'a, G>) -> Self {
        let automaton = &directed(question.automaton);
        let edges = || automaton.states.iter().flatten();
        let cubes = || edges().flat_map(|edge| &edge.label.cubes);
        let mut mentioned: Vec<u32> = edges().flat_map(|edge| edge.label.atoms()).collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        let words = mentioned.len().div_ceil(u64::BITS as usize);
        let mut labels = vec![0; cubes().count() * 2 * words];
        if words > 0 {
            for (cube, label) in cubes().zip(labels.chunks_exact_mut(2 * words)) {
                let (matters, wanted) = label.split_at_mut(words);
                let put = |into: &mut [u64], atom: &u32| {
                    let bit = mentioned.binary_search(atom).expect("it is mentioned");
                    into[bit / u64::BITS as usize] |= 1 << (bit % u64::BITS as usize);
                };
                cube.holds.iter().for_each(|atom| put(wanted, atom));
                cube.holds.iter().chain(&cube.fails).for_each(|atom| put(matters, atom));
            }
        }
        Self {
            graph: question.graph,
            atoms: mentioned.iter().map(|&atom| &question.atoms[atom as usize]).collect(),
            ends: ends(automaton.states.iter().map(Vec::len)),
            cubes: ends(edges().map(|edge| edge.label.cubes.len())),
            ways: edges().map(|edge| Way { to: edge.to, sets: edge.accepting }).collect(),
            labels,
            letter: vec![0; words],
            nodes: Vec::new(),
            numbers: Numbers::new(question.graph.states(), automaton.states.len() as u32),
            open: Vec::new(),
        }
    }

    pub(super) fn graph(&self) -> &'a G {
        self.graph
    }

    /// The state of the graph in a node.
    pub(super) fn state(&self, node: u32) -> u32 {
        self.nodes[node as usize].0
    }

    /// The number of a node.
    #[inline]
    pub(super) fn node(&mut self, state: u32, automaton: u32) -> u32 {
        let next = self.nodes.len() as u32;
        let number = self.numbers.of(state, automaton, next);
        if number == next {
            assert!(next < MOST, "more than {MOST} nodes");
            self.nodes.push((state, automaton));
        }
        number
    }

    /// The node to which a step of the graph leads, where the automaton takes one of its ways on.
    pub(super) fn after(&mut self, way: Way, state: u32) -> u32 {
        self.node(state, way.to)
    }

    /// The ways on that are open to the automaton in a node; none where what follows is not known.
    pub(super) fn ways(&mut self, node: u32, open: &mut Vec<Way>) {
        open.clear();
        let (state, automaton) = self.nodes[node as usize];
        let automaton = automaton as usize;
        if !self.graph.is_expanded(state) {
            return;
        }
        self.letter.fill(0);
        for (bit, atom) in self.atoms.iter().enumerate() {
            self.letter[bit / u64::BITS as usize] |=
                u64::from(atom.get(state)) << (bit % u64::BITS as usize);
        }
        let start = |ends: &[usize], at: usize| at.checked_sub(1).map_or(0, |before| ends[before]);
        let words = self.letter.len();
        let holds = |cube: usize| {
            let label = &self.labels[cube * 2 * words..(cube + 1) * 2 * words];
            let (matters, wanted) = label.split_at(words);
            let mut read = self.letter.iter().zip(matters).map(|(&letter, &mask)| letter & mask);
            wanted.iter().all(|&wanted| read.next() == Some(wanted))
        };
        for edge in start(&self.ends, automaton)..self.ends[automaton] {
            if (start(&self.cubes, edge)..self.cubes[edge]).any(holds) {
                open.push(self.ways[edge]);
            }
        }
    }

    /// The steps from a node, and where they lead.
    #[inline]
    pub(super) fn steps(&mut self, node: u32, mut each: impl FnMut(Step, u32)) {
        let mut open = std::mem::take(&mut self.open);
        self.ways(node, &mut open);
        if !open.is_empty() {
            let (state, graph) = (self.state(node), self.graph);
            let mut is_last = true;
            for (label, target) in graph.successors(state) {
                is_last = false;
                for way in &open {
                    let to = self.node(target, way.to);
                    each(Step { label: Some(label), sets: way.sets }, to);
                }
            }
            if is_last {
                for way in &open {
                    let to = self.node(state, way.to);
                    each(Step { label: None, sets: way.sets }, to);
                }
            }
        }
        self.open = open;
    }
}

/// The automaton with acceptance as a search has it easiest: where all runs are accepted that stay in a component, all
/// transitions there are in all sets, so that any cycle will do; and what is nearer to acceptance is last among the
/// transitions of a state, and so searched first.
fn directed(automaton: &Automaton) -> Automaton {
    let acceptance = automaton.acceptance_of_states();
    let mut directed = automaton.clone();
    for (from, edges) in directed.states.iter_mut().enumerate() {
        let own = acceptance[from];
        for edge in edges.iter_mut() {
            let stays = own.is_some() && own == acceptance[edge.to as usize];
            if stays && own.is_some_and(|(_, acceptance)| acceptance >= Acceptance::Staying) {
                edge.accepting = automaton.all_sets();
            }
        }
        edges.sort_by_key(|edge| acceptance[edge.to as usize].map(|(_, acceptance)| acceptance));
    }
    directed
}

/// Where each part ends, given how long they are.
fn ends(lengths: impl Iterator<Item = usize>) -> Vec<usize> {
    let end = |end: &mut usize, length| {
        *end += length;
        Some(*end)
    };
    lengths.scan(0, end).collect()
}
