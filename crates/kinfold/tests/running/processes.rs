//! Processes that are started one by one, as on several machines, and what they say.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;

use tempfile::TempDir;

use crate::running::project;

/// What is explored where the run is not to come to its end before the test does.
pub const LONG: &str = "explore models/server.kin --set k=4 --set m=5 --time 100 --memory 1G";

/// What is said when all have come.
pub const ALL_HAVE_COME: &str = "note: all 3 processes have come";

/// A run of some processes that is to be.
pub struct Planned {
    directory: TempDir,
    pub hosts: Vec<String>,
}

/// A process of it.
pub struct Process {
    pub child: Child,
    says: BufReader<ChildStderr>,
}

/// How a process has ended.
#[derive(Debug)]
pub struct Ended {
    pub status: Option<i32>,
    pub stdout: String,
    /// What it has said that was not read before.
    pub stderr: String,
}

impl Planned {
    /// A run of three processes.
    pub fn new() -> Planned {
        Planned::of(3)
    }

    pub fn of(processes: usize) -> Planned {
        let hosts = (0..processes).map(|_| format!("127.0.0.1:{}", free_port())).collect();
        let planned = Planned { directory: TempDir::new().unwrap(), hosts };
        planned.write_hosts("hosts", &(0..processes).collect::<Vec<_>>());
        let key = Command::new(env!("CARGO_BIN_EXE_kinfold"))
            .args(["cluster", "key"])
            .arg(planned.path("key"))
            .status();
        assert!(key.unwrap().success());
        planned
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a host file with these processes.
    pub fn write_hosts(&self, name: &str, order: &[usize]) {
        let lines = order.iter().map(|&index| format!("{}\n", self.hosts[index]));
        fs::write(self.path(name), lines.collect::<String>()).unwrap();
    }

    /// Starts a process as it should be.
    pub fn start(&self, index: usize, words: &str) -> Process {
        self.start_with(index, words, "hosts")
    }

    /// Starts all processes, as `kinfold cluster run` does: the test acts as their launcher.
    pub fn launch(&self, words: &[&str]) -> Vec<Process> {
        let key = fs::read_to_string(self.path("key")).unwrap();
        let start = |index: usize| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
            command.args(words).args(["--launched", &index.to_string()]);
            let mut process = Process::spawn(command.stdin(Stdio::piped()));
            process.tell(&format!("{}\n{}\n", key.trim(), self.hosts.join("\n")));
            process
        };
        (0..self.hosts.len()).map(start).collect()
    }

    /// Starts a process with another host file.
    pub fn start_with(&self, index: usize, words: &str, hosts: &str) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kinfold"));
        command.args(words.split(' ')).args(["--process", &index.to_string()]);
        command.arg("--hosts").arg(self.path(hosts));
        if !words.contains("--key") {
            command.arg("--key").arg(self.path("key"));
        }
        if !words.contains("--threads") {
            command.args(["--threads", "1"]);
        }
        Process::spawn(command.stdin(Stdio::null()))
    }
}

/// A port that no other test of this program gets. Systems give ports to those who ask for any from 32768 on, so it is not
/// taken by one of them until a process listens there.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = 16_000 + (std::process::id() as u16 % 100) * 160 + number % 160;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

impl Process {
    pub fn spawn(command: &mut Command) -> Process {
        command.current_dir(project(".")).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let says = BufReader::new(child.stderr.take().unwrap());
        Process { child, says }
    }

    /// Waits until a line is said.
    pub fn says(&mut self, expected: &str) -> bool {
        let mut lines = self.says.by_ref().lines().map(Result::unwrap);
        lines.any(|line| line == expected)
    }

    /// Says a line to it.
    pub fn tell(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub fn ends(mut self) -> Ended {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        let mut prints = self.child.stdout.take().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| prints.read_to_string(&mut stdout).unwrap());
            self.says.read_to_string(&mut stderr).unwrap();
        });
        Ended { status: self.child.wait().unwrap().code(), stdout, stderr }
    }
}

/// A test that fails leaves no process behind.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Three processes that have come together. The test acts as their launcher.
pub fn three(words: &str) -> (Vec<Process>, Vec<String>) {
    let planned = Planned::new();
    let words: Vec<&str> = words.split(' ').chain(["--threads", "1"]).collect();
    let mut all = planned.launch(&words);
    assert!(all[0].says(ALL_HAVE_COME));
    (all, planned.hosts)
}
