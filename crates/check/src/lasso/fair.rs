//! What a run has to be fair to.

use super::{Individuals, Strength};
use crate::graph::Graph;

/// Labels and individuals to which a run has to be fair.
pub(super) struct Fair<'a> {
    /// How fair it has to be to each set of labels.
    sets: Vec<Strength>,
    /// The labels, ascending, each with the number of a set that it is in.
    labels: Vec<(u32, usize)>,
    pub(super) individuals: Option<(Strength, &'a mut dyn Individuals)>,
}

impl<'a> Fair<'a> {
    pub(super) fn new(
        fairness: &[(Vec<u32>, Strength)],
        individuals: Option<(Strength, &'a mut dyn Individuals)>,
    ) -> Self {
        let sets = fairness.iter().map(|(_, strength)| *strength).collect();
        let numbered = fairness.iter().enumerate();
        let numbered =
            numbered.flat_map(|(number, (set, _))| set.iter().map(move |&l| (l, number)));
        let mut labels: Vec<(u32, usize)> = numbered.collect();
        labels.sort_unstable();
        labels.dedup();
        Self { sets, labels, individuals }
    }

    /// Whether every run is fair.
    pub(super) fn is_trivial(&self) -> bool {
        self.sets.is_empty() && self.individuals.is_none()
    }

    /// How fair it has to be to the sets of labels, by their numbers.
    pub(super) fn sets(&self) -> &[Strength] {
        &self.sets
    }

    /// The numbers of the sets that a label is in, ascending.
    #[inline]
    pub(super) fn numbers(&self, label: Option<u32>) -> impl Iterator<Item = usize> {
        let of = |label| {
            let first = self.labels.partition_point(|&(other, _)| other < label);
            self.labels[first..].iter().take_while(move |&&(other, _)| other == label)
        };
        label.into_iter().flat_map(of).map(|&(_, number)| number)
    }

    /// The numbers of the sets that are enabled in a state: some label of them is.
    pub(super) fn enabled<G: Graph>(&self, graph: &G, state: u32, numbers: &mut Vec<usize>) {
        numbers.clear();
        if self.labels.is_empty() {
            return;
        }
        numbers.extend(graph.successors(state).flat_map(|(label, _)| self.numbers(Some(label))));
        numbers.sort_unstable();
        numbers.dedup();
    }
}
