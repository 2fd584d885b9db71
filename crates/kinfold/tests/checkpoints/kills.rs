//! `kill -9` at random moments.
//!
//! A run is killed, and gone on with, until it is done; then what it says is what an undisturbed run says. What is
//! kept is written as often as can be, so that many kills come while it is. Of a run of several processes one is
//! killed, and the others have to end by themselves, with a message that names it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kinfold::explore::Checkpoint;
use random::Random;
use serde_json::Value;

use crate::disk::short_of_memory;
use crate::processes::{Ended, Planned, Process};
use crate::running::Done;
use crate::{assert_same, comparable, directory, system, text, undisturbed, words};

/// What is killed in memory.
const COMMANDS: [&str; 6] = [
    "explore models/server.kin --set k=2 --set m=4 --threads 1",
    "explore models/server.kin --set k=2 --set m=4 --threads 2",
    "explore models/peterson.kin --set n=5 --threads 1",
    "explore models/philosophers.kin --full --threads 1",
    "check models/server.kin --set k=2 --set m=2 --threads 1",
    "check models/processes/thread_pool.kin --threads 1",
];

/// What is killed on disk: nothing that ends as soon as something is found, which may be elsewhere there.
const ON_DISK: [&str; 5] = [
    "explore models/server.kin --set k=2 --set m=4 --threads 1",
    "explore models/server.kin --set k=2 --set m=4 --threads 2",
    "explore models/peterson.kin --set n=5 --threads 1",
    "explore models/philosophers.kin --full --threads 1",
    "check models/server.kin --threads 1",
];

/// What is killed of several processes.
const TOGETHER: [&str; 4] = [
    "explore models/server.kin --set k=2 --set m=4",
    "explore models/peterson.kin --set n=5",
    "explore models/philosophers.kin --full",
    "check models/server.kin --set k=2 --set m=2",
];

/// Processes are waited for this long, in seconds.
const GATHER: &str = "2";
/// Nothing takes longer than this.
const TOO_LONG: Duration = Duration::from_secs(120);

/// How many kills there were.
#[derive(Default)]
struct Kills {
    runs: u32,
    all: u32,
    /// Those that came while something was written, as the files show.
    while_writing: u32,
    /// Those that left nothing to go on from.
    before_anything: u32,
    /// The processes that have ended since another was killed, and have named it.
    named: u32,
}

/// How a run is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    InMemory,
    OnDisk,
    /// By three processes, and gone on with by any number.
    Together,
    /// A `System`, by this test.
    System,
}

/// What is killed.
struct Subject {
    form: Form,
    /// The command, or the kind of system.
    what: &'static str,
    /// The status of a run that nothing disturbs, and what it says.
    expected: (i32, Value),
    /// The memory that it may take, if it is to go to disk.
    memory: Option<String>,
}

/// A run: the first of its processes says what is found.
struct Run {
    processes: Vec<Process>,
    /// Where they listen, if there are several.
    hosts: Vec<String>,
}

