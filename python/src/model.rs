//! Models: read, described, explored, checked.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use budget::Budget;
use diagnostics::{Diagnostic, Report, nearest};
use explorer::reading::{Format, GoOptions, Reading};
use lang::Override;
use net::{Net, TransitionId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use survey::{FaultyRun, Plan, SurveyError};
use trace::{Trace, step_text};

use crate::errors::{diagnostics, exception, refusal, wrong_text};
use crate::explored::ModelExploration;
use crate::limits::budget;
use crate::report::{self, Asked};
use crate::run::ModelRun;
use crate::values::{object, relation_names, relations};
use crate::waiting::awaited;

/// A model that has been read, and is right.
#[pyclass(frozen, module = "kinfold")]
pub struct Model {
    pub net: Arc<Net>,
    /// The text, in which things have their origins.
    pub text: String,
    pub file: String,
    pub format: Format,
    pub set: Vec<Override>,
    warnings: Vec<Diagnostic>,
}

/// Constants with their values, as they would be written in a model.
fn overrides(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Override>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let mut set = Vec::new();
    for (name, value) in given.iter() {
        let value = match value.cast::<PyBool>() {
            Ok(truth) => truth.is_true().to_string(),
            Err(_) => value.str()?.to_string(),
        };
        set.push(Override { name: name.extract()?, value });
    }
    Ok(set)
}

/// The format of this name.
fn format_named(name: &str) -> PyResult<Format> {
    match name {
        "kin" => Ok(Format::Kin),
        "pnml" => Ok(Format::Pnml),
        "go" => Ok(Format::Go),
        _ => Err(PyValueError::new_err(format!(
            "there is no format named {name:?}; there are kin, pnml and go"
        ))),
    }
}

/// Where a Go program starts, whether goroutines that `main` leaves behind are looked at, and which functions do nothing.
type GoArguments = (Option<String>, bool, Vec<String>);

/// How a Go program is read, which may be in a file.
fn options((entry, leaks, assume): GoArguments, path: Option<&Path>) -> GoOptions {
    GoOptions { entry, leaks, assume, minor: path.and_then(go::minor_of) }
}

/// Reads a model. Compiling may take long, and needs a large stack.
fn read(
    py: Python<'_>,
    bytes: Vec<u8>,
    file: &str,
    format: Format,
    set: Vec<Override>,
    go: &GoOptions,
) -> PyResult<Model> {
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    let reading = awaited(py, &Budget::unlimited(), || {
        Reading::of(bytes, file, format, &set, go).map(|mut reading| {
            reading.net = reading.net.map(|net| format.with_symmetry(net));
            reading
        })
    })?;
    let Reading { text, net, reports, .. } =
        reading.map_err(|why| wrong_text(py, &why.report(&shown), file, &shown))?;
    let Some(net) = net else {
        let errors = reports.last().cloned().unwrap_or_default();
        return Err(wrong_text(py, &errors, file, &text));
    };
    let warnings = reports.iter().flatten().cloned().collect();
    Ok(Model { net: Arc::new(net), text, file: file.to_owned(), format, set, warnings })
}

#[pymethods]
impl Model {
    /// Reads a model from a text.
    #[staticmethod]
    #[pyo3(signature = (text, set, format, name, go))]
    fn parse(
        py: Python<'_>,
        text: &str,
        set: Option<&Bound<'_, PyDict>>,
        format: &str,
        name: &str,
        go: GoArguments,
    ) -> PyResult<Model> {
        let (bytes, format) = (text.as_bytes().to_vec(), format_named(format)?);
        read(py, bytes, name, format, overrides(set)?, &options(go, None))
    }

    /// Reads a model from a file.
    #[staticmethod]
    #[pyo3(signature = (path, set, format, go))]
    fn load(
        py: Python<'_>,
        path: std::path::PathBuf,
        set: Option<&Bound<'_, PyDict>>,
        format: Option<&str>,
        go: GoArguments,
    ) -> PyResult<Model> {
        let file = path.display().to_string();
        let by_name = || Ok(Format::of(&file).unwrap_or(Format::Kin));
        let format = format.map_or_else(by_name, format_named)?;
        let bytes = py.detach(|| fs::read(&path)).map_err(|error| {
            // With the name of the file, as Python's own have it.
            match error.raw_os_error() {
                Some(number) => {
                    pyo3::exceptions::PyOSError::new_err((number, reason(&error), file.clone()))
                }
                None => error.into(),
            }
        })?;
        read(py, bytes, &file, format, overrides(set)?, &options(go, Some(&path)))
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.net.name
    }

    /// The file it was read from.
    #[getter]
    fn file(&self) -> &str {
        &self.file
    }

    /// Its text.
    #[getter]
    fn source(&self) -> &str {
        &self.text
    }

    /// `net`, `processes`, `pnml` or `go`.
    #[getter]
    fn kind(&self) -> &'static str {
        match (self.format, &self.net.listing) {
            (Format::Pnml, _) => "pnml",
            (Format::Go, _) => "go",
            (Format::Kin, Some(_)) => "processes",
            (Format::Kin, None) => "net",
        }
    }

    /// Whether it has threads.
    #[getter]
    fn has_threads(&self) -> bool {
        self.net.has_threads()
    }

    /// The names of its places.
    #[getter]
    fn places(&self) -> Vec<&str> {
        self.net.places.iter().map(|place| &*place.name).collect()
    }

    /// The names of its transitions.
    #[getter]
    fn transitions(&self) -> Vec<&str> {
        self.net.transitions.iter().map(|transition| transition.name.as_str()).collect()
    }

    /// Its constants and their values.
    #[getter]
    fn constants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let constants = PyDict::new(py);
        for constant in &self.net.constants {
            let value = match constant.value {
                net::Literal::Int(number) => state::Value::Int(number),
                net::Literal::Bool(truth) => state::Value::Bool(truth),
                net::Literal::Enum(id, index) => {
                    state::Value::Enum(self.net.member(id, index).clone())
                }
                net::Literal::None(_) => state::Value::None,
            };
            constants.set_item(&constant.name, object(py, &value)?)?;
        }
        Ok(constants)
    }

    /// Its properties: what each of them says, by name.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let properties = PyDict::new(py);
        for property in &self.net.properties {
            properties.set_item(&property.name, &property.text)?;
        }
        Ok(properties)
    }

    /// The relations on pids that it observes.
    #[getter]
    fn relations(&self) -> Vec<&'static str> {
        relation_names(self.net.relations())
    }

    /// What was remarked about the text, though it is right.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        diagnostics(py, &self.warnings, &self.file)
    }

    fn __repr__(&self) -> String {
        format!("<Model {:?} ({}), from {}>", self.net.name, self.kind(), self.file)
    }

    /// Explores the model.
    #[pyo3(signature = (
        *, relations, full, precise, max_states, seconds, memory, threads, edges, until
    ))]
    #[expect(clippy::too_many_arguments, reason = "all of them are named where it is called")]
    fn explore_native(
        &self,
        py: Python<'_>,
        relations: Option<&Bound<'_, PyAny>>,
        full: bool,
        precise: bool,
        max_states: Option<u64>,
        seconds: Option<f64>,
        memory: Option<u64>,
        threads: usize,
        edges: bool,
        until: Option<&str>,
    ) -> PyResult<ModelExploration> {
        let budget = budget(seconds, memory)?;
        let plan = Plan {
            relations: relations.map(self::relations).transpose()?,
            full,
            precise,
            states: max_states,
            budget: budget.clone(),
            keep_edges: edges,
            until: until.map(|name| self.transition(name)).transpose()?,
            threads,
            ..Plan::default()
        };
        let explored = awaited(py, &budget, || ModelExploration::of(&self.net, &plan))?;
        explored.map_err(|error| survey_error(py, &self.net, &error))
    }

    /// Checks properties of the model.
    #[pyo3(signature = (
        *, properties, formula, fair, relations, full, precise, max_states, seconds, memory, threads
    ))]
    #[expect(clippy::too_many_arguments, reason = "all of them are named where it is called")]
    fn check_native<'py>(
        &self,
        py: Python<'py>,
        properties: Option<Vec<String>>,
        formula: Option<&str>,
        fair: Vec<String>,
        relations: Option<&Bound<'py, PyAny>>,
        full: bool,
        precise: bool,
        max_states: Option<u64>,
        seconds: Option<f64>,
        memory: Option<u64>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let budget = budget(seconds, memory)?;
        let plan = Plan {
            relations: relations.map(self::relations).transpose()?,
            full,
            precise,
            states: max_states,
            budget: budget.clone(),
            threads,
            ..Plan::default()
        };
        let asked = match formula {
            Some(formula) => self.with_formula(py, formula)?,
            None => self.named(properties)?,
        };
        report::checked(py, asked, &fair, plan)
    }
}

