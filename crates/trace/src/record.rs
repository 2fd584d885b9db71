//! A trace as JSON, and back.
//!
//! A [`Record`] is what the JSON form says, with names instead of numbers of a net: it can be read without the
//! model. That it is a trace of a model only [`Record::replay`](super::Record::replay) can tell. The form is
//! described in `docs/traces.md` and `docs/trace.schema.json`.

use std::collections::BTreeMap;

use net::{Literal, Net};
use serde_json::{Map, Value as Json, json};
use state::{Pid, State, Value};
use thiserror::Error;

use super::change::ended;
use super::{Back, Trace};
use crate::RunStep;

/// The version of the JSON form.
pub const SCHEMA_VERSION: u64 = 1;

/// A trace as its JSON form has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The name of the model.
    pub model: String,
    /// The constants of the model and their values.
    pub constants: Map<String, Json>,
    /// The property that it is shown for.
    pub property: Option<String>,
    /// The initial state.
    pub initial: State,
    /// The steps.
    pub steps: Vec<RecordStep>,
    /// How it goes on for ever, if it does.
    pub back: Option<Back>,
}

/// A step of a [`Record`].
#[derive(Clone, Debug, PartialEq)]
pub struct RecordStep {
    /// The name of the transition.
    pub transition: String,
    /// The values of its variables, by their names.
    pub binding: Map<String, Json>,
    /// The threads that it creates, in their order.
    pub born: Vec<Pid>,
    /// The threads that it ends.
    pub ended: Vec<Pid>,
    /// The state that it leads to.
    pub state: State,
}

/// Why a text is no trace.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The text is not JSON.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
    /// Something in it is not of the form.
    #[error("{place}: {what}")]
    Form {
        /// Where, as a path of keys.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// The form is of another version.
    #[error("schema_version: this is version {0} of the form, and only {SCHEMA_VERSION} is known")]
    Version(u64),
}

/// The values that a step has bound, by the names of their variables.
pub(super) fn binding(net: &Net, step: &net::interpret::Mode) -> Map<String, Json> {
    let transition = net.transition(step.transition);
    let name = |var: &net::Var| transition.variables[var.index()].name.clone();
    step.binding.iter().map(|(var, value)| (name(var), value.to_json())).collect()
}

/// The constants of a model, as JSON.
pub(super) fn constants(net: &Net) -> Map<String, Json> {
    let value = |literal: Literal| match literal {
        Literal::Int(number) => Value::Int(number),
        Literal::Bool(truth) => Value::Bool(truth),
        Literal::Enum(id, index) => Value::Enum(net.member(id, index).clone()),
    };
    let constant =
        |constant: &net::Constant| (constant.name.clone(), value(constant.value).to_json());
    net.constants.iter().map(constant).collect()
}

impl Record {
    /// What is written of a trace.
    #[must_use]
    pub fn of(trace: &Trace, net: &Net, property: Option<&str>) -> Record {
        let mut before = &trace.run.initial;
        let step = |step: &RunStep, before: &State| RecordStep {
            transition: net.transition(step.mode.transition).name.clone(),
            binding: binding(net, &step.mode),
            born: step.children.clone(),
            ended: ended(before, &step.state),
            state: step.state.clone(),
        };
        let mut steps = Vec::new();
        for one in &trace.run.steps {
            steps.push(step(one, before));
            before = &one.state;
        }
        Record {
            model: net.name.clone(),
            constants: constants(net),
            property: property.map(str::to_owned),
            initial: trace.run.initial.clone(),
            steps,
            back: trace.back.clone(),
        }
    }

    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let pids = |pids: &[Pid]| pids.iter().map(Pid::to_string).collect::<Vec<_>>();
        let step = |step: &RecordStep| {
            json!({
                "transition": step.transition,
                "binding": step.binding,
                "born": pids(&step.born),
                "ended": pids(&step.ended),
                "state": step.state.to_json(),
            })
        };
        json!({
            "schema_version": SCHEMA_VERSION,
            "model": self.model,
            "constants": self.constants,
            "property": self.property,
            "initial": self.initial.to_json(),
            "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
            "back": self.back.as_ref().map(back_json),
        })
    }
}

pub(super) fn back_json(back: &Back) -> Json {
    let replaced = back.replaced.iter();
    let replaced: Map<String, Json> =
        replaced.map(|(now, then)| (now.to_string(), then.to_string().into())).collect();
    json!({ "to": back.to, "replaced": replaced })
}

