//! Diagrams, case by case, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod drawings;
mod hanoi;
mod limits;
mod nets;
#[path = "../nets/philosophers.rs"]
mod philosophers;
mod undefined;
