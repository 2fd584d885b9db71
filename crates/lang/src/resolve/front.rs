//! What other front ends ask a resolver for ([`crate::front`]).

use net::{Kind, Net, PlaceId, PlaceKind, Sort, Transition, TransitionId, Var, Variable};

use super::Resolver;
use super::places::ColumnInfo;
use super::scope::{Role, Scope, Usage};
use crate::Override;
use crate::syntax::{Expr, Name};
use diagnostics::Diagnostics;

impl<'a, 'd> Resolver<'a, 'd> {
    /// The classes, constants and places that the model declares; some constants are given from outside.
    pub fn declare(&mut self, overrides: &[Override]) {
        self.enumerations();
        self.constants(overrides);
        self.check_numbered_names();
        self.places();
    }

    /// Adds a place with these columns, to which those of a flow place add the thread. `None`, and
    /// reported, if there is one of this name.
    pub fn add_place(
        &mut self,
        name: Name<'a>,
        kind: PlaceKind,
        columns: &[(Name<'a>, Sort)],
    ) -> Option<PlaceId> {
        let column = |(name, sort): &(Name<'a>, Sort)| ColumnInfo {
            name: Some(name.text),
            sort: Some(*sort),
            optional: false,
            owner: None,
            span: name.span,
        };
        self.place(name, kind, columns.iter().map(column).collect())
    }

    /// Adds a transition under a name, which is reported if there is one of this name.
    pub fn add_transition(&mut self, name: Name<'a>, transition: Transition) -> TransitionId {
        let id = self.declare_transition(name);
        self.net.transitions.push(Transition { name: name.text.into(), ..transition });
        id
    }

    /// A new variable of a scope; reported if it has the name of another, or of a constant, class or
    /// member.
    pub fn bind(&mut self, name: Name<'a>, kind: Kind, scope: &mut Scope<'a>) -> Var {
        if let Some(first) = scope.get(name.text) {
            self.report_duplicate("the variable", name, first.span);
            return first.var;
        }
        self.new_variable(name, Some(kind), Role::Bound, scope)
    }

    /// An expression over the variables of a scope, with its type; what is constant is computed. Without a
    /// value after a mistake, which is reported.
    pub fn expression(
        &mut self,
        expr: &Expr<'a>,
        scope: &mut Scope<'a>,
    ) -> Option<(net::Expr, Kind)> {
        let typed = self.typed(expr, scope);
        typed.value.zip(typed.kind)
    }

    /// An expression that has to be of a type; `what` is what it is called where it is not.
    pub fn expression_of(
        &mut self,
        expr: &Expr<'a>,
        kind: Kind,
        what: &str,
        scope: &mut Scope<'a>,
    ) -> Option<net::Expr> {
        let typed = self.typed(expr, scope);
        self.demand(&typed, expr.span, kind, what).then_some(typed.value)?
    }

    /// What was found in the text so far.
    pub fn diagnostics(&mut self) -> &mut Diagnostics {
        self.diagnostics
    }

    /// The net, with the start threads, initial tokens, transitions, fairness and properties that the model
    /// declares. Meaningful only if nothing is reported as an error.
    #[must_use]
    pub fn finish(mut self) -> Net {
        self.declared();
        self.check_something_starts();
        self.net
    }

    /// The same for a text that is a whole model.
    pub(crate) fn finish_whole(mut self) -> Net {
        self.declared();
        if self.is_still() {
            self.report_still();
        } else {
            self.check_something_starts();
        }
        self.net
    }

    fn declared(&mut self) {
        self.initial_objects();
        self.start_threads();
        self.initial_tokens();
        self.check_initial();
        self.transitions();
        self.fairness();
        self.properties(|_| true);
    }
}

impl Scope<'_> {
    /// No variables, for the expressions of a transition.
    #[must_use]
    pub fn of_transition() -> Self {
        Scope::new(Usage::Guard)
    }

    /// All variables that were bound, as a transition has them.
    #[must_use]
    pub fn into_variables(self) -> Vec<Variable> {
        self.variables
    }
}
