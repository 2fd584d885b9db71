//! Searches by several workers, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod decide;
mod kept;
mod search;
#[path = "../shipped/models.rs"]
mod shipped;
mod survey;
mod system;
