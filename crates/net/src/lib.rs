//! Thread nets: places, transitions, guards, and their firing.
//!
//! A thread net (Klaudel et al. 2008, §3) is a coloured Petri net with *flow* places, where threads
//! are, and ordinary places, which hold tuples of pids and data. The generator of pids is not part of
//! the net as written: it is implied by [`Spawn`], so that the paper's assumptions about it hold by
//! construction. What remains of the assumptions is checked by [`Net::check`].
//!
//! Two things can be done with a net. [`interpret`] fires it on concrete [`State`](state::State)s,
//! plainly and slowly; [`Compiled`] fires it on the working states of `fold`, for exploration. They
//! share the syntax tree and nothing else, and are tested against each other.

mod assumptions;
mod compile;
mod constant;
mod distinction;
mod encode;
mod ended;
mod evaluate;
mod expr;
mod fairness;
mod fallible;
mod fault;
mod fire;
mod forgotten;
pub mod interpret;
pub mod listing;
mod look;
mod model;
mod numbering;
mod observed;
mod origin;
mod property;
mod reach;
mod relations;
mod stubborn;
mod symmetry;
mod transition;

pub use assumptions::Breach;
pub use compile::Compiled;
pub use distinction::{Distinction, Initial};
pub use evaluate::Members;
pub use expr::{BinaryOp, Expr, Kind, Literal, UnaryOp, Var};
pub use fairness::{Action, Fairness, Strength, Whom};
pub use fallible::Fallibility;
pub use fault::{Fault, FaultKind};
pub use fold::{Group, Hold, Interest};
pub use look::Look;
pub use model::{
    ActionId, Column, Constant, EnumId, Enumeration, FreshClass, FreshId, InitialToken,
    InitialValue, Net, Part, Place, PlaceId, PlaceKind, Sort, StartThread, Symmetry, TransitionId,
};
pub use observed::{Followed, Observed};
pub use origin::Origin;
pub use property::{Formula, PathOp, Property, Quantifier, Subject};
pub use stubborn::{Keep, Seen};
pub use symmetry::{Finding, FoundSymmetry, Loss, Lost, Piece};
pub use transition::{Arc, Fate, Inhibitor, Participant, Spawn, Transition, Variable};
