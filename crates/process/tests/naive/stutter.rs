//! Stutter bisimilarity that is sensitive to divergence, of two graphs: what formulas of branching time without `next`
//! can tell apart.
//!
//! Two states are equivalent if the same can be seen of them, and what one can come to, after steps that change
//! nothing, the other can; and if the one can go on for ever without a change, so can the other. The coarsest such
//! partition is found by signatures, as for branching bisimilarity (Blom and Orzan, *A distributed algorithm for
//! strong bisimulation reduction*, and its sequel for branching bisimilarity).

use std::collections::{BTreeSet, HashMap};

use crate::graph::Graph;

/// Whether two graphs are equivalent.
pub fn are_equivalent(first: &Graph, second: &Graph) -> bool {
    let shift = first.states.len();
    let nodes: Vec<_> = first.states.iter().chain(&second.states).collect();
    let next: Vec<Vec<usize>> = nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            let shift = if index < shift { 0 } else { shift };
            let mut next: Vec<usize> = node.edges.iter().map(|(_, to)| to + shift).collect();
            next.sort_unstable();
            next.dedup();
            next
        })
        .collect();
    let mut numbers = HashMap::new();
    let mut classes = Vec::new();
    for node in &nodes {
        let count = numbers.len();
        classes.push(*numbers.entry((&node.seen, node.running)).or_insert(count));
    }
    let mut count = numbers.len();
    loop {
        let signatures = signatures(&next, &classes);
        let mut numbers = HashMap::new();
        let mut refined = Vec::new();
        for (index, signature) in signatures.into_iter().enumerate() {
            let count = numbers.len();
            refined.push(*numbers.entry((classes[index], signature)).or_insert(count));
        }
        let now = numbers.len();
        classes = refined;
        if now == count {
            break;
        }
        count = now;
    }
    let initial = |graph: &Graph, shift: usize| -> BTreeSet<usize> {
        graph.initial.iter().map(|id| classes[id + shift]).collect()
    };
    initial(first, 0) == initial(second, shift)
}

/// What can be seen of the future of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Signature {
    /// The classes that it can come to from its own.
    next: BTreeSet<usize>,
    /// Whether it can go on in its own for ever.
    diverges: bool,
    /// Whether it can come to an end in its own.
    ends: bool,
}

impl Signature {
    /// Adds what another has; says whether it was more.
    fn add(&mut self, other: &Signature) -> bool {
        let before = (self.next.len(), self.diverges, self.ends);
        self.next.extend(&other.next);
        self.diverges |= other.diverges;
        self.ends |= other.ends;
        before != (self.next.len(), self.diverges, self.ends)
    }
}

fn signatures(next: &[Vec<usize>], classes: &[usize]) -> Vec<Signature> {
    let count = next.len();
    let mut found = vec![Signature::default(); count];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, to) in next.iter().enumerate() {
        for to in to {
            match classes[*to] == classes[index] {
                true => before[*to].push(index),
                false => _ = found[index].next.insert(classes[*to]),
            }
        }
        found[index].ends = to.is_empty();
    }
    // Those on circles within their class stay: take away, again and again, those that do not lead on in it.
    let inert = |index: usize| next[index].iter().filter(move |to| classes[**to] == classes[index]);
    let mut left: Vec<usize> = (0..count).map(|index| inert(index).count()).collect();
    let mut open: Vec<usize> = (0..count).filter(|index| left[*index] == 0).collect();
    let mut is_gone = vec![false; count];
    while let Some(index) = open.pop() {
        is_gone[index] = true;
        for from in &before[index] {
            left[*from] -= 1;
            if left[*from] == 0 {
                open.push(*from);
            }
        }
    }
    for index in 0..count {
        found[index].diverges = !is_gone[index];
    }
    // What one that is stepped to can come to can be come to.
    let mut open: Vec<usize> = (0..count).collect();
    while let Some(index) = open.pop() {
        let more = found[index].clone();
        for from in &before[index] {
            if *from != index && found[*from].add(&more) {
                open.push(*from);
            }
        }
    }
    found
}
