//! What `explore` says of concrete states, and of nets without bound.

use crate::running::{kinfold_fed, project};
use serde_json::{Value, json};

/// The exit status and the JSON report of a model.
fn explored(text: &str, args: &[&str]) -> (i32, Value) {
    let done = kinfold_fed(&[&["explore", "-", "--json"], args].concat(), text.as_bytes());
    (done.status, done.json())
}

fn model(name: &str) -> String {
    std::fs::read_to_string(project(&format!("models/{name}"))).unwrap()
}

/// Concrete states and edges, most tokens in a marking and in an unfolded place.
fn counts(report: &Value) -> [&Value; 4] {
    ["concrete_states", "concrete_edges", "max_tokens_in_marking", "max_tokens_in_place"]
        .map(|name| report.get(name).expect("it is always there"))
}

#[test]
fn what_was_folded_is_counted_in_strings() {
    let (status, report) = explored(&model("client_server.kin"), &["--engine", "explicit"]);
    assert_eq!(
        (status, &report["engine"], &report["form"]),
        (0, &json!("explicit"), &json!("symbolic"))
    );
    assert_eq!(counts(&report), [&json!("4864"), &json!("24640"), &json!("12"), &json!("1")]);
    let (_, full) = explored(&model("client_server.kin"), &["--full"]);
    assert_eq!(full["form"], "full");
    assert_eq!(counts(&full), counts(&report));
    assert_eq!(full["states"].to_string(), "4864");
}

#[test]
fn sets_of_symbolic_markings_say_how_many_concrete_states_they_stand_for() {
    // Unfolded, there would be twice as many places as members.
    let crowd = "model crowd\nclass C symmetric 25000\nplace here: C = all\nplace away: C\n\
        place go = 2\ntransition leave { take here(x), go   put away(x) }\n";
    let (status, report) = explored(crowd, &["--engine", "ddd"]);
    assert_eq!((status, &report["form"], &report["states"]), (0, &json!("symbolic"), &json!(3)));
    let concrete = 1 + 25_000 + 25_000_u64 * 24_999 / 2;
    assert_eq!(report["concrete_states"], json!(concrete.to_string()));
    let pairs = ["--set", "clients=9", "--set", "servers=4"];
    let of = |engine: &str| {
        let args = [&["--engine", engine], &pairs[..]].concat();
        let (_, report) = explored(&model("client_server.kin"), &args);
        (report["states"].clone(), report["concrete_states"].clone())
    };
    assert_eq!(of("ddd"), of("explicit"));
}

#[test]
fn with_threads_there_is_a_count_only_if_all_states_were_seen() {
    let finite = "model finite\nflow a, b\nstart a\n\
        transition t { move p: a -> b   spawn q from p: b }\n";
    let null = [&Value::Null; 4];
    assert_eq!(counts(&explored(finite, &[]).1), null);
    let (status, full) = explored(finite, &["--full"]);
    assert_eq!(status, 0);
    assert_eq!(counts(&full), [&json!("2"), &json!("1"), &json!("2"), &json!("1")]);
    let chain = "model chain\nflow a\nstart a\ntransition t { end p: a   spawn q from p: a }\n";
    let (status, part) = explored(chain, &["--full", "--max-states", "10"]);
    assert_eq!((status, counts(&part)), (20, null));
}

#[test]
fn integers_and_truth_values_are_counted_too() {
    let text = "model counters\nclass C symmetric 3\nplace p(C, 0..=2) = (all, 0)\nplace odd(bool) = true\n\
        transition up { take p(x, k), odd(b)   put p(x, k + 1), odd(not b)   when k < 2 }\n";
    let (status, report) = explored(text, &[]);
    assert_eq!((status, &report["form"]), (0, &json!("symbolic")));
    // Three counters up to two, and the sum tells whether it is odd.
    assert_eq!(counts(&report), [&json!("27"), &json!("54"), &json!("4"), &json!("1")]);
    assert_eq!(report["states"], 10);
}

#[test]
fn a_net_without_bound_is_said_to_be_so() {
    let text = "model queue\nplace idle = 1\nplace busy, queue\n\
        transition begin { take idle   put busy }\n\
        transition finish { take busy   put idle, queue }\n";
    let (status, report) = explored(text, &[]);
    assert_eq!(
        (status, &report["complete"], &report["reason"]),
        (20, &json!(false), &json!("unbounded"))
    );
    assert_eq!(counts(&report), [&json!("+inf"); 4]);
    let unbounded = &report["unbounded"];
    assert_eq!(unbounded["place"], "queue");
    let steps = unbounded["trace"]["steps"].as_array().expect("a run").len();
    let from = unbounded["repeat_from"].as_u64().expect("a number") as usize;
    assert!(from < steps, "{from} of {steps}");
}

#[test]
fn with_inhibitors_growth_proves_nothing() {
    let text = "model limited\nplace idle = 1\nplace queue\n\
        transition add { take idle   unless 3000 queue   put idle, queue }\n";
    let (status, report) = explored(text, &[]);
    assert_eq!((status, &report["complete"], &report["states"]), (0, &json!(true), &json!(3001)));
}
