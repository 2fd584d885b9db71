//! What explorations of models and of systems have in common: counts, edges, and the forms in which graphs are written.

use std::sync::Arc;

use explore::{Exploration, StateId};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use survey::Graph;

use crate::limits::reason;

/// Larger pictures are of no use to a reader, and larger pages are slow to open; as for the command.
const MOST_NODES_OF_SVG: u64 = 500;
const MOST_NODES_OF_HTML: u64 = 20_000;

/// The counts of an exploration.
pub fn counts<'py>(py: Python<'py>, found: &Exploration) -> PyResult<Bound<'py, PyDict>> {
    let ids = |all: &[StateId]| all.iter().map(|id| id.0).collect::<Vec<u32>>();
    let counts = PyDict::new(py);
    counts.set_item("states", found.states())?;
    counts.set_item("edges", found.edges)?;
    counts.set_item("expanded", found.expanded)?;
    counts.set_item("depth", found.depth())?;
    counts.set_item("complete", found.complete)?;
    counts.set_item("reason", found.reason.map(reason))?;
    counts.set_item("seconds", found.seconds)?;
    counts.set_item("initial", found.initial().map(|id| id.0).collect::<Vec<u32>>())?;
    counts.set_item("deadlocks", ids(&found.deadlocks))?;
    counts.set_item("terminated", ids(&found.terminated))?;
    counts.set_item("has_edges", found.quotient.is_some())?;
    Ok(counts)
}

/// The edges as `(source, action, target)`. Actions are named once, not once for each edge.
pub fn edges<'py>(
    py: Python<'py>,
    found: &Exploration,
    action: impl Fn(u32) -> Arc<str>,
) -> PyResult<Bound<'py, PyList>> {
    let mut names: Vec<Option<Bound<'py, PyString>>> = Vec::new();
    let list = PyList::empty(py);
    for (source, label, target) in found.quotient.iter().flat_map(|quotient| quotient.iter()) {
        let at = label as usize;
        if at >= names.len() {
            names.resize(at + 1, None);
        }
        let name = names[at].get_or_insert_with(|| PyString::new(py, &action(label)));
        list.append((source.0, &*name, target.0))?;
    }
    Ok(list)
}

/// The state of this number, which people may count from the end.
pub fn state_id(found: &Exploration, id: i64) -> PyResult<StateId> {
    let states = found.states();
    let at = if id < 0 { id.checked_add_unsigned(states) } else { Some(id) };
    match at.and_then(|at| u32::try_from(at).ok()).filter(|at| u64::from(*at) < states) {
        Some(at) => Ok(StateId(at)),
        None => Err(PyIndexError::new_err(format!("there is no state {id}: there are {states}"))),
    }
}

/// A graph in one of the forms that it is written in.
pub fn written(graph: &Graph<'_>, states: u64, format: &str) -> PyResult<String> {
    let most = match format {
        "svg" => MOST_NODES_OF_SVG,
        "html" => MOST_NODES_OF_HTML,
        _ => u64::MAX,
    };
    if states > most {
        return Err(PyValueError::new_err(format!(
            "a picture or page of {states} states could not be read; over {most} use another format, or \
             max_states={most} for the part nearest to the start"
        )));
    }
    let mut out = Vec::new();
    match format {
        "svg" => return Ok(graph.svg()),
        "dot" => graph.write_dot(&mut out)?,
        "aut" => graph.write_aut(&mut out)?,
        "html" => graph.write_html(&mut out)?,
        "json" => {
            let json = serde_json::to_string(graph);
            return json.map_err(|error| PyValueError::new_err(error.to_string()));
        }
        other => {
            let why = format!(
                "there is no format named {other:?}; there are svg, dot, aut, json and html"
            );
            return Err(PyValueError::new_err(why));
        }
    }
    String::from_utf8(out).map_err(|error| PyValueError::new_err(error.to_string()))
}
