//! The JSON form of states.
//!
//! One object a state: `tokens` maps each place to its list of tokens, a token being a list in which
//! strings are pids, numbers and booleans data, `{"enum": name}` a member of an enumeration, `{"object": class,
//! "number": n}` an object and `null` nothing; `eta` maps each active pid to the number of children it has
//! created. A token that is there twice is listed twice.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json, json};
use thiserror::Error;

use crate::{Pid, State, Token, Value};

/// Why a text is not a state: it is not JSON, or not of the form above, with the path of keys to what is
/// wrong; or the state is not a consistent thread configuration.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct JsonError(String);

impl JsonError {
    fn new(why: impl ToString) -> JsonError {
        JsonError(why.to_string())
    }
}

fn shape(place: &str, expected: &str) -> JsonError {
    JsonError(format!("{place}: expected {expected}"))
}

fn pid(text: &str, place: &str) -> Result<Pid, JsonError> {
    text.parse().map_err(|error| JsonError(format!("{place}: {error}")))
}

fn object<'a>(
    json: &'a Map<String, Json>,
    key: &'static str,
) -> Result<&'a Map<String, Json>, JsonError> {
    json.get(key).and_then(Json::as_object).ok_or_else(|| shape(key, "an object"))
}

impl Value {
    /// The JSON form of the value.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self {
            Value::Pid(pid) => json!(pid.to_string()),
            Value::Int(number) => json!(number),
            Value::Bool(truth) => json!(truth),
            Value::Enum(member) => json!({ "enum": &**member }),
            Value::Object(class, number) => json!({ "object": &**class, "number": number }),
            Value::None => Json::Null,
        }
    }

    fn from_json(json: &Json, place: &str) -> Result<Value, JsonError> {
        const EXPECTED: &str = "a pid as a string, an integer, a boolean, {\"enum\": name}, \
            {\"object\": class, \"number\": n} or null";
        let value = match json {
            Json::String(text) => Some(Value::Pid(pid(text, place)?)),
            Json::Number(number) => number.as_i64().map(Value::Int),
            Json::Bool(truth) => Some(Value::Bool(*truth)),
            Json::Object(object) if object.len() == 1 => {
                object.get("enum").and_then(Json::as_str).map(|name| Value::Enum(name.into()))
            }
            Json::Object(object) if object.len() == 2 => {
                let class = object.get("object").and_then(Json::as_str);
                let number = object.get("number").and_then(Json::as_u64);
                let number =
                    number.and_then(|number| u32::try_from(number).ok()).filter(|n| *n > 0);
                class.zip(number).map(|(class, number)| Value::Object(class.into(), number))
            }
            Json::Null => Some(Value::None),
            _ => None,
        };
        value.ok_or_else(|| shape(place, EXPECTED))
    }
}

impl State {
    /// The JSON form of the state.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut places = Map::new();
        for place in self.marked() {
            let mut tokens = Vec::new();
            for (token, count) in self.tokens(place) {
                let token: Json = token.iter().map(Value::to_json).collect();
                tokens.extend(std::iter::repeat_n(token, count as usize));
            }
            places.insert(place.to_string(), tokens.into());
        }
        let eta = self.eta().iter().map(|(pid, &n)| (pid.to_string(), n.into()));
        json!({ "tokens": places, "eta": eta.collect::<Map<String, Json>>() })
    }

    /// Reads a state from its JSON text, and checks that it is a consistent thread configuration.
    pub fn from_json(text: &str) -> Result<State, JsonError> {
        State::from_value(&serde_json::from_str(text).map_err(JsonError::new)?)
    }

    fn from_value(json: &Json) -> Result<State, JsonError> {
        let json = json.as_object().ok_or_else(|| shape("state", "an object"))?;
        let mut state = State::new();
        for (name, tokens) in object(json, "tokens")? {
            let place: Arc<str> = name.as_str().into();
            let path = format!("tokens.{name}");
            let tokens = tokens.as_array().ok_or_else(|| shape(&path, "a list of tokens"))?;
            for (i, token) in tokens.iter().enumerate() {
                let path = format!("{path}[{i}]");
                let values = token.as_array().ok_or_else(|| shape(&path, "a list of values"))?;
                let token =
                    values.iter().map(|v| Value::from_json(v, &path)).collect::<Result<Token, _>>();
                if !state.put(&place, token?, 1) {
                    return Err(shape(&path, "fewer than 2³² copies of one token"));
                }
            }
        }
        for (key, count) in object(json, "eta")? {
            let path = format!("eta.{key}");
            let count = count.as_u64().and_then(|n| u32::try_from(n).ok());
            let count = count.ok_or_else(|| shape(&path, "a number of children"))?;
            state.activate(pid(key, &path)?, count);
        }
        state.check().map_err(JsonError::new)?;
        Ok(state)
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<State, D::Error> {
        State::from_value(&Json::deserialize(json)?).map_err(D::Error::custom)
    }
}

impl Serialize for Pid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pid {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Pid, D::Error> {
        String::deserialize(json)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let text = r#"{"tokens":{"p":[["1.1",3,true,{"enum":"red"}],["1.1",3,true,{"enum":"red"}]],"q":[[],[null,{"object":"lock","number":1}]]},"eta":{"1":2,"1.1":0}}"#;
        let state = State::from_json(text).unwrap();
        assert_eq!(state.to_json(), serde_json::from_str::<Json>(text).unwrap());
        assert_eq!(State::from_json(&state.to_json().to_string()).unwrap(), state);
    }

    #[test]
    fn mistakes_have_a_place() {
        let message = |text: &str| State::from_json(text).unwrap_err().to_string();
        assert!(message("{").contains("EOF"));
        assert_eq!(message("[]"), "state: expected an object");
        assert_eq!(message("{}"), "tokens: expected an object");
        assert!(
            message(r#"{"tokens":{"p":[["1.0"]]},"eta":{}}"#).starts_with("tokens.p[0]: `1.0`")
        );
        assert!(
            message(r#"{"tokens":{"p":[[1.5]]},"eta":{}}"#).starts_with("tokens.p[0]: expected")
        );
        assert!(message(r#"{"tokens":{},"eta":{"1":-1}}"#).starts_with("eta.1: expected"));
        assert!(
            message(r#"{"tokens":{"p":[["1.2"]]},"eta":{"1":1}}"#)
                .contains("pid 1.2 is present, but 1 has created only 1 children")
        );
    }
}
