//! `check`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use budget::Budget;
use decide::{Checking, Verdict, verify};
use explorer::{EndState, Explorer, Host};
use serde_json::{Value as Json, json};
use survey::Plan;

use crate::asked::{ask, explorer, explorer_of, job, read};
use crate::verdicts;

/// All small models of a folder.
fn models(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models")).join(folder);
    let files = fs::read_dir(root).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "kin")).collect();
    files.sort();
    files
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds { .. } => "holds",
        Verdict::Fails(_) => "fails",
        Verdict::Refused(_) => "refused",
        _ => "unknown",
    }
}

/// The most classes of a model that is checked here.
const SMALL: u64 = 3000;

/// The verdicts of the models that are shipped are those of the engines, and each run can be walked to its end.
#[test]
fn verdicts_are_those_of_the_engines() {
    let mut checked = 0;
    for path in models("processes").into_iter().chain(models("cases")).chain(models(".")) {
        let text = fs::read_to_string(&path).expect("a text");
        let net = Arc::new(lang::compile(&text, &[]).net.expect("a model"));
        let plan = Plan { states: Some(SMALL), ..Plan::default() };
        if survey::survey(&net, &plan).is_ok_and(|survey| !survey.exploration().complete) {
            continue;
        }
        let properties = match net.properties.is_empty() {
            true => net.default_properties(),
            false => net.properties.clone(),
        };
        let checking = Checking { fairness: net.fairness.clone(), ..Checking::default() };
        let report = verify(&net, &properties, &checking, &mut |_| {}).expect("a report");
        let expected: Vec<&str> = report.outcomes.iter().map(|one| word(&one.verdict)).collect();
        let explorer = Explorer::new(Host::Server);
        read(&explorer, "m", "m.kin", &text);
        let (news, end) = job(&explorer, "check", json!({ "model": "m" }));
        assert_eq!(end.state, EndState::Done, "{}", path.display());
        let told = verdicts(&news);
        let words: Vec<&str> = told
            .iter()
            .take(properties.len())
            .map(|one| one["verdict"].as_str().unwrap())
            .collect();
        assert_eq!(words, expected, "{}", path.display());
        assert_eq!(
            told.len() - words.len(),
            usize::from(report.fault.is_some()),
            "{}",
            path.display()
        );
        for (verdict, property) in told.iter().zip(&properties) {
            assert_eq!(verdict["property"], property.name, "{}", path.display());
            assert_eq!(
                (&verdict["text"], &verdict["is_final"]),
                (&json!(property.text), &json!(true))
            );
            if verdict["verdict"] == "fails" {
                assert!(!verdict["run"].is_null(), "{}: {verdict:#}", path.display());
            }
        }
        for verdict in told.iter().filter(|verdict| !verdict["run"].is_null()) {
            let request = json!({
                "model": "m", "run": verdict["run"], "loop": verdict["loop"], "property": verdict["property"],
            });
            let run = ask(&explorer, "run", request);
            assert_eq!(run["outcome"], verdict["outcome"], "{}: {verdict}", path.display());
            assert_eq!(run["loop"], verdict["loop"]);
        }
        checked += 1;
    }
    assert!(checked > 50, "{checked} models");
}

#[test]
fn a_loop_goes_on_as_it_says() {
    let explorer = explorer_of(
        "model m\nflow a\nflow b\nstart a\ntransition go { move p: a -> b }\ntransition back { move p: b -> a }\n\
         transition done { end p: b }\nproperty ends: eventually count(a) + count(b) == 0\n",
    );
    let (news, end) = job(&explorer, "check", json!({ "model": "m" }));
    assert_eq!(end.state, EndState::Done);
    let verdict = &verdicts(&news)[0];
    assert_eq!((&verdict["verdict"], &verdict["is_about_runs"]), (&json!("fails"), &json!(true)));
    let request = json!({ "model": "m", "run": verdict["run"], "loop": verdict["loop"] });
    let run = ask(&explorer, "run", request);
    let to = run["loop"]["to"].as_u64().unwrap() as usize;
    let numbers = verdict["run"].as_array().unwrap();
    // After the last step it is where it was after `to`.
    let at = |at: usize| ask(&explorer, "state", json!({ "model": "m", "run": numbers, "at": at }));
    assert_eq!(at(to)["threads"][0]["at"], at(numbers.len())["threads"][0]["at"]);
    assert!(to < numbers.len());
    // Under fairness it ends.
    let fair = json!({ "model": "m", "fairness": "strong:done" });
    let (news, _) = job(&explorer, "check", fair);
    assert_eq!(verdicts(&news)[0]["verdict"], "holds");
}

