//! `layers`: the three-layered graph of a state.

use budget::Budget;
use fold::layers::Layers;
use serde_json::{Value as Json, json};

use super::walked;
use crate::explorer::Explorer;
use crate::refusal::{Code, Refusal};
use crate::request::OfRun;

/// Larger pictures are of no use to a reader.
const MOST_VERTICES: usize = 500;

pub(super) fn layers(
    explorer: &Explorer,
    request: &OfRun,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let (looked, walk) = walked(explorer, request, budget)?;
    let graph = Layers::new(walk.last(), looked.view.net.relations());
    let size = graph.vertices().len();
    if size > MOST_VERTICES {
        let message =
            format!("a picture of {size} vertices could not be read; {MOST_VERTICES} are drawn");
        return Err(Refusal::new(Code::TooLarge, message));
    }
    let title = format!("{} after {} steps", looked.view.net.name, walk.at);
    Ok(json!({ "svg": trace::layers_svg(&graph, &title) }))
}
