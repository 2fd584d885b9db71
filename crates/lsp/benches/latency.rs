//! How long the language server takes to answer for models of 10,000 lines, each request right after an edit, which makes
//! everything anew: `cargo bench -p kinfold-lsp`.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench prints what it measures")]

#[allow(dead_code, reason = "the tests ask for more than is measured")]
#[path = "../tests/conversation/client.rs"]
mod client;
#[path = "../tests/conversation/long.rs"]
mod long;

use std::time::{Duration, Instant};

use client::{Client, URI, position};
use cpu_time::ThreadTime;
use serde_json::{Value as Json, json};

fn main() {
    for (what, text) in [("net", long::net(10_000)), ("processes", long::processes(10_000))] {
        println!("{what}, {} lines, {} KiB", text.lines().count(), text.len() / 1024);
        for (made, time) in made(&text) {
            println!("  {made:<34} {time:>10.1?} of processor time");
        }
        for (method, time) in times(&text) {
            println!("  {method:<34} {time:>10.1?}");
        }
    }
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
        timed("compiled, beside", &|| _ = lang::compile(text, &[])),
    ]
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
