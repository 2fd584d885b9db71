//! Properties and logics on graphs of states.
//!
//! - [`Ltl`]: formulas of linear time, over numbered atoms, shared and kept in negation normal form.
//! - [`Automaton`]: generalised Büchi automata with acceptance on transitions; [`Automaton::of`]
//!   translates a formula; [`hoa`] reads and writes them in the Hanoi Omega-Automata format.
//! - [`Ctl`]: formulas of branching time, over numbered atoms.
#![forbid(unsafe_code)]

mod automaton;
mod ctl;
pub mod hoa;
mod ltl;
mod translate;

pub use automaton::{Automaton, Edge, Label};
pub use ctl::Ctl;
pub use ltl::{Formula, Ltl, Shape};
pub use translate::TooLarge;
