//! Equivalence of states up to who is who.
//!
//! Two states are equivalent when a bijection of pids that respects what the model observes (Ω), and
//! permutations of the members of its colour classes, map one onto the other. This crate computes one
//! canonical form for each class of states, as bytes:
//!
//! - [`Working`]: a state with pids as indices into a [`Kinship`] table, which keeps of the pids'
//!   relations exactly what Ω sees;
//! - [`Folder`]: working state → coloured structure → canonical labelling → canonical bytes, and back;
//! - [`concrete`]: from dotted pids to a kinship table and back;
//! - [`canonical()`]: a concrete state → the representative of its class, a concrete state as well;
//! - [`layers`]: three-layered graphs, the papers' way to see a state;
//! - [`Rules`]: a system given on working states, explored as a [`Folded`] space;
//! - [`System`]: a system given on concrete states, [`Checked`] and explored as an [`ConcreteSpace`] space, of
//!   representatives if it is to be folded; [`audit`] looks for what folding may not rest on.

pub mod audit;
mod canonical;
mod checked;
pub mod concrete;
mod dictionary;
mod families;
mod family_table;
mod folded;
mod folder;
mod group;
mod interest;
mod kinship;
mod labels;
pub mod layers;
mod members;
mod packed;
mod space;
mod system;
mod working;
mod writer;

pub use canonical::{Equivalent, canonical, equivalent};
pub use checked::{Breach, Checked, Misstep};
pub use dictionary::Dictionary;
pub use folded::{Folded, Life, Lives, Lost};
pub use folder::Folder;
pub use group::Group;
pub use interest::{Interest, Interests, Regarded};
pub use kinship::{Kin, Kinship, Link, Sight};
pub use space::{Reach, Role, Rules, Sink};
pub use system::{Concrete, ConcreteSpace, Step, System, Take};
pub use working::{Class, Column, Hold, NONE, Schema, Shape, Working};
