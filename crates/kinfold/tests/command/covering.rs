//! `kinfold tests`: what it writes, and what it says. That the runs cover what they should is tested in the crate `cover`.

use serde_json::json;

use crate::running::{kinfold, kinfold_fed, project};
use crate::schema::{fits, schema_of};

#[test]
fn the_suite_of_the_driven_pool_is_up_to_date() {
    let done = kinfold(&["tests", &project("models/pool.kin"), "--cover", "classes"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let kept = project("crates/drive/tests/pool.json");
    let kept = std::fs::read_to_string(kept).expect("the suite");
    assert!(
        done.stdout == kept,
        "write it anew by `kinfold tests models/pool.kin --cover classes`"
    );
    let said = "model pool: 48 of 48 classes covered by 3 runs of 68 steps in all (it takes at least 1 run and 47 steps)";
    assert_eq!(done.stderr.trim_end(), said);
}

#[test]
fn runs_are_traces_that_replay() {
    for (model, cover) in
        [("pool.kin", "pairs"), ("processes/thread_pool_fixed.kin", "transitions")]
    {
        let model = project(&format!("models/{model}"));
        let done = kinfold(&["tests", &model, "--cover", cover]);
        assert_eq!(done.status, 0, "{}", done.stderr);
        let suite = done.json();
        assert_eq!((&suite["cover"], &suite["missed"]), (&json!(cover), &json!([])));
        let schema = schema_of("trace.schema.json");
        let runs = suite["runs"].as_array().expect("runs");
        assert!(!runs.is_empty());
        for run in runs {
            assert!(fits(&run["trace"], &schema, &schema), "{run}");
            let replayed =
                kinfold_fed(&["replay", "-", &model], run["trace"].to_string().as_bytes());
            assert_eq!(replayed.status, 0, "{}", replayed.stdout);
            let has_acts = !run["trace"]["steps"][0]["acts"].is_null();
            assert_eq!(has_acts, cover == "transitions", "statements of processes are told");
        }
    }
}

#[test]
fn limits_and_wrong_usage_are_told() {
    let pool = project("models/pool.kin");
    let done = kinfold(&["tests", &pool, "--max-states", "10"]);
    assert_eq!(done.status, 20);
    let said = "INCOMPLETE: the limit on states was reached; the coverage is of what was explored";
    assert!(done.stderr.contains(said), "{}", done.stderr);
    assert_eq!(done.json()["complete"], false);
    let done = kinfold(&["tests", &pool, "--depth", "3"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("--depth goes with --cover classes"), "{}", done.stderr);
    let done = kinfold(&["tests", &pool, "--cover", "classes", "--depth", "1"]);
    assert_eq!((&done.json()["items"], &done.json()["depth"]), (&json!(3), &json!(1)));
}
