//! The process models under `models/`: each finds its bug, and the fixed ones have none. The laws of the
//! prelude are in `laws.rs`.
//!
//! A line of the header says which properties fail; all others hold. `stuck` is `no_one_stuck`, which is
//! added to models without properties; `assertion` stands for `assert`, `require` and ranges.
//!
//! ```text
//! // fails: stuck
//! // fails: nothing
//! ```
//!
//! `blocked` names the processes, by the lines where they are, that can be blocked for ever, in the end:
//! found by an interpreter of the text that shares nothing with Kinfold. In words, `Blocked` names the operations.

use std::collections::BTreeSet;
use std::fs;

use crate::running::{Done, kinfold_fed, project};

/// Where process models are.
const FOLDERS: [&str; 3] = ["processes", "go", "cases"];

struct Model {
    name: String,
    text: String,
}

impl Model {
    fn lines(&self, start: &str) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix(start)).collect()
    }

    fn has_properties(&self) -> bool {
        self.text.lines().any(|line| line.starts_with("property "))
    }
}

/// The process models of a folder, in the order of their names.
fn models(folder: &str) -> Vec<Model> {
    let folder = format!("models/{folder}");
    let mut models = Vec::new();
    for entry in fs::read_dir(project(&folder)).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        let text = fs::read_to_string(&path).expect("it is a text");
        if path.extension().is_some_and(|extension| extension == "kin")
            && text.contains("\nprocess main")
        {
            let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
            models.push(Model { name, text });
        }
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}

fn check(text: &str) -> Done {
    kinfold_fed(&["check", "-", "--json", "--time", "60"], text.as_bytes())
}

/// The names of what fails, and whether all else holds.
fn failing(done: &Done) -> (BTreeSet<String>, bool) {
    let report = done.json();
    let mut fails = BTreeSet::new();
    let mut decided = true;
    for property in report["properties"].as_array().expect("there are properties") {
        match property["verdict"].as_str() {
            Some("fails") => _ = fails.insert(property["name"].as_str().unwrap().to_owned()),
            Some("holds") => {}
            _ => decided = false,
        }
    }
    if !report["assertion"].is_null() || !report["fault"].is_null() {
        fails.insert("assertion".to_owned());
    }
    (fails, decided)
}

/// The text with the properties that are looked at when it has none, and others.
fn with_properties(model: &Model, more: &str) -> String {
    let stuck = if model.has_properties() { "" } else { "property stuck: no_one_stuck\n" };
    format!("{}\n{stuck}{more}", model.text)
}

