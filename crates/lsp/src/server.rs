//! The thread that answers.
//!
//! Messages are handled in their order, so that every request is about the text as it was when it was sent. Those that
//! have come already are looked through for cancellations first. A handler that fails is answered for with an error,
//! and the server goes on.

mod abilities;
mod commands;
mod dispatch;

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam_channel::{Receiver, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::checks::{Checks, Told};
use crate::compiler::{Compiled, Compiler};
use crate::document::Document;
use crate::lines::Encoding;
use crate::outgoing;
use crate::settings::Settings;
use crate::transport::{Incoming, Outgoing};
use abilities::Abilities;

/// What the threads beside have found.
#[derive(Debug)]
pub(crate) enum Event {
    /// A text was compiled.
    Compiled {
        /// Of which document.
        uri: String,
        compiled: Arc<Compiled>,
    },
    /// A check has something to tell.
    Check {
        /// Which.
        number: u64,
        told: Told,
    },
}

/// Why a request has no result.
#[derive(Debug)]
pub(crate) struct Refused {
    code: ErrorCode,
    message: String,
}

impl Refused {
    pub(crate) fn new(message: impl Into<String>) -> Refused {
        Refused { code: ErrorCode::RequestFailed, message: message.into() }
    }

    pub(crate) fn wrong(message: impl Into<String>) -> Refused {
        Refused { code: ErrorCode::InvalidParams, message: message.into() }
    }
}

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Greeting,
    Working,
    Leaving,
}

/// What the server knows.
#[derive(Debug)]
pub(crate) struct Server {
    out: Outgoing,
    stage: Stage,
    settings: Settings,
    abilities: Abilities,
    encoding: Encoding,
    documents: HashMap<String, Document>,
    compiler: Compiler,
    checks: Checks,
    /// The last request that was sent to the client.
    asked: i32,
}

/// Serves a client until it says goodbye or goes away. Tells whether it said goodbye as it should.
///
/// # Errors
/// If the system gives no threads.
pub fn serve(connection: &Connection, settings: Settings) -> std::io::Result<bool> {
    let (sender, events) = unbounded();
    let mut server = Server {
        out: connection.sender.clone(),
        stage: Stage::Greeting,
        settings,
        abilities: Abilities::default(),
        encoding: Encoding::Utf16,
        documents: HashMap::new(),
        compiler: Compiler::start(sender.clone())?,
        checks: Checks::new(sender),
        asked: 0,
    };
    Ok(server.run(&connection.receiver, &events))
}

