//! What the protocol asks of a server: greetings, errors, several documents, other encodings.

use lsp::Settings;
use serde_json::json;

use crate::client::{Client, URI, position};

#[test]
fn nothing_is_answered_before_the_greeting_or_after_the_goodbye() {
    let mut client = Client::silent(Settings::default());
    let params = json!({ "textDocument": { "uri": URI } });
    let early = client.ask("textDocument/documentSymbol", params.clone());
    assert_eq!(early.unwrap_err().0, -32002);
    assert_eq!(client.ask("initialize", json!({ "capabilities": 7 })).unwrap_err().0, -32602);
    client.ask("initialize", json!({ "capabilities": {} })).unwrap();
    assert_eq!(client.ask("initialize", json!({ "capabilities": {} })).unwrap_err().0, -32600);
    assert!(client.ask("shutdown", json!(null)).unwrap().is_null());
    assert_eq!(client.ask("textDocument/documentSymbol", params).unwrap_err().0, -32600);
    client.tell("exit", json!(null));
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let mut client = Client::new();
    client.open(URI, "model m\n");
    let wrong = json!({ "textDocument": { "uri": URI }, "position": { "line": -1 } });
    assert_eq!(client.ask("textDocument/hover", wrong).unwrap_err().0, -32602);
    assert_eq!(client.ask("textDocument/hover", json!([])).unwrap_err().0, -32602);
    assert_eq!(client.ask("textDocument/nonsense", json!({})).unwrap_err().0, -32601);
    let unknown = json!({ "textDocument": { "uri": "file:///other.kin" } });
    assert_eq!(client.ask("textDocument/foldingRange", unknown).unwrap_err().0, -32602);
    let command = json!({ "command": "kinfold.nonsense", "arguments": [] });
    assert_eq!(client.ask("workspace/executeCommand", command).unwrap_err().0, -32602);
    let command = json!({ "command": "kinfold.check", "arguments": [7] });
    assert_eq!(client.ask("workspace/executeCommand", command).unwrap_err().0, -32602);
    // What is no request is not answered, and does no harm.
    client.tell("textDocument/didChange", json!({ "textDocument": 3 }));
    client.tell("textDocument/didOpen", json!(null));
    client.tell("$/cancelRequest", json!({ "id": 99 }));
    client.tell("$/setTrace", json!({ "value": "off" }));
    // Far behind the end of the text is its end.
    let far =
        json!({ "textDocument": { "uri": URI }, "position": { "line": 9999, "character": 9 } });
    assert!(client.ask("textDocument/hover", far).unwrap().is_null());
}

#[test]
fn several_documents_are_kept_apart() {
    let mut client = Client::new();
    let others: Vec<String> = (0..5).map(|number| format!("file:///m{number}.kin")).collect();
    for (number, uri) in others.iter().enumerate() {
        let wrong = "take nowhere ".repeat(number);
        client.open(
            uri,
            &format!("model m{number}\nflow a\nstart a\ntransition t {{ {wrong} end p: a }}\n"),
        );
    }
    for (number, uri) in others.iter().enumerate() {
        let found = client.diagnostics(uri, 1);
        assert_eq!(found.len(), usize::from(number > 0), "{found:?}");
    }
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": others[3] } }));
    let params = json!({ "textDocument": { "uri": others[3] } });
    assert!(client.ask("textDocument/foldingRange", params).is_err());
    let params = json!({ "textDocument": { "uri": others[4] } });
    let symbols = client.ask("textDocument/documentSymbol", params).unwrap();
    assert_eq!(symbols[0]["name"], "m4");
}

#[test]
fn positions_are_in_the_units_that_were_agreed() {
    let text = "model m\n/* \u{1f600}\u{e9} */ flow lokc\nstart lock\n";
    for (encodings, column) in [(&["utf-16"][..], 15), (&["utf-8", "utf-16"], 18), (&[], 15)] {
        let settings = Settings { check_on_save: false, ..Settings::default() };
        let mut client = Client::with(settings, encodings);
        client.open(URI, text);
        let params = json!({ "textDocument": { "uri": URI } });
        let symbols = client.ask("textDocument/documentSymbol", params).unwrap();
        assert_eq!(symbols[1]["selectionRange"]["start"]["character"], column, "{encodings:?}");
        // `lokc` becomes `lock`.
        let place = |character: usize| json!({ "line": 1, "character": character });
        let range = json!({ "start": place(column + 2), "end": place(column + 4) });
        let version = client.change(URI, json!([{ "range": range, "text": "ck" }]));
        assert!(client.diagnostics(URI, version).is_empty());
    }
}

#[test]
fn several_changes_in_one_message_follow_each_other() {
    let mut client = Client::new();
    client.open(URI, "model m\r\nflow a\r\n");
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    let version = client.change(
        URI,
        json!([
            { "range": { "start": at(1, 6), "end": at(1, 6) }, "text": "\nstart b" },
            { "range": { "start": at(1, 5), "end": at(1, 6) }, "text": "b" },
            { "range": { "start": at(9, 0), "end": at(9, 0) }, "text": "transition t { end p: b }\n" },
        ]),
    );
    assert!(client.diagnostics(URI, version).is_empty());
    let version = client.change(URI, json!([{ "text": "model other\nflow a\nstart x\n" }]));
    let found = client.diagnostics(URI, version);
    assert_eq!(found[0]["code"], "E0201");
    assert_eq!(found[0]["range"]["start"], position("model other\nflow a\nstart x\n", 25));
}
