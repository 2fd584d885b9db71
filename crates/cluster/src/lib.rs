//! Processes that explore together, on one machine or several: the [`Network`] of `explore`'s distributed search, on
//! timely dataflow.
//!
//! A [`Cluster`] has a thread for each worker, which does what it is given, piece by piece. Workers are joined by one
//! dataflow that lives as long as the cluster: parcels go in, through an exchange, into a mailbox (`post`). What timely
//! does for it is to deliver, between threads or by TCP, and to know when everybody has received everything that was
//! sent before a time.
//!
//! Connections are made by others, and given as [`Stream`]s: here nobody is authenticated, waited for or given up. If a
//! stream fails, timely panics in the thread that reads or writes it; whoever gives the streams makes sure that this is
//! noticed, and calls [`Cluster::give_up`], upon which all that waits ends with an error.

mod cluster;
mod end;
mod loopback;
mod parcel;
mod post;

pub use cluster::Cluster;
pub use explore::distributed::{Lost, Network};
pub use loopback::{loopback, on_loopback};
pub use timely::communication::allocator::zero_copy::stream::Stream;
