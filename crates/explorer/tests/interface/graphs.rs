//! `graph` and `way`, against graphs that a survey has explored.

use std::collections::BTreeSet;
use std::sync::Arc;

use explorer::{Code, Explorer};
use serde_json::{Value as Json, json};
use survey::{Plan, survey};

use crate::asked::{ask, explorer, explorer_of, refusal, text_of};

const MODELS: [(&str, &str); 4] = [
    ("abba", "processes/abba.kin"),
    ("lock", "lock.kin"),
    ("philosophers", "philosophers.kin"),
    ("barrier", "barrier.kin"),
];

/// The kinds of classes, and how many there are of each.
fn kinds(graph: &Json, kind: &str) -> usize {
    graph["classes"].as_array().unwrap().iter().filter(|class| class["kind"] == kind).count()
}

fn whole(explorer: &Explorer, model: &str) -> Json {
    ask(explorer, "graph", json!({ "model": model, "whole": true, "most": 5000 }))
}

#[test]
fn the_whole_graph_is_that_of_a_survey() {
    let explorer = explorer(&MODELS.map(|(_, path)| path));
    for (model, path) in MODELS {
        let net = Arc::new(lang::compile(&text_of(path), &[]).net.expect("a model"));
        let plan = Plan { keep_edges: true, one_by_one: true, precise: true, ..Plan::default() };
        let survey = survey(&net, &plan).unwrap();
        let exploration = survey.exploration();
        let graph = whole(&explorer, model);
        assert_eq!(graph["complete"], true);
        let classes = graph["classes"].as_array().unwrap();
        assert_eq!(classes.len() as u64, exploration.states(), "{model}");
        assert_eq!(kinds(&graph, "deadlock"), exploration.deadlocks.len(), "{model}");
        assert_eq!(kinds(&graph, "terminated"), exploration.terminated.len(), "{model}");
        let pairs: BTreeSet<_> = exploration
            .quotient
            .iter()
            .flat_map(|quotient| quotient.iter())
            .map(|(from, _, to)| (from, to))
            .collect();
        assert_eq!(graph["edges"].as_array().unwrap().len(), pairs.len(), "{model}");
        let depth = classes.iter().map(|class| class["depth"].as_u64().unwrap()).max();
        assert_eq!(depth, Some(exploration.depth().into()), "{model}");
    }
}

/// From the initial class to every other there is a way, as long as it is deep, and it ends there.
#[test]
fn ways_are_shortest_and_lead_there() {
    let explorer = explorer(&MODELS.map(|(_, path)| path));
    for (model, _) in MODELS {
        let graph = whole(&explorer, model);
        for class in graph["classes"].as_array().unwrap().iter().take(60) {
            let way = ask(&explorer, "way", json!({ "model": model, "class": class["id"] }));
            let run = way["run"].as_array().unwrap();
            assert_eq!(run.len() as u64, class["depth"].as_u64().unwrap(), "{model} {class}");
            let state = ask(&explorer, "state", json!({ "model": model, "run": run }));
            assert_eq!(state["class"]["id"], class["id"], "{model}");
            // From there to itself it is nothing.
            let stay =
                ask(&explorer, "way", json!({ "model": model, "run": run, "class": class["id"] }));
            assert_eq!(&stay["run"], &way["run"]);
        }
    }
}

#[test]
fn a_way_goes_on_from_a_run_if_it_can() {
    let explorer = explorer(&["processes/abba.kin"]);
    let graph = whole(&explorer, "abba");
    let dead =
        graph["classes"].as_array().unwrap().iter().find(|class| class["kind"] == "deadlock");
    let dead = &dead.unwrap()["id"];
    let way = ask(&explorer, "way", json!({ "model": "abba", "run": [0, 0], "class": dead }));
    let run = way["run"].as_array().unwrap();
    assert_eq!((&run[..2], run.len()), (&[json!(0), json!(0)][..], 3));
    // From the deadlock nothing leads to the initial class: the way begins anew.
    let back = ask(&explorer, "way", json!({ "model": "abba", "run": run, "class": 0 }));
    assert_eq!(back["run"], json!([]));
}

