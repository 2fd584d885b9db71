//! What was seen of a model when its states were explored one by one: what never happened in it, and what
//! kept growing.

use kinfold::{Coverage, Growth, Unbounded};
use net::Net;
use serde_json::{Value as Json, json};

use super::trace;

/// What never happened, as far as was seen: a line for transitions, and one for places; of processes a line for
/// statements.
pub fn never(net: &Net, coverage: &Coverage) -> Vec<String> {
    if let Some(listing) = &net.listing {
        let lines = listing.never_reached(net, &coverage.never_fired).into_iter();
        let lines: Vec<String> = lines.map(|line| format!("{line} `{}`", line.text)).collect();
        let never = (!lines.is_empty()).then(|| format!("never reached: {}", lines.join(", ")));
        return never.into_iter().collect();
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
    format!("`{}` can hold any number of tokens: {how}", net.place(*place).name)
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
    json!({
        "relations": coverage.relations.iter().map(|relation| relation.name()).collect::<Vec<_>>(),
        "states": coverage.states,
        "complete": coverage.complete,
        "never_fired": never_fired,
        "never_marked": never_marked,
        "never_reached": net.listing.as_ref().map(|listing| {
            let lines = listing.never_reached(net, &coverage.never_fired).into_iter();
            lines.map(|line| json!({ "line": line.line, "statement": line.text })).collect::<Vec<_>>()
        }),
        "growing": growth(coverage),
        "unbounded": unbounded,
    })
}

/// The transitions that never fired, and the places that were never marked.
fn names<'n>(net: &'n Net, coverage: &Coverage) -> [Vec<&'n str>; 2] {
    let transitions = coverage.never_fired.iter().map(|id| net.transition(*id).name.as_str());
    let places = coverage.never_marked.iter().map(|id| &*net.place(*id).name);
    [transitions.collect(), places.collect()]
}

fn growth(coverage: &Coverage) -> Vec<String> {
    let text = |g: &Growth| format!("{} (up to {}, then {})", g.what, g.before, g.after);
    coverage.growth.iter().map(text).collect()
}
