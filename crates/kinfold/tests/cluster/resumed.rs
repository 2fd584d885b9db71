//! `kill -9` of single processes, and of all, at random moments: the run goes on, as any number of processes, and comes to
//! what one process comes to.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use random::{Random, for_seeds};
use serde_json::Value;
use tempfile::TempDir;

use crate::launcher::running_with;
use crate::processes::{Ended, Process};
use crate::running::{kinfold, project};

/// What is killed: a net with families, a symmetric net, single states, and properties.
const COMMANDS: [&str; 4] = [
    "explore models/server.kin --set k=2 --set m=4 --json",
    "explore models/peterson.kin --set n=5 --json",
    "explore models/philosophers.kin --full --json",
    "check models/server.kin --set k=2 --set m=2 --json",
];

/// What is the same, however many processes there were: all but times and bytes, and how the file
/// was given.
fn comparable(json: &Value) -> Value {
    match json {
        Value::Object(fields) => {
            let varies = ["file", "seconds", "peak_memory_bytes", "store_bytes"];
            let fields = fields.iter().filter(|(name, _)| !varies.contains(&name.as_str()));
            fields.map(|(name, value)| (name.clone(), comparable(value))).collect()
        }
        Value::Array(items) => items.iter().map(comparable).collect(),
        other => other.clone(),
    }
}

fn found(stdout: &str, what: &str) -> Value {
    comparable(&serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{what}: {error}")))
}

/// Starts a run of some processes, or goes on with it.
fn started(words: &str, kept: &str, random: &mut Random) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
    let count = 1 + random.below(3u32);
    command.args(["cluster", "run", "-n", &count.to_string()]);
    command.args(["--threads", &(1 + random.below(2u32)).to_string(), "--"]);
    match std::path::Path::new(kept).join("process-0/manifest").exists() {
        true => command.args(["resume", kept]),
        false => command.args(words.split(' ')).args(["--checkpoint", kept]),
    };
    Process::spawn(command.args(["--every", "0"]).stdin(Stdio::null()))
}

/// Kills a process of a run, or the launcher; how the run has ended, if that was with the status of one that is done.
fn killed(
    mut run: Process,
    kept: &str,
    after: Duration,
    status: i32,
    random: &mut Random,
) -> Option<Ended> {
    let began = Instant::now();
    while began.elapsed() < after {
        if run.child.try_wait().unwrap().is_some() {
            return Some(run.ends());
        }
        thread::sleep(Duration::from_millis(1));
    }
    let all = running_with(kept);
    if all.is_empty() {
        return Some(run.ends());
    }
    let kill = format!("kill -KILL {} 2>/dev/null", random.pick(&all));
    let _ = Command::new("sh").args(["-c", &kill]).status();
    let ended = run.ends();
    while !running_with(kept).is_empty() {
        thread::yield_now();
    }
    // It may have been too late.
    (ended.status == Some(status)).then_some(ended)
}

#[test]
fn a_run_whose_processes_are_killed_comes_to_the_same() {
    for_seeds(0..COMMANDS.len() as u64, |seed, random| {
        let words = COMMANDS[seed as usize];
        let model = words.split(' ').nth(1).expect("it is the model");
        let whole = words.replace(model, &project(model));
        let began = Instant::now();
        let whole = kinfold(&whole.split(' ').collect::<Vec<_>>());
        let time = began.elapsed() + Duration::from_millis(200);
        let directory = TempDir::new().unwrap();
        let kept = directory.path().join("kept").to_str().unwrap().to_owned();
        let mut ended = None;
        for _ in 0..4 {
            let run = started(words, &kept, random);
            let moment = time.mul_f64(f64::from(random.below(1000u32)) / 1000.0);
            ended = killed(run, &kept, moment, whole.status, random);
            if ended.is_some() {
                break;
            }
        }
        let ended = ended.unwrap_or_else(|| started(words, &kept, random).ends());
        assert_eq!(ended.status, Some(whole.status), "{words}: {}", ended.stderr);
        assert_eq!(found(&ended.stdout, &ended.stderr), found(&whole.stdout, ""), "{words}");
    });
}
