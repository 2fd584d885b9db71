//! Findings as SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS. A run that shows a
//! finding is a code flow, each step at the transition that fires.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use kinfold::Trace;
use kinfold::trace::step_text;
use serde_json::{Value as Json, json};

use super::Checked;
use super::findings::{Finding, Level, Place, RULES, findings, in_model, place};
use super::report::Report;
use crate::command::manual;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn document(all: &[Checked]) -> String {
    let found: Vec<(&Checked, Finding)> = all
        .iter()
        .flat_map(|checked| findings(checked).into_iter().map(move |finding| (checked, finding)))
        .collect();
    let driver = json!({
        "name": "kinfold",
        "version": env!("CARGO_PKG_VERSION"),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": rules(&found),
    });
    let json = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": found.iter().map(|(checked, one)| result(checked, one)).collect::<Vec<_>>(),
        }],
    });
    format!("{json:#}\n")
}

/// The kinds of findings that there are, described.
fn rules(found: &[(&Checked, Finding)]) -> Vec<Json> {
    let used: BTreeSet<&str> = found.iter().map(|(_, finding)| finding.rule).collect();
    let rule = |id: &&str| match RULES.iter().find(|(name, _)| name == id) {
        Some((_, meaning)) => json!({ "id": id, "shortDescription": { "text": meaning } }),
        None => {
            let meaning = manual::explanation(id).map(|one| (one.title, one.text));
            let (title, text) = meaning.unwrap_or(("A mistake in the text of a model.", ""));
            json!({
                "id": id,
                "shortDescription": { "text": title },
                "fullDescription": { "text": text.trim_end() },
            })
        }
    };
    used.iter().map(rule).collect()
}

fn result(checked: &Checked, finding: &Finding) -> Json {
    let message = match finding.property {
        Some(_) => format!("{}: {}", finding.title, finding.message),
        None => finding.message.clone(),
    };
    let mut json = json!({
        "ruleId": finding.rule,
        "level": match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
        },
        "message": { "text": message },
        "locations": [{ "physicalLocation": physical(finding.file.as_deref(), finding.place) }],
    });
    if let Some(name) = finding.property {
        let location = json!({ "name": name, "kind": "member" });
        json["locations"][0]["logicalLocations"] = json!([location]);
    }
    if let Some((report, trace)) = finding.run {
        json["codeFlows"] = json!([code_flow(report, trace, checked.job.path())]);
    }
    json
}

fn code_flow(report: &Report, trace: &Trace, model: Option<&Path>) -> Json {
    let net = &report.net;
    let steps = trace.run.steps.iter().enumerate().map(|(number, step)| {
        let origin = net.transition(step.mode.transition).origin;
        let site = trace.site(net, number).or_else(|| place(report, origin));
        let (file, place) = in_model(model, site);
        json!({ "location": {
            "physicalLocation": physical(file.as_deref(), place),
            "message": { "text": step_text(net, trace.run.state(number), &step.mode) },
        } })
    });
    let steps: Vec<Json> = steps.collect();
    // There must be a location, also where nothing has to happen.
    let start = || {
        let message = json!({ "text": "the initial state" });
        json!({ "location": { "physicalLocation": physical(model, None), "message": message } })
    };
    let steps = if steps.is_empty() { vec![start()] } else { steps };
    json!({ "message": { "text": trace.text(net).trim_end() }, "threadFlows": [{ "locations": steps }] })
}

fn physical(file: Option<&Path>, place: Option<Place>) -> Json {
    let (line, column) = place.unwrap_or((1, 1));
    json!({
        "artifactLocation": { "uri": file.map_or_else(|| "stdin".into(), uri) },
        "region": { "startLine": line, "startColumn": column },
    })
}

/// A path as a URI: relative if the path is.
fn uri(path: &Path) -> String {
    let encoded = |text: &str| {
        let mut encoded = String::new();
        for byte in text.bytes() {
            match byte {
                b'-' | b'.' | b'_' | b'~' => encoded.push(byte as char),
                byte if byte.is_ascii_alphanumeric() => encoded.push(byte as char),
                byte => encoded += &format!("%{byte:02X}"),
            }
        }
        encoded
    };
    let parts = path.components().filter_map(|component| match component {
        Component::RootDir => Some("file://".to_owned()),
        Component::CurDir => None,
        other => Some(encoded(&other.as_os_str().to_string_lossy())),
    });
    parts.collect::<Vec<_>>().join("/")
}
