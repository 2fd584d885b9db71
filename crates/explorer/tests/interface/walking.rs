//! `run`, `state`, `why`, `layers`, `random` and `export`.

use random::{Random, Seed};
use serde_json::{Value as Json, json};

use crate::asked::{ask, explorer, explorer_of, next, refusal, text_of};
use explorer::Code;

/// Models of all kinds.
const MODELS: [(&str, &str); 5] = [
    ("abba", "processes/abba.kin"),
    ("thread_pool", "processes/thread_pool.kin"),
    ("lock", "lock.kin"),
    ("philosophers", "philosophers.kin"),
    ("queue", "pnml/queue.pnml"),
];

fn all() -> explorer::Explorer {
    explorer(&MODELS.map(|(_, path)| path))
}

/// A run at random.
fn at_random(explorer: &explorer::Explorer, model: &str, steps: u64, seed: u64) -> Vec<u32> {
    let request = json!({ "model": model, "run": [], "steps": steps, "seed": seed });
    serde_json::from_value(ask(explorer, "random", request)["run"].clone()).unwrap()
}

/// The numbers say the same in any order in which they are asked, however much is kept.
#[test]
fn the_same_numbers_are_the_same_run() {
    let seed = 11;
    let _seed = Seed(seed);
    let walked = all();
    for (model, _) in MODELS {
        let run = at_random(&walked, model, 30, seed);
        let state = |explorer: &explorer::Explorer, length: usize| {
            let mut told = ask(explorer, "state", json!({ "model": model, "run": run[..length] }));
            // Numbers of classes depend on what was asked before.
            told["class"]["id"] = Json::Null;
            told
        };
        let mut lengths: Vec<usize> = (0..=run.len()).collect();
        Random::new(seed).shuffle(&mut lengths);
        let fresh = all();
        for length in lengths {
            assert_eq!(state(&walked, length), state(&fresh, length), "{model} after {length}");
        }
        let at = ask(&fresh, "state", json!({ "model": model, "run": run, "at": run.len() / 2 }));
        let cut = ask(&fresh, "state", json!({ "model": model, "run": run[..run.len() / 2] }));
        assert_eq!(at, cut, "{model}");
    }
}

#[test]
fn branches_do_not_disturb_each_other() {
    let explorer = all();
    for (model, _) in MODELS {
        let run = at_random(&explorer, model, 12, 3);
        let before = ask(&explorer, "run", json!({ "model": model, "run": run }));
        for at in 0..run.len() {
            for other in 0..next(&explorer, model, &run[..at]).len() as u32 {
                let branch: Vec<u32> = run[..at].iter().copied().chain([other]).collect();
                let told = ask(&explorer, "run", json!({ "model": model, "run": branch }));
                assert_eq!(told["steps"].as_array().unwrap().len(), at + 1);
                for step in 0..at {
                    assert_eq!(told["steps"][step]["text"], before["steps"][step]["text"]);
                }
            }
        }
        assert_eq!(before, ask(&explorer, "run", json!({ "model": model, "run": run })));
    }
}

#[test]
fn what_a_step_would_change_is_what_it_changes() {
    let explorer = all();
    for (model, _) in MODELS {
        let run = at_random(&explorer, model, 15, 5);
        for at in 0..run.len() {
            for step in next(&explorer, model, &run[..at]) {
                let index = step["index"].as_u64().unwrap() as u32;
                let longer: Vec<u32> = run[..at].iter().copied().chain([index]).collect();
                let state = ask(&explorer, "state", json!({ "model": model, "run": longer }));
                assert_eq!(state["changes"], step["changes"], "{model} {longer:?}");
            }
        }
    }
}

#[test]
fn a_deadlock_is_explained() {
    let explorer = explorer(&["processes/abba.kin"]);
    let request = json!({ "model": "abba", "steps": 50, "until": { "deadlock": true } });
    let run = (0..100)
        .map(|seed| {
            let mut request = request.clone();
            request["seed"] = seed.into();
            ask(&explorer, "random", request)
        })
        .find(|answer| answer["stopped"] == "until")
        .expect("a deadlock");
    let state = ask(&explorer, "state", json!({ "model": "abba", "run": run["run"] }));
    assert_eq!((&state["end"], &state["next"]), (&json!("deadlock"), &json!([])));
    assert_eq!(state["waits"].as_array().unwrap().len(), 2);
    let told = ask(&explorer, "run", json!({ "model": "abba", "run": run["run"] }));
    assert_eq!(told["pending"].as_array().unwrap().len(), 2);
    // Who could take the lock that the other holds, and why not.
    let why = ask(
        &explorer,
        "why",
        json!({ "model": "abba", "run": run["run"], "line": 14, "column": 21 }),
    );
    assert_eq!(why["can"], json!([]));
    let main = &why["cannot"][0];
    assert_eq!(main["thread"], "1");
    assert!(!main["reasons"].as_array().unwrap().is_empty(), "{why:#}");
}

