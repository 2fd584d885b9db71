//! Texts of `.kin`: what they mean, and what is said of those that are wrong, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod classes;
mod corpus;
mod cost;
mod fairness;
mod front;
mod gallery;
mod groups;
mod language;
mod lives;
mod meaning;
#[path = "../compiled/model.rs"]
mod model;
mod names;
mod newcomers;
mod objects;
mod points;
mod processes;
mod renamed;
mod server;
mod symmetric;
