//! A server that runs in this process, with models in a folder of its own.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use budget::Budget;
use lang::Override;
use serde_json::Value as Json;
use serve::{Bounds, ModelFile, Port, ServeError, Server, Settings};
use tempfile::TempDir;

use crate::client::{Answer, Connection, DEADLINE, Listener};

/// Counts to three and stops.
pub const COUNTER: &str = "model counter\n\
    flow counting(n: 0..=3)\n\
    start counting(0)\n\
    transition step { move p: counting(n) -> counting(n + 1) when n < 3 }\n\
    property small: always forall p at counting: p.n <= 3\n";

/// Goes round for ever, with one step at each state.
pub const ROUND: &str = "model round\n\
    flow here, there\n\
    start here\n\
    transition go { move p: here -> there }\n\
    transition back { move p: there -> here }\n";

/// A server under way. It ends when this is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub token: String,
    pub folder: TempDir,
    budget: Budget,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Running {
    /// A server that shows these models, each a name and a text, with bounds as usual.
    pub fn start(models: &[(&str, &str)]) -> Running {
        Running::bounded(models, Bounds::default())
    }

    /// A server with its own bounds.
    pub fn bounded(models: &[(&str, &str)], bounds: Bounds) -> Running {
        let folder = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, &str)| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            ModelFile { path, set: Vec::new(), go: Default::default() }
        };
        let models = models.iter().map(write).collect();
        Running::of(folder, models, bounds)
    }

    /// A server that shows a model of the project, with some constants set.
    pub fn showing(model: &str, set: &[(&str, &str)]) -> Running {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
        let set =
            set.iter().map(|&(name, value)| Override { name: name.into(), value: value.into() });
        let model = ModelFile {
            path: PathBuf::from(path).join(model),
            set: set.collect(),
            go: Default::default(),
        };
        Running::of(tempfile::tempdir().unwrap(), vec![model], Bounds::default())
    }

    fn of(folder: TempDir, models: Vec<ModelFile>, bounds: Bounds) -> Running {
        // What is saved is seen soon.
        let bounds = Bounds { look_time: Duration::from_millis(20), ..bounds };
        let settings = Settings { port: Port::Exactly(0), models, bounds, ..Settings::default() };
        let budget = Budget::unlimited();
        let server = Server::bind(settings, &budget).unwrap();
        let (address, link) = (server.address(), server.link());
        let (url, token) = link.split_once("/#token=").unwrap();
        assert_eq!(url, format!("http://127.0.0.1:{}", address.port()));
        let thread = Some(thread::spawn(move || server.run()));
        Running { address, token: token.into(), folder, budget, thread }
    }

    /// Ends the server, which must do so within the deadline.
    pub fn end(&mut self) {
        self.budget.interrupt();
        if let Some(thread) = self.thread.take() {
            eventually("the server ends", || thread.is_finished());
            thread.join().unwrap().unwrap();
        }
    }

    pub fn open(&self) -> Connection {
        Connection::open(self.address)
    }

    /// A request as the page would send it.
    pub fn request(&self, method: &str, path: &str, body: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        )
    }

    /// The answer to bytes on a connection of their own.
    pub fn raw(&self, bytes: impl AsRef<[u8]>) -> Answer {
        let mut connection = self.open();
        connection.send(bytes);
        connection.answer().expect("an answer")
    }

    /// The answer to an operation.
    pub fn answer(&self, operation: &str, request: &Json) -> Answer {
        self.raw(self.request("POST", &format!("/api/v1/{operation}"), &request.to_string()))
    }

    /// What an operation gives, which must not be refused.
    pub fn ask(&self, operation: &str, request: &Json) -> Json {
        let answer = self.answer(operation, request);
        assert_eq!(answer.status, 200, "{operation} {request}: {}", answer.text());
        answer.json()
    }

    /// A stream of events that has begun.
    pub fn listen(&self) -> Listener {
        let mut connection = self.open();
        connection.send(self.request("GET", "/api/v1/events", ""));
        let mut listener = Listener::new(connection);
        let hello = serde_json::json!({ "event": "hello", "version": 1 });
        assert_eq!(listener.next(), Some(hello));
        listener
    }

    /// That the server still does its work.
    pub fn is_well(&self) {
        let models = self.ask("models", &serde_json::json!({}));
        assert_eq!(models["version"], 1);
    }

    /// Saves a model at one blow: writes another file, and renames it.
    pub fn save(&self, name: &str, text: &str) {
        let other = self.path("saving");
        fs::write(&other, text).unwrap();
        fs::rename(other, self.path(name)).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.end();
        }
    }
}

/// Asks again and again until the answer is yes.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < DEADLINE, "never: {what}");
        thread::park_timeout(Duration::from_millis(5));
    }
}
