//! `kinfold check`: verdicts, exit status, and the forms of its reports.

#[path = "running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;

use std::fs;

use running::{Done, kinfold, kinfold_fed, project};
use serde_json::Value;

/// Two threads that take two locks in either order, and put them back.
const LOCKS: &str = "model locks
enum Lock { red, blue }
flow idle, holding(lock: Lock), working
place lock: Lock = red, blue
start 2 times idle
transition first { move t: idle -> holding(l)   take lock(l) }
transition second { move t: holding(_) -> working   take lock(_) }
transition release { move t: working -> idle   put lock(red), lock(blue) }
";

/// Clients that are served, by one server, for ever; new ones come.
const CLIENTS: &str = "model clients
flow door, waiting, served
place seat = 2
start door
transition come { stay d: door   spawn c from d: waiting   take seat }
transition serve { move c: waiting -> served }
transition leave { end c: served   put seat }
";

fn check(model: &str, properties: &str, args: &[&str]) -> Done {
    let text = format!("{model}{properties}");
    kinfold_fed(&[&["check", "-"], args].concat(), text.as_bytes())
}

/// The verdict of the only property, and what is remarked.
fn verdict(model: &str, property: &str, args: &[&str]) -> (i32, String, String) {
    let done = check(model, &format!("property p: {property}\n"), &[args, &["--json"]].concat());
    let report = done.json();
    let found = &report["properties"][0];
    let remark = found["remark"].as_str().unwrap_or_default();
    (done.status, found["verdict"].as_str().unwrap().into(), remark.into())
}

#[test]
fn the_exit_status_says_what_fails() {
    let cases = [
        ("deadlock_free", 11, "fails"),
        ("always at most 1 at working", 0, "holds"),
        ("always count(holding) < 2", 12, "fails"),
        ("never count(working) == 1", 12, "fails"),
        ("reachable count(working) == 2", 12, "fails"),
        ("reachable count(working) == 1", 0, "holds"),
        ("AG EF count(idle) == 2", 12, "fails"),
        ("EF AG count(holding) == 2", 0, "holds"),
        ("eventually count(working) == 1", 13, "fails"),
        ("count(holding) == 2 leads_to count(idle) > 0", 13, "fails"),
        ("forall t entering working: eventually t at idle", 0, "holds"),
        ("forall t entering holding: eventually t at working", 13, "fails"),
        ("count(idle) == 2", 0, "holds"),
        ("count(idle) == 1", 12, "fails"),
    ];
    for (property, status, verdict_of) in cases {
        let (found_status, found, remark) = verdict(LOCKS, property, &[]);
        assert_eq!((found_status, &*found), (status, verdict_of), "{property}: {remark}");
    }
}

#[test]
fn of_several_the_smallest_status_is_taken() {
    let properties = "property a: eventually count(working) == 2\n\
        property b: always count(holding) < 2\n\
        property c: reachable count(working) == 1\n";
    assert_eq!(check(LOCKS, properties, &[]).status, 12);
    assert_eq!(check(LOCKS, &format!("{properties}property d: deadlock_free\n"), &[]).status, 11);
    assert_eq!(check(LOCKS, properties, &["--property", "a"]).status, 13);
    assert_eq!(check(LOCKS, properties, &["--property", "c"]).status, 0);
}

#[test]
fn without_properties_deadlocks_are_looked_for() {
    let done = check(LOCKS, "", &[]);
    assert_eq!(done.status, 11);
    assert!(done.stdout.contains("no properties"), "{}", done.stdout);
    assert!(done.stdout.contains("`second` needs a token in `lock`"), "{}", done.stdout);
    let out_of_range = "model m\nflow a(n: 0..=1)\nstart a(0)\n\
        transition t { move p: a(n) -> a(n + 1) }\n";
    assert_eq!(check(out_of_range, "", &[]).status, 150);
}

#[test]
fn a_model_in_which_no_thread_starts_has_no_threads() {
    let forgotten = "model forgotten\nflow main\nplace go = 1\n\
        transition begin { take go }\n\
        transition on { move t: main -> main }\n";
    for engine in ["auto", "explicit"] {
        let (status, found, _) = verdict(forgotten, "deadlock_free", &["--engine", engine]);
        assert_eq!((status, &*found), (11, "fails"), "{engine}");
    }
    let explored = kinfold_fed(&["explore", "-", "--json"], forgotten.as_bytes()).json();
    assert_eq!((&explored["deadlocks"], &explored["terminated"]), (&1.into(), &0.into()));
    assert_eq!(verdict(forgotten, "deadlock_free", &["--fair", "begin"]).1, "fails");
    let fair = check(forgotten, "property p: eventually enabled(on)\n", &["--fair", "threads"]);
    assert!(fair.stderr.contains("the model has no threads"), "{}", fair.stderr);
}

