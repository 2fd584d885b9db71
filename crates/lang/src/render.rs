//! Diagnostics as people read them: the lines meant, underlined.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Severity};

/// No more than this many are drawn.
const SHOWN: usize = 100;

/// The diagnostics of a text, drawn one after the other. `colour` is for terminals.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], file_name: &str, text: &str, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut drawn = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        if !drawn.is_empty() {
            drawn.push('\n');
        }
        drawn.push_str(&renderer.render(&[group(diagnostic, file_name, text)]));
        drawn.push('\n');
    }
    if diagnostics.len() > SHOWN {
        drawn.push_str(&format!("\nand {} more\n", diagnostics.len() - SHOWN));
    }
    drawn
}

fn group<'t>(diagnostic: &'t Diagnostic, file_name: &'t str, text: &'t str) -> Group<'t> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let mut group = Group::with_title(title);
    if !diagnostic.labels.is_empty() {
        group = group.element(snippet(diagnostic, file_name, text));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// Only the lines from the first label to the last are handed on, since drawing costs their length.
fn snippet<'t>(
    diagnostic: &'t Diagnostic,
    file_name: &'t str,
    text: &'t str,
) -> Snippet<'t, annotate_snippets::Annotation<'t>> {
    let first = diagnostic.labels.iter().map(|label| label.span.start).min().unwrap_or(0);
    let last = diagnostic.labels.iter().map(|label| label.span.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[last..].find('\n').map_or(text.len(), |newline| last + newline);
    let line = text[..start].matches('\n').count() + 1;
    let mut snippet = Snippet::source(&text[start..end]).line_start(line).path(file_name);
    for label in &diagnostic.labels {
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(label.span.start - start..label.span.end - start);
        snippet = snippet.annotation(if label.text.is_empty() {
            annotation
        } else {
            annotation.label(label.text.as_str())
        });
    }
    snippet
}
