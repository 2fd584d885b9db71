//! Runs that are kept: ended by limits and by kills, and gone on with.

#![expect(clippy::print_stdout, reason = "a test that fails shows its seed")]

mod disk;
mod kills;
#[path = "../running/processes.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod processes;
#[path = "../running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;
mod system;

use std::fs;
use std::path::Path;

use running::{Done, kinfold, kinfold_fed, project};
use serde_json::Value;
use tempfile::TempDir;

/// What is to be the same, whenever a run was ended and gone on with: all but times and bytes.
fn comparable(json: &Value) -> Value {
    match json {
        Value::Object(fields) => {
            let is_same = |name: &str| {
                !["seconds", "peak_memory_bytes", "store_bytes", "disk_bytes"].contains(&name)
            };
            let fields = fields.iter().filter(|(name, _)| is_same(name));
            fields.map(|(name, value)| (name.clone(), comparable(value))).collect()
        }
        Value::Array(items) => items.iter().map(comparable).collect(),
        other => other.clone(),
    }
}

fn directory() -> TempDir {
    TempDir::new().expect("there is a place for files")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("it is UTF-8")
}

/// Commands of all kinds: nets with families, symmetric nets, single states, processes; counts, invariants, deadlocks,
/// threads that are stuck, linear and branching time, followed threads, what is unbounded, what faults.
const COMMANDS: [&str; 14] = [
    "explore models/server.kin --set m=2 --threads 1",
    "explore models/server.kin --set m=2 --threads 2",
    "explore models/server.kin --relations parent,next_sibling --threads 1",
    "explore models/peterson.kin --threads 1",
    "explore models/philosophers.kin --full --threads 1",
    "explore models/server.kin --set m=2 --trace-to reap --threads 1",
    "explore models/pnml/queue.pnml --threads 1",
    "check models/server.kin --threads 1",
    "check models/server.kin --property served --fair none --threads 1",
    "check models/philosophers.kin --threads 1",
    "check models/philosophers.kin --full --threads 2",
    "check models/processes/abba.kin --threads 1",
    "check models/processes/thread_pool_fixed.kin --threads 2",
    "check models/cases/shutdown_processes.kin --threads 1",
];

/// The words of a command, with paths that are right wherever it runs.
fn words(command: &str) -> Vec<String> {
    let word = |word: &str| match word.starts_with("models/") {
        true => project(word),
        false => word.to_owned(),
    };
    let mut words: Vec<String> = command.split_whitespace().map(word).collect();
    words.push("--json".to_owned());
    words
}

/// What a command comes to if nothing ends it.
fn undisturbed(command: &str) -> Done {
    let mut words = words(command);
    words.extend(["--engine", "explicit"].map(str::to_owned));
    run(&words, &[])
}

fn run(words: &[String], more: &[&str]) -> Done {
    let words: Vec<&str> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
    kinfold(&words)
}

fn assert_same(done: &Done, expected: &Done, what: &str) {
    assert_eq!(done.status, expected.status, "{what}\n{}", done.stderr);
    assert_eq!(comparable(&done.json()), comparable(&expected.json()), "{what}");
}

#[test]
fn a_run_that_reaches_a_limit_is_resumed_with_more() {
    for command in COMMANDS {
        let expected = undisturbed(command);
        let directory = directory();
        let path = directory.path().join("kept");
        let kept = ["--checkpoint", text(&path), "--max-states"];
        run(&words(command), &[&kept[..], &["3"]].concat());
        for limit in [10, 17, 30, 100, 300] {
            let limit = limit.to_string();
            let resumed = kinfold(&["resume", text(&path), "--max-states", &limit]);
            let limited = run(&words(command), &["--engine", "explicit", "--max-states", &limit]);
            assert_same(&resumed, &limited, &format!("{command}, {limit} states"));
        }
        let resumed = kinfold(&["resume", text(&path), "--max-states", "1000000", "--every", "0"]);
        assert_same(&resumed, &expected, command);
        // What is complete is so at once.
        let again = kinfold(&["resume", text(&path), "--max-states", "1000000"]);
        assert_same(&again, &expected, command);
        let again = run(&words(command), &["--checkpoint", text(&path)]);
        assert_same(&again, &expected, command);
        let shown = kinfold(&["checkpoint", "show", text(&path), "--json"]);
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        assert_eq!(shown.json()["damage"], Value::Array(Vec::new()));
    }
}

