//! Values, as people think of them.

use std::collections::{BTreeMap, BTreeSet};

use program::{CollectionOp, Program, Type};

/// What is wrong with a program that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault(pub &'static str);

/// A value. Processes and objects are known by their numbers in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Int(i64),
    Bool(bool),
    Member(u32),
    Process(u32),
    Object(u32),
    Nothing,
    Some(Box<Value>),
    Sequence(Vec<Value>),
    Set(BTreeSet<Value>),
    Map(BTreeMap<Value, Value>),
    Record(Vec<Value>),
    Case(usize, Vec<Value>),
}

/// A process or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    Process(u32),
    Object(u32),
}

impl Value {
    pub fn int(&self) -> i64 {
        match self {
            Value::Int(number) => *number,
            _ => panic!("{self:?} is no number"),
        }
    }

    pub fn bool(&self) -> bool {
        match self {
            Value::Bool(bool) => *bool,
            _ => panic!("{self:?} is no truth value"),
        }
    }

    /// What there is, where there may be nothing.
    pub fn present(&self) -> Result<&Value, Fault> {
        match self {
            Value::Nothing => Err(Fault("there is nothing")),
            Value::Some(value) => Ok(value),
            value => Ok(value),
        }
    }

    pub fn process(&self) -> Result<u32, Fault> {
        match self.present()? {
            Value::Process(pid) => Ok(*pid),
            other => panic!("{other:?} is no process"),
        }
    }

    pub fn object(&self) -> Result<u32, Fault> {
        match self.present()? {
            Value::Object(id) => Ok(*id),
            other => panic!("{other:?} is no object"),
        }
    }

    /// Whether a variable of a type can hold it.
    pub fn fits(&self, program: &Program, of: &Type) -> bool {
        let all = |mut values: &mut dyn Iterator<Item = &Value>, of: &Type| {
            Iterator::all(&mut values, |value| value.fits(program, of))
        };
        match (self, of) {
            (Value::Int(number), Type::Int { min, max }) => min <= number && number <= max,
            (Value::Nothing, Type::Optional(_)) => true,
            (Value::Some(value), Type::Optional(of)) => value.fits(program, of),
            (Value::Sequence(values), Type::Sequence(of, most)) => {
                values.len() <= *most as usize && all(&mut values.iter(), of)
            }
            (Value::Set(values), Type::Set(of, most)) => {
                values.len() <= *most as usize && all(&mut values.iter(), of)
            }
            (Value::Map(values), Type::Map(keys, of, most)) => {
                values.len() <= *most as usize
                    && all(&mut values.keys(), keys)
                    && all(&mut values.values(), of)
            }
            (Value::Record(values), Type::Record(id)) => {
                let components = &program.records[id.index()].components;
                values.iter().zip(components).all(|(value, named)| value.fits(program, &named.of))
            }
            (Value::Case(case, values), Type::Variant(id)) => {
                let components = &program.variants[id.index()].cases[*case].components;
                values.iter().zip(components).all(|(value, named)| value.fits(program, &named.of))
            }
            (Value::Bool(_), Type::Bool)
            | (Value::Member(_), Type::Member(_))
            | (Value::Process(_), Type::Handle(_))
            | (Value::Object(_), Type::Object(_)) => true,
            _ => panic!("{self:?} is of another type than {of:?}"),
        }
    }

    /// Calls `visit` with each process and object in it.
    pub fn identities(&self, visit: &mut dyn FnMut(Identity)) {
        match self {
            Value::Process(pid) => visit(Identity::Process(*pid)),
            Value::Object(id) => visit(Identity::Object(*id)),
            Value::Some(value) => value.identities(visit),
            Value::Sequence(all) | Value::Record(all) | Value::Case(_, all) => {
                all.iter().for_each(|value| value.identities(visit));
            }
            Value::Set(all) => all.iter().for_each(|value| value.identities(visit)),
            Value::Map(all) => all.iter().for_each(|(key, value)| {
                key.identities(visit);
                value.identities(visit);
            }),
            Value::Int(_) | Value::Bool(_) | Value::Member(_) | Value::Nothing => {}
        }
    }

