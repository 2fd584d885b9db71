//! A state as far as numbers of tokens, and what is enabled, tell of it.

use unfold::Predicate;

/// A state as far as predicates can see it.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// The number of tokens in each place.
    pub(crate) tokens: Vec<u64>,
    /// The transitions that are enabled, one bit for each.
    enabled: Vec<u64>,
    /// Nothing can fire.
    pub(crate) is_dead: bool,
}

impl View {
    /// Says what is enabled, by labels of steps.
    pub(crate) fn enable(&mut self, labels: impl Iterator<Item = u32>) {
        self.enabled.fill(0);
        for label in labels {
            let word = (label / u64::BITS) as usize;
            if word >= self.enabled.len() {
                self.enabled.resize(word + 1, 0);
            }
            self.enabled[word] |= 1 << (label % u64::BITS);
        }
    }

    fn is_enabled(&self, label: u32) -> bool {
        let word = self.enabled.get((label / u64::BITS) as usize);
        word.is_some_and(|word| word >> (label % u64::BITS) & 1 == 1)
    }

    /// How much a sum is.
    pub(crate) fn sum<'t>(&self, terms: impl IntoIterator<Item = (&'t u32, &'t i64)>) -> i128 {
        let value = |(place, factor): (&u32, &i64)| {
            i128::from(*factor) * i128::from(self.tokens[*place as usize])
        };
        terms.into_iter().map(value).sum()
    }

    /// Whether a predicate holds.
    pub(crate) fn satisfies(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::True => true,
            Predicate::AtMost { terms, bound } => {
                self.sum(terms.iter().map(|(place, factor)| (place, factor))) <= i128::from(*bound)
            }
            Predicate::Enabled(transition) => self.is_enabled(transition.0),
            Predicate::Dead => self.is_dead,
            Predicate::Not(inner) => !self.satisfies(inner),
            Predicate::And(parts) => parts.iter().all(|part| self.satisfies(part)),
            Predicate::Or(parts) => parts.iter().any(|part| self.satisfies(part)),
        }
    }
}
