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
//! found by an interpreter of the text that shares nothing with Kinfold.

#[path = "running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;

use std::collections::BTreeSet;
use std::fs;

use running::{Done, kinfold_fed, project};

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
    kinfold_fed(&["check", "-", "--json", "--time", "20"], text.as_bytes())
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
