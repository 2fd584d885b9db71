//! Reachability over canonical byte strings: store, search, quotient graph.
//!
//! The explorer knows no states. It is given byte strings and a function from a string to its
//! successors ([`Space`]); two states are the same exactly when their strings are equal. The
//! space that writes the strings decides what equality means: `fold` writes canonical forms, so that
//! what is explored is the quotient of a state space by an equivalence.
//!
//! ```
//! use explore::{Control, Options, Space, Standing, Successors, explore};
//!
//! /// Counts from 0 to 9 in steps of one or two.
//! struct Count;
//!
//! impl Space for Count {
//!     type Fault = std::convert::Infallible;
//!     fn initial(&mut self, successors: &mut Successors) -> Result<(), Self::Fault> {
//!         successors.push(0, 1, &[0]);
//!         Ok(())
//!     }
//!     fn expand(&mut self, state: &[u8], successors: &mut Successors) -> Result<Standing, Self::Fault> {
//!         for step in 1..=2 {
//!             if state[0] + step < 10 {
//!                 successors.push(u32::from(step), 1, &[state[0] + step]);
//!             }
//!         }
//!         Ok(Standing::Alive)
//!     }
//! }
//!
//! let result = explore(&mut Count, &Options::default(), &mut |_| Control::Continue).unwrap();
//! assert!(result.complete);
//! assert_eq!((result.states(), result.edges, result.deadlocks.len()), (10, 17, 1));
//! let nine = result.store.find(&[9]).unwrap();
//! assert_eq!(result.path_to(nine).len(), 5);
//! ```
//!
//! # What is where
//!
//! - [`Space`], [`Successors`]: the system as the explorer sees it, and the buffer it writes to.
//! - [`Store`]: the visited set. Whole strings are compared: a colliding hash costs time, never a
//!   wrong merge.
//! - [`explore()`]: breadth-first search under [`Options`], giving an [`Exploration`].
//! - [`Quotient`]: the edges, when they are kept.
//! - [`checkpoint`]: explorations that are kept on disk, and go on after the process is gone.
//! - [`distributed`]: search by several processes.
//!
//! # Cost
//!
//! Per state, beside the string itself: 9.2 to 11.4 bytes of table, 4 to 5 of offset, 1 of length
//! (more from 128 bytes on), 8 to 10 of breadth-first tree; with edges kept 8 to 10 per state and
//! 8 to 10 per edge. There is no queue: identifiers are dense and given in the order of discovery,
//! which in a breadth-first search is the order of expansion, so the queue is a cursor. The loop
//! allocates only where one of these arrays grows.
//!
//! # Disk
//!
//! With [`Options::spill`] a search that has used up half of its memory goes on on disk. Then 7 to 14 bytes of memory
//! remain for each state, and what is found is the same.
//!
//! # Threads
//!
//! [`explore_on`] searches on several threads, each with a [`Space`] of its own, and finds what
//! [`explore()`] finds, under the same numbers if the spaces give successors in an order that depends on
//! the state alone. It takes some megabytes more for each thread. A search that is small is done by one thread.

pub mod checkpoint;
mod disk;
pub mod distributed;
mod exploration;
mod fired;
mod growth;
mod options;
mod parallel;
mod quotient;
mod saved;
mod search;
mod space;
mod store;
mod successors;
mod tree;
pub mod varint;
mod watch;

pub use checkpoint::{Checkpoint, CheckpointError, Journal};
pub use disk::{Share, Spill, SpillTrouble};
pub use exploration::{Exploration, Failed, Reached, Stop};
pub use fired::Fired;
pub use options::Options;
pub use parallel::{explore_kept_on, explore_on};
pub use quotient::Quotient;
pub use saved::{restore_strings, save_strings};
pub use search::{explore, explore_kept};
pub use space::{Space, Standing, hash_of};
pub use store::{StateId, Store};
pub use successors::Successors;
pub use watch::Control;
