//! `kinfold serve` as its users meet it: the link, the end by Ctrl-C, and what is said when there is no server.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::running::{kinfold, project};
use serde_json::{Value, json};

/// After this time something that should come is taken not to come.
const DEADLINE: Duration = Duration::from_secs(60);

/// The command under way.
struct Serving {
    child: Child,
    /// Where it listens.
    host: String,
    token: String,
}

impl Serving {
    fn start(args: &[&str]) -> Serving {
        Serving::by(Command::new(env!("CARGO_BIN_EXE_kinfold")).arg("serve").args(args))
    }

    fn by(command: &mut Command) -> Serving {
        let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let mut link = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut link).unwrap();
        let Some((url, token)) = link.trim_end().split_once("/#token=") else {
            panic!(
                "no link in {link:?}: {}",
                child.wait_with_output().unwrap().stderr.escape_ascii()
            )
        };
        let host = url.strip_prefix("http://").unwrap().to_owned();
        Serving { child, host, token: token.to_owned() }
    }

    fn ask(&self, operation: &str, request: &Value) -> Value {
        let body = request.to_string();
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        write!(
            stream,
            "POST /api/v1/{operation} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.host,
            self.token,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{answer}");
        serde_json::from_str(body).unwrap()
    }

    /// Presses Ctrl-C, and gives the status and what was said.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < DEADLINE, "it does not end");
            thread::park_timeout(Duration::from_millis(10));
        }
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }
}

#[test]
fn a_model_is_served_until_ctrl_c() {
    let serving = Serving::start(&[&project("models/server.kin"), "--port", "0", "--set", "k=1"]);
    assert!(serving.host.starts_with("127.0.0.1:"), "{}", serving.host);
    let models = serving.ask("models", &json!({}));
    assert_eq!(models["models"][0]["name"], "server");
    let model = serving.ask("model", &json!({ "model": "server" }));
    assert_eq!(model["is_right"], true);
    let (status, said) = serving.interrupt();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("showing `server` from "), "{said}");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn ctrl_c_ends_jobs_as_well() {
    let large = ["--port", "0", "--set", "k=9", "--set", "m=9"];
    let serving = Serving::start(&[&[project("models/server.kin").as_str()], &large[..]].concat());
    let job = serving.ask("check", &json!({ "model": "server", "properties": ["no_deadlock"] }));
    let start = Instant::now();
    while serving.ask("job", &job)["progress"].is_null() {
        assert!(start.elapsed() < DEADLINE, "the job makes no progress");
    }
    let (status, said) = serving.interrupt();
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn a_model_with_errors_is_served_to_show_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.kin");
    std::fs::write(&path, "modle broken\n").unwrap();
    let serving = Serving::start(&[path.to_str().unwrap(), "--port", "0"]);
    assert_eq!(serving.ask("model", &json!({ "model": "broken" }))["is_right"], false);
    let (status, said) = serving.interrupt();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("which has errors"), "{said}");
}

/// A Go program is read as `check` reads it: from the entry that is asked for, and as the version of its module has it.
#[test]
fn a_go_program_is_read_as_it_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ask_test.go");
    let text = "package ask\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {}\n\n\
         func TestTwo(t *testing.T) {\n\tfor i := 0; i < 2; i++ {\n\t\tgo func() { println(i) }()\n\t}\n}\n";
    std::fs::write(&path, text).unwrap();
    std::fs::write(folder.path().join("go.mod"), "module ask\n\ngo 1.22\n").unwrap();
    let told = |args: &[&str]| {
        let serving = Serving::start(&[&[path.to_str().unwrap(), "--port", "0"], args].concat());
        let told = serving.ask("model", &json!({ "model": "ask_test" }));
        serving.interrupt();
        (told["is_right"].clone(), told["diagnostics"].to_string())
    };
    let (is_right, said) = told(&[]);
    assert!(is_right == false && said.contains("there are several tests"), "{said}");
    assert_eq!(told(&["--entry", "TestTwo"]), (json!(true), "[]".to_owned()));
    let done = kinfold(&["serve", folder.path().to_str().unwrap()]);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("is a folder; give the file of a model"), "{}", done.stderr);
}

/// Two servers side by side: the second finds another port than the usual one.
#[test]
fn without_a_port_one_is_chosen() {
    let model = project("models/chain.kin");
    let (one, other) = (Serving::start(&[&model]), Serving::start(&[&model]));
    assert_ne!(one.host, other.host);
    for serving in [one, other] {
        serving.ask("models", &json!({}));
        assert_eq!(serving.interrupt().0, Some(0));
    }
}

#[test]
fn a_port_that_is_taken_is_said_with_a_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let done = kinfold(&["serve", &project("models/chain.kin"), "--port", &port]);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(
        done.stderr.contains(&format!("port {port} of 127.0.0.1 is in use")),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("choose another --port"), "{}", done.stderr);
    assert_eq!(done.stdout, "");
}

#[test]
fn what_cannot_be_served_is_said() {
    let chain = project("models/chain.kin");
    for (args, status, said) in [
        (vec!["no/such.kin"], 153, "cannot read no/such.kin"),
        (vec!["-"], 2, "standard input cannot be watched"),
        (vec!["net.pnml", "--set", "k=1"], 2, "PNML, which has no constants"),
        (vec![&chain, "--set", "k=1", "--set", "k=2"], 2, "`k` a value twice"),
        (vec![&chain, "--host", "example.org"], 2, "write an address"),
        (vec![&chain, "--host", "203.0.113.1"], 2, "not an address of this machine"),
        (vec![&chain, "--port", "70000"], 2, "70000"),
        (vec![], 2, "MODEL"),
    ] {
        let done = kinfold(&[&["serve"], &args[..]].concat());
        assert_eq!(done.status, status, "{args:?}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{args:?}: {}", done.stderr);
    }
}

/// Where there is nothing to open a browser with, the link is there all the same.
#[test]
fn a_browser_that_cannot_be_opened_is_no_failure() {
    let nothing = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.args(["serve", &project("models/chain.kin"), "--port", "0", "--open"]);
    let serving = Serving::by(command.env("PATH", nothing.path()));
    serving.ask("models", &json!({}));
    let (status, said) = serving.interrupt();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("no browser could be opened"), "{said}");
}

#[test]
fn who_serves_others_is_warned() {
    let model = project("models/chain.kin");
    let serving = Serving::start(&[&model, "--port", "0", "--host", "0.0.0.0"]);
    assert!(serving.host.starts_with("127.0.0.1:"), "the link is for this machine");
    serving.ask("models", &json!({}));
    let (status, said) = serving.interrupt();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("warning: other machines can reach this server"), "{said}");
}
