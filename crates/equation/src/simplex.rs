//! Linear inequalities in exact numbers.
//!
//! The general simplex method of Dutertre and de Moura (*A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006):
//! variables have bounds, some are defined as combinations of others, and bounds can be added and taken
//! back. Each row of the tableau writes a *basic* variable in terms of those that are not. If bounds contradict
//! each other, some row shows it: its numbers are the multipliers of Farkas' lemma. The greatest value of a
//! variable is found from there as by Dantzig, and shown by a row in the same way.
//!
//! All numbers are whole or fractions; what does not fit ends the work ([`Halt::Overflow`]). Solvers in
//! floating point would be faster on dense problems, but give no multipliers, cannot take bounds back, and
//! do not stop when asked. State equations are sparse, start with a solution (nothing has fired), and are asked
//! many small questions.
//!
//! Cost of a step: for each row with the entering variable, the length of both rows.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Exhausted};
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedMul, Signed, Zero};

use crate::row::Row;

/// An exact number.
pub type Rational = Ratio<i128>;

/// Why nothing was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt {
    /// The budget is used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// A number is too large.
    #[error("a number is too large")]
    Overflow,
    /// The problem is too large.
    #[error("the state equation is too large")]
    TooLarge,
    /// What was found is not what its certificate shows. That would be a mistake in the solver.
    #[error("a certificate does not show what it should")]
    Uncertified,
}

/// Numbers in a tableau, at most.
const MOST_ENTRIES: usize = 8_000_000;
/// Steps with the entering variable that costs least, before the least one is taken, which always ends (Bland).
const FREE_STEPS: usize = 2_000;

/// Multipliers of variables: these times the variables are 0, whatever these are, and by their bounds more.
pub(crate) type Multipliers = Vec<(u32, i64)>;

/// The greatest value of a variable.
#[derive(Debug)]
pub(crate) enum Greatest {
    /// It is this; the multipliers show it, with any larger lower bound of the variable.
    Is(Rational, Multipliers),
    /// There is none: variables may grow in these proportions for ever.
    Unlimited(Vec<(u32, Rational)>),
}

/// Variables, their bounds, and a tableau.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplex {
    lower: Vec<Option<i64>>,
    upper: Vec<Option<i64>>,
    value: Vec<Rational>,
    rows: Vec<Row>,
    /// The row of a basic variable.
    row_of: Vec<Option<u32>>,
    /// The rows in which a variable occurs, and perhaps others.
    columns: Vec<Vec<u32>>,
    /// Basic variables that may be out of bounds.
    suspects: BTreeSet<u32>,
    /// Bounds that were replaced: of which variable, whether the upper one, and what it was.
    trail: Vec<(u32, bool, Option<i64>)>,
    entries: usize,
}

fn times(a: &Rational, b: &Rational) -> Result<Rational, Halt> {
    a.checked_mul(b).ok_or(Halt::Overflow)
}

fn plus(a: &Rational, b: &Rational) -> Result<Rational, Halt> {
    a.checked_add(b).ok_or(Halt::Overflow)
}

fn whole(number: i64) -> Rational {
    Rational::from_integer(i128::from(number))
}

/// What is missing from a value to a bound.
fn missing(bound: i64, value: &Rational) -> Result<Rational, Halt> {
    plus(&whole(bound), &-value)
}

fn fraction(number: i64, den: i64) -> Rational {
    Rational::new(i128::from(number), i128::from(den))
}

impl Simplex {
    /// A new variable without bounds, which is 0.
    pub(crate) fn variable(&mut self) -> u32 {
        let variable = self.value.len() as u32;
        self.lower.push(None);
        self.upper.push(None);
        self.value.push(Rational::zero());
        self.row_of.push(None);
        self.columns.push(Vec::new());
        variable
    }

