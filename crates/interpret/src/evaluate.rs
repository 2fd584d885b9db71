//! The values of expressions.

use net::{BinaryOp, Literal, Quantifier, UnaryOp};
use program::{Expr, FailureKind, Form, LocalId, Program, Type};

use crate::access::{Location, Reader};
use crate::collection::{collect, most_elements, operate};
use crate::failure::Cause;
use crate::state::{Process, State};
use crate::value::{Address, Pid, Value};

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    pub(crate) program: &'s Program,
    pub(crate) state: &'s State,
    /// The process that runs, if one does.
    pub(crate) this: Option<Pid>,
    pub(crate) locals: &'s [Option<Value>],
    /// Where it is noted what is read.
    pub(crate) reader: Option<Reader<'s>>,
}

type Bound<'b> = Option<&'b Binding<'b>>;

/// A variable of a quantifier.
pub(crate) struct Binding<'b> {
    local: LocalId,
    value: &'b Value,
    outer: Bound<'b>,
}

type Evaluated = Result<Value, Cause>;

impl Scope<'_> {
    pub(crate) fn eval(&self, expr: &Expr) -> Evaluated {
        self.value(expr, None)
    }

    fn all(&self, exprs: &[Expr], bound: Bound) -> Result<Vec<Value>, Cause> {
        exprs.iter().map(|expr| self.value(expr, bound)).collect()
    }

    fn value(&self, expr: &Expr, bound: Bound) -> Evaluated {
        let eval = |expr: &Expr| self.value(expr, bound);
        Ok(match &expr.form {
            Form::Literal(Literal::Int(number)) => Value::Int(*number),
            Form::Literal(Literal::Bool(bool)) => Value::Bool(*bool),
            Form::Literal(Literal::Enum(id, member)) => Value::Member(*id, *member),
            Form::Literal(Literal::None(_)) | Form::None => Value::Nothing,
            Form::Initial(object) => Value::Object(Address(*object)),
            Form::Some(inner) => Value::Some(Box::new(eval(inner)?)),
            Form::Unwrap(inner) | Form::Unary(UnaryOp::Value, inner) => {
                eval(inner)?.present().cloned().ok_or(FailureKind::NoValue)?
            }
            Form::Sure(inner) => eval(inner)?,
            Form::Local(local) => self.local(*local, bound),
            Form::Global(id) => {
                self.note(Location::Global(*id));
                self.state.global(*id).clone()
            }
            Form::Field(object, field) => {
                let before = self.reader.map_or(0, Reader::len);
                let object = eval(object)?.object()?;
                self.reader.iter().for_each(|reader| reader.are_ways(before));
                self.note(Location::Field(object, *field));
                self.state.field(object, *field).clone()
            }
            Form::This => Value::Process(self.this.expect("a process runs")),
            Form::Ended(handle) => {
                let before = self.reader.map_or(0, Reader::len);
                let pid = eval(handle)?.process()?;
                self.reader.iter().for_each(|reader| reader.are_ways(before));
                self.note(Location::End(pid));
                let has_ended = !matches!(self.state.processes[pid.index()], Process::Running(_));
                Value::Bool(has_ended)
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
                Value::Case(..) => return Err(FailureKind::OtherCase.into()),
                other => panic!("{other:?} is no variant"),
            },
            Form::Collection(elements) => collect(&expr.of, self.all(elements, bound)?),
            Form::On(op, operands) => {
                operate(*op, &self.all(operands, bound)?, most_elements(&operands[0].of))?
            }
            Form::Quantified(quantifier, local, over, condition) => {
                self.quantified(*quantifier, *local, &eval(over)?, condition, bound)?
            }
            Form::Unary(UnaryOp::Not, inner) => Value::Bool(!eval(inner)?.bool()),
            Form::Unary(UnaryOp::Negate, inner) => number(eval(inner)?.int().checked_neg())?,
            Form::Binary(op, a, b) => self.binary(*op, eval(a)?, b, bound)?,
            Form::If(condition, yes, no) => {
                return if eval(condition)?.bool() { eval(yes) } else { eval(no) };
            }
            Form::Shift(inner, steps) => self.shifted(&inner.of, &eval(inner)?, *steps)?,
        })
    }

    fn note(&self, location: Location) {
        if let Some(reader) = self.reader {
            reader.access(location, false);
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

    fn binary(&self, op: BinaryOp, a: Value, b: &Expr, bound: Bound) -> Evaluated {
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
            BinaryOp::Less => Value::Bool(rank(&a) < rank(&b)),
            BinaryOp::LessEqual => Value::Bool(rank(&a) <= rank(&b)),
            BinaryOp::Greater => Value::Bool(rank(&a) > rank(&b)),
            BinaryOp::GreaterEqual => Value::Bool(rank(&a) >= rank(&b)),
            BinaryOp::Add => number(a.int().checked_add(b.int()))?,
            BinaryOp::Subtract => number(a.int().checked_sub(b.int()))?,
            BinaryOp::Multiply => number(a.int().checked_mul(b.int()))?,
            BinaryOp::Divide | BinaryOp::Remainder if b.int() == 0 => {
                return Err(FailureKind::DivisionByZero.into());
            }
            BinaryOp::Divide => number(a.int().checked_div_euclid(b.int()))?,
            BinaryOp::Remainder => number(a.int().checked_rem_euclid(b.int()))?,
        })
    }

    /// The member a number of steps after another.
    fn shifted(&self, of: &Type, member: &Value, steps: i32) -> Evaluated {
        let (Type::Member(id), Value::Member(_, member)) = (of, member) else {
            panic!("{member:?} is no member")
        };
        let shifted = self.program.enumerations[id.index()].shifted(*member, steps);
        shifted.map(|member| Value::Member(*id, member)).ok_or(FailureKind::NoMember.into())
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        local: LocalId,
        over: &Value,
        condition: &Expr,
        outer: Bound,
    ) -> Evaluated {
        let is_all = quantifier == Quantifier::Forall;
        for value in &over.elements() {
            let binding = Binding { local, value, outer };
            if self.value(condition, Some(&binding))?.bool() != is_all {
                return Ok(Value::Bool(!is_all));
            }
        }
        Ok(Value::Bool(is_all))
    }
}

