//! The server of the explorer: what `docs/serve.md` says of connections, and nothing of what is answered.
//!
//! A [`Server`] listens on an address, by default on loopback alone, and gives the page and the answers of an
//! [`Explorer`](explorer::Explorer) to whoever has its token. It prints nothing and reads no environment; the command
//! does.
//!
//! What is where, in the order in which a request passes:
//!
//! - `accept`: connections, how many there may be, and their end; `socket`: a connection that nobody reads or writes
//!   any more is given up.
//! - `guard`: who may ask ([`Token`], `own`: the names under which the server is known), and the headers that keep
//!   the page to itself.
//! - `routes`: which path is what; `reply`: answers and refusals.
//! - `operations`: work on threads beside, within time and memory, interrupted when nobody waits for it any more.
//! - `jobs`: what takes long, on a thread each; `events`: what is told to all who listen.
//! - `watch`: the files of the models, read again when they change.
//!
//! Everything ends with the budget that the server is given ([`Server::bind`]): that is how it is stopped.

#![forbid(unsafe_code)]

mod accept;
mod error;
mod events;
mod guard;
mod jobs;
mod name;
mod operations;
mod own;
mod reply;
mod routes;
mod server;
mod settings;
mod socket;
mod token;
mod watch;

pub use error::ServeError;
pub use server::{Server, Shown};
pub use settings::{Bounds, ModelFile, Port, Settings};
pub use token::Token;
