//! Few and short runs that together cover a model: every transition, every two transitions that fire one right after the
//! other, or every class of states up to a depth.
//!
//! To find the shortest set of such runs is hard in general: for transitions on a graph without cycles it is set cover
//! already. So what is found need not be the shortest, and it is told how short it could be at best: [`Bound`].
//!
//! The way of a model through the modules: [`Suite`] has the folded graph, and makes runs of paths (`suite.rs`). [`Graph`]
//! says what each arc covers (`graph.rs`); paths are chosen step by step (`choose.rs`), and what they do not need is cut off
//! (`shorten.rs`); `bound.rs` has what no set of paths can do without. All but the first know no states.

mod bound;
mod choose;
mod graph;
mod shorten;
mod suite;

pub use bound::Bound;
pub use choose::{Chosen, choose};
pub use graph::{Arc, Graph, Item};
pub use suite::{Cover, Suite};
