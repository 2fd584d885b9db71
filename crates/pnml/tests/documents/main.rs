//! Documents: what they mean, and what is said of those that are wrong, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod contest;
mod gallery;
mod hostile;
mod nets;
mod properties;
mod tools;
