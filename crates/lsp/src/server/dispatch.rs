//! Which request is answered by whom.

use lsp_server::{ErrorCode, Request, RequestId};
use lsp_types::request::{self as ask, Request as Method};
use lsp_types::{InitializeParams, InitializeResult, ServerInfo, TextDocumentIdentifier};
use serde_json::Value as Json;

use super::abilities::{self, Abilities};
use super::{Refused, Server, Stage};
use crate::answer;

impl Server {
    pub(super) fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.stage, method.as_str()) {
            (Stage::Greeting, "initialize") => {
                let result = self.initialize(params);
                self.respond(id, result);
            }
            (Stage::Greeting, _) => {
                let message = "the first request is `initialize`".to_owned();
                let code = ErrorCode::ServerNotInitialized;
                self.respond(id, Err(Refused { code, message }));
            }
            (Stage::Working, "shutdown") => {
                self.stage = Stage::Leaving;
                let open: Vec<String> = self.documents.keys().cloned().collect();
                open.iter().for_each(|uri| self.stop_check(uri, "the server was shut down"));
                self.respond(id, Ok(Json::Null));
            }
            (Stage::Working, "initialize") => {
                let message = "`initialize` is sent once".to_owned();
                let code = ErrorCode::InvalidRequest;
                self.respond(id, Err(Refused { code, message }));
            }
            (Stage::Working, _) => self.work(id, &method, params),
            (Stage::Leaving, _) => {
                let message = "the server was shut down".to_owned();
                let code = ErrorCode::InvalidRequest;
                self.respond(id, Err(Refused { code, message }));
            }
        }
    }

    fn initialize(&mut self, params: Json) -> Result<Json, Refused> {
        let params: InitializeParams =
            serde_json::from_value(params).map_err(|why| Refused::wrong(why.to_string()))?;
        self.encoding = abilities::encoding(&params);
        self.abilities = Abilities::of(&params.capabilities);
        self.settings.heed(params.initialization_options);
        self.stage = Stage::Working;
        let version = Some(self.settings.version.clone());
        let result = InitializeResult {
            capabilities: abilities::own(self.encoding),
            server_info: Some(ServerInfo { name: "kinfold".to_owned(), version }),
        };
        json(result)
    }

    fn work(&mut self, id: RequestId, method: &str, params: Json) {
        let result = match method {
            ask::HoverRequest::METHOD => self.of::<ask::HoverRequest>(params, |server, params| {
                let at = params.text_document_position_params;
                Ok(answer::hover(server.document(&at.text_document.uri)?, at.position))
            }),
            ask::Completion::METHOD => self.of::<ask::Completion>(params, |server, params| {
                let at = params.text_document_position;
                let takes_snippets = server.abilities.takes_snippets;
                let document = server.document(&at.text_document.uri)?;
                Ok(Some(answer::completion(document, at.position, takes_snippets)))
            }),
            ask::SignatureHelpRequest::METHOD => {
                self.of::<ask::SignatureHelpRequest>(params, |server, params| {
                    let at = params.text_document_position_params;
                    Ok(answer::signature(server.document(&at.text_document.uri)?, at.position))
                })
            }
            ask::GotoDefinition::METHOD => {
                self.of::<ask::GotoDefinition>(params, |server, params| {
                    let at = params.text_document_position_params;
                    let prelude = server.settings.prelude.clone();
                    let document = server.document(&at.text_document.uri)?;
                    Ok(answer::definition(document, at.position, prelude.as_deref()))
                })
            }
            ask::References::METHOD => self.of::<ask::References>(params, |server, params| {
                let at = params.text_document_position;
                let document = server.document(&at.text_document.uri)?;
                let with_own = params.context.include_declaration;
                Ok(Some(answer::references(document, at.position, with_own)))
            }),
            ask::DocumentHighlightRequest::METHOD => {
                self.of::<ask::DocumentHighlightRequest>(params, |server, params| {
                    let at = params.text_document_position_params;
                    let document = server.document(&at.text_document.uri)?;
                    Ok(Some(answer::highlights(document, at.position)))
                })
            }
            ask::PrepareRenameRequest::METHOD => {
                self.of::<ask::PrepareRenameRequest>(params, |server, params| {
                    let document = server.document(&params.text_document.uri)?;
                    answer::prepare_rename(document, params.position).map(Some)
                })
            }
            ask::Rename::METHOD => self.of::<ask::Rename>(params, |server, params| {
                let at = params.text_document_position;
                let document = server.document(&at.text_document.uri)?;
                answer::rename(document, at.position, &params.new_name).map(Some)
            }),
            ask::DocumentSymbolRequest::METHOD => {
                self.of::<ask::DocumentSymbolRequest>(params, |server, params| {
                    let document = server.document(&params.text_document.uri)?;
                    Ok(Some(answer::symbols(document)))
                })
            }
            ask::FoldingRangeRequest::METHOD => {
                self.of::<ask::FoldingRangeRequest>(params, |server, params| {
                    let document = server.document(&params.text_document.uri)?;
                    Ok(Some(answer::folds(document)))
                })
            }
            ask::SemanticTokensFullRequest::METHOD => {
                self.of::<ask::SemanticTokensFullRequest>(params, |server, params| {
                    let document = server.document(&params.text_document.uri)?;
                    Ok(Some(answer::tokens::all(document).into()))
                })
            }
            ask::SemanticTokensRangeRequest::METHOD => {
                self.of::<ask::SemanticTokensRangeRequest>(params, |server, params| {
                    let document = server.document(&params.text_document.uri)?;
                    Ok(Some(answer::tokens::within(document, params.range).into()))
                })
            }
            ask::Formatting::METHOD => self.of::<ask::Formatting>(params, |server, params| {
                answer::format(server.document(&params.text_document.uri)?).map(Some)
            }),
            ask::CodeActionRequest::METHOD => {
                self.of::<ask::CodeActionRequest>(params, |server, params| {
                    let document = server.document(&params.text_document.uri)?;
                    Ok(Some(answer::actions(document, params.range, &params.context.diagnostics)))
                })
            }
            ask::InlayHintRequest::METHOD => {
                self.of::<ask::InlayHintRequest>(params, |server, params| {
                    let document = server.document(&params.text_document.uri)?;
                    Ok(Some(answer::hints(document, params.range)))
                })
            }
            ask::CodeLensRequest::METHOD => {
                self.of::<ask::CodeLensRequest>(params, |server, params| {
                    let TextDocumentIdentifier { uri } = params.text_document;
                    let checks =
                        server.checks.of(uri.as_str()).map(|check| check.properties.clone());
                    Ok(Some(answer::lenses(server.document(&uri)?, checks.as_deref())))
                })
            }
            ask::ExecuteCommand::METHOD => match serde_json::from_value(params) {
                Ok(params) => return self.execute(id, params),
                Err(why) => Err(Refused::wrong(why.to_string())),
            },
            _ => {
                let message = format!("there is no `{method}` here");
                Err(Refused { code: ErrorCode::MethodNotFound, message })
            }
        };
        self.respond(id, result);
    }

    /// Answers a request of a kind.
    fn of<R: Method>(
        &mut self,
        params: Json,
        answer: impl FnOnce(&mut Server, R::Params) -> Result<R::Result, Refused>,
    ) -> Result<Json, Refused> {
        let params =
            serde_json::from_value(params).map_err(|why| Refused::wrong(why.to_string()))?;
        json(answer(self, params)?)
    }
}

pub(super) fn json(value: impl serde::Serialize) -> Result<Json, Refused> {
    serde_json::to_value(value).map_err(|why| Refused::new(why.to_string()))
}
