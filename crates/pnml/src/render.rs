//! Errors as people read them: the lines meant, underlined.
//!
//! Many documents are one long line. Of a line that is long, only what is near the place is drawn.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::error::{Error, Errors};
use crate::span::position;

/// Lines longer than this, in bytes, are drawn in part.
const LONGEST_LINE: usize = 240;
/// As many bytes are then shown on either side.
const WINDOW: usize = 70;

/// The errors of a text, drawn one after the other. `colour` is for terminals.
#[must_use]
pub fn render(errors: &Errors, file_name: &str, text: &str, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut drawn = String::new();
    for error in errors.iter() {
        if !drawn.is_empty() {
            drawn.push('\n');
        }
        drawn.push_str(&renderer.render(&[group(error, file_name, text)]));
        drawn.push('\n');
    }
    if errors.more() > 0 {
        drawn.push_str(&format!("\nand {} more\n", errors.more()));
    }
    drawn
}

fn group<'t>(error: &'t Error, file_name: &'t str, text: &'t str) -> Group<'t> {
    let title = Level::ERROR.primary_title(error.message.as_str()).id(error.code);
    let mut group = Group::with_title(title);
    let primary = Mark { span: &error.span, label: &error.label, kind: AnnotationKind::Primary };
    let also = error.also.as_ref().map(|(span, label)| Mark {
        span,
        label,
        kind: AnnotationKind::Context,
    });
    match also {
        None => group = draw(group, file_name, text, &[primary]),
        Some(also) if line_of(also.span, text) == line_of(primary.span, text) => {
            group = draw(group, file_name, text, &[primary, also]);
        }
        Some(also) => {
            group = draw(group, file_name, text, &[primary]);
            group = draw(group, file_name, text, &[also]);
        }
    }
    match &error.help {
        Some(help) => group.element(Level::HELP.message(help.as_str())),
        None => group,
    }
}

/// A place and what is said there.
struct Mark<'t> {
    span: &'t Range<usize>,
    label: &'t str,
    kind: AnnotationKind,
}

/// Draws marks on one line. If it is long, what is near each of them.
fn draw<'t>(
    mut group: Group<'t>,
    file_name: &'t str,
    text: &'t str,
    marks: &[Mark<'t>],
) -> Group<'t> {
    let line = line_of(marks[0].span, text);
    let (number, _) = position(text, line.start);
    if line.len() <= LONGEST_LINE {
        let annotations = marks.iter().map(|mark| annotation(mark, &line, text));
        let snippet = Snippet::source(&text[line.clone()]).line_start(number).path(file_name);
        return group.element(snippet.annotations(annotations.collect::<Vec<_>>()));
    }
    for mark in marks {
        let (_, column) = position(text, mark.span.start);
        let start = text.ceil_char_boundary(mark.span.start.saturating_sub(WINDOW));
        let end = mark.span.end.min(mark.span.start + WINDOW) + WINDOW;
        let end = text.floor_char_boundary(end);
        let near = start.max(line.start)..end.min(line.end);
        let annotation = annotation(mark, &near, text);
        let origin = Origin::path(file_name).line(number).char_column(column);
        let snippet = Snippet::source(&text[near]).line_start(number);
        group = group.element(origin).element(snippet.annotation(annotation));
    }
    group
}

/// A mark on a stretch of the text; what is outside of the stretch is left out.
fn annotation<'t>(mark: &Mark<'t>, stretch: &Range<usize>, text: &str) -> Annotation<'t> {
    let within = |at: usize| text.floor_char_boundary(at).clamp(stretch.start, stretch.end);
    let span = within(mark.span.start) - stretch.start..within(mark.span.end) - stretch.start;
    match mark.label {
        "" => mark.kind.span(span),
        words => mark.kind.span(span).label(words),
    }
}

/// The line in which a span starts, without its end.
fn line_of(span: &Range<usize>, text: &str) -> Range<usize> {
    let at = text.floor_char_boundary(span.start);
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find(['\n', '\r']).map_or(text.len(), |newline| at + newline);
    start..end
}
