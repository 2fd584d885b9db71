//! What tokens and variables of a model hold, as the JSON form has it.

use std::fmt::{self, Display, Formatter};

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

/// A value of a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A thread, by its dotted name.
    Pid(String),
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A member of an enumeration or of a class.
    Name(String),
    /// An object, by its type and its number.
    Object(String, u32),
    /// No one, or nothing.
    None,
}

impl Value {
    /// The thread of this name.
    #[must_use]
    pub fn pid(name: &str) -> Value {
        Value::Pid(name.to_owned())
    }

    fn of(json: &Json) -> Option<Value> {
        match json {
            Json::String(pid) => Some(Value::Pid(pid.clone())),
            Json::Number(number) => number.as_i64().map(Value::Int),
            Json::Bool(truth) => Some(Value::Bool(*truth)),
            Json::Null => Some(Value::None),
            Json::Object(fields) => match (fields.get("enum"), fields.get("object")) {
                (Some(name), None) => name.as_str().map(|name| Value::Name(name.to_owned())),
                (None, Some(class)) => {
                    let number = u32::try_from(fields.get("number")?.as_u64()?).ok()?;
                    Some(Value::Object(class.as_str()?.to_owned(), number))
                }
                _ => None,
            },
            Json::Array(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Value, D::Error> {
        let json = Json::deserialize(json)?;
        Value::of(&json).ok_or_else(|| {
            D::Error::custom(format!(
                "`{json}` is no value: expected a pid as a string, an integer, a boolean, {{\"enum\": name}}, \
                 {{\"object\": class, \"number\": n}} or null"
            ))
        })
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Value::Pid(name) | Value::Name(name) => write!(f, "{name}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Object(class, number) => write!(f, "{class} {number}"),
            Value::None => write!(f, "none"),
        }
    }
}
