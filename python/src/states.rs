//! States `(σ, η)` and steps between them.

use fold::layers::Layers;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use state::Relations;

use crate::values::{Pid, object, relations, token, tuple};

/// A state: tokens in places, and the active threads. It can be changed; to make another one of it, copy it first.
#[pyclass(eq, module = "kinfold", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq)]
pub struct State(pub state::State);

#[pymethods]
impl State {
    /// The state without tokens and without threads.
    #[new]
    fn new() -> State {
        State(state::State::new())
    }

    /// Another state that is equal to this one. Costs little: both share what is not changed afterwards.
    fn copy(&self) -> State {
        self.clone()
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let json = slf.borrow().0.to_json().to_string();
        Ok((slf.get_type().getattr("from_json")?, (json,)))
    }

    /// Puts a token of these values into a place, `count` times.
    #[pyo3(signature = (place, *values, count = 1))]
    fn put(&mut self, place: &str, values: &Bound<'_, PyTuple>, count: u32) -> PyResult<()> {
        match self.0.put(&place.into(), token(values)?, count) {
            true => Ok(()),
            false => Err(PyOverflowError::new_err(format!(
                "a token would be in {place:?} more than 2^32 - 1 times"
            ))),
        }
    }

    /// Takes a token of these values out of a place, `count` times.
    #[pyo3(signature = (place, *values, count = 1))]
    fn take(&mut self, place: &str, values: &Bound<'_, PyTuple>, count: u32) -> PyResult<()> {
        let token = token(values)?;
        if self.0.take(place, &token, count) {
            return Ok(());
        }
        let held = self.0.count(place, &token);
        Err(PyValueError::new_err(format!(
            "{} is in {place:?} {held} times, and is to be taken {count} times",
            values.repr()?
        )))
    }

    /// How often a token of these values is in a place.
    #[pyo3(signature = (place, *values))]
    fn count(&self, place: &str, values: &Bound<'_, PyTuple>) -> PyResult<u32> {
        Ok(self.0.count(place, &token(values)?))
    }

    /// The tokens of a place, each as a tuple, and as often as it is there.
    fn tokens<'py>(&self, py: Python<'py>, place: &str) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        for (token, count) in self.0.tokens(place) {
            let tuple = tuple(py, token)?;
            for _ in 0..count {
                all.append(&tuple)?;
            }
        }
        Ok(all)
    }

    /// The places that hold a token.
    #[getter]
    fn places(&self) -> Vec<&str> {
        self.0.marked().map(|place| &**place).collect()
    }

    /// Makes a thread of an initial state active.
    #[pyo3(signature = (pid, children = 0))]
    fn activate(&mut self, pid: &Bound<'_, Pid>, children: u32) {
        self.0.activate(pid.get().0.clone(), children);
    }

    /// Lets an active thread create a child, and gives the child's pid.
    fn spawn(&mut self, pid: &Bound<'_, Pid>) -> PyResult<Pid> {
        let why = || format!("thread {} is not active, so it cannot create a child", pid.get().0);
        self.0.spawn(&pid.get().0).map(Pid).ok_or_else(|| PyValueError::new_err(why()))
    }

    /// Ends a thread; its pid may stay in tokens.
    fn end(&mut self, pid: &Bound<'_, Pid>) -> PyResult<()> {
        if !self.0.eta().contains_key(&pid.get().0) {
            let why = format!("thread {} is not active, so it cannot end", pid.get().0);
            return Err(PyValueError::new_err(why));
        }
        self.0.end(&pid.get().0);
        Ok(())
    }

    /// Whether a thread is active.
    fn is_active(&self, pid: &Bound<'_, Pid>) -> bool {
        self.0.eta().contains_key(&pid.get().0)
    }

    /// The active threads.
    #[getter]
    fn active(&self) -> Vec<Pid> {
        self.0.eta().keys().cloned().map(Pid).collect()
    }

    /// The pids that are there: those of active threads, and those in tokens.
    #[getter]
    fn pids(&self) -> Vec<Pid> {
        self.0.pids().into_iter().map(Pid).collect()
    }

    /// η: the active threads, and how many children each has created. What a system does must not depend on it.
    #[getter]
    fn eta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (pid, children) in self.0.eta() {
            dict.set_item(Pid(pid.clone()), children)?;
        }
        Ok(dict)
    }

    /// All tokens by place: `{place: {token: count}}`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for place in self.0.marked() {
            let tokens = PyDict::new(py);
            for (token, count) in self.0.tokens(place) {
                tokens.set_item(tuple(py, token)?, count)?;
            }
            dict.set_item(&**place, tokens)?;
        }
        Ok(dict)
    }

    /// The JSON form, as text.
    fn to_json(&self) -> String {
        self.0.to_json().to_string()
    }

    /// The state that a text in the JSON form stands for.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<State> {
        let state = state::State::from_json(text);
        state.map(State).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<State {}>", self.0)
    }

    /// The three-layered graph of the state up to these relations, as a picture.
    #[pyo3(signature = (relations = None, title = "state"))]
    fn svg(&self, relations: Option<&Bound<'_, PyAny>>, title: &str) -> PyResult<String> {
        let relations = up_to(relations)?;
        Ok(trace::layers_svg(&Layers::new(&self.0, relations), title))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, "state")
    }
}