#[test]
fn properties_are_chosen_by_name_or_typed() {
    let explorer = explorer(&["lock.kin", "processes/abba.kin"]);
    let words = |request: Json| -> Vec<(Json, Json)> {
        let (news, end) = job(&explorer, "check", request);
        assert_eq!(end.state, EndState::Done);
        verdicts(&news)
            .iter()
            .map(|one| (one["property"].clone(), one["verdict"].clone()))
            .collect()
    };
    let names = json!(["deadlock_free", "exclusive", "exclusive"]);
    assert_eq!(
        words(json!({ "model": "lock", "properties": names })),
        [(json!("deadlock_free"), json!("holds")), (json!("exclusive"), json!("holds"))]
    );
    assert_eq!(
        words(json!({ "model": "lock", "text": "reachable count(holding) == 1" })),
        [(Json::Null, json!("holds"))]
    );
    assert_eq!(
        words(
            json!({ "model": "lock", "properties": ["somewhere"], "text": "always count(holding) == 1" })
        ),
        [(json!("somewhere"), json!("holds")), (Json::Null, json!("fails"))]
    );
    assert_eq!(
        words(json!({ "model": "abba", "text": "always (a.holder == none or b.holder == none)" })),
        [(Json::Null, json!("fails"))]
    );
    assert_eq!(
        words(json!({ "model": "lock", "text": "always (EG count(desk) == 1)" })),
        [(Json::Null, json!("refused"))]
    );
}

#[test]
fn an_assertion_that_fails_is_told_with_its_run() {
    let explorer = explorer_of(
        "model m\nshared x: 0..=3 = 0\nprocess main {\n    spawn other()\n    x = 1\n    assert x == 1\n}\n\
         process other { x = 2 }\n",
    );
    let (news, _) = job(&explorer, "check", json!({ "model": "m" }));
    let told = verdicts(&news);
    let fault = told.iter().find(|verdict| verdict["property"] == "assertion").expect("one fails");
    assert_eq!(fault["verdict"], "fails");
    let request = json!({ "model": "m", "run": fault["run"] });
    let state = ask(&explorer, "state", request);
    let next = state["next"].as_array().unwrap();
    assert!(next.iter().any(|step| step["fault"].is_string()), "{state:#}");
    let run = json!({ "model": "m", "run": fault["run"], "property": "assertion" });
    assert_eq!(ask(&explorer, "run", run)["outcome"], fault["outcome"]);
    assert!(fault["outcome"].is_string());
}

/// What is told early is what is told in the end.
#[test]
fn early_verdicts_are_right() {
    let explorer = explorer(&["lock.kin", "processes/abba.kin", "pnml/philosophers.pnml"]);
    for model in ["lock", "abba", "philosophers"] {
        let (news, _) = job(&explorer, "check", json!({ "model": model }));
        let last = verdicts(&news);
        let mut early = 0;
        for one in &news {
            if let explorer::News::Verdict(verdict) = one {
                let of = verdict["number"].as_u64().unwrap() as usize;
                assert_eq!(verdict["verdict"], last[of]["verdict"], "{model}");
                early += usize::from(verdict["is_final"] == false);
            }
        }
        assert!(early > 0, "{model}");
    }
}

#[test]
fn limits_are_passed_on() {
    let explorer = explorer(&["lock.kin"]);
    let body = json!({ "model": "lock", "memory": 64, "seconds": 2.5 }).to_string();
    let job = explorer.begin("check", body.as_bytes(), &Budget::unlimited()).unwrap();
    let limits = job.limits();
    assert_eq!(limits.memory, Some(64 << 20));
    assert_eq!(limits.time, Some(std::time::Duration::from_millis(2500)));
    assert_eq!((job.operation(), job.model(), job.generation()), ("check", "lock", 1));
}
