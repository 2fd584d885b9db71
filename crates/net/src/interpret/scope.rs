//! What variables stand for, and what expressions then are.

use std::collections::BTreeMap;

use state::{State, Value};

use super::in_normal_form;
use crate::assumptions::kind;
use crate::fault::NoValue;
use crate::{
    Arc, BinaryOp, EnumId, Expr, FaultKind, FreshId, Kind, Literal, Net, Transition, UnaryOp, Var,
};

/// The variables of a transition, or of a property, while expressions are evaluated.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub(super) net: &'a Net,
    /// The state that a property speaks of.
    pub(super) state: Option<&'a State>,
    /// The types of the variables, where these are known.
    kinds: Vec<Kind>,
    pub(super) bound: BTreeMap<Var, Value>,
    /// A definition that faults is a fault only where it is used.
    defined: BTreeMap<Var, Result<Value, FaultKind>>,
}

pub(super) fn literal_value(net: &Net, literal: Literal) -> Value {
    match literal {
        Literal::Int(number) => Value::Int(number),
        Literal::Bool(truth) => Value::Bool(truth),
        Literal::Enum(id, index) => Value::Enum(net.member(id, index).clone()),
        Literal::None(_) => Value::None,
    }
}

/// An operator on integers, or on members by their indices.
fn arithmetic(op: BinaryOp, x: i64, y: i64) -> Result<Value, FaultKind> {
    let zero = matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && y == 0;
    let number = match op {
        _ if zero => return Err(FaultKind::DivisionByZero),
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Subtract => x.checked_sub(y),
        BinaryOp::Multiply => x.checked_mul(y),
        BinaryOp::Divide => x.checked_div_euclid(y),
        BinaryOp::Remainder => x.checked_rem_euclid(y),
        BinaryOp::Less => return Ok(Value::Bool(x < y)),
        BinaryOp::LessEqual => return Ok(Value::Bool(x <= y)),
        BinaryOp::Greater => return Ok(Value::Bool(x > y)),
        BinaryOp::GreaterEqual => return Ok(Value::Bool(x >= y)),
        _ => unreachable!("{op:?} is no operator on integers"),
    };
    number.map(Value::Int).ok_or(FaultKind::Overflow)
}

impl<'a> Scope<'a> {
    /// The variables that are bound, and the definitions of `rule` evaluated in order.
    pub(super) fn of(net: &'a Net, rule: &Transition, binding: &BTreeMap<Var, Value>) -> Self {
        let kinds = rule.variables.iter().map(|variable| variable.kind).collect();
        let bound = binding.clone();
        let mut scope = Scope { net, state: None, kinds, bound, defined: BTreeMap::new() };
        for (var, expr) in &rule.definitions {
            scope.bound.remove(var);
            let value = scope.eval(expr);
            scope.defined.insert(*var, value);
        }
        scope
    }

    /// Nothing is bound. Variables stand for members of these enumerations.
    pub(super) fn of_members(net: &'a Net, each: &[EnumId]) -> Self {
        let kinds = each.iter().map(|id| Kind::Enum(*id)).collect();
        let (bound, defined) = (BTreeMap::new(), BTreeMap::new());
        Scope { net, state: None, kinds, bound, defined }
    }

    /// The variables of a property, which speaks of a state.
    pub(super) fn of_state(net: &'a Net, state: &'a State, bound: BTreeMap<Var, Value>) -> Self {
        Scope { net, state: Some(state), kinds: Vec::new(), bound, defined: BTreeMap::new() }
    }

    /// Calls `visit` with every choice of members for `each` that meets the condition.
    pub(super) fn for_each_choice(
        &self,
        each: &[Var],
        condition: Option<&Expr>,
        visit: &mut dyn FnMut(&Scope) -> Result<(), FaultKind>,
    ) -> Result<(), FaultKind> {
        let Some((var, rest)) = each.split_first() else {
            let meets = condition.map_or(Ok(Value::Bool(true)), |condition| self.eval(condition));
            return if meets? == Value::Bool(true) { visit(self) } else { Ok(()) };
        };
        let Kind::Enum(id) = self.kinds[var.index()] else {
            unreachable!("the net was checked, yet {var:?} goes through no enumeration");
        };
        let mut inner = self.clone();
        for member in &self.net.enumerations[id.index()].members {
            inner.bind(*var, &Value::Enum(member.clone()));
            inner.for_each_choice(rest, condition, visit)?;
        }
        Ok(())
    }

    /// The tokens that an arc for each member stands for, one for each choice.
    pub(super) fn tokens_of(&self, arc: &Arc) -> Result<Vec<Vec<Value>>, FaultKind> {
        let mut tokens = Vec::new();
        self.for_each_choice(&arc.each, arc.condition.as_ref(), &mut |scope| {
            let token: Result<_, _> = arc.pattern.iter().flatten().map(|e| scope.eval(e)).collect();
            tokens.push(in_normal_form(self.net, self.net.place(arc.place), token?));
            Ok(())
        })?;
        Ok(tokens)
    }

    pub(super) fn knows(&self, var: Var) -> bool {
        self.bound.contains_key(&var) || self.defined.contains_key(&var)
    }

