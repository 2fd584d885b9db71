//! Data Decision Diagrams.

mod arena;
mod cache;
mod closure;
mod collect;
mod count;
mod draw;
mod error;
mod forest;
mod handle;
mod homs;
mod image;
mod inductive;
mod limits;
mod node;
mod paths;
mod sets;
mod split;
mod stack;
mod term;
mod unique;

pub use arena::MAX_VARIABLE;
pub use count::Shape;
pub use error::{Error, Result};
pub use forest::{Forest, Statistics};
pub use handle::{Ddd, Hom};
pub use homs::Shift;
pub use inductive::Inductive;
pub use limits::Limits;
pub use node::Node;
pub use paths::Paths;

/// A variable.
pub type Variable = u32;

/// A value of a variable.
pub type Value = i32;
