//! Kinfold verifies systems that create processes while they run.

pub mod draw;
