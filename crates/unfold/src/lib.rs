//! Nets without colours, unfolded from symmetric nets, and their reachable markings in decision diagrams.
//!
//! A symmetric net is a short way to write a large net: a place stands for as many as its tokens have
//! values, a transition for as many as it has bindings. [`UnfoldedNet`] is what is left of that when all
//! that can never be marked or fired is left out. Its reachable markings are one set, in a decision
//! diagram: [`Diagram`]. Nothing is explored one by one, so the number of markings may be astronomical.
//!
//! Which net gains from this? One with little symmetry, or one whose markings share more in this form than
//! their symbolic ones do; the crate `symbolic` has sets of those.
//!
//! # What is where
//!
//! - [`UnfoldedNet`]: what is possible at all, and the net that is left of it; or the net without colours at all, its
//!   [skeleton](UnfoldedNet::skeleton).
//! - [`PlaceOrder`]: in which order the diagram asks for the tokens of places. Its size depends on that.
//! - [`Diagram`]: the set, what is counted on it ([`DiagramCensus`]) and what is asked of it: where a
//!   [`Predicate`] holds, how large sums of tokens become, and formulas of branching and of linear time.
#![forbid(unsafe_code)]

mod diagram;
mod unfolding;

pub use diagram::{Diagram, DiagramCensus, DiagramError, DiagramLimits, PlaceOrder, Predicate};
pub use unfolding::{
    NotUnfolded, UnfoldLimits, UnfoldedArc, UnfoldedNet, UnfoldedPlace, UnfoldedTransition,
};
