//! Properties and predicates that are typed in.

use budget::Budget;
use explorer::{Code, Explorer};
use serde_json::{Value as Json, json};

use crate::asked::{ask, explorer, explorer_of};

fn mistake(explorer: &Explorer, model: &str, text: &str) -> Json {
    let body = json!({ "model": model, "text": text }).to_string();
    let refusal = explorer.begin("check", body.as_bytes(), &Budget::unlimited()).expect_err(text);
    assert_eq!(refusal.code(), Code::Refused, "{text}");
    refusal.to_json()["error"].clone()
}

#[test]
fn mistakes_have_their_places_in_what_was_typed() {
    let explorer = explorer(&["lock.kin", "processes/abba.kin", "pnml/client_server.pnml"]);
    for (model, text, line, column) in [
        ("lock", "always count(nowhere) == 1", 1, 14),
        ("lock", "always\n  count(nowhere) == 1", 2, 9),
        ("lock", "always at most 1 at holding and and", 1, 33),
        ("lock", "é", 1, 1),
        ("abba", "always a.holdr == none", 1, 10),
        ("client_server", "count(nowhere) == 1", 1, 7),
    ] {
        let error = mistake(&explorer, model, text);
        let place = &error["place"];
        assert_eq!(
            (&place["line"], &place["column"]),
            (&json!(line), &json!(column)),
            "{text}: {error:#}"
        );
    }
    // Where it is not known where, it is somewhere in the text all the same.
    for text in ["", "(", "`", "/* x", "1 +"] {
        let place = mistake(&explorer, "lock", text)["place"].clone();
        assert!(place.is_null() || place["line"] == 1, "{text}: {place}");
    }
}

#[test]
fn what_is_more_than_one_property_is_refused() {
    let explorer = explorer(&["lock.kin", "processes/abba.kin"]);
    for model in ["lock", "abba"] {
        for text in [
            "true property other: false",
            "true\nproperty other: false",
            "true\nfair threads",
            "true\nprocess p { }",
            "true\nshared x = 1",
            "true\nplace more = 1",
            "true // and\nconst k = 3",
        ] {
            let error = mistake(&explorer, model, text);
            assert!(!error["place"].is_null(), "{text}: {error:#}");
        }
    }
}

/// A label that no property of the model speaks of is no point at which processes stop, unless it is asked for.
#[test]
fn what_is_observed_is_seen_in_a_view_of_its_own() {
    let text = "model m\nshared x: 0..=3 = 0\n\
                process main {\n    let n: 0..=3 = 1\n    here:\n    n = n + 1\n    x = n\n}\n";
    let explorer = explorer_of(text);
    let random = |predicate: &str| {
        let until = json!({ "predicate": predicate });
        ask(&explorer, "random", json!({ "model": "m", "steps": 9, "seed": 1, "until": until }))
    };
    let plain = random("x == 2");
    assert_eq!((&plain["stopped"], &plain["with"]), (&json!("until"), &Json::Null));
    let seen = random("count(main at here) == 1");
    assert_eq!(
        (&seen["stopped"], &seen["with"]),
        (&json!("until"), &json!("count(main at here) == 1"))
    );
    let state = json!({ "model": "m", "run": seen["run"], "with": seen["with"] });
    let state = ask(&explorer, "state", state);
    assert_eq!(state["threads"][0]["label"], "here", "{state:#}");
    // The same text is the same view.
    assert_eq!(seen, random("count(main at here) == 1"));
    let without = ask(&explorer, "state", json!({ "model": "m", "run": [] }));
    let with = ask(&explorer, "state", json!({ "model": "m", "run": [], "with": seen["with"] }));
    assert_ne!(without["next"], with["next"]);
}
