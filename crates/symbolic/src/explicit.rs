//! Symbolic markings one by one: the explicit engine.
//!
//! In the order in which a marking passes through: [`packed`] reads canonical bytes into a [`marking`];
//! [`plan`]s, drawn up by [`compile`] as part of the [`rules`], are carried out by [`bind`]; [`split`] takes
//! named elements out of their subclasses, [`fire`] applies [`changes`], [`regroup`] unites what is alike
//! again; [`order`] finds the canonical order, by `canon` and [`turn`], and [`packed`] writes it.
//! [`expansion`] goes through all of it for one marking, and [`memo`] spares it for those that differ in
//! large sizes only. [`space`] is what the explorer sees; [`census`] counts what was found.

pub(crate) mod bind;
pub(crate) mod census;
pub(crate) mod changes;
pub(crate) mod compile;
pub(crate) mod concrete;
pub(crate) mod expansion;
pub(crate) mod fire;
pub(crate) mod fixed;
pub(crate) mod large;
pub(crate) mod marking;
pub(crate) mod memo;
pub(crate) mod order;
pub(crate) mod packed;
pub(crate) mod plan;
pub(crate) mod polynomial;
pub(crate) mod regroup;
pub(crate) mod rules;
pub(crate) mod scope;
pub(crate) mod space;
pub(crate) mod split;
pub(crate) mod spread;
pub(crate) mod turn;

pub use census::Census;
pub use concrete::{NoMarking, Tokens};
pub use marking::{Component, Marking};
pub use space::{Symbolic, SymbolicSpace};
