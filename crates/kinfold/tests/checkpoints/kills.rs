//! `kill -9` at random moments.
//!
//! The run is killed, and gone on with, until it is done; then what it says is what an undisturbed run says. What is
//! kept is written as often as can be, so that many kills come while it is.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kinfold::explore::Checkpoint;
use random::Random;

use crate::running::Done;
use crate::{assert_same, comparable, directory, system, text, undisturbed, words};

/// What is killed.
const COMMANDS: [&str; 6] = [
    "explore models/server.kin --set k=2 --set m=4 --threads 1",
    "explore models/server.kin --set k=2 --set m=4 --threads 2",
    "explore models/peterson.kin --set n=5 --threads 1",
    "explore models/philosophers.kin --full --threads 1",
    "check models/server.kin --set k=2 --set m=2 --threads 1",
    "check models/processes/thread_pool.kin --threads 1",
];

/// How many kills there were.
#[derive(Default)]
struct Kills {
    all: u32,
    /// Those that came while something was written, as the files show.
    while_writing: u32,
    /// Those that left nothing to go on from.
    before_anything: u32,
}

/// Starts a run, which may be a new one.
type Start<'s> = dyn Fn(&Path, &mut Random) -> Command + 's;

/// Kills a run up to `most` times, and gives what it comes to in the end.
fn killed(start: &Start<'_>, most: u32, random: &mut Random, kills: &mut Kills) -> Done {
    let directory = directory();
    let path = directory.path().join("kept");
    let began = Instant::now();
    let whole = finished(spawned(&mut start(&directory.path().join("whole"), random)));
    let time = began.elapsed();
    assert!(whole.status != 2, "{}", whole.stderr);
    for _ in 0..most {
        let mut child = spawned(&mut start(&path, random));
        let moment = time.mul_f64(f64::from(random.below(1000_u32)) / 1000.0);
        if ends_within(&mut child, moment) {
            return finished(child);
        }
        child.kill().expect("it is running");
        child.wait().expect("it was running");
        kills.all += 1;
        match written(&path) {
            None => kills.before_anything += 1,
            Some(while_writing) => kills.while_writing += u32::from(while_writing),
        }
    }
    finished(spawned(&mut start(&path, random)))
}

fn spawned(command: &mut Command) -> Child {
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("it can be started")
}

/// Whether a process ends before this time has passed.
fn ends_within(child: &mut Child, time: Duration) -> bool {
    let began = Instant::now();
    loop {
        if child.try_wait().expect("it is ours").is_some() {
            return true;
        }
        let Some(left) = time.checked_sub(began.elapsed()) else { return false };
        thread::park_timeout(left.min(Duration::from_micros(200)));
    }
}

fn finished(child: Child) -> Done {
    let output = child.wait_with_output().expect("it was running");
    Done {
        status: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).expect("it prints UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("it prints UTF-8"),
    }
}

/// Whether something was being written to a checkpoint; nothing if there is none.
fn written(path: &Path) -> Option<bool> {
    let contents = Checkpoint::contents(path).ok()?;
    let kept: u64 = contents.explorations.iter().map(|kept| kept.bytes).sum();
    let mut found = 0;
    for entry in fs::read_dir(path).expect("it is there") {
        let entry = entry.expect("it can be read");
        let name = entry.file_name();
        let is_stream =
            name.to_str().is_some_and(|name| name.starts_with(|c: char| c.is_ascii_digit()));
        if is_stream {
            found += entry.metadata().expect("it is there").len();
        }
    }
    Some(found > kept || path.join("manifest.new").exists())
}

