//! The `kinfold` command as it is seen from outside: what it prints, writes and answers, one module for each subject.
//!
//! One program for all of them, since putting a program together takes longer than most of these tests.

mod answers;
mod cases;
mod check;
mod claims;
mod concrete_counts;
mod conform;
mod contest;
mod convert;
mod covering;
#[path = "../running/document.rs"]
mod document;
mod equiv;
mod examples;
mod experiment;
mod go_programs;
mod laws;
mod lsp;
mod pages;
mod pipelines;
mod process_commands;
mod processes;
mod progress;
mod readme;
#[path = "../running/command.rs"]
mod running;
#[path = "../running/schema.rs"]
mod schema;
mod serve;
mod subcommands;
mod tlg;
mod tutorial;