    /// A new variable that is a combination of others.
    pub(crate) fn defined(&mut self, terms: &[(u32, i64)]) -> Result<u32, Halt> {
        let mut value = Rational::zero();
        // In whole numbers over a common denominator.
        let (mut sum, mut den) = (BTreeMap::<u32, i128>::new(), 1_i128);
        for &(v, a) in terms {
            value = plus(&value, &times(&self.value[v as usize], &whole(a))?)?;
            let own = [(v, 1)];
            let (entries, row_den) = match self.row_of[v as usize] {
                None => (&own[..], 1),
                Some(row) => {
                    let row = &self.rows[row as usize];
                    (&row.entries[..], i128::from(row.den))
                }
            };
            let common = num_integer::lcm(den, row_den);
            if common != den {
                for number in sum.values_mut() {
                    *number = number.checked_mul(common / den).ok_or(Halt::Overflow)?;
                }
                den = common;
            }
            let factor = i128::from(a).checked_mul(den / row_den).ok_or(Halt::Overflow)?;
            for &(other, b) in entries {
                let number = sum.entry(other).or_default();
                let more = factor.checked_mul(i128::from(b)).ok_or(Halt::Overflow)?;
                *number = number.checked_add(more).ok_or(Halt::Overflow)?;
            }
            if den > i128::from(i64::MAX) {
                return Err(Halt::Overflow);
            }
        }
        sum.retain(|_, number| *number != 0);
        let variable = self.variable();
        let row = Row::reduced(variable, den, sum.into_iter().collect())?;
        let number = self.rows.len() as u32;
        row.entries.iter().for_each(|(v, _)| self.columns[*v as usize].push(number));
        self.entries += row.entries.len();
        self.row_of[variable as usize] = Some(number);
        self.value[variable as usize] = value;
        self.rows.push(row);
        if self.entries > MOST_ENTRIES { Err(Halt::TooLarge) } else { Ok(variable) }
    }

    pub(crate) fn value(&self, variable: u32) -> &Rational {
        &self.value[variable as usize]
    }

    /// Bounds a variable for good. It must have had no bound on this side.
    pub(crate) fn ground(&mut self, variable: u32, is_upper: bool, bound: i64) -> Result<(), Halt> {
        let bounds = if is_upper { &mut self.upper } else { &mut self.lower };
        assert!(bounds[variable as usize].replace(bound).is_none());
        self.settle_in(variable)
    }

    /// Moves a variable that is not basic into its bounds; a basic one is looked at later.
    fn settle_in(&mut self, variable: u32) -> Result<(), Halt> {
        if self.row_of[variable as usize].is_some() {
            self.suspects.insert(variable);
            return Ok(());
        }
        match self.broken_bound(variable) {
            None => Ok(()),
            Some((bound, _)) => {
                let by = missing(bound, &self.value[variable as usize])?;
                self.shift(variable, &by)
            }
        }
    }

    /// Where the bounds can be taken back to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes bounds back.
    pub(crate) fn undo(&mut self, mark: usize) {
        for (variable, is_upper, bound) in self.trail.drain(mark..).rev() {
            let bounds = if is_upper { &mut self.upper } else { &mut self.lower };
            bounds[variable as usize] = bound;
        }
    }

    /// Bounds a variable, unless it is bounded as much already. Gives multipliers if its other bound is
    /// beyond that.
    pub(crate) fn bound(
        &mut self,
        variable: u32,
        is_upper: bool,
        bound: i64,
    ) -> Result<Option<Multipliers>, Halt> {
        let at = variable as usize;
        let (same, other) = if is_upper {
            (self.upper[at], self.lower[at])
        } else {
            (self.lower[at], self.upper[at])
        };
        let is_within = |a: i64, b: i64| if is_upper { a <= b } else { a >= b };
        if same.is_some_and(|same| is_within(same, bound)) {
            return Ok(None);
        }
        self.trail.push((variable, is_upper, same));
        let bounds = if is_upper { &mut self.upper } else { &mut self.lower };
        bounds[at] = Some(bound);
        if other.is_some_and(|other| !is_within(other, bound)) {
            // Once by the lower bound, once by the upper one.
            return Ok(Some(vec![(variable, 1), (variable, -1)]));
        }
        self.settle_in(variable)?;
        Ok(None)
    }

