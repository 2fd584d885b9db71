//! Kinfold for Python: the native half of the package `kinfold`.
//!
//! What is here is as small as it can be: models and systems are handed to the engines, and what these found is
//! handed out as Python objects. What people use is written in Python, in `kinfold/`, on top of it.
//!
//! - [`values`]: pids, objects and tokens. [`states`]: states and steps.
//! - [`model`]: models; [`explored`]: what exploring one has shown; [`report`]: verdicts; [`run`]: runs.
//! - [`system`]: systems that are Python classes, and what exploring one has shown.
//! - [`waiting`]: engines work in a thread of their own, while this one waits for them or for Ctrl-C.
//! - [`errors`]: what goes wrong, as exceptions.
//! - [`structures`]: canonical forms. [`diagrams`]: decision diagrams.

mod diagrams;
mod errors;
mod explored;
mod graph;
mod limits;
mod model;
mod report;
mod run;
mod states;
mod structures;
mod system;
mod values;
mod waiting;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<values::Pid>()?;
    module.add_class::<values::Object>()?;
    module.add_class::<states::State>()?;
    module.add_class::<states::Step>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<explored::ModelExploration>()?;
    module.add_class::<system::SystemExploration>()?;
    module.add_class::<run::ModelRun>()?;
    module.add_class::<structures::Structure>()?;
    module.add_class::<diagrams::Forest>()?;
    module.add_class::<diagrams::Ddd>()?;
    module.add_class::<diagrams::Hom>()?;
    module.add_function(wrap_pyfunction!(states::canonical, module)?)?;
    module.add_function(wrap_pyfunction!(states::equivalent, module)?)?;
    module.add_function(wrap_pyfunction!(structures::isomorphic, module)?)?;
    module.add_function(wrap_pyfunction!(system::explore_system, module)?)?;
    Ok(())
}
