//! What the structure of an unfolded net shows of its markings, without these.
//!
//! The *state equation* has a solution for every reachable marking, so what has none is not reachable: by that,
//! invariants are proved, and sums of tokens bounded from above. Everything is worked out in exact numbers, and each
//! refutation comes with multipliers that are added up again before anything is concluded from it.
//! Where there is a solution, it says what to fire: walks that follow it often come to a marking that shows
//! what was asked for, and bounds from below meet those from above.
//!
//! # What is where, in the order in which a question passes
//!
//! - [`StateEquation`] (`equation`): its variables and its rows, for each place or for groups of places.
//! - `condition`: a [`Predicate`](unfold::Predicate) as a connection of bounds on variables.
//! - `query`: the search through alternatives; `simplex` and `row`: linear inequalities in exact numbers;
//!   `certificate`: whether multipliers refute what is assumed.
//! - `trap` and `cause`: what the equation does not know, and is told where it matters.
//! - [`Rules`], [`Game`] (`game`): firing transitions; [`Walker`] (`walk`): walks, at random and with an aim.
#![forbid(unsafe_code)]

mod cause;
mod certificate;
mod condition;
mod equation;
mod game;
mod incidence;
mod query;
mod row;
mod simplex;
mod trap;
mod walk;

pub use equation::StateEquation;
pub use game::{Game, Rules};
pub use query::{Solution, Upper};
pub use simplex::Halt;
pub use trap::is_trap;
pub use walk::{See, Walker};
