//! Where something is declared, and where it is used.

use std::path::Path;

use lang::names::{DefinitionId, NameKind, Names};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Location, Position, Uri,
};

use crate::document::Document;
use crate::lines::Lines;

/// Where what a name stands for is declared. What is in the prelude is in that file, if there is one.
pub(crate) fn definition(
    document: &mut Document,
    position: Position,
    prelude: Option<&Path>,
) -> Option<GotoDefinitionResponse> {
    let analysis = document.analysis();
    let (_, id) = analysis.named(document.text(), document.offset(position))?;
    let found = analysis.names.definition(id);
    let location = if found.in_prelude {
        let lines = Lines::of(lang::PRELUDE);
        let range = lines.range(lang::PRELUDE, found.span.clone(), document.encoding);
        Location::new(uri_of(prelude?)?, range)
    } else {
        Location::new(document.uri.clone(), document.range(found.span.clone()))
    };
    Some(GotoDefinitionResponse::Scalar(location))
}

/// The URI of a file.
fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace('\\', "/");
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b':' => {
                uri.push(byte as char);
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.parse().ok()
}

/// Where something is named in the text.
pub(crate) fn references(
    document: &mut Document,
    position: Position,
    with_own: bool,
) -> Vec<Location> {
    let analysis = document.analysis();
    let offset = document.offset(position);
    let Some((_, id)) = analysis.named(document.text(), offset) else { return Vec::new() };
    let uses = analysis.names.uses_of(id).filter(|one| with_own || !one.defines);
    uses.map(|one| Location::new(document.uri.clone(), document.range(one.span.clone()))).collect()
}

/// The same, to be seen in the text.
pub(crate) fn highlights(document: &mut Document, position: Position) -> Vec<DocumentHighlight> {
    let analysis = document.analysis();
    let offset = document.offset(position);
    let Some((_, id)) = analysis.named(document.text(), offset) else { return Vec::new() };
    let one = |one: &lang::names::Use| DocumentHighlight {
        range: document.range(one.span.clone()),
        kind: Some(match one.defines {
            true => DocumentHighlightKind::WRITE,
            false => DocumentHighlightKind::READ,
        }),
    };
    analysis.names.uses_of(id).map(one).collect()
}

/// Whether a definition is one that the outline has, rather than a variable.
pub(crate) fn is_outlined(names: &Names, id: DefinitionId) -> bool {
    let one = names.definition(id);
    let is_small =
        matches!(one.kind, NameKind::Variable | NameKind::Parameter | NameKind::TypeParameter);
    !one.in_prelude && !is_small
}
