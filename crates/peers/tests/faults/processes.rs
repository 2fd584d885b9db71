//! Processes that are killed and stopped.
//!
//! The members are processes of this test's own program, which run `member` and nothing else. Each says on its standard
//! output on which port it listens, is told on its standard input where all others are, and says what becomes of it. Lines
//! of a member begin with `@`, since the test's own are among them.

use std::env;
use std::io::{BufRead, BufReader, Write, stdin};
use std::net::TcpListener;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio, exit};
use std::sync::Arc;
use std::time::Duration;

use peers::{Connected, Facts, Hosts, Key, Member, connect_on};

use super::members::DEADLINES;

/// In what a member finds its number.
const INDEX: &str = "KINFOLD_PEERS_TEST_MEMBER";

/// A process of the run, as the test sees it.
struct Process {
    child: Child,
    says: BufReader<ChildStdout>,
    hears: ChildStdin,
}

impl Process {
    fn start(index: usize) -> Process {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "processes::member", "--ignored", "--nocapture"])
            .env(INDEX, index.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (says, hears) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        Process { child, says: BufReader::new(says), hears }
    }

    /// The next line that is said, if there is another.
    fn says(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.says.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            // What the test harness writes may stand before it.
            if let Some(at) = line.find('@') {
                return Some(line[at + 1..].trim_end().to_owned());
            }
        }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.hears, "{line}").unwrap();
    }

    fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Three processes that are connected, and where they are.
fn three() -> (Vec<Process>, Vec<String>) {
    let mut all: Vec<Process> = (0..3).map(Process::start).collect();
    let hosts: Vec<String> = all.iter_mut().map(|one| one.says().unwrap()).collect();
    for one in &mut all {
        one.tell(&hosts.join(" "));
    }
    for one in &mut all {
        assert_eq!(one.says().unwrap(), "connected");
    }
    (all, hosts)
}

/// What a member does.
#[test]
#[ignore = "started by other tests"]
#[allow(clippy::print_stdout, reason = "the test reads it")]
fn member() {
    let Some(index) = env::var(INDEX).ok().and_then(|index| index.parse().ok()) else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("@{}", listener.local_addr().unwrap());
    let line = || stdin().lock().lines().next().unwrap().unwrap();
    let hosts = Hosts::read(&line().replace(' ', "\n")).unwrap();
    let member = Member { hosts, index, threads: 1 };
    let key = Key::read(&[7; 32]).unwrap();
    let connected = connect_on(listener, &member, &key, &Facts::new(), &DEADLINES);
    let Connected { control, .. } = connected.unwrap();
    let control = Arc::new(control);
    println!("@connected");
    control.watch(|loss| {
        println!("@{loss}");
        exit(3);
    });
    let told = control.clone();
    std::panic::set_hook(Box::new(move |info| {
        let why = info.payload_as_str().unwrap_or_default();
        told.abort(70, &format!("has failed: {why}"));
        println!("@panicked");
        exit(70);
    }));
    match line().as_str() {
        "finish" => control.finish().unwrap(),
        // As a worker that computes would.
        "panic" => drop(std::thread::spawn(|| panic!("out of range")).join()),
        other => panic!("{other}"),
    }
    println!("@done");
}

/// How a process ends: what it says, and its status.
fn ends(process: &mut Process) -> (Vec<String>, Option<i32>) {
    let said = std::iter::from_fn(|| process.says()).collect();
    (said, process.child.wait().unwrap().code())
}

#[cfg(unix)]
#[test]
fn a_process_that_is_killed_ends_the_others_with_its_name() {
    for lost in 0..3 {
        let (mut all, hosts) = three();
        all[lost].signal("KILL");
        for (at, one) in all.iter_mut().enumerate().filter(|(at, _)| *at != lost) {
            let reason = "has died: its connection ended without a goodbye";
            let message = format!("process {lost} ({}) {reason}", hosts[lost]);
            assert_eq!(ends(one), (vec![message], Some(3)), "process {at}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_process_that_is_stopped_is_given_up_after_the_stated_time() {
    let (mut all, hosts) = three();
    all[1].signal("STOP");
    for at in [0, 2] {
        let reason = "has not been heard of for 5 s: it is stopped, or cannot be reached";
        let message = format!("process 1 ({}) {reason}", hosts[1]);
        assert_eq!(ends(&mut all[at]), (vec![message], Some(3)), "process {at}");
    }
    // It learns of it when it goes on.
    all[1].signal("CONT");
    let (said, status) = ends(&mut all[1]);
    assert_eq!((said.len(), status), (1, Some(3)), "{said:?}");
}

#[cfg(unix)]
#[test]
fn processes_that_are_all_stopped_and_go_on_lose_nobody() {
    let (mut all, _) = three();
    all.iter().for_each(|one| one.signal("STOP"));
    // Longer than the stated time.
    std::thread::sleep(DEADLINES.silence + Duration::from_secs(1));
    all.iter().for_each(|one| one.signal("CONT"));
    all.iter_mut().for_each(|one| one.tell("finish"));
    for one in &mut all {
        assert_eq!(ends(one), (vec!["done".to_owned()], Some(0)));
    }
}

#[test]
fn a_panic_in_a_worker_ends_all_with_its_reason() {
    let (mut all, hosts) = three();
    all[2].tell("panic");
    assert_eq!(ends(&mut all[2]), (vec!["panicked".to_owned()], Some(70)));
    for at in [0, 1] {
        let message = format!("process 2 ({}) has failed: out of range", hosts[2]);
        assert_eq!(ends(&mut all[at]), (vec![message], Some(3)), "process {at}");
    }
}

#[test]
fn processes_that_are_done_end_in_good_order() {
    let (mut all, _) = three();
    all.iter_mut().for_each(|one| one.tell("finish"));
    for one in &mut all {
        assert_eq!(ends(one), (vec!["done".to_owned()], Some(0)));
    }
}
