//! A browser that is told what to do, by Chrome's DevTools protocol.
//!
//! It is spoken over a pipe: messages are JSON and end with a zero byte. The browser reads from its descriptor 3 and writes
//! to 4, which a shell makes of the ordinary ones.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// No command takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running browser. It ends with this.
pub struct DevTools {
    child: Child,
    line: Mutex<Line>,
    _profile: TempDir,
}

/// The two ends of the pipe.
struct Line {
    to: ChildStdin,
    from: Receiver<Json>,
    /// The number of the last command.
    last: u64,
}

impl DevTools {
    /// Starts a browser with flags of its own.
    pub fn start(path: &Path, flags: &[&str]) -> DevTools {
        let profile = tempfile::tempdir().expect("a folder");
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#])
            .arg(path)
            .args(["--headless", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let to = child.stdin.take().expect("it is piped");
        let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
        let (teller, from) = channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while out.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                let Ok(json) = serde_json::from_slice(&message) else { break };
                if teller.send(json).is_err() {
                    break;
                }
                message.clear();
            }
        });
        DevTools { child, line: Mutex::new(Line { to, from, last: 0 }), _profile: profile }
    }

    /// What a command gives, for the browser or for a session of a tab.
    pub fn ask(&self, session: Option<&str>, method: &str, parameters: &Json) -> Json {
        let mut line = self.line.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        line.last += 1;
        let id = line.last;
        let mut command = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        let sent = line.to.write_all(format!("{command}\0").as_bytes());
        sent.unwrap_or_else(|error| panic!("{method}: the browser is gone: {error}"));
        loop {
            let answer = line.from.recv_timeout(PATIENCE);
            let answer = answer.unwrap_or_else(|error| panic!("{method}: no answer: {error}"));
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method} {parameters}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// A session of a new tab.
    pub fn tab(&self) -> String {
        let target = self.ask(None, "Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.ask(None, "Target.attachToTarget", &attach);
        session["sessionId"].as_str().expect("a session").to_owned()
    }
}

impl Drop for DevTools {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
