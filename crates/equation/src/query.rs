//! One question to the state equation: whether some solution satisfies a condition.
//!
//! Alternatives are looked at one after the other, and only where the present solution satisfies none of them
//! (so a condition with thousands of alternatives, such as that nothing can fire, costs little where few
//! matter). A solution that satisfies everything is examined: if it empties a trap that stays marked, or fires
//! what has no cause, that is added, and the search goes on; a number that is not whole is split into those
//! below and those above. Each branch ends with multipliers that refute it, and that are added up again
//! ([`Grounds`]), or all of it with a solution, which says what to fire.
//!
//! Cost: an exponential number of branches in the worst case, so there is a bound on them.

use std::collections::HashMap;
use std::rc::Rc;

use budget::Budget;
use num_traits::{ToPrimitive, Zero};
use unfold::Predicate;

use crate::cause::{Cause, lacking_cause};
use crate::certificate::Grounds;
use crate::condition::{Condition, Literal};
use crate::equation::{StateEquation, sum_of};
use crate::simplex::{Greatest, Halt, Multipliers, Rational, Simplex};
use crate::trap::marked_trap;

/// Branches of a search, and one inside the other, at most.
const MOST_BRANCHES: usize = 20_000;
const DEEPEST: usize = 300;
/// Traps and causes that are added in one search, at most; and numbers that are made whole, one after the other.
const MOST_TRAPS: usize = 150;
const MOST_CAUSES: usize = 150;
const MOST_SPLITS: usize = 8;

/// A solution of the state equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// How often to fire which column, rounded up.
    pub firings: Vec<(u32, u64)>,
}

/// What the state equation says of a sum of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upper {
    /// It is never more than this. The solution is one that comes near it.
    AtMost(i128, Solution),
    /// There are solutions with ever more. Firing these columns again and again would do it, if it can be done.
    Unlimited(Solution),
}

/// A search under way.
pub(crate) struct Query<'e, 'n, 'b> {
    pub(crate) equation: &'e mut StateEquation<'n>,
    pub(crate) budget: &'b Budget,
    simplex: Simplex,
    grounds: Grounds,
    sums: HashMap<Vec<(u32, i64)>, u32>,
    pub(crate) literals: usize,
    /// What has to hold beside the bounds, in the present branch.
    alternatives: Vec<Rc<Condition>>,
    /// What holds in any case.
    lasting: Vec<Rc<Condition>>,
    traps: Vec<Vec<u32>>,
    branches: usize,
    causes: usize,
}

impl<'n> StateEquation<'n> {
    /// Whether some solution satisfies a predicate. Without one, no reachable marking does.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub fn solve(
        &mut self,
        predicate: &Predicate,
        budget: &Budget,
    ) -> Result<Option<Solution>, Halt> {
        let mut query = Query::new(self, budget);
        let condition = Rc::new(query.condition(predicate, true)?);
        let found = query.branch(&condition, 0, 0);
        query.keep_traps()?;
        found
    }

    /// How large a sum of tokens becomes at most, each place of the symmetric net times a factor.
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    pub fn upper_bound(&mut self, terms: &[(u32, i64)], budget: &Budget) -> Result<Upper, Halt> {
        let mut query = Query::new(self, budget);
        let upper = query.upper_bound(terms);
        query.keep_traps()?;
        upper
    }
}

impl<'e, 'n, 'b> Query<'e, 'n, 'b> {
    fn new(equation: &'e mut StateEquation<'n>, budget: &'b Budget) -> Self {
        Query {
            simplex: equation.simplex.clone(),
            grounds: equation.grounds.clone(),
            equation,
            budget,
            sums: HashMap::new(),
            literals: 0,
            alternatives: Vec::new(),
            lasting: Vec::new(),
            traps: Vec::new(),
            branches: 0,
            causes: 0,
        }
    }

    /// A variable that is a sum of others.
    pub(crate) fn sum(&mut self, terms: Vec<(u32, i64)>) -> Result<u32, Halt> {
        if let [(variable, 1)] = terms[..] {
            return Ok(variable);
        }
        if let Some(variable) = self.sums.get(&terms) {
            return Ok(*variable);
        }
        let variable = self.new_sum(&terms, None)?;
        self.sums.insert(terms, variable);
        Ok(variable)
    }