#[test]
fn a_graph_grows_by_what_is_asked() {
    let explorer = explorer(&["lock.kin"]);
    let first = ask(&explorer, "graph", json!({ "model": "lock", "depth": 0 }));
    assert_eq!(first["classes"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&first["complete"], &first["known"], &first["at"]),
        (&json!(false), &json!(1), &json!(0))
    );
    assert_eq!(first["classes"][0]["is_grown"], false);
    let second = ask(&explorer, "graph", json!({ "model": "lock", "run": [] }));
    assert_eq!(second["classes"].as_array().unwrap().len(), 2);
    let third = ask(&explorer, "graph", json!({ "model": "lock", "depth": 0, "grow": [1] }));
    assert!(third["known"].as_u64() > second["known"].as_u64());
    // What was found stays known, with its number.
    assert_eq!(third["classes"][1]["text"], second["classes"][1]["text"]);
    let state = ask(&explorer, "state", json!({ "model": "lock", "run": [0] }));
    assert_eq!(state["class"]["id"], 1);
}

#[test]
fn components_and_limits() {
    let ring = explorer_of(
        "model m\nplace p = 1\nplace q\nplace r\n\
         transition a { take p put q }\ntransition b { take q put p }\ntransition c { take q put r }\n",
    );
    let graph = whole(&ring, "m");
    let components: Vec<&Json> =
        graph["classes"].as_array().unwrap().iter().map(|class| &class["component"]).collect();
    assert_eq!(components, [&json!(0), &json!(0), &Json::Null]);
    assert_eq!(kinds(&graph, "deadlock"), 1);
    // One that never ends.
    let endless = explorer_of("model m\nplace p\ntransition a { put p }\n");
    let refused = refusal(&endless, "graph", json!({ "model": "m", "whole": true }));
    assert_eq!(refused.code(), Code::TooLarge);
    let part = ask(&endless, "graph", json!({ "model": "m", "depth": 1_000_000, "most": 7 }));
    assert_eq!(part["complete"], false);
    let wide = explorer_of("model m\nplace p(0..=400)\ntransition a(x: 0..=400) { put p(x) }\n");
    assert_eq!(refusal(&wide, "graph", json!({ "model": "m" })).code(), Code::TooLarge);
    let more = ask(&wide, "graph", json!({ "model": "m", "most": 1000 }));
    assert_eq!(more["classes"].as_array().unwrap().len(), 402);
}

#[test]
fn what_goes_wrong_is_marked_and_the_rest_goes_on() {
    let explorer = explorer_of(
        "model m\nplace p(0..=1) = 0\nplace q = 1\nplace r\n\
         transition up(x: 0..=1) { take p(x) put p(x + 1) }\ntransition aside { take q put r }\n",
    );
    let graph = whole(&explorer, "m");
    assert_eq!(graph["classes"].as_array().unwrap().len(), 4, "{graph:#}");
    assert_eq!(kinds(&graph, "fault"), 2);
}

/// Where only members of classes are folded, it is known how many states a class has.
#[test]
fn states_that_are_alike_are_counted() {
    let text = "model m\nclass C symmetric { a, b, c }\nplace free(C) = all\nplace taken(C)\n\
                transition take_it(x: C) { take free(x) put taken(x) }\n";
    let explorer = explorer_of(text);
    let alike = |run: &[u32]| {
        ask(&explorer, "state", json!({ "model": "m", "run": run }))["class"]["alike"].clone()
    };
    assert_eq!([alike(&[]), alike(&[0]), alike(&[0, 0]), alike(&[0, 0, 0])], ["1", "3", "3", "1"]);
    let ids: BTreeSet<String> = (0..3)
        .map(|first| {
            ask(&explorer, "state", json!({ "model": "m", "run": [first] }))["class"]["id"]
                .to_string()
        })
        .collect();
    assert_eq!(ids.len(), 1);
    let threads = crate::asked::explorer(&["lock.kin"]);
    assert_eq!(
        ask(&threads, "state", json!({ "model": "lock", "run": [] }))["class"]["alike"],
        Json::Null
    );
}

#[test]
fn unknown_classes_are_refused() {
    let explorer = explorer(&["lock.kin"]);
    let way = refusal(&explorer, "way", json!({ "model": "lock", "class": 77 }));
    let grow = refusal(&explorer, "graph", json!({ "model": "lock", "grow": [77] }));
    assert_eq!([way.code(), grow.code()], [Code::NoSuchClass; 2]);
    // Known, but no way to it is.
    ask(&explorer, "state", json!({ "model": "lock", "run": [0, 0] }));
    let lost = refusal(&explorer, "way", json!({ "model": "lock", "class": 1 }));
    assert_eq!(lost.code(), Code::Refused);
}
