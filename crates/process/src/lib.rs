//! Programs as nets: what their processes, objects and steps become.

mod cases;
mod compile;
mod emit;
mod evaluate;
mod execute;
mod formula;
mod layout;
mod meet;
mod path;
mod places;
mod run;

pub use compile::{Point, Translation, compile};
