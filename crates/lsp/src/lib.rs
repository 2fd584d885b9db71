//! The language server of `.kin` models: what editors ask, and what they are told.
//!
//! [`serve`] speaks the Language Server Protocol over a [`Connection`](lsp_server::Connection) until the client says
//! goodbye; [`connect`] makes one of two streams of bytes. Nothing here prints, or knows of files: texts are those that
//! the editor has open, saved or not.
//!
//! The way of a text: an edit changes a document in place. What most requests need, the names
//! and the parts of the text, is made once for each version, when it is first asked for
//! (`analysis`); that takes about linear time, also where the text is wrong. The compiler is run beside
//! (`compiler`), always on the newest text; what it finds is published, and kept for hints. Properties are checked
//! beside as well (`checks`), under a budget, until the text changes. So no request waits for the compiler or for
//! a check, but that which asks for a check.
//!
//! One thread reads, one writes, one answers (`server`), one compiles, and one checks, for each document.
//! The thread that answers owns everything; the others send it what they have found.

#![forbid(unsafe_code)]

mod analysis;
mod answer;
mod checks;
mod compiler;
mod document;
mod lines;
mod outgoing;
mod server;
mod settings;
mod transport;

pub use server::serve;
pub use settings::Settings;
pub use transport::{Threads, connect};

/// Enough for the deepest expression that the language admits.
const STACK_BYTES: usize = 64 << 20;
