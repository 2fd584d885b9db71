//! Diagnostics as people read them: the lines meant, underlined.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Label, Severity};

/// No more than this many are drawn.
const SHOWN: usize = 100;
/// Drawing costs the length of what is drawn from. Where labels are farther apart than this, in bytes,
/// or a line is longer than that, each of the first few labels is drawn by itself.
const LONGEST_EXTENT: usize = 1 << 16;
const LONGEST_LINE: usize = 1000;
const WINDOWS: usize = 3;
/// As many bytes are then shown on either side.
const WINDOW: usize = 60;

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
    match &diagnostic.labels[..] {
        [] => {}
        labels if is_small(labels, text) => group = group.element(lines(labels, file_name, text)),
        labels => {
            for label in labels.iter().take(WINDOWS) {
                let (line, column) = position(label.span.start, text);
                let origin = Origin::path(file_name).line(line).char_column(column);
                group = group.element(origin).element(window(label, line, text));
            }
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// From the start of the first line with a label to the end of the last.
fn extent(labels: &[Label], text: &str) -> Range<usize> {
    let first = labels.iter().map(|label| label.span.start).min().unwrap_or(0);
    let last = labels.iter().map(|label| label.span.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[last..].find('\n').map_or(text.len(), |newline| last + newline);
    start..end
}

/// Whether the lines from the first label to the last can be drawn as they are.
fn is_small(labels: &[Label], text: &str) -> bool {
    let lines = &text[extent(labels, text)];
    lines.len() <= LONGEST_EXTENT && lines.split('\n').all(|line| line.len() <= LONGEST_LINE)
}

fn lines<'t>(
    labels: &'t [Label],
    file_name: &'t str,
    text: &'t str,
) -> Snippet<'t, Annotation<'t>> {
    let extent = extent(labels, text);
    let (line, _) = position(extent.start, text);
    let shift = extent.start;
    let annotations = labels
        .iter()
        .map(|label| annotation(label, label.span.start - shift..label.span.end - shift));
    Snippet::source(&text[extent]).line_start(line).path(file_name).annotations(annotations)
}

/// What is near the start of one label, on its line.
fn window<'t>(label: &'t Label, line: usize, text: &'t str) -> Snippet<'t, Annotation<'t>> {
    let at = label.span.start;
    let extent = extent(&[Label { span: at..at, ..label.clone() }], text);
    let boundary = |index: &usize| text.is_char_boundary(*index);
    let start = (extent.start.max(at.saturating_sub(WINDOW))..at).find(boundary).unwrap_or(at);
    let end = (at..=extent.end.min(at + WINDOW)).rev().find(boundary).unwrap_or(at);
    let span = at - start..label.span.end.min(end).max(at) - start;
    Snippet::source(&text[start..end]).line_start(line).annotation(annotation(label, span))
}

fn annotation(label: &Label, span: Range<usize>) -> Annotation<'_> {
    let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    match label.text.as_str() {
        "" => kind.span(span),
        words => kind.span(span).label(words),
    }
}

/// Line and column, from 1.
fn position(at: usize, text: &str) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.bytes().filter(|&byte| byte == b'\n').count() + 1, before[start..].chars().count() + 1)
}
