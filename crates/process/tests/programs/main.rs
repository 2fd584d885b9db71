//! Programs, case by case, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod faults;
mod limits;
mod mutex;
mod prefixes;
mod sets;
