//! Operators, and whether values are of a type.

use net::BinaryOp;
use program::{FailureKind, Type};

use super::{Execution, Halt, composite};
use crate::code::Address;
use crate::value::Value;

impl Execution<'_> {
    pub(super) fn binary(
        &self,
        op: BinaryOp,
        a: Value,
        b: Value,
        here: Address,
    ) -> Result<Value, Halt> {
        let fail = |kind| Err(Halt::Failed(kind, here));
        Ok(match (op, a, b) {
            (_, Value::Number(a), Value::Number(b)) => match op.apply(a, b) {
                Ok(number) => Value::Number(number),
                Err(_) if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && b == 0 => {
                    return fail(FailureKind::DivisionByZero);
                }
                Err(_) => return fail(FailureKind::Overflow),
            },
            (BinaryOp::Equal | BinaryOp::NotEqual, a, b) => {
                if self.heap.arena.is_open(a) || self.heap.arena.is_open(b) {
                    return Err(Halt::Elsewhere);
                }
                let is_same = self.heap.arena.compare(a, b).is_eq();
                Value::truth(is_same == (op == BinaryOp::Equal))
            }
            (op, a, b) => panic!("{op:?} of {a:?} and {b:?}"),
        })
    }

    /// Whether a value is one of a type.
    pub(super) fn fits(&self, value: Value, of: &Type) -> Result<bool, Halt> {
        let arena = &self.heap.arena;
        let all = |parts: &[Value], of: &Type| -> Result<bool, Halt> {
            for part in parts {
                if !self.fits(*part, of)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let elements = |most: u32| -> Result<Option<&[Value]>, Halt> {
            let id = composite(value);
            if arena.composite(id).open.is_some() {
                return Err(Halt::Elsewhere);
            }
            let (parts, width) = (arena.parts(id), arena.composite(id).kind.width());
            Ok((parts.len() / width <= most as usize).then_some(parts))
        };
        Ok(match (value, of) {
            (Value::Number(number), Type::Int { min, max }) => (*min..=*max).contains(&number),
            (Value::Nothing, Type::Optional(_)) => true,
            (value, Type::Optional(inner)) => match (value, inner.is_optional()) {
                (Value::Composite(id), true) => self.fits(arena.parts(id)[0], inner)?,
                (value, _) => self.fits(value, inner)?,
            },
            (_, Type::Sequence(of, most) | Type::Set(of, most)) => match elements(*most)? {
                Some(parts) => all(parts, of)?,
                None => false,
            },
            (_, Type::Map(key, of, most)) => match elements(*most)? {
                Some(parts) => {
                    for pair in parts.chunks_exact(2) {
                        if !self.fits(pair[0], key)? || !self.fits(pair[1], of)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                None => false,
            },
            (Value::Composite(id), Type::Record(record)) => {
                self.fit_row(arena.parts(id), &self.code.records[record.index()])?
            }
            (Value::Composite(id), Type::Variant(variant)) => {
                let cases = &self.code.variants[variant.index()];
                self.fit_row(arena.parts(id), &cases[self.case(value) as usize])?
            }
            (Value::Number(_), Type::Bool | Type::Member(_))
            | (Value::Reference(_), Type::Handle(_) | Type::Object(_) | Type::Member(_)) => true,
            (value, of) => panic!("{value:?} is of another type than {of:?}"),
        })
    }

    fn fit_row(&self, parts: &[Value], types: &[Type]) -> Result<bool, Halt> {
        for (part, of) in parts.iter().zip(types) {
            if !self.fits(*part, of)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
