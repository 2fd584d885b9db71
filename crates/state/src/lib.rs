//! Process identifiers, their relations, and states over them.
//!
//! A state is `(σ, η)`: `σ` gives each place a finite multiset of tuples of data and pids, `η` maps
//! each *active* pid to the number of children it has created (Klaudel et al. 2009, §3). This crate
//! holds the concrete form that people read and write: dotted pids, places by name, JSON. The packed
//! form that the explorer works on is in `fold`.
//!
//! ```
//! use state::{Pid, Relation};
//!
//! let server: Pid = "1.2".parse().unwrap();
//! let handler = server.child(3);
//! assert_eq!(handler.to_string(), "1.2.3");
//! assert!(Relation::Parent.holds(&server, &handler));
//! ```

mod json;
mod names;
mod pid;
mod relation;
mod state;
mod value;

pub use json::JsonError;
pub use names::Names;
pub use pid::{ParsePidError, Pid};
pub use relation::{ParseRelationError, Relation, Relations};
pub use state::{Difference, Inconsistency, State, Token};
pub use value::Value;
