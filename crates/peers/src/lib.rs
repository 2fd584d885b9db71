//! Who takes part in a run on several machines.
//!
//! A run has a fixed number of *processes*, named in a [host file](Hosts) in the order of their numbers. Each is
//! started on its own machine, by hand or by a scheduler, and then
//! [`connect`]s: every pair of processes gets two connections, one for the data of whoever computes, and one for
//! [`Control`]. This crate knows nothing of what is computed.
//!
//! ```no_run
//! use peers::{Deadlines, Facts, Hosts, Key, Member, connect};
//!
//! let hosts = Hosts::read("10.0.0.1:2101\n10.0.0.2:2101\n")?;
//! let member = Member { hosts, index: 0, threads: 4 };
//! let key = Key::open("run.key".as_ref())?;
//! let facts = Facts::from([("the model".to_owned(), "1f0c".to_owned())]);
//! let connected = connect(&member, &key, &facts, &Deadlines::default())?;
//! connected.control.watch(|loss| eprintln!("{loss}"));
//! // Compute, with `connected.data`.
//! connected.control.finish()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is promised
//!
//! - Nobody takes part who does not prove that it holds the run's [`Key`], and nobody is told anything of the run before:
//!   see `handshake`. Only those who call from a host of the file are answered at all.
//! - Nobody takes part whose [`Facts`] differ. What differs is named on both sides.
//! - Strangers that say nothing, or too little, or nonsense, are dropped, and hold nobody up: see `gather`.
//! - Everything has a deadline: see [`Deadlines`]. A process that dies is noticed at once, one that stops or cannot be
//!   reached within [`Deadlines::silence`], one that never comes after [`Deadlines::gather`]. All others learn which it
//!   was: see `control`.
//!
//! What travels is not encrypted, and what travels for the one who computes is not authenticated once the connection
//! stands. Whoever can change what is on the wire can change results; `docs/cluster.md` says how to run inside ssh or
//! a private network.

mod control;
mod deadlines;
mod error;
mod facts;
mod frame;
mod gather;
mod handshake;
mod hosts;
mod key;
mod message;
mod run;
mod timed;

pub use control::Control;
pub use deadlines::Deadlines;
pub use error::{How, ListenError, Loss, Missing, PeerError};
pub use facts::{Difference, Facts};
pub use gather::{Connected, Member, connect, connect_on};
pub use hosts::Hosts;
pub use key::Key;
