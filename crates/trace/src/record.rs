//! A trace as JSON, and back.
//!
//! A [`Record`] is what the JSON form says, with names instead of numbers of a net: it can be read without the
//! model. That it is a trace of a model only [`Record::replay`](super::Record::replay) can tell. The form is
//! described in `docs/traces.md` and `docs/trace.schema.json`.

use net::{Literal, Net};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value as Json, json};
use state::{Pid, State, Value};

use super::change::ended;
use super::speech::Speech;
use super::{Back, Trace};

/// The version of the JSON form.
pub const SCHEMA_VERSION: u64 = 1;

/// A trace as its JSON form has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a trace, which is an object")]
pub struct Record {
    /// The version of the form, of which one is known.
    #[serde(deserialize_with = "known_version")]
    schema_version: u64,
    /// The name of the model.
    pub model: String,
    /// The constants of the model and their values.
    #[serde(default)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a step, which is an object")]
pub struct RecordStep {
    /// The name of the transition.
    pub transition: String,
    /// The values of its variables, by their names.
    pub binding: Map<String, Json>,
    /// The threads that it creates, in their order.
    pub born: Vec<Pid>,
    /// The threads that it ends.
    pub ended: Vec<Pid>,
    /// Who acts, and by which statement, where the model has processes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<RecordAct>,
    /// The state that it leads to.
    pub state: State,
}

/// What a process does in a step of a [`Record`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "what a process does, which is an object")]
pub struct RecordAct {
    /// The kind of process.
    pub process: String,
    /// The thread.
    pub thread: Pid,
    /// The file, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The statement, or the beginning of it.
    pub statement: String,
}

impl RecordAct {
    /// `worker 1.2, line 14: lock.lock()`.
    pub(crate) fn text(&self) -> String {
        let RecordAct { process, thread, line, statement, .. } = self;
        format!("{process} {thread}, line {line}: {statement}")
    }
}

/// What processes do in a step.
fn acts(speech: &Speech, before: &State, mode: &net::interpret::Mode) -> Vec<RecordAct> {
    let acts = speech.acts(Some(before), mode).into_iter().filter_map(|act| {
        let line = act.line()?;
        Some(RecordAct {
            process: act.process.to_owned(),
            thread: act.pid,
            file: line
                .file
                .as_deref()
                .or(speech.file())
                .filter(|_| !line.in_prelude)
                .map(str::to_owned),
            line: line.line,
            column: line.column,
            statement: line.text.clone(),
        })
    });
    acts.collect()
}

fn known_version<'de, D: Deserializer<'de>>(json: D) -> Result<u64, D::Error> {
    match u64::deserialize(json)? {
        SCHEMA_VERSION => Ok(SCHEMA_VERSION),
        other => Err(Error::custom(format!(
            "this is version {other} of the form, and only {SCHEMA_VERSION} is known"
        ))),
    }
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
        Literal::None(_) => Value::None,
    };
    let constant =
        |constant: &net::Constant| (constant.name.clone(), value(constant.value).to_json());
    net.constants.iter().map(constant).collect()
}

impl Record {
    /// What is written of a trace.
    #[must_use]
    pub fn of(trace: &Trace, net: &Net, property: Option<&str>) -> Record {
        let speech = Speech::of(net);
        let mut before = &trace.run.initial;
        let mut steps = Vec::new();
        for step in &trace.run.steps {
            steps.push(RecordStep {
                transition: net.transition(step.mode.transition).name.clone(),
                binding: binding(net, &step.mode),
                born: step.children.clone(),
                ended: ended(before, &step.state),
                acts: speech.iter().flat_map(|speech| acts(speech, before, &step.mode)).collect(),
                state: step.state.clone(),
            });
            before = &step.state;
        }
        Record {
            schema_version: SCHEMA_VERSION,
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
        json!(self)
    }
}

/// Reads a trace from its JSON text.
///
/// # Errors
/// If the text is no JSON, or not of the form; with the line and the column.
pub fn read(text: &str) -> serde_json::Result<Record> {
    serde_json::from_str(text)
}
