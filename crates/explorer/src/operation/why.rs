//! `why`: which threads can take a statement, and why the others cannot.

use budget::Budget;
use serde_json::Value as Json;
use trace::{Asked, ToldStatement, all_modes};

use super::{told, walked};
use crate::explorer::Explorer;
use crate::refusal::{Code, Refusal};
use crate::request::WhyRequest;

pub(super) fn why(
    explorer: &Explorer,
    request: &WhyRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let (looked, walk) = walked(explorer, &request.of, budget)?;
    let net = &looked.view.net;
    let modes = all_modes(net, walk.last(), budget)?;
    let (line, column) = (request.line, request.column);
    let of = |asked| ToldStatement::of(walk.longer(), walk.at, net, &modes, asked, budget);
    if let Some(statement) = of(Asked::Line(line, column))? {
        return told(&statement);
    }
    let positions = looked.generation.positions();
    if let Some((id, place)) = positions.transition_at(net, line, column)
        && let Some(statement) = of(Asked::Transition(id))?
    {
        return told(&statement.with_position(Some(place)));
    }
    Err(Refusal::new(Code::Refused, format!("there is no statement in line {line}")))
}