fn number(result: Option<i64>) -> Evaluated {
    result.map(Value::Int).ok_or(FailureKind::Overflow.into())
}

/// What numbers and members are ordered by.
fn rank(value: &Value) -> i64 {
    match value {
        Value::Member(_, member) => i64::from(*member),
        value => value.int(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use program::FailureKind;

    use crate::examples::explored;

    /// What goes wrong in the first process, among others that it can do.
    fn failures(body: &str) -> HashSet<FailureKind> {
        let text = format!(
            "class colour ordered {{ red, green }}
            object cell {{ value: 0..=3 = 0   step set(v: 0..=3) {{ value = v }} }}
            shared x: 0..=3 = 0
            process main {{ {body} }}"
        );
        explored(&text).failures
    }

    #[test]
    fn failures_have_kinds() {
        let kinds = [
            ("assert x > 0", FailureKind::Assertion),
            ("require x > 0", FailureKind::Requirement),
            ("x = x - 1", FailureKind::OutOfRange),
            ("let y = 4 / x", FailureKind::DivisionByZero),
            ("let c: cell? = none   x = 1   c!.set(1)", FailureKind::NoValue),
            ("let s: seq[0..=3, 2] = []   x = 1   x = s.first", FailureKind::NoElement),
            ("let c = red   x = 1   c = pred(c)", FailureKind::NoMember),
        ];
        for (body, kind) in kinds {
            assert_eq!(failures(body), HashSet::from([kind]), "{body}");
        }
    }
}
