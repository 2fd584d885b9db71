//! What properties say of one working state: the fast way to what [`interpret::holds`] gives.
//!
//! Every value is a number: a pid or a member its index, a truth value 0 or 1. The property was checked, so
//! numbers of different kinds never meet. Nothing is allocated but patterns.
//!
//! [`interpret::holds`]: crate::interpret::holds

use fold::Working;

use crate::compile::bounds;
use crate::fault::NoValue;
use crate::{
    BinaryOp, Column, Expr, FaultKind, Formula, Net, PlaceId, Quantifier, Sort, Subject,
    TransitionId, Var,
};

/// A working state of a net, and which transitions are enabled in it.
pub struct Look<'a> {
    /// The net.
    pub net: &'a Net,
    /// The state.
    pub working: &'a Working,
    /// Whether some mode of a transition can fire; of a probe, whether one could.
    pub enabled: &'a dyn Fn(TransitionId) -> bool,
}

impl Look<'_> {
    /// Whether a formula that speaks of one state holds. `values` has room for all variables of the property;
    /// those that are free in the formula have their values.
    ///
    /// # Errors
    ///
    /// If arithmetic faults.
    ///
    /// # Panics
    ///
    /// If the formula speaks of more than one state ([`Formula::is_of_state`]).
    pub fn holds(&self, formula: &Formula, values: &mut [i64]) -> Result<bool, FaultKind> {
        match formula {
            Formula::Term(term) => match self.value(term, values) {
                Ok(truth) => Ok(truth != 0),
                Err(NoValue::NotThere) => Ok(false),
                Err(NoValue::Fault(kind)) => Err(kind),
            },
            Formula::Deadlock => {
                let fire = |transition: &TransitionId| !self.net.transition(*transition).probe;
                let transitions = (0..self.net.transitions.len() as u32).map(TransitionId);
                Ok(!transitions.filter(fire).any(self.enabled))
            }
            Formula::Not(a) => Ok(!self.holds(a, values)?),
            Formula::Binary(op, a, b) => match (op, self.holds(a, values)?) {
                (BinaryOp::And, false) => Ok(false),
                (BinaryOp::Or, true) => Ok(true),
                (BinaryOp::And | BinaryOp::Or, _) | (_, true) => self.holds(b, values),
                _ => Ok(true),
            },
            Formula::Quantified { quantifier, thread, subject, body } => {
                let decides = *quantifier == Quantifier::Exists;
                let (place, vars) = match subject {
                    Subject::At(place) => (*place, std::slice::from_ref(thread)),
                    Subject::In(place, vars) => (*place, &**vars),
                    Subject::Entering(_) => panic!("a thread is followed through many states"),
                };
                for entry in self.working.entries(place.index()) {
                    for (column, var) in vars.iter().enumerate() {
                        if let Some(var) = var {
                            values[var.index()] = self.datum(place, column, entry);
                        }
                    }
                    if self.holds(body, values)? == decides {
                        return Ok(decides);
                    }
                }
                Ok(!decides)
            }
            _ => panic!("the formula speaks of more than one state"),
        }
    }

    /// What an entry of a place has in a column.
    fn datum(&self, place: PlaceId, column: usize, entry: &[u32]) -> i64 {
        let word = entry[column + 1];
        match &self.net.place(place).columns[column] {
            column if column.optional => bounds(self.net, column).value(word),
            Column { sort: Sort::Int { min, .. }, .. } => min + i64::from(word),
            _ => word.into(),
        }
    }

    fn value(&self, expr: &Expr, values: &[i64]) -> Result<i64, NoValue> {
        expr.evaluate(&self.net.enumerations, &|leaf| self.leaf(leaf, values))
    }

    fn leaf(&self, leaf: &Expr, values: &[i64]) -> Result<i64, NoValue> {
        let pid = |var: &Var| values[var.index()] as u32;
        let at = |var: &Var, place: &PlaceId| {
            self.working.entries(place.index()).find(|entry| entry[1] == pid(var))
        };
        Ok(match leaf {
            Expr::Var(var) => values[var.index()],
            Expr::Field(var, place, column) => {
                let entry = at(var, place).ok_or(NoValue::NotThere)?;
                self.datum(*place, *column, entry)
            }
            Expr::Count(place, pattern) => self.count(*place, pattern, values)?,
            Expr::At(var, place) => i64::from(at(var, place).is_some()),
            Expr::Ended(var) => i64::from(!self.working.kinship.kin()[pid(var) as usize].active),
            Expr::Enabled(transition) => i64::from((self.enabled)(*transition)),
            Expr::Relation(relation, a, b) => {
                i64::from(self.working.kinship.holds(*relation, pid(a), pid(b)))
            }
            other => unreachable!("{other:?} is made of others"),
        })
    }

    /// The tokens that match, copies counted.
    fn count(
        &self,
        place: PlaceId,
        pattern: &[Option<Expr>],
        values: &[i64],
    ) -> Result<i64, NoValue> {
        let wanted = pattern.iter().enumerate().filter_map(|(i, term)| Some((i, term.as_ref()?)));
        let wanted: Vec<(usize, i64)> = wanted
            .map(|(column, term)| Ok((column, self.value(term, values)?)))
            .collect::<Result<_, NoValue>>()?;
        let fits = |entry: &&[u32]| {
            wanted.iter().all(|&(column, value)| self.datum(place, column, entry) == value)
        };
        let entries = self.working.entries(place.index()).filter(fits);
        Ok(entries.map(|entry| i64::from(entry[0])).sum())
    }
}
