//! `write`: replaces the text of a model.

use budget::Budget;
use serde_json::Value as Json;

use super::model;
use crate::explorer::{Explorer, Host, Text};
use crate::refusal::{Code, Refusal};
use crate::request::WriteRequest;

pub(super) fn write(
    explorer: &Explorer,
    request: WriteRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let known = explorer.model(&request.model)?;
    if explorer.host() != Host::Playground {
        let message =
            "texts are written to their files here; they are read again when they are saved";
        return Err(Refusal::new(Code::Refused, message));
    }
    let before = known.newest();
    let text = Text {
        file: before.file.clone(),
        bytes: request.source.into_bytes(),
        set: before.set.clone(),
        go: before.go.clone(),
    };
    explorer.read(&request.model, text, budget);
    Ok(model::told(explorer, &request.model, &known.newest()))
}
