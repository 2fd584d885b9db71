//! Traces: in every form, and replayed.

mod charts;
mod forms;
mod replay;
#[path = "../running/command.rs"]
mod running;
mod traces;
