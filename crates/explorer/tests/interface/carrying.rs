//! `carry`: what is left of a run when the text has changed.

use explorer::Code;
use serde_json::{Value as Json, json};

use crate::asked::{ask, explorer, explorer_of, read, refusal, text_of};

fn random_run(explorer: &explorer::Explorer, model: &str, seed: u64) -> Json {
    ask(explorer, "random", json!({ "model": model, "steps": 12, "seed": seed }))["run"].clone()
}

#[test]
fn nothing_is_lost_where_only_lines_move() {
    for (model, path) in [
        ("abba", "processes/abba.kin"),
        ("lock", "lock.kin"),
        ("thread_pool", "processes/thread_pool.kin"),
    ] {
        let explorer = explorer(&[path]);
        let run = random_run(&explorer, model, 4);
        let before = ask(&explorer, "run", json!({ "model": model, "run": run }));
        let text = format!("// One more line.\n//\n{}", text_of(path));
        assert_eq!(read(&explorer, model, path, &text).generation, 2);
        let outdated =
            refusal(&explorer, "run", json!({ "model": model, "generation": 1, "run": run }));
        assert_eq!(outdated.code(), Code::Outdated);
        let carried =
            ask(&explorer, "carry", json!({ "model": model, "generation": 1, "run": run }));
        assert_eq!(
            (&carried["lost"], &carried["why"]),
            (&json!(0), &Json::Null),
            "{model} {carried}"
        );
        let after = ask(&explorer, "run", json!({ "model": model, "run": carried["run"] }));
        let changes = |told: &Json| -> Vec<Json> {
            told["steps"].as_array().unwrap().iter().map(|step| step["actors"].clone()).collect()
        };
        assert_eq!(changes(&before), changes(&after), "{model}");
    }
}

#[test]
fn a_run_goes_as_far_as_it_still_can() {
    let text = "model m\nplace p = 1\nplace q\nplace r\n\
                transition a { take p put q }\ntransition b { take q put r }\n";
    let explorer = explorer_of(text);
    let request = json!({ "model": "m", "generation": 1, "run": [0, 0] });
    assert_eq!(ask(&explorer, "carry", request.clone())["lost"], 0);
    // Others come before it: its number is another.
    read(
        &explorer,
        "m",
        "m.kin",
        &text.replace("transition a", "transition z { take p }\ntransition a"),
    );
    let carried = ask(&explorer, "carry", request.clone());
    assert_eq!((&carried["run"], &carried["lost"]), (&json!([1, 0]), &json!(0)));
    read(&explorer, "m", "m.kin", &text.replace("transition b", "transition c"));
    let carried = ask(&explorer, "carry", request.clone());
    assert_eq!((&carried["run"], &carried["lost"]), (&json!([0]), &json!(1)));
    assert!(carried["why"].as_str().unwrap().contains("there is no such transition"), "{carried}");
    read(&explorer, "m", "m.kin", &text.replace("put q", "put r"));
    let carried = ask(&explorer, "carry", request.clone());
    assert_eq!((&carried["run"], &carried["lost"]), (&json!([0]), &json!(1)));
    assert!(carried["why"].as_str().unwrap().contains("cannot be taken"), "{carried}");
    // A text that is wrong has no runs, and the first is too long ago after that.
    read(&explorer, "m", "m.kin", "nonsense");
    assert_eq!(refusal(&explorer, "carry", request.clone()).code(), Code::Outdated);
    let newer = json!({ "model": "m", "generation": 4, "run": [0] });
    assert_eq!(refusal(&explorer, "carry", newer).code(), Code::ModelWrong);
}

#[test]
fn a_statement_that_is_gone_is_named() {
    let explorer = explorer(&["processes/abba.kin"]);
    let request = json!({ "model": "abba", "generation": 1, "run": [0, 0] });
    let text = text_of("processes/abba.kin")
        .replace("with a.lock() { with b.lock() {} }\n}", "b.lock()\n}");
    assert!(read(&explorer, "abba", "abba.kin", &text).is_right);
    let carried = ask(&explorer, "carry", request);
    assert_eq!((&carried["run"], &carried["lost"]), (&json!([0]), &json!(1)));
    let why = carried["why"].as_str().unwrap();
    assert!(why.starts_with("step 1, `with a.lock()` by main 1: "), "{why}");
}

#[test]
fn traces_are_read_and_nonsense_is_refused() {
    let explorer = explorer(&["lock.kin"]);
    for request in [
        json!({ "model": "lock" }),
        json!({ "model": "lock", "run": [0] }),
        json!({ "model": "lock", "trace": 3 }),
        json!({ "model": "lock", "trace": {}, "generation": 1, "run": [] }),
    ] {
        assert_eq!(
            refusal(&explorer, "carry", request.clone()).code(),
            Code::BadRequest,
            "{request}"
        );
    }
    let unknown = json!({ "model": "lock", "generation": 9, "run": [] });
    assert_eq!(refusal(&explorer, "carry", unknown).code(), Code::Outdated);
}
