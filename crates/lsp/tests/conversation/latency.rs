//! How long answers take for a model of 10,000 lines.

use std::fmt::Write;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use serde_json::{Value as Json, json};

use crate::client::{Client, URI, position};

/// A net of this many lines.
fn net(lines: usize) -> String {
    let mut text = String::from("model long\nconst k = 3\nflow main, busy(n: 0..=k)\nstart main\n");
    for number in 0..(lines - 4) / 5 {
        write!(
            text,
            "place p{number}: 0..=k = 1\ntransition t{number} {{\n    move h: busy(n) -> busy((n + 1) % k)\n    \
             take p{number}(x)   put p{number}(x)\n}}\n"
        )
        .unwrap();
    }
    text
}

/// Processes of this many lines.
fn processes(lines: usize) -> String {
    let mut text =
        String::from("model long\nshared lock = new mutex\nprocess main { spawn w0(0) }\n");
    for number in 0..(lines - 3) / 8 {
        write!(
            text,
            "process w{number}(n: 0..=3) {{\n    let c = new channel[0..=3](capacity: 1)\n    lock.lock()\n    \
             if n > 0 {{\n        c.send(n)\n    }}\n    lock.unlock()\n}}\n"
        )
        .unwrap();
    }
    text
}

/// How long each request takes after an edit, which makes everything anew.
fn times(text: &str) -> Vec<(&'static str, Duration)> {
    let mut client = Client::new();
    client.open(URI, text);
    let middle = text[..text.len() / 2].rfind("\n    ").unwrap() + 9;
    let at = position(text, middle);
    let place = json!({ "textDocument": { "uri": URI }, "position": at });
    let whole = json!({ "textDocument": { "uri": URI } });
    let with = |mut params: Json, name: &str, value: Json| {
        params[name] = value;
        params
    };
    let requests = [
        ("textDocument/hover", place.clone()),
        ("textDocument/completion", place.clone()),
        ("textDocument/signatureHelp", place.clone()),
        ("textDocument/definition", place.clone()),
        (
            "textDocument/references",
            with(place.clone(), "context", json!({ "includeDeclaration": true })),
        ),
        ("textDocument/documentHighlight", place),
        ("textDocument/documentSymbol", whole.clone()),
        ("textDocument/foldingRange", whole.clone()),
        ("textDocument/semanticTokens/full", whole.clone()),
        ("textDocument/codeLens", whole),
    ];
    let mut found = Vec::new();
    for (method, params) in requests {
        // A comment at the end, which changes nothing but the text.
        let end = position(text, text.len());
        client.change(URI, json!([{ "range": { "start": end, "end": end }, "text": "//\n" }]));
        let began = Instant::now();
        client.ask(method, params).unwrap();
        found.push((method, began.elapsed()));
    }
    found
}

/// What is made of a text, in processor time of this thread, which does not depend on who else is at work.
fn made(text: &str) -> Vec<(&'static str, Duration)> {
    let timed = |what: &'static str, act: &dyn Fn()| {
        let began = ThreadTime::now();
        act();
        (what, began.elapsed())
    };
    vec![
        timed("names", &|| _ = lang::names::names(text)),
        timed("parts", &|| _ = lang::highlight(text)),
        timed("layout", &|| _ = lang::format(text)),
        timed("compiled", &|| _ = lang::compile(text, &[])),
    ]
}

/// Printed with `--nocapture`; what is demanded is a bound that no machine should miss, since tests are run without
/// optimisation and beside others.
#[test]
fn a_model_of_ten_thousand_lines_is_answered_for() {
    for (what, text) in [("net", net(10_000)), ("processes", processes(10_000))] {
        assert!(text.lines().count() > 9_900);
        for (made, time) in made(&text) {
            println!("{what}: {made}: {time:?} of processor time");
        }
        for (method, time) in times(&text) {
            println!("{what}: {method}: {time:?}");
            assert!(time < Duration::from_secs(20), "{what}: {method}: {time:?}");
        }
    }
}
