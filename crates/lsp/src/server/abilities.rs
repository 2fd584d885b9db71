//! What the client can do, and what the server can.

use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    CodeLensOptions, CompletionOptions, ExecuteCommandOptions, FoldingRangeProviderCapability,
    HoverProviderCapability, InitializeParams, OneOf, RenameOptions, SaveOptions,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities,
    SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};

use crate::answer::tokens;
use crate::lines::Encoding;

/// The commands that the server executes.
pub(crate) const CHECK: &str = "kinfold.check";
pub(crate) const SHOW_RUN: &str = "kinfold.showRun";
pub(crate) const STOP: &str = "kinfold.stop";

/// What the client can do, as far as it matters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Abilities {
    pub(super) refreshes_hints: bool,
    pub(super) refreshes_lenses: bool,
    pub(super) shows_progress: bool,
    pub(super) takes_snippets: bool,
}

impl Abilities {
    pub(super) fn of(client: &ClientCapabilities) -> Abilities {
        let workspace = client.workspace.as_ref();
        let hints = workspace.and_then(|workspace| workspace.inlay_hint.as_ref());
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        let window = client.window.as_ref();
        let document = client.text_document.as_ref();
        let completion = document.and_then(|document| document.completion.as_ref());
        let item = completion.and_then(|completion| completion.completion_item.as_ref());
        Abilities {
            refreshes_hints: hints.and_then(|one| one.refresh_support).unwrap_or(false),
            refreshes_lenses: lenses.and_then(|one| one.refresh_support).unwrap_or(false),
            shows_progress: window.and_then(|one| one.work_done_progress).unwrap_or(false),
            takes_snippets: item.and_then(|one| one.snippet_support).unwrap_or(false),
        }
    }
}

/// What positions count, as far as the client can choose.
pub(super) fn encoding(params: &InitializeParams) -> Encoding {
    let general = params.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    Encoding::agreed(offered.unwrap_or_default())
}

/// What the server can do.
pub(super) fn own(encoding: Encoding) -> ServerCapabilities {
    let none = WorkDoneProgressOptions::default;
    let words = |list: &[&str]| Some(list.iter().map(|word| (*word).to_owned()).collect());
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                include_text: Some(false),
            })),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&["."]),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: words(&["(", ","]),
            retrigger_characters: None,
            work_done_progress_options: none(),
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            work_done_progress_options: none(),
            resolve_provider: Some(false),
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: none(),
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![CHECK.to_owned(), SHOW_RUN.to_owned(), STOP.to_owned()],
            work_done_progress_options: none(),
        }),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: tokens::types(),
                    token_modifiers: tokens::modifiers(),
                },
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                work_done_progress_options: none(),
            }
            .into(),
        ),
        inlay_hint_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}
