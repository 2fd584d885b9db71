//! The verdict on a property, from all concrete states.

use std::collections::BTreeSet;

use net::interpret::initial;
use net::{BinaryOp, Fairness, Formula, Net, PathOp, Property, Quantifier, Subject};
use state::{State, Value};

use crate::branching;
use crate::fairness::{is_violated, required};
use crate::linear::Linear;
use crate::predicate::{Meaning, is_true};
use crate::space::{Space, fired};

/// Whether a state is a deadlock: nothing fires, and a thread is still active, or it is a model without
/// threads. Only threads create threads, so a model has some if and only if one is active at first.
pub fn is_deadlock(net: &Net, state: &State) -> bool {
    let has_threads = !initial(net).eta().is_empty();
    let nothing_fires = fired(net, state).is_some_and(|all| all.is_empty());
    nothing_fires && (!has_threads || !state.eta().is_empty())
}

/// What is said of each state, as bits.
pub fn said(net: &Net, states: &[State], linear: &Linear, meaning: &Meaning) -> Vec<u64> {
    let says = |state: &State| {
        let statements = linear.statements.iter().enumerate();
        statements.fold(0, |all, (bit, statement)| {
            all | u64::from(is_true(net, state, statement, meaning)) << bit
        })
    };
    states.iter().map(says).collect()
}

/// The places whose entering begins what a property says of a thread.
pub fn entered(property: &Property) -> Option<(net::Var, &[net::PlaceId], &Formula)> {
    match &property.formula {
        Formula::Quantified { quantifier, thread, subject: Subject::Entering(places), body } => {
            assert_eq!(*quantifier, Quantifier::Forall, "some thread cannot be followed");
            Some((thread.expect("threads have a variable"), places, body))
        }
        _ => None,
    }
}

/// Whether a property holds under fairness.
pub fn holds(net: &Net, space: &Space, property: &Property, fairness: &[Fairness]) -> bool {
    if property.formula == Formula::DeadlockFree {
        return !space.states.iter().any(|state| is_deadlock(net, state));
    }
    let holds_from = |roots: &BTreeSet<usize>, body: &Formula, meaning: &Meaning| {
        if let Some(linear) = Linear::of(body) {
            let says = said(net, &space.states, &linear, meaning);
            let required = required(net, fairness, space);
            return !is_violated(space, roots, &linear, &says, &required);
        }
        let mut says = |formula: &Formula| {
            space.states.iter().map(|state| is_true(net, state, formula, meaning)).collect()
        };
        let set = branching::satisfying(space, body, &mut says).expect("it is of one logic");
        roots.iter().all(|&root| set[root])
    };
    match entered(property) {
        None => {
            holds_from(&space.roots.iter().copied().collect(), &property.formula, &Meaning::new())
        }
        Some((thread, places, body)) => {
            space.entries(net, places).into_iter().all(|(pid, roots)| {
                holds_from(&roots, body, &Meaning::from([(thread, Value::Pid(pid))]))
            })
        }
    }
}

/// Whether a property that holds does so only since what it is about never happens, where that is plain
/// to see from its form.
pub fn holds_vacuously(net: &Net, space: &Space, property: &Property) -> Option<bool> {
    if let Some((_, places, _)) = entered(property) {
        return space.entries(net, places).is_empty().then_some(true);
    }
    let premise = match &property.formula {
        Formula::LeadsTo(a, _) if a.is_of_state() => a,
        Formula::Path(PathOp::Always | PathOp::AllGlobally, a) => match &**a {
            Formula::Binary(BinaryOp::Implies, a, _) if a.is_of_state() => a,
            Formula::Quantified { .. } => return None,
            _ => return Some(false),
        },
        _ => return Some(false),
    };
    Some(!space.states.iter().any(|state| is_true(net, state, premise, &Meaning::new())))
}

/// What a single state shows: the statement, whether it has to hold there, and whether the property
/// holds then.
pub fn shown_by_a_state(property: &Property) -> Option<(&Formula, bool, bool)> {
    match &property.formula {
        Formula::Path(op, a) if a.is_of_state() => match op {
            PathOp::Always | PathOp::AllGlobally => Some((a, false, false)),
            PathOp::Never => Some((a, true, false)),
            PathOp::Reachable | PathOp::SomeFinally => Some((a, true, true)),
            _ => None,
        },
        // It is said of the initial state.
        formula if formula.is_of_state() => Some((formula, false, false)),
        _ => None,
    }
}
