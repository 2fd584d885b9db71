//! What a run has to be fair to.

use super::{Individuals, Strength};
use crate::graph::Graph;

/// Labels and individuals to which a run has to be fair.
pub(super) struct Fair<'a> {
    /// Ascending; each once, since what is strongly fair is weakly fair too.
    labels: Vec<(u32, Strength)>,
    pub(super) individuals: Option<(Strength, &'a mut dyn Individuals)>,
}

impl<'a> Fair<'a> {
    pub(super) fn new(
        labels: &[(u32, Strength)],
        individuals: Option<(Strength, &'a mut dyn Individuals)>,
    ) -> Self {
        let mut labels = labels.to_vec();
        labels.sort_unstable_by_key(|&(label, strength)| (label, strength == Strength::Weak));
        labels.dedup_by_key(|&mut (label, _)| label);
        Self { labels, individuals }
    }

    /// Whether every run is fair.
    pub(super) fn is_trivial(&self) -> bool {
        self.labels.is_empty() && self.individuals.is_none()
    }

    /// The labels to be fair to, by number of their own.
    pub(super) fn labels(&self) -> &[(u32, Strength)] {
        &self.labels
    }

    /// The number of a label among those to be fair to.
    #[inline]
    pub(super) fn number(&self, label: u32) -> Option<usize> {
        self.labels.binary_search_by_key(&label, |&(label, _)| label).ok()
    }

    /// The numbers of the labels that are enabled in a state.
    pub(super) fn enabled<G: Graph>(&self, graph: &G, state: u32, numbers: &mut Vec<usize>) {
        numbers.clear();
        if self.labels.is_empty() {
            return;
        }
        numbers.extend(graph.successors(state).filter_map(|(label, _)| self.number(label)));
        numbers.sort_unstable();
        numbers.dedup();
    }
}
