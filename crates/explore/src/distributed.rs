//! Search by several processes, each of which holds a part of the states.
//!
//! Every state has an *owner* among the workers of all processes, given by its [imprint](crate::Space::imprint). The
//! owner stores it and expands it; successors are sent to theirs. Levels of the breadth-first search are *epochs* of
//! the network: when everybody has expanded a level and has taken in what was sent, the next begins. So a state is
//! stored at its depth, whatever arrives first, and all counts are those of one process.
//!
//! In the order in which a state passes:
//!
//! - `worker`: expands a level, sorts successors by owner, takes in what others send. Within a level there are rounds:
//!   a worker goes on only when what everybody sent some rounds ago has been taken in, so that what is under way stays
//!   bounded, however slow a worker is.
//! - `outgoing`, `intake`: parcels of states, and what becomes of them where they arrive.
//! - `coding`: states on their way. Numbers of parts mean nothing elsewhere, so a part is sent once to each worker of
//!   another process and has a number on that way from then on.
//! - `portion`: the states of a worker, level by level. No predecessors are kept.
//! - `report`: what workers tell each other at the end of a level, from which all conclude the same.
//! - `search`: the same from the side of the process that runs the workers.
//! - `steps`, `gathering`: where the whole graph is asked for, steps are kept with the states that they lead to, and the
//!   first worker gathers all of it.
//! - `way_back`: shortest paths, found by going back level by level. Among several predecessors the least is taken, so
//!   paths do not depend on the number of processes, or on time.
//!
//! How bytes travel is left to a [`Network`]; this module opens no connection and starts no thread.

mod codes;
mod coding;
mod gathering;
mod intake;
mod keeping;
mod network;
mod outgoing;
mod portion;
mod progress;
mod recent;
mod report;
mod restoring;
mod search;
mod steps;
mod way_back;
mod worker;

pub use coding::{from_portable, portable};
pub use gathering::Gathered;
pub use keeping::ShardJournal;
pub use network::{Lost, Mailbox, Network, Work};
pub use portion::Portion;
pub use progress::{Progress, Share};
pub use report::{FaultFound, Totals};
pub use search::{Describe, DistributedSearch, exchange_on};
pub use way_back::{Destination, Path, PathStep};
