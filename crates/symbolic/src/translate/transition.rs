//! Transitions, and their instances.
//!
//! A transition is translated as it stands. Where that needs to know the values of some variables,
//! it is translated again, once for each of their values; and so on until nothing more needs to be
//! known. An instance whose guard cannot hold is left out: first those parts of it count that cannot
//! fault, as in the meaning of nets, so that they can protect the others.

use net::{Arc, Expr, Fallibility, Kind, Net, Sort, Transition, Var};

use super::expression::{Hard, Meaning, Role, Scope, both, known};
use super::{Classes, MOST_INSTANCES, Untranslatable};
use crate::{Condition, Element, PlaceId, Term, Variable, model};

/// Locals are numbered from here until it is known how many variables a transition has.
const MOST_VARIABLES: u32 = 1 << 16;

/// All instances of a transition; `instances` counts those of all transitions.
pub(super) fn translate(
    net: &Net,
    classes: &Classes,
    transition: &Transition,
    instances: &mut usize,
) -> Result<Vec<model::Transition>, Untranslatable> {
    let name = || transition.name.clone();
    let fallibility = Fallibility::of(net, transition);
    let mut waiting: Vec<Vec<(Var, i64)>> = vec![Vec::new()];
    let mut translated = Vec::new();
    while let Some(values) = waiting.pop() {
        // A transition that is translated as it stands is none.
        *instances += usize::from(!values.is_empty());
        if *instances > MOST_INSTANCES {
            return Err(Untranslatable::TooManyInstances(name()));
        }
        let instance = |first_local: u32| {
            Instance::new(net, classes, transition, &values, first_local).translate(&fallibility)
        };
        let has_locals = |t: &model::Transition| t.arcs().any(|arc| !arc.term.locals.is_empty());
        // Locals are numbered after the variables, of which it is known then how many there are.
        let instance = match instance(MOST_VARIABLES) {
            Ok(Some(first)) if has_locals(&first) => instance(first.variables.len() as u32),
            other => other,
        };
        match instance {
            Ok(Some(instance)) => translated.push(instance),
            Ok(None) => {}
            Err(Hard::Fault) => return Err(Untranslatable::CanFault(name())),
            Err(Hard::TooLarge) => return Err(Untranslatable::TooManyInstances(name())),
            Err(Hard::Unknown(vars)) => {
                let is_of_data = |var: &Var| match transition.variables[var.index()].kind {
                    Kind::Enum(id) => net.enumerations[id.index()].symmetry == net::Symmetry::None,
                    kind => kind != Kind::Pid,
                };
                let var = vars.into_iter().find(is_of_data);
                let var = var.filter(|var| values.iter().all(|(known, _)| known != var));
                let domain = var.and_then(|var| Some((var, domain(net, transition, var)?)));
                let (var, (first, last)) =
                    domain.ok_or_else(|| Untranslatable::NotSayable(name()))?;
                if last.abs_diff(first) >= MOST_INSTANCES as u64 {
                    return Err(Untranslatable::TooManyInstances(name()));
                }
                for value in (first..=last).rev() {
                    waiting.push(values.iter().copied().chain([(var, value)]).collect());
                }
            }
        }
    }
    Ok(translated)
}

/// The least and the greatest value that a variable can have: those of the columns it is matched with
/// and of its range as a parameter. `None` if nothing binds it.
fn domain(net: &Net, transition: &Transition, var: Var) -> Option<(i64, i64)> {
    let inputs = transition.takes.iter().chain(&transition.reads).filter(|arc| arc.each.is_empty());
    let matched = inputs.flat_map(|arc| {
        let columns = &net.place(arc.place).columns;
        let here = arc.pattern.iter().zip(columns);
        here.filter(|(expr, _)| **expr == Some(Expr::Var(var))).map(|(_, column)| column.sort)
    });
    let parameters = transition.parameters.iter().filter(|(p, _)| *p == var).map(|&(_, sort)| sort);
    let ranges = matched.chain(parameters).map(|sort| range(net, sort));
    ranges.reduce(|a, b| (a.0.max(b.0), a.1.min(b.1)))
}

/// The least and the greatest datum of a sort.
fn range(net: &Net, sort: Sort) -> (i64, i64) {
    match sort {
        Sort::Int { min, max } => (min, max),
        Sort::Bool => (0, 1),
        Sort::Enum(id) => (0, net.enumerations[id.index()].members.len() as i64 - 1),
        Sort::Pid | Sort::Object(_) => (0, -1),
    }
}

/// A transition that is being translated, with some of its variables known.
struct Instance<'n> {
    net: &'n Net,
    transition: &'n Transition,
    scope: Scope<'n>,
    /// The number of the first local variable.
    first_local: u32,
    translated: model::Transition,
}

