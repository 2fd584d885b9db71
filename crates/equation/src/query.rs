//! One question to the state equation: whether some solution satisfies a condition.
//!
//! Alternatives are looked at one after the other, and only where the present solution satisfies none of them
//! (so a condition with thousands of alternatives, such as that nothing can fire, costs little where few
//! matter). A solution that satisfies everything is examined: if it empties a trap that stays marked, or fires
//! what has no cause, that is added, and the search goes on; a number that is not whole is split into those
//! below and those above. Each branch ends with multipliers that refute it, and that are added up again
//! ([`Grounds`]), or all of it with a solution, which says what to fire.
//!
//! Alternatives are not independent. What was refuted does not hold in those that are looked at after it; numbers are
//! whole, so that its opposite is a bound, too. And where a refutation does not need the alternative, which its
//! multipliers tell (the *core*), there is no need to look at others (Marques-Silva and Sakallah 1996).
//!
//! Cost: an exponential number of branches in the worst case, so there is a bound on them.

use std::collections::{BTreeSet, HashMap};
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
const DEEPEST: usize = 1_000;
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

/// What has been assumed that a refutation needs, by number.
type Core = BTreeSet<usize>;

/// What came of a branch.
enum Found {
    Solution(Solution),
    Nothing(Core),
}

/// A search under way.
pub(crate) struct Query<'e, 'n, 'b> {
    pub(crate) equation: &'e mut StateEquation<'n>,
    pub(crate) budget: &'b Budget,
    simplex: Simplex,
    grounds: Grounds,
    sums: HashMap<Vec<(u32, i64)>, u32>,
    pub(crate) literals: usize,
    /// What has to hold beside the bounds, in the present branch, each with the number under which it is assumed.
    alternatives: Vec<(usize, Rc<Condition>)>,
    /// Those of which one was chosen: it is assumed itself.
    chosen: BTreeSet<usize>,
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
        Ok(match found? {
            Found::Solution(solution) => Some(solution),
            Found::Nothing(_) => None,
        })
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
            chosen: BTreeSet::new(),
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

    /// A solution with a condition, beside all that is assumed, if there is one.
    fn branch(
        &mut self,
        condition: &Rc<Condition>,
        depth: usize,
        splits: usize,
    ) -> Result<Found, Halt> {
        self.branches += 1;
        if self.branches > MOST_BRANCHES || depth > DEEPEST {
            return Err(Halt::TooLarge);
        }
        let marks = (self.simplex.mark(), self.grounds.mark(), self.alternatives.len());
        let found = match self.assume(condition)? {
            None => self.solution(depth, splits)?,
            Some(core) => Found::Nothing(core),
        };
        self.simplex.undo(marks.0);
        self.grounds.undo(marks.1);
        self.alternatives.truncate(marks.2);
        Ok(found)
    }

    /// Assumes a condition: its bounds at once, its alternatives later. Why it cannot hold, if that is plain.
    fn assume(&mut self, condition: &Rc<Condition>) -> Result<Option<Core>, Halt> {
        match &**condition {
            Condition::True => Ok(None),
            Condition::Literal(literal) => self.assume_bound(*literal),
            Condition::All(parts) => {
                for part in parts {
                    let core = self.assume(part)?;
                    if core.is_some() {
                        return Ok(core);
                    }
                }
                Ok(None)
            }
            Condition::Any(parts) => {
                let number = self.grounds.assume_other();
                self.alternatives.push((number, Rc::clone(condition)));
                Ok(parts.is_empty().then(|| Core::from([number])))
            }
        }
    }

    fn assume_bound(&mut self, literal: Literal) -> Result<Option<Core>, Halt> {
        let Literal { variable, is_upper, bound } = literal;
        self.grounds.assume(variable, is_upper, bound);
        let multipliers = self.simplex.bound(variable, is_upper, bound)?;
        multipliers.map(|multipliers| self.refuted(&multipliers)).transpose()
    }

    /// Checks that multipliers refute what is assumed, and gives what they need of it.
    fn refuted(&self, multipliers: &Multipliers) -> Result<Core, Halt> {
        self.grounds.refutation(multipliers).ok_or(Halt::Uncertified)
    }

    /// A solution of what is assumed.
    fn solution(&mut self, depth: usize, splits: usize) -> Result<Found, Halt> {
        loop {
            self.budget.check()?;
            if let Some(multipliers) = self.simplex.check(self.budget)? {
                return Ok(Found::Nothing(self.refuted(&multipliers)?));
            }
            if let Some((number, parts)) = self.open_alternative() {
                self.chosen.extend(number);
                let found = self.one_of(number, &parts, depth, splits);
                number.inspect(|number| _ = self.chosen.remove(number));
                return found;
            }
            if self.add_trap()? || self.add_cause()? {
                continue;
            }
            if let (true, Some(halves)) = (splits < MOST_SPLITS, self.halves()) {
                let halves = halves.map(|half| Rc::new(Condition::Literal(half)));
                return self.one_of(None, &halves, depth, splits + 1);
            }
            return Ok(Found::Solution(self.present_solution()));
        }
    }

    /// A solution with one of several conditions, which are assumed under this number, if not always true.
    fn one_of(
        &mut self,
        number: Option<usize>,
        parts: &[Rc<Condition>],
        depth: usize,
        splits: usize,
    ) -> Result<Found, Halt> {
        let before = self.grounds.mark();
        let mut needed: Core = number.into_iter().collect();
        for part in parts {
            let without = self.grounds.mark();
            let core = match self.branch(part, depth + 1, splits)? {
                Found::Nothing(core) => core,
                found => return Ok(found),
            };
            if core.range(before..).next().is_none() {
                return Ok(Found::Nothing(core));
            }
            let needs_part = core.range(without..).next().is_some();
            needed.extend(core.range(..before));
            if !needs_part {
                return Ok(Found::Nothing(needed));
            }
            // What was refuted does not hold from now on, for the same reasons.
            if let Condition::Literal(literal) = &**part
                && let Some(opposite) = literal.opposite()
                && let Some(core) = self.assume_bound(opposite)?
            {
                needed.extend(core.range(..before));
                return Ok(Found::Nothing(needed));
            }
        }
        Ok(Found::Nothing(needed))
    }

    /// Of the lists of alternatives none of which the present values satisfy, the one with the fewest that bounds do not
    /// rule out; and the number under which it is assumed, if it is.
    fn open_alternative(&self) -> Option<(Option<usize>, Vec<Rc<Condition>>)> {
        let lasting = self.lasting.iter().map(|condition| (None, condition));
        let assumed = self.alternatives.iter().filter(|(number, _)| !self.chosen.contains(number));
        let assumed = assumed.map(|(number, of)| (Some(*number), of));
        let open = lasting.chain(assumed).filter_map(|(number, condition)| match &**condition {
            Condition::Any(parts) if !condition.holds(&self.simplex) => Some((number, parts)),
            _ => None,
        });
        let is_possible = |part: &&Rc<Condition>| match &***part {
            Condition::Literal(Literal { variable, is_upper, bound }) => {
                self.simplex.allows(*variable, *is_upper, *bound)
            }
            _ => true,
        };
        let fewest = open.min_by_key(|(_, parts)| parts.iter().filter(is_possible).count());
        fewest.map(|(number, parts)| (number, parts.clone()))
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
    use super::{Found, Query};
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
        assert!(matches!(query.branch(&condition, 0, 0), Ok(Found::Nothing(_))));
    }
}
