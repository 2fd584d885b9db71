//! What editors ask for, one after the other.

use serde_json::{Value as Json, json};

use crate::client::{Client, URI, position};
use crate::edits::edited;

const NET: &str = "\
model server

// How many listeners there are.
const k = 2
enum Colour { red, green }
flow main
flow listening(open: 0..=k, boss: pid)
place lock: Colour = red

start a: main, listening(0, a)

transition accept {
    move p: listening(c, b) -> listening(c + 1, b)
    take lock(red)
    put lock(green)
    when c < k
}

property bounded: always forall p at listening: p.open <= k
";

const PROCESSES: &str = "\
model pool

shared jobs = new channel[0..=3](capacity: 2)

// Counts what was done.
object counter {
    n: 0..=9 = 0
    step add(by: 0..=3) { n += by }
}

process main {
    let c = new counter
    let h = spawn worker(c, 1)
    jobs.send(2)
    jobs.close()
    join h
}

process worker(total: counter, id: 0..=1) {
    for job in jobs {
        working:
        total.add(job)
    }
}

property done: always forall w in worker: w.id == 1
property at_work: always count(worker at working) <= 1
";

fn opened(text: &str) -> Client {
    let mut client = Client::new();
    client.open(URI, text);
    let found = client.diagnostics(URI, 1);
    assert!(found.is_empty(), "{found:?}");
    client
}

