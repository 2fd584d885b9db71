//! Runs of several processes: taking part in one, being told that another process is lost, and `kinfold cluster`.
//!
//! A run ends with one message, whoever is the reason. If another process is lost, threads of timely may be waiting for
//! it for ever, or panic since their connection has ended; so the process is ended from the thread in which the loss was
//! noticed, and these panics are not told. A panic of Kinfold itself ends the run on all processes.

mod launched;
mod launcher;

use std::fs;
use std::io::{self, Read};
use std::panic::{self, PanicHookInfo};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once, OnceLock};
use std::thread;
use std::time::Duration;

use ::cluster::Cluster;
use ::explore::checkpoint::Facts;
use ::explore::distributed::Progress;
use budget::Budget;
use peers::{Connected, Control, Deadlines, Hosts, How, Key, Loss, Member, PeerError, connect};
use survey::Team;

use super::cli::{CheckpointArgs, ClusterArgs, ClusterKeyArgs, ExplorationArgs};
use super::{Exit, Failure, output, progress};

pub use launcher::run;

/// How timely's panics begin if a connection fails.
const CONNECTION_FAILED: &str = "timely communication error";

/// The other processes of the run that this one takes part in.
static CONTROL: OnceLock<Arc<Control>> = OnceLock::new();

/// Whether a connection for data has failed.
static IS_BROKEN: AtomicBool = AtomicBool::new(false);

/// What is said after another process was lost.
static LAST_NOTE: OnceLock<String> = OnceLock::new();

/// The least that `--silence` may be.
const SHORTEST_SILENCE: Duration = Duration::from_millis(500);

/// A process of a run, before it has met the others.
pub struct Joining {
    member: Member,
    key: Key,
    deadlines: Deadlines,
    is_launched: bool,
}

/// A process of a run that goes on.
pub struct Joined {
    member: Member,
    is_launched: bool,
    network: Arc<Cluster>,
    control: Arc<Control>,
}

/// Reads what makes this process one of several, if it is. All but process 0 are quiet from now on.
pub fn joining(args: &ClusterArgs, threads: usize) -> Result<Option<Joining>, Failure> {
    if args.silence.is_some_and(|silence| silence < SHORTEST_SILENCE) {
        return Err(Failure::usage(
            "--silence is at least 0.5 s: a busy machine may be silent for as long",
        ));
    }
    let usual = Deadlines::default();
    let deadlines = Deadlines { gather: args.gather.unwrap_or(usual.gather), ..usual }
        .with_silence(args.silence.unwrap_or(usual.silence));
    let (index, key, hosts) = match args {
        ClusterArgs { launched: Some(index), .. } => {
            let (key, hosts) = launched::told()?;
            (*index, key, hosts)
        }
        ClusterArgs { hosts: Some(hosts), process: Some(index), key: Some(key), .. } => {
            (*index, key_in(key)?, hosts_in(hosts)?)
        }
        ClusterArgs { gather: None, silence: None, .. } => return Ok(None),
        _ => return Err(Failure::usage("--gather and --silence are for runs with --hosts")),
    };
    let count = hosts.count();
    if index >= count {
        return Err(failure(&PeerError::NoProcess { index, count }));
    }
    if index > 0 {
        output::be_quiet();
    }
    panic::set_hook(Box::new(on_panic));
    let member = Member { hosts, index, threads };
    Ok(Some(Joining { member, key, deadlines, is_launched: args.launched.is_some() }))
}

impl Joining {
    /// Meets the others, which must agree on the facts, on whether the run is kept, and on when it ends.
    pub fn join(
        self,
        facts: &Facts,
        kept: &CheckpointArgs,
        exploration: &ExplorationArgs,
    ) -> Result<Joined, Failure> {
        let is_kept = kept.checkpoint.is_some();
        let most = exploration.max_states.map(|most| most.to_string());
        let mut facts = facts.clone();
        for (name, given) in
            [("--checkpoint", is_kept.then(|| "given".to_owned())), ("--max-states", most)]
        {
            facts.insert(name.to_owned(), given.unwrap_or_else(|| "not given".to_owned()));
        }
        let connected = connect(&self.member, &self.key, &facts, &self.deadlines);
        let Connected { data, control } = connected.map_err(|error| match &error {
            PeerError::Listen { error, .. } if self.is_launched && error.is_in_use() => {
                // The launcher chooses others.
                std::process::exit(launcher::PORT_TAKEN)
            }
            error => failure(error),
        })?;
        let control = Arc::new(control);
        control.watch(move |loss| end(loss));
        let _ = CONTROL.set(control.clone());
        // Whoever starts each by hand wants to know of each; of those that were started together one is enough.
        if !self.is_launched || self.member.index == 0 {
            let count = self.member.hosts.count();
            output::tell(format_args!("note: all {count} processes have come"));
        }
        let network = Cluster::connected(self.member.index, self.member.threads, data);
        let network = network.map_err(|error| {
            Failure::system(format!("cannot start the threads that explore: {error}"))
        })?;
        let network = Arc::new(network);
        // It ends with the process: by then all have said goodbye, or one of them is lost, and waiting for it would
        // never end.
        std::mem::forget(network.clone());
        Ok(Joined { member: self.member, is_launched: self.is_launched, network, control })
    }
}

