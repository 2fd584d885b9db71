//! What stands above properties: to check them, and what was found.

use std::collections::HashSet;

use lang::names::{Definition, NameKind};
use lsp_types::{CodeLens, Command};
use serde_json::json;

use crate::checks::Verdict;
use crate::document::Document;

const CHECK: &str = "kinfold.check";
const SHOW_RUN: &str = "kinfold.showRun";
const STOP: &str = "kinfold.stop";

/// The lenses of a document; `checking` are the properties being checked, where none named means all.
pub(crate) fn lenses(document: &mut Document, checking: Option<&[String]>) -> Vec<CodeLens> {
    if document.is_prelude() {
        return Vec::new();
    }
    let analysis = document.analysis();
    let mut lenses = Vec::new();
    let all = || analysis.names.definitions.iter().filter(|one| !one.in_prelude);
    let written = all().filter(|one| one.kind == NameKind::Property);
    let written: HashSet<&str> = written.map(|one| one.name.as_str()).collect();
    for definition in all() {
        match definition.kind {
            NameKind::Property => {
                let name = definition.name.as_str();
                let is_checked =
                    |names: &[String]| names.is_empty() || names.iter().any(|one| one == name);
                let is_checked = checking.is_some_and(is_checked);
                lenses.extend(of_property(document, name, definition.span.clone(), is_checked));
            }
            NameKind::Model => {
                lenses.extend(of_model(document, definition, &written, checking.is_some()));
            }
            _ => {}
        }
    }
    lenses
}

fn lens(
    document: &Document,
    span: std::ops::Range<usize>,
    title: String,
    command: &str,
    property: Option<&str>,
) -> CodeLens {
    let mut arguments = vec![json!(document.uri.as_str())];
    arguments.extend(property.map(|property| json!(property)));
    let command = Command::new(title, command.to_owned(), Some(arguments));
    CodeLens { range: document.range(span), command: Some(command), data: None }
}

fn of_property(
    document: &Document,
    name: &str,
    span: std::ops::Range<usize>,
    is_checked: bool,
) -> Vec<CodeLens> {
    let make =
        |title: String, command: &str| lens(document, span.clone(), title, command, Some(name));
    let mut lenses = Vec::new();
    if let Some(verdict) = document.verdicts.get(name) {
        lenses.push(make(title(verdict), CHECK));
        if !verdict.steps.is_empty() {
            lenses.push(make(format!("show run ({})", verdict.steps.len()), SHOW_RUN));
        }
    } else if is_checked {
        lenses.push(make("checking…".to_owned(), STOP));
    } else {
        lenses.push(make("check".to_owned(), CHECK));
    }
    lenses
}

/// Of the whole model: all properties, and what is wrong with the model itself.
fn of_model(
    document: &Document,
    model: &Definition,
    written: &HashSet<&str>,
    is_checked: bool,
) -> Vec<CodeLens> {
    let span = model.span.clone();
    let make =
        |title: &str, command: &str| lens(document, span.clone(), title.to_owned(), command, None);
    let mut lenses = vec![match is_checked {
        true => make("checking…", STOP),
        false => make("check all", CHECK),
    }];
    for (name, verdict) in &document.verdicts {
        // Those that the text has are shown there.
        if !written.contains(name.as_str()) {
            let title = format!("{name}: {}", title(verdict));
            lenses.push(lens(document, span.clone(), title, CHECK, None));
            if !verdict.steps.is_empty() {
                let title = format!("show run ({})", verdict.steps.len());
                lenses.push(lens(document, span.clone(), title, SHOW_RUN, Some(name)));
            }
        }
    }
    lenses
}

fn title(verdict: &Verdict) -> String {
    match verdict.word.as_str() {
        "holds" => "✓ holds".to_owned(),
        "fails" => "✗ fails".to_owned(),
        "refused" => "refused".to_owned(),
        _ => "? not known".to_owned(),
    }
}
