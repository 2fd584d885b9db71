//! Fuzzing: mutated inputs for every reader, and for the engines against each other.
//!
//! A [`Target`] says what must be true of an input. Its body is a function of bytes, which the runner here
//! calls on stable Rust, and `libfuzzer/` with the guidance of coverage on nightly. A [`Campaign`] mutates
//! the files of the project, with words of a dictionary. An input that is answered in a way not seen before
//! is kept and mutated further. The same seed gives the same inputs on every machine.
//!
//! A panic is caught, and its input made smaller; an input that takes too long, or takes the process down,
//! is left behind in a file. `cargo test` runs a fixed number of inputs for each target; `fuzz/run` runs
//! for as long as you like.

mod campaign;
mod caught;
mod corpus;
mod dictionary;
mod mutate;
mod shrink;
mod target;
mod targets;
mod watch;

pub use campaign::{Campaign, Failure};
pub use caught::{Caught, attempt};
pub use corpus::Corpus;
pub use target::Target;
pub use watch::Watch;
