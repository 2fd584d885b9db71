//! Programs: processes, objects and their steps, as front ends build them, and their control flow.
//!
//! - The typed form ([`Program`]): names are resolved, types known, sugar is gone. It is close to the text, so that its
//!   meaning can be read off it.
//! - [`claim`]: properties that speak of processes, variables and objects.
//! - [`graph`]: routines as graphs, in which others have their turn at stops; [`routines`]: those of a whole program;
//!   [`live`]: which variables are read again.
//! - [`check`](check()): whether a program is one, so that those who read it can rely on it.
//! - [`facts`]: what is shared, who meets, what can fault. [`mark_sure`] finds operations that never fault.

mod bounds;
mod check;
pub mod claim;
pub mod facts;
mod failure;
mod form;
pub mod graph;
pub mod live;
pub mod routines;

pub use bounds::mark_sure;
pub use check::{IllTyped, check};
pub use failure::{Failure, FailureKind};
pub use form::*;
pub use graph::{Observed, RoutineId, Source};
