//! Formulas of branching and of linear time in the light of what is known of their atoms.
//!
//! An atom that never changes is a constant, and constants make formulas smaller; some become constants
//! themselves, some are decided by the initial state, and some come down to whether a state is reachable.

use std::collections::HashMap;

use check::{Ctl, Formula, Ltl, Shape};

/// What is known of an atom: its value in all states, or in the initial one.
pub(crate) type Known<'k> = &'k dyn Fn(u32) -> Option<bool>;

/// What a formula comes down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduced {
    /// Its value.
    Constant(bool),
    /// It has this value exactly if the atom has that value in some reachable state.
    Somewhere { atom: u32, value: bool, then: bool },
}

/// What a formula of branching time comes down to in the initial state, if to something simple.
pub(crate) fn branching(formula: &Ctl, always: Known<'_>, at_first: Known<'_>) -> Option<Reduced> {
    let formula = with_constants(formula, always);
    if let Some(value) = of_start(&formula, at_first) {
        return Some(Reduced::Constant(value));
    }
    let (inner, then) = match &formula {
        Ctl::Not(inner) => (&**inner, false),
        other => (other, true),
    };
    match inner {
        Ctl::SomeUntil(first, second) if **first == Ctl::True => {
            let (atom, value) = match &**second {
                Ctl::Not(inner) => (&**inner, false),
                other => (other, true),
            };
            let Ctl::Atom(atom) = atom else { return None };
            Some(Reduced::Somewhere { atom: *atom, value, then })
        }
        _ => None,
    }
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

/// What it comes down to that all runs satisfy a formula of linear time, if to something simple. Runs are those
/// from the initial state, of which there is at least one.
pub(crate) fn linear(
    ltl: &mut Ltl,
    formula: Formula,
    always: Known<'_>,
    at_first: Known<'_>,
) -> Option<Reduced> {
    let formula = linear_with_constants(ltl, formula, always, &mut HashMap::new());
    if let Some(value) = linear_of_start(ltl, formula, at_first) {
        return Some(Reduced::Constant(value));
    }
    match ltl.shape(formula) {
        Shape::Release(first, second) if first == ltl.falsehood() => match ltl.shape(second) {
            Shape::Atom(atom, value) => {
                Some(Reduced::Somewhere { atom, value: !value, then: false })
            }
            _ => None,
        },
        _ => None,
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

    #[test]
    fn constants_and_the_initial_state_decide() {
        let always = |atom: u32| (atom < 2).then_some(atom == 1);
        let at_first = |atom: u32| if atom < 4 { Some(atom % 2 == 1) } else { None };
        let atom = Ctl::Atom;
        let value = |formula: Ctl| branching(&formula, &always, &at_first);
        let constant = |value| Some(Reduced::Constant(value));
        assert_eq!(value(atom(0).some_finally()), constant(false));
        assert_eq!(value(atom(1).all_globally()), constant(true));
        assert_eq!(value(atom(4).some_finally().and(atom(0).some_next())), constant(false));
        // In the initial state 2 does not hold, and 3 does.
        assert_eq!(value(atom(3).some_until(atom(2))), None);
        assert_eq!(value(atom(2).some_until(atom(2).and(atom(4)))), constant(false));
        assert_eq!(value(atom(4).some_until(atom(3))), constant(true));
        assert_eq!(value(atom(2).some_globally()), constant(false));
        assert_eq!(value(atom(3).some_globally()), None);
        let somewhere = |value, then| Some(Reduced::Somewhere { atom: 2, value, then });
        assert_eq!(value(atom(2).and(atom(1)).some_finally()), somewhere(true, true));
        assert_eq!(value(atom(2).not().all_globally()), somewhere(true, false));
    }

    #[test]
    fn runs_are_decided_where_all_or_none_satisfy() {
        let always = |atom: u32| (atom < 2).then_some(atom == 1);
        let at_first = |atom: u32| if atom < 4 { Some(atom % 2 == 1) } else { None };
        let ltl = &mut Ltl::new();
        let [never, ever, not_yet, now] = [0, 1, 2, 3].map(|number| ltl.atom(number));
        let constant = |value| Some(Reduced::Constant(value));
        let eventually = ltl.eventually(never);
        assert_eq!(linear(ltl, eventually, &always, &at_first), constant(false));
        let next = ltl.next(ever);
        assert_eq!(linear(ltl, next, &always, &at_first), constant(true));
        let until = ltl.until(now, not_yet);
        assert_eq!(linear(ltl, until, &always, &at_first), None);
        let until = ltl.until(not_yet, now);
        assert_eq!(linear(ltl, until, &always, &at_first), constant(true));
        let release = ltl.release(now, not_yet);
        assert_eq!(linear(ltl, release, &always, &at_first), constant(false));
        let globally = ltl.always(now);
        let expected = Reduced::Somewhere { atom: 3, value: false, then: false };
        assert_eq!(linear(ltl, globally, &always, &at_first), Some(expected));
    }
}
