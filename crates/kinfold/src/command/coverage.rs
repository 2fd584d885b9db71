//! What was seen of a model when its states were explored one by one: what never happened in it, and what
//! kept growing.

use kinfold::trace::{never_executed, told_place};
use kinfold::{Coverage, Growth, Unbounded};
use net::{Net, TransitionId};
use serde_json::{Value as Json, json};

use super::trace;

/// What never happened, as far as was seen: a line for transitions, and one for places; of processes one for each
/// statement.
pub fn never(net: &Net, coverage: &Coverage) -> Vec<String> {
    if let Some(statements) = never_executed(net, &coverage.never_fired) {
        let statements = statements.into_iter();
        return statements.map(|statement| format!("never executed: {statement}")).collect();
    }
    let [fired, marked] = names(net, coverage);
    let lines = [("never fired", fired), ("never marked", marked)].into_iter();
    let lines = lines.filter(|(_, names)| !names.is_empty());
    lines.map(|(what, names)| format!("{what}: {}", names.join(", "))).collect()
}

/// What was still rising when a limit was reached.
pub fn growing(coverage: &Coverage) -> Option<String> {
    let growing = growth(coverage);
    (!growing.is_empty()).then(|| format!("still growing: {}", growing.join("; ")))
}

/// How a net grows without bound.
pub fn unbounded(net: &Net, unbounded: &Unbounded) -> String {
    let Unbounded { place, run, from } = unbounded;
    let how = match run {
        Ok(run) => format!(
            "in this run,\nthe steps after step {from} can be repeated for ever, with more tokens \
             each time\n{}",
            trace::text(net, run).trim_end()
        ),
        Err(why) => format!("the run is not shown: {why}"),
    };
    match told_place(net, *place) {
        Some(what) => format!("there can be any number of {what}: {how}"),
        None => format!("`{}` can hold any number of tokens: {how}", net.place(*place).name),
    }
}

/// All of it, for programs.
pub fn json(net: &Net, coverage: &Coverage, unbounded: Option<&Unbounded>) -> Json {
    let [never_fired, never_marked] = names(net, coverage);
    let unbounded = unbounded.map(|unbounded| {
        json!({
            "place": &*net.place(unbounded.place).name,
            "repeat_from": unbounded.from,
            "trace": unbounded.run.as_ref().ok().map(|run| trace::json(net, run)),
        })
    });
    let mut json = json!({
        "relations": coverage.relations.iter().map(|relation| relation.name()).collect::<Vec<_>>(),
        "states": coverage.states,
        "complete": coverage.complete,
        "never_fired": never_fired,
        "never_marked": never_marked,
        "growing": growth(coverage),
        "unbounded": unbounded,
    });
    if let Some(statements) = never_executed(net, &coverage.never_fired) {
        json["never_executed"] = statements.into();
    }
    json
}

/// The transitions that never fired, and the places that were never marked.
fn names<'n>(net: &'n Net, coverage: &Coverage) -> [Vec<&'n str>; 2] {
    // What is declared as one transition has fired if one of its copies has.
    let never = &coverage.never_fired;
    let all = |id: &TransitionId| net.copies(*id).iter().all(|copy| never.contains(copy));
    let declared = never.iter().filter(|id| net.first_copy(**id) == **id && all(id));
    let transitions = declared.map(|id| net.transition(*id).name.as_str());
    let places = coverage.never_marked.iter().map(|id| &*net.place(*id).name);
    [transitions.collect(), places.collect()]
}

fn growth(coverage: &Coverage) -> Vec<String> {
    coverage.growth.iter().map(Growth::to_string).collect()
}
