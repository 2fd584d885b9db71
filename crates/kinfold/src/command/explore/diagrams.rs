//! What `kinfold explore` says of sets in decision diagrams.

use std::fmt::Write;

use indicatif::{HumanBytes, HumanCount};
use kinfold::{DiagramForm, DiagramSurvey, NoDiagram};
use net::Net;
use num_bigint::BigUint;
use serde_json::{Value, json};

use super::SCHEMA_VERSION;
use crate::command::output::Output;
use crate::command::progress::peak_memory;
use crate::command::{Exit, Failure};

/// Reports a set that is complete, and why there is one, if that was not said by the user; as JSON, if
/// `diagnostics` are given, which are what was found in the text of the model.
pub fn run(
    net: &Net,
    survey: &DiagramSurvey,
    why: Option<&str>,
    diagnostics: Option<Value>,
) -> Result<Exit, Failure> {
    let output = match diagnostics {
        Some(diagnostics) => json(net, survey, why, diagnostics),
        None => text(net, survey, why),
    };
    Output::Stdout.write(output)?;
    Ok(Exit::Done)
}

/// Reports that a limit came first; as JSON, if `diagnostics` are given.
pub fn stopped(net: &Net, limit: &NoDiagram, diagnostics: Option<Value>) -> Result<Exit, Failure> {
    let output = if let Some(diagnostics) = diagnostics {
        let report = json!({
            "schema_version": SCHEMA_VERSION,
            "model": net.name,
            "diagnostics": diagnostics,
            "engine": "ddd",
            "states": null,
            "concrete_states": null,
            "concrete_edges": null,
            "max_tokens_in_marking": null,
            "max_tokens_in_place": null,
            "complete": false,
            "reason": limit.to_string(),
            "peak_memory_bytes": peak_memory(),
        });
        format!("{report:#}\n")
    } else {
        format!(
            "model {}\n\nINCOMPLETE: {limit}; of a set that is not complete nothing is known\n",
            net.name
        )
    };
    Output::Stdout.write(output)?;
    Ok(Exit::Incomplete)
}

/// A number as JSON, if it is small enough for readers of JSON; as a string otherwise.
fn number(number: &BigUint) -> Value {
    u64::try_from(number).map_or_else(|_| number.to_string().into(), Value::from)
}

fn form(survey: &DiagramSurvey) -> &'static str {
    match survey.form {
        DiagramForm::Markings => "symbolic",
        DiagramForm::Unfolded => "unfolded",
    }
}

fn json(net: &Net, survey: &DiagramSurvey, why: Option<&str>, diagnostics: Value) -> String {
    let census = survey.census.as_ref();
    let text = |count: fn(&unfold::DiagramCensus) -> String| census.map(count);
    let deadlocks = census.filter(|_| survey.form == DiagramForm::Unfolded);
    let report = json!({
        "schema_version": SCHEMA_VERSION,
        "model": net.name,
        "diagnostics": diagnostics,
        "engine": "ddd",
        "why": why,
        "form": form(survey),
        "states": number(&survey.states),
        "deadlocks": deadlocks.map(|census| number(&census.deadlocks)),
        "concrete_states": survey.concrete_states.to_string(),
        "concrete_edges": text(|census| census.edges.to_string()),
        "max_tokens_in_marking": text(|census| census.most_tokens.to_string()),
        "max_tokens_in_place": text(|census| census.most_in_place.to_string()),
        "final_nodes": survey.final_nodes,
        "peak_nodes": survey.peak_nodes,
        "average_share": survey.sharing.map(|(share, _)| share),
        "average_length": survey.sharing.map(|(_, length)| length),
        "complete": true,
        "reason": null,
        "seconds": survey.seconds,
        "peak_memory_bytes": peak_memory(),
    });
    format!("{report:#}\n")
}

fn text(net: &Net, survey: &DiagramSurvey, why: Option<&str>) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("strings do not fail");
    line(format!("model {}", net.name));
    let of = match survey.form {
        DiagramForm::Markings => "symbolic markings",
        DiagramForm::Unfolded => "markings of the unfolded net",
    };
    let why = why.map_or_else(String::new, |why| format!(", since {why}"));
    line(format!("the set of {of}, in a decision diagram{why}"));
    line(String::new());
    line(format!("states: {}", survey.states));
    if survey.form == DiagramForm::Markings {
        line(format!("concrete states: {}", survey.concrete_states));
    }
    if let Some(census) = &survey.census {
        line(format!("concrete edges: {}", census.edges));
        line(format!("concrete deadlocks: {}", census.deadlocks));
        line(format!("most tokens in a marking: {}", census.most_tokens));
        line(format!("most tokens in a place: {}", census.most_in_place));
    }
    line(String::new());
    let (last, most) = (survey.final_nodes as u64, survey.peak_nodes as u64);
    line(format!("nodes: {} in the end, at most {}", HumanCount(last), HumanCount(most)));
    if let Some((share, length)) = survey.sharing {
        line(format!("sharing saves {:.2} %; {length:.1} assignments per marking", 100.0 * share));
    }
    line(String::new());
    let memory =
        peak_memory().map_or_else(String::new, |bytes| format!(", memory {}", HumanBytes(bytes)));
    line(format!("complete ({:.2} s{memory})", survey.seconds));
    text
}
