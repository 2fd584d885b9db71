//! Checks beside: verdicts, runs, cancellation, edits.

use lsp::Settings;
use serde_json::{Value as Json, json};

use crate::client::{Client, URI, position};

const ABBA: &str = "\
model abba
shared a = new mutex
shared b = new mutex

process main {
    spawn one()
    a.lock()
    b.lock()
    b.unlock()
    a.unlock()
}

process one {
    b.lock()
    a.lock()
    a.unlock()
    b.unlock()
}

property no_leak: no_one_stuck
property bounded: always count(one) <= 1
";

fn check(client: &mut Client, arguments: Json) -> Result<Json, (i32, String)> {
    let params = json!({ "command": "kinfold.check", "arguments": arguments });
    client.ask("workspace/executeCommand", params)
}

fn lenses(client: &mut Client) -> Vec<(u64, String)> {
    let params = json!({ "textDocument": { "uri": URI } });
    let found = client.ask("textDocument/codeLens", params).unwrap();
    let one = |lens: &Json| {
        let line = lens["range"]["start"]["line"].as_u64().unwrap();
        (line, lens["command"]["title"].as_str().unwrap().to_owned())
    };
    found.as_array().unwrap().iter().map(one).collect()
}

#[test]
fn verdicts_stand_beside_properties_and_a_violation_can_be_walked_through() {
    let mut client = Client::new();
    client.open(URI, ABBA);
    assert!(client.diagnostics(URI, 1).is_empty());
    let own = |line: u64, title: &str| (line, title.to_owned());
    let expected = [own(0, "check all"), own(19, "check"), own(20, "check")];
    assert_eq!(lenses(&mut client), expected);
    let result = check(&mut client, json!([URI])).unwrap();
    let verdict = |name: &str| {
        let all = result["verdicts"].as_array().unwrap();
        all.iter().find(|one| one["property"] == name).unwrap().clone()
    };
    assert_eq!(verdict("bounded")["verdict"], "holds");
    let fails = verdict("no_leak");
    assert_eq!(fails["verdict"], "fails");
    let steps = fails["steps"].as_array().unwrap();
    assert!(!steps.is_empty());
    assert_eq!(steps[0]["text"], "main 1, line 6: spawn one()");
    assert!(steps.iter().any(|step| step["text"] == "one 1.1, line 14: b.lock()"), "{steps:?}");
    for step in steps {
        let line = step["location"]["range"]["start"]["line"].as_u64().unwrap();
        assert!((4..=16).contains(&line), "{step}");
    }
    let found = lenses(&mut client);
    assert_eq!(found[0], own(0, "check all"));
    assert_eq!(found[1], own(19, "✗ fails"));
    assert_eq!(found[2], own(19, &format!("show run ({})", steps.len())));
    assert_eq!(found[3], own(20, "✓ holds"));
    // In the list of problems, too, with the steps to go through.
    let shown = client.diagnostics(URI, 1);
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert_eq!(
        (&shown[0]["source"], &shown[0]["code"]),
        (&json!("kinfold check"), &json!("fails"))
    );
    assert_eq!(shown[0]["relatedInformation"][0]["message"], "step 1: main 1, line 6: spawn one()");
    assert_eq!(shown[0]["relatedInformation"].as_array().unwrap().len(), steps.len());
    let params = json!({ "command": "kinfold.showRun", "arguments": [URI, "no_leak"] });
    let run = client.ask("workspace/executeCommand", params).unwrap();
    assert_eq!(run["steps"], fails["steps"]);
    assert!(client.asked.iter().any(|method| method == "workspace/codeLens/refresh"));
    // The text is another: nothing is known of it.
    let end = position(ABBA, ABBA.len());
    let version =
        client.change(URI, json!([{ "range": { "start": end, "end": end }, "text": "\n" }]));
    assert!(client.diagnostics(URI, version).is_empty());
    assert_eq!(lenses(&mut client), expected);
    let params = json!({ "command": "kinfold.showRun", "arguments": [URI, "no_leak"] });
    assert_eq!(client.ask("workspace/executeCommand", params).unwrap_err().0, -32803);
}

