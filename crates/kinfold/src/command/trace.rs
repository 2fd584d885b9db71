//! Runs, as text and as JSON.

use std::fmt::Write;

use kinfold::{Run, RunStep, mode_text};
use net::Net;
use net::interpret::Mode;
use serde_json::{Map, Value, json};

/// A run, step by step: what fired, who was born, and the state after it.
pub fn text(net: &Net, run: &Run) -> String {
    let mut text = format!("   0  {}\n", run.initial);
    for (i, step) in run.steps.iter().enumerate() {
        let born: Vec<String> = step.children.iter().map(ToString::to_string).collect();
        let born =
            if born.is_empty() { String::new() } else { format!("   born: {}", born.join(", ")) };
        writeln!(text, "{:>4}  {}{born}", i + 1, mode_text(net, &step.mode)).expect("no failure");
        writeln!(text, "      {}", step.state).expect("no failure");
    }
    text
}

pub fn json(net: &Net, run: &Run) -> Value {
    let step = |step: &RunStep| {
        json!({
            "transition": net.transition(step.mode.transition).name,
            "binding": binding(net, &step.mode),
            "spawned": step.children.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "state": step.state.to_json(),
        })
    };
    json!({
        "initial": run.initial.to_json(),
        "steps": run.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn binding(net: &Net, mode: &Mode) -> Map<String, Value> {
    let transition = net.transition(mode.transition);
    let name = |var: &net::Var| transition.variables[var.index()].name.clone();
    mode.binding.iter().map(|(var, value)| (name(var), value.to_json())).collect()
}