impl<'n> Instance<'n> {
    fn new(
        net: &'n Net,
        classes: &'n Classes,
        transition: &'n Transition,
        values: &[(Var, i64)],
        first_local: u32,
    ) -> Self {
        let kinds = transition.variables.iter().map(|variable| variable.kind).collect();
        let mut scope = Scope::new(net, classes, kinds);
        for (var, definition) in &transition.definitions {
            scope.roles[var.index()] = Role::Defined(definition);
        }
        for &(var, value) in values {
            scope.roles[var.index()] = Role::Known(value);
        }
        let translated = model::Transition::new(&transition.name, &[]);
        Instance { net, transition, scope, first_local, translated }
    }

    /// The instance, unless its guard cannot hold.
    fn translate(mut self, can: &Fallibility) -> Result<Option<model::Transition>, Hard> {
        let transition = self.transition;
        self.bind()?;
        let (certain, risky): (Vec<&Expr>, Vec<&Expr>) =
            transition.guard.iter().partition(|expr| !can.can_fault(expr));
        if !self.guard(&certain)? {
            return Ok(None);
        }
        self.inputs(false)?;
        if !self.guard(&risky)? {
            return Ok(None);
        }
        self.inputs(true)?;
        for inhibitor in &transition.inhibitors {
            let inhibitor = inhibitor.alone().expect("nets with others are not translated");
            let inhibitor = self.inhibitor(&inhibitor)?;
            self.translated.inhibitors.push(inhibitor);
        }
        for arc in &transition.puts {
            self.fits(arc)?;
            let arc = self.arc(arc)?;
            self.translated.puts.push(arc);
        }
        Ok(Some(self.translated))
    }

    /// Adds what is taken and read: tokens for each member, or the others.
    fn inputs(&mut self, for_each: bool) -> Result<(), Hard> {
        let Transition { takes, reads, .. } = self.transition;
        for arc in takes.iter().filter(|arc| arc.each.is_empty() != for_each) {
            let arc = self.arc(arc)?;
            self.translated.takes.push(arc);
        }
        for arc in reads.iter().filter(|arc| arc.each.is_empty() != for_each) {
            let arc = self.arc(arc)?;
            self.translated.reads.push(arc);
        }
        Ok(())
    }

    /// A new variable of the symmetric net.
    fn fresh(&mut self, kind: Kind) -> Variable {
        let class = self.scope.classes.of(kind);
        self.translated.variables.push(class);
        Variable(self.translated.variables.len() as u32 - 1)
    }

    fn require(&mut self, condition: Condition) {
        let guard = std::mem::replace(&mut self.translated.guard, Condition::always());
        self.translated.guard = both(guard, condition);
    }

    /// Gives parameters and what inputs match a variable each, unless they are known.
    fn bind(&mut self) -> Result<(), Hard> {
        let transition = self.transition;
        for &(var, sort) in &transition.parameters {
            if let Role::Unbound = self.scope.roles[var.index()] {
                let variable = self.fresh(sort.into());
                self.scope.roles[var.index()] = Role::Bound(variable);
                if let Sort::Int { min, max } = sort {
                    let this = || Box::new(Expr::Var(var));
                    let bound = |op, number| Expr::Binary(op, this(), Box::new(Expr::int(number)));
                    for bound in [
                        bound(net::BinaryOp::GreaterEqual, min),
                        bound(net::BinaryOp::LessEqual, max),
                    ] {
                        let condition = self.scope.condition(&bound)?;
                        self.require(condition);
                    }
                }
            }
        }
        let inputs = transition.takes.iter().chain(&transition.reads);
        for arc in inputs.filter(|arc| arc.each.is_empty()) {
            for expr in arc.pattern.iter().flatten() {
                if let Expr::Var(var) = expr
                    && let Role::Unbound = self.scope.roles[var.index()]
                {
                    let variable = self.fresh(self.scope.kinds[var.index()]);
                    self.scope.roles[var.index()] = Role::Bound(variable);
                }
            }
        }
        Ok(())
    }

    /// Adds to the guard; `false` if it cannot hold.
    fn guard(&mut self, conjuncts: &[&Expr]) -> Result<bool, Hard> {
        for expr in conjuncts {
            let condition = self.scope.condition(expr)?;
            if known(&condition) == Some(false) {
                return Ok(false);
            }
            self.require(condition);
        }
        Ok(true)
    }

    /// What stands for a component of a token: an element, or a new variable that equals it.
    fn component(&mut self, expr: &Expr, kind: Kind) -> Result<Element, Hard> {
        let meaning = self.scope.meaning(expr)?;
        match meaning {
            Meaning::Element(element) => Ok(element),
            Meaning::Known(number) => {
                if let Some(constant) = self.scope.classes.constant(self.net, kind, number) {
                    return Ok(constant);
                }
                // No token has this integer.
                self.require(Condition::Any(Vec::new()));
                Ok(Element::Var(self.fresh(kind)))
            }
            Meaning::Choice(_) => {
                let variable = self.fresh(kind);
                let itself = Meaning::Element(Element::Var(variable));
                let condition = self.scope.equal(&itself, &meaning, kind);
                self.require(condition);
                Ok(Element::Var(variable))
            }
        }
    }

