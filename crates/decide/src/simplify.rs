//! Formulas of branching and of linear time in the light of what is known of their atoms.
//!
//! An atom that never changes is a constant, and constants make formulas smaller; some become constants
//! themselves, some are decided by the initial state, and some come down to whether a state is reachable, or to a
//! connection of smaller formulas, each of which is then a goal of its own.

use std::collections::HashMap;

use check::{Ctl, Formula, Ltl, Shape};
use unfold::Predicate;

use crate::atom::Statement;
use crate::goal::{Claim, Goal, Goals};
use crate::predicate::{joined, not};

/// What is known of an atom: its value in all states, or in the initial one.
pub(crate) type Known<'k> = &'k dyn Fn(u32) -> Option<bool>;

/// What is known of atoms.
#[derive(Clone, Copy)]
pub(crate) struct Light<'k> {
    /// The values of those that never change.
    pub(crate) always: Known<'k>,
    /// The values in the initial state.
    pub(crate) at_first: Known<'k>,
}

/// What it comes down to that a formula of branching time holds in the initial state.
pub(crate) fn branching(goals: &mut Goals, formula: &Ctl, light: Light<'_>) -> Claim {
    let formula = with_constants(formula, light.always).shorter();
    branching_claim(goals, &formula, light)
}

fn branching_claim(goals: &mut Goals, formula: &Ctl, light: Light<'_>) -> Claim {
    if let Some(value) = of_start(formula, light.at_first) {
        return Claim::Known(value);
    }
    match formula {
        Ctl::Not(a) => branching_claim(goals, a, light).not(),
        Ctl::And(a, b) => Claim::All([a, b].map(|part| branching_claim(goals, part, light)).into()),
        Ctl::SomeUntil(a, b) if **a == Ctl::True => finally_claim(goals, b),
        // Where the first part fails at first, the second has to hold at once.
        Ctl::SomeUntil(a, b) if of_start(a, light.at_first) == Some(false) => {
            branching_claim(goals, b, light)
        }
        other => Claim::Goal(goals.number(Goal::Branching(other.clone()))),
    }
}

/// That a state can be reached in which a formula holds.
fn finally_claim(goals: &mut Goals, formula: &Ctl) -> Claim {
    if let Some(predicate) = of_one_state(goals, formula) {
        return somewhere(goals, predicate);
    }
    match formula {
        // One of both.
        Ctl::Not(inner) if matches!(**inner, Ctl::And(..)) => {
            let Ctl::And(a, b) = &**inner else { unreachable!("as was asked") };
            let parts = [a, b].map(|part| finally_claim(goals, &part.clone().not()));
            Claim::Any(parts.into())
        }
        Ctl::SomeUntil(_, b) => finally_claim(goals, b),
        other => Claim::Goal(goals.number(Goal::Branching(other.clone().some_finally()))),
    }
}

/// What a formula says that is about one state.
fn of_one_state(goals: &Goals, formula: &Ctl) -> Option<Predicate> {
    match formula {
        Ctl::True => Some(Predicate::True),
        Ctl::Atom(atom) => goals.atoms.predicate(*atom, true),
        Ctl::Not(a) => of_one_state(goals, a).map(not),
        Ctl::And(a, b) => Some(both_hold(of_one_state(goals, a)?, of_one_state(goals, b)?)),
        Ctl::SomeNext(_) | Ctl::SomeUntil(..) | Ctl::SomeGlobally(_) => None,
    }
}

/// That a predicate holds somewhere.
fn somewhere(goals: &mut Goals, predicate: Predicate) -> Claim {
    match goals.atoms.stated(predicate) {
        Statement::Constant(value) => Claim::Known(value),
        Statement::Atom(atom, value) => Claim::Goal(goals.number(Goal::Somewhere(atom, value))),
    }
}

/// Both predicates.
fn both_hold(a: Predicate, b: Predicate) -> Predicate {
    joined([a, b], true)
}

