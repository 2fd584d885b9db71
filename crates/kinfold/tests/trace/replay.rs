//! `kinfold replay`, and traces that are not as they should be.

use crate::running::{kinfold, kinfold_fed, project};
use crate::traces::{all, compiled, loop_of_relay, mailbox, server};
use kinfold::trace::{self, Mismatch};
use kinfold::{Trace, TraceFormat};
use net::Net;
use net::interpret;
use random::{Random, for_seeds};
use serde_json::{Value as Json, json};

/// What is said of the trace after `change`.
fn said(of: &(Net, Trace), change: impl FnOnce(&mut Json)) -> String {
    let (net, trace) = of;
    let mut json = trace.json(net, None);
    change(&mut json);
    match trace::read(&json.to_string()) {
        Err(error) => error.to_string(),
        Ok(record) => match record.replay(net) {
            Ok(_) => "right".to_owned(),
            Err(mismatch) => mismatch.to_string(),
        },
    }
}

#[test]
fn what_does_not_fit_is_named_with_its_step() {
    let server = server();
    let said = |change: &dyn Fn(&mut Json)| said(&server, change);
    assert_eq!(said(&|_| {}), "right");
    assert_eq!(
        said(&|json| json["initial"]["tokens"] = json!({"ready": [["1"]]})),
        "the initial state is not the model's: the model has `main(1)` once, the trace not at all"
    );
    assert_eq!(
        said(&|json| json["initial"]["eta"]["1"] = 3.into()),
        "the initial state is not the model's: thread 1 is active, with 0 children so far, not active, \
         with 3 children so far"
    );
    assert_eq!(
        said(&|json| json["steps"][1]["transition"] = "reap".into()),
        "step 2: `reap(c = 0, p = 1.1)` cannot fire"
    );
    assert_eq!(
        said(&|json| json["steps"][1]["transition"] = "rest".into()),
        "step 2: the model has no transition `rest`"
    );
    assert_eq!(
        said(&|json| json["steps"][1]["binding"]["p"] = "1.3".into()),
        "step 2: `accept(c = 0, p = 1.3)` cannot fire; `accept(p = 1.1, c = 0)`, `accept(p = 1.2, c = 0)` could"
    );
    assert_eq!(
        said(&|json| json["steps"][1]["binding"]["p"] = "1.2".into()),
        "step 2: `accept` leads to another state: the model has `listening(1.1, 1)` not at all, the trace once"
    );
    assert_eq!(
        said(&|json| json["steps"][0]["born"] = json!(["1.2", "1.1"])),
        "step 1: `init` creates 1.1, 1.2, not 1.2, 1.1"
    );
    assert_eq!(
        said(&|json| json["steps"][6]["ended"] = json!([])),
        "step 7: `reap` ends 1.1.1, not nobody"
    );
    assert_eq!(
        said(&|json| json["steps"][2]["state"]["tokens"]["called"] = json!([["1.1.1"], ["1.1.1"]])),
        "step 3: `compute` leads to another state: the model has `called(1.1.1)` once, the trace 2 times"
    );
    assert!(
        said(&|json| {
            json["steps"].as_array_mut().unwrap().remove(3);
        })
        .starts_with("step 4: `function(f = 1.1.1.1)` cannot fire")
    );
}

