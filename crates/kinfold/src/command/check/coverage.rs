//! What was seen of a model on the way: what never happened in it, and what kept growing.

use kinfold::{Coverage, Growth};
use serde_json::{Value as Json, json};

use super::report::{Report, word};
use crate::command::trace;

/// What is to be said in a report. That something never happens is known only if all states were seen; and
/// what grows is of interest only if a limit kept something from being decided.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(coverage) = &report.found.coverage {
        if coverage.complete {
            let [fired, marked] = names(report, coverage);
            for (what, names) in [("never fired", fired), ("never marked", marked)] {
                if !names.is_empty() {
                    lines.push(format!("{what}: {}", names.join(", ")));
                }
            }
        } else if !coverage.growth.is_empty()
            && report.found.unbounded.is_none()
            && report.found.outcomes.iter().any(|outcome| word(outcome) == "unknown")
        {
            lines.push(format!("still growing: {}", growing(coverage).join("; ")));
        }
    }
    if let Some(unbounded) = &report.found.unbounded {
        let place = &report.net.place(unbounded.place).name;
        lines.push(format!("UNBOUNDED: `{place}` can hold any number of tokens: in this run,"));
        lines.push(format!(
            "the steps after step {} can be repeated for ever, with more tokens each time",
            unbounded.from
        ));
        lines.push(trace::text(&report.net, &unbounded.run).trim_end().to_owned());
    }
    lines
}

/// For programs; `null` where states were not explored one by one.
pub(super) fn json(report: &Report) -> Json {
    let Some(coverage) = &report.found.coverage else { return Json::Null };
    let [never_fired, never_marked] = names(report, coverage);
    let unbounded = report.found.unbounded.as_ref().map(|unbounded| {
        json!({
            "place": &*report.net.place(unbounded.place).name,
            "repeat_from": unbounded.from,
            "trace": trace::json(&report.net, &unbounded.run),
        })
    });
    json!({
        "relations": coverage.relations.iter().map(|relation| relation.name()).collect::<Vec<_>>(),
        "states": coverage.states,
        "complete": coverage.complete,
        "never_fired": never_fired,
        "never_marked": never_marked,
        "growing": growing(coverage),
        "unbounded": unbounded,
    })
}

/// The transitions that never fired, and the places that were never marked.
fn names<'r>(report: &'r Report, coverage: &Coverage) -> [Vec<&'r str>; 2] {
    let net = &report.net;
    let transitions = coverage.never_fired.iter().map(|id| net.transition(*id).name.as_str());
    let places = coverage.never_marked.iter().map(|id| &*net.place(*id).name);
    [transitions.collect(), places.collect()]
}

fn growing(coverage: &Coverage) -> Vec<String> {
    let text = |g: &Growth| format!("{} (up to {}, then {})", g.what, g.before, g.after);
    coverage.growth.iter().map(text).collect()
}
