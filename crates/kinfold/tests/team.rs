//! A program of one's own as several processes: this test, started again.

#![expect(clippy::print_stdout, reason = "the process that starts it reads it")]

use std::env;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use kinfold::fold::{Step, System};
use kinfold::state::{Pid, Relations, State};
use kinfold::team::join;
use kinfold::{Explorer, ExplorerError};
use serde_json::{Value, json};

/// Threads that are started one after the other, each of which takes one of a few forks and puts it back, or leaves with it.
struct Guests;

static GUESTS: Guests = Guests;

impl System for Guests {
    fn initial(&self) -> Vec<State> {
        let mut state = State::new();
        state.activate(Pid::initial(1), 0);
        assert!(state.put(&"host".into(), vec![Pid::initial(1).into()], 1));
        assert!(state.put(&"fork".into(), vec![], 3));
        vec![state]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for (token, _) in state.tokens("host").filter(|_| state.eta().len() < 4) {
            let host = token[0].as_pid().expect("a thread");
            let mut after = state.clone();
            let guest = after.spawn(host).expect("the host is there");
            assert!(after.put(&"guest".into(), vec![guest.into()], 1));
            steps.push(Step::of(host, "invite", after));
        }
        for (token, _) in state.tokens("guest") {
            let guest = token[0].as_pid().expect("a thread");
            let mut after = state.clone();
            if after.take("fork", &[], 1) && after.take("guest", token, 1) {
                assert!(after.put(&"eating".into(), token.to_vec(), 1));
                steps.push(Step::of(guest, "take a fork", after));
            }
        }
        for (token, _) in state.tokens("eating") {
            let guest = token[0].as_pid().expect("a thread");
            let mut gone = state.clone();
            assert!(gone.take("eating", token, 1));
            gone.end(guest);
            steps.push(Step::of(guest, "leave with it", gone));
        }
        steps
    }

    fn relations(&self) -> Relations {
        Relations::NONE
    }
}

const PROCESS: &str = "KINFOLD_TEST_PROCESS";
const FOUND: &str = "found: ";

#[test]
#[ignore = "the other test starts it"]
fn one_of_several() {
    let Ok(process) = env::var(PROCESS) else { return };
    let directory = env::var("KINFOLD_TEST_DIRECTORY").expect("it is given");
    let file = |name: &str| Path::new(&directory).join(name);
    let process: usize = process.parse().expect("a number");
    let joined = join(&file("hosts"), process, &file("key"), 1, "guests").expect("all come");
    assert_eq!(joined.process(), process);
    let mut found = Explorer::new(&GUESTS).run_by(joined.team()).expect("it keeps the rules");
    let run = found.run_to_deadlock().expect("a run").expect("there is one");
    let gathered: Result<_, ExplorerError> = Explorer::new(&GUESTS).run_gathered_by(joined.team());
    let gathered = gathered.expect("it keeps the rules");
    joined.finish().expect("nobody is lost");
    let tally = found.tally();
    let found = json!({
        "tally": [tally.states, tally.edges, tally.deadlocks, tally.terminated, tally.depth],
        "steps": run.steps.len(),
        "gathered": gathered.map(|gathered| gathered.states().count()),
    });
    println!("{FOUND}{found}");
}

/// A port for each process.
fn hosts(count: usize) -> String {
    let listeners: Vec<TcpListener> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let lines = listeners.iter().map(|one| format!("{}\n", one.local_addr().expect("an address")));
    lines.collect()
}

#[test]
fn three_processes_find_what_one_does() {
    let mut one = Explorer::new(&GUESTS).run().expect("it keeps the rules");
    let found = one.exploration();
    let (deadlocks, terminated) = (found.deadlocks.len(), found.terminated.len());
    let tally = json!([found.states(), found.edges, deadlocks, terminated, found.depth()]);
    let (states, first) = (found.states(), found.deadlocks[0]);
    let steps = one.run_to(first).expect("a run").steps.len();
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("hosts"), hosts(3)).expect("a file");
    let key = Command::new(env!("CARGO_BIN_EXE_kinfold"))
        .args(["cluster", "key"])
        .arg(directory.path().join("key"))
        .status();
    assert!(key.expect("it runs").success());
    let start = |process: usize| {
        Command::new(env::current_exe().expect("this test has a file"))
            .args(["--exact", "one_of_several", "--ignored", "--nocapture"])
            .env(PROCESS, process.to_string())
            .env("KINFOLD_TEST_DIRECTORY", directory.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts")
    };
    let all: Vec<_> = (0..3).map(start).collect();
    for (process, child) in all.into_iter().enumerate() {
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find_map(|line| line.split_once(FOUND));
        let (_, json) = line.unwrap_or_else(|| panic!("process {process} found nothing: {text}"));
        let gathered = if process == 0 { json!(states) } else { Value::Null };
        let expected = json!({ "tally": tally, "steps": steps, "gathered": gathered });
        assert_eq!(serde_json::from_str::<Value>(json).expect("JSON"), expected);
    }
}
