//! Programs of one's own that explore as several processes.
//!
//! A program that explores a [`System`](crate::fold::System) is started on each machine, as process 0, 1 and so on. Each
//! [joins](join) the others, and then all of them call the same functions for the same system:
//!
//! ```no_run
//! # use kinfold::fold::{Step, System};
//! # use kinfold::state::State;
//! # struct Office;
//! # impl System for Office {
//! #     fn initial(&self) -> Vec<State> { vec![State::new()] }
//! #     fn successors(&self, _: &State) -> Vec<Step> { Vec::new() }
//! # }
//! use kinfold::Explorer;
//! use kinfold::team::join;
//!
//! static OFFICE: Office = Office;
//!
//! // `office hosts 1 run.key` on the second machine of the file.
//! let words: Vec<String> = std::env::args().collect();
//! let joined = join(words[1].as_ref(), words[2].parse()?, words[3].as_ref(), 4, "office, version 1")?;
//! let mut found = Explorer::new(&OFFICE).run_by(joined.team())?;
//! let run = found.run_to_deadlock()?;
//! joined.finish()?;
//! if joined.process() == 0 {
//!     println!("{} states", found.tally().states);
//!     println!("{}", run.map_or("no deadlock".to_owned(), |run| run.to_string()));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`on_loopback`] has threads in place of processes, for tests:
//!
//! ```
//! use kinfold::fold::{Step, System};
//! use kinfold::state::State;
//! use kinfold::team::{Team, on_loopback};
//! use kinfold::Explorer;
//!
//! /// Two switches.
//! struct Switches;
//!
//! impl System for Switches {
//!     fn initial(&self) -> Vec<State> {
//!         let mut state = State::new();
//!         assert!(state.put(&"off".into(), vec![], 2));
//!         vec![state]
//!     }
//!
//!     fn successors(&self, state: &State) -> Vec<Step> {
//!         let mut after = state.clone();
//!         let is_on = after.take("off", &[], 1) && after.put(&"on".into(), vec![], 1);
//!         is_on.then(|| Step::of_nobody("switch on", after)).into_iter().collect()
//!     }
//! }
//!
//! static SWITCHES: Switches = Switches;
//!
//! let runs = on_loopback(3, 1, |network| {
//!     let team = Team { network, watch: None };
//!     let mut found = Explorer::new(&SWITCHES).run_by(&team)?;
//!     assert_eq!((found.tally().states, found.tally().deadlocks), (3, 1));
//!     found.run_to_first(|state| state.tokens("on").any(|(_, count)| count == 2))
//! })?;
//! for run in runs {
//!     assert_eq!(run?.expect("both can be on").steps.len(), 2);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use cluster::Cluster;
pub use cluster::{Network, on_loopback};
use peers::{Connected, Control, Deadlines, Facts, Hosts, Key, Loss, Member, PeerError, connect};
pub use survey::{SharedSystem, Team};

/// Why a process does not take part in a run.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The host file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Threads cannot be started.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The others cannot be met.
    #[error(transparent)]
    Peers(#[from] PeerError),
}

/// A process that takes part in a run.
pub struct Joined {
    team: Team,
    control: Arc<Control>,
}

/// Meets the other processes of a run, as `docs/cluster.md` says for the command: `hosts` is the file of all addresses,
/// `process` the number of this one, and `key` the file of the run's key, which `kinfold cluster key` makes. Each process
/// has as many workers. `what` says what is explored: all say the same, or the run does not begin.
///
/// If another process is lost later, what waits for it ends with an error that names it.
///
/// # Errors
///
/// If files cannot be read, or others do not come, or say something else.
pub fn join(
    hosts: &Path,
    process: usize,
    key: &Path,
    threads: usize,
    what: &str,
) -> Result<Joined, JoinError> {
    let unreadable = |error| JoinError::Unreadable { path: hosts.to_owned(), error };
    let hosts = Hosts::read(&fs::read_to_string(hosts).map_err(unreadable)?)?;
    let key = Key::open(key)?;
    let facts = Facts::from([
        ("what is explored".to_owned(), what.to_owned()),
        ("kinfold".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
    ]);
    let member = Member { hosts, index: process, threads };
    let Connected { data, control } = connect(&member, &key, &facts, &Deadlines::default())?;
    let network = Arc::new(Cluster::connected(process, threads, data)?);
    // It ends with the process: waiting for one that is lost would never end.
    std::mem::forget(network.clone());
    let (control, lost) = (Arc::new(control), network.clone());
    control.watch(move |loss: &Loss| lost.give_up(loss.to_string()));
    Ok(Joined { team: Team { network, watch: None }, control })
}

impl Joined {
    /// The processes, for whoever explores.
    #[must_use]
    pub fn team(&self) -> &Team {
        &self.team
    }

    /// The number of this process.
    #[must_use]
    pub fn process(&self) -> usize {
        self.team.network.process()
    }

    /// Ends the run in good order, when all is explored and asked for.
    ///
    /// # Errors
    ///
    /// If another process was lost before it did.
    pub fn finish(&self) -> Result<(), Loss> {
        self.control.finish()
    }
}
