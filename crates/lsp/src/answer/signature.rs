//! What the arguments of the call around the cursor are. Found from the tokens, since a call that is being typed does
//! not parse.

use lang::names::{DefinitionId, NameKind};
use lsp_types::{
    ParameterInformation, ParameterLabel, Position, SignatureHelp, SignatureInformation,
};

use crate::analysis::{Analysis, comment, head, source};
use crate::document::Document;

pub(crate) fn signature(document: &mut Document, position: Position) -> Option<SignatureHelp> {
    let analysis = document.analysis();
    let offset = document.offset(position);
    let text = document.text();
    let (callee, number) = call_around(&analysis, text, offset)?;
    let id = meant(&analysis, text, callee)?;
    let definition = analysis.names.definition(id);
    let has_parameters = matches!(
        definition.kind,
        NameKind::Step
            | NameKind::Function
            | NameKind::Process
            | NameKind::Object
            | NameKind::Record
            | NameKind::Member
            | NameKind::Flow
            | NameKind::Place
    );
    if !has_parameters {
        return None;
    }
    let parameters = definition.parameters.iter().map(|id| {
        let parameter = analysis.names.definition(*id);
        let written = source(parameter, text).get(parameter.whole.clone()).unwrap_or_default();
        ParameterInformation {
            label: ParameterLabel::Simple(written.to_owned()),
            documentation: None,
        }
    });
    let parameters: Vec<ParameterInformation> = parameters.collect();
    let last = parameters.len().saturating_sub(1);
    let above = comment(definition, text);
    let information = SignatureInformation {
        label: head(definition, text).split_whitespace().collect::<Vec<_>>().join(" "),
        documentation: (!above.is_empty()).then_some(lsp_types::Documentation::String(above)),
        active_parameter: (!parameters.is_empty()).then_some(number.min(last) as u32),
        parameters: Some(parameters),
    };
    let active_parameter = information.active_parameter;
    Some(SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter,
    })
}

/// Where the name of what is called ends, and how many arguments there are before the cursor.
fn call_around(analysis: &Analysis, text: &str, offset: usize) -> Option<(usize, usize)> {
    let end = analysis.parts.partition_point(|part| part.span.end <= offset);
    let (mut depth, mut commas) = (0_usize, 0);
    let word = |at: usize| &text[analysis.parts[at].span.clone()];
    for at in (0..end).rev() {
        match word(at) {
            ")" | "]" => depth += 1,
            "(" if depth == 0 => {
                let mut name = at.checked_sub(1)?;
                // `channel[bool](`: what the type is made for is passed over.
                if word(name) == "]" {
                    let mut open = 0_usize;
                    loop {
                        match word(name) {
                            "]" => open += 1,
                            "[" => open -= 1,
                            _ => {}
                        }
                        name = name.checked_sub(1)?;
                        if open == 0 {
                            break;
                        }
                    }
                }
                return Some((analysis.parts[name].span.end, commas));
            }
            "[" if depth == 0 => return None,
            "(" | "[" => depth -= 1,
            "," if depth == 0 => commas += 1,
            // A call does not go beyond what is in braces.
            "{" | "}" => return None,
            _ => {}
        }
    }
    None
}

fn meant(analysis: &Analysis, text: &str, end: usize) -> Option<DefinitionId> {
    analysis.named(text, end).map(|(_, id)| id)
}