impl Subject {
    fn all() -> Vec<Subject> {
        let commands = [
            (Form::InMemory, &COMMANDS[..]),
            (Form::OnDisk, &ON_DISK[..]),
            (Form::Together, &TOGETHER[..]),
            (Form::System, &system::KINDS[..]),
        ];
        let memory = short_of_memory();
        let subject = |form: Form, what: &'static str| {
            let expected = match form {
                Form::System => (0, comparable(&system::found(what, None))),
                _ => {
                    let done = undisturbed(what);
                    (done.status, comparable(&done.json()))
                }
            };
            let memory = (form == Form::OnDisk).then(|| memory.clone());
            Subject { form, what, expected, memory }
        };
        let all =
            commands.into_iter().flat_map(|(form, all)| all.iter().map(move |it| (form, *it)));
        all.map(|(form, what)| subject(form, what)).collect()
    }

    /// Starts the run, or goes on with it.
    fn start(&self, kept: &Path, random: &mut Random) -> Run {
        if self.form == Form::System {
            let alone = system::command(self.what, kept);
            return Run::alone(alone);
        }
        let every = ["0", "0", "0.002", "0.02"][random.below(4_usize)];
        let threads = (1 + random.below(2_u32)).to_string();
        let described = if self.form == Form::Together { &kept.join("process-0") } else { kept };
        let mut line = words(self.what);
        let goes_on = described.join("manifest").exists() && random.percent(50);
        match goes_on {
            true => line = ["resume", text(kept)].map(str::to_owned).to_vec(),
            false => line.extend(["--checkpoint", text(kept)].map(str::to_owned)),
        }
        line.extend(["--every", every].map(str::to_owned));
        if let Some(memory) = &self.memory {
            line.extend(["--memory", memory].map(str::to_owned));
        }
        if self.form != Form::Together {
            let mut kinfold = Command::new(env!("CARGO_BIN_EXE_kinfold"));
            kinfold.args(line);
            return Run::alone(kinfold);
        }
        line.extend(["--threads", &threads, "--gather", GATHER].map(str::to_owned));
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let count = if goes_on { [3, 3, 3, 1, 2, 4][random.below(6_usize)] } else { 3 };
        let planned = Planned::of(count);
        Run { processes: planned.launch(&line), hosts: planned.hosts }
    }

    /// What a run has found, if it has come to its end.
    fn found(&self, ended: &Ended) -> Option<Value> {
        (ended.status == Some(self.expected.0)).then(|| match self.form {
            Form::System => comparable(&system::printed(&ended.stdout)),
            _ => {
                let json = serde_json::from_str(&ended.stdout);
                comparable(&json.unwrap_or_else(|error| panic!("{error} in {ended:?}")))
            }
        })
    }

    /// Kills the run up to `most` times, and compares what it comes to in the end.
    fn killed(&self, most: u32, random: &mut Random, kills: &mut Kills) {
        let directory = directory();
        let mut whole = self.start(&directory.path().join("whole"), random);
        let began = Instant::now();
        whole.has_begun();
        let gathering = began.elapsed();
        let whole = whole.ends().swap_remove(0);
        let time = began.elapsed() - gathering;
        assert_eq!(self.found(&whole).as_ref(), Some(&self.expected.1), "{}", whole.stderr);
        if self.form == Form::OnDisk {
            // `check` does not tell.
            let json: Value = serde_json::from_str(&whole.stdout).expect("it was read");
            assert!(json["disk_bytes"] != 0, "{} stays in memory", self.what);
        }
        kills.runs += 1;
        let path = directory.path().join("kept");
        for _ in 0..most {
            let mut run = self.start(&path, random);
            let is_early = random.percent(10);
            if !is_early {
                run.has_begun();
            }
            let part = if is_early { gathering } else { time };
            let moment = part.mul_f64(f64::from(random.below(1000_u32)) / 1000.0);
            let moment = (moment, is_early);
            if let Some(ended) = self.killed_once(run, moment, &path, random, kills) {
                return self.assert_same(&ended);
            }
        }
        self.assert_same(&self.start(&path, random).ends().swap_remove(0));
    }

    /// Kills a process of a run at a moment, which is early if not all may have come by then; what the run has come to,
    /// if it has come to its end.
    fn killed_once(
        &self,
        mut run: Run,
        (moment, is_early): (Duration, bool),
        path: &Path,
        random: &mut Random,
        kills: &mut Kills,
    ) -> Option<Ended> {
        if ends_within(&mut run.processes[0], moment) {
            return Some(run.ends().swap_remove(0));
        }
        let victim = random.below(run.processes.len());
        let hosts = run.hosts.clone();
        run.processes[victim].child.kill().expect("it is ours");
        let mut ended = run.ends();
        // It may have been too late.
        if ended[victim].status.is_none() {
            kills.all += 1;
            match written(path) {
                None => kills.before_anything += 1,
                Some(while_writing) => kills.while_writing += u32::from(while_writing),
            }
            for (at, ended) in ended.iter().enumerate().filter(|(at, _)| *at != victim) {
                // What has said goodbye before is not lost any more.
                if ended.status != Some(self.expected.0) {
                    let name = format!("kinfold: process {victim} ({}) has ", hosts[victim]);
                    let is_named = ended.stderr.lines().any(|line| line.starts_with(&name));
                    // Who comes after the others have given up finds nobody.
                    let is_late = is_early && ended.stderr.contains(") has not come");
                    let is_told = is_named || is_late;
                    assert!(is_told && ended.status == Some(153), "{victim}, {at}: {ended:?}");
                    kills.named += u32::from(is_named);
                }
            }
        }
        let first = ended.swap_remove(0);
        (first.status == Some(self.expected.0)).then_some(first)
    }

    fn assert_same(&self, ended: &Ended) {
        let Subject { form, what, expected, .. } = self;
        assert_eq!(self.found(ended).as_ref(), Some(&expected.1), "{form:?}, {what}: {ended:?}");
    }
}