#[test]
fn fairness_decides_who_is_passed_over() {
    let served = "forall c entering waiting: eventually c at served";
    let gone = "forall c entering waiting: eventually ended(c)";
    assert_eq!(verdict(CLIENTS, served, &[]).1, "fails");
    assert_eq!(verdict(CLIENTS, served, &["--fair", "threads"]).1, "holds");
    assert_eq!(verdict(CLIENTS, gone, &["--fair", "strong:threads"]).1, "holds");
    // Of transitions alone no individual is sure.
    assert_eq!(verdict(CLIENTS, served, &["--fair", "serve", "--fair", "leave"]).1, "fails");
    let declared = format!("{CLIENTS}fair threads\n");
    assert_eq!(verdict(&declared, served, &[]).1, "holds");
    assert_eq!(verdict(&declared, served, &["--fair", "none"]).1, "fails");
    assert_eq!(verdict(&declared, "AF count(served) > 0", &[]).1, "refused");
    assert_eq!(verdict(&declared, "AG EF count(served) > 0", &[]).1, "holds");
}

#[test]
fn a_loop_says_who_has_taken_whose_place() {
    let property = "property p: forall c entering waiting: eventually c at served\n";
    let done = check(CLIENTS, property, &["--json"]);
    assert_eq!(done.status, 13);
    let report = done.json();
    let found = &report["properties"][0];
    assert_eq!(found["followed"]["variable"], "c");
    let thread = found["followed"]["thread"].as_str().unwrap();
    let replaced = found["trace"]["back"]["replaced"].as_object().expect("it goes on for ever");
    assert_eq!(replaced[thread], thread, "the one who waits is the same all the time");
}

#[test]
fn what_never_happens_is_said() {
    let vacuous = [
        "always (count(working) == 2 implies count(idle) == 7)",
        "count(working) == 2 leads_to count(idle) == 2",
        "always forall t at working: t at working and count(working) > 1 implies count(idle) == 9",
    ];
    for property in vacuous {
        let (status, verdict, remark) = verdict(LOCKS, property, &[]);
        assert_eq!((status, &*verdict), (0, "holds"), "{property}");
        assert!(remark.starts_with("vacuously"), "{property}: {remark}");
    }
    let (_, _, remark) =
        verdict(LOCKS, "always (count(working) == 1 implies count(lock) == 0)", &[]);
    assert_eq!(remark, "");
    let nobody = "model m\nflow a, b\nstart a\ntransition t { stay p: a }\n";
    let (_, verdict, remark) = verdict(nobody, "forall p entering b: eventually ended(p)", &[]);
    assert!(verdict == "holds" && remark.starts_with("vacuously"), "{verdict} {remark}");
}

#[test]
fn what_cannot_be_decided_is_refused_with_a_way_out() {
    let refused = [
        ("AG (eventually count(idle) == 2)", "branching time"),
        ("forall t at idle: eventually t at working", "entering"),
        ("always forall t entering idle: eventually t at working", "come first"),
        ("exists t entering working: always t at idle", "forall"),
    ];
    for (property, way_out) in refused {
        let (status, verdict, remark) = verdict(LOCKS, property, &[]);
        assert_eq!((status, &*verdict), (20, "refused"), "{property}");
        assert!(remark.contains(way_out), "{property}: {remark}");
    }
}

#[test]
fn a_limit_is_no_verdict() {
    let counting = "model counting\nflow a, b\nplace x\nstart a\n\
        transition up { stay p: a   put x }\n";
    let args = ["--max-states", "2000"];
    assert_eq!(verdict(counting, "always count(b) == 0", &args).1, "unknown");
    assert_eq!(verdict(counting, "AG EF count(x) == 0", &args).1, "unknown");
    assert_eq!(verdict(counting, "reachable count(x) == 1500", &args).1, "holds");
    assert_eq!(verdict(counting, "always count(x) < 1500", &args).1, "fails");
    // One that is found while there is no end in sight.
    assert_eq!(verdict(counting, "eventually count(b) == 1", &args).1, "unknown");
    let (status, _, remark) = verdict(counting, "always count(b) == 0", &args);
    assert_eq!((status, &*remark), (20, "the limit on states was reached"));
}