/// The formula with constants for the atoms that are.
fn with_constants(formula: &Ctl, always: Known<'_>) -> Ctl {
    let inner = |part: &Ctl| with_constants(part, always);
    match formula {
        Ctl::True => Ctl::True,
        Ctl::Atom(atom) => match always(*atom) {
            Some(true) => Ctl::True,
            Some(false) => Ctl::falsehood(),
            None => formula.clone(),
        },
        Ctl::Not(a) => inner(a).not(),
        Ctl::And(a, b) => inner(a).and(inner(b)),
        Ctl::SomeNext(a) => inner(a).some_next(),
        Ctl::SomeUntil(a, b) => inner(a).some_until(inner(b)),
        Ctl::SomeGlobally(a) => inner(a).some_globally(),
    }
}

/// Both, where one may be enough.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// The value of a formula in the initial state, if that alone decides.
fn of_start(formula: &Ctl, at_first: Known<'_>) -> Option<bool> {
    let inner = |part: &Ctl| of_start(part, at_first);
    match formula {
        Ctl::True => Some(true),
        Ctl::Atom(atom) => at_first(*atom),
        Ctl::Not(a) => inner(a).map(|value| !value),
        Ctl::And(a, b) => both(inner(a), inner(b)),
        Ctl::SomeNext(_) => None,
        Ctl::SomeUntil(a, b) => match (inner(a), inner(b)) {
            (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Ctl::SomeGlobally(a) => inner(a).filter(|value| !value),
    }
}

/// What it comes down to that all runs satisfy a formula of linear time. Runs are those from the initial state, of
/// which there is at least one.
pub(crate) fn linear(goals: &mut Goals, formula: Formula, light: Light<'_>) -> Claim {
    let ltl = &mut goals.ltl;
    let formula = linear_with_constants(ltl, formula, light.always, &mut HashMap::new());
    let formula = begun(ltl, formula, light.at_first);
    linear_claim(goals, formula)
}

/// A formula that says the same of runs from the initial state, in which less is asked of that.
fn begun(ltl: &mut Ltl, formula: Formula, at_first: Known<'_>) -> Formula {
    match linear_of_start(ltl, formula, at_first) {
        Some(true) => return ltl.truth(),
        Some(false) => return ltl.falsehood(),
        None => {}
    }
    match ltl.shape(formula) {
        Shape::And(a, b) => {
            let (a, b) = (begun(ltl, a, at_first), begun(ltl, b, at_first));
            ltl.and(a, b)
        }
        Shape::Or(a, b) => {
            let (a, b) = (begun(ltl, a, at_first), begun(ltl, b, at_first));
            ltl.or(a, b)
        }
        // The second part at once, or never.
        Shape::Until(a, b) if linear_of_start(ltl, a, at_first) == Some(false) => {
            begun(ltl, b, at_first)
        }
        Shape::Release(a, b) if linear_of_start(ltl, a, at_first) == Some(true) => {
            begun(ltl, b, at_first)
        }
        _ => formula,
    }
}

fn linear_claim(goals: &mut Goals, formula: Formula) -> Claim {
    let falsehood = goals.ltl.falsehood();
    match goals.ltl.shape(formula) {
        Shape::True => Claim::Known(true),
        // There is always a run.
        Shape::False => Claim::Known(false),
        Shape::And(a, b) => Claim::All([a, b].map(|part| linear_claim(goals, part)).into()),
        Shape::Release(a, b) if a == falsehood => always_claim(goals, b),
        _ => Claim::Goal(goals.number(Goal::Linear(formula))),
    }
}

/// That a formula holds at all times of all runs.
fn always_claim(goals: &mut Goals, formula: Formula) -> Claim {
    if let Some(predicate) = of_one_time(goals, formula) {
        return somewhere(goals, not(predicate)).not();
    }
    match goals.ltl.shape(formula) {
        Shape::And(a, b) => Claim::All([a, b].map(|part| always_claim(goals, part)).into()),
        // It says that `b` holds now, and follows from `b` at all times.
        Shape::Release(_, b) => always_claim(goals, b),
        _ => {
            let always = goals.ltl.always(formula);
            Claim::Goal(goals.number(Goal::Linear(always)))
        }
    }
}

/// What a formula of linear time says that is about one state.
fn of_one_time(goals: &Goals, formula: Formula) -> Option<Predicate> {
    match goals.ltl.shape(formula) {
        Shape::True => Some(Predicate::True),
        Shape::False => Some(not(Predicate::True)),
        Shape::Atom(atom, value) => goals.atoms.predicate(atom, value),
        Shape::And(a, b) => Some(both_hold(of_one_time(goals, a)?, of_one_time(goals, b)?)),
        Shape::Or(a, b) => {
            let [a, b] = [of_one_time(goals, a)?, of_one_time(goals, b)?].map(not);
            Some(not(both_hold(a, b)))
        }
        Shape::Next(_) | Shape::Until(..) | Shape::Release(..) => None,
    }
}

fn linear_with_constants(
    ltl: &mut Ltl,
    formula: Formula,
    always: Known<'_>,
    done: &mut HashMap<Formula, Formula>,
) -> Formula {
    if let Some(known) = done.get(&formula) {
        return *known;
    }
    let mut inner = |ltl: &mut Ltl, part| linear_with_constants(ltl, part, always, done);
    let new = match ltl.shape(formula) {
        Shape::True | Shape::False => formula,
        Shape::Atom(atom, value) => match always(atom) {
            None => formula,
            Some(known) if known == value => ltl.truth(),
            Some(_) => ltl.falsehood(),
        },
        Shape::Next(a) => {
            let a = inner(ltl, a);
            ltl.next(a)
        }
        Shape::And(a, b) => {
            let (a, b) = (inner(ltl, a), inner(ltl, b));
            ltl.and(a, b)
        }
        Shape::Or(a, b) => {
            let (a, b) = (inner(ltl, a), inner(ltl, b));
            ltl.or(a, b)
        }
        Shape::Until(a, b) => {
            let (a, b) = (inner(ltl, a), inner(ltl, b));
            ltl.until(a, b)
        }
        Shape::Release(a, b) => {
            let (a, b) = (inner(ltl, a), inner(ltl, b));
            ltl.release(a, b)
        }
    };
    done.insert(formula, new);
    new
}

/// Whether all runs satisfy a formula, or none, if the initial state alone decides.
fn linear_of_start(ltl: &Ltl, formula: Formula, at_first: Known<'_>) -> Option<bool> {
    let inner = |part| linear_of_start(ltl, part, at_first);
    let not = |value: Option<bool>| value.map(|value| !value);
    let one = |a, b| not(both(not(a), not(b)));
    match ltl.shape(formula) {
        Shape::True => Some(true),
        Shape::False => Some(false),
        Shape::Atom(atom, value) => at_first(atom).map(|known| known == value),
        Shape::And(a, b) => both(inner(a), inner(b)),
        Shape::Or(a, b) => one(inner(a), inner(b)),
        Shape::Next(_) => None,
        // b, or a and something later.
        Shape::Until(a, b) => one(inner(b), both(inner(a), None)),
        // b, and a or something later.
        Shape::Release(a, b) => both(inner(b), one(inner(a), None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Atoms 0 and 1 never change; in the initial state those with odd numbers below 4 hold.
    fn lit<T>(work: impl FnOnce(&mut Goals, Light<'_>) -> T) -> T {
        let mut goals = Goals::new(None);
        for place in 0..5 {
            let predicate = Predicate::AtMost { terms: vec![(place, 1)], bound: 0 };
            assert!(
                matches!(goals.atoms.stated(predicate), Statement::Atom(n, true) if n == place)
            );
        }
        let always = |atom: u32| (atom < 2).then_some(atom == 1);
        let at_first = |atom: u32| if atom < 4 { Some(atom % 2 == 1) } else { None };
        work(&mut goals, Light { always: &always, at_first: &at_first })
    }

    /// What a claim is, with its goals written out.
    fn shown(goals: &Goals, claim: &Claim) -> String {
        let all = |parts: &[Claim]| {
            parts.iter().map(|part| shown(goals, part)).collect::<Vec<_>>().join(", ")
        };
        match claim {
            Claim::Known(value) => value.to_string(),
            Claim::Goal(goal) => match goals.goal(*goal) {
                Goal::Somewhere(atom, value) => format!("{value} {atom}"),
                Goal::Branching(_) => "branching".to_owned(),
                Goal::Linear(_) => "linear".to_owned(),
                other => format!("{other:?}"),
            },
            Claim::Not(inner) => format!("not {}", shown(goals, inner)),
            Claim::All(parts) => format!("all({})", all(parts)),
            Claim::Any(parts) => format!("any({})", all(parts)),
            Claim::Greatest(..) => "greatest".to_owned(),
        }
    }

    #[test]
    fn constants_and_the_initial_state_decide() {
        let value = |formula: Ctl| {
            lit(|goals, light| {
                let claim = branching(goals, &formula, light);
                shown(goals, &claim)
            })
        };
        let atom = Ctl::Atom;
        assert_eq!(value(atom(0).some_finally()), "false");
        assert_eq!(value(atom(1).all_globally()), "true");
        assert_eq!(value(atom(3).some_globally().and(atom(0).some_next())), "false");
        // In the initial state 2 does not hold, and 3 does.
        assert_eq!(value(atom(3).some_until(atom(2))), "branching");
        assert_eq!(value(atom(2).some_until(atom(2).and(atom(4)))), "false");
        assert_eq!(value(atom(4).some_until(atom(3))), "true");
        assert_eq!(value(atom(2).some_globally()), "false");
        assert_eq!(value(atom(3).some_globally()), "branching");
        assert_eq!(value(atom(2).and(atom(1)).some_finally()), "true 2");
        assert_eq!(value(atom(2).not().all_globally()), "not true 2");
        // What has to hold at once; one of two; what comes later than later.
        assert_eq!(value(atom(2).some_until(atom(3).some_globally())), "branching");
        let either = atom(2).or(atom(3).some_globally()).some_finally();
        assert_eq!(value(either), "any(true 2, branching)");
        assert_eq!(value(atom(3).some_until(atom(2)).some_finally()), "true 2");
    }

    #[test]
    fn runs_are_decided_where_all_or_none_satisfy() {
        let value = |make: &dyn Fn(&mut Ltl, [Formula; 5]) -> Formula| {
            lit(|goals, light| {
                let atoms = [0, 1, 2, 3, 4].map(|number| goals.ltl.atom(number));
                let formula = make(&mut goals.ltl, atoms);
                let claim = linear(goals, formula, light);
                shown(goals, &claim)
            })
        };
        assert_eq!(value(&|ltl, [never, ..]| ltl.eventually(never)), "false");
        assert_eq!(value(&|ltl, [_, ever, ..]| ltl.next(ever)), "true");
        assert_eq!(value(&|ltl, [_, _, not_yet, now, _]| ltl.until(now, not_yet)), "linear");
        assert_eq!(value(&|ltl, [_, _, not_yet, now, _]| ltl.until(not_yet, now)), "true");
        assert_eq!(value(&|ltl, [_, _, not_yet, now, _]| ltl.release(now, not_yet)), "false");
        assert_eq!(value(&|ltl, [_, _, _, now, _]| ltl.always(now)), "not false 3");
        let both = |ltl: &mut Ltl, [_, _, not_yet, now, _]: [Formula; 5]| {
            let (a, b) = (ltl.always(now), ltl.eventually(not_yet));
            ltl.and(a, b)
        };
        let found = value(&both);
        assert!(found == "all(not false 3, linear)" || found == "all(linear, not false 3)");
        let at_once = |ltl: &mut Ltl, [_, _, not_yet, now, _]: [Formula; 5]| {
            let later = ltl.next(not_yet);
            let both = ltl.and(now, later);
            ltl.until(not_yet, both)
        };
        assert_eq!(value(&at_once), "linear");
    }
}
