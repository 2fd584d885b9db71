//! What is refused, with which code.

use std::time::Duration;

use budget::Budget;
use explorer::{Code, Explorer};
use serde_json::json;

use crate::asked::{ask, explorer, refusal};

fn code_of(explorer: &Explorer, operation: &str, body: &str) -> Code {
    let budget = Budget::unlimited();
    match Explorer::is_job(operation) {
        true => explorer.begin(operation, body.as_bytes(), &budget).map(|_| ()).unwrap_err().code(),
        false => explorer.ask(operation, body.as_bytes(), &budget).map(|_| ()).unwrap_err().code(),
    }
}

#[test]
fn every_code_has_a_name_and_a_status() {
    let mut names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Code::ALL.len());
    assert!(Code::ALL.iter().all(|code| (400..600).contains(&code.status())));
    let document = include_str!("../../../../docs/serve.md");
    for code in Code::ALL {
        let row = document
            .lines()
            .find(|line| line.starts_with('|') && line.contains(&format!("`{}`", code.name())));
        let row = row.unwrap_or_else(|| panic!("{} is not in the document", code.name()));
        assert!(row.contains(&code.status().to_string()), "{row}");
    }
}

#[test]
fn requests_that_are_none() {
    let explorer = explorer(&["lock.kin"]);
    for operation in [
        "model", "run", "state", "why", "layers", "random", "graph", "way", "export", "carry",
        "write", "check", "search", "coverage",
    ] {
        for body in ["", "[]", "3", "{", "{}", r#"{"model": 3}"#, "[\"lock\"]", "\u{0}", "nul"] {
            assert_eq!(code_of(&explorer, operation, body), Code::BadRequest, "{operation} {body}");
        }
        let unknown = r#"{"model": "lokc", "run": [], "line": 1, "steps": 1, "class": 0, "format": "text", "source": "", "generation": 1, "predicate": "true"}"#;
        assert_eq!(code_of(&explorer, operation, unknown), Code::NoSuchModel, "{operation}");
    }
    for (operation, body) in [
        ("run", r#"{"model": "lock", "run": [-1]}"#),
        ("run", r#"{"model": "lock", "run": [0.5]}"#),
        ("run", r#"{"model": "lock", "run": "0"}"#),
        ("run", r#"{"model": "lock", "run": [0], "loop": 3}"#),
        ("random", r#"{"model": "lock", "run": [], "steps": 10001}"#),
        (
            "random",
            r#"{"model": "lock", "run": [], "steps": 1, "until": {"line": 1, "deadlock": true}}"#,
        ),
        ("check", r#"{"model": "lock", "seconds": -1}"#),
        ("check", r#"{"model": "lock", "seconds": 1e300}"#),
        ("check", r#"{"model": "lock", "memory": "much"}"#),
        ("check", r#"{"model": "lock", "properties": "exclusive"}"#),
    ] {
        assert_eq!(code_of(&explorer, operation, body), Code::BadRequest, "{operation} {body}");
    }
    assert_eq!(code_of(&explorer, "modle", "{}"), Code::NotFound);
    let refused = explorer.begin("chekc", b"{}", &Budget::unlimited()).unwrap_err();
    assert_eq!(
        (refused.code(), refused.message().contains("did you mean `check`?")),
        (Code::NotFound, true)
    );
}

#[test]
fn names_that_are_near_are_offered() {
    let explorer = explorer(&["lock.kin"]);
    let refused = refusal(&explorer, "model", json!({ "model": "lokc" }));
    let error = refused.to_json();
    assert_eq!(error["error"]["code"], "no_such_model");
    assert_eq!(error["error"]["message"], "there is no model named `lokc`; did you mean `lock`?");
}

#[test]
fn steps_that_are_not_there() {
    let explorer = explorer(&["lock.kin"]);
    let refused = refusal(&explorer, "run", json!({ "model": "lock", "run": [0, 7, 0] }));
    assert_eq!(refused.code(), Code::NoSuchStep);
    assert_eq!(refused.to_json()["error"]["at"], 1);
    let refused = refusal(&explorer, "state", json!({ "model": "lock", "run": [0], "at": 2 }));
    assert_eq!(refused.code(), Code::NoSuchStep);
    // The good beginning is as good as before.
    assert_eq!(
        ask(&explorer, "state", json!({ "model": "lock", "run": [0] }))["next"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let long = json!({ "model": "lock", "run": vec![0; 100_001] });
    assert_eq!(refusal(&explorer, "run", long).code(), Code::TooLarge);
}

#[test]
fn generations_that_are_gone() {
    let explorer = explorer(&["lock.kin"]);
    for generation in [0, 2, u64::MAX] {
        let refused =
            refusal(&explorer, "state", json!({ "model": "lock", "generation": generation }));
        assert_eq!(refused.code(), Code::Outdated);
        assert_eq!(refused.to_json()["error"]["generation"], 1);
    }
}

#[test]
fn what_takes_too_long() {
    let explorer = explorer(&["lock.kin"]);
    let spent = Budget::unlimited().within(Duration::ZERO);
    for operation in ["state", "graph", "random"] {
        let body = br#"{"model": "lock", "run": [], "steps": 3}"#;
        assert_eq!(explorer.ask(operation, body, &spent).unwrap_err().code(), Code::TooLong);
    }
}

#[test]
fn loops_that_are_none() {
    let explorer = explorer(&["lock.kin"]);
    for back in [
        json!({ "to": 0, "replaced": {} }),
        json!({ "to": 9, "replaced": { "1": "1" } }),
        json!({ "to": 0, "replaced": { "1": "1", "1.1": "1" } }),
    ] {
        let request = json!({ "model": "lock", "run": [0], "loop": back });
        assert_eq!(refusal(&explorer, "run", request).code(), Code::Refused);
    }
}

#[test]
fn properties_and_fairness_that_are_not_there() {
    let explorer = explorer(&["lock.kin"]);
    for body in [
        r#"{"model": "lock", "properties": ["exclusiv"]}"#,
        r#"{"model": "lock", "fairness": "grantt"}"#,
        r#"{"model": "lock", "text": "count(nowhere) == 0"}"#,
    ] {
        assert_eq!(code_of(&explorer, "check", body), Code::Refused, "{body}");
    }
    let temporal = r#"{"model": "lock", "predicate": "always true"}"#;
    assert_eq!(code_of(&explorer, "search", temporal), Code::Refused);
}
