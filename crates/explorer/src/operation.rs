//! The operations, one module each.

mod carry;
mod export;
mod graph;
mod layers;
mod model;
mod models;
mod random;
mod run;
mod state;
mod way;
mod why;
mod write;

use std::sync::Arc;

use budget::Budget;
use serde_json::Value as Json;

use crate::explorer::{Explorer, no_such};
use crate::model::Generation;
use crate::refusal::{Code, Refusal};
use crate::request::{self, Nothing, OfRun, Subject};
use crate::view::View;
use crate::walks::Walk;

/// The operations that are answered at once.
const NAMES: [&str; 12] = [
    "models", "model", "run", "state", "why", "layers", "random", "graph", "way", "export",
    "carry", "write",
];

/// Answers an operation.
pub(crate) fn answer(
    explorer: &Explorer,
    operation: &str,
    request: &[u8],
    budget: &Budget,
) -> Result<Json, Refusal> {
    budget.check()?;
    match operation {
        "models" => {
            request::read::<Nothing>(request)?;
            Ok(models::models(explorer))
        }
        "model" => model::model(explorer, &request::read(request)?),
        "run" => run::run(explorer, request::read(request)?, budget),
        "state" => state::state(explorer, &request::read(request)?, budget),
        "why" => why::why(explorer, &request::read(request)?, budget),
        "layers" => layers::layers(explorer, &request::read(request)?, budget),
        "random" => random::random(explorer, &request::read(request)?, budget),
        "graph" => graph::graph(explorer, &request::read(request)?, budget),
        "way" => way::way(explorer, &request::read(request)?, budget),
        "export" => export::export(explorer, request::read(request)?, budget),
        "carry" => carry::carry(explorer, &request::read(request)?, budget),
        "write" => write::write(explorer, request::read(request)?, budget),
        _ => {
            let message = no_such("operation", operation, NAMES.into_iter());
            Err(Refusal::new(Code::NotFound, message))
        }
    }
}

/// What is asked about: the generation of the model, and the view of it.
struct Looked {
    generation: Arc<Generation>,
    view: Arc<View>,
}

impl Looked {
    fn at(explorer: &Explorer, subject: &Subject) -> Result<Looked, Refusal> {
        let generation = explorer.generation(subject)?;
        let view = match &subject.with {
            None => generation.view()?.clone(),
            Some(text) => generation.typed(text)?.view.clone(),
        };
        Ok(Looked { generation, view })
    }
}

/// A run that is asked about.
fn walked(explorer: &Explorer, of: &OfRun, budget: &Budget) -> Result<(Looked, Walk), Refusal> {
    let looked = Looked::at(explorer, &of.subject)?;
    let walk = looked.view.walk(&of.run, budget)?;
    Ok((looked, walk))
}

/// An answer made of what can be serialised.
fn told(value: &impl serde::Serialize) -> Result<Json, Refusal> {
    serde_json::to_value(value)
        .map_err(|error| Refusal::new(Code::Internal, format!("the answer has no form: {error}")))
}
