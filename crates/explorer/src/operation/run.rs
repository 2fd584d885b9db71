//! `run`: a run as lifelines.

use budget::Budget;
use serde_json::Value as Json;
use trace::{Record, ToldRun, Trace};

use super::{Looked, told, walked};
use crate::explorer::Explorer;
use crate::refusal::{Code, Refusal};
use crate::request::RunRequest;

pub(super) fn run(
    explorer: &Explorer,
    request: RunRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let (looked, trace) = trace(explorer, &request, budget)?;
    budget.check()?;
    told_run(&looked, &trace)
}

/// The answer for a trace.
pub(super) fn told_run(looked: &Looked, trace: &Trace) -> Result<Json, Refusal> {
    let positions = looked.generation.positions();
    let run = ToldRun::of(trace, &looked.view.net).with_positions(|name| positions.of_name(name));
    told(&run)
}

/// The trace that is asked about: the run, how it goes on, and what is known of what it shows.
pub(super) fn trace(
    explorer: &Explorer,
    request: &RunRequest,
    budget: &Budget,
) -> Result<(Looked, Trace), Refusal> {
    let (looked, walk) = walked(explorer, &request.of, budget)?;
    let shown = looked.view.shown(&request.of.run, request.property.as_deref());
    let mut trace = match shown {
        Some(shown) => Trace { run: walk.run(), back: None, ..shown },
        None => Trace::from(walk.run()),
    };
    if let Some(back) = &request.back {
        trace.back = Some(back.clone());
        let record = Record::of(&trace, &looked.view.net, request.property.as_deref());
        record.replay(&looked.view.net).map_err(|why| {
            Refusal::new(Code::Refused, format!("the run does not go on as `loop` says: {why}"))
        })?;
    }
    Ok((looked, trace))
}
