//! The library as those use it who write Rust, and what holds for the whole project, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod architecture;
// The command has no other tests, and would be compiled once more for these.
#[path = "../../src/command/progress/estimate.rs"]
#[allow(dead_code, reason = "the command uses all of it")]
mod estimate;
mod explorer;
mod leap_year;
mod models;
mod nets_as_systems;
#[path = "../../src/command/progress/pace.rs"]
#[allow(dead_code, reason = "the command uses all of it")]
mod pace;
mod reductions;
mod saved;
#[path = "../../src/command/progress/signals.rs"]
#[allow(dead_code, reason = "the command uses all of it")]
mod signals;
mod symmetry;
mod unbounded;