    fn new_sum(&mut self, terms: &[(u32, i64)], least: Option<i64>) -> Result<u32, Halt> {
        let definition = sum_of(&self.grounds, terms)?;
        let variable = self.simplex.defined(terms)?;
        self.grounds.define(definition, least);
        if let Some(least) = least {
            self.simplex.ground(variable, false, least)?;
        }
        Ok(variable)
    }

    /// Passes on the traps that were found.
    fn keep_traps(self) -> Result<(), Halt> {
        let Query { equation, traps, .. } = self;
        traps.into_iter().try_for_each(|trap| equation.keep_trap(trap))
    }

    /// A solution with a condition, beside all that is assumed; `None` if there is none.
    fn branch(
        &mut self,
        condition: &Rc<Condition>,
        depth: usize,
        splits: usize,
    ) -> Result<Option<Solution>, Halt> {
        self.branches += 1;
        if self.branches > MOST_BRANCHES || depth > DEEPEST {
            return Err(Halt::TooLarge);
        }
        let marks = (self.simplex.mark(), self.grounds.mark(), self.alternatives.len());
        let found = match self.assume(condition)? {
            true => self.solution(depth, splits)?,
            false => None,
        };
        self.simplex.undo(marks.0);
        self.grounds.undo(marks.1);
        self.alternatives.truncate(marks.2);
        Ok(found)
    }

