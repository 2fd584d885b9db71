//! What the parts of the text are, for colours: from the tokens, and of names from what they stand for.

use lang::HighlightKind;
use lang::names::{Meant, NameKind, Names};
use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens};

use crate::document::Document;

const TYPES: [SemanticTokenType; 14] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::NUMBER,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::TYPE,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::METHOD,
    SemanticTokenType::CLASS,
    SemanticTokenType::EVENT,
    SemanticTokenType::NAMESPACE,
];

const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

pub(crate) fn types() -> Vec<SemanticTokenType> {
    TYPES.to_vec()
}

pub(crate) fn modifiers() -> Vec<SemanticTokenModifier> {
    MODIFIERS.to_vec()
}

/// All tokens of a text.
pub(crate) fn all(document: &mut Document) -> SemanticTokens {
    let end = document.text().len();
    tokens(document, 0..end)
}

/// The tokens in a range.
pub(crate) fn within(document: &mut Document, range: lsp_types::Range) -> SemanticTokens {
    let bytes = document.offset(range.start)..document.offset(range.end);
    tokens(document, bytes)
}

fn tokens(document: &mut Document, bytes: std::ops::Range<usize>) -> SemanticTokens {
    let analysis = document.analysis();
    let text = document.text();
    let (mut data, mut line, mut column) = (Vec::new(), 0, 0);
    let first = analysis.parts.partition_point(|part| part.span.end <= bytes.start);
    for part in analysis.parts[first..].iter().take_while(|part| part.span.start < bytes.end) {
        let (kind, modifiers) = kind(&analysis.names, part.kind, part.span.start);
        // A token is on one line; a comment may be on several.
        let mut start = part.span.start;
        for piece in text[part.span.clone()].split_inclusive(['\n', '\r']) {
            let own = piece.trim_end_matches(['\n', '\r']);
            if !own.is_empty() {
                let at = document.position(start);
                let delta_line = at.line - line;
                let delta_start =
                    if delta_line == 0 { at.character - column } else { at.character };
                let length = document.encoding.length(own) as u32;
                data.push(SemanticToken {
                    delta_line,
                    delta_start,
                    length,
                    token_type: index(&kind),
                    token_modifiers_bitset: modifiers,
                });
                (line, column) = (at.line, at.character);
            }
            start += piece.len();
        }
    }
    SemanticTokens { result_id: None, data }
}

fn index(kind: &SemanticTokenType) -> u32 {
    TYPES.iter().position(|other| other == kind).unwrap_or_default() as u32
}

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const LIBRARY: u32 = 4;

fn kind(names: &Names, kind: HighlightKind, start: usize) -> (SemanticTokenType, u32) {
    let plain = match kind {
        HighlightKind::Keyword => SemanticTokenType::KEYWORD,
        HighlightKind::Comment => SemanticTokenType::COMMENT,
        HighlightKind::Number => SemanticTokenType::NUMBER,
        HighlightKind::Operator => SemanticTokenType::OPERATOR,
        HighlightKind::Type => SemanticTokenType::TYPE,
        HighlightKind::Name => SemanticTokenType::VARIABLE,
    };
    let is_name = matches!(kind, HighlightKind::Type | HighlightKind::Name);
    let used = names.at(start).filter(|one| is_name && one.span.start == start);
    let Some(used) = used else { return (plain, 0) };
    let Meant::Definition(id) = used.meant else { return (plain, 0) };
    let definition = names.definition(id);
    let kind = match definition.kind {
        NameKind::Model => SemanticTokenType::NAMESPACE,
        NameKind::Constant | NameKind::Start | NameKind::Shared | NameKind::Variable => {
            SemanticTokenType::VARIABLE
        }
        NameKind::Enumeration | NameKind::Class | NameKind::Fresh | NameKind::TypeParameter => {
            SemanticTokenType::TYPE
        }
        NameKind::Part | NameKind::Member => SemanticTokenType::ENUM_MEMBER,
        NameKind::Flow | NameKind::Place | NameKind::Object | NameKind::Record => {
            SemanticTokenType::CLASS
        }
        NameKind::Column | NameKind::Component | NameKind::Field | NameKind::Property => {
            SemanticTokenType::PROPERTY
        }
        NameKind::Transition | NameKind::Label => SemanticTokenType::EVENT,
        NameKind::Parameter => SemanticTokenType::PARAMETER,
        NameKind::Step => SemanticTokenType::METHOD,
        NameKind::Function | NameKind::Process => SemanticTokenType::FUNCTION,
    };
    let mut modifiers = 0;
    modifiers |= if used.defines { DECLARATION } else { 0 };
    modifiers |= if definition.kind == NameKind::Constant { READONLY } else { 0 };
    modifiers |= if definition.in_prelude { LIBRARY } else { 0 };
    (kind, modifiers)
}