#[test]
fn statements_say_who_can_take_them() {
    let explorer = all();
    let can = |model: &str, run: &[u32], line: usize, column: Option<usize>| {
        let why = ask(
            &explorer,
            "why",
            json!({ "model": model, "run": run, "line": line, "column": column }),
        );
        why["can"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["index"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    for (model, _) in MODELS {
        for step in next(&explorer, model, &[]) {
            let line = step["line"].as_u64().unwrap() as usize;
            let column = step["column"].as_u64().map(|column| column as usize);
            let index = step["index"].as_u64().unwrap();
            assert!(can(model, &[], line, column).contains(&index), "{model} {step:#}");
        }
    }
    let nothing = refusal(&explorer, "why", json!({ "model": "lock", "run": [], "line": 1 }));
    assert_eq!(nothing.code(), Code::Refused);
}

#[test]
fn layers_are_drawn() {
    let explorer = all();
    for (model, _) in MODELS {
        let svg = ask(&explorer, "layers", json!({ "model": model, "run": [] }));
        assert!(svg["svg"].as_str().unwrap().starts_with("<svg"), "{model}");
    }
    let many = "model m\nflow a\nstart 600 of a\ntransition t { end p: a }\n";
    let many = explorer_of(&many.replace("start 600 of a", &"start a\n".repeat(300)));
    assert_eq!(refusal(&many, "layers", json!({ "model": "m" })).code(), Code::TooLarge);
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let explorer = all();
    for (model, _) in MODELS {
        let one = ask(&explorer, "random", json!({ "model": model, "steps": 25 }));
        let again = json!({ "model": model, "steps": 25, "seed": one["seed"] });
        assert_eq!(one, ask(&explorer, "random", again), "{model}");
        assert!(one["seed"].as_u64().unwrap() < 1 << 53);
    }
}

#[test]
fn random_steps_stop_where_they_should() {
    let explorer = explorer(&["processes/abba.kin", "lock.kin"]);
    let grant = text_of("lock.kin").lines().position(|line| line.contains("transition grant"));
    let grant = grant.expect("it is in the model") + 1;
    for seed in 0..20 {
        let random = |until: Json| {
            let request = json!({ "model": "abba", "steps": 200, "seed": seed, "until": until });
            ask(&explorer, "random", request)
        };
        let line = random(json!({ "line": 14 }));
        assert_eq!(line["stopped"], "until", "seed {seed}");
        let state = ask(&explorer, "state", json!({ "model": "abba", "run": line["run"] }));
        assert_eq!(state["threads"][0]["line"], 14, "seed {seed}");
        let predicate = random(json!({ "predicate": "a.holder != none" }));
        if predicate["stopped"] == "until" {
            let state = ask(
                &explorer,
                "state",
                json!({ "model": "abba", "run": predicate["run"], "with": predicate["with"] }),
            );
            assert_ne!(state["objects"][0]["fields"][0]["value"], "none", "seed {seed}");
        }
        // In a net it is a transition that is written there.
        let request =
            json!({ "model": "lock", "steps": 200, "seed": seed, "until": { "line": grant } });
        let granted = ask(&explorer, "random", request);
        assert_eq!(granted["stopped"], "until", "seed {seed}");
        let told = ask(&explorer, "run", json!({ "model": "lock", "run": granted["run"] }));
        let steps = told["steps"].as_array().unwrap();
        assert_eq!(steps.last().unwrap()["transition"], "grant", "seed {seed}");
        let before = &steps[..steps.len() - 1];
        assert!(before.iter().all(|step| step["transition"] != "grant"), "seed {seed}");
    }
    let none = json!({ "model": "abba", "steps": 5, "until": { "line": 2 } });
    assert_eq!(refusal(&explorer, "random", none).code(), Code::Refused);
}

#[test]
fn faults_are_met_and_told() {
    let explorer = explorer_of(
        "model m\nplace p(0..=3) = 0\ntransition up(x: 0..=3) { take p(x) put p(x + 1) }\n",
    );
    let request = json!({ "model": "m", "steps": 10, "seed": 1 });
    let answer = ask(&explorer, "random", request);
    assert_eq!((&answer["stopped"], &answer["run"]), (&json!("fault"), &json!([0, 0, 0])));
    let state = ask(&explorer, "state", json!({ "model": "m", "run": [0, 0, 0] }));
    assert!(state["next"][0]["fault"].is_string(), "{state:#}");
    let beyond = refusal(&explorer, "state", json!({ "model": "m", "run": [0, 0, 0, 0] }));
    assert_eq!(beyond.code(), Code::NoSuchStep);
    assert_eq!(beyond.to_json()["error"]["at"], 3);
}

#[test]
fn runs_are_exported_in_all_forms() {
    let explorer = all();
    let formats = ask(&explorer, "models", json!({}))["formats"].clone();
    for (model, _) in MODELS {
        let run = at_random(&explorer, model, 6, 2);
        for format in formats.as_array().unwrap() {
            let request = json!({ "model": model, "run": run, "format": format["name"] });
            let file = ask(&explorer, "export", request);
            let ending = format!(".{}", format["extension"].as_str().unwrap());
            assert!(file["file"].as_str().unwrap().ends_with(&ending), "{file}");
            assert!(!file["content"].as_str().unwrap().is_empty());
        }
        // What is written as JSON can be carried back.
        let json =
            ask(&explorer, "export", json!({ "model": model, "run": run, "format": "json" }));
        let trace: Json = serde_json::from_str(json["content"].as_str().unwrap()).unwrap();
        let carried = ask(&explorer, "carry", json!({ "model": model, "trace": trace }));
        assert_eq!((&carried["run"], &carried["lost"]), (&json!(run), &json!(0)), "{model}");
    }
    let unknown = json!({ "model": "lock", "run": [], "format": "pdf" });
    assert_eq!(refusal(&explorer, "export", unknown).code(), Code::Refused);
}
