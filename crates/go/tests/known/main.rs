//! Go programs of which it is known how they can end: kernels of bugs of CockroachDB, made after their descriptions, and
//! others for what those do not use. The head of each says what is expected (`header.rs`).

#![allow(clippy::print_stderr, reason = "what is left out is said")]

mod collection;
mod header;
mod planted;
mod told;
mod verdicts;
mod witness;
