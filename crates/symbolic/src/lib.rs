//! Symbolic markings of symmetric nets: firing, regrouping, canonical form, exact counts.
//!
//! A symmetric (well-formed) net has many alike parts: the elements of its colour classes. Its
//! markings are folded here up to who is who. What is explored are *symbolic markings*: sets of
//! elements that are distributed alike, with their sizes, and tokens over such sets. Their graph is
//! the quotient of the state space by the symmetries of the classes, and what it stands for is
//! counted exactly. Cost follows the number of such sets, not how many elements they have.
//!
//! ```
//! use budget::Budget;
//! use explore::{Control, Options, explore};
//! use symbolic::{Census, Condition, Symbolic, SymmetricNet, Symmetry, Term, Transition, Variable};
//!
//! // A thousand processes, who go and come back one by one.
//! let mut net = SymmetricNet::new();
//! let process = net.class("Process", Symmetry::Symmetric(vec![1000]));
//! let here = net.place("here", &[process]);
//! let away = net.place("away", &[process]);
//! let x = Variable(0);
//! let one = Term::one(&[x.into()]);
//! net.initially(here, one.clone().for_all(&[process], Condition::always()));
//! net.transition(Transition::new("go", &[process]).take(here, one.clone()).put(away, one.clone()));
//! net.transition(Transition::new("return", &[process]).take(away, one.clone()).put(here, one));
//!
//! let mut space = Symbolic::new(&net).unwrap().space();
//! let result = explore(&mut space, &Options::default(), &mut |_| Control::Continue).unwrap();
//! assert_eq!((result.states(), result.edges), (1001, 2000));
//! let census = Census::of(&mut space, &result, &Budget::unlimited()).unwrap();
//! assert_eq!(census.concrete_states.bits(), 1001); // 2 to the power of 1000
//! ```
//!
//! # What is where
//!
//! - [`Translation`]: from the nets of the crate `net` to symmetric nets, and between their markings.
//! - [`SymmetricNet`]: nets as they are given; [`Flaw`]: what may be wrong with them.
//! - [`Symbolic`], [`SymbolicSpace`]: a net made ready, and its symbolic markings as a space.
//! - [`Marking`]: a symbolic marking; its module defines them. [`SymbolicSpace::fold`] and
//!   [`SymbolicSpace::representative`] lead from concrete markings to canonical bytes and back.
//! - [`Srs`]: all symbolic markings at once, in a decision diagram.
//! - [`Census`]: how many concrete markings, steps, deadlocks and tokens there are.
//!
//! # How a marking is expanded
//!
//! Canonical bytes are read; a plan for each transition finds its symbolic bindings, like a join;
//! named elements are split off, what arcs take and put is changed, named elements are united with
//! those alike; `canon` orders the dynamic subclasses; bytes are written. All of this is done once
//! for markings that differ in large sizes only: see the module `explicit::memo`.
//!
//! # Exactness
//!
//! Equal bytes mean equal orbits, and conversely. Hashes only say which elements are worth
//! comparing. The tests compare random nets with brute force on the unfolded net: classes, edges,
//! concrete states and steps, deadlocks, bounds, and for each concrete marking its bytes.
#![forbid(unsafe_code)]

mod binomial;
mod explicit;
mod fault;
mod flaw;
mod model;
mod multinomial;
pub mod operand;
mod srs;
mod translate;
mod word;

pub use explicit::{Census, Component, Marking, NoMarking, Symbolic, SymbolicSpace, Tokens};
pub use fault::Fault;
pub use flaw::{Flaw, MOST_COLUMNS, MOST_ELEMENTS};
pub use model::{
    Arc, Class, ClassId, Condition, Element, Place, PlaceId, SymmetricNet, Symmetry, Term,
    Transition, Variable,
};
pub use srs::{Srs, SrsError, Unsupported};
pub use translate::{MOST_INSTANCES, Translation, Untranslatable};