fn hover(client: &mut Client, text: &str, at: &str, plus: usize) -> String {
    let found = client.ask_at("textDocument/hover", text, at, plus).unwrap();
    found["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hovers_say_how_something_is_declared() {
    let mut client = opened(NET);
    let said = hover(&mut client, NET, "0..=k", 4);
    assert!(said.contains("const k = 2") && said.contains("How many listeners"), "{said}");
    assert!(hover(&mut client, NET, "(c + 1", 1).contains("c: 0..=k"), "the sort of a column");
    assert!(hover(&mut client, NET, "p.open", 3).contains("open: 0..=k"));
    assert!(hover(&mut client, NET, "put lock", 5).contains("place lock: Colour = red"));
    assert_eq!(hover(&mut client, NET, "model", 1), "");
    let mut client = opened(PROCESSES);
    let said = hover(&mut client, PROCESSES, "total.add", 7);
    assert!(said.contains("step add(by: 0..=3) { n += by }"), "{said}");
    let said = hover(&mut client, PROCESSES, "jobs.send", 6);
    assert!(said.contains("step send(x: T)") && said.contains("in the prelude"), "{said}");
    let said = hover(&mut client, PROCESSES, "new channel", 5);
    assert!(said.contains("What is sent is received once"), "the comment of the prelude: {said}");
    assert!(hover(&mut client, PROCESSES, "total.add", 1).contains("total: counter"));
    assert!(hover(&mut client, PROCESSES, "w.id", 2).contains("id: 0..=1"));
}

/// Where something is declared and used: the texts of the lines, by number.
fn places(found: &Json) -> Vec<u64> {
    let list = found.as_array().unwrap();
    list.iter().map(|one| one["range"]["start"]["line"].as_u64().unwrap()).collect()
}

#[test]
fn names_lead_to_their_definitions_and_uses() {
    let mut client = opened(NET);
    let found = client.ask_at("textDocument/definition", NET, "take lock", 6).unwrap();
    assert_eq!(found["range"]["start"], position(NET, NET.find("lock:").unwrap()));
    let offset = NET.find("const k").unwrap() + 6;
    let params = json!({
        "textDocument": { "uri": URI },
        "position": position(NET, offset),
        "context": { "includeDeclaration": false },
    });
    let found = client.ask("textDocument/references", params).unwrap();
    assert_eq!(places(&found), [6, 15, 18]);
    let found = client.ask_at("textDocument/documentHighlight", NET, "(c, b)", 1).unwrap();
    assert_eq!(places(&found), [12, 12, 15]);
    let found = client.ask_at("textDocument/definition", NET, "(0, a)", 4).unwrap();
    assert_eq!(found["range"]["start"]["line"], 9);
    let mut client = opened(PROCESSES);
    let found = client.ask_at("textDocument/definition", PROCESSES, "w.id", 2).unwrap();
    assert_eq!(found["range"]["start"]["line"], 18);
    let found = client.ask_at("textDocument/definition", PROCESSES, "at working", 4).unwrap();
    assert_eq!(found["range"]["start"]["line"], 20);
    // Without a file for the prelude there is nowhere to go.
    assert!(client.ask_at("textDocument/definition", PROCESSES, "jobs.send", 6).unwrap().is_null());
}

fn labels(found: &Json) -> Vec<String> {
    let items = found["items"].as_array().unwrap();
    items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn completions_fit_the_place() {
    let mut client = opened(PROCESSES);
    // In the midst of typing, which does not parse.
    let text = PROCESSES.replace("total.add(job)", "total.");
    client.change(URI, json!([{ "text": text }]));
    let found = client.ask_at("textDocument/completion", &text, "total.", 6).unwrap();
    assert_eq!(labels(&found), ["n", "add"]);
    let text = PROCESSES.replace("total.add(job)", "jobs.se");
    client.change(URI, json!([{ "text": text }]));
    let found = client.ask_at("textDocument/completion", &text, "jobs.se\n", 7).unwrap();
    assert!(labels(&found).contains(&"send".to_owned()), "{found}");
    let inserted = |found: &Json, label: &str| {
        let items = found["items"].as_array().unwrap().iter();
        items.clone().find(|item| item["label"] == label).map(|item| item["insertText"].clone())
    };
    assert_eq!(inserted(&found, "send"), Some(json!("send($0)")));
    let text = PROCESSES.replace("total.add(job)", "jobs.");
    client.change(URI, json!([{ "text": text }]));
    let found = client.ask_at("textDocument/completion", &text, "jobs.\n", 5).unwrap();
    assert_eq!(inserted(&found, "close"), Some(json!("close()")), "it takes nothing");
    let text = PROCESSES.replace("total.add(job)", "jobs.se(job)");
    client.change(URI, json!([{ "text": text }]));
    let found = client.ask_at("textDocument/completion", &text, "jobs.se(", 7).unwrap();
    assert_eq!(inserted(&found, "send"), Some(json!(null)), "the parentheses are there");
    let text = PROCESSES.replace("total.add(job)", "jobs.se");
    client.change(URI, json!([{ "text": text }]));
    let found = client.ask_at("textDocument/completion", &text, "jobs.se\n", 0).unwrap();
    let all = labels(&found);
    for name in ["job", "total", "id", "jobs", "counter", "worker", "mutex", "select"] {
        assert!(all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    for name in ["c", "h", "transition", "take"] {
        assert!(!all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    let found = client.ask_at("textDocument/completion", &text, "// Counts", 5).unwrap();
    assert!(labels(&found).is_empty(), "in a comment");
    let mut client = opened(NET);
    let all = labels(&client.ask_at("textDocument/completion", NET, "take lock", 0).unwrap());
    for name in ["c", "b", "p", "lock", "red", "unless", "k"] {
        assert!(all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    assert!(!all.contains(&"mutex".to_owned()), "a net has no prelude");
}

#[test]
fn signatures_say_which_argument_is_next() {
    let mut client = opened(PROCESSES);
    let text = PROCESSES.replace("spawn worker(c, 1)", "spawn worker(c, ");
    client.change(URI, json!([{ "text": text }]));
    let found = client.ask_at("textDocument/signatureHelp", &text, "worker(c, ", 10).unwrap();
    assert_eq!(found["signatures"][0]["label"], "process worker(total: counter, id: 0..=1)");
    assert_eq!(found["activeParameter"], 1);
    let parameters = &found["signatures"][0]["parameters"];
    assert_eq!(parameters[1]["label"], "id: 0..=1");
    let found = client.ask_at("textDocument/signatureHelp", PROCESSES, "(capacity", 1).unwrap();
    assert_eq!(found["signatures"][0]["parameters"][0]["label"], "capacity: int = 0");
    let found = client.ask_at("textDocument/signatureHelp", PROCESSES, "model", 2).unwrap();
    assert!(found.is_null());
}

fn renamed(
    client: &mut Client,
    text: &str,
    at: &str,
    plus: usize,
    name: &str,
) -> Result<String, String> {
    let offset = text.find(at).unwrap() + plus;
    let params = json!({
        "textDocument": { "uri": URI }, "position": position(text, offset), "newName": name,
    });
    let edit = client.ask("textDocument/rename", params).map_err(|(_, message)| message)?;
    Ok(edited(text, &edit))
}

#[test]
fn names_are_changed_everywhere_or_not_at_all() {
    let mut client = opened(NET);
    let after = renamed(&mut client, NET, "lock:", 0, "token").unwrap();
    assert_eq!(after, NET.replace("lock", "token"));
    let after = renamed(&mut client, NET, "p.open", 2, "running").unwrap();
    assert_eq!(after, NET.replace("open", "running"));
    let after = renamed(&mut client, NET, "enum Colour", 6, "the colour").unwrap();
    assert_eq!(after, NET.replace("Colour", "`the colour`"));
    // A variable may not have the name of a value, nor of another variable.
    assert!(renamed(&mut client, NET, "(c, b)", 1, "k").is_err());
    assert!(renamed(&mut client, NET, "(c, b)", 1, "b").is_err());
    assert!(renamed(&mut client, NET, "(c, b)", 1, "take").is_err());
    assert!(renamed(&mut client, NET, "(c, b)", 1, "").is_err());
    assert!(renamed(&mut client, NET, "model", 1, "x").is_err());
    let mut client = opened(PROCESSES);
    let after = renamed(&mut client, PROCESSES, "total.add", 7, "more").unwrap();
    assert_eq!(after, PROCESSES.replace("add(", "more("));
    let after = renamed(&mut client, PROCESSES, "working:", 0, "busy").unwrap();
    assert_eq!(after, PROCESSES.replace("working", "busy"));
    let after = renamed(&mut client, PROCESSES, "w.id", 2, "number").unwrap();
    assert_eq!(after, PROCESSES.replace(" id:", " number:").replace("w.id", "w.number"));
    assert!(renamed(&mut client, PROCESSES, "jobs.send", 6, "put").is_err(), "in the prelude");
    let why = renamed(&mut client, PROCESSES, "process main", 8, "first").unwrap_err();
    assert!(why.contains("would not be the same"), "{why}");
    let found = client.ask_at("textDocument/prepareRename", PROCESSES, "total.add", 7).unwrap();
    assert_eq!(found["placeholder"], "add");
    let text = format!("{PROCESSES}process broken {{ let }}\n");
    client.change(URI, json!([{ "text": text }]));
    let why = renamed(&mut client, &text, "total.add", 7, "more").unwrap_err();
    assert!(why.contains("fix them first"), "{why}");
}

#[test]
fn outlines_have_what_is_declared() {
    let mut client = opened(PROCESSES);
    let whole = json!({ "textDocument": { "uri": URI } });
    let found = client.ask("textDocument/documentSymbol", whole.clone()).unwrap();
    let names = |list: &Json| -> Vec<String> {
        let list = list.as_array().unwrap().iter();
        list.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let expected = ["pool", "jobs", "counter", "main", "worker", "done", "at_work"];
    assert_eq!(names(&found), expected);
    assert_eq!(names(&found[2]["children"]), ["n", "add"]);
    assert_eq!(names(&found[4]["children"]), ["working"]);
    let found = client.ask("textDocument/foldingRange", whole).unwrap();
    let lines: Vec<(u64, u64)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["startLine"].as_u64().unwrap(), one["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(lines, [(5, 7), (10, 15), (18, 22), (19, 21)]);
}

#[test]
fn tokens_say_what_names_stand_for() {
    let mut client = opened(PROCESSES);
    let whole = json!({ "textDocument": { "uri": URI } });
    let found = client.ask("textDocument/semanticTokens/full", whole).unwrap();
    let data: Vec<u64> =
        found["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    let lines: Vec<&str> = PROCESSES.lines().collect();
    let (mut line, mut column) = (0_usize, 0_usize);
    let mut seen = Vec::new();
    for token in data.chunks(5) {
        let (down, right) = (token[0] as usize, token[1] as usize);
        (line, column) = if down == 0 { (line, column + right) } else { (line + down, right) };
        seen.push((&lines[line][column..column + token[2] as usize], token[3], token[4]));
    }
    // Indices into the legend.
    let (keyword, comment, method, class) = (0, 1, 10, 11);
    assert_eq!(seen[0], ("model", keyword, 0));
    assert!(seen.contains(&("// Counts what was done.", comment, 0)));
    assert!(seen.contains(&("counter", class, 1)), "{seen:?}");
    assert!(seen.contains(&("add", method, 0)));
    assert!(seen.contains(&("send", method, 4)), "of the prelude");
    let words: String = seen.iter().map(|(word, ..)| *word).collect();
    let written: String = PROCESSES.split_whitespace().collect();
    assert_eq!(words.replace(' ', ""), written, "every part is there, once");
}

#[test]
fn texts_are_laid_out_as_the_command_does() {
    let text = "model m\nflow   a\n\n\n\nstart a\ntransition t {   end p:a }\n";
    let mut client = opened(text);
    let params = json!({
        "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true },
    });
    let edits = client.ask("textDocument/formatting", params.clone()).unwrap();
    let edit = json!({ "changes": { URI: edits } });
    let formatted = edited(text, &edit);
    assert_eq!(formatted, lang::format(text).unwrap());
    let first = edits[0]["range"]["start"]["line"].as_u64().unwrap();
    assert_eq!(first, 1, "what is right stays");
    client.change(URI, json!([{ "text": formatted }]));
    assert_eq!(client.ask("textDocument/formatting", params.clone()).unwrap(), json!([]));
    client.change(URI, json!([{ "text": "model m\nflow\n" }]));
    assert!(client.ask("textDocument/formatting", params).is_err());
}

#[test]
fn hints_say_what_is_live_and_what_is_observed() {
    let mut client = opened(PROCESSES);
    let all = |text: &str| {
        json!({
            "textDocument": { "uri": URI },
            "range": { "start": position(text, 0), "end": position(text, text.len()) },
        })
    };
    let hints = |found: &Json| -> Vec<(u64, String)> {
        let list = found.as_array().unwrap().iter();
        let one = |hint: &Json| {
            let line = hint["position"]["line"].as_u64().unwrap();
            (line, hint["label"].as_str().unwrap().to_owned())
        };
        list.map(one).collect()
    };
    let found = hints(&client.ask("textDocument/inlayHint", all(PROCESSES)).unwrap());
    assert!(found.contains(&(13, "live: h".to_owned())), "{found:?}");
    assert!(client.asked.iter().any(|method| method == "workspace/inlayHint/refresh"));
    let mut client = opened(NET);
    let found = hints(&client.ask("textDocument/inlayHint", all(NET)).unwrap());
    assert!(found.contains(&(5, "thread observed: where it is".to_owned())), "{found:?}");
    assert!(found.contains(&(6, "observed: nothing: it is left out".to_owned())), "{found:?}");
}

/// The text after the first quick fix of its first mistake.
fn fixed(text: &str) -> (String, String) {
    let mut client = Client::new();
    client.open(URI, text);
    let found = client.diagnostics(URI, 1);
    let first = found.first().expect("a mistake");
    let params = json!({
        "textDocument": { "uri": URI }, "range": first["range"], "context": { "diagnostics": found },
    });
    let actions = client.ask("textDocument/codeAction", params).unwrap();
    let action = &actions[0];
    assert!(action.is_object(), "{found:?}");
    (action["title"].as_str().unwrap().to_owned(), edited(text, &action["edit"]))
}

#[test]
fn mistakes_are_fixed() {
    for (wrong, right, title) in [
        (NET.replace("take lock(red)", "take lokc(red)"), NET.to_owned(), "Replace by `lock`"),
        (NET.replace("put lock", "putt lock"), NET.to_owned(), "Replace by `put`"),
        (
            NET.replace("when c < k", "when c < k && c >= 0"),
            NET.replace("when c < k", "when c < k and c >= 0"),
            "Write `and`",
        ),
        (
            "model m\nconst a = b + 1\nconst b = 2\nplace p: 0..=a = 1\n".to_owned(),
            "model m\nconst b = 2\nconst a = b + 1\nplace p: 0..=a = 1\n".to_owned(),
            "Move `b` before this",
        ),
        (
            "model m\nflow a(n: 0..=3)\nstart a(0)\ntransition t { when n < 3   stay p: a(n) }\n"
                .to_owned(),
            "model m\nflow a(n: 0..=3)\nstart a(0)\ntransition t { stay p: a(n)   when n < 3 }\n"
                .to_owned(),
            "Move `when` to the end",
        ),
        (
            "model m\nflow a\nplace p = 1\ntransition t { take p   put p }\n".to_owned(),
            "model m\nflow a\nplace p = 1\nstart a\ntransition t { take p   put p }\n".to_owned(),
            "Add `start a`",
        ),
        (
            "model m\nflow a\nstart a\ntransition t { end p: a   put done }\n".to_owned(),
            "model m\nflow a\nplace done\nstart a\ntransition t { end p: a   put done }\n"
                .to_owned(),
            "Add `place done`",
        ),
        (
            PROCESSES.replace("jobs.close()", "jobs.clsoe()"),
            PROCESSES.to_owned(),
            "Replace by `close`",
        ),
    ] {
        assert_eq!(fixed(&wrong), (title.to_owned(), right), "{wrong}");
    }
}
