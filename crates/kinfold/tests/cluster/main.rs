//! Runs of several processes, by the command: what they find, and what becomes of them when something goes wrong.

mod faults;
mod launcher;
mod processes;
#[cfg(target_os = "linux")]
mod resumed;
#[path = "../running/command.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod running;
