//! What can go wrong with a model while it is fired.

use thiserror::Error;

use crate::{EnumId, Net, PlaceId, TransitionId};

/// A fault of the model: firing some mode of a transition has no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The transition.
    pub transition: TransitionId,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultKind {
    /// A value does not fit the column it is put into.
    #[error("a value is outside its range")]
    OutOfRange {
        /// The place.
        place: PlaceId,
        /// The column, the thread of a flow place counted.
        column: usize,
        /// The value.
        value: i64,
    },
    /// A division or a remainder by zero.
    #[error("a division by zero")]
    DivisionByZero,
    /// A number that does not fit 64 bits.
    #[error("a number too large for 64 bits")]
    Overflow,
    /// A member after the last, or before the first, of an enumeration.
    #[error("a member beyond the ends of its enumeration")]
    NoMember {
        /// The enumeration.
        enumeration: EnumId,
    },
    /// The value of what is nothing.
    #[error("the value of `none`")]
    NoValue,
    /// What must not happen, as a transition says.
    #[error("what must not happen")]
    Failure {
        /// The transition.
        transition: TransitionId,
    },
    /// More than 2³² copies of one token.
    #[error("more than 2³² copies of one token")]
    TooManyTokens {
        /// The place.
        place: PlaceId,
    },
    /// A thread has created 2³² children.
    #[error("a thread with more than 2³² children")]
    TooManyChildren,
}

/// Why an expression of a property has no value.
pub(crate) enum NoValue {
    /// It asks for a column of a thread that is elsewhere.
    NotThere,
    /// It faults.
    Fault(FaultKind),
}

impl From<FaultKind> for NoValue {
    fn from(kind: FaultKind) -> Self {
        NoValue::Fault(kind)
    }
}

impl FaultKind {
    /// What is wrong, with names.
    #[must_use]
    pub fn describe(&self, net: &Net) -> String {
        match *self {
            FaultKind::OutOfRange { place, column, value } => {
                let place = net.place(place);
                let range = net.sort_name(place.columns[column].sort);
                let column = place.column_name(column);
                format!("the value {value} is outside the range {range} of {column}")
            }
            FaultKind::Failure { transition } => {
                net.transition(transition).failure.clone().unwrap_or_default()
            }
            FaultKind::NoMember { enumeration } => {
                let name = &net.enumerations[enumeration.index()].name;
                format!("a member after the last, or before the first, of `{name}`")
            }
            FaultKind::TooManyTokens { place } => {
                format!("{self} in `{}`", net.place(place).name)
            }
            _ => self.to_string(),
        }
    }
}
