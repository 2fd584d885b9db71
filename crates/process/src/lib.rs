//! Processes, objects and their steps: programs as people write them, and the nets they become.

mod bounds;
mod cases;
pub mod claim;
mod compile;
mod emit;
mod evaluate;
mod execute;
mod facts;
mod formula;
mod graph;
mod layout;
mod live;
mod meet;
mod path;
mod places;
pub mod program;
mod routines;
mod run;

pub use bounds::mark_sure;
pub use compile::{Point, Translation, compile};
pub use graph::{Observed, RoutineId, Source};
pub use program::Refusal;