/// What the system says of an error, without the number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

impl Model {
    /// The transition of this name.
    fn transition(&self, name: &str) -> PyResult<TransitionId> {
        let names = || self.net.transitions.iter().map(|transition| transition.name.as_str());
        match names().position(|other| other == name) {
            Some(at) => Ok(TransitionId(at as u32)),
            None => Err(no_such("transition", name, names())),
        }
    }

    /// The properties of these names, or all; if the model has none, those of any model.
    fn named(&self, names: Option<Vec<String>>) -> PyResult<Asked> {
        let net = self.net.clone();
        let default = net.default_properties();
        let Some(names) = names else {
            let own = net.properties.clone();
            let properties = if own.is_empty() { default } else { own };
            return Ok(Asked { net, properties });
        };
        let mut properties = Vec::new();
        for name in names {
            let mut all = net.properties.iter().chain(&default);
            let Some(property) = all.find(|property| property.name == name) else {
                let known = net.properties.iter().chain(&default).map(|one| one.name.as_str());
                return Err(no_such("property", &name, known));
            };
            if !properties.contains(property) {
                properties.push(property.clone());
            }
        }
        Ok(Asked { net, properties })
    }

    /// A property that is not written in the model.
    fn with_formula(&self, py: Python<'_>, formula: &str) -> PyResult<Asked> {
        if self.format != Format::Kin {
            return Err(refusal(py, "a formula can be asked of a model in .kin only"));
        }
        let added = awaited(py, &Budget::unlimited(), || {
            lang::compile_with_property(&self.text, &self.set, formula)
        })?;
        let lang::Added { net, property } =
            added.map_err(|report: Report| wrong_text(py, &report, "<formula>", formula))?;
        let property = net::Property { name: "formula".into(), text: formula.into(), ..property };
        Ok(Asked { net: Arc::new(net), properties: vec![property] })
    }
}