#[test]
fn time_and_memory_leave_what_can_be_resumed() {
    let command = "explore models/server.kin --set k=3 --set m=3 --threads 2";
    let expected = undisturbed(command);
    let memory = ["8M", "10M", "12M", "14M", "16M", "20M", "24M"].map(|most| ["--memory", most]);
    let time = ["0.02", "0.05", "0.1"].map(|most| ["--time", most]);
    for limit in memory.into_iter().chain(time) {
        let directory = directory();
        let path = directory.path().join("kept");
        let begun = run(&words(command), &[&["--checkpoint", text(&path)], &limit[..]].concat());
        // A machine may be done within the limits, or have read nothing.
        assert!([0, 20].contains(&begun.status), "{}", begun.stderr);
        if !path.join("manifest").exists() {
            continue;
        }
        if begun.status == 20 {
            let note = format!("note: `kinfold resume {}` goes on", path.display());
            assert!(begun.stderr.contains(&note), "{}", begun.stderr);
        }
        let resumed = kinfold(&["resume", text(&path), "--time", "3600", "--memory", "4G"]);
        assert_same(&resumed, &expected, &limit.join(" "));
    }
}

#[test]
fn a_model_that_has_changed_is_refused_and_one_that_is_gone_is_not_needed() {
    let directory = directory();
    let (model, kept) = (directory.path().join("m.kin"), directory.path().join("kept"));
    let first = fs::read_to_string(project("models/chain.kin")).expect("it is there");
    fs::write(&model, &first).expect("it can be written");
    let begin = ["explore", text(&model), "--checkpoint", text(&kept), "--json"];
    assert_eq!(kinfold(&begin).status, 0);

    let second = first.replace("start link", "start 2 times link");
    assert_ne!(first, second);
    fs::write(&model, &second).expect("it can be written");
    let line = 1 + first.lines().zip(second.lines()).take_while(|(a, b)| a == b).count();
    for refused in [kinfold(&["resume", text(&kept)]), kinfold(&begin)] {
        assert_eq!(refused.status, 2, "{}", refused.stdout);
        let says = format!("the first line that differs is line {line}:\n  kept: start link\n");
        assert!(refused.stderr.contains(&says), "{}", refused.stderr);
        assert!(refused.stderr.contains("model.kin"), "{}", refused.stderr);
    }
    fs::remove_file(&model).expect("it is there");
    let resumed = kinfold(&["resume", text(&kept)]);
    assert_eq!((resumed.status, &resumed.json()["states"]), (0, &Value::from(1)));
    assert!(resumed.stderr.contains("cannot be read; the model is the one in"));
}

