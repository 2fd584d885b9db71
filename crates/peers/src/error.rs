//! Why a run on several machines does not begin, or ends.

use std::net::IpAddr;
use std::time::Duration;
use std::{fmt, io};

use thiserror::Error;

use crate::Difference;

/// Why a run does not begin.
#[derive(Debug, Error)]
pub enum PeerError {
    /// A line of the host file is wrong.
    #[error("line {line} of the host file: {why}")]
    Hosts {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The host file is empty.
    #[error(
        "the host file has no `host:port`; it has a line for each process, the first for process 0"
    )]
    NoHosts,
    /// There is no process with this number.
    #[error("there is no process {index}: the host file has {count}, which are numbered from 0")]
    NoProcess {
        /// The number.
        index: usize,
        /// The number of processes.
        count: usize,
    },
    /// A key file cannot be read or written.
    #[error("cannot use the key file {file}: {error}")]
    KeyFile {
        /// The file.
        file: String,
        /// Why not.
        error: io::Error,
    },
    /// A key file may be read by others.
    #[error("others may use the key in {file} (its mode is {mode:o}): `chmod 600 {file}`")]
    KeyIsOpen {
        /// The file.
        file: String,
        /// Its mode.
        mode: u32,
    },
    /// These bytes are no key.
    #[error(
        "a key is 32 bytes or 64 hexadecimal digits, and not these {bytes} bytes; `kinfold cluster key FILE` \
         makes one"
    )]
    NoKey {
        /// How many bytes there were.
        bytes: usize,
    },
    /// The system has no randomness.
    #[error("the system gives no random bytes: {0}")]
    Randomness(String),
    /// Nobody could call this process.
    #[error("process {process} cannot listen on {host}: {error}{}", .error.hint())]
    Listen {
        /// This process.
        process: usize,
        /// Where it should listen.
        host: String,
        /// Why it cannot.
        error: ListenError,
    },
    /// A thread could not be started, or the like.
    #[error("the system failed: {0}")]
    System(#[from] io::Error),
    /// Another process holds the key, but has been started differently.
    #[error("process {process} ({host}) has been started differently:{}", lines(.differences))]
    Differs {
        /// The other one.
        process: usize,
        /// Where it is, as far as is known.
        host: String,
        /// In what it differs.
        differences: Vec<Difference>,
    },
    /// Another process does not take this one.
    #[error("process {process} ({host}) refuses this one: {reason}")]
    Refused {
        /// The other one.
        process: usize,
        /// Where it is.
        host: String,
        /// Why.
        reason: String,
    },
    /// Not all have come.
    #[error("after {} s {}{}", .waited.as_secs_f64(), those(.missing), others(.turned_away))]
    Missing {
        /// Who has not.
        missing: Vec<Missing>,
        /// How long they were waited for.
        waited: Duration,
        /// One who called from an address that is in no line of the host file: a machine may have several.
        turned_away: Option<IpAddr>,
    },
    /// Another process was lost before all had come.
    #[error(transparent)]
    Lost(#[from] Loss),
}

/// Why a process cannot listen.
#[derive(Debug)]
pub struct ListenError(pub(crate) io::Error);

impl ListenError {
    /// Whether the address is taken by another process.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        self.0.kind() == io::ErrorKind::AddrInUse
    }

    fn hint(&self) -> &'static str {
        match self.0.kind() {
            io::ErrorKind::AddrInUse => "; does it run already, or something else on this port?",
            io::ErrorKind::AddrNotAvailable => {
                "; this is not an address of this machine: is --process the right one?"
            }
            _ => "",
        }
    }
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A process that has not come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// Its number.
    pub process: usize,
    /// Where it should be.
    pub host: String,
    /// What happened last when it was called, or when someone called in its name.
    pub seen: Option<String>,
}

/// A process was lost, and with it the run.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("process {process} ({host}) {reason}")]
pub struct Loss {
    /// The process because of which the run ends, on whomever it was noticed.
    pub process: usize,
    /// Where it is.
    pub host: String,
    /// How it was lost.
    pub how: How,
    /// What happened, as a sentence without its subject.
    pub reason: String,
}

/// How a process was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Its connection ended without a goodbye.
    Died,
    /// Nothing was heard of it for [`silence`](crate::Deadlines::silence).
    Silent,
    /// It never came.
    Missing,
    /// It was started differently.
    Differs,
    /// It has ended the run itself, with this status.
    Ended(u8),
}

fn lines(differences: &[Difference]) -> String {
    differences.iter().map(|difference| format!("\n  {difference}")).collect()
}

fn those(missing: &[Missing]) -> String {
    let one = |missing: &Missing| {
        let seen = missing.seen.iter().map(|seen| format!(", {seen}")).collect::<String>();
        format!("process {} ({}) has not come{seen}", missing.process, missing.host)
    };
    missing.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn others(turned_away: &Option<IpAddr>) -> String {
    let one = turned_away.map(|address| {
        format!(
            "; there was a call from {address}, which is no host of the file, and was not answered"
        )
    });
    one.unwrap_or_default()
}