#[test]
fn the_way_back_must_lead_to_an_equivalent_state_by_the_map_given() {
    let relay = loop_of_relay();
    let said = |change: &dyn Fn(&mut Json)| said(&relay, change);
    let back = |back: Json| said(&|json| json["back"] = back.clone());
    assert_eq!(back(json!({"to": 2, "replaced": {"1": "1", "2.1.1": "2.1"}})), "right");
    assert_eq!(back(json!({"to": 0, "replaced": {"1": "1", "2.1.1": "2"}})), "right");
    assert_eq!(back(json!({"to": 4, "replaced": {"1": "1", "2.1.1": "2.1.1"}})), "right");
    assert_eq!(
        back(json!({"to": 5, "replaced": {"1": "1", "2.1.1": "2.1"}})),
        "the way back to state 5: there is none; the last state is 4"
    );
    assert_eq!(
        back(json!({"to": 2, "replaced": {"1": "2.1", "2.1.1": "1"}})),
        "the way back to state 2: the last state is not that one, observing ="
    );
    assert_eq!(
        back(json!({"to": 1, "replaced": {"1": "1", "2.1.1": "2"}})),
        "the way back to state 1: the last state is not that one, observing ="
    );
    assert_eq!(
        back(json!({"to": 2, "replaced": {"2.1.1": "2.1"}})),
        "the way back to state 2: it is not said whose place 1 has taken"
    );
    assert_eq!(
        back(json!({"to": 2, "replaced": {"1": "2.1", "2.1.1": "2.1"}})),
        "the way back to state 2: two threads have taken the place of 2.1"
    );
    assert_eq!(
        back(json!({"to": 2, "replaced": {"1": "7", "2.1.1": "2.1"}})),
        "the way back to state 2: 7 is no thread of that state"
    );
    assert_eq!(
        back(json!({"to": 2, "replaced": {"2.1": "1", "2.1.1": "2.1"}})),
        "the way back to state 2: 2.1 is no thread of the last state"
    );
    let said = back(json!({"to": -1, "replaced": {}}));
    assert!(said.contains("integer `-1`, expected usize at line 1 column"), "{said}");
    let said = back(json!({"to": 2, "replaced": {"1": "one"}}));
    assert!(said.starts_with("`one` is not a pid") && said.contains("line 1 column"), "{said}");
}

/// Two listeners with a handler each, swapped: whether that is the same depends on what is observed.
#[test]
fn relations_that_the_model_observes_are_kept() {
    let text = |guard: &str| {
        format!(
            "model pairs
             flow main, mother, child, pause, spare(n: 0..=1)
             start main
             transition begin {{
                 end m: main   spawn a from m: mother   spawn b from m: mother   spawn s from m: spare(0)
             }}
             transition bear {{ move p: mother -> pause   spawn c from p: child }}
             transition tick {{ move s: spare(n) -> spare(1 - n)   read p: pause   read c: child   {guard} }}"
        )
    };
    for (guard, verdict) in [("", true), ("when parent(p, c)", false)] {
        let net = compiled(&text(guard), &[]);
        let run = crate::traces::run(&net, &["begin", "bear", "bear", "tick", "tick"]);
        let pids = ["1.1", "1.1.1", "1.2", "1.2.1", "1.3"];
        let swapped = ["1.1", "1.2.1", "1.2", "1.1.1", "1.3"];
        let parse = |text: &str| text.parse::<state::Pid>().unwrap();
        let map = |to: [&str; 5]| pids.iter().zip(to).map(|(a, b)| (parse(a), parse(b))).collect();
        for (to, right) in [(pids, true), (swapped, verdict)] {
            let back = Some(kinfold::Back { to: 3, replaced: map(to) });
            let trace = Trace { back, ..Trace::from(run.clone()) };
            assert_eq!(said(&(net.clone(), trace), |_| {}) == "right", right, "{guard} {to:?}");
        }
    }
}

#[test]
fn members_of_classes_may_go_round() {
    let (net, trace) = crate::traces::philosophers_in_turn();
    assert_ne!(trace.run.steps[0].state, trace.run.steps[3].state);
    assert_eq!(said(&(net.clone(), trace.clone()), |_| {}), "right");
    let elsewhere = said(&(net, trace), |json| json["back"]["to"] = 2.into());
    assert!(elsewhere.starts_with("the way back to state 2: the last state is not"), "{elsewhere}");
}

#[test]
fn the_command_says_whether_a_trace_is_right() {
    let model = project("models/server.kin");
    let (net, trace) = server();
    let text = trace.write(TraceFormat::Json, &net, None);
    let done = kinfold_fed(&["replay", "-", &model], text.as_bytes());
    assert_eq!((done.status, &*done.stdout), (0, "the trace is right: 7 steps of model server\n"));
    let done = kinfold_fed(&["replay", "-", &model, "--set", "k=3"], text.as_bytes());
    assert_eq!(done.status, 1);
    assert!(done.stdout.starts_with("the trace is wrong: step 1: `init` leads to another state"));
    assert!(done.stdout.contains("try --set k=2"), "{}", done.stdout);
    let done = kinfold_fed(&["replay", "-", &project("models/lock.kin")], text.as_bytes());
    assert!(done.status == 1 && done.stdout.contains("named `server`, not `lock`"));
    for format in TraceFormat::ALL {
        let args = ["replay", "-", &model, "--format", format.name()];
        let done = kinfold_fed(&args, text.as_bytes());
        assert_eq!((done.status, done.stdout), (0, trace.write(format, &net, None)));
    }
}

