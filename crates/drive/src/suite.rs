//! What `kinfold tests` has written. Keys that a driver has no use for are passed over.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::Deserialize;
use serde_json::Value as Json;

use crate::{Mismatch, Value};

/// The version of the form that is read.
const SCHEMA_VERSION: u64 = 1;

/// Runs of a model.
#[derive(Clone, Debug, Deserialize)]
pub struct Suite {
    schema_version: u64,
    /// The name of the model.
    pub model: String,
    /// The constants of the model, with the values they had.
    #[serde(default)]
    pub constants: BTreeMap<String, Value>,
    /// The runs.
    pub runs: Vec<Run>,
}

/// A run from the initial state.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Written")]
pub struct Run {
    /// What it covers, and no run before it: names of transitions, pairs of names, or numbers of classes.
    pub covers: Vec<Json>,
    /// Where it starts.
    pub initial: State,
    /// Its steps.
    pub steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Written {
    covers: Vec<Json>,
    trace: Trace,
}

#[derive(Deserialize)]
struct Trace {
    initial: State,
    steps: Vec<Step>,
}

impl From<Written> for Run {
    fn from(Written { covers, trace }: Written) -> Run {
        Run { covers, initial: trace.initial, steps: trace.steps }
    }
}

/// A step of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    /// The transition that fires.
    pub transition: String,
    /// What its variables stand for.
    pub binding: BTreeMap<String, Value>,
    /// The threads that are created, in their order.
    pub born: Vec<String>,
    /// The threads that end.
    pub ended: Vec<String>,
    /// Who acts, and by which statement, where the model has processes. Two act where they meet.
    #[serde(default)]
    pub acts: Vec<Act>,
    /// The state that it leads to.
    pub state: State,
}

/// What a process does in a step.
#[derive(Clone, Debug, Deserialize)]
pub struct Act {
    /// The kind of process.
    pub process: String,
    /// The thread.
    pub thread: String,
    /// The line of the statement, from 1.
    pub line: usize,
    /// The statement, or the beginning of it.
    pub statement: String,
}

/// A state of the model.
#[derive(Clone, Debug, Deserialize)]
pub struct State {
    /// The tokens in each place; a place that is not mentioned is empty.
    pub tokens: BTreeMap<String, Vec<Vec<Value>>>,
    /// The active threads, and how many children each has created.
    pub eta: BTreeMap<String, u32>,
}

/// Why a text is no suite.
#[derive(Debug)]
pub struct SuiteError(String);

impl Display for SuiteError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for SuiteError {}

impl Suite {
    /// Reads what `kinfold tests` has written.
    ///
    /// # Errors
    /// If the text is no JSON, or not of the form, with the line and the column; or of a version that is not known.
    pub fn read(text: &str) -> Result<Suite, SuiteError> {
        let suite: Suite = serde_json::from_str(text).map_err(|why| SuiteError(why.to_string()))?;
        match suite.schema_version {
            SCHEMA_VERSION => Ok(suite),
            other => Err(SuiteError(format!(
                "this is version {other} of the form, and only {SCHEMA_VERSION} is known"
            ))),
        }
    }
}

impl State {
    /// The tokens in a place.
    #[must_use]
    pub fn place(&self, name: &str) -> &[Vec<Value>] {
        self.tokens.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Step {
    /// What a variable stands for.
    ///
    /// # Errors
    /// If the step has no such variable: then the subject was written for another model.
    pub fn variable(&self, name: &str) -> Result<&Value, Mismatch> {
        self.binding.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.binding.keys().map(String::as_str).collect();
            Mismatch {
                expected: format!("a variable `{name}` of `{}`", self.transition),
                seen: format!("only {{{}}}", names.join(", ")),
            }
        })
    }

    /// The name that a variable stands for.
    ///
    /// # Errors
    /// If the step has no such variable, or it is something else.
    pub fn name(&self, variable: &str) -> Result<&str, Mismatch> {
        match self.variable(variable)? {
            Value::Name(name) => Ok(name),
            other => Err(Mismatch {
                expected: format!("a name for `{variable}` of `{}`", self.transition),
                seen: other.to_string(),
            }),
        }
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if let Some(act) = self.acts.first() {
            let Act { process, thread, line, statement } = act;
            return write!(f, "{process} {thread}, line {line}: {statement}");
        }
        let binding: Vec<String> =
            self.binding.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        match binding.as_slice() {
            [] => write!(f, "{}", self.transition),
            _ => write!(f, "{}({})", self.transition, binding.join(", ")),
        }
    }
}