impl Run {
    fn alone(mut command: Command) -> Run {
        let processes = vec![Process::spawn(command.stdin(Stdio::null()))];
        Run { processes, hosts: Vec::new() }
    }

    /// Waits until all processes have come.
    fn has_begun(&mut self) {
        let count = self.processes.len();
        if !self.hosts.is_empty() && count > 1 {
            self.processes[0].says(&format!("note: all {count} processes have come"));
        }
    }

    /// How each process ends. None may go on for ever.
    fn ends(mut self) -> Vec<Ended> {
        if self.processes.len() > 1 {
            for process in &mut self.processes {
                assert!(ends_within(process, TOO_LONG), "a process goes on without the others");
            }
        }
        self.processes.into_iter().map(Process::ends).collect()
    }
}

/// Whether a process ends before this time has passed.
fn ends_within(process: &mut Process, time: Duration) -> bool {
    let began = Instant::now();
    loop {
        if process.has_ended() {
            return true;
        }
        let Some(left) = time.checked_sub(began.elapsed()) else { return false };
        thread::park_timeout(left.min(Duration::from_micros(200)));
    }
}

/// Whether something was being written to a checkpoint, or to that of one of several processes; nothing if there is
/// none.
fn written(path: &Path) -> Option<bool> {
    let of_processes = (0..4).filter_map(|at| written_in(&path.join(format!("process-{at}"))));
    of_processes.chain(written_in(path)).reduce(|one, other| one || other)
}

/// Whether there is a manifest that is not in its place yet, or more in a file than the manifests know of.
fn written_in(directory: &Path) -> Option<bool> {
    fs::metadata(directory.join("manifest")).ok()?;
    let mut known = BTreeMap::new();
    for name in ["manifest", "shards"] {
        let manifest = fs::read_to_string(directory.join(name)).unwrap_or_default();
        let json = manifest.split_once('\n').and_then(|(_, rest)| rest.rsplit_once("\nblake3 "));
        if let Some((json, _)) = json {
            lengths(&serde_json::from_str(json).expect("it is JSON"), &mut known);
        }
    }
    let entries = fs::read_dir(directory).expect("it is there");
    let mut entries = entries.map(|entry| entry.expect("it can be read"));
    Some(entries.any(|entry| {
        let name = entry.file_name().into_string().expect("it is ours");
        let is_stream = name.starts_with(|c: char| c.is_ascii_digit());
        let is_longer = || {
            let length = entry.metadata().map_or(0, |about| about.len());
            length > known.get(&name).copied().unwrap_or(0)
        };
        name.ends_with(".new") || (is_stream && is_longer())
    }))
}

/// The lengths of files in a manifest: what is said last of each, where it is longest.
fn lengths(json: &Value, known: &mut BTreeMap<String, u64>) {
    if let (Some(file), Some(bytes)) = (json["file"].as_str(), json["bytes"].as_u64()) {
        let known = known.entry(file.to_owned()).or_default();
        *known = bytes.max(*known);
    }
    match json {
        Value::Array(items) => items.iter().for_each(|item| lengths(item, known)),
        Value::Object(fields) => fields.values().for_each(|field| lengths(field, known)),
        _ => {}
    }
}

