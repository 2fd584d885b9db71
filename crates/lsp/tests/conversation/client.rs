//! A client that speaks with a server in this process.

use std::collections::HashMap;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsp::Settings;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value as Json, json};

pub const URI: &str = "file:///models/model.kin";

/// A client.
pub struct Client {
    connection: Option<Connection>,
    server: Option<JoinHandle<bool>>,
    last: i32,
    /// Responses that nobody has asked for yet.
    responses: HashMap<RequestId, Response>,
    /// Notifications that came, in their order.
    pub heard: Vec<Notification>,
    /// Requests of the server, by method.
    pub asked: Vec<String>,
    pub versions: HashMap<String, i32>,
}

/// How long the server may take to say something, at most.
const PATIENCE: Duration = Duration::from_secs(120);

impl Client {
    /// A server that checks nothing unless asked, and a client that has been greeted.
    pub fn new() -> Client {
        Client::with(Settings { check_on_save: false, ..Settings::default() }, &["utf-16"])
    }

    pub fn with(settings: Settings, encodings: &[&str]) -> Client {
        let mut client = Client::silent(settings);
        let hints = json!({ "refreshSupport": true });
        let params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": {
                "general": { "positionEncodings": encodings },
                "workspace": { "inlayHint": hints, "codeLens": hints },
                "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
                "window": { "workDoneProgress": true },
            },
        });
        let result = client.ask("initialize", params).unwrap();
        assert_eq!(result["serverInfo"]["name"], "kinfold");
        client.tell("initialized", json!({}));
        client
    }

    /// A client that has said nothing yet.
    pub fn silent(settings: Settings) -> Client {
        let (own, theirs) = Connection::memory();
        let work = move || lsp::serve(&theirs, settings).unwrap();
        let server = thread::Builder::new().stack_size(64 << 20).spawn(work).unwrap();
        Client {
            connection: Some(own),
            server: Some(server),
            last: 0,
            responses: HashMap::new(),
            heard: Vec::new(),
            asked: Vec::new(),
            versions: HashMap::new(),
        }
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().unwrap()
    }

    pub fn tell(&self, method: &str, params: Json) {
        let message = Notification { method: method.into(), params };
        self.connection().sender.send(Message::Notification(message)).unwrap();
    }

    /// Sends a request, and goes on.
    pub fn begin(&mut self, method: &str, params: Json) -> RequestId {
        self.last += 1;
        let id = RequestId::from(self.last);
        let request = Request { id: id.clone(), method: method.into(), params };
        self.connection().sender.send(Message::Request(request)).unwrap();
        id
    }

    /// Hears one message.
    fn hear(&mut self) {
        let message = self.connection().receiver.recv_timeout(PATIENCE);
        match message.expect("the server says something") {
            Message::Response(response) => _ = self.responses.insert(response.id.clone(), response),
            Message::Notification(notification) => self.heard.push(notification),
            Message::Request(request) => self.asked.push(request.method),
        }
    }

    /// The answer to a request, or the code and message of an error.
    pub fn answer(&mut self, id: &RequestId) -> Result<Json, (i32, String)> {
        while !self.responses.contains_key(id) {
            self.hear();
        }
        let response = self.responses.remove(id).unwrap();
        match response.error {
            Some(error) => Err((error.code, error.message)),
            None => Ok(response.result.unwrap_or(Json::Null)),
        }
    }

    pub fn ask(&mut self, method: &str, params: Json) -> Result<Json, (i32, String)> {
        let id = self.begin(method, params);
        self.answer(&id)
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.into(), 1);
        let document = json!({ "uri": uri, "languageId": "kin", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Edits a document; gives its new version.
    pub fn change(&mut self, uri: &str, changes: Json) -> i32 {
        let version = self.versions.get_mut(uri).unwrap();
        *version += 1;
        let version = *version;
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
        version
    }

    /// What was published of a version of a document, by the compiler; waits until it is.
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Json> {
        let is_it = |one: &Notification| {
            one.method == "textDocument/publishDiagnostics"
                && one.params["uri"] == uri
                && one.params["version"] == version
        };
        while !self.heard.iter().any(is_it) {
            self.hear();
        }
        let found = self.heard.iter().rfind(|one| is_it(one)).unwrap();
        found.params["diagnostics"].as_array().unwrap().clone()
    }

    /// Asks about a place, named by a text that stands there and how far behind its start.
    pub fn ask_at(
        &mut self,
        method: &str,
        text: &str,
        at: &str,
        plus: usize,
    ) -> Result<Json, (i32, String)> {
        let position = position(text, text.find(at).expect("it is in the text") + plus);
        let params = json!({ "textDocument": { "uri": URI }, "position": position });
        self.ask(method, params)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.connection.take());
        if let Some(server) = self.server.take()
            && !thread::panicking()
        {
            server.join().expect("the server does not panic");
        }
    }
}

/// A position in a text, counted anew: lines that end with `\n`, units of UTF-16.
pub fn position(text: &str, offset: usize) -> Json {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let own = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    json!({ "line": line, "character": own.encode_utf16().count() })
}