/// A run that uses a constant nowhere is a run whatever its value: that it was another is still said.
#[test]
fn constants_that_differ_are_said_even_if_every_step_fits() {
    let text = "model m\nconst k = 2\nconst other = true\nflow p, q\nstart p\n
                transition t { move x: p -> q }";
    let net = compiled(text, &[]);
    let trace: Trace = crate::traces::run(&net, &["t"]).into();
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("m.kin");
    std::fs::write(&model, text).unwrap();
    let model = model.to_str().unwrap();
    for (constants, note) in [
        (json!({"k": 2, "other": true}), ""),
        (json!({}), ""),
        (
            json!({"k": 3, "other": true}),
            "note: the trace was made with k = 3, not 2; try --set k=3\n",
        ),
        (json!({"k": 2}), "note: the trace does not say what `other` was\n"),
        (
            json!({"k": 2, "l": {"enum": "red"}, "other": true}),
            "note: the trace was made with l = red, and the model has no such constant\n",
        ),
    ] {
        let mut json = trace.json(&net, None);
        json["constants"] = constants;
        let done = kinfold_fed(&["replay", "-", model], json.to_string().as_bytes());
        assert_eq!(done.status, 0);
        assert_eq!(done.stdout, format!("the trace is right: 1 step of model m\n{note}"));
        let args = ["replay", "-", model, "--format", "text"];
        let done = kinfold_fed(&args, json.to_string().as_bytes());
        assert_eq!((done.stdout, &*done.stderr), (trace.text(&net), note));
    }
}

#[test]
fn what_explore_prints_can_be_replayed() {
    let model = project("models/server.kin");
    let found = kinfold(&["explore", &model, "--trace-to", "reap", "--json"]).json();
    let done = kinfold_fed(&["replay", "-", &model], found["trace"].to_string().as_bytes());
    assert_eq!(done.status, 0, "{}", done.stdout);
}

