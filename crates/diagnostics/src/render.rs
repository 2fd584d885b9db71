//! Diagnostics as people read them: the lines meant, underlined.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::report::Report;
use crate::span::position;

/// Drawing costs the length of what is drawn from. Where labels are farther apart than this, in bytes,
/// or a line is longer than that, each of the first few labels is drawn by itself.
const LONGEST_EXTENT: usize = 1 << 16;
const LONGEST_LINE: usize = 240;
const WINDOWS: usize = 3;
/// As many bytes are then shown on either side.
const WINDOW: usize = 60;

/// All that was found in a text, drawn one after the other; `colour` is for terminals.
#[must_use]
pub fn render(report: &Report, file_name: &str, text: &str, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut drawn = String::new();
    for diagnostic in report {
        if !drawn.is_empty() {
            drawn.push('\n');
        }
        drawn.push_str(&renderer.render(&[group(diagnostic, file_name, text)]));
        drawn.push('\n');
    }
    if report.more() > 0 {
        drawn.push_str(&format!("\nand {} more\n", report.more()));
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
                let (line, column) = position(text, label.span.start);
                let origin = Origin::path(file_name).line(line).char_column(column);
                group = group.element(origin).element(window(label, line, text));
            }
        }
    }
    if diagnostic.times > 1 {
        let times = format!("found {} times; this is the first", diagnostic.times);
        group = group.element(Level::NOTE.message(times));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// Where a label is, wherever its ends lie: in a text that is another one, it is somewhere.
fn span(label: &Label, text: &str) -> Range<usize> {
    let start = text.floor_char_boundary(label.span.start);
    start..text.floor_char_boundary(label.span.end).max(start)
}

/// From the start of the first line with a label to the end of the last.
fn extent(labels: &[Label], text: &str) -> Range<usize> {
    let first = labels.iter().map(|label| span(label, text).start).min().unwrap_or(0);
    let last = labels.iter().map(|label| span(label, text).end).max().unwrap_or(0);
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
    let (line, _) = position(text, extent.start);
    let shift = extent.start;
    let annotations = labels.iter().map(|label| {
        let Range { start, end } = span(label, text);
        annotation(label, start - shift..end - shift)
    });
    Snippet::source(&text[extent]).line_start(line).path(file_name).annotations(annotations)
}

/// What is near the start of one label, on its line.
fn window<'t>(label: &'t Label, line: usize, text: &'t str) -> Snippet<'t, Annotation<'t>> {
    let at = span(label, text).start;
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[at..].find(['\n', '\r']).map_or(text.len(), |newline| at + newline);
    let start = text.ceil_char_boundary(at.saturating_sub(WINDOW)).max(line_start);
    let end = text.floor_char_boundary(at + WINDOW).min(line_end);
    let span = at - start..label.span.end.clamp(at, end) - start;
    Snippet::source(&text[start..end]).line_start(line).annotation(annotation(label, span))
}

fn annotation(label: &Label, span: Range<usize>) -> Annotation<'_> {
    let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    match label.text.as_str() {
        "" => kind.span(span),
        words => kind.span(span).label(words),
    }
}
