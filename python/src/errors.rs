//! What goes wrong, as exceptions. Their classes are written in Python (`kinfold/_errors.py`), since they carry plain
//! Python objects and are to be caught there.

use std::path::Path;

use diagnostics::{Diagnostic, Report, Severity};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An exception of a class of `kinfold`, with these attributes besides the message.
pub fn exception<'py>(
    py: Python<'py>,
    class: &str,
    message: &str,
    attributes: Option<&Bound<'py, PyDict>>,
) -> PyErr {
    let made = py
        .import("kinfold._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call((message,), attributes));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// That what was asked has no answer, for this reason.
pub fn refusal(py: Python<'_>, why: impl ToString) -> PyErr {
    exception(py, "KinfoldError", &why.to_string(), None)
}

/// What was found in a text, each as a `Diagnostic`.
pub fn diagnostics<'py>(
    py: Python<'py>,
    found: &[Diagnostic],
    file: &str,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let class = py.import("kinfold._errors")?.getattr("Diagnostic")?;
    let one = |diagnostic: &Diagnostic| {
        let fields = PyDict::new(py);
        let is_in_text = diagnostic.line > 0;
        let own = diagnostic.file.as_ref().map(|own| Path::new(file).join(own));
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        fields.set_item("severity", severity)?;
        fields.set_item("code", diagnostic.code)?;
        fields.set_item("message", &diagnostic.message)?;
        fields.set_item("file", own.map_or(file.to_owned(), |own| own.display().to_string()))?;
        fields.set_item("line", is_in_text.then_some(diagnostic.line))?;
        fields.set_item("column", is_in_text.then_some(diagnostic.column))?;
        // Where the way out is short, it is said at the place of the mistake.
        let said = diagnostic.labels.iter().find(|label| label.primary && !label.text.is_empty());
        let help = diagnostic.help.as_ref().or(said.map(|label| &label.text));
        fields.set_item("help", help)?;
        class.call((), Some(&fields))
    };
    found.iter().map(one).collect()
}

/// That a text is wrong: the message has all of it as the command prints it, and the exception each by itself.
pub fn wrong_text(py: Python<'_>, found: &Report, file: &str, text: &str) -> PyErr {
    let errors = match found.errors() {
        1 => "1 error".to_owned(),
        errors => format!("{errors} errors"),
    };
    let message = format!("{errors} in {file}\n{}", found.render(file, text, false).trim_end());
    let all: Vec<Diagnostic> = found.iter().cloned().collect();
    let made = diagnostics(py, &all, file).and_then(|all| {
        let attributes = PyDict::new(py);
        attributes.set_item("diagnostics", all)?;
        Ok(exception(py, "ModelError", &message, Some(&attributes)))
    });
    made.unwrap_or_else(|error| error)
}

/// That an engine panicked.
pub fn internal(payload: &(dyn std::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    PyRuntimeError::new_err(format!(
        "internal error: {text}\nThis is a fault of Kinfold, not of your model. Please report it with the model."
    ))
}
