//! The outline: declarations, with what is inside of them.

use std::collections::HashMap;

use lang::names::{DefinitionId, NameKind, Names};
use lsp_types::{DocumentSymbol, DocumentSymbolResponse, SymbolKind};

use super::navigation::is_outlined;
use crate::document::Document;

pub(crate) fn symbols(document: &mut Document) -> DocumentSymbolResponse {
    let analysis = document.analysis();
    let names = &analysis.names;
    let all = (0..names.definitions.len()).map(DefinitionId);
    let mut children: HashMap<Option<DefinitionId>, Vec<DefinitionId>> = HashMap::new();
    for id in all.filter(|id| is_outlined(names, *id)) {
        children.entry(names.definition(id).owner).or_default().push(id);
    }
    let mut outline = inside(document, names, &children, None);
    outline.sort_by_key(|symbol| (symbol.range.start, symbol.selection_range.start));
    DocumentSymbolResponse::Nested(outline)
}

/// What belongs to something. Nothing is deeper than a label in a step of an object.
fn inside(
    document: &Document,
    names: &Names,
    children: &HashMap<Option<DefinitionId>, Vec<DefinitionId>>,
    owner: Option<DefinitionId>,
) -> Vec<DocumentSymbol> {
    let own = children.get(&owner).map_or(&[][..], Vec::as_slice);
    own.iter().map(|id| symbol(document, names, children, *id)).collect()
}

#[allow(deprecated, reason = "a field of the protocol has to be given, though it is deprecated")]
fn symbol(
    document: &Document,
    names: &Names,
    children: &HashMap<Option<DefinitionId>, Vec<DefinitionId>>,
    id: DefinitionId,
) -> DocumentSymbol {
    let one = names.definition(id);
    let inside = inside(document, names, children, Some(id));
    // The whole contains the name.
    let whole = one.whole.start.min(one.span.start)..one.whole.end.max(one.span.end);
    let detail = one.of.clone().and_then(|of| document.text().get(of));
    let name = if one.name.trim().is_empty() { "?" } else { &one.name };
    DocumentSymbol {
        name: name.to_owned(),
        detail: Some(detail.unwrap_or(one.kind.words()).to_owned()),
        kind: kind(one.kind),
        tags: None,
        deprecated: None,
        range: document.range(whole),
        selection_range: document.range(one.span.clone()),
        children: (!inside.is_empty()).then_some(inside),
    }
}

fn kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Model => SymbolKind::MODULE,
        NameKind::Constant => SymbolKind::CONSTANT,
        NameKind::Enumeration | NameKind::Class | NameKind::Fresh => SymbolKind::ENUM,
        NameKind::Part | NameKind::Member => SymbolKind::ENUM_MEMBER,
        NameKind::Flow | NameKind::Place => SymbolKind::ARRAY,
        NameKind::Column | NameKind::Component | NameKind::Field => SymbolKind::FIELD,
        NameKind::Start | NameKind::Shared | NameKind::Variable | NameKind::Parameter => {
            SymbolKind::VARIABLE
        }
        NameKind::Transition | NameKind::Label => SymbolKind::EVENT,
        NameKind::Property => SymbolKind::PROPERTY,
        NameKind::Record => SymbolKind::STRUCT,
        NameKind::Object => SymbolKind::CLASS,
        NameKind::TypeParameter => SymbolKind::TYPE_PARAMETER,
        NameKind::Step => SymbolKind::METHOD,
        NameKind::Function | NameKind::Process => SymbolKind::FUNCTION,
    }
}
