//! What is taken for granted, and whether multipliers show that it contradicts itself.
//!
//! By Farkas' lemma inequalities have no common solution if and only if some combination of them says
//! that 0 is more than 0. A solver may find that combination in whatever way it likes: here it is added up, in
//! whole numbers, from the definitions of the variables and the bounds that were assumed. No verdict is given
//! without that. This shares nothing with the solver.

use std::collections::{BTreeSet, HashMap};

/// In place of a variable: what is assumed is no bound.
const NO_VARIABLE: u32 = u32::MAX;

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

    /// Gives something that is assumed, and is no bound, a number.
    pub(crate) fn assume_other(&mut self) -> usize {
        self.assumed.push((NO_VARIABLE, false, 0));
        self.assumed.len() - 1
    }

    /// How much is assumed.
    pub(crate) fn mark(&self) -> usize {
        self.assumed.len()
    }

    /// Assumes no more than that.
    pub(crate) fn undo(&mut self, mark: usize) {
        self.assumed.truncate(mark);
    }

    /// The tightest bound of a variable, and the number of what was assumed first that says so, unless it holds always.
    fn bound(&self, variable: u32, is_upper: bool) -> Option<(i64, Option<usize>)> {
        let lasting = self.lasting[variable as usize][usize::from(is_upper)];
        let assumed = self.assumed.iter().enumerate();
        let assumed = assumed.filter(|(_, a)| a.0 == variable && a.1 == is_upper);
        let assumed = assumed.map(|(number, a)| (a.2, Some(number)));
        let all = lasting.map(|bound| (bound, None)).into_iter().chain(assumed);
        // The first of those that are equal.
        all.min_by_key(|(bound, _)| if is_upper { i128::from(*bound) } else { -i128::from(*bound) })
    }

    /// What is assumed, by number, of which the multipliers show that it contradicts itself: the variables times these are
    /// 0, whatever fires, and by the bounds more than 0. `None` if they do not show that, a bound is missing, or a number
    /// too large.
    pub(crate) fn refutation(&self, multipliers: &[(u32, i64)]) -> Option<BTreeSet<usize>> {
        let mut firings: HashMap<u32, i128> = HashMap::new();
        let mut least = 0_i128;
        let mut needed = BTreeSet::new();
        for &(variable, multiplier) in multipliers.iter().filter(|(_, multiplier)| *multiplier != 0)
        {
            let (bound, number) = self.bound(variable, multiplier < 0)?;
            needed.extend(number);
            least = least.checked_add(i128::from(multiplier) * i128::from(bound))?;
            for &(column, factor) in self.definition(variable) {
                let sum = firings.entry(column).or_default();
                *sum = sum.checked_add(i128::from(multiplier) * i128::from(factor))?;
            }
        }
        (least > 0 && firings.values().all(|sum| *sum == 0)).then_some(needed)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
        let number = grounds.assume_other();
        let needed = grounds.refutation(&[(2, 1), (1, 1), (0, -1)]);
        assert_eq!(needed, Some(BTreeSet::from([0, 1])), "all but {number}");
        // These do not cancel, or rest on a bound that is not there.
        assert_eq!(grounds.refutation(&[(2, 1), (1, 1), (0, -2)]), None);
        assert_eq!(grounds.refutation(&[(2, -1), (1, -1), (0, 1)]), None);
        // What is said again later is not needed.
        grounds.assume(0, true, 2);
        let needed = grounds.refutation(&[(2, 1), (1, 1), (0, -1)]);
        assert_eq!(needed, Some(BTreeSet::from([0, 1])));
        grounds.undo(1);
        assert_eq!(grounds.refutation(&[(2, 1), (1, 1), (0, -1)]), None);
        // Bounds that just meet contradict nothing.
        grounds.assume(0, true, 3);
        assert_eq!(grounds.refutation(&[(2, 1), (1, 1), (0, -1)]), None);
    }
}