#[test]
fn every_process_model_does_as_its_header_says() {
    let mut complaints = Vec::new();
    for model in FOLDERS.iter().flat_map(|folder| models(folder)) {
        let said = model.lines("// fails: ");
        let [said] = said[..] else {
            complaints.push(format!("{}: one line starts with `// fails: `", model.name));
            continue;
        };
        let expected: BTreeSet<String> = match said {
            "nothing" => BTreeSet::new(),
            names => names.split(", ").map(str::to_owned).collect(),
        };
        // A process of a real program that was fixed ends, or idles.
        let fixed = model.name.starts_with("models/go/") && expected.is_empty();
        let more = if fixed { "property ends: everyone_can_end\n" } else { "" };
        let done = check(&with_properties(&model, more));
        if done.stdout.is_empty() {
            complaints.push(format!("{}: {}", model.name, done.stderr));
            continue;
        }
        let (fails, decided) = failing(&done);
        if fails != expected || (expected.is_empty() && !decided) {
            complaints.push(format!("{}: {fails:?} fails, not {said}", model.name));
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// How many lines of code the kernels have that the models in `models/go` are made after.
const KERNELS: [(&str, usize); 18] = [
    ("10214", 88),
    ("1055", 82),
    ("10790", 75),
    ("13197", 35),
    ("13755", 22),
    ("1462", 124),
    ("16167", 61),
    ("18101", 30),
    ("2448", 93),
    ("24808", 57),
    ("25456", 63),
    ("35073", 87),
    ("35931", 90),
    ("3710", 77),
    ("584", 38),
    ("6181", 51),
    ("7504", 139),
    ("9935", 31),
];

/// The lines of a model that are code, once it is formatted.
fn code_lines(model: &Model) -> usize {
    let done = kinfold_fed(&["fmt", "-"], model.text.as_bytes());
    assert_eq!(done.status, 0, "{}: {}", model.name, done.stderr);
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    done.stdout.lines().filter(is_code).count()
}

fn model(name: &str) -> Model {
    let name = format!("models/{name}.kin");
    Model { text: fs::read_to_string(project(&name)).expect("it is a text"), name }
}

/// The threads that a report says are stuck, as `process:line`, in order, and where they are.
fn stuck(done: &Done) -> (Vec<String>, Vec<String>) {
    let report = done.json();
    let properties = report["properties"].as_array().expect("there are properties");
    let hopeless = properties.iter().find(|one| one["hopeless"].is_object());
    let threads = hopeless.map(|one| one["hopeless"]["threads"].as_array().unwrap().clone());
    let threads = threads.unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let place = |one: &serde_json::Value| format!("{}:{}", text(&one["process"]), one["line"]);
    let mut places: Vec<String> = threads.iter().map(place).collect();
    places.sort();
    (places, threads.iter().map(|one| text(&one["at"])).collect())
}

/// What stands between backquotes in the lines of a model's head that say in words who is blocked.
fn operations(model: &Model) -> Vec<&str> {
    let head = &model.text[model.text.find("// Blocked: ").expect("it is said in words")..];
    let words = &head[..head.find("// The fix").or(head.find("//\n")).expect("it has an end")];
    words.split('`').skip(1).step_by(2).collect()
}

#[test]
fn those_are_reported_who_are_blocked_in_the_kernels() {
    let mut complaints = Vec::new();
    for (kernel, _) in KERNELS {
        let model = model(&format!("go/cockroach_{kernel}"));
        let (places, ats) = stuck(&check(&model.text));
        let expected = model.lines("// blocked: ");
        assert!(!expected.is_empty(), "{}: nobody is said to be blocked", model.name);
        if !expected.contains(&places.join(", ").as_str()) {
            complaints.push(format!("{}: {places:?}, not one of {expected:?}", model.name));
        }
        let operations = operations(&model);
        for at in ats.iter().filter(|at| !operations.iter().any(|one| at.contains(one))) {
            complaints.push(format!("{}: {at}, not one of {operations:?}", model.name));
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn all_of_a_fixed_kernel_is_executed() {
    let mut complaints = Vec::new();
    for (kernel, _) in KERNELS {
        let model = model(&format!("go/cockroach_{kernel}_fixed"));
        let report = check(&with_properties(&model, "")).json();
        let never = &report["coverage"]["never_executed"];
        if report["coverage"]["complete"] != true || never.as_array().is_none_or(|n| !n.is_empty())
        {
            complaints.push(format!("{}: never executed: {never}", model.name));
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn models_are_no_longer_than_what_they_are_of() {
    for (kernel, lines) in KERNELS {
        for fixed in ["", "_fixed"] {
            let model = model(&format!("go/cockroach_{kernel}{fixed}"));
            let found = code_lines(&model);
            assert!(found <= lines.max(20), "{}: {found} lines of code", model.name);
        }
    }
}

/// Ordinary systems, of which models are short, and have so few classes that they are decided at once.
const SYSTEMS: [&str; 5] = ["join_set", "one_for_one", "thread_pool", "replica_set", "fork_join"];

#[test]
fn ordinary_systems_are_short_and_decided_at_once() {
    for system in SYSTEMS {
        for fixed in ["", "_fixed"] {
            let model = model(&format!("processes/{system}{fixed}"));
            let found = code_lines(&model);
            assert!(found <= 25, "{}: {found} lines of code", model.name);
            let done = check(&model.text);
            let (fails, decided) = failing(&done);
            let is_fixed = !fixed.is_empty();
            assert_eq!(fails.is_empty(), is_fixed, "{}: {fails:?} fails", model.name);
            assert!(decided || !is_fixed, "{}: not decided", model.name);
            let classes = done.json()["coverage"]["states"].as_u64().unwrap();
            assert!(classes <= 1000, "{}: {classes} classes", model.name);
        }
    }
}
