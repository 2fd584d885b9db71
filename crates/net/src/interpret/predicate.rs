//! What properties say of one state: their meaning, plainly.

use std::collections::BTreeMap;

use state::{State, Value};

use super::scope::Scope;
use super::{Mode, Search, has_to_wait};
use crate::fault::NoValue;
use crate::{
    BinaryOp, Expr, Fault, FaultKind, Formula, Net, PlaceId, Quantifier, Subject, TransitionId, Var,
};

/// What the variables of a property stand for.
pub type Bindings = BTreeMap<Var, Value>;

/// Whether a formula that speaks of one state holds in it, given what its free variables stand for. `and`,
/// `or`, `implies` and quantifiers look only as far as they need, from left to right. A term that asks for
/// a column of a thread that is not at the place does not hold.
///
/// # Errors
///
/// If arithmetic faults.
///
/// # Panics
///
/// If the formula speaks of more than one state ([`Formula::is_of_state`]).
pub fn holds(
    net: &Net,
    state: &State,
    formula: &Formula,
    bindings: &Bindings,
) -> Result<bool, FaultKind> {
    let inner = |formula: &Formula| holds(net, state, formula, bindings);
    match formula {
        Formula::Term(term) => match Scope::of_state(net, state, bindings.clone()).truth(term) {
            Ok(truth) => Ok(truth),
            Err(NoValue::NotThere) => Ok(false),
            Err(NoValue::Fault(kind)) => Err(kind),
        },
        Formula::Deadlock => {
            let transitions = (0..net.transitions.len() as u32).map(TransitionId);
            let mut transitions = transitions.filter(|t| !net.transition(*t).probe);
            let enabled = |transition| is_enabled(net, state, transition);
            let all_disabled = transitions.try_fold(true, |all, t| Ok(all && !enabled(t)?));
            all_disabled.map_err(|fault: Fault| fault.kind)
        }
        Formula::Not(a) => Ok(!inner(a)?),
        Formula::Binary(BinaryOp::And, a, b) => Ok(inner(a)? && inner(b)?),
        Formula::Binary(BinaryOp::Or, a, b) => Ok(inner(a)? || inner(b)?),
        Formula::Binary(_, a, b) => Ok(!inner(a)? || inner(b)?),
        Formula::Quantified { quantifier, thread, subject, body } => {
            let decides = *quantifier == Quantifier::Exists;
            let (place, vars) = match subject {
                Subject::At(place) => (*place, vec![*thread]),
                Subject::In(place, vars) => (*place, vars.clone()),
                Subject::Entering(_) => panic!("a thread is followed through many states"),
            };
            for (token, _) in state.tokens(&net.place(place).name) {
                let mut bindings = bindings.clone();
                let bound =
                    vars.iter().zip(token).filter_map(|(var, value)| Some(((*var)?, value)));
                bindings.extend(bound.map(|(var, value)| (var, value.clone())));
                if holds(net, state, body, &bindings)? == decides {
                    return Ok(decides);
                }
            }
            Ok(!decides)
        }
        _ => panic!("the formula speaks of more than one state"),
    }
}

/// Whether some mode of a transition can fire in a state; of a probe, whether one could.
///
/// # Errors
///
/// If looking for modes faults.
pub fn is_enabled(net: &Net, state: &State, transition: TransitionId) -> Result<bool, Fault> {
    Ok(!enabled(net, state, transition)?.is_empty())
}

/// The modes of a transition in a state, also of a probe, which never fires.
///
/// # Errors
///
/// If looking for modes faults.
pub fn enabled(net: &Net, state: &State, transition: TransitionId) -> Result<Vec<Mode>, Fault> {
    let mut modes = Vec::new();
    if has_to_wait(net, state, transition) {
        return Ok(modes);
    }
    let found = Search::new(net, state, transition, &mut |mode| {
        modes.extend(mode);
        false
    })
    .parameters(0);
    found.map_err(|kind| Fault { transition, kind })?;
    Ok(modes)
}

impl Scope<'_> {
    /// The value of an expression that only properties have.
    pub(super) fn of_property(&self, expr: &Expr) -> Result<Value, NoValue> {
        let state = self.state.expect("the net was checked: only properties ask for the state");
        let tokens = |place: PlaceId| state.tokens(&self.net.place(place).name);
        let at = |thread: &Var, place: &PlaceId| {
            let thread = &self.bound[thread];
            tokens(*place).find(|(token, _)| token.first() == Some(thread))
        };
        Ok(match expr {
            Expr::Field(thread, place, column) => {
                at(thread, place).ok_or(NoValue::NotThere)?.0[*column].clone()
            }
            Expr::Count(place, pattern) => {
                let wanted = pattern.iter().map(|e| e.as_ref().map(|e| self.value(e)).transpose());
                let wanted: Vec<Option<Value>> = wanted.collect::<Result<_, _>>()?;
                let fits = |token: &[Value]| {
                    let mut components = wanted.iter().zip(token);
                    components.all(|(wanted, value)| wanted.as_ref().is_none_or(|w| w == value))
                };
                let matching = tokens(*place).filter(|(token, _)| fits(token));
                Value::Int(matching.map(|(_, count)| i64::from(count)).sum())
            }
            Expr::At(thread, place) => Value::Bool(at(thread, place).is_some()),
            Expr::Ended(thread) => {
                let thread = self.bound[thread].as_pid();
                let thread = thread.expect("the net was checked: threads are pids");
                Value::Bool(!state.eta().contains_key(thread))
            }
            Expr::Enabled(transition) => {
                let enabled = is_enabled(self.net, state, *transition);
                Value::Bool(enabled.map_err(|fault| fault.kind)?)
            }
            other => unreachable!("{other:?} is not only in properties"),
        })
    }
}
