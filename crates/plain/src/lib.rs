//! Nets without colours, one marking at a time.
//!
//! Where one is asked whether a marking of some kind can be reached, or whether some run does something, the answer is
//! often near, or most of the net does not matter. Here nets become small first, and are then searched only as far as
//! is needed. A question passes through these rooms:
//!
//! 1. [`PlainNet`], [`Condition`]: a net and statements about its markings, in terms of places alone.
//! 2. [`Problem`]: both together, made smaller by [`Rule`]s that keep what formulas of a [`Logic`] say of them.
//! 3. [`search`]: all that is reachable, by stubborn sets.
//! 4. [`accepts`]: linear time, by stubborn sets where there is no `next`; [`satisfies`]: branching time; both find the
//!    graph while they decide, and can do so with other graphs than those of nets ([`Steps`]).
//! 5. [`Back`]: from a run that was found to one of the net that was given; [`Replay`]: which is fired again there.
//!
//! Markings are kept whole, and compared (`store`); what a hash says is never relied upon.
#![forbid(unsafe_code)]

mod branching;
mod condition;
mod firing;
mod graph;
mod linear;
mod net;
mod reduce;
mod replay;
mod search;
mod steps;
mod store;
mod stubborn;
mod valuation;

pub use branching::{BranchingOptions, satisfies, satisfies_at_start};
pub use condition::{Comparison, Condition, compared};
pub use linear::{LinearOptions, accepted_run, accepts, accepts_some_run};
pub use net::{PlainArc, PlainNet, PlainTransition};
pub use reduce::{Back, FiringSequence, Logic, Problem, Rule, Unmapped};
pub use replay::Replay;
pub use search::{SearchOptions, Target, Undecided, search, search_with_runs};
pub use steps::Steps;
pub use stubborn::ample::Mistakes;
pub use valuation::Valuation;
