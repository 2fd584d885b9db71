//! An explorer with models, and asking it.

use std::fs;
use std::path::Path;

use budget::Budget;
use explorer::{End, Explorer, Host, News, Read, Refusal, Text};
use serde_json::{Value as Json, json};

/// A text of the folder `models`.
pub fn text_of(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    fs::read_to_string(Path::new(root).join(path)).expect("a model")
}

/// An explorer with models of the folder `models`, each by the stem of its file.
pub fn explorer(paths: &[&str]) -> Explorer {
    let explorer = Explorer::new(Host::Server);
    for path in paths {
        let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).expect("a name");
        assert!(read(&explorer, stem, path, &text_of(path)).is_right, "{path}");
    }
    explorer
}

/// An explorer with one model.
pub fn explorer_of(text: &str) -> Explorer {
    let explorer = Explorer::new(Host::Server);
    let read = read(&explorer, "m", "m.kin", text);
    if !read.is_right {
        panic!("{:#}", ask(&explorer, "model", json!({ "model": "m" }))["diagnostics"]);
    }
    explorer
}

/// Reads a text.
pub fn read(explorer: &Explorer, name: &str, file: &str, text: &str) -> Read {
    let text = Text { file: file.into(), bytes: text.as_bytes().to_vec(), ..Text::default() };
    explorer.read(name, text, &Budget::unlimited())
}

/// What is answered, or why not.
pub fn try_ask(explorer: &Explorer, operation: &str, request: Json) -> Result<Json, Refusal> {
    explorer.ask(operation, request.to_string().as_bytes(), &Budget::unlimited())
}

/// What is answered.
pub fn ask(explorer: &Explorer, operation: &str, request: Json) -> Json {
    match try_ask(explorer, operation, request.clone()) {
        Ok(answer) => answer,
        Err(refusal) => panic!("{operation} {request}: {}", refusal.to_json()),
    }
}

/// Why nothing is answered.
#[allow(dead_code, reason = "not every test is refused something")]
pub fn refusal(explorer: &Explorer, operation: &str, request: Json) -> Refusal {
    match try_ask(explorer, operation, request.clone()) {
        Ok(answer) => panic!("{operation} {request}: {answer:#}"),
        Err(refusal) => refusal,
    }
}

/// All that a job tells, and how it ends.
#[allow(dead_code, reason = "not every test has jobs")]
pub fn job(explorer: &Explorer, operation: &str, request: Json) -> (Vec<News>, End) {
    job_within(explorer, operation, request, &Budget::unlimited())
}

/// The same, within a budget.
#[allow(dead_code, reason = "not every test has jobs")]
pub fn job_within(
    explorer: &Explorer,
    operation: &str,
    request: Json,
    budget: &Budget,
) -> (Vec<News>, End) {
    let body = request.to_string();
    let job = match explorer.begin(operation, body.as_bytes(), &Budget::unlimited()) {
        Ok(job) => job,
        Err(refusal) => panic!("{operation} {request}: {}", refusal.to_json()),
    };
    let mut news = Vec::new();
    let end = job.run(budget, &mut |one| news.push(one));
    (news, end)
}

/// The steps that can be taken after a run.
#[allow(dead_code, reason = "not every test walks")]
pub fn next(explorer: &Explorer, model: &str, run: &[u32]) -> Vec<Json> {
    let state = ask(explorer, "state", json!({ "model": model, "run": run }));
    state["next"].as_array().expect("a list").clone()
}
