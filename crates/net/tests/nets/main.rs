//! Nets, case by case, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod breaches;
mod class_breaches;
mod faults;
mod members;
mod symmetric_nets;
mod symmetry_cases;
