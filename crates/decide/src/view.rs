//! A state as far as numbers of tokens, and what is enabled, tell of it.

use explore::Successors;
use symbolic::SymbolicSpace;
use unfold::Predicate;

/// A state as far as predicates can see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// The number of tokens in each place.
    pub(crate) tokens: Vec<u64>,
    /// The transitions that are enabled.
    enabled: Vec<bool>,
    /// Nothing can fire.
    pub(crate) is_dead: bool,
}

impl View {
    /// Looks at a symbolic marking.
    pub(crate) fn see(&mut self, space: &mut SymbolicSpace, state: &[u8], successors: &Successors) {
        self.enable(successors.iter().map(|(label, ..)| label));
        self.is_dead = successors.is_empty();
        space.count_tokens_in_places(state, &mut self.tokens);
    }

    /// Says what is enabled, by labels of steps.
    pub(crate) fn enable(&mut self, labels: impl Iterator<Item = u32>) {
        self.enabled.fill(false);
        for label in labels {
            let label = label as usize;
            self.enabled.resize(self.enabled.len().max(label + 1), false);
            self.enabled[label] = true;
        }
    }

    /// How much a sum is.
    pub(crate) fn sum(&self, terms: &[(u32, i64)]) -> i128 {
        let tokens = |place: u32| i128::from(self.tokens[place as usize]);
        terms.iter().map(|&(place, factor)| i128::from(factor) * tokens(place)).sum()
    }

    /// Whether a predicate holds.
    pub(crate) fn satisfies(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::True => true,
            Predicate::AtMost { terms, bound } => self.sum(terms) <= i128::from(*bound),
            Predicate::Enabled(transition) => self.enabled.get(transition.index()) == Some(&true),
            Predicate::Dead => self.is_dead,
            Predicate::Not(inner) => !self.satisfies(inner),
            Predicate::And(parts) => parts.iter().all(|part| self.satisfies(part)),
            Predicate::Or(parts) => parts.iter().any(|part| self.satisfies(part)),
        }
    }
}
