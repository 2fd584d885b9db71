//! `way`: a run to a class.

use budget::Budget;
use serde_json::{Value as Json, json};
use trace::all_modes;

use super::Looked;
use crate::classes::Table;
use crate::explorer::Explorer;
use crate::refusal::{Code, Refusal};
use crate::request::WayRequest;
use crate::view::View;

pub(super) fn way(
    explorer: &Explorer,
    request: &WayRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let Looked { view, .. } = Looked::at(explorer, &request.subject)?;
    let classes = view.classes();
    if classes.table().class(request.class).is_none() {
        let message = format!("there is no state {} so far", request.class);
        return Err(Refusal::new(Code::NoSuchClass, message));
    }
    if let Some(run) = &request.run {
        let walk = view.walk(run, budget)?;
        let from = classes.of_state(walk.last());
        let way = from.and_then(|from| classes.table().way(from, request.class));
        if let Some(way) = way {
            return Ok(json!({ "run": along(&view, run, &way, budget)? }));
        }
    }
    let way = classes.table().way(Table::INITIAL, request.class);
    match way {
        Some(way) => Ok(json!({ "run": along(&view, &[], &way, budget)? })),
        None => Err(Refusal::new(
            Code::Refused,
            format!("no way to state {} is known; grow the graph between", request.class),
        )),
    }
}

/// A run that goes on from another through these classes, executed by the plain interpreter.
fn along(view: &View, numbers: &[u32], way: &[u32], budget: &Budget) -> Result<Vec<u32>, Refusal> {
    let classes = view.classes();
    let mut going = view.going(numbers, budget)?;
    for id in way {
        let target = classes.table().class(*id).map(|class| class.bytes.clone());
        let modes = all_modes(&view.net, going.last(), budget)?.unwrap_or_default();
        let number = modes.iter().position(|mode| {
            let fired = net::interpret::fire(&view.net, going.last(), mode);
            fired.is_ok_and(|step| Some(&*classes.bytes(&step.state)) == target.as_deref())
        });
        budget.check()?;
        let number = number.ok_or_else(|| {
            Refusal::new(Code::Internal, format!("the interpreter does not come to class {id}"))
        })?;
        going.go(modes, number as u32)?;
    }
    Ok(going.numbers().to_vec())
}
