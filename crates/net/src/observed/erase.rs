//! The net in which dead columns hold no identities.
//!
//! A dead column becomes one of data with a single value, 0; where there may be nothing there, there still may. A variable
//! that a dead column binds is a datum then, and so is a definition of which nothing is asked. Whatever is put
//! into a dead column is replaced by 0, but for whether it is anything at all, and whether it faults.
//!
//! Places, columns, transitions and variables keep their numbers, so that what is said of one net is said of the other.

use super::{Observed, flow};
use crate::{
    Arc, BinaryOp, Expr, Fate, InitialValue, Kind, Literal, Net, PlaceId, Sort, Transition,
    UnaryOp, Variable,
};

/// A datum with one value.
const ERASED: Sort = Sort::Int { min: 0, max: 0 };
const NOTHING: Expr = Expr::Literal(Literal::None(Kind::Int));

/// The net without identities in dead columns.
pub(super) fn erased(net: &Net, observed: &Observed) -> Net {
    let mut erased = net.clone();
    let dead = Dead { net, observed };
    for (id, place) in (0..).map(PlaceId).zip(&mut erased.places) {
        for (at, column) in place.columns.iter_mut().enumerate() {
            if dead.is(id, at) {
                column.sort = ERASED;
            }
        }
    }
    for thread in &mut erased.start {
        dead.initial(thread.place, 1, &mut thread.values);
    }
    for token in &mut erased.tokens {
        dead.initial(token.place, 0, &mut token.values);
    }
    for transition in &mut erased.transitions {
        dead.transition(transition);
    }
    erased
}

/// The dead columns of a net.
struct Dead<'a> {
    net: &'a Net,
    observed: &'a Observed,
}

impl Dead<'_> {
    fn is(&self, place: PlaceId, column: usize) -> bool {
        self.observed.is_dead(self.net, place, column)
    }

    fn initial(&self, place: PlaceId, first: usize, values: &mut [InitialValue]) {
        for (_, value) in (first..).zip(values).filter(|(column, _)| self.is(place, *column)) {
            *value = InitialValue::Data(match value {
                InitialValue::Data(Literal::None(_)) => Literal::None(Kind::Int),
                _ => Literal::Int(0),
            });
        }
    }

    fn transition(&self, transition: &mut Transition) {
        let asked = flow::asked(self.net, self.observed, transition);
        let is_bound_dead = |var: usize| asked.spots[var].iter().any(|at| self.is(at.0, at.1));
        let mut variables = transition.variables.clone();
        for (at, variable) in variables.iter_mut().enumerate() {
            let is_dead_definition = asked.spots[at].is_empty()
                && !asked.of[at].any()
                && transition.definitions.iter().any(|(var, _)| var.index() == at);
            if flow::holds_identity(variable.kind) && (is_bound_dead(at) || is_dead_definition) {
                variable.kind = Kind::Int;
            }
        }
        let defined = transition.definitions.iter().map(|(var, _)| var.index()).collect();
        let values =
            Values { given: std::mem::take(&mut transition.variables), left: variables, defined };
        for participant in &mut transition.participants {
            self.pattern(participant.from, 1, &mut participant.pattern);
            if let Fate::Move { to, values: handed } = &mut participant.fate {
                self.put(*to, 1, handed.iter_mut(), &values);
            }
        }
        for spawn in &mut transition.spawns {
            if let Some(to) = spawn.to {
                self.put(to, 1, spawn.values.iter_mut(), &values);
            }
        }
        let forbidden = transition.inhibitors.iter_mut().flat_map(|one| &mut one.arcs);
        for arc in transition.takes.iter_mut().chain(&mut transition.reads).chain(forbidden) {
            self.pattern(arc.place, 0, &mut arc.pattern);
        }
        for Arc { place, pattern, .. } in &mut transition.puts {
            self.put(*place, 0, pattern.iter_mut().flatten(), &values);
        }
        for (var, expr) in &mut transition.definitions {
            if values.is_erased(var.index()) {
                *expr = values.erased(expr);
            }
        }
        transition.variables = values.left;
    }

    /// Nothing is nothing of another type now.
    fn pattern(&self, place: PlaceId, first: usize, pattern: &mut [Option<Expr>]) {
        for (column, expr) in (first..).zip(pattern) {
            if self.is(place, column)
                && let Some(expr @ Expr::Literal(_)) = expr
            {
                *expr = NOTHING;
            }
        }
    }

    fn put<'e>(
        &self,
        place: PlaceId,
        first: usize,
        values: impl Iterator<Item = &'e mut Expr>,
        by: &Values,
    ) {
        for (column, value) in (first..).zip(values) {
            if self.is(place, column) {
                *value = by.erased(value);
            }
        }
    }
}

/// What variables stand for, before and after.
struct Values {
    given: Vec<Variable>,
    left: Vec<Variable>,
    /// The variables that are definitions.
    defined: Vec<usize>,
}

impl Values {
    /// Whether a variable stood for an identity, and is a datum now.
    fn is_erased(&self, var: usize) -> bool {
        self.given[var].kind != self.left[var].kind
    }

    /// 0 for an identity, nothing for nothing, and the same faults.
    fn erased(&self, expr: &Expr) -> Expr {
        match expr {
            Expr::Literal(_) => NOTHING,
            Expr::Var(var) if self.is_erased(var.index()) => expr.clone(),
            Expr::Var(var) => {
                let Variable { kind, optional, .. } = self.given[var.index()];
                if !optional && !self.defined.contains(&var.index()) {
                    return Expr::int(0);
                }
                let nothing = Expr::Literal(Literal::None(kind));
                let is_nothing = Expr::binary(BinaryOp::Equal, expr.clone(), nothing);
                Expr::If(Box::new(is_nothing), Box::new(NOTHING), Box::new(Expr::int(0)))
            }
            Expr::Unary(UnaryOp::Value, a) => Expr::Unary(UnaryOp::Value, Box::new(self.erased(a))),
            Expr::If(condition, a, b) => {
                let [a, b] = [a, b].map(|branch| Box::new(self.erased(branch)));
                Expr::If(condition.clone(), a, b)
            }
            other => unreachable!("{other:?} is no identity"),
        }
    }
}
