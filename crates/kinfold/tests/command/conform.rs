//! `kinfold conform`: statuses, formats, the run that it writes, and live logs.

use std::fs;

use crate::running::{kinfold, kinfold_fed, project};

fn at(name: &str) -> String {
    project(&format!("docs/conform/{name}"))
}

fn server() -> String {
    project("models/server.kin")
}

#[test]
fn statuses_say_whether_the_log_conforms() {
    let mapping = at("server.json");
    let done = kinfold(&["conform", &at("server.jsonl"), &server(), "--mapping", &mapping]);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("the log conforms: 8 events explained\n"), "{}", done.stdout);
    let done = kinfold(&["conform", &at("leak.jsonl"), &server(), "--mapping", &mapping]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let page = fs::read_to_string(project("docs/conform.md")).unwrap();
    assert!(page.contains(&done.stdout), "{}", done.stdout);
    let few = ["conform", "-", &server(), "--unlogged", "init", "--max-candidates", "1"];
    let done = kinfold_fed(&few, b"{\"event\":\"accept\"}\n");
    assert_eq!(done.status, 20, "{}{}", done.stdout, done.stderr);
}

#[test]
fn answers_are_json_too() {
    let args = ["conform", &at("leak.jsonl"), &server(), "--mapping", &at("server.json"), "--json"];
    let done = kinfold(&args);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let answer = done.json();
    assert_eq!(answer["verdict"], "differs");
    assert_eq!(answer["explained"], 6);
    assert_eq!(answer["difference"]["line"], 7);
    assert_eq!(answer["difference"]["nearest"]["edits"][0]["kind"], "changed");
}

#[test]
fn the_run_can_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run.json");
    let run = run.to_str().unwrap();
    let (log, mapping) = (at("server.jsonl"), at("server.json"));
    let done = kinfold(&["conform", &log, &server(), "--mapping", &mapping, "--run", run]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let done = kinfold(&["replay", run, &server()]);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(fs::read_to_string(run).unwrap().contains("\"log_line\": 9"));
    let done = kinfold(&["conform", &log, &server(), "--mapping", &mapping, "--run", "run.xyz"]);
    assert_eq!(done.status, 2, "{}", done.stderr);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases: [(&[&str], &str, i32); 5] = [
        (&["--unlogged", "init"], "<stdin>, line 2: the event `acept` is not in the mapping", 150),
        (&["--unlogged", "inti"], "did you mean `init`?", 2),
        (&["--unlogged", "init", "--format", "text"], "needs a mapping with `log.lines`", 2),
        (&["--mapping", "no such file"], "cannot read", 153),
        (&["--unlogged", "init", "--format", "otel"], "neither `resourceSpans`", 150),
    ];
    for (args, expected, status) in cases {
        let server = server();
        let args: Vec<&str> = ["conform", "-", &server].iter().chain(args).copied().collect();
        let log = b"{\"event\":\"accept\",\"p\":1}\n{\"event\":\"acept\"}\n";
        let done = kinfold_fed(&args, log);
        assert!(done.stderr.contains(expected), "{args:?}: {}", done.stderr);
        assert_eq!(done.status, status, "{args:?}: {}", done.stderr);
    }
}

#[test]
fn a_live_log_ends_where_it_differs() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("live.jsonl");
    fs::write(&log, "{\"event\":\"accept\",\"p\":1,\"h\":2}\n{\"event\":\"reap\",\"h\":2}\n")
        .unwrap();
    let args = ["conform", log.to_str().unwrap(), &server(), "--unlogged", "init", "--follow"];
    let done = kinfold(&args);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("line 2"), "{}", done.stdout);
    // One that does not differ is waited for.
    fs::write(&log, "{\"event\":\"accept\",\"p\":1,\"h\":2}\n").unwrap();
    let done = kinfold(&[&args[..], &["--time", "0.3"]].concat());
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
}
