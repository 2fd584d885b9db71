//! What variables stand for, and what expressions then are.

use std::collections::BTreeMap;

use state::{Relation, Value};

use crate::assumptions::kind;
use crate::{Arc, BinaryOp, EnumId, Expr, FaultKind, Kind, Literal, Net, Transition, UnaryOp, Var};

/// The variables of a transition while expressions are evaluated.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    net: &'a Net,
    /// The types of the variables.
    kinds: Vec<Kind>,
    bound: BTreeMap<Var, Value>,
    /// A definition that faults is a fault only where it is used.
    defined: BTreeMap<Var, Result<Value, FaultKind>>,
}

pub(super) fn literal_value(net: &Net, literal: Literal) -> Value {
    match literal {
        Literal::Int(number) => Value::Int(number),
        Literal::Bool(truth) => Value::Bool(truth),
        Literal::Enum(id, index) => Value::Enum(net.member(id, index).clone()),
    }
}

/// An operator on integers, or on members by their indices.
pub(super) fn arithmetic(op: BinaryOp, x: i64, y: i64) -> Result<Value, FaultKind> {
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
        let mut scope = Scope { net, kinds, bound: binding.clone(), defined: BTreeMap::new() };
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
        Scope { net, kinds, bound: BTreeMap::new(), defined: BTreeMap::new() }
    }

    /// Calls `visit` with every choice of members for `each` that meets the condition.
    pub(super) fn for_each_choice(
        &self,
        each: &[Var],
        condition: Option<&Expr>,
        visit: &mut dyn FnMut(&Scope) -> Result<(), FaultKind>,
    ) -> Result<(), FaultKind> {
        let Some((var, rest)) = each.split_first() else {
            let meets = condition.map_or(Ok(true), |condition| self.truth(condition));
            return if meets? { visit(self) } else { Ok(()) };
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
            tokens.push(token?);
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

    pub(super) fn eval(&self, expr: &Expr) -> Result<Value, FaultKind> {
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
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::If(condition, a, b) => self.eval(if self.truth(condition)? { a } else { b })?,
            Expr::Relation(relation, a, b) => Value::Bool(self.related(*relation, *a, *b)?),
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
        })
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<Value, FaultKind> {
        let truth = |truth| Ok(Value::Bool(truth));
        match op {
            BinaryOp::And => return truth(self.truth(a)? && self.truth(b)?),
            BinaryOp::Or => return truth(self.truth(a)? || self.truth(b)?),
            BinaryOp::Implies => return truth(!self.truth(a)? || self.truth(b)?),
            BinaryOp::Equal => return truth(self.eval(a)? == self.eval(b)?),
            BinaryOp::NotEqual => return truth(self.eval(a)? != self.eval(b)?),
            _ => {}
        }
        let (x, y) = match kind(&|var| self.kinds[var.index()], a) {
            Some(Kind::Enum(id)) => (self.member(a, id)?.into(), self.member(b, id)?.into()),
            _ => (self.number(a)?, self.number(b)?),
        };
        arithmetic(op, x, y)
    }

    fn truth(&self, expr: &Expr) -> Result<bool, FaultKind> {
        match self.eval(expr)? {
            Value::Bool(truth) => Ok(truth),
            other => unreachable!("the net was checked, yet {other} is no truth value"),
        }
    }

    fn number(&self, expr: &Expr) -> Result<i64, FaultKind> {
        match self.eval(expr)? {
            Value::Int(number) => Ok(number),
            other => unreachable!("the net was checked, yet {other} is no integer"),
        }
    }

    /// The index of a member of an enumeration.
    fn member(&self, expr: &Expr, id: EnumId) -> Result<u32, FaultKind> {
        let members = &self.net.enumerations[id.index()].members;
        let value = self.eval(expr)?;
        let index = members.iter().position(|name| Value::Enum(name.clone()) == value);
        match index {
            Some(index) => Ok(index as u32),
            None => unreachable!("the net was checked, yet {value} is not among {members:?}"),
        }
    }

    fn related(&self, relation: Relation, a: Var, b: Var) -> Result<bool, FaultKind> {
        let (a, b) = (self.eval(&Expr::Var(a))?, self.eval(&Expr::Var(b))?);
        match (a.as_pid(), b.as_pid()) {
            (Some(a), Some(b)) => Ok(relation.holds(a, b)),
            _ => unreachable!("the net was checked, yet {a} or {b} is no pid"),
        }
    }
}
