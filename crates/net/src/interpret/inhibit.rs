//! What inhibits: tokens that are there together, and match.
//!
//! A token is chosen for each arc, such that variables agree and no token is chosen more often than it is there.
//! Then come the other components, in the order of the arcs, and the condition: first all that cannot fault, then
//! those that can. All choices are looked at, so whether one faults is no matter of their order.

use state::Value;

use super::Search;
use super::scope::Scope;
use crate::{Arc, Expr, FaultKind, Inhibitor};

/// A token chosen for an arc.
type Chosen<'s> = (&'s Arc, &'s [Value]);

impl Search<'_> {
    /// Whether an inhibitor disables the transition.
    pub(super) fn inhibits(&self, inhibitor: &Inhibitor, scope: &Scope) -> Result<bool, FaultKind> {
        let [arc] = &inhibitor.arcs[..] else {
            return Ok(self.matching(inhibitor, &mut Vec::new(), scope)? > 0);
        };
        let mut matching = 0_u64;
        for (token, held) in self.state.tokens(&self.net.place(arc.place).name) {
            if let Some(inner) = self.bound(arc, token, scope)?
                && self.agrees(inhibitor, &[(arc, token)], &inner)?
            {
                matching += u64::from(held);
            }
        }
        Ok(matching >= u64::from(arc.count))
    }

    /// How many choices of tokens match, for all arcs, those chosen for the first ones being given.
    fn matching<'s>(
        &'s self,
        inhibitor: &'s Inhibitor,
        chosen: &mut Vec<Chosen<'s>>,
        scope: &Scope,
    ) -> Result<u64, FaultKind> {
        let Some(arc) = inhibitor.arcs.get(chosen.len()) else {
            return Ok(u64::from(self.agrees(inhibitor, chosen, scope)?));
        };
        let mut matching = 0;
        for (token, held) in self.state.tokens(&self.net.place(arc.place).name) {
            let same = |(other, of): &&Chosen| other.place == arc.place && *of == token.as_slice();
            if chosen.iter().filter(same).count() as u64 >= u64::from(held) {
                continue;
            }
            if let Some(inner) = self.bound(arc, token, scope)? {
                chosen.push((arc, token));
                matching += self.matching(inhibitor, chosen, &inner)?;
                chosen.pop();
            }
        }
        Ok(matching)
    }

    /// The scope with the variables that a token binds; nothing if one of them is something else.
    fn bound<'n>(
        &self,
        arc: &Arc,
        token: &[Value],
        scope: &Scope<'n>,
    ) -> Result<Option<Scope<'n>>, FaultKind> {
        let mut inner = scope.clone();
        for (expr, value) in arc.pattern.iter().zip(token) {
            if let Some(Expr::Var(var)) = expr
                && !self.rule.defines(*var)
            {
                if !inner.knows(*var) {
                    inner.bind(*var, value);
                }
                if inner.eval(&Expr::Var(*var))? != *value {
                    return Ok(None);
                }
            }
        }
        Ok(Some(inner))
    }

    /// Whether tokens are what the patterns say, and the condition holds.
    fn agrees(
        &self,
        inhibitor: &Inhibitor,
        chosen: &[Chosen],
        scope: &Scope,
    ) -> Result<bool, FaultKind> {
        let components = chosen.iter().flat_map(|(arc, token)| arc.pattern.iter().zip(*token));
        let components = components.filter_map(|(expr, value)| Some((expr.as_ref()?, value)));
        let truth = Value::Bool(true);
        let conditions = components.chain(inhibitor.condition.iter().map(|holds| (holds, &truth)));
        for doubtful in [false, true] {
            for (expr, value) in conditions.clone() {
                if self.doubt.is_any([expr]) == doubtful && scope.eval(expr)? != *value {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
