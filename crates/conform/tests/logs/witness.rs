//! Whether a run explains a log, step by step.

use std::collections::{BTreeMap, BTreeSet};

use conform::Explained;
use net::interpret;
use net::{Kind, Net};
use state::Value;

use crate::log::{Case, is_named, is_there, value_of};

/// Checks that it is a run of the net, that its logged steps are the events in an order that they allow, and that the
/// names can be given to those who take part, each to one.
pub fn check(net: &Net, case: &Case, explained: &Explained) -> Result<(), String> {
    let run = &explained.trace.run;
    if run.initial != interpret::initial(net) {
        return Err("it starts elsewhere".into());
    }
    let mut state = run.initial.clone();
    let mut happened = BTreeSet::new();
    // Who has a name now, and all that were ever had, with nobody for those who are gone.
    let mut bearers: BTreeMap<(Kind, String), Option<Value>> = BTreeMap::new();
    for (step, line) in run.steps.iter().zip(&explained.lines) {
        let id = step.mode.transition;
        let modes = interpret::modes(net, &state, id).map_err(|_| "a fault")?;
        if !modes.contains(&step.mode) {
            return Err(format!("{:?} is no mode", step.mode));
        }
        let fired = interpret::fire(net, &state, &step.mode).map_err(|_| "a fault")?;
        if fired.state != step.state || fired.children != step.children {
            return Err("a step leads elsewhere".into());
        }
        match line {
            None if !case.unlogged.contains(&id.0) => {
                return Err("a logged step has no event".into());
            }
            None => {}
            Some(line) => {
                let number = *line as usize - 1;
                let before = (0..case.events.len()).filter(|&one| case.is_before(one, number));
                if !happened.insert(number)
                    || !before.into_iter().all(|one| happened.contains(&one))
                {
                    return Err(format!("line {line} comes too early, or twice"));
                }
                let event = &case.events[number];
                let readings = case.readings(event);
                let Some((_, said)) = readings.iter().find(|(other, _)| *other == id) else {
                    return Err(format!("line {line} is not of that transition"));
                };
                for (var, json) in said {
                    let value = value_of(net, &step.mode, &fired, *var).ok_or("no value")?;
                    let kind = net.transition(id).variables[var.index()].kind;
                    let text = match (&value, json.as_str()) {
                        (Value::None, _) => "null".to_owned(),
                        (_, Some(name)) if is_named(net, kind) => {
                            let own = bearers
                                .entry((kind, name.to_owned()))
                                .or_insert(Some(value.clone()));
                            if *own != Some(value.clone()) {
                                return Err(format!("`{name}` is said of two"));
                            }
                            continue;
                        }
                        (Value::Enum(member), _) => format!("{:?}", &**member),
                        (other, _) => other.to_string(),
                    };
                    let said = json.to_string();
                    if text != said {
                        return Err(format!("line {line} says {json} of {text}"));
                    }
                }
            }
        }
        for ((kind, name), bearer) in &bearers {
            let others = bearers.iter().filter(|((of, other), _)| of == kind && other != name);
            if bearer.is_some() && others.into_iter().any(|(_, other)| other == bearer) {
                return Err("two names are said of one".into());
            }
        }
        state = step.state.clone();
        for bearer in bearers.values_mut() {
            let is_member = matches!(bearer, Some(Value::Enum(_)));
            if !is_member && bearer.as_ref().is_some_and(|value| !is_there(&state, value)) {
                *bearer = None;
            }
        }
        if case.reuse {
            bearers.retain(|_, bearer| bearer.is_some());
        }
    }
    match happened.len() == case.events.len() {
        true => Ok(()),
        false => Err("an event is not explained".into()),
    }
}
