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
    let primary = (&error.span, error.label.as_str(), AnnotationKind::Primary);
    let also = error.also.as_ref();
    let also = also.map(|(span, label)| (span, label.as_str(), AnnotationKind::Context));
    for (span, label, kind) in std::iter::once(primary).chain(also) {
        let (line, column) = position(text, span.start);
        let (source, span) = around(span, text);
        let snippet = Snippet::source(source).line_start(line);
        group = group
            .element(Origin::path(file_name).line(line).char_column(column))
            .element(snippet.annotation(annotation(kind, span, label)));
    }
    match &error.help {
        Some(help) => group.element(Level::HELP.message(help.as_str())),
        None => group,
    }
}

fn annotation(kind: AnnotationKind, span: Range<usize>, label: &str) -> Annotation<'_> {
    match label {
        "" => kind.span(span),
        words => kind.span(span).label(words),
    }
}

/// The line of a span, or what is near it, and the span in it. Of a span over several lines, only the
/// part on the first one is shown.
fn around<'t>(span: &Range<usize>, text: &'t str) -> (&'t str, Range<usize>) {
    let at = text.floor_char_boundary(span.start);
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[at..].find(['\n', '\r']).map_or(text.len(), |newline| at + newline);
    let span_end = text.floor_char_boundary(span.end).clamp(at, line_end);
    let (start, end) = if line_end - line_start <= LONGEST_LINE {
        (line_start, line_end)
    } else {
        let start = text.ceil_char_boundary(at.saturating_sub(WINDOW));
        let end = text.floor_char_boundary(span_end.min(at + WINDOW) + WINDOW);
        (start.max(line_start), end.min(line_end))
    };
    (&text[start..end], at - start..span_end.min(end) - start)
}
