//! The net that is left when colours are forgotten: its *skeleton*.
//!
//! A place has as many tokens as the coloured one has in all, and a transition takes and puts as many as each of its
//! bindings does. What a guard or an inhibitor forbids is allowed. So every run of the coloured net is one of the
//! skeleton, and what the skeleton cannot reach, the coloured net cannot either. It has as many places and transitions
//! as the coloured net has, whatever the size of the classes.
//!
//! Nothing follows from what is *not* enabled: that a binding is enabled means that the transition of the skeleton is,
//! and not the other way round.
//!
//! Cost: for each arc over whole classes with a condition, the values of the variables in it.

use ::budget::Phase;
use num_bigint::BigUint;
use symbolic::operand::Operand;
use symbolic::{PlaceId, SymmetricNet};

use super::effort::Effort;
use super::ground::{Pattern, Rule, Rules};
use super::{
    NotUnfolded, UnfoldLimits, UnfoldedArc, UnfoldedNet, UnfoldedPlace, UnfoldedTransition,
};

impl UnfoldedNet {
    /// The skeleton of a net; `None` if some arc stands for more tokens in one binding than in another.
    ///
    /// # Errors
    ///
    /// If the net is flawed, or there is too much to try.
    pub fn skeleton(
        net: &SymmetricNet,
        limits: &UnfoldLimits,
    ) -> Result<Option<UnfoldedNet>, NotUnfolded> {
        let _under = limits.budget.progress().during(Phase::Unfolding);
        if let Some(flaw) = net.flaws().into_iter().next() {
            return Err(flaw.into());
        }
        let rules = Rules::of(net);
        let effort = &mut Effort::new(limits);
        let mut initial = vec![0_i64; rules.places];
        let too_many = |place: u32| NotUnfolded::Tokens(net.places[place as usize].name.clone());
        for pattern in &rules.initial {
            let Some(count) = pattern.tokens(&[], effort)? else { return Ok(None) };
            let tokens = &mut initial[pattern.place as usize];
            *tokens = tokens.checked_add(count).ok_or_else(|| too_many(pattern.place))?;
        }
        let mut places = Vec::new();
        for (place, tokens) in (0..).zip(initial) {
            let initial = i32::try_from(tokens).map_err(|_| too_many(place))?;
            places.push(UnfoldedPlace { place: PlaceId(place), tuple: Vec::new(), initial });
        }
        let mut transitions = Vec::new();
        for (_, rule) in rules.iter() {
            match transition(rule, rules.places, effort)? {
                Some(transition) => transitions.push(transition),
                None => return Ok(None),
            }
        }
        let fixed = vec![BigUint::ZERO; rules.places];
        Ok(Some(UnfoldedNet { places, transitions, fixed, most_fixed: 0 }))
    }

    /// How many bindings a net may have at most: for each transition as many as its variables have values.
    #[must_use]
    pub fn most_bindings(net: &SymmetricNet) -> u64 {
        let of = |rule: &Rule| {
            rule.variables.iter().fold(1_u64, |all, size| all.saturating_mul(u64::from(*size)))
        };
        Rules::of(net).iter().fold(0, |all, (_, rule)| all.saturating_add(of(rule)))
    }
}

/// What a transition does to places; `None` if that depends on its binding.
fn transition(
    rule: &Rule,
    places: usize,
    effort: &mut Effort<'_>,
) -> Result<Option<UnfoldedTransition>, NotUnfolded> {
    let mut needed = vec![0_i64; places];
    let mut change = needed.clone();
    let lists = [(&rule.takes, -1, true), (&rule.reads, 0, true), (&rule.puts, 1, false)];
    for (patterns, sign, is_needed) in lists {
        for pattern in patterns {
            let Some(count) = pattern.tokens(&rule.variables, effort)? else { return Ok(None) };
            let place = pattern.place as usize;
            if is_needed {
                needed[place] = needed[place].saturating_add(count);
            }
            change[place] = change[place].saturating_add(sign * count);
        }
    }
    let mut arcs = Vec::new();
    for place in (0..places).filter(|&place| needed[place] != 0 || change[place] != 0) {
        let [Ok(least), Ok(change)] = [needed[place], change[place]].map(i32::try_from) else {
            return Ok(None);
        };
        arcs.push(UnfoldedArc { place: place as u32, least, most: i32::MAX, change });
    }
    let labels = vec![rule.label];
    Ok(Some(UnfoldedTransition { arcs, sums: Vec::new(), bindings: 1, labels }))
}

impl Pattern {
    /// How many tokens it stands for, with multiplicity; `None` if that depends on the values of variables, which range
    /// over this many elements each.
    fn tokens(&self, sizes: &[u32], effort: &mut Effort<'_>) -> Result<Option<i64>, NotUnfolded> {
        // A component that may not be there makes a token fewer.
        let is_lost = |operand: &Operand| {
            let Operand::Shift { var, wraps: false, .. } = operand else { return false };
            *var as usize >= self.outer
        };
        if self.tuple.iter().any(is_lost) {
            return Ok(None);
        }
        let mut used = Vec::new();
        self.tests.iter().flatten().for_each(|test| {
            test.for_each_var(&mut |var| {
                if (var as usize) < self.outer {
                    used.push(var as usize);
                }
            });
        });
        used.sort_unstable();
        used.dedup();
        let mut values = vec![0; self.outer];
        let mut found = None;
        loop {
            let count = match self.tests.iter().all(Vec::is_empty) {
                true => {
                    self.locals.iter().fold(1, |all: i64, &size| all.saturating_mul(size.into()))
                }
                false => self.assignments(&mut values.clone(), effort)?,
            };
            if found.is_some_and(|found| found != count) {
                return Ok(None);
            }
            found = Some(count);
            // The next values of the variables that matter.
            let next = used.iter().find(|&&var| {
                values[var] += 1;
                let goes_on = values[var] < sizes[var];
                if !goes_on {
                    values[var] = 0;
                }
                goes_on
            });
            if next.is_none() {
                break;
            }
        }
        Ok(found.and_then(|count| count.checked_mul(i64::from(self.count))))
    }

    /// How many values of the local variables satisfy the tests.
    fn assignments(
        &self,
        values: &mut Vec<u32>,
        effort: &mut Effort<'_>,
    ) -> Result<i64, NotUnfolded> {
        effort.spend()?;
        let known = values.len() - self.outer;
        if !self.tests[known].iter().all(|test| test.holds(values, &[])) {
            return Ok(0);
        }
        let Some(size) = self.locals.get(known) else { return Ok(1) };
        let mut count = 0;
        for element in 0..*size {
            values.push(element);
            count += self.assignments(values, effort)?;
            values.pop();
        }
        Ok(count)
    }
}
