//! Runs for which memory is too small: what they find is what there is to find, and nothing is left on disk.

use std::fs;

use serde_json::Value;

use crate::running::Done;
use crate::{COMMANDS, assert_same, directory, kinfold, run, text, undisturbed, words};

/// Less than twice of what the command takes with nothing to do, so that memory is short from the start.
pub fn short_of_memory() -> String {
    let nothing = kinfold(&["explore", &crate::project("models/chain.kin"), "--json"]);
    let peak = nothing.json()["peak_memory_bytes"].as_u64();
    (peak.unwrap_or(16 << 20) / 4 * 7).to_string()
}

/// On disk states are looked at later, when more of them are known. So an exploration that ends as soon as something is
/// found may end elsewhere.
fn assert_same_verdicts(done: &Done, expected: &Done, what: &str) {
    let verdicts = |done: &Done| -> Vec<(Value, Value)> {
        let json = done.json();
        let properties = json["properties"].as_array().cloned().unwrap_or_default();
        properties.iter().map(|one| (one["name"].clone(), one["verdict"].clone())).collect()
    };
    assert_eq!(done.status, expected.status, "{what}\n{}", done.stderr);
    assert_eq!(verdicts(done), verdicts(expected), "{what}");
    assert_eq!(done.json()["reason"], expected.json()["reason"], "{what}");
}

#[test]
fn a_run_on_disk_finds_what_one_in_memory_finds() {
    let memory = short_of_memory();
    let mut on_disk = 0;
    for command in COMMANDS {
        let expected = undisturbed(command);
        let directory = directory();
        let disk = ["--disk", text(directory.path()), "--memory", &memory];
        let done = run(&words(command), &disk);
        match expected.json()["complete"] == Value::Bool(true) {
            true => assert_same(&done, &expected, command),
            false => assert_same_verdicts(&done, &expected, command),
        }
        on_disk += u32::from(done.json()["disk_bytes"].as_u64().is_some_and(|bytes| bytes > 0));
        let left = fs::read_dir(directory.path()).expect("it is there").count();
        assert_eq!(left, 0, "files are left of {command}");
    }
    assert!(on_disk > 3, "only {on_disk} went to disk");
}

#[test]
fn a_run_that_is_kept_goes_to_disk_when_memory_is_short_and_is_resumed_from_there() {
    let memory = short_of_memory();
    let command = "explore models/server.kin --set k=3 --set m=3";
    let expected = undisturbed(command);
    let directory = directory();
    let kept = ["--checkpoint", text(directory.path()), "--memory", &memory];
    let begun = run(&words(command), &[&kept[..], &["--max-states", "20000"]].concat());
    assert_eq!(begun.status, 20, "{}", begun.stderr);
    assert!(begun.json()["disk_bytes"].as_u64() > Some(0), "{}", begun.stdout);
    let resumed = kinfold(&["resume", text(directory.path()), "--max-states", "1000000"]);
    assert_same(&resumed, &expected, command);
}

#[test]
fn a_directory_that_cannot_be_used_is_told_and_the_run_ends_in_memory() {
    let directory = directory();
    let file = directory.path().join("file");
    fs::write(&file, "").expect("it can be written");
    let command = "explore models/server.kin --set k=2 --set m=2";
    let expected = undisturbed(command);
    let memory = short_of_memory();
    let done = run(&words(command), &["--disk", text(&file), "--memory", &memory]);
    assert_same(&done, &expected, command);
    assert_eq!(done.json()["disk_bytes"], Value::from(0));
    assert!(done.stderr.contains("cannot write to"), "{}", done.stderr);
    let refused = run(&words(command), &["--disk", text(&file), "--engine", "ddd"]);
    assert_eq!(refused.status, 2);
    assert!(
        refused.stderr.contains("leave out --disk, or leave out --engine ddd"),
        "{}",
        refused.stderr
    );
}
