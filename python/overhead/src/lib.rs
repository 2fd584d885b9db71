//! The parts of the public API that the example of the leap-year service uses.

pub use fold;
pub use state;
pub use survey::{Explorer, ExplorerError};
