//! What properties say of one state: their meaning, plainly.

use std::collections::BTreeMap;

use state::{State, Value};

use super::modes;
use super::scope::{arithmetic, literal_value};
use crate::{
    BinaryOp, Fault, FaultKind, Formula, Net, PlaceId, Quantifier, Subject, Term, TransitionId,
    UnaryOp, Var,
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
        Formula::Term(term) => match (Seen { net, state, bindings }).truth(term) {
            Ok(truth) => Ok(truth),
            Err(NoValue::NotThere) => Ok(false),
            Err(NoValue::Fault(kind)) => Err(kind),
        },
        Formula::Deadlock => {
            let mut transitions = (0..net.transitions.len() as u32).map(TransitionId);
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

/// Whether some mode of a transition can fire in a state.
///
/// # Errors
///
/// If looking for modes faults.
pub fn is_enabled(net: &Net, state: &State, transition: TransitionId) -> Result<bool, Fault> {
    Ok(!modes(net, state, transition)?.is_empty())
}

/// Why a term has no value.
enum NoValue {
    /// The thread whose column is asked for is elsewhere.
    NotThere,
    /// Arithmetic faults.
    Fault(FaultKind),
}

impl From<FaultKind> for NoValue {
    fn from(kind: FaultKind) -> Self {
        NoValue::Fault(kind)
    }
}

/// A state, looked at through variables.
struct Seen<'a> {
    net: &'a Net,
    state: &'a State,
    bindings: &'a Bindings,
}

impl Seen<'_> {
    fn value(&self, term: &Term) -> Result<Value, NoValue> {
        Ok(match term {
            Term::Literal(literal) => literal_value(self.net, *literal),
            Term::Var(var) => self.bindings[var].clone(),
            Term::Field(var, place, column) => self.field(*var, *place, *column)?,
            Term::Count(place, pattern) => Value::Int(self.count(*place, pattern)?),
            Term::At(var, place) => {
                let thread = &self.bindings[var];
                let mut tokens = self.state.tokens(&self.net.place(*place).name);
                Value::Bool(tokens.any(|(token, _)| token.first() == Some(thread)))
            }
            Term::Ended(var) => {
                let thread = self.bindings[var].as_pid();
                let thread = thread.expect("the net was checked: threads are pids");
                Value::Bool(!self.state.eta().contains_key(thread))
            }
            Term::Enabled(transition) => {
                let enabled = is_enabled(self.net, self.state, *transition);
                Value::Bool(enabled.map_err(|fault| fault.kind)?)
            }
            Term::Relation(relation, a, b) => {
                let pid = |var| self.bindings[var].as_pid().expect("relations are between pids");
                Value::Bool(relation.holds(pid(a), pid(b)))
            }
            Term::Unary(UnaryOp::Not, a) => Value::Bool(!self.truth(a)?),
            Term::Unary(UnaryOp::Negate, a) => {
                Value::Int(self.rank(a)?.checked_neg().ok_or(FaultKind::Overflow)?)
            }
            Term::Binary(op, a, b) => self.binary(*op, a, b)?,
        })
    }

    fn binary(&self, op: BinaryOp, a: &Term, b: &Term) -> Result<Value, NoValue> {
        let truth = |truth| Ok(Value::Bool(truth));
        match op {
            BinaryOp::And => return truth(self.truth(a)? && self.truth(b)?),
            BinaryOp::Or => return truth(self.truth(a)? || self.truth(b)?),
            BinaryOp::Implies => return truth(!self.truth(a)? || self.truth(b)?),
            BinaryOp::Equal => return truth(self.value(a)? == self.value(b)?),
            BinaryOp::NotEqual => return truth(self.value(a)? != self.value(b)?),
            _ => {}
        }
        Ok(arithmetic(op, self.rank(a)?, self.rank(b)?)?)
    }

    /// An integer as it is, a member by its place in the order.
    fn rank(&self, term: &Term) -> Result<i64, NoValue> {
        match self.value(term)? {
            Value::Int(number) => Ok(number),
            Value::Enum(name) => {
                let mut members = self.net.enumerations.iter().map(|e| &e.members);
                let found = members.find_map(|m| m.iter().position(|member| *member == name));
                Ok(found.expect("the net was checked: it is a member") as i64)
            }
            other => unreachable!("the property was checked, yet {other} has no order"),
        }
    }

    fn truth(&self, term: &Term) -> Result<bool, NoValue> {
        match self.value(term)? {
            Value::Bool(truth) => Ok(truth),
            other => unreachable!("the property was checked, yet {other} is no truth value"),
        }
    }

    fn field(&self, var: Var, place: PlaceId, column: usize) -> Result<Value, NoValue> {
        let thread = &self.bindings[&var];
        let mut tokens = self.state.tokens(&self.net.place(place).name);
        let found = tokens.find(|(token, _)| token.first() == Some(thread));
        Ok(found.ok_or(NoValue::NotThere)?.0[column].clone())
    }

    /// The tokens that match, copies counted.
    fn count(&self, place: PlaceId, pattern: &[Option<Term>]) -> Result<i64, NoValue> {
        let mut wanted = Vec::new();
        for term in pattern {
            wanted.push(term.as_ref().map(|term| self.value(term)).transpose()?);
        }
        let fits = |token: &[Value]| {
            wanted
                .iter()
                .zip(token)
                .all(|(wanted, value)| wanted.as_ref().is_none_or(|w| w == value))
        };
        let tokens = self.state.tokens(&self.net.place(place).name);
        Ok(tokens.filter(|(token, _)| fits(token)).map(|(_, count)| i64::from(count)).sum())
    }
}
