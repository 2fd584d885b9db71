//! Runs without the steps that they do not need.
//!
//! A run that a search with stubborn sets has found is a shortest one of those that are left. Others may have moved on
//! it who had nothing to do with what it shows. So each step is left out in turn, the last first, if those after it can
//! be executed all the same, by the same threads with the same values, and what a property looks at is the same in the
//! end. What is left is shorter; it need not be shortest. A run to a deadlock is not looked at: it has the same steps as
//! a shortest one, in another order.
//!
//! Cost: as many executions of a step as the run has steps, times their number, up to [`MOST`].

use budget::Budget;
use net::interpret::{fire, modes};
use net::{Net, PlaceId};
use state::State;
use trace::{Run, RunStep};

/// Steps that are executed, at most.
const MOST: usize = 20_000;

/// A run that leaves the same in some places, without the steps that it does not need for that.
pub(crate) fn shortened(net: &Net, mut run: Run, places: &[PlaceId], budget: &Budget) -> Run {
    let mut executed = 0;
    for at in (0..run.steps.len()).rev() {
        if executed > MOST || budget.is_exhausted() {
            break;
        }
        executed += run.steps.len() - at;
        if let Some(shorter) = without(net, &run, at)
            && are_alike(net, places, shorter.last(), run.last())
        {
            run = shorter;
        }
    }
    run
}

/// The run without a step, if that can be executed.
fn without(net: &Net, run: &Run, at: usize) -> Option<Run> {
    let mut state = run.state(at).clone();
    let mut after = Vec::new();
    for RunStep { mode, children, .. } in &run.steps[at + 1..] {
        if !modes(net, &state, mode.transition).ok()?.contains(mode) {
            return None;
        }
        let step = fire(net, &state, mode).ok()?;
        if step.children != *children {
            return None;
        }
        state.clone_from(&step.state);
        after.push(RunStep { mode: mode.clone(), children: step.children, state: step.state });
    }
    let steps = run.steps[..at].iter().cloned().chain(after).collect();
    Some(Run { initial: run.initial.clone(), steps })
}

/// Whether the same tokens are in some places of two states.
fn are_alike(net: &Net, places: &[PlaceId], one: &State, other: &State) -> bool {
    places.iter().all(|place| {
        let name = &net.place(*place).name;
        one.tokens(name).eq(other.tokens(name))
    })
}
