//! What the client is told without asking: what is wrong with texts, and that hints and lenses have changed.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    PublishDiagnosticsParams,
};

use crate::checks::{Step, Verdict};
use crate::document::Document;

/// Where the diagnostics of the compiler come from.
pub(crate) const SOURCE: &str = "kinfold";
/// Where verdicts come from.
pub(crate) const SOURCE_OF_VERDICTS: &str = "kinfold check";

/// Everything that is to be shown in a document.
pub(crate) fn diagnostics(document: &mut Document) -> PublishDiagnosticsParams {
    let mut diagnostics = compiled(document);
    diagnostics.extend(violations(document));
    PublishDiagnosticsParams {
        uri: document.uri.clone(),
        diagnostics,
        version: Some(document.version),
    }
}

/// What the compiler found in the text.
fn compiled(document: &Document) -> Vec<Diagnostic> {
    let Some(compiled) = document.compiled_now() else { return Vec::new() };
    let one = |found: &diagnostics::Diagnostic| {
        let severity = match found.severity {
            diagnostics::Severity::Error => DiagnosticSeverity::ERROR,
            diagnostics::Severity::Warning => DiagnosticSeverity::WARNING,
        };
        let mut labels: Vec<&diagnostics::Label> = found.labels.iter().collect();
        // The place of a mistake is that of its first primary label, as the command says it.
        labels.sort_by_key(|label| (!label.primary, label.span.start, label.span.end));
        let first = labels.first().copied();
        let range = document.range(first.map_or(0..0, |label| label.span.clone()));
        let mut message = found.message.clone();
        if let Some(said) = first.map(|label| label.text.as_str()).filter(|text| !text.is_empty()) {
            message.push_str(&format!("\n{said}"));
        }
        if found.times > 1 {
            message.push_str(&format!("\nfound {} times; this is the first", found.times));
        }
        if let Some(help) = &found.help {
            message.push_str(&format!("\nhelp: {help}"));
        }
        let related = labels.iter().skip(1).map(|label| DiagnosticRelatedInformation {
            location: Location::new(document.uri.clone(), document.range(label.span.clone())),
            message: match label.text.as_str() {
                "" => "here, too".to_owned(),
                text => text.to_owned(),
            },
        });
        let related: Vec<DiagnosticRelatedInformation> = related.collect();
        Diagnostic {
            range,
            severity: Some(severity),
            code: Some(NumberOrString::String(found.code.to_owned())),
            source: Some(SOURCE.to_owned()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    };
    let mut all: Vec<Diagnostic> = compiled.report.iter().map(one).collect();
    let more = compiled.report.more();
    if more > 0 {
        all.push(Diagnostic {
            range: document.range(0..0),
            severity: Some(DiagnosticSeverity::INFORMATION),
            source: Some(SOURCE.to_owned()),
            message: format!("and {more} more, which are shown once some of these are gone"),
            ..Diagnostic::default()
        });
    }
    all
}

/// The properties that fail, each with the run that shows it, step by step.
fn violations(document: &mut Document) -> Vec<Diagnostic> {
    if document.verdicts.values().all(|verdict| verdict.word != "fails") {
        return Vec::new();
    }
    let analysis = document.analysis();
    let document = &*document;
    let failing = document.verdicts.iter().filter(|(_, verdict)| verdict.word == "fails");
    let one = |(name, verdict): (&String, &Verdict)| Diagnostic {
        range: document.range(place_of(&analysis.names, name)),
        severity: Some(DiagnosticSeverity::WARNING),
        code: Some(NumberOrString::String("fails".to_owned())),
        source: Some(SOURCE_OF_VERDICTS.to_owned()),
        message: sentence(name, verdict),
        related_information: related(document, &verdict.steps),
        ..Diagnostic::default()
    };
    failing.map(one).collect()
}

/// Where a verdict is shown: at its property, or at the model if it has none in the text.
pub(crate) fn place_of(names: &lang::names::Names, property: &str) -> std::ops::Range<usize> {
    use lang::names::NameKind;
    let own = |kind: NameKind, name: Option<&str>| {
        let mut all = names.definitions.iter().filter(|one| one.kind == kind && !one.in_prelude);
        all.find(|one| name.is_none_or(|name| one.name == name)).map(|one| one.span.clone())
    };
    own(NameKind::Property, Some(property)).or_else(|| own(NameKind::Model, None)).unwrap_or(0..0)
}

/// A verdict in words.
pub(crate) fn sentence(name: &str, verdict: &Verdict) -> String {
    let mut text = match verdict.word.as_str() {
        "unknown" => format!("it is not known whether `{name}` holds"),
        "refused" => format!("`{name}` is refused"),
        word => format!("`{name}` {word}"),
    };
    for more in [&verdict.why, &verdict.outcome].into_iter().flatten() {
        text.push_str(&format!(": {more}"));
    }
    if !verdict.steps.is_empty() {
        let steps = verdict.steps.len();
        text.push_str(&format!(" ({steps} {})", if steps == 1 { "step" } else { "steps" }));
    }
    text
}

/// The longest run that is listed beside a verdict.
const LONGEST_RUN: usize = 200;

fn related(document: &Document, steps: &[Step]) -> Option<Vec<DiagnosticRelatedInformation>> {
    let numbered = steps.iter().enumerate().take(LONGEST_RUN);
    let located = numbered.filter_map(|(number, step)| {
        Some(DiagnosticRelatedInformation {
            location: location(document, step)?,
            message: format!("step {}: {}", number + 1, step.text),
        })
    });
    let located: Vec<DiagnosticRelatedInformation> = located.collect();
    (!located.is_empty()).then_some(located)
}

/// Where a step is in the text: from its statement to the end of the line.
pub(crate) fn location(document: &Document, step: &Step) -> Option<Location> {
    let (line, column) = step.place?;
    let text = document.text();
    // Lines of the compiler end with `\n`, and columns are characters.
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let own = text[start..].lines().next().unwrap_or_default();
    let at = own.char_indices().nth(column - 1).map_or(own.len(), |(at, _)| at);
    let range = document.range(start + at..start + own.trim_end().len().max(at));
    Some(Location::new(document.uri.clone(), range))
}
