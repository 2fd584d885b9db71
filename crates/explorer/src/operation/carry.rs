//! `carry`: what is left of a run in the newest text.
//!
//! A step is the same in another text if the same threads do the same by the same statement, or in a net by the
//! transition of the same name with the same values for the variables that both have. Where several steps are, that is
//! taken whose transition and values agree most. Lines do not matter: they change with every edit.

use std::cmp::Reverse;

use budget::Budget;
use net::interpret;
use serde_json::{Value as Json, json};
use trace::{Record, RecordStep, Run, RunStep, Trace, all_modes};

use crate::explorer::Explorer;
use crate::refusal::{Code, Refusal};
use crate::request::CarryRequest;
use crate::view::View;
use crate::walks::{Going, MOST_STEPS};

pub(super) fn carry(
    explorer: &Explorer,
    request: &CarryRequest,
    budget: &Budget,
) -> Result<Json, Refusal> {
    let model = explorer.model(&request.model)?;
    let newest = model.newest();
    let steps = match (&request.generation, &request.run, &request.trace) {
        (Some(number), Some(run), None) => {
            let generation = model.generation(*number).ok_or_else(|| {
                let message =
                    format!("generation {number} of `{}` is not known any more", request.model);
                Refusal::new(Code::Outdated, message).with("generation", newest.number)
            })?;
            let view = match &request.with {
                None => generation.view()?.clone(),
                Some(text) => generation.typed(text)?.view.clone(),
            };
            let run = view.walk(run, budget)?.run();
            Record::of(&Trace::from(run), &view.net, None).steps
        }
        (None, None, Some(trace)) => {
            let record: Result<Record, _> = serde_json::from_value(trace.clone());
            let record = record.map_err(|error| {
                Refusal::new(Code::BadRequest, format!("`trace` cannot be read: {error}"))
            })?;
            record.steps
        }
        _ => {
            let message = "`carry` takes `generation` and `run`, or `trace` alone";
            return Err(Refusal::new(Code::BadRequest, message));
        }
    };
    // Where the text for which the run was is wrong now, the run goes on in the model itself.
    let typed = request.with.as_ref().and_then(|text| newest.typed(text).ok());
    let (view, with) = match typed {
        Some(typed) => (typed.view.clone(), typed.with.clone()),
        None => (newest.view()?.clone(), None),
    };
    let Carried { numbers, why } = carried(&view, &steps, budget)?;
    Ok(json!({
        "lost": steps.len() - numbers.len(),
        "run": numbers,
        "why": why,
        "with": with,
        "generation": newest.number,
    }))
}

/// What is left of a run.
pub(super) struct Carried {
    pub(super) numbers: Vec<u32>,
    /// Why it does not go on.
    pub(super) why: Option<String>,
}

/// The longest beginning of a run that is possible in a net.
pub(super) fn carried(
    view: &View,
    steps: &[RecordStep],
    budget: &Budget,
) -> Result<Carried, Refusal> {
    if steps.len() > MOST_STEPS {
        let message = format!("no run of more than {MOST_STEPS} steps is walked");
        return Err(Refusal::new(Code::TooLarge, message));
    }
    let mut going = view.going(&[], budget)?;
    let mut why = None;
    for (at, wanted) in steps.iter().enumerate() {
        if let Err(reason) = same_step(view, &mut going, wanted, budget)? {
            why = Some(format!("step {at}, {}: {reason}", name(wanted)));
            break;
        }
    }
    Ok(Carried { numbers: going.numbers().to_vec(), why })
}

/// Goes on by the step that is the same as a recorded one, or says why there is none.
fn same_step(
    view: &View,
    going: &mut Going,
    wanted: &RecordStep,
    budget: &Budget,
) -> Result<Result<(), String>, Refusal> {
    let net = &view.net;
    let modes = match all_modes(net, going.last(), budget)? {
        Ok(modes) => modes,
        Err(fault) => return Ok(Err(fault.kind.describe(net))),
    };
    let mut best = None;
    let mut fault = None;
    for (number, mode) in modes.iter().enumerate() {
        budget.check()?;
        let initial = going.last().clone();
        let fired = match interpret::fire(net, &initial, mode) {
            Ok(fired) => fired,
            Err(why) => {
                if net.transition(mode.transition).name == wanted.transition {
                    fault.get_or_insert_with(|| why.kind.describe(net));
                }
                continue;
            }
        };
        let step = RunStep { mode: mode.clone(), children: fired.children, state: fired.state };
        let alone = Trace::from(Run { initial, steps: vec![step] });
        let Some(step) = Record::of(&alone, net, None).steps.pop() else { continue };
        if let Some(likeness) = likeness(&step, wanted) {
            best = best.max(Some((likeness, Reverse(number as u32))));
        }
    }
    Ok(match (best, fault) {
        (Some((_, Reverse(number))), _) => {
            going.go(modes, number)?;
            Ok(())
        }
        (None, Some(fault)) => Err(fault),
        (None, None) => Err(absence(view, wanted)),
    })
}

/// How much a step is like another, if it is the same.
fn likeness(step: &RecordStep, wanted: &RecordStep) -> Option<(bool, bool, usize)> {
    let same_name = step.transition == wanted.transition;
    let shared =
        step.binding.iter().filter_map(|(name, value)| Some((value, wanted.binding.get(name)?)));
    let equal = shared.clone().filter(|(one, other)| one == other).count();
    let is_same = match (step.acts.is_empty(), wanted.acts.is_empty()) {
        (false, false) => {
            let acts = |step: &RecordStep| -> Vec<_> {
                let acts = step.acts.iter();
                acts.map(|act| (act.process.clone(), act.thread.clone(), act.statement.clone()))
                    .collect()
            };
            acts(step) == acts(wanted)
        }
        (true, true) => same_name && equal == shared.count(),
        _ => false,
    };
    is_same.then_some((step.state == wanted.state, same_name, equal))
}

/// Why a step is not there.
fn absence(view: &View, wanted: &RecordStep) -> String {
    let net = &view.net;
    let is_known = match wanted.acts.first() {
        Some(act) => net.listing.as_ref().is_some_and(|listing| {
            let own = listing.statements.iter().flatten().chain(listing.partners.values());
            { own }.any(|line| line.text == act.statement)
        }),
        None => net.transitions.iter().any(|one| one.name == wanted.transition),
    };
    match (is_known, wanted.acts.is_empty()) {
        (true, _) => "it cannot be taken there any more".into(),
        (false, true) => "there is no such transition any more".into(),
        (false, false) => "there is no such statement any more".into(),
    }
}

/// What a recorded step is called.
fn name(step: &RecordStep) -> String {
    match step.acts.first() {
        Some(act) => format!("`{}` by {} {}", act.statement, act.process, act.thread),
        None => format!("`{}`", step.transition),
    }
}