/// That there is nothing of this name, and what there is.
pub fn no_such<'n>(kind: &str, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> PyErr {
    let help = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => match known.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "the model has none".to_owned(),
            names => format!("there are: {names}"),
        },
    };
    PyValueError::new_err(format!("there is no {kind} named {name:?}; {help}"))
}

/// Why a model cannot be explored.
pub fn survey_error(py: Python<'_>, net: &Arc<Net>, error: &SurveyError) -> PyErr {
    let SurveyError::Fault(fault) = error else { return refusal(py, error) };
    let attributes = PyDict::new(py);
    let made = match fault_run(net, fault) {
        Some(run) => attributes.set_item("run", run),
        None => Ok(()),
    };
    made.err()
        .unwrap_or_else(|| exception(py, "ModelFault", &fault_text(net, fault), Some(&attributes)))
}

/// The run by which a model faults, if it was found in time.
pub fn fault_run(net: &Arc<Net>, fault: &FaultyRun) -> Option<ModelRun> {
    let (mode, run) = fault.shown.as_ref().ok()?;
    let failure = Some((fault.message.clone(), mode.clone()));
    let name = if fault.is_failure { "assertion" } else { "fault" };
    Some(ModelRun::new(net, Trace { failure, ..Trace::from(run.clone()) }, Some(name)))
}

/// How a model faults, with the run that leads there.
fn fault_text(net: &Net, fault: &FaultyRun) -> String {
    match &fault.shown {
        Ok((mode, run)) => {
            let step = step_text(net, run.last(), mode);
            let text = Trace::from(run.clone()).text(net);
            format!("{}\nwith {step}\nafter this run:\n{}", fault.message, text.trim_end())
        }
        Err(why) => format!("{}\nthe run that leads there is not shown: {why}", fault.message),
    }
}
