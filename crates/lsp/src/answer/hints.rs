//! What `kinfold show` says of a model, beside the text: live variables, and what is observed of columns.

use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip};

use crate::document::Document;

/// The hints in a range. None while the compiler is at work, or if the text is wrong; the client is told when there are
/// some.
pub(crate) fn hints(document: &mut Document, range: lsp_types::Range) -> Vec<InlayHint> {
    let bytes = document.offset(range.start)..=document.offset(range.end);
    let Some(compiled) = document.compiled_now() else { return Vec::new() };
    let seen = compiled.hints.iter().filter(|hint| bytes.contains(&hint.at));
    let hint = |hint: &crate::compiler::Hint| InlayHint {
        position: document.position(hint.at),
        label: InlayHintLabel::String(hint.text.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(hint.about.to_owned())),
        padding_left: Some(true),
        padding_right: Some(true),
        data: None,
    };
    seen.map(hint).collect()
}