    /// Assumes a condition: its bounds at once, its alternatives later. Whether it may hold.
    fn assume(&mut self, condition: &Rc<Condition>) -> Result<bool, Halt> {
        match &**condition {
            Condition::True => Ok(true),
            Condition::Literal(Literal { variable, is_upper, bound }) => {
                self.grounds.assume(*variable, *is_upper, *bound);
                match self.simplex.bound(*variable, *is_upper, *bound)? {
                    None => Ok(true),
                    Some(multipliers) => self.refuted(&multipliers).map(|()| false),
                }
            }
            Condition::All(parts) => {
                for part in parts {
                    if !self.assume(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Condition::Any(parts) if parts.is_empty() => Ok(false),
            Condition::Any(_) => {
                self.alternatives.push(Rc::clone(condition));
                Ok(true)
            }
        }
    }

    /// Checks that multipliers refute what is assumed.
    fn refuted(&self, multipliers: &Multipliers) -> Result<(), Halt> {
        match self.grounds.are_refuted_by(multipliers) {
            true => Ok(()),
            false => Err(Halt::Uncertified),
        }
    }

    /// A solution of what is assumed.
    fn solution(&mut self, depth: usize, splits: usize) -> Result<Option<Solution>, Halt> {
        loop {
            self.budget.check()?;
            if let Some(multipliers) = self.simplex.check(self.budget)? {
                self.refuted(&multipliers)?;
                return Ok(None);
            }
            if let Some(parts) = self.open_alternative() {
                for part in &parts {
                    let found = self.branch(part, depth + 1, splits)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                return Ok(None);
            }
            if self.add_trap()? || self.add_cause()? {
                continue;
            }
            if let (true, Some(halves)) = (splits < MOST_SPLITS, self.halves()) {
                for half in halves {
                    let half = Rc::new(Condition::Literal(half));
                    let found = self.branch(&half, depth + 1, splits + 1)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                return Ok(None);
            }
            return Ok(Some(self.present_solution()));
        }
    }

    /// The shortest list of alternatives none of which the present values satisfy.
    fn open_alternative(&self) -> Option<Vec<Rc<Condition>>> {
        let all = self.lasting.iter().chain(&self.alternatives);
        let open = all.filter_map(|condition| match &**condition {
            Condition::Any(parts) if !condition.holds(&self.simplex) => Some(parts),
            _ => None,
        });
        open.min_by_key(|parts| parts.len()).cloned()
    }

    /// Adds that a trap is marked that the present solution empties. Whether there was one.
    fn add_trap(&mut self) -> Result<bool, Halt> {
        let equation = &*self.equation;
        if !equation.is_whole() || self.traps.len() >= MOST_TRAPS {
            return Ok(false);
        }
        let is_empty = |place: usize| {
            let group = equation.group_of[place];
            let change = self.simplex.value(equation.of_group(group));
            *change == Rational::from_integer(-i128::from(equation.initial[group as usize]))
        };
        let empty = (0..equation.net.places.len()).map(is_empty).collect();
        let Some(trap) = marked_trap(equation.net, &equation.incidence, empty) else {
            return Ok(false);
        };
        let terms: Vec<(u32, i64)> = trap
            .iter()
            .map(|place| (equation.of_group(equation.group_of[*place as usize]), 1))
            .collect();
        let (_, least) = equation.trap_row(&trap, &terms)?;
        self.new_sum(&terms, Some(least))?;
        self.traps.push(trap);
        Ok(true)
    }

    /// Adds that something has a cause that has none in the present solution. Whether there was something.
    fn add_cause(&mut self) -> Result<bool, Halt> {
        let equation = &*self.equation;
        if !equation.is_whole() || self.causes >= MOST_CAUSES {
            return Ok(false);
        }
        let columns = 0..equation.columns.len() as u32;
        let fires: Vec<bool> = columns.map(|c| !self.simplex.value(c).is_zero()).collect();
        let Some(Cause { needing, giving }) = lacking_cause(
            equation.net,
            &equation.incidence,
            &equation.columns,
            &equation.column_of,
            &fires,
        ) else {
            return Ok(false);
        };
        let terms = |columns: Vec<u32>| columns.into_iter().map(|column| (column, 1)).collect();
        let variable = self.sum(terms(needing))?;
        let mut parts = vec![Literal { variable, is_upper: true, bound: 0 }];
        if !giving.is_empty() {
            let variable = self.sum(terms(giving))?;
            parts.push(Literal { variable, is_upper: false, bound: 1 });
        }
        let parts = parts.into_iter().map(|part| Rc::new(Condition::Literal(part)));
        self.lasting.push(Rc::new(Condition::Any(parts.collect())));
        self.causes += 1;
        Ok(true)
    }

    /// A number of firings that is not whole, from both sides.
    fn halves(&self) -> Option<[Literal; 2]> {
        let variables = 0..self.equation.columns.len() as u32;
        let variable = variables.into_iter().find(|v| !self.simplex.value(*v).is_integer())?;
        let below = self.simplex.value(variable).floor().to_integer().to_i64()?;
        let above = below.checked_add(1)?;
        let upper = Literal { variable, is_upper: true, bound: below };
        Some([upper, Literal { variable, is_upper: false, bound: above }])
    }

    fn present_solution(&self) -> Solution {
        let columns = 0..self.equation.columns.len() as u32;
        let firings = columns.filter_map(|column| {
            let times = self.simplex.value(column).ceil().to_integer();
            (times > 0).then(|| (column, times.to_u64().unwrap_or(u64::MAX)))
        });
        Solution { firings: firings.collect() }
    }

    fn upper_bound(&mut self, terms: &[(u32, i64)]) -> Result<Upper, Halt> {
        let (groups, always) = self.tokens(terms)?;
        let mut sum: Vec<(u32, i64)> = Vec::new();
        let mut first = always;
        for (group, factor) in groups {
            first += i128::from(factor) * i128::from(self.equation.initial[group as usize]);
            let variable = self.equation.of_group(group);
            match sum.last_mut() {
                Some(last) if last.0 == variable => last.1 += factor,
                _ => sum.push((variable, factor)),
            }
        }
        sum.retain(|(_, factor)| *factor != 0);
        let sum = self.new_sum(&sum, None)?;
        loop {
            if self.simplex.check(self.budget)?.is_some() {
                // Something is reachable: the initial marking.
                return Err(Halt::Uncertified);
            }
            match self.simplex.maximise(sum, self.budget)? {
                Greatest::Unlimited(ray) => return Ok(Upper::Unlimited(self.firings_of(&ray)?)),
                Greatest::Is(value, multipliers) => {
                    if self.add_trap()? {
                        continue;
                    }
                    let most = value.floor().to_integer();
                    let beyond = i64::try_from(most + 1).map_err(|_| Halt::Overflow)?;
                    let mark = self.grounds.mark();
                    self.grounds.assume(sum, false, beyond);
                    self.refuted(&multipliers)?;
                    self.grounds.undo(mark);
                    return Ok(Upper::AtMost(first + most, self.present_solution()));
                }
            }
        }
    }

    /// The firings in a ray, in whole numbers.
    fn firings_of(&self, ray: &[(u32, Rational)]) -> Result<Solution, Halt> {
        let columns = self.equation.columns.len() as u32;
        let firings = ray.iter().filter(|(variable, _)| *variable < columns);
        let firings: Vec<_> = firings.collect();
        let den = firings.iter().try_fold(1_i128, |den, (_, times)| {
            let common = num_integer::gcd(den, *times.denom());
            (den / common).checked_mul(*times.denom())
        });
        let den = den.ok_or(Halt::Overflow)?;
        let whole = firings.into_iter().map(|(column, times)| {
            let times = times.numer().checked_mul(den / times.denom());
            let times = times.and_then(|times| u64::try_from(times).ok());
            Ok((*column, times.ok_or(Halt::Overflow)?))
        });
        let whole: Vec<(u32, u64)> = whole.collect::<Result<_, Halt>>()?;
        Ok(Solution { firings: whole.into_iter().filter(|(_, times)| *times > 0).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::Query;
    use crate::{Halt, StateEquation};
    use budget::Budget;
    use symbolic::PlaceId;
    use unfold::{Predicate, UnfoldedArc, UnfoldedNet, UnfoldedPlace, UnfoldedTransition};

    /// A token goes from the first place to the second, and stays there.
    fn one_step() -> UnfoldedNet {
        let place = |number: u32, initial| UnfoldedPlace {
            place: PlaceId(number),
            tuple: Vec::new(),
            initial,
        };
        let arc = |place, least, change| UnfoldedArc { place, least, most: i32::MAX, change };
        let arcs = vec![arc(0, 1, -1), arc(1, 0, 1)];
        let step = UnfoldedTransition { arcs, sums: Vec::new(), bindings: 1, labels: Vec::new() };
        UnfoldedNet {
            places: vec![place(0, 1), place(1, 0)],
            transitions: vec![step],
            fixed: vec![0_u32.into(), 0_u32.into()],
            most_fixed: 0,
        }
    }

    fn none_in(place: u32) -> Predicate {
        Predicate::AtMost { terms: vec![(place, 1)], bound: 0 }
    }

    #[test]
    fn what_is_no_trap_is_refused() {
        let net = one_step();
        let mut equation = StateEquation::of(&net).unwrap();
        assert_eq!(equation.keep_trap(vec![0]), Err(Halt::Uncertified));
        // This one is a trap that is not marked at first, the next is marked.
        assert_eq!(equation.keep_trap(vec![1]), Err(Halt::Uncertified));
        assert_eq!(equation.keep_trap(vec![0, 1]), Ok(()));
        let budget = Budget::unlimited();
        assert!(equation.solve(&none_in(0), &budget).unwrap().is_some());
        let none = Predicate::And(vec![none_in(0), none_in(1)]);
        assert_eq!(equation.solve(&none, &budget), Ok(None));
    }

    /// Why it has to be: with the inequality of a set that is no trap, what is reachable is refuted.
    #[test]
    fn with_a_false_trap_what_is_reachable_is_refuted() {
        let net = one_step();
        let mut equation = StateEquation::of(&net).unwrap();
        let budget = Budget::unlimited();
        let mut query = Query::new(&mut equation, &budget);
        let place = query.equation.of_group(0);
        query.new_sum(&[(place, 1)], Some(0)).unwrap();
        let condition = query.condition(&none_in(0), true).unwrap().into();
        assert_eq!(query.branch(&condition, 0, 0), Ok(None));
    }
}
