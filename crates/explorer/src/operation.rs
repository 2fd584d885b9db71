//! The operations, one module each.

mod model;
mod models;

use budget::Budget;
use serde_json::Value as Json;

use crate::explorer::{Explorer, no_such};
use crate::refusal::{Code, Refusal};
use crate::request;

/// The operations that are answered at once.
const NAMES: [&str; 2] = ["models", "model"];

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
            request::read::<serde::de::IgnoredAny>(request)?;
            Ok(models::models(explorer))
        }
        "model" => model::model(explorer, &request::read(request)?),
        _ => {
            let message = no_such("operation", operation, NAMES.into_iter());
            Err(Refusal::new(Code::NotFound, message))
        }
    }
}
