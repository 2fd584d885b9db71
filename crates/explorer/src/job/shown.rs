//! Runs that show something, as numbers of steps.

use budget::{Budget, Exhausted};
use net::Net;
use net::interpret;
use trace::{Run, all_modes};

/// The numbers of the steps of a run, found by the plain interpreter; none if it is not a run that can be walked, since
/// looking for steps goes wrong on the way.
///
/// # Errors
/// If the budget is used up before.
pub(super) fn numbers(
    net: &Net,
    run: &Run,
    budget: &Budget,
) -> Result<Option<Vec<u32>>, Exhausted> {
    let mut numbers = Vec::new();
    for (at, step) in run.steps.iter().enumerate() {
        let state = run.state(at);
        let Ok(modes) = all_modes(net, state, budget)? else { return Ok(None) };
        let leads_there = |mode: &interpret::Mode| {
            interpret::fire(net, state, mode).is_ok_and(|fired| fired.state == step.state)
        };
        let same = modes.iter().position(|mode| *mode == step.mode);
        let same = same.or_else(|| {
            modes
                .iter()
                .position(|mode| mode.transition == step.mode.transition && leads_there(mode))
        });
        let Some(number) = same else { return Ok(None) };
        numbers.push(number as u32);
    }
    Ok(Some(numbers))
}
