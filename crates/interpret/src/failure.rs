//! What goes wrong in a program that runs.

use net::Origin;
use program::{Failure, FailureKind};

use crate::value::Value;

/// Something has gone wrong.
#[derive(Clone, Debug)]
pub struct Failed {
    /// What it is, and the innermost statement that does it: in a step of an object it is one of the object, not the one
    /// that calls it.
    pub failure: Failure,
    /// The value that is out of range, if that is it.
    pub value: Option<Value>,
}

/// What goes wrong, wherever that is.
#[derive(Clone, Debug)]
pub(crate) struct Cause {
    pub(crate) kind: FailureKind,
    pub(crate) value: Option<Value>,
}

impl From<FailureKind> for Cause {
    fn from(kind: FailureKind) -> Cause {
        Cause { kind, value: None }
    }
}

impl Cause {
    /// What has gone wrong in a statement.
    pub(crate) fn at(self, origin: Origin) -> Failed {
        let Cause { kind, value } = self;
        Failed { failure: Failure { kind, origin }, value }
    }
}

/// How often a loop may go round in what is done at once, before it is said to have no end.
pub(crate) const MOST_ROUNDS: usize = 10_000;
/// How deep calls may be in it.
pub(crate) const MOST_CALLS: u32 = 64;
