//! From formulas and engines to verdicts.

pub mod examine;
mod verify;

pub use verify::{Checking, Concern, Evidence, Outcome, Verdict, verify};
