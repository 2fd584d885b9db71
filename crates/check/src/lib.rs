//! Properties and logics on graphs of states.
//!
//! - [`Ltl`]: formulas of linear time, over numbered atoms, shared and kept in negation normal form.
//! - [`Automaton`]: generalised Büchi automata with acceptance on transitions; [`Automaton::of`]
//!   translates a formula, and makes the automaton small ([`Reductions`]); [`hoa`] reads and writes them in the Hanoi
//!   Omega-Automata format; [`Acceptance`] says where a search has it easy.
//! - [`Ctl`]: formulas of branching time, over numbered atoms.
//! - [`Graph`]: states and the steps between them; [`Bits`]: sets of states.
//! - [`cyclic_components`]: which states are strongly connected.
//! - [`Branching`]: where formulas of branching time hold, and paths that show why.
//! - [`find_lasso`]: whether a graph has a run that an automaton accepts and that is fair to labels, and to
//!   individuals that come and go; such a run.
//! - [`hopeless()`]: a state in which some thread can never again act, or never end.
#![forbid(unsafe_code)]

mod acceptance;
mod automaton;
mod bdd;
mod bits;
mod branching;
mod breadth;
mod components;
mod ctl;
mod draft;
mod graph;
pub mod hoa;
mod hopeless;
mod lasso;
mod ltl;
mod reduce;
mod reverse;
mod translate;

pub use acceptance::{Acceptance, Component};
pub use automaton::{Automaton, Cube, Edge, Label};
pub use bits::Bits;
pub use branching::{Branching, Certainty, Evidence};
pub use components::cyclic_components;
pub use ctl::{Ctl, Ending};
pub use graph::Graph;
pub use hopeless::{Fates, Hopeless, Open, Outlook, Prospect, Threads, Way, hopeless};
pub use lasso::{Fate, Hop, Individuals, Lasso, Move, Moves, Question, Strength, find_lasso};
pub use ltl::{Formula, Ltl, Shape};
pub use reduce::Reductions;
pub use translate::TooLarge;
