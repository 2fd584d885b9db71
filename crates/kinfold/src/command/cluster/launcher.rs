//! `kinfold cluster run`: several processes on this machine.
//!
//! Each child is told on its standard input where the others are, with the key of the run, which is in no file, no argument
//! and no variable; the pipe stays open as long as the launcher lives. Process 0 writes to the launcher's output
//! itself. What others have to say, which is only what went wrong, is printed with their numbers.
//!
//! Children are in process groups of their own, so that Ctrl-C does not reach them twice: it reaches the launcher, which
//! tells them.

mod children;

use std::ffi::OsString;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use budget::available_memory;
use clap::Parser;
use peers::Key;

use super::failure;
use super::launched::INTERRUPT;
use crate::command::cli::{self, Cli, ClusterRunArgs};
use crate::command::{Exit, Failure};
use children::Children;

/// The status of a child whose port was taken by somebody else in the meantime.
pub(super) const PORT_TAKEN: i32 = 75;

/// How often other ports are tried.
const ATTEMPTS: usize = 10;

/// The time between two looks at the children.
const TIME_PER_LOOK: Duration = Duration::from_millis(10);

/// How long children have to end after one of them has failed. They end by themselves, unless they are stopped.
const GRACE: Duration = Duration::from_secs(2);

/// How often the run was interrupted.
static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

/// `kinfold cluster run`.
pub fn run(args: &ClusterRunArgs) -> Result<Exit, Failure> {
    let words = words(args)?;
    ctrlc::set_handler(|| {
        INTERRUPTS.fetch_add(1, Ordering::SeqCst);
    })
    .map_err(|error| Failure::system(format!("cannot listen to Ctrl-C: {error}")))?;
    for _ in 0..ATTEMPTS {
        let ended = ended(&mut started(args.processes.into(), &words)?);
        if !ended.iter().any(|status| status.code() == Some(PORT_TAKEN)) {
            return Ok(exit(&ended));
        }
    }
    Err(Failure::system("there are no free ports on 127.0.0.1; try again"))
}

/// The words of the command that all children are started with.
fn words(args: &ClusterRunArgs) -> Result<Vec<OsString>, Failure> {
    let given = || ["kinfold".into()].into_iter().chain(args.command.iter().cloned());
    // What is wrong is told once, by the launcher.
    let parsed = Cli::try_parse_from(given()).unwrap_or_else(|error| error.exit());
    let (cluster, limits) = match &parsed.command {
        cli::Command::Explore(args) => (&args.cluster, &args.exploration.limits),
        cli::Command::Check(args) => (&args.cluster, &args.exploration.limits),
        cli::Command::Resume(args) => (&args.cluster, &args.limits),
        _ => {
            let why = "`cluster run` is for `explore`, `check` and `resume`";
            return Err(Failure::usage(why));
        }
    };
    if cluster.is_given() {
        let why = "leave out --hosts: `cluster run` starts all processes, on this machine";
        return Err(Failure::usage(why));
    }
    if args.command.iter().any(|word| word == "-") {
        let why = "several processes cannot read a model from standard input; give a file";
        return Err(Failure::usage(why));
    }
    let count = usize::from(args.processes);
    let mut added: Vec<OsString> = Vec::new();
    let mut add = |name: &str, value: String| added.extend([name.into(), value.into()]);
    match (args.threads, limits.has_threads()) {
        (Some(_), true) => return Err(Failure::usage("--threads is given twice")),
        (Some(threads), false) => add("--threads", threads.to_string()),
        (None, true) => {}
        (None, false) => add("--threads", (limits.threads() / count).max(1).to_string()),
    }
    if let (None, Some(bytes)) = (limits.memory, available_memory()) {
        add("--memory", (bytes / 5 * 4 / count as u64).to_string());
    }
    // Options stand behind the name of the subcommand, since at the end they might stand behind `--`.
    let (name, rest) = args.command.split_first().expect("clap asks for a command");
    Ok([name.clone()].into_iter().chain(added).chain(rest.iter().cloned()).collect())
}

/// Starts all processes.
fn started(count: usize, words: &[OsString]) -> Result<Children, Failure> {
    let system = |what: &str, error: io::Error| Failure::system(format!("cannot {what}: {error}"));
    let ports = free_ports(count).map_err(|error| system("listen on 127.0.0.1", error))?;
    let hosts: String = ports.iter().map(|port| format!("{port}\n")).collect();
    let key = Key::generate().map_err(|error| failure(&error))?;
    let program =
        std::env::current_exe().map_err(|error| system("find the program itself", error))?;
    let mut children = Children::default();
    for index in 0..count {
        let mut command = Command::new(&program);
        let (name, rest) = words.split_first().expect("there is a subcommand");
        command.arg(name).args(["--launched", &index.to_string()]).args(rest);
        let first_words = format!("{}\n{hosts}\n", key.digits());
        let begun = children.start(command, &first_words);
        begun.map_err(|error| system(&format!("start process {index}"), error))?;
    }
    Ok(children)
}

/// Ports that are free now.
fn free_ports(count: usize) -> io::Result<Vec<SocketAddr>> {
    // All at once, so that they differ.
    let listeners = (0..count).map(|_| TcpListener::bind("127.0.0.1:0"));
    let listeners = listeners.collect::<io::Result<Vec<_>>>()?;
    listeners.iter().map(TcpListener::local_addr).collect()
}

/// Waits until all processes have ended.
fn ended(children: &mut Children) -> Vec<ExitStatus> {
    let (mut interrupts, mut first_failure) = (0, None);
    while !children.have_ended() {
        let now = INTERRUPTS.load(Ordering::SeqCst);
        match now.saturating_sub(interrupts) {
            0 => {}
            _ if now > 1 => children.kill(),
            _ => children.tell(INTERRUPT),
        }
        interrupts = now;
        if children.has_one_failed() {
            let since: &mut Instant = first_failure.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                children.kill();
            }
        }
        thread::sleep(TIME_PER_LOOK);
    }
    children.statuses()
}

/// The status of the run: that of process 0, unless another one has failed and it has not noticed.
fn exit(ended: &[ExitStatus]) -> Exit {
    let mut all = ended.iter().zip(0..).map(|(status, index)| match status.code() {
        Some(code) => {
            u8::try_from(code).ok().and_then(Exit::of_status).unwrap_or(Exit::SystemFailed)
        }
        None => {
            Failure::system(format!("process {index} was ended: {status}")).print();
            Exit::SystemFailed
        }
    });
    let first = all.next().unwrap_or(Exit::SystemFailed);
    let others = Exit::most_severe(all);
    if first == Exit::Done { others } else { first }
}
