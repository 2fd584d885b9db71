//! Executes programs of processes on heaps, folded up to who is who.
//!
//! A program ([`program::Program`]) is [compiled](compile()) to bytecode. A state is a heap: threads with their frames,
//! objects with their fields, and the global variables. Two states are the same if a bijection of threads and objects maps
//! one onto the other; each is known by its canonical form. In the order in which a state passes through them:
//!
//! - `code`, `compile`: bytecode, and how programs become that;
//! - `value`, `heap`: values, and heaps of threads and objects; `member`: members of classes that are alike;
//! - `run`: executes bytecode from stop to stop, one way at a time; `turn`: all that threads can do next;
//! - `form`: the canonical form of a heap: the core, which hangs together, and satellites, which hang on it;
//! - `later`: what threads may still do from where they are; `commute`: steps of an object that can be told apart, or not;
//! - `satellite`: cores and satellites as they are read back; `moves`: what they can do, remembered;
//! - `claim`: what claims say of single states;
//! - [`Machine`]: all of it as a space that can be explored, also one in which threads [run on](Machine::reduced);
//!   [`Survey`]: what was found then.
#![forbid(unsafe_code)]

mod claim;
mod code;
mod commute;
mod compile;
mod form;
mod heap;
mod later;
mod machine;
mod member;
mod mistake;
mod moves;
mod parts;
mod run;
mod satellite;
mod survey;
mod turn;
mod value;

pub use claim::{Claim, Followed};
pub use code::{ClassKind, Code, Point, PointId};
pub use compile::compile;
pub use heap::{Class, Heap};
pub use machine::{Machine, NumberOf, Step};
pub use survey::Survey;
pub use turn::Turn;
pub use value::{Arena, BagPlace, Kind, Value};
