//! Runs of several processes, by the command: what they find, and what becomes of them when something goes wrong.

mod faults;
mod kept;
mod launcher;
#[path = "../running/processes.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod processes;
#[path = "../running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;
