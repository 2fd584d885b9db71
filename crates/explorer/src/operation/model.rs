//! `model`: its text, what was found in it, and what there is in it.

use std::collections::BTreeSet;

use diagnostics::{Diagnostic, Report, Severity};
use net::Net;
use net::listing::Listed;
use serde_json::{Map, Value as Json, json};

use crate::explorer::{Explorer, Host};
use crate::markup;
use crate::model::Generation;
use crate::place::Lines;
use crate::reading::Format;
use crate::refusal::Refusal;
use crate::request::Subject;
use crate::statements;

pub(super) fn model(explorer: &Explorer, subject: &Subject) -> Result<Json, Refusal> {
    let generation = explorer.generation(subject)?;
    Ok(told(explorer, &subject.model, &generation))
}

/// The answer for a generation.
pub(super) fn told(explorer: &Explorer, name: &str, generation: &Generation) -> Json {
    let lines = Lines::of(&generation.text);
    let net = generation.view().ok().map(|view| &*view.net);
    let is_processes = net.is_some_and(|net| net.listing.is_some());
    let kind = match generation.format {
        Format::Pnml => "pnml",
        Format::Go => "processes",
        Format::Kin if is_processes => "processes",
        Format::Kin => "net",
    };
    let reports = generation.reports.iter();
    let diagnostics = reports.flatten().map(|one| diagnostic(one, generation, &lines));
    let mut told = Map::new();
    let mut say = |field: &str, value: Json| told.insert(field.to_owned(), value);
    say("name", name.into());
    say("file", generation.file.clone().into());
    say("generation", generation.number.into());
    say("kind", kind.into());
    say("source", generation.text.clone().into());
    say("tokens", json!(highlights(generation, &lines)));
    say("diagnostics", diagnostics.collect());
    say("is_right", net.is_some().into());
    say("can_write", (explorer.host() == Host::Playground).into());
    if let Some(net) = net {
        say("statements", statements::told(net, &lines));
        say("properties", properties(net, &lines));
        let Names { processes, places, objects } = Names::of(net);
        say("processes", json!(processes));
        say("places", json!(places));
        say("objects", json!(objects));
        say("has_threads", net.has_threads().into());
    }
    told.into()
}

fn diagnostic(diagnostic: &Diagnostic, generation: &Generation, lines: &Lines) -> Json {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let primary = diagnostic.labels.iter().filter(|label| label.primary);
    let first = primary.min_by_key(|label| (label.span.start, label.span.end));
    let labels = diagnostic.labels.iter().map(|label| {
        let mut told = lines.stretch(label.span.clone()).to_json();
        told["text"] = label.text.clone().into();
        told["primary"] = label.primary.into();
        told
    });
    let mut told = match first {
        Some(label) => lines.stretch(label.span.clone()).to_json(),
        None => json!({ "line": null, "column": null, "end_line": null, "end_column": null }),
    };
    let report = Report::of(diagnostic.clone(), &generation.text);
    told["severity"] = severity.into();
    told["code"] = diagnostic.code.into();
    told["message"] = diagnostic.message.clone().into();
    told["labels"] = labels.collect();
    told["help"] = diagnostic.help.clone().into();
    told["text"] = report.render(&generation.file, &generation.text, false).trim_end().into();
    told
}

/// For each line what is to be highlighted in it: column, length, kind.
fn highlights(generation: &Generation, lines: &Lines) -> Vec<Vec<(usize, usize, &'static str)>> {
    let mut told = vec![Vec::new(); lines.count()];
    let found: Vec<(std::ops::Range<usize>, &str)> = match generation.format {
        Format::Kin => lang::highlight(&generation.text)
            .into_iter()
            .map(|highlight| (highlight.span, highlight.kind.name()))
            .collect(),
        Format::Pnml => markup::highlight(&generation.text),
        Format::Go => Vec::new(),
    };
    for (span, kind) in found {
        for (line, column, length) in lines.parts(span) {
            told[line - 1].push((column, length, kind));
        }
    }
    told
}

fn properties(net: &Net, lines: &Lines) -> Json {
    let declared = net.properties.iter().map(|property| {
        let range = lang::in_text(lines.text(), property.origin);
        let line = range.map(|range| lines.position(range.start).0);
        json!({ "name": property.name, "text": property.text, "line": line })
    });
    let default = net.default_properties().into_iter();
    let default = default.filter(|one| net.properties.iter().all(|other| other.name != one.name));
    let default = default
        .map(|property| json!({ "name": property.name, "text": property.text, "line": null }));
    declared.chain(default).collect()
}

/// What people call the things in a net.
struct Names<'n> {
    processes: BTreeSet<&'n str>,
    places: Vec<&'n str>,
    objects: BTreeSet<&'n str>,
}

impl<'n> Names<'n> {
    fn of(net: &'n Net) -> Names<'n> {
        let listing = net.listing.as_deref();
        let listed = || listing.into_iter().flat_map(|listing| listing.places.iter());
        let mut names =
            Names { processes: BTreeSet::new(), places: Vec::new(), objects: BTreeSet::new() };
        for (_, what) in listed() {
            match what {
                Listed::Point { process, .. } => names.processes.insert(process),
                Listed::Object { name, .. } => names.objects.insert(name),
                _ => false,
            };
        }
        // Those that stand for something else are not seen.
        let own = net.places.iter().enumerate().filter(|(number, _)| {
            let id = net::PlaceId(*number as u32);
            listing.is_none_or(|listing| !listing.places.contains_key(&id))
        });
        names.places = own.map(|(_, place)| &*place.name).collect();
        names
    }
}
