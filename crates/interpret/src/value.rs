//! Values, as people think of them.

use std::collections::{BTreeMap, BTreeSet};

use net::EnumId;
use program::{FailureKind, Program, Type};

use crate::failure::Cause;

/// A process, by its number in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pid(pub u32);

/// An object, by its number in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u32);

impl Pid {
    /// The index of the process in [`State::processes`](crate::State::processes).
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Address {
    /// The index of the object in [`State::objects`](crate::State::objects).
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A process or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identity {
    /// A process.
    Process(Pid),
    /// An object.
    Object(Address),
}

/// A value. Collections are equal if they have the same elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A member of an enumeration or a class, by its index there.
    Member(EnumId, u32),
    /// The handle of a process.
    Process(Pid),
    /// A reference to an object.
    Object(Address),
    /// `none`.
    Nothing,
    /// A value of an optional type that is not `none`.
    Some(Box<Value>),
    /// Values in a row.
    Sequence(Vec<Value>),
    /// Different values.
    Set(BTreeSet<Value>),
    /// Values by keys.
    Map(BTreeMap<Value, Value>),
    /// The components of a record.
    Record(Vec<Value>),
    /// The case of a variant, and its components.
    Case(usize, Vec<Value>),
}

impl Value {
    pub(crate) fn int(&self) -> i64 {
        match self {
            Value::Int(number) => *number,
            _ => panic!("{self:?} is no number"),
        }
    }

    pub(crate) fn bool(&self) -> bool {
        match self {
            Value::Bool(bool) => *bool,
            _ => panic!("{self:?} is no truth value"),
        }
    }

    /// The value that an optional one is, if it is one.
    #[must_use]
    pub fn present(&self) -> Option<&Value> {
        match self {
            Value::Nothing => None,
            Value::Some(value) => Some(value),
            value => Some(value),
        }
    }

    pub(crate) fn process(&self) -> Result<Pid, Cause> {
        match self.present() {
            Some(Value::Process(pid)) => Ok(*pid),
            Some(other) => panic!("{other:?} is no process"),
            None => Err(FailureKind::NoValue.into()),
        }
    }

    pub(crate) fn object(&self) -> Result<Address, Cause> {
        match self.present() {
            Some(Value::Object(address)) => Ok(*address),
            Some(other) => panic!("{other:?} is no object"),
            None => Err(FailureKind::NoValue.into()),
        }
    }

    /// Whether a variable of a type can hold it; why not, if it cannot.
    pub(crate) fn fit(&self, program: &Program, of: &Type) -> Result<(), Cause> {
        let all = |mut values: &mut dyn Iterator<Item = &Value>, of: &Type| {
            Iterator::try_for_each(&mut values, |value| value.fit(program, of))
        };
        let only_if = |fits: bool| match fits {
            true => Ok(()),
            false => Err(Cause { kind: FailureKind::OutOfRange, value: Some(self.clone()) }),
        };
        match (self, of) {
            (Value::Int(number), Type::Int { min, max }) => only_if(min <= number && number <= max),
            (Value::Nothing, Type::Optional(_)) => Ok(()),
            (Value::Some(value), Type::Optional(of)) => value.fit(program, of),
            (Value::Sequence(values), Type::Sequence(of, most)) => {
                only_if(values.len() <= *most as usize)?;
                all(&mut values.iter(), of)
            }
            (Value::Set(values), Type::Set(of, most)) => {
                only_if(values.len() <= *most as usize)?;
                all(&mut values.iter(), of)
            }
            (Value::Map(values), Type::Map(keys, of, most)) => {
                only_if(values.len() <= *most as usize)?;
                all(&mut values.keys(), keys)?;
                all(&mut values.values(), of)
            }
            (Value::Record(values), Type::Record(id)) => {
                let components = &program.records[id.index()].components;
                let mut pairs = values.iter().zip(components);
                pairs.try_for_each(|(value, named)| value.fit(program, &named.of))
            }
            (Value::Case(case, values), Type::Variant(id)) => {
                let components = &program.variants[id.index()].cases[*case].components;
                let mut pairs = values.iter().zip(components);
                pairs.try_for_each(|(value, named)| value.fit(program, &named.of))
            }
            (Value::Bool(_), Type::Bool)
            | (Value::Member(..), Type::Member(_))
            | (Value::Process(_), Type::Handle(_))
            | (Value::Object(_), Type::Object(_)) => Ok(()),
            _ => panic!("{self:?} is of another type than {of:?}"),
        }
    }

    /// Calls `visit` with each process and object in it.
    pub fn identities(&self, visit: &mut dyn FnMut(Identity)) {
        match self {
            Value::Process(pid) => visit(Identity::Process(*pid)),
            Value::Object(address) => visit(Identity::Object(*address)),
            Value::Some(value) => value.identities(visit),
            Value::Sequence(all) | Value::Record(all) | Value::Case(_, all) => {
                all.iter().for_each(|value| value.identities(visit));
            }
            Value::Set(all) => all.iter().for_each(|value| value.identities(visit)),
            Value::Map(all) => all.iter().for_each(|(key, value)| {
                key.identities(visit);
                value.identities(visit);
            }),
            Value::Int(_) | Value::Bool(_) | Value::Member(..) | Value::Nothing => {}
        }
    }

    /// Changes what is right inside of it.
    pub(crate) fn change_parts(&mut self, change: &mut dyn FnMut(&mut Value)) {
        match self {
            Value::Some(value) => change(value),
            Value::Sequence(all) | Value::Record(all) | Value::Case(_, all) => {
                all.iter_mut().for_each(change);
            }
            Value::Set(all) => {
                let changed = std::mem::take(all).into_iter().map(|mut value| {
                    change(&mut value);
                    value
                });
                *all = changed.collect();
            }
            Value::Map(all) => {
                let changed = std::mem::take(all).into_iter().map(|(mut key, mut value)| {
                    change(&mut key);
                    change(&mut value);
                    (key, value)
                });
                *all = changed.collect();
            }
            Value::Int(_)
            | Value::Bool(_)
            | Value::Member(..)
            | Value::Process(_)
            | Value::Object(_)
            | Value::Nothing => {}
        }
    }

    /// The elements of a collection; of a map the keys.
    pub(crate) fn elements(&self) -> Vec<Value> {
        match self {
            Value::Sequence(all) => all.clone(),
            Value::Set(all) => all.iter().cloned().collect(),
            Value::Map(all) => all.keys().cloned().collect(),
            other => panic!("{other:?} is no collection"),
        }
    }
}
