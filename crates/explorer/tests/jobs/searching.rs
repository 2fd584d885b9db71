//! `search`: the nearest state, against brute force.

use explorer::EndState;
use net::interpret::{self, Bindings, holds};
use net::{Net, TransitionId};
use serde_json::{Value as Json, json};
use state::State;

use crate::asked::{ask, explorer, job, text_of};
use crate::{brute, result};

/// Models, and predicates that hold somewhere or nowhere in them.
const SEARCHES: [(&str, &str, &[&str]); 4] = [
    (
        "abba",
        "processes/abba.kin",
        &[
            "a.holder != none and b.holder != none",
            "a.holder != none",
            "count(other) == 0",
            "count(main) == 2",
        ],
    ),
    (
        "lock",
        "lock.kin",
        &["count(satisfied) == 2", "count(holding) == 2", "count(desk) == 1", "enabled(dismiss)"],
    ),
    ("double_lock", "processes/double_lock.kin", &["count(main) == 0", "true", "false"]),
    (
        "philosophers",
        "philosophers.kin",
        &["count(waiting) == 5", "count(thinking) == 5", "count(fork) == 7"],
    ),
];

/// The state that a run leads to.
fn walked(net: &Net, run: &[Json]) -> State {
    let mut state = interpret::initial(net);
    for number in run {
        let all = (0..net.transitions.len() as u32).map(TransitionId);
        let mut modes = all.flat_map(|id| interpret::modes(net, &state, id).expect("no fault"));
        let mode = modes.nth(number.as_u64().expect("a number") as usize).expect("a step");
        state = interpret::fire(net, &state, &mode).expect("no fault").state;
    }
    state
}

#[test]
fn the_nearest_state_is_found() {
    let explorer = explorer(&SEARCHES.map(|(_, path, _)| path));
    for (model, path, predicates) in SEARCHES {
        let text = text_of(path);
        for predicate in predicates {
            let added = match lang::compile_with_property(&text, &[], predicate) {
                Ok(added) => added,
                Err(report) => panic!("{model}: {predicate}: {report}"),
            };
            let (states, _) =
                brute::states(&added.net, added.net.relations_with([&added.property]));
            let is_there = |state| {
                holds(&added.net, state, &added.property.formula, &Bindings::new())
                    .expect("a value")
            };
            let nearest =
                states.iter().find(|found| is_there(&found.state)).map(|found| found.depth);
            let (news, end) =
                job(&explorer, "search", json!({ "model": model, "predicate": predicate }));
            assert_eq!((end.state, &end.why), (EndState::Done, &None), "{model}: {predicate}");
            let found = result(&news);
            match nearest {
                None => assert_eq!(
                    *found,
                    json!({ "found": false, "complete": true }),
                    "{model}: {predicate}"
                ),
                Some(depth) => {
                    assert_eq!(found["found"], true, "{model}: {predicate}");
                    let run = found["run"].as_array().unwrap();
                    assert_eq!(run.len(), depth, "{model}: {predicate}");
                    let last = walked(&added.net, run);
                    assert!(is_there(&last), "{model}: {predicate}");
                    let request = json!({ "model": model, "run": run, "with": found["with"] });
                    ask(&explorer, "state", request);
                }
            }
        }
    }
}

#[test]
fn a_search_that_is_cut_short_says_so() {
    let explorer = crate::asked::explorer_of(
        "model m\nplace p\ntransition t(x: 0..=9) { put p }\nplace q(0..=9)\ntransition u(x: 0..=9) { put q(x) }\n",
    );
    let budget = budget::Budget::unlimited();
    budget.interrupt();
    let request = json!({ "model": "m", "predicate": "count(p) == 100000" });
    let (news, end) = crate::asked::job_within(&explorer, "search", request, &budget);
    assert_eq!(*result(&news), json!({ "found": false, "complete": false }));
    assert_eq!(end.state, EndState::Stopped);
}
