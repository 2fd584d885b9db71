//! What is asked, as connections of bounds on variables of the state equation.
//!
//! Negations are gone, and what cannot be said of the variables is left out in favour of what is asked:
//! whatever satisfies the statement satisfies the condition.

use std::rc::Rc;

use net::TransitionId;
use num_integer::Integer;
use num_traits::ToPrimitive;
use unfold::{Predicate, UnfoldedTransition};

use crate::query::Query;
use crate::simplex::{Halt, Simplex};

/// A bound on a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Literal {
    pub(crate) variable: u32,
    pub(crate) is_upper: bool,
    pub(crate) bound: i64,
}

impl Literal {
    /// What holds where it does not, since variables are whole numbers.
    pub(crate) fn opposite(self) -> Option<Literal> {
        let Literal { variable, is_upper, bound } = self;
        let bound = if is_upper { bound.checked_add(1)? } else { bound.checked_sub(1)? };
        Some(Literal { variable, is_upper: !is_upper, bound })
    }
}

/// A connection of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    True,
    Literal(Literal),
    All(Vec<Rc<Condition>>),
    /// None of nothing.
    Any(Vec<Rc<Condition>>),
}

/// A sum over groups, whether it is at most or at least a bound, and the bound.
type Comparison = (Vec<(u32, i64)>, bool, i128);

/// Bounds in a condition, at most.
const MOST_LITERALS: usize = 300_000;

impl Condition {
    /// Whether the values of the variables satisfy it.
    pub(crate) fn holds(&self, simplex: &Simplex) -> bool {
        match self {
            Condition::True => true,
            Condition::Literal(literal) => {
                let value = simplex.value(literal.variable);
                let bound = i128::from(literal.bound).saturating_mul(*value.denom());
                if literal.is_upper { *value.numer() <= bound } else { *value.numer() >= bound }
            }
            Condition::All(parts) => parts.iter().all(|part| part.holds(simplex)),
            Condition::Any(parts) => parts.iter().any(|part| part.holds(simplex)),
        }
    }

    fn all(parts: Vec<Condition>) -> Condition {
        let mut kept: Vec<Rc<Condition>> = Vec::new();
        for part in parts {
            match part {
                Condition::True => {}
                Condition::Any(none) if none.is_empty() => return Condition::Any(none),
                Condition::All(inner) => kept.extend(inner),
                other => kept.push(Rc::new(other)),
            }
        }
        match kept.len() {
            0 => Condition::True,
            1 => Rc::unwrap_or_clone(kept.remove(0)),
            _ => Condition::All(kept),
        }
    }

    fn any(parts: Vec<Condition>) -> Condition {
        let mut kept: Vec<Rc<Condition>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for part in parts {
            match part {
                Condition::True => return Condition::True,
                Condition::Any(inner) => kept.extend(inner),
                other => kept.push(Rc::new(other)),
            }
        }
        kept.retain(|part| seen.insert(Rc::clone(part)));
        match kept.len() {
            1 => Rc::unwrap_or_clone(kept.remove(0)),
            _ => Condition::Any(kept),
        }
    }

    pub(crate) fn constant(value: bool) -> Condition {
        if value { Condition::True } else { Condition::Any(Vec::new()) }
    }
}

