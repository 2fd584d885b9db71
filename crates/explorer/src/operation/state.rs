//! `state`: what there is after a run, and what could happen.

use budget::Budget;
use serde_json::{Value as Json, json};
use trace::{ToldState, all_modes};

use super::{told, walked};
use crate::explorer::Explorer;
use crate::refusal::{Code, Refusal};
use crate::request::StateRequest;

/// The most steps that are listed.
const MOST_STEPS: usize = 5000;

pub(super) fn state(
    explorer: &Explorer,
    request: &StateRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let (looked, walk) = walked(explorer, &request.of, budget)?;
    let at = request.at.unwrap_or(walk.at);
    if at > walk.at {
        let message =
            format!("the run has {} steps, so that there is no state after {at}", walk.at);
        return Err(Refusal::new(Code::NoSuchStep, message).with("at", walk.at));
    }
    let (net, state) = (&looked.view.net, walk.longer().state(at));
    let modes = all_modes(net, state, budget)?;
    if let Some(count) = modes.as_ref().ok().map(Vec::len).filter(|count| *count > MOST_STEPS) {
        let message = format!("{count} steps can be taken, and at most {MOST_STEPS} are listed");
        return Err(Refusal::new(Code::TooLarge, message));
    }
    let positions = looked.generation.positions();
    let state = ToldState::of(walk.longer(), at, net, &modes, budget)?;
    let mut told = told(&state.with_positions(|name| positions.of_name(name)))?;
    let classes = looked.view.classes();
    let state = walk.longer().state(at);
    told["class"] = match classes.of_state(state) {
        Some(id) => {
            let text = classes.table().class(id).map(|class| class.text.to_string());
            json!({ "id": id, "text": text, "alike": classes.alike(state) })
        }
        None => Json::Null,
    };
    Ok(told)
}
