//! Reports as JSON, for programs.

use kinfold::trace::{Access, Race, step_text};
use kinfold::{Evidence, Outcome, Verdict};
use serde_json::{Value as Json, json};

use super::findings::place_of;
use super::report::{Assertion, Report, evidence, remark};
use super::{Checked, Exit};
use crate::command::{load, trace};

/// The version of the JSON format.
const SCHEMA_VERSION: u32 = 1;

/// One model.
pub(super) fn model(checked: &Checked) -> Json {
    let mut json = match &checked.result {
        Ok(report) => found(report),
        Err(failure) => json!({
            "error": failure.message.trim_end(),
            "diagnostics": load::json(&failure.diagnostics),
        }),
    };
    identify(&mut json, checked);
    json["status"] = (checked.exit() as u8).into();
    json
}

/// Says which model it is.
fn identify(json: &mut Json, checked: &Checked) {
    let set = checked.job.set.iter().map(|one| (one.name.clone(), one.value.clone().into()));
    json["schema_version"] = SCHEMA_VERSION.into();
    json["file"] = checked.job.file().into();
    json["set"] = Json::Object(set.collect());
}

/// What was covered of one model, or of several.
pub(super) fn coverage(all: &[Checked], several: bool) -> String {
    let one = |checked: &Checked| {
        let mut json = checked.result.as_ref().map_or(json!({}), Report::coverage);
        identify(&mut json, checked);
        json
    };
    let mut list: Vec<Json> = all.iter().map(one).collect();
    let json = match several {
        true => json!({ "schema_version": SCHEMA_VERSION, "models": list }),
        false => list.remove(0),
    };
    format!("{json:#}\n")
}

/// Several models.
pub(super) fn list(all: &[Checked]) -> String {
    let json = json!({
        "schema_version": SCHEMA_VERSION,
        "models": all.iter().map(model).collect::<Vec<_>>(),
        "status": Exit::most_severe(all.iter().map(Checked::exit)) as u8,
    });
    format!("{json:#}\n")
}

fn found(report: &Report) -> Json {
    json!({
        "model": report.net.name,
        "note": report.note,
        "diagnostics": load::json(&report.warnings),
        "assumed": report.assumed,
        "fairness": report.fairness(),
        "full": report.full,
        "projected": report.found.projected,
        "reductions": report.found.reductions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "relations": report.relations.iter().map(|relation| relation.name()).collect::<Vec<_>>(),
        "properties": report.found.outcomes.iter().map(|outcome| property(report, outcome)).collect::<Vec<_>>(),
        "assertion": report.assertion.as_ref().map(|assertion| json!({
            "message": assertion.message,
            "depends_on": assertion.tested,
            "line": place_of(report, assertion).map(|site| site.line),
            "column": place_of(report, assertion).map(|site| site.column),
            "mode": assertion.trace.as_ref().and_then(|trace| {
                let (_, mode) = trace.failure.as_ref()?;
                Some(step_text(&report.net, trace.run.last(), mode))
            }),
            "trace": assertion.trace.as_ref().map(|trace| trace.json(&report.net, Some(Assertion::NAME))),
        })),
        "unshown": report.found.unshown.map(|why| why.to_string()),
        "fault": report.found.fault.as_ref().filter(|fault| !fault.is_failure).map(|fault| {
            let shown = fault.shown.as_ref().ok();
            json!({
                "message": fault.message,
                "mode": shown.map(|(mode, run)| step_text(&report.net, run.last(), mode)),
                "trace": shown.map(|(_, run)| trace::json(&report.net, run)),
            })
        }),
        "coverage": report.coverage(),
        "seconds": report.seconds,
    })
}

fn property(report: &Report, outcome: &Outcome) -> Json {
    let evidence = evidence(outcome);
    let followed = evidence.and_then(|evidence| evidence.followed.as_ref());
    json!({
        "name": outcome.name,
        "text": outcome.text,
        "verdict": outcome.verdict.word(),
        "vacuous": matches!(outcome.verdict, Verdict::Holds { vacuously: true, .. }),
        "depends_on": match &outcome.verdict {
            Verdict::Depends { on, .. } => Some(on),
            _ => None,
        },
        "remark": remark(&report.net, outcome),
        "states": outcome.states,
        "followed": followed.map(|(name, pid)| json!({ "variable": name, "thread": pid.to_string() })),
        "hopeless": evidence.map_or(Json::Null, |evidence| hopeless(report, evidence)),
        "races": evidence.map_or(Json::Null, |evidence| races(report, evidence)),
        "trace": evidence.map(|evidence| evidence.trace.json(&report.net, Some(&outcome.name))),
    })
}

/// Who races for what, if that is what the run shows.
fn races(report: &Report, evidence: &Evidence) -> Json {
    let access = |access: &Access| {
        json!({
            "thread": access.thread.to_string(),
            "name": access.name,
            "at": access.at,
            "line": access.line,
            "access": if access.writes { "write" } else { "read" },
        })
    };
    let race = |race: &Race| {
        json!({
            "summary": race.summary(),
            "location": race.location,
            "accesses": race.accesses.iter().map(access).collect::<Vec<_>>(),
        })
    };
    let races: Vec<Json> = evidence.trace.told_races(&report.net).iter().map(race).collect();
    if races.is_empty() { Json::Null } else { races.into() }
}

/// The threads that are stuck, or can never end, where they are, and who of them waits for what.
fn hopeless(report: &Report, evidence: &Evidence) -> Json {
    let Some(hopeless) = &evidence.trace.hopeless else { return Json::Null };
    let net = &report.net;
    let told = evidence.trace.told(net);
    let last = told.run.last();
    let threads = hopeless.whereabouts(net, last).into_iter();
    json!({
        "summary": hopeless.summary(net, last),
        "threads": threads.map(|one| json!({
            "thread": one.thread.to_string(),
            "process": one.process,
            "at": one.at,
            "line": one.line.map(|(line, _)| line),
            "column": one.line.map(|(_, column)| column),
        })).collect::<Vec<_>>(),
        "waits": hopeless.waits(net, last).iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
