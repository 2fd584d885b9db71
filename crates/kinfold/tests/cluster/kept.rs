//! What several processes have kept: it is shown, and gone on with after whatever has ended them.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use kinfold::explore::Checkpoint;
use serde_json::Value;
use tempfile::TempDir;

use crate::processes::{Planned, Process, three};
use crate::running::{kinfold, project};

/// Large enough that something is kept before it is done.
const MODEL: &str = "models/server.kin --set k=3 --set m=3";

fn text(path: &Path) -> String {
    path.to_str().expect("it is UTF-8").to_owned()
}

/// The states that are kept in a directory.
fn states(kept: &Path) -> u64 {
    let contents = Checkpoint::contents(kept).ok();
    let first = contents.and_then(|contents| contents.explorations.into_iter().next());
    first.map_or(0, |exploration| exploration.counts.states)
}

/// Three processes that keep what they find, and have kept something.
fn begun(kept: &Path) -> Vec<Process> {
    let words = "--json --every 0 --gather 2 --silence 1 --checkpoint";
    let (all, _) = three(&format!("explore {MODEL} {words} {}", text(kept)));
    while states(kept) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    all
}

/// What a run comes to that goes on from there, by two processes.
fn gone_on(kept: &Path) -> Value {
    let kept = text(kept);
    let done = kinfold(&["cluster", "run", "-n", "2", "--threads", "1", "--", "resume", &kept]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    done.json()
}

fn alone() -> Value {
    let words = format!("explore {} --threads 1 --engine explicit --json", project(MODEL));
    kinfold(&words.split(' ').collect::<Vec<_>>()).json()
}

fn assert_same(found: &Value, expected: &Value, what: &str) {
    for field in ["states", "edges", "deadlocks", "terminated", "depth", "complete"] {
        assert_eq!(found[field], expected[field], "{what}: {field}");
    }
}

#[cfg(unix)]
#[test]
fn a_run_goes_on_after_every_fault() {
    let expected = alone();
    for (fault, statuses) in [
        ("KILL", [Some(153), None, Some(153)]),
        ("STOP", [Some(153); 3]),
        ("panic", [Some(70); 3]),
        ("TERM", [Some(20); 3]),
        ("launcher", [Some(153); 3]),
    ] {
        let directory = TempDir::new().unwrap();
        let kept = directory.path().join("kept");
        let mut all = begun(&kept);
        match fault {
            "panic" => all[1].tell("panic"),
            // The pipe ends with the launcher.
            "launcher" => all.iter_mut().for_each(|process| drop(process.child.stdin.take())),
            signal => all[1].signal(signal),
        }
        if fault == "STOP" {
            while !(all[0].has_ended() && all[2].has_ended()) {
                thread::sleep(Duration::from_millis(1));
            }
            all[1].signal("CONT");
        }
        let ended: Vec<_> = all.into_iter().map(Process::ends).collect();
        let found: Vec<_> = ended.iter().map(|ended| ended.status).collect();
        assert_eq!(found, statuses, "{fault}: {ended:?}");
        assert_same(&gone_on(&kept), &expected, fault);
    }
}

/// A run that goes on, and does not begin: what is kept stays as it is.
#[cfg(unix)]
#[test]
fn a_run_that_does_not_begin_leaves_what_is_kept() {
    let directory = TempDir::new().unwrap();
    let kept = directory.path().join("kept");
    let all = begun(&kept);
    all[0].signal("TERM");
    all.into_iter().for_each(|process| drop(process.ends()));
    let before = states(&kept);
    let words = format!("resume {} --gather 1 --threads 1", text(&kept));
    let differing = words.replace("--threads 1", "--threads 2");
    for (others, status) in [(&[words.as_str()][..], 153), (&[&words, &differing], 2)] {
        let run = Planned::new();
        let start = |(at, words): (usize, &&str)| run.start(at, words);
        let all: Vec<Process> = others.iter().enumerate().map(start).collect();
        for ended in all.into_iter().map(Process::ends) {
            assert_eq!(ended.status, Some(status), "{}", ended.stderr);
        }
    }
    assert_eq!(states(&kept), before);
    assert_same(&gone_on(&kept), &alone(), "a run that did not begin");
}

#[test]
fn what_is_kept_is_shown_and_damage_is_named() {
    let directory = TempDir::new().unwrap();
    let kept = directory.path().join("kept");
    let kept = text(&kept);
    let model = project("models/server.kin");
    let run = ["cluster", "run", "-n", "3", "--threads", "2", "--", "check", &model];
    let done = kinfold(&[&run[..], &["--checkpoint", &kept]].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let show = |more: &[&str]| kinfold(&[&["checkpoint", "show", &kept], more].concat());

    let shown = show(&[]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    for what in [
        "command: check ",
        "\nexploration 1: bounded, no_deadlock\n",
        "  states                22\n",
        "  complete, ",
        "  by 3 processes of 2 threads each:\n",
        "  process 2: ",
        "\nall files are as they were written\n",
    ] {
        assert!(shown.stdout.contains(what), "{what} in {}", shown.stdout);
    }
    let json = show(&["--json"]).json();
    assert_eq!(json["damage"], Value::Array(Vec::new()));
    let first = &json["explorations"][0];
    let team = &first["team"];
    assert_eq!((&team["processes"], &team["threads"]), (&3.into(), &2.into()));
    let shards = team["shards"].as_array().expect("a list");
    let sum: u64 = shards.iter().map(|shard| shard["states"].as_u64().expect("a number")).sum();
    assert_eq!(
        (first["complete"].as_bool(), first["counts"]["states"].as_u64()),
        (Some(true), Some(22))
    );
    assert_eq!((shards.len(), sum), (3, 22));

    for file in ["process-1/0.g1.w1.strings", "process-2/shards", "process-0/manifest"] {
        let path = Path::new(&kept).join(file);
        let whole = fs::read(&path).expect("it is there");
        let mut changed = whole.clone();
        *changed.last_mut().expect("it is not empty") ^= 1;
        for damaged in [&changed[..], &whole[..whole.len() - 1]] {
            fs::write(&path, damaged).expect("it can be written");
            let shown = show(&[]);
            let says = format!("{} is damaged: ", path.display());
            let said = shown.stdout + &shown.stderr;
            assert!(shown.status == 150 && said.contains(&says), "{file}: {said}");
        }
        fs::write(&path, &whole).expect("it can be written");
    }
    // A directory that is on another machine.
    fs::rename(Path::new(&kept).join("process-1"), directory.path().join("elsewhere")).unwrap();
    let shown = show(&[]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    let here = "\nall files that are here are as they were written\n";
    assert!(shown.stdout.contains("  process 1: not here, and not in the counts above\n"));
    assert!(
        shown.stdout.contains(here) && !shown.stdout.contains("  complete, "),
        "{}",
        shown.stdout
    );
    assert_eq!(
        show(&["--json"]).json()["explorations"][0]["team"]["missing"],
        serde_json::json!([1])
    );
}