#[test]
fn an_option_that_matters_is_refused_with_what_differs() {
    let directory = directory();
    let kept = text(directory.path());
    let model = project("models/server.kin");
    let begin = |more: &[&str]| {
        let begin = ["explore", &model, "--checkpoint", kept, "--set", "k=1", "--set", "m=2"];
        kinfold(&[&begin[..], more].concat())
    };
    assert_eq!(begin(&[]).status, 0);
    // What does not matter, and the order of constants.
    let other = ["explore", &model, "--set", "m=2", "--set", "k=1", "--checkpoint", kept];
    assert_eq!(
        kinfold(&[&other[..], &["--every", "5", "--threads", "3", "--time", "9"]].concat()).status,
        0
    );
    for (more, what) in [
        (&["--full"][..], "--full was not given, and is now given"),
        (&["--relations", "parent,next_sibling"], "--relations was auto, and is now {"),
        (&["--trace-to", "reap"], "--trace-to was not given, and is now reap"),
    ] {
        let refused = begin(more);
        assert_eq!(refused.status, 2);
        assert!(refused.stderr.contains(what), "{}", refused.stderr);
    }
    let set = ["explore", &model, "--checkpoint", kept, "--set", "k=2", "--set", "m=2"];
    let refused = kinfold(&set);
    let what = "--set was k=1 m=2, and is now k=2 m=2";
    assert!(refused.status == 2 && refused.stderr.contains(what), "{}", refused.stderr);
    let refused = kinfold(&["check", &model, "--checkpoint", kept, "--set", "k=1", "--set", "m=2"]);
    let what = "the command was explore, and is now check";
    assert!(refused.status == 2 && refused.stderr.contains(what), "{}", refused.stderr);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let directory = directory();
    let kept = text(directory.path());
    let [server, peterson] = ["models/server.kin", "models/peterson.kin"].map(project);
    for (words, status, what) in [
        (vec!["explore", &peterson, "--engine", "ddd", "--checkpoint", kept], 2, "--engine ddd"),
        (vec!["check", &server, &peterson, "--checkpoint", kept], 2, "one model"),
        (vec!["check", &server, "--set", "k=1..=2", "--checkpoint", kept], 2, "one model"),
        (vec!["explore", &server, "--every", "3"], 2, "--checkpoint"),
        (vec!["resume", kept], 2, "there is no checkpoint in"),
        (vec!["checkpoint", "show", kept], 2, "there is no checkpoint in"),
    ] {
        let done = kinfold(&words);
        assert_eq!(done.status, status, "{words:?}\n{}", done.stderr);
        assert!(done.stderr.contains(what), "{words:?}\n{}", done.stderr);
    }
    let file = directory.path().join("file");
    fs::write(&file, "mine").expect("it can be written");
    let done = kinfold(&["explore", &server, "--checkpoint", kept]);
    assert!(done.status == 2 && done.stderr.contains("is not empty"), "{}", done.stderr);
    let done = kinfold(&["explore", &server, "--checkpoint", text(&file)]);
    assert!(done.status == 153 && done.stderr.contains("cannot write"), "{}", done.stderr);
}

#[test]
fn a_model_from_standard_input_is_kept() {
    let directory = directory();
    let kept = directory.path().join("kept");
    let model = fs::read(project("models/pnml/philosophers.pnml")).expect("it is there");
    let begin = ["explore", "-", "--json", "--checkpoint", text(&kept), "--max-states", "2"];
    let begun = kinfold_fed(&begin, &model);
    assert_eq!(begun.status, 20, "{}", begun.stderr);
    let resumed = kinfold(&["resume", text(&kept), "--max-states", "100000"]);
    let expected = kinfold_fed(&["explore", "-", "--json"], &model);
    assert_same(&resumed, &expected, "philosophers");
}

#[test]
fn a_damaged_checkpoint_is_shown_and_refused() {
    let directory = directory();
    let kept = text(directory.path());
    let model = project("models/server.kin");
    assert_eq!(kinfold(&["check", &model, "--checkpoint", kept]).status, 0);
    let shown = kinfold(&["checkpoint", "show", kept]);
    assert_eq!(shown.status, 0);
    for what in [
        "command: check ",
        "the command: check\n",
        "exploration 1: bounded, no_deadlock\n",
        "exploration 2: served\n",
        "  states                22\n",
        "  complete, ",
        "\nall files are as they were written\n",
    ] {
        assert!(shown.stdout.contains(what), "{what} in {}", shown.stdout);
    }
    let file = directory.path().join("1.tree");
    let mut bytes = fs::read(&file).expect("it is there");
    *bytes.last_mut().expect("it is not empty") ^= 4;
    fs::write(&file, bytes).expect("it can be written");
    let shown = kinfold(&["checkpoint", "show", kept]);
    let damaged = format!("{} is damaged: its checksum", file.display());
    assert!(shown.status == 150 && shown.stdout.contains(&damaged), "{}", shown.stdout);
    let resumed = kinfold(&["resume", kept]);
    assert!(resumed.status == 150 && resumed.stderr.contains(&damaged), "{}", resumed.stderr);
    // What the other exploration has found is printed all the same.
    assert!(resumed.stdout.contains("holds    no_deadlock"), "{}", resumed.stdout);
    assert!(!resumed.stdout.contains("served"), "{}", resumed.stdout);
}
