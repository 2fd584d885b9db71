//! Systems that are Python classes, explored by the engine for systems that are code.
//!
//! The engine runs in the thread that asked, with a hold on the interpreter: whatever it does between two calls into
//! Python is short, and to let go and take hold again would cost more. Other Python threads run whenever Python itself
//! lets them. The trait [`fold::System`] knows no errors. So what a method raises is put aside, the budget is ended,
//! and whatever the engine then says is replaced by it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use ::state::Relations;
use budget::Budget;
use fold::Breach;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use self_cell::self_cell;
use survey::{Explored, Explorer, ExplorerError, SystemRun};

use crate::errors::{exception, refusal};
use crate::graph::{counts, edges, state_id, written};
use crate::limits::budget;
use crate::states::{State, Step, step_fields};
use crate::values::{relation_names, relations};

/// A Python object with `initial`, `successors` and `relations`.
pub struct System {
    object: Py<PyAny>,
    /// What its methods gave when they were asked, once.
    initial: Vec<::state::State>,
    relations: Relations,
    budget: Budget,
    /// What a method has raised.
    raised: Mutex<Option<PyErr>>,
}

impl System {
    fn of(object: &Bound<'_, PyAny>, budget: Budget) -> PyResult<System> {
        let py = object.py();
        let initial = object.call_method0(intern!(py, "initial"))?;
        let state = |one: &Bound<'_, PyAny>| match one.cast::<State>() {
            Ok(state) => Ok(state.borrow().0.clone()),
            Err(_) => Err(PyTypeError::new_err(format!(
                "`initial` gives {}, where each is to be a State",
                one.repr()?
            ))),
        };
        // One state may be given as it is.
        let initial = match initial.cast::<State>() {
            Ok(_) => vec![state(&initial)?],
            Err(_) => initial.try_iter()?.map(|one| state(&one?)).collect::<PyResult<_>>()?,
        };
        let relations = relations(&object.call_method0(intern!(py, "relations"))?)?;
        let object = object.clone().unbind();
        Ok(System { object, initial, relations, budget, raised: Mutex::new(None) })
    }

    fn raised(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts aside what was raised, and ends the exploration.
    fn fail(&self, error: PyErr) {
        self.raised().get_or_insert(error);
        self.budget.interrupt();
    }

    fn asked(&self, py: Python<'_>, state: &::state::State) -> PyResult<Vec<fold::Step>> {
        let state = Bound::new(py, State(state.clone()))?;
        let steps = self.object.bind(py).call_method1(intern!(py, "successors"), (state,))?;
        steps.try_iter()?.map(|step| Step::taken(&step?)).collect()
    }
}

impl fold::System for System {
    fn initial(&self) -> Vec<::state::State> {
        self.initial.clone()
    }

    fn successors(&self, state: &::state::State) -> Vec<fold::Step> {
        if self.raised().is_some() {
            return Vec::new();
        }
        Python::attach(|py| self.asked(py, state)).unwrap_or_else(|error| {
            self.fail(error);
            Vec::new()
        })
    }

    fn relations(&self) -> Relations {
        self.relations
    }
}

type ExploredSystem<'s> = Explored<'s, System>;

self_cell!(
    /// What was explored, and the system that it is of.
    struct Held {
        owner: Arc<System>,
        #[not_covariant]
        dependent: ExploredSystem,
    }
);

/// What exploring a system has shown.
#[pyclass(frozen, module = "kinfold")]
pub struct SystemExploration {
    system: Arc<System>,
    title: String,
    held: Mutex<Held>,
}

/// Explores a system.
#[pyfunction]
#[pyo3(signature = (
    system, *, title, relations, full, max_states, seconds, memory, until, audit, seed
))]
#[expect(clippy::too_many_arguments, reason = "all of them are named where it is called")]
pub fn explore_system(
    py: Python<'_>,
    system: &Bound<'_, PyAny>,
    title: String,
    relations: Option<&Bound<'_, PyAny>>,
    full: bool,
    max_states: Option<u64>,
    seconds: Option<f64>,
    memory: Option<u64>,
    until: Option<String>,
    audit: u64,
    seed: u64,
) -> PyResult<SystemExploration> {
    let given = relations.map(self::relations).transpose()?;
    let budget = budget(seconds, memory)?;
    let system = Arc::new(System::of(system, budget.clone())?);
    let explored = Held::try_new(system.clone(), |system| {
        let mut explorer = Explorer::new(&**system).budget(&budget).audit(audit, seed);
        if let Some(given) = given {
            explorer = explorer.relations(given);
        }
        if full {
            explorer = explorer.full();
        }
        if let Some(most) = max_states {
            explorer = explorer.max_states(most);
        }
        if let Some(action) = until {
            explorer = explorer.until(action);
        }
        explorer.run_watched(&mut |_| {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                system.fail(error);
            }
        })
    });
    if let Some(error) = system.raised().take() {
        return Err(error);
    }
    match explored {
        Ok(held) => Ok(SystemExploration { system, title, held: Mutex::new(held) }),
        Err(error) => Err(why(py, &error)),
    }
}

