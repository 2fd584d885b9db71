//! What the worker of the playground gets to hear.

use std::collections::BTreeSet;

use playground::{Playground, examples};
use serde_json::{Value as Json, json};

fn asked(playground: &Playground, operation: &str, request: &Json) -> (Json, Vec<Json>) {
    let mut news = Vec::new();
    let request = request.to_string();
    let answer =
        playground.answer(operation, request.as_bytes(), &mut |one| news.push(one.clone()));
    (answer, news)
}

#[test]
fn every_example_is_right_and_has_a_name_of_its_own() {
    let playground = Playground::default();
    let names: BTreeSet<String> = examples().into_iter().map(|example| example.name).collect();
    assert_eq!(names.len(), examples().len());
    assert!(
        ["tutorial_1", "tutorial_2", "tutorial_nets_1"].iter().all(|name| names.contains(*name))
    );
    for name in names {
        let (model, _) = asked(&playground, "model", &json!({ "model": name }));
        assert_eq!(model["is_right"], true, "{name}: {:#}", model["diagnostics"]);
        assert_eq!(model["can_write"], true, "{name}");
    }
}

#[test]
fn a_job_says_that_it_has_begun_and_how_it_ends() {
    let playground = Playground::default();
    let (end, news) = asked(&playground, "check", &json!({ "model": "tutorial_2" }));
    assert_eq!(end["state"], "done", "{end}");
    let events: Vec<&str> = news.iter().filter_map(|one| one["event"].as_str()).collect();
    assert_eq!(events.first(), Some(&"begun"), "{events:?}");
    let fails = news.iter().any(|one| one["event"] == "verdict" && one["verdict"] == "fails");
    assert!(fails, "{news:#?}");
}

#[test]
fn a_text_that_is_written_is_the_model_from_then_on() {
    let playground = Playground::default();
    let source =
        "model changed\nplace p = 1\ntransition t { take p }\nproperty never: never count(p) > 1\n";
    let (model, _) = asked(&playground, "write", &json!({ "model": "abba", "source": source }));
    assert_eq!((&model["generation"], &model["source"]), (&json!(2), &json!(source)));
    let (end, news) =
        asked(&playground, "check", &json!({ "model": "abba", "text": "nonsense (" }));
    assert_eq!((end["error"]["code"].as_str(), news.len()), (Some("refused"), 0), "{end}");
}