impl Joined {
    /// Ends the run in good order. If another process is lost meanwhile, this one ends as at any time before.
    pub fn finish(&self) -> Result<(), Failure> {
        self.control.finish().map_err(|loss| end(&loss))
    }

    /// Which of the processes it is.
    pub fn index(&self) -> usize {
        self.member.index
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.member.hosts.count()
    }

    /// Whether they were started by `cluster run`.
    pub fn is_launched(&self) -> bool {
        self.is_launched
    }

    /// The processes, for whoever explores.
    pub fn team(&self, budget: &Budget) -> Team {
        let budget = budget.clone();
        let watch = move |progress: &Progress| progress::tell_of_team(&budget, progress);
        Team { network: self.network.clone(), watch: Some(Arc::new(watch)) }
    }
}

/// Why a run failed that could not go on together: another process is lost, which is told by the thread that notices it.
pub fn why(what: &str) -> Failure {
    let loss = CONTROL.get().and_then(|control| control.loss_within(control.silence() * 2));
    match loss {
        Some(loss) => end(&loss),
        None => Failure::system(what),
    }
}

/// Has something said after another process was lost.
pub fn say_at_a_loss(note: String) {
    let _ = LAST_NOTE.set(note);
}

/// Ends the run on all other processes, if there are any, since this one cannot go on.
pub fn leave(failure: &Failure) {
    if let Some(control) = CONTROL.get() {
        let reason = format!("has ended: {}", failure.message.trim_end());
        control.abort(failure.exit as u8, &reason);
    }
}

/// Ends the process since another one is lost, with one message, whoever notices it first.
fn end(loss: &Loss) -> ! {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let failure = Failure::new(status(loss.how), loss.to_string());
        failure.print();
        if let Some(note) = LAST_NOTE.get() {
            output::note(note);
        }
        std::process::exit(failure.exit as i32)
    });
    unreachable!("the process has ended")
}

/// What a panic comes to.
fn on_panic(info: &PanicHookInfo) {
    let text = info.payload_as_str().unwrap_or_default();
    match CONTROL.get() {
        // After the last goodbye connections end as they like.
        Some(control) if control.is_over() => return,
        Some(_) if text.starts_with(CONNECTION_FAILED) => return on_broken_connection(text),
        Some(control) if IS_BROKEN.load(Ordering::SeqCst) || control.has_lost() => return,
        _ => {}
    }
    progress::clear_line();
    crate::tell_panic(info);
    if let Some(control) = CONTROL.get() {
        control.abort(Exit::Internal as u8, &format!("has failed by a fault of Kinfold: {info}"));
    }
    std::process::exit(Exit::Internal as i32);
}

/// A connection has failed. The process that has caused it will be named soon; or else it is the connection.
fn on_broken_connection(why: &str) {
    if !IS_BROKEN.swap(true, Ordering::SeqCst) {
        let what = format!("a connection to another process has failed: {why}");
        thread::spawn(move || {
            let failure = self::why(&what);
            failure.print();
            leave(&failure);
            std::process::exit(failure.exit as i32);
        });
    }
}

/// Why a run does not begin.
fn failure(error: &PeerError) -> Failure {
    let exit = match error {
        PeerError::Lost(loss) => status(loss.how),
        PeerError::Hosts { .. }
        | PeerError::NoHosts
        | PeerError::NoProcess { .. }
        | PeerError::KeyIsOpen { .. }
        | PeerError::NoKey { .. }
        | PeerError::Differs { .. }
        | PeerError::Refused { .. } => Exit::Usage,
        PeerError::KeyFile { .. }
        | PeerError::Randomness(_)
        | PeerError::Listen { .. }
        | PeerError::System(_)
        | PeerError::Missing { .. } => Exit::SystemFailed,
    };
    Failure::new(exit, error.to_string())
}

/// The status with which a process ends since another one is lost.
fn status(how: How) -> Exit {
    match how {
        How::Differs => Exit::Usage,
        How::Ended(status) => Exit::of_status(status).unwrap_or(Exit::SystemFailed),
        How::Died | How::Silent | How::Missing => Exit::SystemFailed,
    }
}

fn hosts_in(path: &Path) -> Result<Hosts, Failure> {
    let unreadable = |error| Failure::system(format!("cannot read {}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(unreadable)?;
    Hosts::read(&text).map_err(|error| {
        let Failure { exit, message, .. } = failure(&error);
        Failure::new(exit, format!("{}: {message}", path.display()))
    })
}

fn key_in(path: &Path) -> Result<Key, Failure> {
    let key = match path.as_os_str() == "-" {
        false => Key::open(path),
        true => {
            let mut bytes = Vec::new();
            let read = io::stdin().lock().take(1 << 10).read_to_end(&mut bytes);
            read.map_err(|error| Failure::system(format!("cannot read the key: {error}")))?;
            Key::read(&bytes)
        }
    };
    key.map_err(|error| failure(&error))
}

/// `kinfold cluster key`.
pub fn make_key(args: &ClusterKeyArgs) -> Result<Exit, Failure> {
    let made = Key::generate().and_then(|key| key.save(&args.file));
    made.map_err(|error| failure(&error))?;
    Ok(Exit::Done)
}
