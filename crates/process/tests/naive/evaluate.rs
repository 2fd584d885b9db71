//! The values of expressions.

use net::{BinaryOp, Literal, Quantifier, UnaryOp};
use program::{Expr, Form, LocalId, Type};

use crate::access::{Location, Log};
use crate::state::{Process, State};
use crate::value::{Fault, Value, operate};

/// Where an expression is evaluated.
pub struct Scope<'s> {
    pub state: &'s State,
    /// The process that runs, if one does.
    pub this: Option<u32>,
    pub locals: &'s [Option<Value>],
    /// Where it is noted what is read, and whether that is outside of steps.
    pub log: Option<(&'s Log, bool)>,
}

type Bound<'b> = Option<&'b Binding<'b>>;

/// A variable of a quantifier.
pub struct Binding<'b> {
    local: LocalId,
    value: &'b Value,
    outer: Bound<'b>,
}

impl Scope<'_> {
    pub fn eval(&self, expr: &Expr) -> Result<Value, Fault> {
        self.value(expr, None)
    }

    pub fn holds(&self, expr: &Expr) -> Result<bool, Fault> {
        Ok(self.eval(expr)?.bool())
    }

    fn all(&self, exprs: &[Expr], bound: Bound) -> Result<Vec<Value>, Fault> {
        exprs.iter().map(|expr| self.value(expr, bound)).collect()
    }

    fn value(&self, expr: &Expr, bound: Bound) -> Result<Value, Fault> {
        let eval = |expr: &Expr| self.value(expr, bound);
        Ok(match &expr.form {
            Form::Literal(Literal::Int(number)) => Value::Int(*number),
            Form::Literal(Literal::Bool(bool)) => Value::Bool(*bool),
            Form::Literal(Literal::Enum(_, member)) => Value::Member(*member),
            Form::Literal(Literal::None(_)) | Form::None => Value::Nothing,
            Form::Initial(object) => Value::Object(*object),
            Form::Some(inner) => Value::Some(Box::new(eval(inner)?)),
            Form::Unwrap(inner) => eval(inner)?.present()?.clone(),
            Form::Sure(inner) => eval(inner)?,
            Form::Local(local) => self.local(*local, bound),
            Form::Global(id) => {
                self.note(Location::Global(*id));
                self.state.global(*id).clone()
            }
            Form::Field(object, field) => {
                let object = eval(object)?.object()?;
                self.note(Location::Field(object, *field));
                self.state.field(object, *field).clone()
            }
            Form::This => Value::Process(self.this.expect("a process runs")),
            Form::Ended(handle) => {
                let pid = eval(handle)?.process()? as usize;
                Value::Bool(matches!(self.state.processes[pid], Process::Ended(_)))
            }
            Form::Record(components) => Value::Record(self.all(components, bound)?),
            Form::Component(record, index) => match eval(record)? {
                Value::Record(components) => components[*index].clone(),
                other => panic!("{other:?} is no record"),
            },
            Form::Case(case, components) => Value::Case(*case, self.all(components, bound)?),
            Form::Is(variant, case) => match eval(variant)? {
                Value::Case(other, _) => Value::Bool(other == *case),
                other => panic!("{other:?} is no variant"),
            },
            Form::Payload(variant, case, index) => match eval(variant)? {
                Value::Case(other, components) if other == *case => components[*index].clone(),
                Value::Case(..) => return Err(Fault("it is of another case")),
                other => panic!("{other:?} is no variant"),
            },
            Form::Collection(elements) => collect(&expr.of, self.all(elements, bound)?),
            Form::On(op, operands) => {
                operate(*op, &self.all(operands, bound)?, room(&operands[0].of))?
            }
            Form::Quantified(quantifier, local, over, condition) => {
                self.quantified(*quantifier, *local, &eval(over)?, condition, bound)?
            }
            Form::Unary(UnaryOp::Not, inner) => Value::Bool(!eval(inner)?.bool()),
            Form::Unary(UnaryOp::Negate, inner) => Value::Int(-eval(inner)?.int()),
            Form::Unary(UnaryOp::Value, inner) => eval(inner)?.present()?.clone(),
            Form::Binary(op, a, b) => self.binary(*op, eval(a)?, b, bound)?,
            Form::If(condition, yes, no) => {
                return if eval(condition)?.bool() { eval(yes) } else { eval(no) };
            }
            Form::Shift(..) => panic!("members are not counted on in these programs"),
        })
    }

    fn note(&self, location: Location) {
        if let Some((log, is_plain)) = self.log {
            log.note(location, false, is_plain);
        }
    }

    fn local(&self, local: LocalId, bound: Bound) -> Value {
        let mut next = bound;
        while let Some(binding) = next {
            if binding.local == local {
                return binding.value.clone();
            }
            next = binding.outer;
        }
        let value = &self.locals[local.index()];
        value.clone().expect("a variable has a value before it is read")
    }

    fn binary(&self, op: BinaryOp, a: Value, b: &Expr, bound: Bound) -> Result<Value, Fault> {
        match (op, &a) {
            (BinaryOp::And, Value::Bool(false)) => return Ok(Value::Bool(false)),
            (BinaryOp::Or, Value::Bool(true)) => return Ok(Value::Bool(true)),
            (BinaryOp::Implies, Value::Bool(false)) => return Ok(Value::Bool(true)),
            _ => {}
        }
        let b = self.value(b, bound)?;
        Ok(match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => b,
            BinaryOp::Equal => Value::Bool(a == b),
            BinaryOp::NotEqual => Value::Bool(a != b),
            BinaryOp::Less => Value::Bool(a.int() < b.int()),
            BinaryOp::LessEqual => Value::Bool(a.int() <= b.int()),
            BinaryOp::Greater => Value::Bool(a.int() > b.int()),
            BinaryOp::GreaterEqual => Value::Bool(a.int() >= b.int()),
            BinaryOp::Add => Value::Int(a.int() + b.int()),
            BinaryOp::Subtract => Value::Int(a.int() - b.int()),
            BinaryOp::Multiply => Value::Int(a.int() * b.int()),
            BinaryOp::Divide | BinaryOp::Remainder if b.int() == 0 => {
                return Err(Fault("division by zero"));
            }
            BinaryOp::Divide => Value::Int(a.int().div_euclid(b.int())),
            BinaryOp::Remainder => Value::Int(a.int().rem_euclid(b.int())),
        })
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        local: LocalId,
        over: &Value,
        condition: &Expr,
        outer: Bound,
    ) -> Result<Value, Fault> {
        let is_all = quantifier == Quantifier::Forall;
        for value in &elements(over) {
            let binding = Binding { local, value, outer };
            if self.value(condition, Some(&binding))?.bool() != is_all {
                return Ok(Value::Bool(!is_all));
            }
        }
        Ok(Value::Bool(is_all))
    }
}

/// The elements of a collection; of a map the keys.
pub fn elements(of: &Value) -> Vec<Value> {
    match of {
        Value::Sequence(all) => all.clone(),
        Value::Set(all) => all.iter().cloned().collect(),
        Value::Map(all) => all.keys().cloned().collect(),
        other => panic!("{other:?} is no collection"),
    }
}

fn collect(of: &Type, values: Vec<Value>) -> Value {
    match of {
        Type::Sequence(..) => Value::Sequence(values),
        Type::Set(..) => Value::Set(values.into_iter().collect()),
        Type::Map(..) => {
            let mut values = values.into_iter();
            let mut map = std::collections::BTreeMap::new();
            while let (Some(key), Some(value)) = (values.next(), values.next()) {
                map.insert(key, value);
            }
            Value::Map(map)
        }
        other => panic!("{other:?} is no collection"),
    }
}

fn room(of: &Type) -> usize {
    match of {
        Type::Sequence(_, most) | Type::Set(_, most) | Type::Map(_, _, most) => *most as usize,
        other => panic!("{other:?} is no collection"),
    }
}
