//! Random edits of models: the server never fails, and says of every text what the command says.

use std::fs;
use std::path::Path;

use diagnostics::Severity;
use random::{Random, daily, for_seeds};
use serde_json::{Value as Json, json};

use crate::client::{Client, URI, position};

/// Small models of all kinds, right and wrong ones.
fn texts() -> Vec<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut folders = vec![
        root.join("models"),
        root.join("crates/lang/tests/corpus"),
        root.join("crates/lang/tests/gallery"),
        root.join("crates/lang/tests/newcomers"),
    ];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "kin") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).unwrap());
    let texts: Vec<String> = texts.filter(|text| text.len() < 3000).collect();
    assert!(texts.len() > 150, "{} texts", texts.len());
    texts
}

/// Some text to put in: a piece of another model, a token, or nonsense.
fn piece(texts: &[String], random: &mut Random) -> String {
    match random.below(6) {
        0 => String::new(),
        1 => (*random.pick(&["{", "}", "(", ")", ".", "\n", "\r\n", "`", "/*", "é\u{1f600}", ":"]))
            .into(),
        2 => {
            let words = [
                "process main { ",
                "transition t { ",
                "take ",
                "spawn ",
                "shared x = new mutex\n",
                "forall p at ",
                "property q: always ",
                "object o[T] { ",
                "const k = 3\n",
                "none",
                "99999999",
                "select { ",
                "let x = ",
                "model",
                " if ",
                "class C symmetric 3\n",
            ];
            (*random.pick(&words)).into()
        }
        3 => {
            // A word of another model.
            let text = random.pick(texts);
            let words: Vec<&str> = text.split_whitespace().collect();
            if words.is_empty() { String::new() } else { (*random.pick(&words)).into() }
        }
        _ => {
            let text = random.pick(texts);
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let from = random.below(lines.len());
            let count = 1 + random.below(4_usize);
            lines[from..(from + count).min(lines.len())].concat()
        }
    }
}

/// An edit: what is replaced by what.
fn edit(text: &str, texts: &[String], random: &mut Random) -> (std::ops::Range<usize>, String) {
    let place = |random: &mut Random| text.floor_char_boundary(random.below(text.len() + 1));
    let start = place(random);
    let end = match random.below(3) {
        0 => start,
        1 => text.floor_char_boundary((start + random.below(12_usize)).min(text.len())),
        _ => {
            let other = place(random);
            // Not too much at once, or nothing is left.
            text.floor_char_boundary(other.clamp(start, (start + 200).min(text.len())))
        }
    };
    (start..end.max(start), piece(texts, random))
}

/// What the command says of a text, as far as places go: code, severity, line and column of the mistake.
fn expected(text: &str) -> Vec<(String, u64, u64, u64)> {
    let report = lang::compile(text, &[]).diagnostics;
    let one = |one: &diagnostics::Diagnostic| {
        let severity = if one.severity == Severity::Error { 1 } else { 2 };
        // As the command counts: lines from 1, columns in characters.
        let (line, column) = (one.line.max(1) as u64, one.column.max(1) as u64);
        (one.code.to_owned(), severity, line, column)
    };
    report.iter().map(one).collect()
}

/// The same of what was published.
fn published(text: &str, found: &[Json]) -> Vec<(String, u64, u64, u64)> {
    let compiled = found.iter().filter(|one| one["code"].is_string());
    let lines: Vec<&str> = text.split('\n').collect();
    let one = |one: &Json| {
        let start = &one["range"]["start"];
        let (line, units) = (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap());
        let own: Vec<u16> = lines[line as usize].encode_utf16().take(units as usize).collect();
        let column = String::from_utf16(&own).unwrap().chars().count() as u64;
        let code = one["code"].as_str().unwrap().to_owned();
        (code, one["severity"].as_u64().unwrap(), line + 1, column + 1)
    };
    compiled.map(one).collect()
}