#[test]
fn one_property_is_checked_alone_and_a_wrong_model_not_at_all() {
    let mut client = Client::new();
    client.open(URI, ABBA);
    let result = check(&mut client, json!([URI, "bounded"])).unwrap();
    assert_eq!(result["verdicts"].as_array().unwrap().len(), 1, "{result}");
    assert_eq!(check(&mut client, json!([URI, "nonsense"])).unwrap_err().0, -32803);
    client.change(URI, json!([{ "text": "model m\nflow" }]));
    assert_eq!(check(&mut client, json!([URI])).unwrap_err().0, -32803);
    assert_eq!(check(&mut client, json!(["file:///none.kin"])).unwrap_err().0, -32602);
}

/// A model with so many states that no check of it ends soon.
const ENDLESS: &str = "\
model endless
flow main, child
place number: 0..=1000000 = 0
start main
transition grow { stay p: main   spawn c from p: child   take number(n)   put number((n + 7) % 1000000) }
property small: always count(child) < 1000000000
";

#[test]
fn a_check_ends_when_it_is_cancelled_or_the_text_changes() {
    let mut client = Client::new();
    client.open(URI, ENDLESS);
    assert!(client.diagnostics(URI, 1).is_empty());
    let command = json!({ "command": "kinfold.check", "arguments": [URI] });
    let id = client.begin("workspace/executeCommand", command.clone());
    assert_eq!(lenses(&mut client)[1].1, "checking…");
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(&id).unwrap_err().0, -32800);
    assert_eq!(lenses(&mut client)[1].1, "check");
    let id = client.begin("workspace/executeCommand", command);
    assert_eq!(lenses(&mut client)[1].1, "checking…");
    client.change(URI, json!([{ "text": "model m\nflow a\nstart a\n" }]));
    let (code, why) = client.answer(&id).unwrap_err();
    assert_eq!(code, -32801, "{why}");
    // The server goes on.
    assert_eq!(lenses(&mut client).len(), 1);
}

#[test]
fn requests_that_wait_are_cancelled_before_they_are_begun() {
    let mut client = Client::new();
    client.open(URI, ENDLESS);
    let command = json!({ "command": "kinfold.check", "arguments": [URI] });
    let id = client.begin("workspace/executeCommand", command);
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(&id).unwrap_err().0, -32800);
    assert_eq!(lenses(&mut client)[1].1, "check");
}

#[test]
fn a_check_keeps_to_its_budget_and_says_so() {
    let time = std::time::Duration::from_millis(300);
    let settings = Settings { check_on_save: false, time, ..Settings::default() };
    let mut client = Client::with(settings, &[]);
    client.open(URI, ENDLESS);
    let result = check(&mut client, json!([URI])).unwrap();
    assert_eq!(result["verdicts"][0]["verdict"], "unknown", "{result}");
    assert!(result["why"].is_string(), "{result}");
    assert_eq!(lenses(&mut client)[1].1, "? not known");
}

#[test]
fn models_are_checked_when_they_are_opened_and_saved() {
    let mut client = Client::with(Settings::default(), &[]);
    client.open(URI, ABBA);
    let fails = |client: &mut Client, version: i32| loop {
        let shown = client.diagnostics(URI, version);
        if shown.iter().any(|one| one["code"] == "fails") {
            break;
        }
        // One more message, whatever it is.
        client.heard.clear();
    };
    fails(&mut client, 1);
    client.heard.clear();
    let end = position(ABBA, ABBA.len());
    let version =
        client.change(URI, json!([{ "range": { "start": end, "end": end }, "text": "\n" }]));
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": URI } }));
    fails(&mut client, version);
}

#[test]
fn the_prelude_is_read_and_neither_compiled_nor_checked() {
    let mut client = Client::with(Settings::default(), &[]);
    client.open(URI, lang::PRELUDE);
    assert!(client.diagnostics(URI, 1).is_empty());
    assert_eq!(lenses(&mut client), []);
    let params = json!({ "textDocument": { "uri": URI } });
    let found = client.ask("textDocument/documentSymbol", params).unwrap();
    assert!(!found.as_array().unwrap().is_empty());
    let version = client.change(URI, json!([{ "text": "model m\nflow\n" }]));
    assert!(!client.diagnostics(URI, version).is_empty());
}
