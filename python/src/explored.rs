//! What exploring a model has shown. States are decoded when they are asked for.

use std::sync::{Arc, Mutex, PoisonError};

use budget::{Budget, Exhausted};
use net::{Net, TransitionId};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyList};
use self_cell::self_cell;
use survey::{Plan, Survey, SurveyError, survey};
use trace::Trace;

use crate::errors::refusal;
use crate::graph::{counts, edges, state_id, written};
use crate::model::no_such;
use crate::run::ModelRun;
use crate::states::State;
use crate::values::{integer, relation_names};
use crate::waiting::awaited;

self_cell!(
    /// A survey, and the net that it is of.
    struct Held {
        owner: Arc<Net>,
        #[not_covariant]
        dependent: Survey,
    }
);

/// What exploring a model has shown.
#[pyclass(frozen, module = "kinfold")]
pub struct ModelExploration {
    net: Arc<Net>,
    held: Mutex<Held>,
}

impl ModelExploration {
    /// Explores a net.
    pub fn of(net: &Arc<Net>, plan: &Plan) -> Result<ModelExploration, SurveyError> {
        let held = Held::try_new(net.clone(), |net| survey(net, plan))?;
        Ok(ModelExploration { net: net.clone(), held: Mutex::new(held) })
    }

    /// Asks the survey, with a hold on the interpreter.
    fn ask<T>(
        &self,
        py: Python<'_>,
        ask: impl for<'n> FnOnce(&mut Survey<'n>) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut held = self.held.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        held.with_dependent_mut(|_, survey| ask(survey))
    }

    /// Looks for a run, which may take long.
    fn run(
        &self,
        py: Python<'_>,
        find: impl for<'n> FnOnce(&mut Survey<'n>, &Budget) -> Result<Trace, Exhausted> + Send,
    ) -> PyResult<ModelRun> {
        let budget = Budget::unlimited();
        let found = awaited(py, &budget, || {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.with_dependent_mut(|_, survey| find(survey, &budget))
        })?;
        let trace = found.map_err(|why| refusal(py, why))?;
        Ok(ModelRun::new(&self.net, trace, None))
    }
}

#[pymethods]
impl ModelExploration {
    /// The counts.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.ask(py, |survey| {
            let fields = counts(py, survey.exploration())?;
            fields.set_item("model", &survey.net().name)?;
            fields.set_item("relations", relation_names(survey.relations()))?;
            fields.set_item("form", survey.form().name())?;
            let concrete = survey.census().map(|census| census.concrete_states.clone());
            let concrete = concrete.map(|count| integer(py, &count)).transpose()?;
            fields.set_item("concrete_states", concrete)?;
            // Each transition as it is declared, with its copies.
            let net = &*self.net;
            let actions = PyDict::new(py);
            for id in (0..net.transitions.len() as u32).map(TransitionId) {
                if net.first_copy(id) == id && !net.transition(id).probe {
                    let fired = &survey.exploration().fired;
                    let times: u64 = net.copies(id).iter().map(|copy| fired.of(copy.0)).sum();
                    actions.set_item(&net.transition(id).name, times)?;
                }
            }
            fields.set_item("actions", actions)?;
            let most = PyDict::new(py);
            for (place, tokens) in net.places.iter().zip(survey.most_tokens()) {
                most.set_item(&*place.name, tokens)?;
            }
            fields.set_item("most_tokens", most)?;
            let unbounded = survey.unbounded_place().map(|place| net.place(place).name.to_string());
            fields.set_item("unbounded", unbounded)?;
            Ok(fields)
        })
    }

    /// A state; of a folded exploration, one of the class.
    fn state(&self, py: Python<'_>, id: i64) -> PyResult<State> {
        self.ask(py, |survey| {
            let id = state_id(survey.exploration(), id)?;
            Ok(State(survey.state(id)))
        })
    }

    /// A state as people read it.
    fn text(&self, py: Python<'_>, id: i64) -> PyResult<String> {
        self.ask(py, |survey| {
            let state = survey.state(state_id(survey.exploration(), id)?);
            Ok(match trace::told_state(&self.net, &state) {
                Some(lines) => lines.join("\n"),
                None => survey::state_text(self.net.places.iter().map(|place| &place.name), &state),
            })
        })
    }

    /// How far from the start a state is.
    fn depth(&self, py: Python<'_>, id: i64) -> PyResult<u32> {
        self.ask(py, |survey| {
            let found = survey.exploration();
            Ok(found.depth_of(state_id(found, id)?))
        })
    }

    /// The edges.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let name = |label: u32| self.net.transitions[label as usize].name.as_str().into();
        self.ask(py, |survey| edges(py, survey.exploration(), name))
    }

    /// A shortest run to a state.
    fn run_to(&self, py: Python<'_>, id: i64) -> PyResult<ModelRun> {
        let id = self.ask(py, |survey| state_id(survey.exploration(), id))?;
        self.run(py, move |survey, budget| survey.run_to(id, budget).map(Trace::from))
    }

    /// A shortest run that ends with a transition, if it was fired.
    fn run_to_action(&self, py: Python<'_>, action: &str) -> PyResult<Option<ModelRun>> {
        let net = &*self.net;
        let names = || net.transitions.iter().map(|transition| transition.name.as_str());
        let Some(at) = names().position(|name| name == action) else {
            return Err(no_such("transition", action, names()));
        };
        let copies = net.copies(TransitionId(at as u32));
        let is_meant = |label: u32| copies.iter().any(|copy| copy.0 == label);
        // Edges are sorted by their sources, and these by their distance from the start.
        let found = self.ask(py, |survey| {
            let Some(quotient) = &survey.exploration().quotient else {
                return Err(refusal(py, "the edges were not kept: explore with edges=True"));
            };
            Ok(quotient.iter().find(|(_, label, _)| is_meant(*label)))
        })?;
        let Some((source, label, _)) = found else { return Ok(None) };
        let run = self.run(py, |survey, budget| {
            let mut run = survey.run_to(source, budget)?;
            run.go(net, TransitionId(label), budget, |_, _| true)?;
            Ok(Trace::from(run))
        })?;
        Ok(Some(run))
    }

    /// The run that shows that a place can hold any number of tokens, if that was found; and from which step on it can
    /// be repeated.
    fn unbounded(&self, py: Python<'_>) -> PyResult<Option<(usize, ModelRun)>> {
        if self.ask(py, |survey| Ok(survey.unbounded_place().is_none()))? {
            return Ok(None);
        }
        let mut from = 0;
        let run = self.run(py, |survey, budget| {
            let unbounded = survey.unbounded(budget).expect("it was found");
            from = unbounded.from;
            unbounded.run.map(Trace::from)
        })?;
        Ok(Some((from, run)))
    }

    /// What was still rising when a limit was reached.
    fn growing(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |survey| {
            let growth = survey.growth().into_iter();
            Ok(growth
                .map(ToString::to_string)
                .collect())
        })
    }

    /// The graph in one of its forms.
    fn write(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        self.ask(py, |survey| written(&survey.graph(), survey.exploration().states(), format))
    }
}