    /// Whether the opposite bound of a variable leaves room for this one.
    pub(crate) fn allows(&self, variable: u32, is_upper: bool, bound: i64) -> bool {
        match is_upper {
            true => self.lower[variable as usize].is_none_or(|least| least <= bound),
            false => self.upper[variable as usize].is_none_or(|most| most >= bound),
        }
    }

    /// The bound that a variable is beyond, and whether it is the upper one.
    fn broken_bound(&self, variable: u32) -> Option<(i64, bool)> {
        let at = variable as usize;
        let value = &self.value[at];
        let scaled = |bound: i64| i128::from(bound).saturating_mul(*value.denom());
        match (self.lower[at], self.upper[at]) {
            (Some(lower), _) if *value.numer() < scaled(lower) => Some((lower, false)),
            (_, Some(upper)) if *value.numer() > scaled(upper) => Some((upper, true)),
            _ => None,
        }
    }

    /// Whether a variable may go up, or down.
    fn can_move(&self, variable: u32, up: bool) -> bool {
        let at = variable as usize;
        let value = &self.value[at];
        let scaled = |bound: i64| i128::from(bound).saturating_mul(*value.denom());
        if up {
            self.upper[at].is_none_or(|upper| *value.numer() < scaled(upper))
        } else {
            self.lower[at].is_none_or(|lower| *value.numer() > scaled(lower))
        }
    }

    /// Looks for values within all bounds. Gives multipliers if there are none.
    pub(crate) fn check(&mut self, budget: &Budget) -> Result<Option<Multipliers>, Halt> {
        let mut steps = 0;
        while let Some(&basic) = self.suspects.first() {
            budget.spend(1)?;
            let row = self.row_of[basic as usize];
            let (Some(row), Some((bound, is_upper))) = (row, self.broken_bound(basic)) else {
                self.suspects.pop_first();
                continue;
            };
            let row = row as usize;
            let movable = self.rows[row]
                .entries
                .iter()
                .filter(|&&(variable, factor)| self.can_move(variable, (factor > 0) != is_upper));
            let cost = |variable: u32| match steps < FREE_STEPS {
                true => self.columns[variable as usize].len(),
                false => 0,
            };
            match movable.min_by_key(|&&(variable, _)| (cost(variable), variable)) {
                None => return Ok(Some(self.multipliers(row, if is_upper { -1 } else { 1 }))),
                Some(&(variable, factor)) => {
                    let far = missing(bound, &self.value[basic as usize])?;
                    let by = times(&far, &fraction(self.rows[row].den, factor))?;
                    self.shift(variable, &by)?;
                    self.pivot(row, variable, budget)?;
                }
            }
            steps += 1;
        }
        Ok(None)
    }

    /// A row as multipliers; the one of its basic variable has the sign given.
    fn multipliers(&self, row: usize, sign: i64) -> Multipliers {
        let Row { basic, den, entries } = &self.rows[row];
        let others = entries.iter().map(|&(variable, factor)| (variable, -sign * factor));
        std::iter::once((*basic, sign * den)).chain(others).collect()
    }

    /// The greatest value of a basic variable without bounds, where all others are within theirs.
    pub(crate) fn maximise(&mut self, variable: u32, budget: &Budget) -> Result<Greatest, Halt> {
        let mut steps = 0;
        loop {
            budget.spend(1)?;
            let row = self.row_of[variable as usize].expect("it is basic") as usize;
            let Row { den, entries, .. } = &self.rows[row];
            let gains = entries.iter().filter(|&&(other, a)| self.can_move(other, a > 0));
            let cost = |other: u32, a: i64| match steps < FREE_STEPS {
                true => (i64::MAX - a.abs()) / den,
                false => i64::from(other),
            };
            let Some(&(entering, factor)) =
                gains.min_by_key(|&&(other, a)| (cost(other, a), other))
            else {
                return Ok(Greatest::Is(self.value[variable as usize], self.multipliers(row, 1)));
            };
            match self.farthest(entering, factor > 0)? {
                None => return Ok(Greatest::Unlimited(self.ray(entering, factor > 0))),
                Some((by, leaving)) => {
                    self.shift(entering, &by)?;
                    if let Some(row) = leaving {
                        self.pivot(row, entering, budget)?;
                    }
                }
            }
            steps += 1;
        }
    }