/// Why a system cannot be explored.
fn why(py: Python<'_>, error: &ExplorerError) -> PyErr {
    let ExplorerError::Breach { breach, run } = error else { return refusal(py, error) };
    breached(py, breach, &error.to_string(), run.as_deref())
}

/// That a system does what no system may do, and how it comes to that.
fn breached(py: Python<'_>, breach: &Breach, text: &str, run: Option<&SystemRun>) -> PyErr {
    let kind = match breach {
        Breach::Initial { .. } => "initial",
        Breach::Step { .. } => "step",
        Breach::Asymmetry(_) => "asymmetry",
        Breach::Changed(_) => "changed",
    };
    let attributes = PyDict::new(py);
    let made = attributes.set_item("kind", kind).and_then(|()| {
        let run = run.map(|run| fields(py, run)).transpose()?;
        attributes.set_item("run", run)
    });
    made.err().unwrap_or_else(|| exception(py, "SystemBreach", text, Some(&attributes)))
}

/// A run as fields: where it starts, its steps, and all of it as text.
fn fields<'py>(py: Python<'py>, run: &SystemRun) -> PyResult<Bound<'py, PyDict>> {
    let steps = PyList::empty(py);
    let mut before = &run.initial;
    for step in &run.steps {
        steps.append(step_fields(py, before, step)?)?;
        before = &step.state;
    }
    let fields = PyDict::new(py);
    fields.set_item("initial", State(run.initial.clone()))?;
    fields.set_item("steps", steps)?;
    fields.set_item("text", run.to_string())?;
    Ok(fields)
}

impl SystemExploration {
    /// Asks what was explored, which may ask the system. To wait for another thread here could last for ever, if
    /// that waits for the interpreter.
    fn ask<T>(
        &self,
        py: Python<'_>,
        ask: impl for<'s> FnOnce(&mut ExploredSystem<'s>) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut held = match self.held.try_lock() {
            Ok(held) => held,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(refusal(
                    py,
                    "the exploration is being asked already, by another thread or by its system",
                ));
            }
        };
        let found = held.with_dependent_mut(|_, explored| ask(explored));
        match self.system.raised().take() {
            Some(error) => Err(error),
            None => found,
        }
    }
}

#[pymethods]
impl SystemExploration {
    /// The counts.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.ask(py, |explored| {
            let fields = counts(py, explored.exploration())?;
            fields.set_item("model", &self.title)?;
            fields.set_item("relations", relation_names(explored.relations()))?;
            fields.set_item("form", if explored.is_full() { "full" } else { "folded" })?;
            fields.set_item("concrete_states", None::<u64>)?;
            let actions = PyDict::new(py);
            for (action, times) in explored.actions() {
                actions.set_item(&*action, times)?;
            }
            fields.set_item("actions", actions)?;
            let most = PyDict::new(py);
            for (place, tokens) in explored.most_tokens() {
                most.set_item(&*place, tokens)?;
            }
            fields.set_item("most_tokens", most)?;
            fields.set_item("unbounded", None::<String>)?;
            Ok(fields)
        })
    }

    /// A state; of a folded exploration, the representative of the class.
    fn state(&self, py: Python<'_>, id: i64) -> PyResult<State> {
        self.ask(py, |explored| Ok(State(explored.state(state_id(explored.exploration(), id)?))))
    }

    /// A state as people read it.
    fn text(&self, py: Python<'_>, id: i64) -> PyResult<String> {
        self.ask(py, |explored| {
            let state = explored.state(state_id(explored.exploration(), id)?);
            Ok(survey::state_text(state.marked(), &state))
        })
    }

    /// How far from the start a state is.
    fn depth(&self, py: Python<'_>, id: i64) -> PyResult<u32> {
        self.ask(py, |explored| {
            let found = explored.exploration();
            Ok(found.depth_of(state_id(found, id)?))
        })
    }

    /// The number of the class of a state, if it was found.
    fn find(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<Option<u32>> {
        let state = state.borrow().0.clone();
        self.ask(py, |explored| Ok(explored.find(&state).map(|id| id.0)))
    }

    /// The edges.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.ask(py, |explored| {
            let name = |label: u32| explored.action_name(label);
            edges(py, explored.exploration(), name)
        })
    }

    /// A shortest run to a state.
    fn run_to<'py>(&self, py: Python<'py>, id: i64) -> PyResult<Bound<'py, PyDict>> {
        self.ask(py, |explored| {
            let id = state_id(explored.exploration(), id)?;
            match explored.run_to(id) {
                Ok(run) => fields(py, &run),
                Err(breach) => Err(breached(py, &breach, &breach.to_string(), None)),
            }
        })
    }

    /// A shortest run that ends with an action, if it was ever taken.
    fn run_to_action<'py>(
        &self,
        py: Python<'py>,
        action: &str,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.ask(py, |explored| match explored.run_to_action(action) {
            Ok(run) => run.map(|run| fields(py, &run)).transpose(),
            Err(breach) => Err(breached(py, &breach, &breach.to_string(), None)),
        })
    }

    /// The graph in one of its forms.
    fn write(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        self.ask(py, |explored| {
            let states = explored.exploration().states();
            written(&explored.graph(&self.title), states, format)
        })
    }
}