#[test]
fn a_violating_run_is_found_before_all_states_are() {
    // The states have no end, but a loop is near.
    let model = "model turning\nflow a, b, c\nplace x\nstart a\n\
        transition go { move p: a -> b }\ntransition back { move p: b -> a }\n\
        transition up { move p: a -> c   put x }\ntransition on { stay p: c   put x }\n";
    let (status, verdict, _) =
        verdict(model, "eventually count(c) == 1", &["--max-states", "100000"]);
    assert_eq!((status, &*verdict), (13, "fails"));
}

#[test]
fn members_that_a_property_names_are_told_apart() {
    let model = "model named\nclass Site symmetric { s1, s2, s3 }\n\
        place idle: Site = all\nplace busy: Site\n\
        transition begin { take idle(s)   put busy(s)   unless busy(_) }\n\
        transition stop { take busy(s)   put idle(s) }\n";
    assert_eq!(verdict(model, "reachable count(busy(s2)) == 1", &[]).1, "holds");
    assert_eq!(verdict(model, "always count(busy(s2)) == 0", &[]).1, "fails");
    assert_eq!(verdict(model, "eventually count(busy(s2)) == 1", &[]).1, "fails");
    assert_eq!(verdict(model, "eventually count(busy(s2)) == 1", &["--fair", "Site"]).1, "fails");
    let strong = ["--fair", "strong:Site"];
    assert_eq!(verdict(model, "eventually count(busy(s2)) == 1", &strong).1, "holds");
}

#[test]
fn full_and_folded_agree() {
    for property in [
        "deadlock_free",
        "AG EF count(idle) == 2",
        "eventually count(working) == 1",
        "forall t entering holding: eventually t at working",
    ] {
        let folded = verdict(LOCKS, property, &[]);
        assert_eq!(folded, verdict(LOCKS, property, &["--full"]), "{property}");
    }
}

#[test]
fn reports_are_written_in_their_forms() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model = at("locks.kin");
    fs::write(&model, format!("{LOCKS}property free: deadlock_free\n")).unwrap();
    let junit = at("report.xml");
    for (name, begins) in [
        ("run.json", "{"),
        ("run.itf.json", "{"),
        ("run.svg", "<svg"),
        ("run.mmd", "---\ntitle: \"locks: free\""),
        ("run.txt", "initially"),
        ("run.log", ""),
    ] {
        let done = kinfold(&["check", &model, "--junit", &junit, "--trace", &at(name)]);
        assert_eq!(done.status, 11, "{}", done.stderr);
        let written = fs::read_to_string(at(name)).unwrap();
        assert!(written.starts_with(begins) && written.len() > 20, "{name}: {written}");
    }
    let replayed = kinfold(&["replay", &at("run.json"), &model]);
    assert_eq!(replayed.status, 0, "{}", replayed.stderr);
    let report = fs::read_to_string(&junit).unwrap();
    assert!(report.contains("failures=\"1\"") && report.contains("deadlock: nothing can fire"));
    let done = kinfold(&["check", &model, "--trace", &at("x"), "--trace-format", "music"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("mermaid"), "{}", done.stderr);
}

#[test]
fn names_that_are_not_there_are_reported() {
    let done = check(LOCKS, "property free: deadlock_free\n", &["--property", "fre"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("did you mean `free`?"), "{}", done.stderr);
    let done = check(LOCKS, "", &["--fair", "thread"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("did you mean `threads`?"), "{}", done.stderr);
}

/// Properties of the models in the project hold, as far as there is an end to them.
#[test]
fn the_models_have_the_properties_they_claim() {
    for entry in fs::read_dir(project("models")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "kin") {
            continue;
        }
        let model = path.to_str().unwrap();
        let done = kinfold(&["check", model, "--json", "--max-states", "100000"]);
        let report = done.json();
        for property in report["properties"].as_array().unwrap() {
            let is_claimed = report["note"] == Value::Null;
            let holds = property["verdict"] == "holds" && property["vacuous"] == false;
            let has_no_end = property["remark"] == "the limit on states was reached";
            let (verdict, name) = (&property["verdict"], &property["name"]);
            assert!(holds || has_no_end || !is_claimed, "{model}: {verdict} of {name}");
        }
    }
}