impl Server {
    fn run(&mut self, incoming: &Incoming, events: &Receiver<Event>) -> bool {
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            if waiting.is_empty() {
                select! {
                    recv(incoming) -> message => match message {
                        Ok(message) => waiting.push_back(message),
                        Err(_) => return self.stage == Stage::Leaving,
                    },
                    recv(events) -> event => {
                        event.into_iter().for_each(|event| self.hear(event));
                        continue;
                    }
                }
            }
            waiting.extend(incoming.try_iter());
            events.try_iter().for_each(|event| self.hear(event));
            self.cancel_waiting(&mut waiting);
            let Some(message) = waiting.pop_front() else { continue };
            if matches!(&message, Message::Notification(one) if one.method == "exit") {
                return self.stage == Stage::Leaving;
            }
            self.handle(message);
        }
    }

    /// Requests that were cancelled before it was their turn are not answered otherwise.
    fn cancel_waiting(&mut self, waiting: &mut VecDeque<Message>) {
        let cancelled = waiting.iter().filter_map(|message| match message {
            Message::Notification(one) if one.method == "$/cancelRequest" => cancelled_id(one),
            _ => None,
        });
        let cancelled: HashSet<RequestId> = cancelled.collect();
        if cancelled.is_empty() {
            return;
        }
        waiting.retain(|message| match message {
            Message::Request(request) if cancelled.contains(&request.id) => {
                let message = "the request was cancelled".to_owned();
                let code = ErrorCode::RequestCanceled as i32;
                self.reply(Response::new_err(request.id.clone(), code, message));
                false
            }
            _ => true,
        });
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                let answered = catch_unwind(AssertUnwindSafe(|| self.request(request)));
                if answered.is_err() {
                    let message = "the request has failed, which is a fault of Kinfold".to_owned();
                    let code = ErrorCode::InternalError as i32;
                    self.reply(Response::new_err(id, code, message));
                }
            }
            Message::Notification(notification) => {
                // There is nobody to tell that it has failed.
                let _ = catch_unwind(AssertUnwindSafe(|| self.notification(notification)));
            }
            // Nothing is asked whose answer matters.
            Message::Response(_) => {}
        }
    }

    pub(crate) fn reply(&self, response: Response) {
        let _ = self.out.send(Message::Response(response));
    }

    fn respond(&self, id: RequestId, result: Result<Json, Refused>) {
        self.reply(match result {
            Ok(result) => Response::new_ok(id, result),
            Err(refused) => Response::new_err(id, refused.code as i32, refused.message),
        });
    }

    pub(crate) fn notify(&self, method: &str, params: impl Serialize) {
        let _ = self.out.send(Message::Notification(Notification::new(method.into(), params)));
    }

    /// Asks the client for something whose answer does not matter.
    pub(crate) fn ask(&mut self, method: &str, params: impl Serialize) {
        self.asked += 1;
        let id = RequestId::from(format!("kinfold {}", self.asked));
        let _ = self.out.send(Message::Request(Request::new(id, method.into(), params)));
    }

    /// A document that is open.
    pub(crate) fn document(&mut self, uri: &lsp_types::Uri) -> Result<&mut Document, Refused> {
        let unknown = || Refused::wrong(format!("{} is not open", uri.as_str()));
        self.documents.get_mut(uri.as_str()).ok_or_else(unknown)
    }

    /// What a thread beside has found.
    fn hear(&mut self, event: Event) {
        match event {
            Event::Compiled { uri, compiled } => {
                let Some(document) = self.documents.get_mut(&uri) else { return };
                if compiled.edits != document.edits {
                    return;
                }
                document.compiled = Some(compiled);
                self.publish(&uri);
                self.refresh_hints();
                self.refresh_lenses();
            }
            Event::Check { number, told } => self.hear_of_check(number, told),
        }
    }

    /// Tells the client what is wrong with a document.
    pub(crate) fn publish(&mut self, uri: &str) {
        if let Some(document) = self.documents.get_mut(uri) {
            let params = outgoing::diagnostics(document);
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    fn refresh_hints(&mut self) {
        if self.abilities.refreshes_hints {
            self.ask("workspace/inlayHint/refresh", Json::Null);
        }
    }

    pub(crate) fn refresh_lenses(&mut self) {
        if self.abilities.refreshes_lenses {
            self.ask("workspace/codeLens/refresh", Json::Null);
        }
    }

    fn notification(&mut self, notification: Notification) {
        if self.stage != Stage::Working && notification.method != "initialized" {
            return;
        }
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                let Some(lsp_types::DidOpenTextDocumentParams { text_document: opened }) =
                    read(params)
                else {
                    return;
                };
                let uri = opened.uri.as_str().to_owned();
                let (version, text) = (opened.version, opened.text);
                let document = Document::new(opened.uri, version, text, self.encoding);
                self.documents.insert(uri.clone(), document);
                self.changed(&uri);
                self.check_beside(&uri);
            }
            "textDocument/didChange" => {
                let Some(lsp_types::DidChangeTextDocumentParams { text_document, content_changes }) =
                    read(params)
                else {
                    return;
                };
                let uri = text_document.uri.as_str();
                if let Some(document) = self.documents.get_mut(uri) {
                    document.change(text_document.version, content_changes);
                    self.changed(uri);
                }
            }
            "textDocument/didClose" => {
                let Some(lsp_types::DidCloseTextDocumentParams { text_document }) = read(params)
                else {
                    return;
                };
                let uri = text_document.uri.as_str();
                self.stop_check(uri, "the document was closed");
                self.compiler.forget(uri);
                if self.documents.remove(uri).is_some() {
                    let uri = text_document.uri;
                    let none = lsp_types::PublishDiagnosticsParams::new(uri, Vec::new(), None);
                    self.notify("textDocument/publishDiagnostics", none);
                }
            }
            "textDocument/didSave" => {
                if let Some(lsp_types::DidSaveTextDocumentParams { text_document, .. }) =
                    read(params)
                {
                    self.check_beside(text_document.uri.as_str());
                }
            }
            "$/cancelRequest" => {
                let notification = Notification { method, params };
                if let Some(id) = cancelled_id(&notification) {
                    self.cancel(&id);
                }
            }
            "window/workDoneProgress/cancel" => self.cancel_progress(&params),
            _ => {}
        }
    }

    /// The text of a document has changed.
    fn changed(&mut self, uri: &str) {
        self.stop_check(uri, "the text was changed");
        match self.documents.get(uri) {
            Some(document) if document.is_prelude() => self.publish(uri),
            Some(document) => self.compiler.compile(uri, document.edits, document.text()),
            None => {}
        }
    }
}

/// What a notification says; `None` for one that cannot be read, to which there is no answer.
fn read<T: DeserializeOwned>(params: Json) -> Option<T> {
    serde_json::from_value(params).ok()
}

fn cancelled_id(notification: &Notification) -> Option<RequestId> {
    serde_json::from_value(notification.params.get("id")?.clone()).ok()
}