    /// The same with other numbers for processes and objects.
    pub fn rename(&mut self, names: &Names) {
        match self {
            Value::Process(pid) => *pid = names.processes[*pid as usize],
            Value::Object(id) => *id = names.objects[*id as usize],
            Value::Some(value) => value.rename(names),
            Value::Sequence(all) | Value::Record(all) | Value::Case(_, all) => {
                all.iter_mut().for_each(|value| value.rename(names));
            }
            Value::Set(all) => {
                let renamed = std::mem::take(all).into_iter().map(|mut value| {
                    value.rename(names);
                    value
                });
                *all = renamed.collect();
            }
            Value::Map(all) => {
                let renamed = std::mem::take(all).into_iter().map(|(mut key, mut value)| {
                    key.rename(names);
                    value.rename(names);
                    (key, value)
                });
                *all = renamed.collect();
            }
            Value::Int(_) | Value::Bool(_) | Value::Member(_) | Value::Nothing => {}
        }
    }
}

/// New numbers for processes and objects, by the old ones.
#[derive(Clone, Debug)]
pub struct Names {
    pub processes: Vec<u32>,
    pub objects: Vec<u32>,
}

/// An operation on a collection. `most` is how many elements the result may have.
pub fn operate(op: CollectionOp, operands: &[Value], most: usize) -> Result<Value, Fault> {
    let missing = Fault("there is no such element");
    let full = Fault("the collection is full");
    Ok(match (op, &operands[0]) {
        (CollectionOp::Len, Value::Sequence(all)) => Value::Int(all.len() as i64),
        (CollectionOp::Len, Value::Set(all)) => Value::Int(all.len() as i64),
        (CollectionOp::Len, Value::Map(all)) => Value::Int(all.len() as i64),
        (CollectionOp::At, Value::Sequence(all)) => {
            let index = usize::try_from(operands[1].int()).map_err(|_| missing)?;
            all.get(index).cloned().ok_or(missing)?
        }
        (CollectionOp::At, Value::Map(all)) => all.get(&operands[1]).cloned().ok_or(missing)?,
        (CollectionOp::Has, Value::Sequence(all)) => Value::Bool(all.contains(&operands[1])),
        (CollectionOp::Has, Value::Set(all)) => Value::Bool(all.contains(&operands[1])),
        (CollectionOp::Has, Value::Map(all)) => Value::Bool(all.contains_key(&operands[1])),
        (CollectionOp::First, Value::Sequence(all)) => all.first().cloned().ok_or(missing)?,
        (CollectionOp::Last, Value::Sequence(all)) => all.last().cloned().ok_or(missing)?,
        (op, Value::Sequence(all)) => {
            let mut all = all.clone();
            match op {
                CollectionOp::Append => all.push(operands[1].clone()),
                CollectionOp::Prepend => all.insert(0, operands[1].clone()),
                CollectionOp::WithoutFirst if !all.is_empty() => _ = all.remove(0),
                CollectionOp::WithoutLast if !all.is_empty() => _ = all.pop(),
                CollectionOp::WithoutAt => {
                    let index = usize::try_from(operands[1].int()).map_err(|_| missing)?;
                    if index >= all.len() {
                        return Err(missing);
                    }
                    all.remove(index);
                }
                _ => return Err(missing),
            }
            if all.len() > most {
                return Err(full);
            }
            Value::Sequence(all)
        }
        (op, Value::Set(all)) => {
            let mut all = all.clone();
            match op {
                CollectionOp::With => _ = all.insert(operands[1].clone()),
                CollectionOp::Without => _ = all.remove(&operands[1]),
                _ => panic!("{op:?} of a set"),
            }
            if all.len() > most {
                return Err(full);
            }
            Value::Set(all)
        }
        (op, Value::Map(all)) => {
            let mut all = all.clone();
            match op {
                CollectionOp::With => _ = all.insert(operands[1].clone(), operands[2].clone()),
                CollectionOp::Without => _ = all.remove(&operands[1]),
                _ => panic!("{op:?} of a map"),
            }
            if all.len() > most {
                return Err(full);
            }
            Value::Map(all)
        }
        (op, other) => panic!("{op:?} of {other:?}"),
    })
}
