//! What is taken for granted, and whether multipliers show that it contradicts itself.
//!
//! By Farkas' lemma inequalities have no common solution if and only if some combination of them says
//! that 0 is more than 0. A solver may find that combination in whatever way it likes: here it is added up, in
//! whole numbers, from the definitions of the variables and the bounds that were assumed. No verdict is given
//! without that. This shares nothing with the solver.

use std::collections::HashMap;

/// Variables, what they are in terms of firings, and the bounds that hold or are assumed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grounds {
    /// Each variable as numbers of firings, each column times a factor.
    definitions: Vec<Vec<(u32, i64)>>,
    /// Lower and upper bounds that every run keeps.
    lasting: Vec<[Option<i64>; 2]>,
    /// Bounds that are assumed: variable, whether the upper one, bound.
    assumed: Vec<(u32, bool, i64)>,
}

impl Grounds {
    /// Adds a variable.
    pub(crate) fn define(&mut self, definition: Vec<(u32, i64)>, lower: Option<i64>) {
        self.definitions.push(definition);
        self.lasting.push([lower, None]);
    }

    pub(crate) fn definition(&self, variable: u32) -> &[(u32, i64)] {
        &self.definitions[variable as usize]
    }

    pub(crate) fn assume(&mut self, variable: u32, is_upper: bool, bound: i64) {
        self.assumed.push((variable, is_upper, bound));
    }

    /// How much is assumed.
    pub(crate) fn mark(&self) -> usize {
        self.assumed.len()
    }

    /// Assumes no more than that.
    pub(crate) fn undo(&mut self, mark: usize) {
        self.assumed.truncate(mark);
    }

    /// The tightest bound of a variable.
    fn bound(&self, variable: u32, is_upper: bool) -> Option<i64> {
        let assumed = self.assumed.iter().filter(|a| a.0 == variable && a.1 == is_upper);
        let all =
            assumed.map(|a| a.2).chain(self.lasting[variable as usize][usize::from(is_upper)]);
        if is_upper { all.min() } else { all.max() }
    }

    /// Whether the multipliers show that the bounds contradict each other: the variables times these are 0,
    /// whatever fires, and by the bounds more than 0.
    pub(crate) fn are_refuted_by(&self, multipliers: &[(u32, i64)]) -> bool {
        self.contradiction(multipliers).unwrap_or(false)
    }

    /// `None` if a bound is missing, or a number too large.
    fn contradiction(&self, multipliers: &[(u32, i64)]) -> Option<bool> {
        let mut firings: HashMap<u32, i128> = HashMap::new();
        let mut least = 0_i128;
        for &(variable, multiplier) in multipliers.iter().filter(|(_, multiplier)| *multiplier != 0)
        {
            let bound = self.bound(variable, multiplier < 0)?;
            least = least.checked_add(i128::from(multiplier) * i128::from(bound))?;
            for &(column, factor) in self.definition(variable) {
                let sum = firings.entry(column).or_default();
                *sum = sum.checked_add(i128::from(multiplier) * i128::from(factor))?;
            }
        }
        Some(least > 0 && firings.values().all(|sum| *sum == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::Grounds;

    /// Two numbers of firings, and their difference.
    fn grounds() -> Grounds {
        let mut grounds = Grounds::default();
        grounds.define(vec![(0, 1)], Some(0));
        grounds.define(vec![(1, 1)], Some(0));
        grounds.define(vec![(0, 1), (1, -1)], Some(-3));
        grounds
    }

    #[test]
    fn only_what_adds_up_to_nothing_and_more_is_a_contradiction() {
        let mut grounds = grounds();
        // a - b >= -3, b >= 6, a <= 2.
        grounds.assume(1, false, 6);
        grounds.assume(0, true, 2);
        assert!(grounds.are_refuted_by(&[(2, 1), (1, 1), (0, -1)]));
        // These do not cancel, or rest on a bound that is not there.
        assert!(!grounds.are_refuted_by(&[(2, 1), (1, 1), (0, -2)]));
        assert!(!grounds.are_refuted_by(&[(2, -1), (1, -1), (0, 1)]));
        grounds.undo(1);
        assert!(!grounds.are_refuted_by(&[(2, 1), (1, 1), (0, -1)]));
        // Bounds that just meet contradict nothing.
        grounds.assume(0, true, 3);
        assert!(!grounds.are_refuted_by(&[(2, 1), (1, 1), (0, -1)]));
    }
}