/// Relations, all of them unless some are given.
fn up_to(given: Option<&Bound<'_, PyAny>>) -> PyResult<Relations> {
    given.map_or(Ok(Relations::ALL), relations)
}

/// The representative of the class of a state: equal for two states exactly if they are equivalent.
#[pyfunction]
#[pyo3(signature = (state, relations = None))]
pub fn canonical(
    state: &Bound<'_, State>,
    relations: Option<&Bound<'_, PyAny>>,
) -> PyResult<State> {
    let relations = up_to(relations)?;
    let state = consistent(state)?;
    let mut canoniser = ::canon::Canoniser::new();
    Ok(State(fold::canonical(&state, relations, &mut canoniser).state))
}

/// Which pid of one state is which of the other, if they are equivalent; `None` otherwise.
#[pyfunction]
#[pyo3(signature = (one, other, relations = None))]
pub fn equivalent<'py>(
    py: Python<'py>,
    one: &Bound<'py, State>,
    other: &Bound<'py, State>,
    relations: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let relations = up_to(relations)?;
    let (one, other) = (consistent(one)?, consistent(other)?);
    let Some(renamed) = fold::equivalent(&one, &other, relations) else { return Ok(None) };
    let dict = PyDict::new(py);
    for (from, to) in renamed {
        dict.set_item(Pid(from), Pid(to))?;
    }
    Ok(Some(dict))
}

/// A state, if it has a class.
fn consistent(state: &Bound<'_, State>) -> PyResult<state::State> {
    let state = state.borrow().0.clone();
    match state.check() {
        Ok(()) => Ok(state),
        Err(why) => Err(PyValueError::new_err(format!("in the state {state}, {why}"))),
    }
}

/// A step of a system: the name of the action, the state it leads to, and the thread that acts, if one does. The state
/// is copied: it may be changed afterwards without changing the step.
#[pyclass(frozen, module = "kinfold")]
pub struct Step {
    action: String,
    state: state::State,
    thread: Option<state::Pid>,
}

#[pymethods]
impl Step {
    #[new]
    #[pyo3(signature = (action, state, thread = None))]
    fn new(
        action: String,
        state: &Bound<'_, State>,
        thread: Option<&Bound<'_, Pid>>,
    ) -> PyResult<Step> {
        let state = state.borrow().0.clone();
        Ok(Step { action, state, thread: thread.map(|pid| pid.get().0.clone()) })
    }

    /// The name of the action.
    #[getter]
    fn action(&self) -> &str {
        &self.action
    }

    /// Where it leads.
    #[getter]
    fn state(&self) -> State {
        State(self.state.clone())
    }

    /// The thread that acts.
    #[getter]
    fn thread(&self) -> Option<Pid> {
        self.thread.clone().map(Pid)
    }

    fn __repr__(&self) -> String {
        match &self.thread {
            Some(thread) => {
                format!("<Step {:?} of thread {thread} to {}>", self.action, self.state)
            }
            None => format!("<Step {:?} to {}>", self.action, self.state),
        }
    }
}

impl Step {
    /// The step that a Python object is.
    pub fn taken(object: &Bound<'_, PyAny>) -> PyResult<fold::Step> {
        let Ok(step) = object.cast::<Step>() else {
            return Err(PyTypeError::new_err(format!(
                "`successors` gives {}, where each is to be a Step",
                object.repr()?
            )));
        };
        let Step { action, state, thread } = step.get();
        let (action, state, thread) = (action.clone().into(), state.clone(), thread.clone());
        Ok(fold::Step { action, thread, state })
    }
}

/// A step as fields for Python: action, thread, state, the threads that it creates, those that it ends.
pub fn step_fields<'py>(
    py: Python<'py>,
    before: &state::State,
    step: &fold::Step,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let pids = |one: &state::State, other: &state::State| -> Vec<Pid> {
        let new = one.eta().keys().filter(|pid| !other.eta().contains_key(*pid));
        new.cloned().map(Pid).collect()
    };
    dict.set_item("action", &*step.action)?;
    dict.set_item("text", step.to_string())?;
    dict.set_item("thread", step.thread.clone().map(Pid))?;
    dict.set_item("born", pids(&step.state, before))?;
    dict.set_item("ended", pids(before, &step.state))?;
    dict.set_item("state", State(step.state.clone()))?;
    Ok(dict)
}

/// Values by name, from their JSON form.
pub fn binding<'py>(
    py: Python<'py>,
    values: impl Iterator<Item = (String, state::Value)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in values {
        dict.set_item(name, object(py, &value)?)?;
    }
    Ok(dict)
}