/// Kills runs of all kinds, each up to `most` times, until there were so many kills, and so many of runs on disk and of
/// processes of a cluster.
fn all_kinds(seed: u64, most: u32, enough: u32, enough_of_each: u32) {
    let mut random = Random::new(seed);
    println!("seed {seed}");
    let subjects = Subject::all();
    let mut kills: Vec<Kills> = subjects.iter().map(|_| Kills::default()).collect();
    let of = |kills: &[Kills], form: Form| -> u32 {
        let those = subjects.iter().zip(kills).filter(|(subject, _)| subject.form == form);
        those.map(|(_, kills)| kills.all).sum()
    };
    let is_enough = |kills: &[Kills]| {
        kills.iter().map(|kills| kills.all).sum::<u32>() >= enough
            && [Form::OnDisk, Form::Together].iter().all(|&form| of(kills, form) >= enough_of_each)
    };
    loop {
        for (subject, kills) in subjects.iter().zip(&mut kills) {
            subject.killed(most, &mut random, kills);
        }
        if is_enough(&kills) {
            break;
        }
    }
    println!("| run | runs | kills | while something was written |\n| --- | --- | --- | --- |");
    let mut sum = Kills::default();
    for (subject, kills) in subjects.iter().zip(&kills) {
        let Kills { runs, all, while_writing, .. } = kills;
        println!("| {:?}: `{}` | {runs} | {all} | {while_writing} |", subject.form, subject.what);
        sum.runs += runs;
        sum.all += all;
        sum.while_writing += while_writing;
        sum.before_anything += kills.before_anything;
        sum.named += kills.named;
    }
    println!("| together | {} | {} | {} |", sum.runs, sum.all, sum.while_writing);
    println!(
        "{} kills before anything was kept; {} processes have named the one that was killed",
        sum.before_anything, sum.named
    );
    assert!(sum.while_writing > 0 && sum.named > 0, "there were too few kills");
}

#[test]
fn killed_runs_find_the_same() {
    all_kinds(1, 2, 1, 1);
}

/// Ctrl-C, and what job schedulers send, let a run keep what it has found first.
#[cfg(unix)]
#[test]
fn a_run_that_is_asked_to_end_keeps_what_it_found() {
    let command = "explore models/server.kin --set k=4 --set m=4 --threads 2";
    for signal in ["INT", "TERM"] {
        let directory = directory();
        let path = directory.path().join("kept");
        let mut kinfold = Command::new(env!("CARGO_BIN_EXE_kinfold"));
        kinfold.args(words(command)).args(["--checkpoint", text(&path), "--every", "0.01"]);
        let mut run = Process::spawn(kinfold.stdin(Stdio::null()));
        let states = || {
            let contents = Checkpoint::contents(&path).ok()?;
            Some(contents.explorations.first()?.counts.states)
        };
        while states().is_none_or(|states| states < 1000) {
            assert!(!ends_within(&mut run, Duration::from_millis(1)), "it is large");
        }
        run.signal(signal);
        let ended = run.ends();
        let status = ended.status.expect("no signal");
        let done = Done { status, stdout: ended.stdout, stderr: ended.stderr };
        assert_eq!((done.status, &done.json()["reason"]), (20, &"interrupted".into()));
        assert!(done.stderr.contains("` goes on"), "{}", done.stderr);
        let kept = states().expect("something was kept");
        let found = done.json()["states"].as_u64().expect("it is a number");
        assert!(found >= kept && found - kept < 100, "{kept} of {found}");
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
    let kills = given("KINFOLD_TEST_KILLS").unwrap_or(2000_u64);
    let seed = given("KINFOLD_TEST_SEED").unwrap_or(2);
    let kills = u32::try_from(kills).expect("a number of kills");
    all_kinds(seed, 20, kills, kills / 6);
}