    /// How far a variable that is not basic can go, and the row that ends there, if it is not the variable
    /// itself; `None` if nothing ends.
    #[allow(clippy::type_complexity)]
    fn farthest(
        &mut self,
        variable: u32,
        up: bool,
    ) -> Result<Option<(Rational, Option<usize>)>, Halt> {
        let own = if up { self.upper[variable as usize] } else { self.lower[variable as usize] };
        let mut best = None;
        if let Some(bound) = own {
            let far = missing(bound, &self.value[variable as usize])?;
            best = Some((far.abs(), None, variable));
        }
        for number in self.rows_with(variable) {
            let row = &self.rows[number as usize];
            let factor = row.factor(variable);
            let at = row.basic as usize;
            let bound = if (factor > 0) == up { self.upper[at] } else { self.lower[at] };
            let Some(bound) = bound else { continue };
            let far = missing(bound, &self.value[at])?;
            let by = times(&far, &fraction(row.den, factor))?.abs();
            let is_nearer = best.as_ref().is_none_or(|(nearest, _, basic)| {
                by < *nearest || (by == *nearest && row.basic < *basic)
            });
            if is_nearer {
                best = Some((by, Some(number as usize), row.basic));
            }
        }
        Ok(best.map(|(by, row, _)| (if up { by } else { -by }, row)))
    }

    /// How all variables change with one that goes on for ever.
    fn ray(&mut self, variable: u32, up: bool) -> Vec<(u32, Rational)> {
        let one = whole(if up { 1 } else { -1 });
        let rows = self.rows_with(variable).into_iter().map(|number| {
            let row = &self.rows[number as usize];
            (row.basic, fraction(row.factor(variable), row.den) * one)
        });
        let mut ray: Vec<_> = rows.collect();
        ray.push((variable, one));
        ray
    }

    /// The rows in which a variable occurs.
    fn rows_with(&mut self, variable: u32) -> Vec<u32> {
        let mut rows = std::mem::take(&mut self.columns[variable as usize]);
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|row| self.rows[*row as usize].factor(variable) != 0);
        self.columns[variable as usize].clone_from(&rows);
        rows
    }

    /// Changes a variable that is not basic, and all that depend on it.
    fn shift(&mut self, variable: u32, by: &Rational) -> Result<(), Halt> {
        if by.is_zero() {
            return Ok(());
        }
        let at = variable as usize;
        self.value[at] = plus(&self.value[at], by)?;
        for number in self.rows_with(variable) {
            let row = &self.rows[number as usize];
            let change = times(by, &fraction(row.factor(variable), row.den))?;
            let at = row.basic as usize;
            self.value[at] = plus(&self.value[at], &change)?;
            self.suspects.insert(row.basic);
        }
        Ok(())
    }

    /// Exchanges the basic variable of a row for another variable of it. If it ends early, the tableau is of no
    /// use any more.
    fn pivot(&mut self, number: usize, entering: u32, budget: &Budget) -> Result<(), Halt> {
        let solved = self.rows[number].solved_for(entering);
        let leaving = self.rows[number].basic;
        for other in self.rows_with(entering) {
            if other as usize == number {
                continue;
            }
            budget.check()?;
            let columns = &mut self.columns;
            let row = &self.rows[other as usize];
            let new = row.replaced(&solved, |variable| columns[variable as usize].push(other))?;
            self.entries = self.entries + new.entries.len() - row.entries.len();
            self.rows[other as usize] = new;
        }
        self.rows[number] = solved;
        self.row_of[leaving as usize] = None;
        self.row_of[entering as usize] = Some(number as u32);
        self.columns[leaving as usize].push(number as u32);
        self.columns[entering as usize].clear();
        self.suspects.remove(&leaving);
        self.suspects.insert(entering);
        if self.entries > MOST_ENTRIES { Err(Halt::TooLarge) } else { Ok(()) }
    }
}
