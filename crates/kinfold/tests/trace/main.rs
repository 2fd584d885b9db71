//! Traces: in every form, and replayed.

mod charts;
mod docs;
mod forms;
mod processes;
mod replay;
#[path = "../running/command.rs"]
mod running;
#[path = "../running/schema.rs"]
mod schema;
mod traces;