/// Asks anything about any place. There is a result, or a reason that is not a fault.
fn ask_something(client: &mut Client, text: &str, random: &mut Random) {
    let at = position_of(text, random);
    let place = json!({ "textDocument": { "uri": URI }, "position": at });
    let whole = json!({ "textDocument": { "uri": URI } });
    let other = position_of(text, random);
    let range = json!({ "start": at, "end": other });
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
        ("textDocument/documentHighlight", place.clone()),
        ("textDocument/prepareRename", place.clone()),
        ("textDocument/rename", with(place.clone(), "newName", json!("another"))),
        ("textDocument/documentSymbol", whole.clone()),
        ("textDocument/foldingRange", whole.clone()),
        ("textDocument/semanticTokens/full", whole.clone()),
        ("textDocument/semanticTokens/range", with(whole.clone(), "range", range.clone())),
        (
            "textDocument/formatting",
            with(whole.clone(), "options", json!({ "tabSize": 4, "insertSpaces": true })),
        ),
        (
            "textDocument/codeAction",
            with(
                with(whole.clone(), "range", range.clone()),
                "context",
                json!({ "diagnostics": [] }),
            ),
        ),
        ("textDocument/inlayHint", with(whole.clone(), "range", range)),
        ("textDocument/codeLens", whole),
    ];
    let (method, params) = random.pick(&requests).clone();
    match client.ask(method, params) {
        Ok(_) => {}
        Err((code, message)) => assert_eq!(code, -32803, "{method}: {message}"),
    }
}

fn position_of(text: &str, random: &mut Random) -> Json {
    position(text, text.floor_char_boundary(random.below(text.len() + 1)))
}

/// 100,000 edits in all, of which a part is tried every day.
#[test]
fn random_edits_are_followed() {
    let texts = texts();
    const EDITS: u64 = 20;
    for_seeds(0..daily(100_000 / EDITS, 50), |_, random| {
        let mut client = Client::new();
        // Lines of the command end with `\n` alone.
        let mut text = random.pick(&texts).replace('\r', "");
        client.open(URI, &text);
        assert_eq!(published(&text, &client.diagnostics(URI, 1)), expected(&text), "{text}");
        for _ in 0..EDITS {
            let (range, new) = edit(&text, &texts, random);
            let new = new.replace('\r', "");
            let bounds =
                json!({ "start": position(&text, range.start), "end": position(&text, range.end) });
            text.replace_range(range, &new);
            let version = client.change(URI, json!([{ "range": bounds, "text": new }]));
            // Some requests come before the compiler is done.
            if random.percent(50) {
                ask_something(&mut client, &text, random);
            }
            let found = published(&text, &client.diagnostics(URI, version));
            assert_eq!(found, expected(&text), "{text}");
            ask_something(&mut client, &text, random);
            client.heard.clear();
        }
    });
}

/// What can be renamed means the same afterwards; quick fixes lead to texts with other mistakes, or none.
#[test]
fn offered_edits_can_be_applied() {
    let texts = texts();
    let mut applied = [0, 0];
    for_seeds(0..daily(2000, 20), |_, random| {
        let text = random.pick(&texts).replace('\r', "");
        let mut client = Client::new();
        client.open(URI, &text);
        client.diagnostics(URI, 1);
        let whole = json!({ "start": position(&text, 0), "end": position(&text, text.len()) });
        let params = json!({
            "textDocument": { "uri": URI }, "range": whole, "context": { "diagnostics": [] },
        });
        let actions = client.ask("textDocument/codeAction", params).unwrap();
        for action in actions.as_array().unwrap() {
            let after = edited(&text, &action["edit"]);
            assert_ne!(after, text, "{action}");
            applied[0] += 1;
        }
        let at = position_of(&text, random);
        let params = json!({ "textDocument": { "uri": URI }, "position": at, "newName": "zz" });
        if let Ok(edit) = client.ask("textDocument/rename", params) {
            let codes = |text: &str| {
                let report = lang::compile(text, &[]).diagnostics;
                let mut codes: Vec<&str> = report.iter().map(|one| one.code).collect();
                codes.sort_unstable();
                codes
            };
            let after = edited(&text, &edit);
            assert_eq!(codes(&text), codes(&after), "{text}\n{after}");
            applied[1] += 1;
        }
    });
    assert!(applied[0] > 10 && applied[1] > 10, "{applied:?}");
}

/// A text with the edits of a `WorkspaceEdit`.
pub fn edited(text: &str, edit: &Json) -> String {
    let offset = |position: &Json| {
        let line = position["line"].as_u64().unwrap() as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let units = position["character"].as_u64().unwrap() as usize;
        let own: Vec<u16> = text[start..].encode_utf16().take(units).collect();
        start + String::from_utf16(&own).unwrap().len()
    };
    let edits = edit["changes"][URI].as_array().unwrap();
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|one| {
            let range = &one["range"];
            (offset(&range["start"]), offset(&range["end"]), one["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_by_key(|(start, end, _)| (*start, *end));
    let mut after = String::new();
    let mut at = 0;
    for (start, end, new) in edits {
        assert!(at <= start && start <= end, "edits do not overlap");
        after.push_str(&text[at..start]);
        after.push_str(new);
        at = end;
    }
    after + &text[at..]
}
