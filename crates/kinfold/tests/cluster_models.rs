//! Every model of `models/`: several processes, started by the command, find and decide what one does.
//!
//! Here a part of them; `scripts/cluster-models` has all of them, each with 1, 2, 3 and 5 processes.

#![expect(clippy::print_stdout, reason = "whoever starts it wants to see how far it is")]

#[path = "running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;
#[path = "../../cluster/tests/shipped/models.rs"]
mod shipped;

use std::path::{Path, PathBuf};

use running::{Done, kinfold};
use serde_json::{Value, json};

/// Models whose states have no end, and why. Of these it is compared how runs end, and that they say so: where a limit
/// comes, and how long it takes to see that there is no end, is not the same.
const ENDLESS: [(&str, &str); 3] = [
    ("models/mailbox.kin", "letters are sent faster than they are read: infinite also when folded"),
    ("models/nursery.kin", "nobody ever ends: infinite also when folded"),
    ("models/pnml/queue.pnml", "no end of tokens"),
];

/// The states that are explored of an endless model.
const LIMIT: &str = "2000";

/// All models: those in `.kin`, and those in PNML.
fn models() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pnml = std::fs::read_dir(root.join("models/pnml")).expect("a folder");
    let pnml = pnml.map(|entry| entry.expect("an entry").path());
    let pnml = pnml.filter(|path| path.extension().is_some_and(|end| end == "pnml"));
    let mut all: Vec<PathBuf> = shipped::models().into_iter().chain(pnml).collect();
    all.iter_mut().for_each(|path| *path = path.canonicalize().expect("it is there"));
    let root = root.canonicalize().expect("it is there");
    let short = |path: PathBuf| path.strip_prefix(&root).expect("below it").display().to_string();
    let mut all: Vec<String> = all.into_iter().map(short).collect();
    all.sort();
    all
}

/// Runs a command on a model, by one process, or by several that are started by the launcher.
fn run(command: &str, model: &str, processes: Option<usize>) -> Done {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(model);
    let path = path.display().to_string();
    let mut words = vec![command, path.as_str(), "--json", "--engine", "explicit"];
    words.extend(["--progress", "json", "--memory", "4G"]);
    if ENDLESS.iter().any(|(endless, _)| *endless == model) {
        words.extend(["--max-states", LIMIT]);
    }
    let count = processes.unwrap_or(1).to_string();
    if processes.is_some() {
        let launcher = ["cluster", "run", "-n", count.as_str(), "--threads", "1", "--"];
        words = launcher.into_iter().chain(words).collect();
    }
    kinfold(&words)
}

/// The last line of progress.
fn end(done: &Done) -> Value {
    let lines = done.stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut ends = lines.filter(|line| line["event"] == "end");
    ends.next_back().expect("progress has an end")
}

/// What `explore` has found: all that does not depend on time and memory.
fn explored(model: &str, done: &Done) -> Value {
    if done.stdout.is_empty() {
        // It faults; how near, the run shows.
        let steps = done.stderr.lines().filter(|line| !line.starts_with('{'));
        let steps =
            steps.filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        return json!({ "status": done.status, "steps": steps.count() });
    }
    let mut found = done.json();
    let fields = found.as_object_mut().expect("an object");
    if ENDLESS.iter().any(|(endless, _)| *endless == model) {
        fields.retain(|name, _| matches!(name.as_str(), "complete" | "reason" | "form"));
        fields.insert("status".to_owned(), done.status.into());
        return found;
    }
    for name in ["seconds", "peak_memory_bytes", "store_bytes", "disk_bytes"] {
        assert!(fields.remove(name).is_some(), "{model}: {name} is missing");
    }
    let end = end(done);
    for name in ["classes", "expanded", "edges", "depth", "levels"] {
        fields.insert(format!("progress: {name}"), end[name].clone());
    }
    fields.insert("status".to_owned(), done.status.into());
    found
}

/// A run that is shown: its length, unless it goes on for ever.
fn shown(trace: &Value) -> Value {
    match (&trace["steps"], &trace["back"]) {
        (Value::Array(steps), Value::Null) => json!(steps.len()),
        (Value::Array(_), _) => json!("for ever"),
        _ => Value::Null,
    }
}

/// What `check` has found: verdicts, and how long the runs are that show them.
fn checked(done: &Done) -> Value {
    let found = done.json();
    let properties = found["properties"].as_array().expect("a list").iter().map(|property| {
        json!({
            "name": property["name"],
            "verdict": property["verdict"],
            "vacuous": property["vacuous"],
            "shown": shown(&property["trace"]),
        })
    });
    json!({
        "properties": properties.collect::<Vec<_>>(),
        "assertion": shown(&found["assertion"]["trace"]),
        "fault": shown(&found["fault"]["trace"]),
        "status": done.status,
    })
}

/// Compares what several processes find and decide with what one does.
fn assert_same(model: &str, counts: &[usize]) {
    let one = (explored(model, &run("explore", model, None)), checked(&run("check", model, None)));
    for &processes in counts {
        let several = Some(processes);
        let what = format!("{model} by {processes} processes");
        assert_eq!(explored(model, &run("explore", model, several)), one.0, "explore {what}");
        assert_eq!(checked(&run("check", model, several)), one.1, "check {what}");
    }
}

#[test]
fn some_models_are_the_same_for_several_processes() {
    for (model, why) in ENDLESS {
        assert!(
            models().contains(&model.to_owned()),
            "there is no {model}, of which is said: {why}"
        );
    }
    // Threads that are stuck, formulas of linear and of branching time, races, faults, no end.
    let told = [
        "models/cases/lost_permit.kin",
        "models/server.kin",
        "models/processes/no_loop.kin",
        "models/nursery.kin",
    ];
    for model in told {
        assert_same(model, &[3]);
    }
    for model in models().iter().skip(5).step_by(20) {
        assert_same(model, &[2]);
    }
}

#[test]
#[ignore = "it takes minutes: scripts/cluster-models"]
fn every_model_is_the_same_for_1_2_3_and_5_processes() {
    let all = models();
    for (at, model) in all.iter().enumerate() {
        println!("{} of {}: {model}", at + 1, all.len());
        assert_same(model, &[1, 2, 3, 5]);
    }
    println!("{} models are the same for 1, 2, 3 and 5 processes", all.len());
    ENDLESS.iter().for_each(|(model, why)| println!("of {model} only its end is compared: {why}"));
}