    /// Binds a variable.
    pub(super) fn bind(&mut self, var: Var, value: &Value) {
        self.bound.insert(var, value.clone());
    }

    /// The definitions that do not fault.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (Var, Value)> {
        self.defined.iter().filter_map(|(var, value)| Some((*var, value.clone().ok()?)))
    }

    /// The value of an expression of a transition.
    pub(super) fn eval(&self, expr: &Expr) -> Result<Value, FaultKind> {
        self.value(expr).map_err(|no_value| match no_value {
            NoValue::Fault(kind) => kind,
            NoValue::NotThere => unreachable!("only properties ask for columns of threads"),
        })
    }

    pub(super) fn value(&self, expr: &Expr) -> Result<Value, NoValue> {
        Ok(match expr {
            Expr::Literal(literal) => literal_value(self.net, *literal),
            Expr::Var(var) => match self.defined.get(var) {
                Some(value) => value.clone()?,
                None => self.bound[var].clone(),
            },
            Expr::Unary(UnaryOp::Not, a) => Value::Bool(!self.truth(a)?),
            Expr::Unary(UnaryOp::Negate, a) => {
                Value::Int(self.number(a)?.checked_neg().ok_or(FaultKind::Overflow)?)
            }
            Expr::Unary(UnaryOp::Value, a) => match self.value(a)? {
                Value::None => return Err(FaultKind::NoValue.into()),
                value => value,
            },
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::If(condition, a, b) => self.value(if self.truth(condition)? { a } else { b })?,
            Expr::Relation(relation, a, b) => {
                let (a, b) = (self.value(&Expr::Var(*a))?, self.value(&Expr::Var(*b))?);
                match (a.as_pid(), b.as_pid()) {
                    (Some(a), Some(b)) => Value::Bool(relation.holds(a, b)),
                    _ => unreachable!("the net was checked, yet {a} or {b} is no pid"),
                }
            }
            Expr::Shift(a, id, steps) => {
                let shifted =
                    self.net.enumerations[id.index()].shifted(self.member(a, *id)?, *steps);
                let index = shifted.ok_or(FaultKind::NoMember { enumeration: *id })?;
                literal_value(self.net, Literal::Enum(*id, index))
            }
            Expr::Within(a, id, part) => {
                let part = self.net.enumerations[id.index()].part(*part as usize);
                Value::Bool(part.contains(&self.member(a, *id)?))
            }
            _ => self.of_property(expr)?,
        })
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Value, NoValue> {
        let truth = |truth| Ok(Value::Bool(truth));
        match op {
            BinaryOp::And => return truth(self.truth(a)? && self.truth(b)?),
            BinaryOp::Or => return truth(self.truth(a)? || self.truth(b)?),
            BinaryOp::Implies => return truth(!self.truth(a)? || self.truth(b)?),
            BinaryOp::Equal => return truth(self.value(a)? == self.value(b)?),
            BinaryOp::NotEqual => return truth(self.value(a)? != self.value(b)?),
            _ => {}
        }
        let (x, y) = match kind(self.net, &|var| self.kind(var), a) {
            Some(Kind::Enum(id)) => (self.member(a, id)?.into(), self.member(b, id)?.into()),
            _ => (self.number(a)?, self.number(b)?),
        };
        Ok(arithmetic(op, x, y)?)
    }

    /// The type of a variable: as it is known, or that of its value.
    fn kind(&self, var: Var) -> Kind {
        if let Some(kind) = self.kinds.get(var.index()) {
            return *kind;
        }
        match &self.bound[&var] {
            Value::Pid(_) => Kind::Pid,
            Value::Int(_) => Kind::Int,
            Value::Bool(_) => Kind::Bool,
            Value::Enum(name) => {
                let mut classes = (0..).map(EnumId).zip(&self.net.enumerations);
                let found = classes.find(|(_, class)| class.members.contains(name));
                Kind::Enum(found.expect("the net was checked: it is a member").0)
            }
            Value::Object(name, _) => {
                let mut classes = (0..).map(FreshId).zip(&self.net.fresh);
                let found = classes.find(|(_, class)| class.name == *name);
                Kind::Object(found.expect("the net was checked: it is an object").0)
            }
            Value::None => unreachable!("only numbers and members are ordered"),
        }
    }

    pub(super) fn truth(&self, expr: &Expr) -> Result<bool, NoValue> {
        match self.value(expr)? {
            Value::Bool(truth) => Ok(truth),
            other => unreachable!("the net was checked, yet {other} is no truth value"),
        }
    }

    fn number(&self, expr: &Expr) -> Result<i64, NoValue> {
        match self.value(expr)? {
            Value::Int(number) => Ok(number),
            other => unreachable!("the net was checked, yet {other} is no integer"),
        }
    }

    /// The index of a member of an enumeration.
    fn member(&self, expr: &Expr, id: EnumId) -> Result<u32, NoValue> {
        let members = &self.net.enumerations[id.index()].members;
        let value = self.value(expr)?;
        let index = members.iter().position(|name| Value::Enum(name.clone()) == value);
        match index {
            Some(index) => Ok(index as u32),
            None => unreachable!("the net was checked, yet {value} is not among {members:?}"),
        }
    }
}
