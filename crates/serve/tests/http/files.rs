//! Models that change while they are looked at.

use std::fs;

use serde_json::{Value as Json, json};

use crate::running::{COUNTER, ROUND, Running, eventually};

fn generation(server: &Running) -> Json {
    server.ask("model", &json!({ "model": "m" }))["generation"].clone()
}

#[test]
fn a_saved_model_is_read_again_and_all_are_told() {
    let server = Running::start(&[("m.kin", COUNTER)]);
    let (mut one, mut other) = (server.listen(), server.listen());
    assert_eq!(generation(&server), 1);
    server.save("m.kin", "model broken\nflow\n");
    for listener in [&mut one, &mut other] {
        let event = listener.wait_for("model");
        assert_eq!((&event["model"], &event["generation"]), (&json!("m"), &json!(2)));
        assert_eq!(event["is_right"], false);
    }
    let model = server.ask("model", &json!({ "model": "m" }));
    assert_eq!(model["is_right"], false);
    assert_ne!(model["diagnostics"], json!([]));
    let refused = server.answer("state", &json!({ "model": "m", "run": [] }));
    assert_eq!((refused.status, refused.code().as_str()), (409, "model_wrong"));
    server.save("m.kin", ROUND);
    let event = one.wait_for("model");
    assert_eq!((&event["generation"], &event["is_right"]), (&json!(3), &json!(true)));
    let state = server.ask("state", &json!({ "model": "m", "run": [0, 0, 0, 0] }));
    assert_eq!(state["end"], json!(null));
}

#[test]
fn a_run_is_carried_over_as_far_as_it_goes() {
    let server = Running::start(&[("m.kin", COUNTER)]);
    let mut events = server.listen();
    server.save("m.kin", &COUNTER.replace("n < 3", "n < 2"));
    events.wait_for("model");
    let outdated = json!({ "model": "m", "generation": 1, "run": [0, 0, 0] });
    assert_eq!(server.answer("state", &outdated).code(), "outdated");
    let carried = server.ask("carry", &outdated);
    assert_eq!((&carried["run"], &carried["lost"]), (&json!([0, 0]), &json!(1)));
    assert!(carried["why"].is_string());
}

/// Many editors write over the file. What is read meanwhile may be a part of it, but not for long.
#[test]
fn a_model_may_be_written_over() {
    let server = Running::start(&[("m.kin", COUNTER)]);
    for text in [ROUND, COUNTER, ROUND] {
        fs::write(server.path("m.kin"), text).unwrap();
        eventually("the new text is there", || {
            server.ask("model", &json!({ "model": "m" }))["source"] == text
        });
    }
}

#[test]
fn a_deleted_model_stays_as_it_was_read_last() {
    let server = Running::start(&[("m.kin", COUNTER)]);
    let mut events = server.listen();
    fs::remove_file(server.path("m.kin")).unwrap();
    let event = events.wait_for("file");
    assert_eq!(event["model"], "m");
    assert!(event["missing"].is_string(), "{event}");
    eventually("the list says it as well", || {
        server.ask("models", &json!({}))["models"][0]["missing"].is_string()
    });
    assert_eq!(generation(&server), 1);
    server.ask("state", &json!({ "model": "m", "run": [0] }));
    server.save("m.kin", COUNTER);
    assert_eq!(events.wait_for("file")["missing"], json!(null));
    assert_eq!(generation(&server), 1, "nothing has changed");
    server.save("m.kin", ROUND);
    assert_eq!(events.wait_for("model")["generation"], 2);
    assert_eq!(server.ask("models", &json!({}))["models"][0]["missing"], json!(null));
}

#[test]
fn bytes_that_are_no_text_are_a_mistake_and_no_more() {
    let server = Running::start(&[("m.kin", COUNTER)]);
    let mut events = server.listen();
    fs::write(server.path("m.kin"), b"model \xff\xfe\x00").unwrap();
    assert_eq!(events.wait_for("model")["is_right"], false);
    assert_ne!(server.ask("model", &json!({ "model": "m" }))["diagnostics"], json!([]));
}

#[test]
fn a_model_that_is_not_there_is_refused_at_once() {
    let settings = serve::Settings {
        port: serve::Port::Exactly(0),
        models: vec![serve::ModelFile {
            path: "no/such.kin".into(),
            set: Vec::new(),
            go: Default::default(),
        }],
        ..serve::Settings::default()
    };
    let error = serve::Server::bind(settings, &budget::Budget::unlimited()).unwrap_err();
    assert!(error.to_string().starts_with("cannot read no/such.kin: "), "{error}");
}
