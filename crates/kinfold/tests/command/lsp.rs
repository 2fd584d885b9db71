//! `kinfold lsp`, spoken with over its standard input and output, as editors do.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

use crate::running::{kinfold, project};

const URI: &str = "file:///model.kin";

/// A server, and what it has said so far without being asked.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    heard: Vec<Json>,
    /// Where it keeps the prelude.
    cache: tempfile::TempDir,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        let cache = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_kinfold"))
            .arg("lsp")
            .args(args)
            .env("XDG_CACHE_HOME", cache.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Server { child, input, output, last: 0, heard: Vec::new(), cache };
        let params = json!({ "processId": null, "rootUri": null, "capabilities": {} });
        let result = server.ask("initialize", params).unwrap();
        assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
        server.tell("initialized", json!({}));
        server
    }

    fn send_bytes(&mut self, body: &str) {
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Json) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send_bytes(&message.to_string());
    }

    fn begin(&mut self, method: &str, params: Json) -> u64 {
        self.last += 1;
        let message =
            json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params });
        self.send_bytes(&message.to_string());
        self.last
    }

    fn hear(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn answer(&mut self, id: u64) -> Result<Json, Json> {
        loop {
            let message = self.hear();
            if message["id"] == id && message["method"].is_null() {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.heard.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Json) -> Result<Json, Json> {
        let id = self.begin(method, params);
        self.answer(id)
    }

    fn open(&mut self, text: &str) {
        let document = json!({ "uri": URI, "languageId": "kin", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, version: i32, changes: Json) {
        let document = json!({ "uri": URI, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    fn diagnostics(&mut self, version: i32) -> Vec<Json> {
        let is_it = |message: &Json| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == version
        };
        loop {
            if let Some(found) = self.heard.iter().rfind(|message| is_it(message)) {
                return found["params"]["diagnostics"].as_array().unwrap().clone();
            }
            let message = self.hear();
            self.heard.push(message);
        }
    }

    /// Says goodbye; gives the status with which it ends.
    fn end(mut self) -> i32 {
        assert!(self.ask("shutdown", Json::Null).unwrap().is_null());
        self.tell("exit", Json::Null);
        self.child.wait().unwrap().code().unwrap()
    }
}

fn whole() -> Json {
    json!({ "textDocument": { "uri": URI } })
}

#[test]
fn a_session_with_edits_errors_renames_and_cancellation() {
    let mut server = Server::start(&["--stdio", "--no-check"]);
    let text = std::fs::read_to_string(project("models/server.kin")).unwrap();
    server.open(&text);
    assert!(server.diagnostics(1).is_empty());
    // A mistake, in one character.
    let at = text.find("start main").unwrap() + 6;
    let line = text[..at].matches('\n').count();
    let place = |character: usize| json!({ "line": line, "character": character });
    let one = json!({ "start": place(6), "end": place(7) });
    server.change(2, json!([{ "range": one, "text": "n" }]));
    let found = server.diagnostics(2);
    assert_eq!(found[0]["code"], "E0201", "{found:?}");
    let mut params = whole();
    params["range"] = found[0]["range"].clone();
    params["context"] = json!({ "diagnostics": found });
    let actions = server.ask("textDocument/codeAction", params).unwrap();
    assert_eq!(actions[0]["title"], "Replace by `main`", "{actions}");
    server.change(3, json!([{ "range": one, "text": "m" }]));
    assert!(server.diagnostics(3).is_empty());
    // Another name for a place.
    let mut params = whole();
    params["position"] = place(7);
    params["newName"] = json!("begin");
    let edit = server.ask("textDocument/rename", params.clone()).unwrap();
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), text.matches("main").count());
    params["newName"] = json!("take");
    assert_eq!(server.ask("textDocument/rename", params).unwrap_err()["code"], -32803);
    // A check that is cancelled, or done before.
    let command = json!({ "command": "kinfold.check", "arguments": [URI] });
    let id = server.begin("workspace/executeCommand", command.clone());
    server.tell("$/cancelRequest", json!({ "id": id }));
    if let Err(error) = server.answer(id) {
        assert_eq!(error["code"], -32800);
    }
    let result = server.ask("workspace/executeCommand", command).unwrap();
    let verdicts = result["verdicts"].as_array().unwrap();
    assert!(verdicts.iter().all(|one| one["verdict"] == "holds"), "{result}");
    // What is no message is answered, and the rest goes on.
    server.send_bytes("nonsense");
    server.ask("textDocument/foldingRange", whole()).unwrap();
    let is_complaint = |message: &Json| message["error"]["code"] == -32700;
    assert!(server.heard.iter().any(is_complaint));
    assert_eq!(server.end(), 0);
}

#[test]
fn the_prelude_can_be_looked_at() {
    let mut server = Server::start(&["--no-check"]);
    let text = "model m\nshared lock = new mutex\nprocess main { lock.lock() }\n";
    server.open(text);
    let mut params = whole();
    params["position"] = json!({ "line": 2, "character": 21 });
    let found = server.ask("textDocument/definition", params).unwrap();
    let path = found["uri"].as_str().unwrap().strip_prefix("file://").unwrap();
    assert!(path.starts_with(server.cache.path().to_str().unwrap()), "{path}");
    let prelude = std::fs::read_to_string(path).unwrap();
    let line = found["range"]["start"]["line"].as_u64().unwrap() as usize;
    assert_eq!(prelude.lines().nth(line), Some("    step lock undo unlock {"));
    assert_eq!(server.end(), 0);
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let mut server = Server::start(&[]);
    server.open("model m\nflow a\nstart a\n");
    drop(server.input.take());
    assert_eq!(server.child.wait().unwrap().code(), Some(1));
}

/// What is published is what the command prints, on models with mistakes of every kind.
#[test]
fn the_command_finds_the_same() {
    let folder = project("crates/lang/tests/gallery");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|one| one.unwrap().path()).collect();
    paths.sort();
    let mut server = Server::start(&["--no-check"]);
    let mut version = 1;
    let mut mistakes = 0;
    server.open("");
    // Some of them; all are tried where the compiler is tested.
    for path in paths.iter().step_by(8) {
        let text = std::fs::read_to_string(path).unwrap();
        version += 1;
        server.change(version, json!([{ "text": text }]));
        let found = server.diagnostics(version);
        server.heard.clear();
        let path = path.to_str().unwrap();
        let done = kinfold(&["show", path]);
        let found: Vec<(String, u64)> = found
            .iter()
            .filter_map(|one| {
                let line = one["range"]["start"]["line"].as_u64()? + 1;
                Some((one["code"].as_str()?.to_owned(), line))
            })
            .collect();
        let expected = printed(&done.stderr);
        mistakes += expected.len();
        assert_eq!(found, expected, "{path}");
    }
    assert!(mistakes > 30, "{mistakes}");
    assert_eq!(server.end(), 0);
}

/// The codes and lines of what the command has printed: `error[E0201]: …`, and ` --> FILE:LINE:COLUMN` below it.
fn printed(stderr: &str) -> Vec<(String, u64)> {
    let lines: Vec<&str> = stderr.lines().collect();
    let heads = lines.iter().enumerate().filter_map(|(at, line)| {
        let rest = line.strip_prefix("error[").or_else(|| line.strip_prefix("warning["))?;
        let (code, _) = rest.split_once(']')?;
        let place = lines.get(at + 1).and_then(|line| line.split_once("--> "));
        let line = place.and_then(|(_, place)| place.rsplit(':').nth(1)?.parse().ok());
        Some((code.to_owned(), line.unwrap_or(1)))
    });
    heads.collect()
}
