//! `kinfold cluster run`.

use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::processes::{LONG, Process};
use crate::running::{kinfold, project};

/// Starts a run of three processes on this machine.
fn launched(words: &str) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    command.args(["cluster", "run", "-n", "3", "--threads", "1", "--"]).args(words.split(' '));
    Process::spawn(command.stdin(Stdio::null()))
}

#[test]
fn it_finds_what_one_process_finds_and_prints_it_once() {
    for words in ["explore models/server.kin --json", "check models/philosophers.kin --json"] {
        let model = words.split(' ').nth(1).expect("it is the model");
        let alone = words.replace(model, &project(model));
        let alone = kinfold(&alone.split(' ').collect::<Vec<_>>());
        let together = launched(words).ends();
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let (one, three) = (read(&alone.stdout), read(&together.stdout));
        assert_eq!(one["states"], three["states"], "{words}");
        assert_eq!(one["deadlocks"], three["deadlocks"], "{words}");
        assert_eq!(Some(alone.status), together.status, "{words}: {}", together.stderr);
    }
}

#[test]
fn what_is_wrong_is_told_once() {
    for (words, status, part) in [
        ("graph models/server.kin", 2, "`cluster run` is for `explore`, `check` and `resume`"),
        ("explore models/server.kin --nonsense", 2, "unexpected argument"),
        ("explore -", 2, "give a file"),
        ("explore models/server.kin --threads 2", 2, "--threads is given twice"),
        ("explore models/server.kin --hosts a --process 0 --key b", 2, "leave out --hosts"),
    ] {
        let ended = launched(words).ends();
        assert_eq!(ended.status, Some(status), "{words}: {}", ended.stderr);
        assert_eq!(ended.stderr.matches(part).count(), 1, "{words}: {}", ended.stderr);
    }
}

#[cfg(unix)]
#[test]
fn it_is_interrupted_as_one_process_is() {
    let mut run = launched(LONG);
    assert!(run.says("note: all 3 processes have come"));
    run.signal("TERM");
    let ended = run.ends();
    assert_eq!(ended.status, Some(20), "{}", ended.stderr);
    assert!(ended.stdout.contains("INCOMPLETE"), "{}", ended.stdout);
}

/// The processes with this word on their command lines.
#[cfg(target_os = "linux")]
fn running_with(word: &str) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has_it = |number: &u32| {
        let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(word)
    };
    numbers.filter(has_it).collect()
}

/// A copy of a model, whose path tells the processes of a test from all others.
#[cfg(target_os = "linux")]
fn own_model() -> (TempDir, String) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("server.kin");
    std::fs::copy(project("models/server.kin"), &path).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (directory, path)
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_is_left_behind() {
    let (_directory, model) = own_model();
    let words = LONG.replace("models/server.kin", &model);
    // The launcher is killed.
    let mut run = launched(&words);
    assert!(run.says("note: all 3 processes have come"));
    assert_eq!(running_with(&model).len(), 4);
    run.signal("KILL");
    while !running_with(&model).is_empty() {
        std::thread::yield_now();
    }
    drop(run);
    // One of the others is stopped, and would not end by itself.
    let mut run = launched(&format!("{words} --silence 1"));
    assert!(run.says("note: all 3 processes have come"));
    let number = run.child.id();
    let last = running_with(&model).into_iter().filter(|one| *one != number).max().unwrap();
    Command::new("sh").args(["-c", &format!("kill -STOP {last}")]).status().unwrap();
    let ended = run.ends();
    assert_eq!(ended.status, Some(153), "{}", ended.stderr);
    assert_eq!(running_with(&model), Vec::<u32>::new());
}
