//! Strong bisimilarity of two graphs, by refining a partition of the states of both.

use std::collections::HashMap;

use crate::graph::{Graph, Label};

/// Why two graphs are not bisimilar.
#[derive(Debug)]
pub struct Difference {
    /// A run that one of them has: labels, from the beginning.
    pub run: Vec<Label>,
    /// What can be done then in the one, and in the other.
    pub first: Vec<String>,
    pub second: Vec<String>,
}

/// The classes of the states of two graphs, those of the second after those of the first; the class after each
/// round.
fn rounds(first: &Graph, second: &Graph) -> Vec<Vec<usize>> {
    let nodes: Vec<_> = first.states.iter().chain(&second.states).collect();
    let shift = first.states.len();
    let mut numbers = HashMap::new();
    let mut classes: Vec<usize> = Vec::new();
    for node in &nodes {
        let key = (node.seen.clone(), node.running, node.faults, node.edges.is_empty());
        let next = numbers.len();
        classes.push(*numbers.entry(key).or_insert(next));
    }
    let mut all = vec![classes];
    let mut count = numbers.len();
    loop {
        let before = all.last().expect("there is one");
        let mut numbers = HashMap::new();
        let mut classes = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let shift = if index < shift { 0 } else { shift };
            let mut edges: Vec<(Label, usize)> =
                node.edges.iter().map(|(label, to)| (*label, before[to + shift])).collect();
            edges.sort_unstable();
            edges.dedup();
            let next = numbers.len();
            classes.push(*numbers.entry((before[index], edges)).or_insert(next));
        }
        let now = numbers.len();
        all.push(classes);
        if now == count {
            return all;
        }
        count = now;
    }
}

/// Compares two graphs.
pub fn difference(first: &Graph, second: &Graph) -> Option<Difference> {
    let rounds = rounds(first, second);
    let shift = first.states.len();
    let last = rounds.last().expect("there is one");
    let classes_of = |graph: &Graph, shift: usize| {
        let mut classes: Vec<usize> = graph.initial.iter().map(|id| last[id + shift]).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    };
    if classes_of(first, 0) == classes_of(second, shift) {
        return None;
    }
    let mut found = Difference { run: Vec::new(), first: Vec::new(), second: Vec::new() };
    let (mut a, mut b) = (first.initial[0], second.initial[0]);
    loop {
        let round = rounds.iter().position(|classes| classes[a] != classes[b + shift]);
        let Some(round) = round.filter(|round| *round > 0) else { break };
        let before = &rounds[round - 1];
        // A step of one that the other cannot match.
        let edges = |graph: &Graph, at: usize, shift: usize| -> Vec<(Label, usize, usize)> {
            let edges = graph.states[at].edges.iter();
            edges.map(|(label, to)| (*label, before[to + shift], *to)).collect()
        };
        let (of_a, of_b) = (edges(first, a, 0), edges(second, b, shift));
        let lacks = |one: &[(Label, usize, usize)], other: &[(Label, usize, usize)]| {
            let is_there = |(label, class, _): &(Label, usize, usize)| {
                other.iter().any(|(l, c, _)| (l, c) == (label, class))
            };
            one.iter().find(|edge| !is_there(edge)).copied()
        };
        let (label, of_first) = match (lacks(&of_a, &of_b), lacks(&of_b, &of_a)) {
            (Some((label, _, to)), _) => (label, Ok(to)),
            (None, Some((label, _, to))) => (label, Err(to)),
            (None, None) => break,
        };
        // Of those with the same label, the one that is like it for longest.
        let parted =
            |a: usize, b: usize| rounds.iter().position(|classes| classes[a] != classes[b + shift]);
        let next = match of_first {
            Ok(to) => {
                let same = of_b.iter().filter(|(l, ..)| *l == label).map(|(_, _, other)| *other);
                same.max_by_key(|other| parted(to, *other)).map(|other| (to, other))
            }
            Err(to) => {
                let same = of_a.iter().filter(|(l, ..)| *l == label).map(|(_, _, other)| *other);
                same.max_by_key(|other| parted(*other, to)).map(|other| (other, to))
            }
        };
        let Some(next) = next else { break };
        found.run.push(label);
        (a, b) = next;
    }
    let tell = |graph: &Graph, at: usize| {
        let node = &graph.states[at];
        let mut lines = vec![format!(
            "state {at}: {:?}, {} running{}",
            node.seen,
            node.running,
            if node.faults { ", faults" } else { "" }
        )];
        lines.extend(node.edges.iter().map(|(label, to)| format!("{label:?} to {to}")));
        lines
    };
    found.first = tell(first, a);
    found.second = tell(second, b);
    Some(found)
}
