//! Few and short paths from the start of a graph that together cover what is to be covered: every action, every pair of
//! actions one after the other, or every state up to a depth.
//!
//! To find the shortest set of such paths is hard in general (for actions on a graph without cycles it is already set
//! cover), so what is found need not be the shortest. It is told how short it could be at best: [`Bound`].
//!
//! The way of a graph through the modules: [`Graph`] says what each arc covers (`graph.rs`); paths are chosen step by step
//! (`choose.rs`), and what they do not need is cut off (`shorten.rs`); `bound.rs` has what no set of paths can do without.
//! Nothing here knows what states and actions are.

mod bound;
mod choose;
mod graph;
mod shorten;

pub use bound::Bound;
pub use choose::{Chosen, choose};
pub use graph::{Arc, Graph, Item};
