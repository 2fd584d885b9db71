//! A system that is Rust code, explored by another process: this test, started again.

use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use kinfold::Explorer;
use kinfold::fold::{Step, System};
use kinfold::state::{Pid, Relation, Relations, State};
use serde_json::{Value, json};

/// A boss hires workers, who do some tasks each and leave; the boss waits for nobody.
struct Office {
    most: i64,
    tasks: i64,
}

const OFFICE: Office = Office { most: 5, tasks: 3 };

impl System for Office {
    fn initial(&self) -> Vec<State> {
        let mut state = State::new();
        state.activate(Pid::initial(1), 0);
        assert!(state.put(&"boss".into(), vec![Pid::initial(1).into(), self.most.into()], 1));
        vec![state]
    }

    fn successors(&self, state: &State) -> Vec<Step> {
        let mut steps = Vec::new();
        for (token, _) in state.tokens("boss") {
            let boss = token[0].as_pid().expect("a boss is a thread");
            for left in 1..=self.most {
                if token[1] == left.into() {
                    let mut after = state.clone();
                    let worker = after.spawn(boss).expect("the boss is active");
                    assert!(after.take("boss", token, 1));
                    assert!(after.put(
                        &"boss".into(),
                        vec![boss.clone().into(), (left - 1).into()],
                        1
                    ));
                    assert!(after.put(&"worker".into(), vec![worker.into(), self.tasks.into()], 1));
                    steps.push(Step::of(boss, "hire", after));
                }
            }
        }
        for (token, _) in state.tokens("worker") {
            let worker = token[0].as_pid().expect("a worker is a thread");
            for left in 0..=self.tasks {
                if token[1] == left.into() {
                    let mut after = state.clone();
                    assert!(after.take("worker", token, 1));
                    let action = match left {
                        0 => {
                            after.end(worker);
                            "leave"
                        }
                        left => {
                            let token = vec![worker.clone().into(), (left - 1).into()];
                            assert!(after.put(&"worker".into(), token, 1));
                            "work"
                        }
                    };
                    steps.push(Step::of(worker, action, after));
                }
            }
        }
        steps
    }

    fn relations(&self) -> Relations {
        Relations::NONE.with(Relation::Parent)
    }
}

/// The ways in which it is explored.
pub const KINDS: [&str; 2] = ["folded", "full"];

/// What is found of the system, all of it or what was found before and the rest.
pub fn found(kind: &str, kept: Option<&Path>) -> Value {
    // A system that is not folded has many more states.
    let office = if kind == "full" { &Office { most: 3, tasks: 2 } } else { &OFFICE };
    let mut explorer = Explorer::new(office);
    if kind == "full" {
        explorer = explorer.full();
    }
    if let Some(path) = kept {
        explorer = explorer.checkpoint(path, format!("office, {kind}"), Duration::ZERO);
    }
    let mut explored = explorer.run().expect("the system keeps the rules");
    let found = explored.exploration();
    assert!(found.complete);
    let deadlocks = found.deadlocks.clone();
    let runs: Vec<String> = deadlocks
        .iter()
        .map(|id| explored.run_to(*id).expect("it can be followed").to_string())
        .collect();
    let found = explored.exploration();
    let edges = found.quotient.as_ref().expect("edges are kept").iter();
    let edges: Vec<_> = edges.map(|(source, label, target)| (source.0, label, target.0)).collect();
    json!({
        "states": explored.states().map(|(_, state)| state.to_string()).collect::<Vec<_>>(),
        "edges": edges,
        "modes": found.modes,
        "actions": explored.actions().iter().map(|(name, count)| (name.to_string(), *count)).collect::<Vec<_>>(),
        "most tokens": explored.most_tokens().iter().map(|(name, most)| (name.to_string(), *most)).collect::<Vec<_>>(),
        "runs": runs,
    })
}

/// Where the process is told what to explore.
const KIND: &str = "KINFOLD_TEST_KIND";
const KEPT: &str = "KINFOLD_TEST_KEPT";
/// What comes before what it found.
const FOUND: &str = "found: ";

/// Starts this test as another process, which explores the system and keeps it there.
pub fn command(kind: &str, kept: &Path) -> Command {
    let mut command = Command::new(env::current_exe().expect("this test has a file"));
    command.args(["--exact", "system::explored_by_another_process", "--ignored", "--nocapture"]);
    command.env(KIND, kind).env(KEPT, kept);
    command
}

/// What it has printed.
pub fn printed(stdout: &str) -> Value {
    let line = stdout.lines().find_map(|line| line.split_once(FOUND));
    let (_, json) = line.unwrap_or_else(|| panic!("it found nothing: {stdout}"));
    serde_json::from_str(json).expect("it prints JSON")
}

#[test]
#[ignore = "other tests start it"]
fn explored_by_another_process() {
    let (Ok(kind), Some(kept)) = (env::var(KIND), env::var_os(KEPT)) else { return };
    println!("{FOUND}{}", found(&kind, Some(Path::new(&kept))));
}

#[test]
fn another_key_is_refused() {
    let directory = crate::directory();
    let explorer = || Explorer::new(&OFFICE).max_states(20);
    let every = Duration::from_secs(60);
    explorer().checkpoint(directory.path(), "one", every).run().expect("it is new");
    let error = explorer().checkpoint(directory.path(), "two", every).run().err();
    let text = error.expect("it is another key").to_string();
    assert_eq!(text, "the checkpoint is of another run:\n  system was one, and is now two");
    let error = explorer().full().checkpoint(directory.path(), "one", every).run().err();
    let text = error.expect("it is folded").to_string();
    assert!(text.contains("whether states are folded was true, and is now false"), "{text}");
    let all = Explorer::new(&OFFICE).checkpoint(directory.path(), "one", every).run();
    let all = all.expect("it goes on");
    assert_eq!(all.trouble(), None);
    let expected = Explorer::new(&OFFICE).run().expect("it keeps the rules");
    assert_eq!(all.exploration().states(), expected.exploration().states());
    assert_eq!(all.most_tokens(), expected.most_tokens());
}