    /// An arc. Anything is a new variable; variables that go through their classes are local, and each of
    /// them is a component.
    fn arc(&mut self, arc: &Arc) -> Result<model::Arc, Hard> {
        let mut locals = Vec::new();
        for var in &arc.each {
            let local = Variable(self.first_local + locals.len() as u32);
            self.scope.roles[var.index()] = Role::Bound(local);
            locals.push(self.scope.classes.of(self.scope.kinds[var.index()]));
        }
        let columns = &self.net.place(arc.place).columns;
        let mut tuple = Vec::new();
        for (expr, column) in arc.pattern.iter().zip(columns) {
            let kind = column.sort.into();
            let Some(expr) = expr else {
                tuple.push(Element::Var(self.fresh(kind)));
                continue;
            };
            if mentions(expr, &arc.each) && matches!(self.scope.meaning(expr)?, Meaning::Choice(_))
            {
                return Err(Hard::Unknown(Vec::new()));
            }
            tuple.push(self.component(expr, kind)?);
        }
        let local = |index: usize| Variable(self.first_local + index as u32);
        let occurs = |index| tuple.iter().any(|element| element.variable() == Some(local(index)));
        if !(0..locals.len()).all(occurs) {
            return Err(Hard::Unknown(Vec::new()));
        }
        let condition = self.scope.optional(arc.condition.as_ref())?;
        let term = Term { count: arc.count, tuple, locals, condition };
        Ok(model::Arc { place: PlaceId(arc.place.0), term })
    }

    /// What inhibits: variables that nothing has bound, and anything, range over their classes.
    fn inhibitor(&mut self, inhibitor: &Arc) -> Result<model::Arc, Hard> {
        let columns = &self.net.place(inhibitor.place).columns;
        let (roles, first_local) = (self.scope.roles.clone(), self.first_local);
        let mut locals = Vec::new();
        let mut local = |class| {
            locals.push(class);
            Variable(first_local + locals.len() as u32 - 1)
        };
        for expr in inhibitor.pattern.iter().flatten() {
            if let Expr::Var(var) = expr
                && let Role::Unbound = self.scope.roles[var.index()]
            {
                let class = self.scope.classes.of(self.scope.kinds[var.index()]);
                self.scope.roles[var.index()] = Role::Bound(local(class));
            }
        }
        let mut condition = self.scope.optional(inhibitor.condition.as_ref())?;
        let mut tuple = Vec::new();
        for (expr, column) in inhibitor.pattern.iter().zip(columns) {
            let kind = column.sort.into();
            let meaning = expr.as_ref().map(|expr| self.scope.meaning(expr)).transpose()?;
            tuple.push(match meaning {
                Some(Meaning::Element(element)) => element,
                other => {
                    let element = Element::Var(local(self.scope.classes.of(kind)));
                    if let Some(other) = other {
                        let itself = Meaning::Element(element);
                        condition = both(condition, self.scope.equal(&itself, &other, kind));
                    }
                    element
                }
            });
        }
        self.scope.roles = roles;
        let term = Term { count: inhibitor.count, tuple, locals, condition };
        Ok(model::Arc { place: PlaceId(inhibitor.place.0), term })
    }

    /// Sees to it that integers are put where they fit: a variable that may not fit has to be known.
    fn fits(&self, arc: &Arc) -> Result<(), Hard> {
        let columns = &self.net.place(arc.place).columns;
        for (expr, column) in arc.pattern.iter().flatten().zip(columns) {
            let Sort::Int { min, max } = column.sort else { continue };
            self.fits_between(expr, &self.scope.meaning(expr)?, min, max)?;
        }
        Ok(())
    }

    fn fits_between(&self, expr: &Expr, meaning: &Meaning, min: i64, max: i64) -> Result<(), Hard> {
        match meaning {
            Meaning::Known(number) if (min..=max).contains(number) => Ok(()),
            Meaning::Known(_) => Err(Hard::Fault),
            Meaning::Choice(inner) => {
                let (_, a, b) = &**inner;
                self.fits_between(expr, a, min, max)?;
                self.fits_between(expr, b, min, max)
            }
            Meaning::Element(_) => {
                let mut loose = Vec::new();
                self.collect_loose(expr, (min, max), &mut loose);
                if loose.is_empty() { Ok(()) } else { Err(Hard::Unknown(loose)) }
            }
        }
    }

    /// The variables of an expression whose values may lie outside a range.
    fn collect_loose(&self, expr: &Expr, (min, max): (i64, i64), loose: &mut Vec<Var>) {
        expr.variables(&mut |var| match self.scope.roles[var.index()] {
            Role::Defined(definition) => self.collect_loose(definition, (min, max), loose),
            Role::Bound(_) if self.scope.kinds[var.index()] == Kind::Int => {
                let domain = domain(self.net, self.transition, var);
                if domain.is_none_or(|(first, last)| first < min || last > max) {
                    loose.push(var);
                }
            }
            _ => {}
        });
    }
}

fn mentions(expr: &Expr, vars: &[Var]) -> bool {
    let mut found = false;
    expr.variables(&mut |var| found |= vars.contains(&var));
    found
}
