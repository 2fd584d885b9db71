//! Verdicts as plain Python objects.

use std::sync::Arc;
use std::time::Instant;

use decide::{Checking, Coverage, Evidence, Outcome, Report, Verdict, verify};
use net::{Net, Property, TransitionId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use survey::{Plan, Unbounded};
use trace::Trace;

use crate::errors::refusal;
use crate::model::{fault_run, survey_error};
use crate::run::ModelRun;
use crate::values::{Pid, relation_names};
use crate::waiting::awaited;

/// Properties that are asked of a net.
pub struct Asked {
    /// The net.
    pub net: Arc<Net>,
    /// The properties.
    pub properties: Vec<Property>,
}

/// Checks properties, and gives what was found.
pub fn checked<'py>(
    py: Python<'py>,
    asked: Asked,
    fair: &[String],
    plan: Plan,
) -> PyResult<Bound<'py, PyDict>> {
    let Asked { net, properties } = asked;
    let fairness = lang::assumed(&net, fair.iter().map(String::as_str));
    let fairness = fairness.map_err(|why| refusal(py, format!("fair: {why}")))?;
    let (budget, given) = (plan.budget.clone(), plan.relations);
    let checking = Checking { plan, fairness, ..Checking::default() };
    let began = Instant::now();
    let found = awaited(py, &budget, || verify(&net, &properties, &checking, &mut |_| {}))?;
    let found = found.map_err(|error| survey_error(py, &net, &error))?;
    let relations = given.unwrap_or_else(|| net.relations_with(&properties));
    let report = PyDict::new(py);
    report.set_item("model", &net.name)?;
    report.set_item("seconds", began.elapsed().as_secs_f64())?;
    report.set_item("relations", relation_names(relations))?;
    let fairness: Vec<String> = checking.fairness.iter().map(|fair| fair.text(&net)).collect();
    report.set_item("fairness", fairness)?;
    let reductions: Vec<String> = found.reductions.iter().map(ToString::to_string).collect();
    report.set_item("reductions", reductions)?;
    report.set_item("unshown", found.unshown.map(|why| why.to_string()))?;
    report.set_item("fault", fault(py, &net, &found)?)?;
    let coverage = found.coverage.as_ref().map(|coverage| coverage_of(py, &net, coverage));
    report.set_item("coverage", coverage.transpose()?)?;
    let unbounded = found.unbounded.as_ref().map(|unbounded| growth(py, &net, unbounded));
    report.set_item("unbounded", unbounded.transpose()?)?;
    let verdicts = PyList::empty(py);
    for outcome in &found.outcomes {
        verdicts.append(verdict(py, &net, outcome)?)?;
    }
    report.set_item("verdicts", verdicts)?;
    Ok(report)
}

/// How the model goes wrong by itself, if it does.
fn fault<'py>(
    py: Python<'py>,
    net: &Arc<Net>,
    found: &Report,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(fault) = &found.fault else { return Ok(None) };
    let fields = PyDict::new(py);
    fields.set_item("message", &fault.message)?;
    fields.set_item("is_assertion", fault.is_failure)?;
    fields.set_item("run", fault_run(net, fault))?;
    Ok(Some(fields))
}

/// What never happened, as far as was seen.
fn coverage_of<'py>(
    py: Python<'py>,
    net: &Net,
    coverage: &Coverage,
) -> PyResult<Bound<'py, PyDict>> {
    // What is declared as one transition has fired if one of its copies has.
    let never = &coverage.never_fired;
    let all = |id: &TransitionId| net.copies(*id).iter().all(|copy| never.contains(copy));
    let fired = never.iter().filter(|id| net.first_copy(**id) == **id && all(id));
    let fired: Vec<&str> = fired.map(|id| net.transition(*id).name.as_str()).collect();
    let marked: Vec<&str> = coverage.never_marked.iter().map(|id| &*net.place(*id).name).collect();
    let growing: Vec<&str> = coverage.growth.iter().map(|growth| growth.what.as_str()).collect();
    let fields = PyDict::new(py);
    fields.set_item("states", coverage.states)?;
    fields.set_item("complete", coverage.complete)?;
    fields.set_item("never_fired", fired)?;
    fields.set_item("never_marked", marked)?;
    fields.set_item("never_executed", trace::never_executed(net, never).unwrap_or_default())?;
    fields.set_item("growing", growing)?;
    Ok(fields)
}

/// That the model grows without end.
fn growth<'py>(
    py: Python<'py>,
    net: &Arc<Net>,
    unbounded: &Unbounded,
) -> PyResult<Bound<'py, PyDict>> {
    let run = unbounded.run.as_ref().ok();
    let fields = PyDict::new(py);
    fields.set_item("place", &*net.place(unbounded.place).name)?;
    fields.set_item("repeat_from", unbounded.from)?;
    fields.set_item("run", run.map(|run| ModelRun::new(net, Trace::from(run.clone()), None)))?;
    Ok(fields)
}

fn verdict<'py>(
    py: Python<'py>,
    net: &Arc<Net>,
    outcome: &Outcome,
) -> PyResult<Bound<'py, PyDict>> {
    let evidence: Option<&Evidence> = outcome.verdict.evidence();
    let fields = PyDict::new(py);
    fields.set_item("name", &outcome.name)?;
    fields.set_item("text", &outcome.text)?;
    fields.set_item("verdict", outcome.verdict.word())?;
    let vacuous = matches!(outcome.verdict, Verdict::Holds { vacuously: true, .. });
    fields.set_item("vacuous", vacuous)?;
    fields.set_item("why", outcome.verdict.why(net))?;
    fields.set_item("states", outcome.states)?;
    let followed = evidence.and_then(|evidence| evidence.followed.clone());
    fields.set_item("followed", followed.map(|(name, pid)| (name, Pid(pid))))?;
    let run = evidence.map(|one| ModelRun::new(net, one.trace.clone(), Some(&outcome.name)));
    fields.set_item("run", run)?;
    Ok(fields)
}
