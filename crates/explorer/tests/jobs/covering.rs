//! `coverage`, against brute force.

use std::collections::BTreeSet;

use budget::Budget;
use explorer::{EndState, News};
use serde_json::{Value as Json, json};

use crate::asked::{explorer, explorer_of, job, text_of};
use crate::{brute, result};

#[test]
fn what_is_covered_is_what_brute_force_finds() {
    for (model, path) in [
        ("abba", "processes/abba.kin"),
        ("lock", "lock.kin"),
        ("double_lock", "processes/double_lock.kin"),
        ("barrier", "barrier.kin"),
        ("handover", "handover.kin"),
    ] {
        let explorer = explorer(&[path]);
        let (news, end) = job(&explorer, "coverage", json!({ "model": model }));
        assert_eq!((end.state, end.why), (EndState::Done, None), "{model}");
        let told = result(&news);
        let net = lang::compile(&text_of(path), &[]).net.expect("a model");
        let (states, fired) = brute::states(&net, net.relations());
        let depths = brute::depths(&states);
        assert_eq!(told["depths"], json!(depths), "{model}");
        assert_eq!(told["classes"], depths.iter().sum::<u64>(), "{model}");
        assert_eq!(told["complete"], true);
        let marked =
            |name: &str| states.iter().any(|found| found.state.tokens(name).next().is_some());
        if net.listing.is_none() {
            let never: BTreeSet<&str> = net
                .transitions
                .iter()
                .zip(&fired)
                .filter(|(_, fired)| !**fired)
                .map(|(transition, _)| transition.name.as_str())
                .collect();
            let told_never = told["never_fired"].as_array().unwrap().iter();
            let told_never: BTreeSet<&str> =
                told_never.map(|one| one["transition"].as_str().unwrap()).collect();
            assert_eq!(told_never, never, "{model}");
            let never: Vec<&str> =
                net.places.iter().map(|place| &*place.name).filter(|name| !marked(name)).collect();
            assert_eq!(told["never_marked"], json!(never), "{model}");
        }
        // Every class but the first was made by something.
        let new = told["new_classes"].as_array().unwrap().iter();
        let new: u64 = new.map(|one| one["count"].as_u64().unwrap()).sum();
        assert_eq!(new + 1, depths.iter().sum::<u64>(), "{model}");
    }
}

#[test]
fn lines_that_never_happen_are_told() {
    let explorer = explorer_of(
        "model m\nshared x: 0..=1 = 0\nprocess main {\n    if x == 1 {\n        x = 0\n    }\n    x = 1\n}\n",
    );
    let (news, _) = job(&explorer, "coverage", json!({ "model": "m" }));
    let told = result(&news);
    let fired = |line: u64| -> Option<Json> {
        let lines = told["lines"].as_array().unwrap().iter();
        lines.clone().find(|one| one["line"] == line).map(|one| one["fired"].clone())
    };
    let never: Vec<&Json> =
        told["never_fired"].as_array().unwrap().iter().map(|one| &one["line"]).collect();
    assert!(never.contains(&&json!(5)), "{told:#}");
    assert_eq!(fired(5), Some(json!(0)), "{told:#}");
    assert!(never.iter().all(|line| **line != json!(7)), "{told:#}");
}

#[test]
fn what_grows_without_end_is_named() {
    let explorer = explorer_of(
        "model m\nflow a\nplace p(pid)\nstart a\ntransition t { stay x: a put p(x) }\n",
    );
    let body = json!({ "model": "m" }).to_string();
    let job = explorer.begin("coverage", body.as_bytes(), &Budget::unlimited()).unwrap();
    let budget = Budget::unlimited();
    let mut news = Vec::new();
    let end = job.run(&budget, &mut |one| {
        if let News::Progress(progress) = &one
            && progress["classes"].as_u64() > Some(100)
        {
            budget.interrupt();
        }
        news.push(one);
    });
    let told = result(&news);
    assert_eq!((end.state, &told["complete"]), (EndState::Stopped, &json!(false)));
    let growing = told["growing"].as_array().unwrap();
    assert!(growing.iter().any(|one| one["what"] == "tokens in `p`"), "{told:#}");
}

#[test]
fn a_fault_ends_it_and_is_named() {
    let explorer = explorer_of(
        "model m\nplace p(0..=3) = 0\ntransition up(x: 0..=3) { take p(x) put p(x + 1) }\n",
    );
    let (news, end) = job(&explorer, "coverage", json!({ "model": "m" }));
    let told = result(&news);
    assert_eq!((&told["classes"], &told["complete"]), (&json!(4), &json!(false)));
    assert!(told["fault"].is_string() && end.why.is_some(), "{told:#} {end:?}");
}