#[test]
fn what_is_no_trace_is_refused_with_its_place() {
    let model = project("models/server.kin");
    for (text, expected) in [
        ("{\n\"model\": }", "expected value at line 2 column 10"),
        ("1", "expected a trace, which is an object at line 1 column 1"),
        ("{}", "missing field `schema_version` at line 1 column 2"),
        (r#"{"schema_version": 9}"#, "this is version 9 of the form"),
        (r#"{"schema_version": 1}"#, "missing field `model`"),
        (r#"{"schema_version": 1, "model": "m", "steps": {}}"#, "expected a sequence"),
        (r#"{"schema_version": 1, "steps": [], "model": "m"}"#, "missing field `initial`"),
        (
            r#"{"schema_version": 1, "steps": [], "model": "m", "initial": {"tokens": {"p": [["1.0"]]}, "eta": {}}}"#,
            "tokens.p[0]: `1.0` is not a pid",
        ),
    ] {
        let done = kinfold_fed(&["replay", "-", &model], text.as_bytes());
        assert_eq!(done.status, 150, "{text}");
        assert!(done.stderr.contains(expected), "{text}: {}", done.stderr);
    }
    let done = kinfold(&["replay", "-", "-"]);
    assert_eq!(done.status, 2, "{}", done.stderr);
    let done = kinfold(&["replay", "no-such-trace.json", &model]);
    assert_eq!(done.status, 153, "{}", done.stderr);
}

/// All values below this one, this one first.
fn count(json: &Json) -> usize {
    1 + match json {
        Json::Array(list) => list.iter().map(count).sum::<usize>(),
        Json::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

/// Calls `change` on the value of this number.
fn nth(json: &mut Json, at: &mut usize, change: &mut dyn FnMut(&mut Json)) {
    if *at == 0 {
        change(json);
    }
    *at = at.wrapping_sub(1);
    match json {
        Json::Array(list) => list.iter_mut().for_each(|json| nth(json, at, change)),
        Json::Object(map) => map.values_mut().for_each(|json| nth(json, at, change)),
        _ => {}
    }
}

fn mutate(json: &mut Json, random: &mut Random) {
    let mut at = random.below(count(json));
    let kind = random.below(8);
    let pick = random.below(1 << 20);
    nth(json, &mut at, &mut |value| match (kind, &mut *value) {
        (0, _) => *value = Json::Null,
        (1, _) => *value = json!(pick % 4),
        (2, _) => *value = json!(["1", "1.1", "2", "2.1", "0", "accept", "", "π"][pick % 8]),
        (3, _) => {
            *value =
                json!([[], {}, [1], {"enum": "red"}, {"to": 0}, true, -1, 1e99])[pick % 8].clone()
        }
        (4, Json::Array(list)) if !list.is_empty() => {
            list.remove(pick % list.len());
        }
        (5, Json::Array(list)) if !list.is_empty() => {
            let copy = list[pick % list.len()].clone();
            list.insert(pick % (list.len() + 1), copy);
        }
        (6, Json::Array(list)) if list.len() > 1 => {
            let (one, two) = (pick % list.len(), (pick / 7) % list.len());
            list.swap(one, two);
        }
        (_, Json::Object(map)) if !map.is_empty() => {
            let key = map.keys().nth(pick % map.len()).unwrap().clone();
            let moved = map.remove(&key).unwrap();
            if pick.is_multiple_of(3) {
                map.insert(["1.1.2", "state", "p", "7"][pick / 3 % 4].into(), moved);
            }
        }
        (_, Json::Number(number)) => *value = json!(number.as_i64().unwrap_or(0) ^ 1),
        (_, Json::String(text)) => text.push_str([".1", "x", ".2"][pick % 3]),
        _ => {}
    });
}

/// A trace that is accepted after a change is one: checked here by firing what it says.
fn is_run(net: &Net, trace: &Trace) -> bool {
    let mut state = interpret::initial(net);
    for step in &trace.run.steps {
        let modes = interpret::modes(net, &state, step.mode.transition).unwrap();
        if !modes.contains(&step.mode) {
            return false;
        }
        state = interpret::fire(net, &state, &step.mode).unwrap().state;
        if state != step.state {
            return false;
        }
    }
    true
}

#[test]
fn changed_traces_are_rejected_or_still_right() {
    let (mut accepted, mut rejected, mut unread) = (0, 0, 0);
    for (net, trace) in &all() {
        let original = trace.json(net, Some("p"));
        for_seeds(0..400, |seed, random| {
            let mut json = original.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut json, random);
            }
            let Ok(record) = trace::read(&json.to_string()) else {
                unread += 1;
                return;
            };
            match record.replay(net) {
                Ok(again) => {
                    accepted += 1;
                    assert!(is_run(net, &again), "{} seed {seed}: {json}", net.name);
                    let steps = &again.json(net, None)["steps"];
                    for (said, right) in record.to_json()["steps"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .zip(steps.as_array().unwrap())
                    {
                        assert_eq!(said, right, "{} seed {seed}", net.name);
                    }
                }
                Err(Mismatch::Step { step, .. }) => {
                    assert!((1..=record.steps.len()).contains(&step), "seed {seed}");
                    rejected += 1;
                }
                Err(_) => rejected += 1,
            }
        });
    }
    assert!(accepted > 50 && rejected > 500 && unread > 500, "{accepted} {rejected} {unread}");
}

#[test]
fn changed_texts_are_never_a_panic() {
    let (net, trace) = mailbox();
    let text = trace.write(TraceFormat::Json, &net, None).into_bytes();
    for_seeds(0..2_000, |seed, random| {
        let mut changed = text.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(changed.len());
            match random.below(3) {
                0 => changed[at] = b"{}[]\",:019x"[random.below(11)],
                1 => drop(changed.drain(at..(at + random.below(9)).min(changed.len()))),
                _ => changed.insert(at, b"{}[]\",:019x"[random.below(11)]),
            }
        }
        let Ok(text) = String::from_utf8(changed) else { return };
        if let Ok(record) = trace::read(&text)
            && let Ok(again) = record.replay(&net)
        {
            assert!(is_run(&net, &again), "seed {seed}");
        }
    });
}
