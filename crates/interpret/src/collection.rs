//! Collections, and the operations on them. They are values: an operation leaves its operand as it is.

use std::collections::BTreeMap;

use program::{CollectionOp, FailureKind, Type};

use crate::failure::Cause;
use crate::value::Value;

/// The collection of a type that has these elements; of a map, keys and values in turn.
pub(crate) fn collect(of: &Type, values: Vec<Value>) -> Value {
    match of {
        Type::Sequence(..) => Value::Sequence(values),
        Type::Set(..) => Value::Set(values.into_iter().collect()),
        Type::Map(..) => {
            let mut values = values.into_iter();
            let mut map = BTreeMap::new();
            while let (Some(key), Some(value)) = (values.next(), values.next()) {
                map.insert(key, value);
            }
            Value::Map(map)
        }
        other => panic!("{other:?} is no collection"),
    }
}

/// How many elements a collection of a type may have.
pub(crate) fn most_elements(of: &Type) -> u32 {
    match of {
        Type::Sequence(_, most) | Type::Set(_, most) | Type::Map(_, _, most) => *most,
        other => panic!("{other:?} is no collection"),
    }
}

/// Finds the index of an element of a sequence.
pub(crate) fn index_in(len: usize, index: &Value) -> Result<usize, Cause> {
    let index = index.int();
    let found = usize::try_from(index).ok().filter(|found| *found < len);
    found.ok_or(FailureKind::NoElement.into())
}

/// The result of an operation. `most` is how many elements a collection that results may have.
pub(crate) fn operate(op: CollectionOp, operands: &[Value], most: u32) -> Result<Value, Cause> {
    let result = match &operands[0] {
        Value::Sequence(all) => on_sequence(op, all, operands)?,
        Value::Set(all) => match op {
            CollectionOp::Len => Value::Int(all.len() as i64),
            CollectionOp::Has => Value::Bool(all.contains(&operands[1])),
            CollectionOp::With => {
                let mut all = all.clone();
                all.insert(operands[1].clone());
                Value::Set(all)
            }
            CollectionOp::Without => {
                let mut all = all.clone();
                all.remove(&operands[1]);
                Value::Set(all)
            }
            _ => panic!("{op:?} of a set"),
        },
        Value::Map(all) => match op {
            CollectionOp::Len => Value::Int(all.len() as i64),
            CollectionOp::Has => Value::Bool(all.contains_key(&operands[1])),
            CollectionOp::At => all.get(&operands[1]).cloned().ok_or(FailureKind::NoElement)?,
            CollectionOp::With => {
                let mut all = all.clone();
                all.insert(operands[1].clone(), operands[2].clone());
                Value::Map(all)
            }
            CollectionOp::Without => {
                let mut all = all.clone();
                all.remove(&operands[1]);
                Value::Map(all)
            }
            _ => panic!("{op:?} of a map"),
        },
        other => panic!("{op:?} of {other:?}"),
    };
    let grows = matches!(op, CollectionOp::Append | CollectionOp::Prepend | CollectionOp::With);
    let len = match &result {
        Value::Sequence(all) => all.len(),
        Value::Set(all) => all.len(),
        Value::Map(all) => all.len(),
        _ => 0,
    };
    match grows && len > most as usize {
        true => Err(FailureKind::Full.into()),
        false => Ok(result),
    }
}

fn on_sequence(op: CollectionOp, all: &[Value], operands: &[Value]) -> Result<Value, Cause> {
    let is_there = |found: Option<&Value>| found.cloned().ok_or(FailureKind::NoElement.into());
    let mut changed = all.to_vec();
    match op {
        CollectionOp::Len => return Ok(Value::Int(all.len() as i64)),
        CollectionOp::At => return Ok(all[index_in(all.len(), &operands[1])?].clone()),
        CollectionOp::Has => return Ok(Value::Bool(all.contains(&operands[1]))),
        CollectionOp::First => return is_there(all.first()),
        CollectionOp::Last => return is_there(all.last()),
        CollectionOp::Append => changed.push(operands[1].clone()),
        CollectionOp::Prepend => changed.insert(0, operands[1].clone()),
        CollectionOp::WithoutFirst | CollectionOp::WithoutLast if all.is_empty() => {
            return Err(FailureKind::NoElement.into());
        }
        CollectionOp::WithoutFirst => _ = changed.remove(0),
        CollectionOp::WithoutLast => _ = changed.pop(),
        CollectionOp::WithoutAt => _ = changed.remove(index_in(all.len(), &operands[1])?),
        CollectionOp::With | CollectionOp::Without => panic!("{op:?} of a sequence"),
    }
    Ok(Value::Sequence(changed))
}
