//! What stands in a token: a pid, an object, a datum, or nothing.

use std::fmt;
use std::sync::Arc;

use crate::Pid;

/// A component of a token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A process identifier.
    Pid(Pid),
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A member of an enumeration, by its name.
    Enum(Arc<str>),
    /// An object: the name of its class, and a number that tells it from others.
    Object(Arc<str>, u32),
    /// Nothing, where there may be something.
    None,
}

impl Value {
    /// The pid, if it is one.
    #[must_use]
    pub fn as_pid(&self) -> Option<&Pid> {
        match self {
            Value::Pid(pid) => Some(pid),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Pid(pid) => write!(f, "{pid}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Enum(member) => f.write_str(member),
            Value::Object(class, number) => write!(f, "{class}#{number}"),
            Value::None => f.write_str("none"),
        }
    }
}

impl From<Pid> for Value {
    fn from(pid: Pid) -> Self {
        Value::Pid(pid)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Int(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Value::Bool(truth)
    }
}
