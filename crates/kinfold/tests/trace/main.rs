//! Traces: in every form, and replayed.

mod forms;
mod replay;
#[path = "../running/command.rs"]
mod running;
mod traces;
