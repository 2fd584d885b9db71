//! Logics against their definitions, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod branching;
mod emptiness;
mod fairness;
mod forgotten;
#[path = "../naive/graphs.rs"]
mod graphs;
mod hopeless;
mod individuals;
#[path = "../naive/linear.rs"]
mod linear;
#[path = "../naive/runs.rs"]
mod runs;
mod words;