/// Kills runs of all kinds, each up to `most` times, until there were so many kills.
fn all_kinds(seed: u64, most: u32, enough: u32) {
    let mut random = Random::new(seed);
    println!("seed {seed}");
    let mut sum = Kills::default();
    let (mut runs, mut round) = (0, 0);
    while round == 0 || sum.all < enough {
        for command in COMMANDS {
            let expected = undisturbed(command);
            let start = |path: &Path, random: &mut Random| {
                let mut kinfold = Command::new(env!("CARGO_BIN_EXE_kinfold"));
                let every = ["0", "0", "0.002", "0.02"][random.below(4_usize)];
                match Checkpoint::contents(path).is_ok() && random.percent(50) {
                    true => kinfold.args(["resume", text(path)]),
                    false => kinfold.args(words(command)).args(["--checkpoint", text(path)]),
                };
                kinfold.args(["--every", every]);
                kinfold
            };
            let mut kills = Kills::default();
            let done = killed(&start, most, &mut random, &mut kills);
            println!("{command}: {} kills, {} while writing", kills.all, kills.while_writing);
            assert_same(&done, &expected, &format!("{command}, seed {seed}"));
            add(&mut sum, &kills);
            runs += 1;
        }
        for kind in system::KINDS {
            let expected = system::found(kind, None);
            let mut kills = Kills::default();
            let start = |path: &Path, _: &mut Random| system::command(kind, path);
            let done = killed(&start, most, &mut random, &mut kills);
            println!("system, {kind}: {} kills, {} while writing", kills.all, kills.while_writing);
            let found = system::printed(&done.stdout);
            assert_eq!(comparable(&found), comparable(&expected), "{kind}, seed {seed}");
            add(&mut sum, &kills);
            runs += 1;
        }
        round += 1;
    }
    println!(
        "{runs} runs, {} kills: {} while something was written, {} before anything was kept",
        sum.all, sum.while_writing, sum.before_anything
    );
    assert!(sum.all >= enough && sum.while_writing > 0, "there were too few kills");
}

fn add(sum: &mut Kills, kills: &Kills) {
    sum.all += kills.all;
    sum.while_writing += kills.while_writing;
    sum.before_anything += kills.before_anything;
}

#[test]
fn killed_runs_find_the_same() {
    all_kinds(1, 2, 1);
}

/// Ctrl-C, and what job schedulers send, let a run keep what it has found first.
#[cfg(unix)]
#[test]
fn a_run_that_is_asked_to_end_keeps_what_it_found() {
    let command = "explore models/server.kin --set k=4 --set m=4 --threads 2";
    for signal in ["-INT", "-TERM"] {
        let directory = directory();
        let path = directory.path().join("kept");
        let mut kinfold = Command::new(env!("CARGO_BIN_EXE_kinfold"));
        kinfold.args(words(command)).args(["--checkpoint", text(&path), "--every", "0.01"]);
        let mut child = spawned(&mut kinfold);
        let states = || {
            let contents = Checkpoint::contents(&path).ok()?;
            Some(contents.explorations.first()?.counts.states)
        };
        while states().is_none_or(|states| states < 1000) {
            assert!(!ends_within(&mut child, Duration::from_millis(1)), "it is large");
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("it is there").success());
        let done = finished(child);
        assert_eq!((done.status, &done.json()["reason"]), (20, &"interrupted".into()));
        assert!(done.stderr.contains("` goes on"), "{}", done.stderr);
        let kept = states().expect("something was kept");
        let found = done.json()["states"].as_u64().expect("it is a number");
        assert!(found >= kept.into() && found - u64::from(kept) < 100, "{kept} of {found}");
        let limit = (kept + 1000).to_string();
        let resumed = kinfold_resumed(&path, &limit);
        let mut words = words(command);
        words.extend(["--max-states".to_owned(), limit]);
        assert_same(&resumed, &crate::run(&words, &[]), signal);
    }
}

#[cfg(unix)]
fn kinfold_resumed(path: &Path, states: &str) -> Done {
    crate::running::kinfold(&["resume", text(path), "--max-states", states])
}

/// Takes some minutes: `scripts/kill-and-resume` runs it.
#[test]
#[ignore = "it takes some minutes"]
fn two_thousand_kills_change_nothing() {
    let given = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect(name));
    let kills = given("KINFOLD_TEST_KILLS").unwrap_or(2000);
    let seed = given("KINFOLD_TEST_SEED").unwrap_or(2);
    all_kinds(seed, 20, u32::try_from(kills).expect("a number of kills"));
}
