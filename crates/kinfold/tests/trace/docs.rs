//! What `docs/traces.md` says is so.

use std::fs;

use kinfold::trace::{self, Record};
use kinfold::{Trace, TraceFormat};
use serde_json::{Value, json};

use crate::processes::run_to_deadlock;
use crate::running::{kinfold, kinfold_fed, project};
use crate::schema::{fits, schema_of};
use crate::traces::{all, compiled, deadlock_of_locks, pool, random};

fn docs(name: &str) -> String {
    fs::read_to_string(project(&format!("docs/{name}"))).unwrap()
}

/// The blocks of a kind in the page.
fn blocks(kind: &str) -> Vec<String> {
    let page = docs("traces.md");
    let fence = format!("```{kind}\n");
    let parts = page.split(&fence).skip(1).map(|part| part.split("```").next());
    parts.map(|block| block.unwrap().to_owned()).collect()
}

#[test]
fn the_page_shows_what_is_said() {
    let net = compiled(&blocks("kin")[0], &[]);
    let record: Record = trace::read(&blocks("json")[0]).unwrap();
    let trace = record.replay(&net).unwrap();
    let json: Value = serde_json::from_str(&blocks("json")[0]).unwrap();
    assert_eq!(trace.json(&net, None), json);
    let texts = blocks("text");
    assert!(texts.contains(&trace.text(&net)), "{}", trace.text(&net));
    let log = trace.write(TraceFormat::ShiViz, &net, None);
    assert!(texts.contains(&log), "{log}");
    let (locks, deadlock) = deadlock_of_locks();
    assert!(texts.iter().any(|text| deadlock.text(&locks).ends_with(text)), "who waits for what");
    let processes = compiled(&blocks("kin")[1], &[]);
    let deadlock = Trace::from(run_to_deadlock(&processes));
    assert!(texts.contains(&deadlock.text(&processes)), "{}", deadlock.text(&processes));
    let mut wrong = json;
    wrong["steps"][1]["binding"]["r"] = "1.7".into();
    for (trace, status) in [(blocks("json")[0].clone(), 0), (wrong.to_string(), 1)] {
        let dir = tempfile::tempdir().unwrap();
        let model = dir.path().join("relay.kin");
        fs::write(&model, &blocks("kin")[0]).unwrap();
        let done = kinfold_fed(&["replay", "-", model.to_str().unwrap()], trace.as_bytes());
        assert_eq!(done.status, status, "{}", done.stdout);
        assert!(texts.iter().any(|text| text.ends_with(&done.stdout)), "{}", done.stdout);
    }
    for format in TraceFormat::ALL {
        assert!(docs("traces.md").contains(&format!("`{}`", format.name())), "{format:?}");
    }
}

#[test]
fn the_picture_in_the_page_is_that_of_its_trace() {
    let (net, trace) = pool();
    let written = format!("{:#}\n", trace.json(&net, None));
    assert_eq!(docs("traces/pool.json"), written, "write it again");
    let args = ["replay", &project("docs/traces/pool.json"), &project("models/pool.kin")];
    let done = kinfold(&[&args[..], &["--format", "svg"]].concat());
    assert_eq!(
        docs("traces/pool.svg"),
        done.stdout,
        "draw it again with kinfold replay --format svg"
    );
}

#[test]
fn the_schema_says_what_is_read_and_written() {
    let schema = schema_of("trace.schema.json");
    let example: Value = serde_json::from_str(&blocks("json")[0]).unwrap();
    assert!(fits(&example, &schema, &schema));
    for (net, trace) in all().into_iter().chain(random().into_iter().map(|(_, one)| one)) {
        assert!(fits(&trace.json(&net, Some("p")), &schema, &schema), "{}", net.name);
    }
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert!(example.as_object().unwrap().keys().eq(fields), "all fields, and no others");
    // What the schema refuses is not read; what it says may be left out may be.
    let changes: [(&str, Value); 14] = [
        ("/schema_version", json!(2)),
        ("/model", json!(1)),
        ("/constants", json!([])),
        ("/property", json!(true)),
        ("/initial", json!({})),
        ("/initial/eta", json!({"x": 1})),
        ("/steps", json!({})),
        ("/steps/0", json!([])),
        ("/steps/0/transition", json!(null)),
        ("/steps/0/binding", json!([])),
        ("/steps/0/born", json!(["one"])),
        ("/steps/1/ended", json!([1])),
        ("/back/to", json!(-1)),
        ("/back/replaced", json!({"1": 2})),
    ];
    for (place, value) in changes {
        let mut changed = example.clone();
        *changed.pointer_mut(place).unwrap() = value;
        assert!(!fits(&changed, &schema, &schema), "{place} fits");
        assert!(trace::read(&changed.to_string()).is_err(), "{place} is read");
    }
    for key in example.as_object().unwrap().keys() {
        let mut changed = example.clone();
        changed.as_object_mut().unwrap().remove(key);
        let read = trace::read(&changed.to_string()).is_ok();
        assert_eq!(read, fits(&changed, &schema, &schema), "without {key}");
    }
}
