//! What a name stands for: how it is declared, what is said above it, and of short steps what they do.

use lang::names::{Definition, DefinitionId, NameKind, Names};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::analysis::{comment, head, source};
use crate::document::Document;

/// Bodies of at most as many lines are shown whole.
const SHORT: usize = 16;

pub(crate) fn hover(document: &mut Document, position: Position) -> Option<Hover> {
    let analysis = document.analysis();
    let offset = document.offset(position);
    let (span, id) = analysis.named(document.text(), offset)?;
    let value = described(&analysis.names, id, document.text());
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.range(span)) })
}

/// A definition, in Markdown.
pub(crate) fn described(names: &Names, id: DefinitionId, text: &str) -> String {
    let definition = names.definition(id);
    let mut said = format!("```kin\n{}\n```", declared(names, id, text));
    let mut place = definition.kind.words().to_owned();
    if let Some(owner) = definition.owner.map(|owner| names.definition(owner)) {
        place.push_str(&format!(" of {} `{}`", owner.kind.words(), owner.name));
    }
    if definition.in_prelude {
        place.push_str(", in the prelude");
    }
    said.push_str(&format!("\n\n{place}"));
    let above = comment(definition, text);
    if !above.is_empty() {
        said.push_str(&format!("\n\n{}", paragraphs(&above)));
    }
    said
}

/// How something is declared.
pub(crate) fn declared(names: &Names, id: DefinitionId, text: &str) -> String {
    let definition = names.definition(id);
    let source = source(definition, text);
    let whole = source.get(definition.whole.clone()).unwrap_or_default();
    match definition.kind {
        // What a step or a transition does is what people want to see.
        NameKind::Step | NameKind::Function | NameKind::Transition | NameKind::Property
            if whole.lines().count() <= SHORT =>
        {
            unindented(whole)
        }
        NameKind::Variable | NameKind::Parameter | NameKind::Start => {
            typed(names, id, definition, source)
        }
        NameKind::Member | NameKind::Label | NameKind::TypeParameter => definition.name.clone(),
        NameKind::Part => whole.to_owned(),
        _ if whole.lines().count() <= 3 => unindented(whole),
        _ => head(definition, text).to_owned(),
    }
}

/// A name with its sort or type, as far as it is known.
fn typed(names: &Names, id: DefinitionId, definition: &Definition, source: &str) -> String {
    let name = &definition.name;
    let written = definition.of.clone().and_then(|of| source.get(of));
    match (written, names.type_of(id)) {
        (Some(of), _) => format!("{name}: {of}"),
        (None, Some(of)) => format!("{name}: {}", names.definition(of).name),
        (None, None) => {
            let whole = source.get(definition.whole.clone()).unwrap_or_default();
            match whole.lines().next() {
                Some(line) if !line.is_empty() => line.to_owned(),
                _ => name.clone(),
            }
        }
    }
}

/// Lines without what all but the first of them start with.
fn unindented(text: &str) -> String {
    let rest = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indent = rest.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let lines = text.lines().enumerate().map(|(number, line)| match number {
        0 => line,
        _ => line.get(indent..).unwrap_or_default(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A comment in Markdown: what is indented in it is code.
fn paragraphs(comment: &str) -> String {
    let mut said = String::new();
    let mut in_code = false;
    for line in comment.lines() {
        let is_code = line.starts_with("    ") || in_code && line.trim().is_empty();
        if is_code != in_code {
            said.push_str(if is_code { "```kin\n" } else { "```\n" });
            in_code = is_code;
        }
        said.push_str(if is_code { line.strip_prefix("    ").unwrap_or(line) } else { line });
        said.push('\n');
    }
    if in_code {
        said.push_str("```\n");
    }
    said.trim_end().to_owned()
}
