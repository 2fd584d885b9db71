//! Models to walk through: everything that `docs/serve.md` describes but the way in which it is asked.
//!
//! An [`Explorer`] has models, each with the last few *generations* of its text. [`Explorer::ask`] answers an
//! operation: a JSON object goes in, and one comes out, or a [`Refusal`] that says why not. What takes long is a
//! [`Job`], which whoever runs the explorer gives a thread and a budget of its own. Nothing here knows of
//! connections, files, clocks or threads, so that the same code answers on a server and in a browser.
//!
//! What is where:
//!
//! - [`reading`]: from the bytes of a model to its net, also for the command.
//! - `model`: a model and its generations; `view`: a net to walk through, with what is known of it: runs that were
//!   walked (`walks`), and classes that were met (`classes`).
//! - `request`: what is asked; `operation`: one module for each operation.
//! - `typed`: properties and predicates that people type in.
//! - `job`: what takes long, one module for each kind.
//!
//! Every run is walked by the plain interpreter: engines that explore classes only say which way to go.

#![forbid(unsafe_code)]

mod classes;
mod explorer;
mod job;
mod markup;
mod model;
mod operation;
mod place;
pub mod reading;
mod refusal;
mod request;
mod statements;
mod typed;
mod view;
mod walks;

pub use explorer::{Explorer, Host, Read, Text};
pub use job::{End, EndState, Job, News};
pub use refusal::{Code, Refusal};
