//! The real Go: random programs compiled into one command, and run by it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::random_program::Program;

/// Whether there is a Go to compare with. If not, that is said in one line.
pub fn is_there(test: &str) -> bool {
    let there = Command::new("go").arg("version").output().is_ok_and(|out| out.status.success());
    if !there {
        eprintln!("{test}: left out, since there is no `go` to compare with");
    }
    there
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nobody can go on: what was logged, and the lines at which goroutines are blocked, in order.
    Quiet { log: Vec<i64>, blocked: Vec<usize> },
    /// By a panic, or an error that ends the program.
    Panic(String),
}

impl Outcome {
    /// What the harness says in a line.
    fn read(line: &str) -> Option<Outcome> {
        if let Some(text) = line.strip_prefix("panic ") {
            let text = text.rsplit_once(" |").map_or(text, |(text, _)| text);
            return Some(Outcome::Panic(kind(text)));
        }
        let (log, blocked) = line.strip_prefix("ok ")?.split_once('|')?;
        let log = log.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let blocked = blocked.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Outcome::Quiet { log, blocked })
    }
}

/// What a panic is about, in Go's words, without what differs from case to case.
pub fn kind(text: &str) -> String {
    const KINDS: [&str; 9] = [
        "send on closed channel",
        "close of closed channel",
        "close of nil channel",
        "negative WaitGroup counter",
        "index out of range",
        "nil map",
        "nil pointer dereference",
        "unlock of unlocked",
        "WaitGroup is reused",
    ];
    // Kinfold names the statement, Go what it says.
    if let Some((_, said)) = text.split_once("panic(\"") {
        return said.split('"').next().unwrap_or_default().to_owned();
    }
    let lower = text.to_lowercase();
    let known = KINDS.iter().find(|one| lower.contains(&one.to_lowercase()));
    known.map_or_else(|| text.trim().to_owned(), |one| (*one).to_owned())
}

/// Programs, compiled into one command.
pub struct Batch {
    folder: TempDir,
}

impl Batch {
    /// Compiles programs together with the harness.
    pub fn build(programs: &[Program]) -> Batch {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
            fs::write(path, text).expect("the file can be written");
        };
        let sync = "require golang.org/x/sync v0.0.0\n\nreplace golang.org/x/sync => ./x/sync\n";
        write("go.mod", &format!("module harness\n\ngo 1.19\n\n{sync}"));
        write("x/sync/go.mod", "module golang.org/x/sync\n\ngo 1.19\n");
        write("x/sync/errgroup/errgroup.go", include_str!("../known/sync/errgroup.go"));
        write("x/sync/semaphore/semaphore.go", include_str!("../known/sync/semaphore.go"));
        write("harness.go", include_str!("harness.go"));
        write("baton.go", include_str!("baton.go"));
        let mut table = String::from("package main\n\nvar programs = []program{\n");
        for (number, program) in programs.iter().enumerate() {
            write(&format!("p{number}.go"), &program.runner);
            table += &format!(
                "\t{{reset{number}, run{number}, func() []int {{ return drained(log{number}) }}, {}}},\n",
                program.has_timers
            );
        }
        write("table.go", &(table + "}\n"));
        let mut go = Command::new("go");
        go.args(["build", "-o", "harness", "."]).current_dir(folder.path());
        let out = go.env("GOFLAGS", "-mod=mod").output().expect("go can be run");
        assert!(
            out.status.success(),
            "the programs do not compile:\n{}",
            String::from_utf8_lossy(&out.stderr)
        );
        Batch { folder }
    }

    fn command(&self, arguments: &[String]) -> Command {
        let path: PathBuf = self.folder.path().join("harness");
        let mut command = Command::new(path);
        command.args(arguments).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[String], input: &str) -> Output {
        let mut child = self.command(arguments).spawn().expect("the command can be run");
        let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
        child.wait_with_output().expect("it ends")
    }

    /// The outcomes of so many runs of a program with random pauses, and how often each was seen.
    pub fn outcomes(&self, number: usize, runs: usize) -> BTreeMap<Outcome, usize> {
        let mut seen = BTreeMap::new();
        let mut done = 0;
        while done < runs {
            let arguments = ["run".to_owned(), number.to_string()];
            let rest = [(done + 1).to_string(), (runs - done).to_string()];
            let out = self.run(&[arguments, rest].concat(), "");
            let text = String::from_utf8_lossy(&out.stdout);
            for line in text.lines() {
                let outcome = Outcome::read(line);
                let outcome = outcome.unwrap_or_else(|| panic!("program {number}: {line}"));
                *seen.entry(outcome).or_default() += 1;
                done += 1;
            }
            if !out.status.success() {
                let text = String::from_utf8_lossy(&out.stderr);
                let fatal = text.lines().find_map(|line| line.strip_prefix("fatal error: "));
                let fatal = fatal.unwrap_or_else(|| panic!("program {number}: {text}"));
                *seen.entry(Outcome::Panic(kind(fatal))).or_default() += 1;
                done += 1;
            }
        }
        seen
    }

    /// The outcome of a run in a given order: each line names those who act together, each with its line.
    pub fn forced(&self, number: usize, order: &str) -> Result<Outcome, String> {
        let out = self.run(&["force".to_owned(), number.to_string()], order);
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        if !out.status.success() {
            let errors = String::from_utf8_lossy(&out.stderr);
            let fatal = errors.lines().find_map(|line| line.strip_prefix("fatal error: "));
            return fatal.map(|fatal| Outcome::Panic(kind(fatal))).ok_or(text);
        }
        Outcome::read(text.trim_end()).ok_or(text)
    }
}