/// Reads a trace from its JSON text.
///
/// # Errors
/// If the text is no JSON, or not of the form; with the place.
pub fn read(text: &str) -> Result<Record, ReadError> {
    let json: Json = serde_json::from_str(text)?;
    let json = as_object(&json, "trace")?;
    let version = json.get("schema_version").and_then(Json::as_u64);
    match version.ok_or_else(|| shape("schema_version", "a number"))? {
        SCHEMA_VERSION => {}
        other => return Err(ReadError::Version(other)),
    }
    let steps = array(json.get("steps"), "steps")?.iter().enumerate();
    Ok(Record {
        model: string(json.get("model"), "model")?,
        constants: match json.get("constants") {
            None => Map::new(),
            Some(constants) => as_object(constants, "constants")?.clone(),
        },
        property: match json.get("property") {
            None | Some(Json::Null) => None,
            name => Some(string(name, "property")?),
        },
        initial: state(json.get("initial"), "initial")?,
        steps: steps
            .map(|(i, json)| step(json, &format!("steps[{i}]")))
            .collect::<Result<_, _>>()?,
        back: match json.get("back") {
            None | Some(Json::Null) => None,
            Some(json) => Some(back(json)?),
        },
    })
}

fn shape(place: impl Into<String>, expected: &str) -> ReadError {
    ReadError::Form { place: place.into(), what: format!("expected {expected}") }
}

fn wrong(place: &str, error: impl ToString) -> ReadError {
    ReadError::Form { place: place.into(), what: error.to_string() }
}

fn as_object<'a>(json: &'a Json, place: &str) -> Result<&'a Map<String, Json>, ReadError> {
    json.as_object().ok_or_else(|| shape(place, "an object"))
}

fn array<'a>(json: Option<&'a Json>, place: &str) -> Result<&'a Vec<Json>, ReadError> {
    json.and_then(Json::as_array).ok_or_else(|| shape(place, "a list"))
}

fn string(json: Option<&Json>, place: &str) -> Result<String, ReadError> {
    let text = json.and_then(Json::as_str).map(str::to_owned);
    text.ok_or_else(|| shape(place, "a string"))
}

fn pid(text: &str, place: &str) -> Result<Pid, ReadError> {
    text.parse::<Pid>().map_err(|error| wrong(place, error))
}

fn pids(json: Option<&Json>, place: &str) -> Result<Vec<Pid>, ReadError> {
    let pids = array(json, place)?.iter().enumerate().map(|(i, json)| {
        let place = format!("{place}[{i}]");
        pid(&string(Some(json), &place)?, &place)
    });
    pids.collect()
}

fn state(json: Option<&Json>, place: &str) -> Result<State, ReadError> {
    let json = json.filter(|json| json.is_object()).ok_or_else(|| shape(place, "a state"))?;
    State::from_json(&json.to_string()).map_err(|error| wrong(place, error))
}

fn step(json: &Json, place: &str) -> Result<RecordStep, ReadError> {
    let json = as_object(json, place)?;
    let at = |key: &str| format!("{place}.{key}");
    let binding = json.get("binding").and_then(Json::as_object);
    Ok(RecordStep {
        transition: string(json.get("transition"), &at("transition"))?,
        binding: binding.ok_or_else(|| shape(at("binding"), "an object"))?.clone(),
        born: pids(json.get("born"), &at("born"))?,
        ended: pids(json.get("ended"), &at("ended"))?,
        state: state(json.get("state"), &at("state"))?,
    })
}

fn back(json: &Json) -> Result<Back, ReadError> {
    let json = as_object(json, "back")?;
    let to = json.get("to").and_then(Json::as_u64).and_then(|to| usize::try_from(to).ok());
    let to = to.ok_or_else(|| shape("back.to", "the number of a state"))?;
    let place = "back.replaced";
    let replaced = json.get("replaced").and_then(Json::as_object);
    let mut map = BTreeMap::new();
    for (now, then) in replaced.ok_or_else(|| shape(place, "an object"))? {
        let place = format!("{place}.{now}");
        map.insert(pid(now, &place)?, pid(&string(Some(then), &place)?, &place)?);
    }
    Ok(Back { to, replaced: map })
}
