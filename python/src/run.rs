//! Runs of models as Python objects: the steps as plain fields, and the forms in which runs are written.

use std::sync::Arc;

use net::Net;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use trace::{Record, Trace, TraceFormat, step_text};

use crate::states::{State, binding};
use crate::values::Pid;

/// A run of a model, to be written in any of its forms.
#[pyclass(frozen, module = "kinfold")]
pub struct ModelRun {
    net: Arc<Net>,
    trace: Trace,
    property: Option<String>,
}

impl ModelRun {
    pub fn new(net: &Arc<Net>, trace: Trace, property: Option<&str>) -> ModelRun {
        ModelRun { net: net.clone(), trace, property: property.map(str::to_owned) }
    }
}

#[pymethods]
impl ModelRun {
    /// The initial state.
    fn initial(&self) -> State {
        State(self.trace.run.initial.clone())
    }

    /// The steps, each with its fields.
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (net, run) = (&*self.net, &self.trace.run);
        let record = Record::of(&self.trace, net, self.property.as_deref());
        let list = PyList::empty(py);
        for (at, (step, told)) in run.steps.iter().zip(record.steps).enumerate() {
            let transition = net.transition(step.mode.transition);
            let name = |var: &net::Var| transition.variables[var.index()].name.clone();
            let bound = step.mode.binding.iter().map(|(var, value)| (name(var), value.clone()));
            let acts = PyList::empty(py);
            for act in told.acts {
                let fields = PyDict::new(py);
                fields.set_item("process", act.process)?;
                fields.set_item("thread", Pid(act.thread))?;
                fields.set_item("file", act.file)?;
                fields.set_item("line", act.line)?;
                fields.set_item("column", act.column)?;
                fields.set_item("statement", act.statement)?;
                acts.append(fields)?;
            }
            let pids = |all: Vec<state::Pid>| all.into_iter().map(Pid).collect::<Vec<Pid>>();
            let fields = PyDict::new(py);
            fields.set_item("action", told.transition)?;
            fields.set_item("text", step_text(net, run.state(at), &step.mode))?;
            fields.set_item("binding", binding(py, bound)?)?;
            fields.set_item("born", pids(told.born))?;
            fields.set_item("ended", pids(told.ended))?;
            fields.set_item("acts", acts)?;
            fields.set_item("state", State(step.state.clone()))?;
            list.append(fields)?;
        }
        Ok(list)
    }

    /// How it goes on for ever: to which state, and who then does as whom. None if it ends.
    fn back<'py>(&self, py: Python<'py>) -> PyResult<Option<(usize, Bound<'py, PyDict>)>> {
        let Some(back) = &self.trace.back else { return Ok(None) };
        let replaced = PyDict::new(py);
        for (one, other) in &back.replaced {
            replaced.set_item(Pid(one.clone()), Pid(other.clone()))?;
        }
        Ok(Some((back.to, replaced)))
    }

    /// The run in one of the forms of traces.
    fn write(&self, format: &str) -> PyResult<String> {
        let Some(format) = TraceFormat::ALL.into_iter().find(|one| one.name() == format) else {
            let names = TraceFormat::ALL.map(TraceFormat::name).join(", ");
            let why = format!("there is no format named {format:?}; there are {names}");
            return Err(PyValueError::new_err(why));
        };
        Ok(self.trace.write(format, &self.net, self.property.as_deref()))
    }
}
