//! What variables stand for, and what expressions then are.

use std::collections::BTreeMap;

use state::{Relation, Value};

use crate::{BinaryOp, Expr, FaultKind, Literal, Net, Transition, UnaryOp, Var};

/// The variables of a transition while expressions are evaluated.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    net: &'a Net,
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

impl<'a> Scope<'a> {
    /// The variables that are bound, and the definitions of `rule` evaluated in order.
    pub(super) fn of(net: &'a Net, rule: &Transition, binding: &BTreeMap<Var, Value>) -> Self {
        let mut scope = Scope { net, bound: binding.clone(), defined: BTreeMap::new() };
        for (var, expr) in &rule.definitions {
            scope.bound.remove(var);
            let value = scope.eval(expr);
            scope.defined.insert(*var, value);
        }
        scope
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
        let (x, y) = (self.number(a)?, self.number(b)?);
        let zero = matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && y == 0;
        let number = match op {
            _ if zero => return Err(FaultKind::DivisionByZero),
            BinaryOp::Add => x.checked_add(y),
            BinaryOp::Subtract => x.checked_sub(y),
            BinaryOp::Multiply => x.checked_mul(y),
            BinaryOp::Divide => x.checked_div_euclid(y),
            BinaryOp::Remainder => x.checked_rem_euclid(y),
            BinaryOp::Less => return truth(x < y),
            BinaryOp::LessEqual => return truth(x <= y),
            BinaryOp::Greater => return truth(x > y),
            BinaryOp::GreaterEqual => return truth(x >= y),
            _ => unreachable!("handled above"),
        };
        number.map(Value::Int).ok_or(FaultKind::Overflow)
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

    fn related(&self, relation: Relation, a: Var, b: Var) -> Result<bool, FaultKind> {
        let (a, b) = (self.eval(&Expr::Var(a))?, self.eval(&Expr::Var(b))?);
        match (a.as_pid(), b.as_pid()) {
            (Some(a), Some(b)) => Ok(relation.holds(a, b)),
            _ => unreachable!("the net was checked, yet {a} or {b} is no pid"),
        }
    }
}