impl Query<'_, '_, '_> {
    /// What a predicate, or its opposite, asks of the variables.
    pub(crate) fn condition(
        &mut self,
        predicate: &Predicate,
        holds: bool,
    ) -> Result<Condition, Halt> {
        Ok(match predicate {
            Predicate::True => Condition::constant(holds),
            Predicate::Not(inner) => self.condition(inner, !holds)?,
            Predicate::And(parts) | Predicate::Or(parts) => {
                let parts = parts.iter().map(|part| self.condition(part, holds));
                let parts = parts.collect::<Result<_, Halt>>()?;
                match matches!(predicate, Predicate::And(_)) == holds {
                    true => Condition::all(parts),
                    false => Condition::any(parts),
                }
            }
            Predicate::AtMost { terms, bound } => {
                let (terms, always) = self.tokens(terms)?;
                let most = i128::from(*bound) - always;
                match holds {
                    true => self.compared(terms, true, most)?,
                    false => self.compared(terms, false, most + 1)?,
                }
            }
            Predicate::Enabled(label) => self.enabled(Some(*label), holds)?,
            Predicate::Dead => self.enabled(None, !holds)?,
        })
    }

    /// A sum over places of the symmetric net as one over groups, and what is always added.
    pub(crate) fn tokens(&self, terms: &[(u32, i64)]) -> Result<(Vec<(u32, i64)>, i128), Halt> {
        let mut groups: Vec<(u32, i64)> = Vec::new();
        let mut always = 0_i128;
        for &(place, factor) in terms {
            let fixed = self.equation.net.fixed[place as usize].to_i64().ok_or(Halt::Overflow)?;
            always += i128::from(fixed) * i128::from(factor);
            let of_place = self.equation.coloured[place as usize].iter();
            groups.extend(of_place.map(|group| (*group, factor)));
        }
        groups.sort_unstable();
        Ok((groups, always))
    }

    /// That a sum over groups is at most a bound, or at least.
    fn compared(
        &mut self,
        terms: Vec<(u32, i64)>,
        is_upper: bool,
        bound: i128,
    ) -> Result<Condition, Halt> {
        self.literals += 1;
        if self.literals > MOST_LITERALS {
            return Err(Halt::TooLarge);
        }
        let mut merged: Vec<(u32, i64)> = Vec::with_capacity(terms.len());
        for (group, factor) in terms {
            match merged.last_mut() {
                Some(last) if last.0 == group => last.1 += factor,
                _ => merged.push((group, factor)),
            }
        }
        merged.retain(|(_, factor)| *factor != 0);
        if merged.is_empty() {
            return Ok(Condition::constant(if is_upper { bound >= 0 } else { bound <= 0 }));
        }
        let initial = |group: u32| i128::from(self.equation.initial[group as usize]);
        if let [(group, factor)] = merged[..] {
            let factor = i128::from(factor);
            let is_upper = is_upper == (factor > 0);
            let bound = match is_upper {
                true => Integer::div_floor(&bound, &factor),
                false => Integer::div_ceil(&bound, &factor),
            };
            let variable = self.equation.of_group(group);
            return Ok(literal(variable, is_upper, bound - initial(group)));
        }
        let at_first: i128 = merged.iter().map(|(g, a)| i128::from(*a) * initial(*g)).sum();
        let terms: Vec<(u32, i64)> = merged
            .iter()
            .map(|(group, factor)| (self.equation.of_group(*group), *factor))
            .collect();
        let variable = self.sum(terms)?;
        Ok(literal(variable, is_upper, bound - at_first))
    }

    /// That some transition with this label, or some at all, is enabled; or that none is.
    fn enabled(&mut self, label: Option<TransitionId>, holds: bool) -> Result<Condition, Halt> {
        let net = self.equation.net;
        let is_one = |t: &&UnfoldedTransition| label.is_none_or(|label| t.labels.contains(&label));
        let mut parts = Vec::new();
        for transition in net.transitions.iter().filter(is_one) {
            parts.push(self.of_transition(transition, holds)?);
            self.budget.check()?;
        }
        Ok(if holds { Condition::any(parts) } else { Condition::all(parts) })
    }

    fn of_transition(
        &mut self,
        transition: &UnfoldedTransition,
        holds: bool,
    ) -> Result<Condition, Halt> {
        let group = |place: u32| self.equation.group_of[place as usize];
        let is_single = |place: u32| self.equation.sizes[group(place) as usize] == 1;
        // Statements that places have at most, or at least, so many tokens.
        let mut asked: Vec<Comparison> = Vec::new();
        if holds {
            let mut least: Vec<(u32, i64)> = transition
                .arcs
                .iter()
                .filter(|arc| arc.least > 0)
                .map(|arc| (group(arc.place), i64::from(arc.least)))
                .collect();
            least.sort_unstable();
            // The places of a group are different ones, so what they have to have adds up.
            for part in least.chunk_by(|a, b| a.0 == b.0) {
                let sum = part.iter().map(|(_, least)| i128::from(*least)).sum();
                asked.push((vec![(part[0].0, 1)], false, sum));
            }
        }
        for arc in &transition.arcs {
            let place = vec![(group(arc.place), 1)];
            if holds && arc.most < i32::MAX && is_single(arc.place) {
                asked.push((place, true, i128::from(arc.most)));
            } else if !holds && arc.least > 0 && !is_single(arc.place) {
                return Ok(Condition::True);
            } else if !holds {
                if arc.least > 0 {
                    asked.push((place.clone(), true, i128::from(arc.least) - 1));
                }
                if arc.most < i32::MAX {
                    asked.push((place, false, i128::from(arc.most) + 1));
                }
            }
        }
        for (places, bound) in &transition.sums {
            let mut groups: Vec<(u32, i64)> = places.iter().map(|p| (group(*p), 1)).collect();
            groups.sort_unstable();
            groups.dedup();
            if !holds {
                asked.push((groups, false, i128::from(*bound)));
            } else if places.iter().all(|place| is_single(*place)) {
                asked.push((groups, true, i128::from(*bound) - 1));
            }
        }
        let parts =
            asked.into_iter().map(|(terms, is_upper, bound)| self.compared(terms, is_upper, bound));
        let parts = parts.collect::<Result<_, Halt>>()?;
        Ok(if holds { Condition::all(parts) } else { Condition::any(parts) })
    }
}

/// A bound; one that is no number of the solver's says nothing.
fn literal(variable: u32, is_upper: bool, bound: i128) -> Condition {
    match i64::try_from(bound) {
        Ok(bound) => Condition::Literal(Literal { variable, is_upper, bound }),
        Err(_) => Condition::True,
    }
}
